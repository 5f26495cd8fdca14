// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A call is a simple command, with its wrappers taken off.
type call struct {
	r      *reader
	path   value  // the command as it was named
	name   string // the last part of its path
	args   []value
	in     value // standard input; the zero value is that of the script
	writes []write

	start, end int
	from       int  // where the pipe begins that the call is in
	each       bool // behind xargs or find: its arguments go on
}

func (r *reader) callExpr(e *syntax.CallExpr, in value, writes []write) value {
	for _, a := range e.Assigns {
		r.assign(a, in)
	}
	if len(e.Args) == 0 {
		return value{}
	}
	c := &call{r: r, args: r.words(e.Args, in), in: in, writes: writes, start: offsetOf(e.Pos()), end: offsetOf(e.End())}
	c.from = c.start
	if in.text != "" || in.taint != 0 {
		c.from = min(r.pipe, c.start)
	}
	return c.run()
}

// run follows the call and returns what it writes.
func (c *call) run() value {
	if !c.unwrap() {
		return value{}
	}
	if c.path.taint&(fromNet|decoded) != 0 && !strings.Contains(c.path.text, "/") {
		c.code(value{text: unknown, taint: c.path.taint & (fromNet | decoded)}) // what was fetched or decoded is the command
	}
	if c.name == "$0" || c.name == unknown && c.path.taint == 0 {
		return c.passed()
	}
	if strings.ContainsAny(c.name, "*?[") {
		c.name = globbed(c.path.text)
	}
	return c.dispatch()
}

// passed is what a command writes of which nothing is known: something made of
// what it read.
func (c *call) passed() value {
	v := value{text: unknown, taint: c.in.taint}
	for _, a := range c.args {
		if a.proc {
			v.taint |= a.taint
		}
		if readers[c.name] && secretFile(a.text) {
			v.taint |= credential
		}
	}
	return v
}

func (c *call) report(id string)     { c.r.report(id, c.start, c.end) }
func (c *call) reportPipe(id string) { c.r.report(id, c.from, c.end) }

// A wrapper is a command that runs the one in its arguments.
type wrapper struct {
	valued   string // its short options that take a value
	operands int    // before the command
}

var wrappers = map[string]wrapper{
	"sudo": {valued: "ugpChrtTRDU"}, "doas": {valued: "uC"}, "env": {valued: "uCS"}, "command": {}, "builtin": {}, "exec": {valued: "a"},
	"nohup": {}, "nice": {valued: "n"}, "ionice": {valued: "cnpPu"}, "time": {valued: "fo"}, "timeout": {valued: "ks", operands: 1},
	"stdbuf": {valued: "ioe"}, "setsid": {}, "busybox": {}, "toybox": {}, "xargs": {valued: "IEnLPsdai"}, "strace": {valued: "eopsEuS"},
	"unshare": {}, "chronic": {}, "flock": {valued: "wE", operands: 1}, "parallel": {valued: "jIN"}, "watch": {valued: "n"}, "chroot": {operands: 1},
	"eatmydata": {}, "torsocks": {}, "proxychains": {valued: "f"}, "proxychains4": {valued: "f"}, "caffeinate": {valued: "tw"}, "rlwrap": {valued: "f"},
	"noglob": {}, "nocorrect": {}, "$": {}, ">": {}, "ltrace": {valued: "eopu"}, "faketime": {operands: 1}, "taskset": {operands: 1},
	"pkexec": {}, "runuser": {valued: "u"}, "gosu": {operands: 1}, "su-exec": {operands: 1}, "setpriv": {}, "sg": {operands: 1}, "firejail": {}, "coproc": {}, "!": {},
}

// unwrap takes wrappers off and names the command; it reports whether there is
// one.
func (c *call) unwrap() bool {
	for range 16 {
		if len(c.args) == 0 {
			return false
		}
		c.path, c.args = c.args[0], c.args[1:]
		c.name = baseName(c.path.text)
		w, ok := wrappers[c.name]
		if !ok {
			return c.name != ""
		}
		if (c.name == "command" || c.name == "exec") && len(c.args) == 0 || c.name == "command" && (c.flag("v", "") || c.flag("V", "")) {
			return false
		}
		if c.name == "env" && len(c.args) == 0 {
			return true
		}
		if c.name == "xargs" || c.name == "parallel" {
			c.each = true
		}
		c.skipOptions(w)
	}
	return false
}

// skipOptions passes what a wrapper takes before the command.
func (c *call) skipOptions(w wrapper) {
	operands := w.operands
	for len(c.args) > 0 {
		a := c.args[0].text
		switch {
		case a == "--":
			c.args = c.args[1:]
			if operands == 0 {
				return
			}
		case len(a) > 1 && a[0] == '-':
			c.args = c.args[1:]
			if c.name == "env" && (a == "-S" || a == "--split-string") && len(c.args) > 0 {
				c.args = append(fieldsOf(c.args[0]), c.args[1:]...)
				return
			}
			if len(a) == 2 && strings.IndexByte(w.valued, a[1]) >= 0 && len(c.args) > 0 {
				c.args = c.args[1:]
			}
		case (c.name == "env" || c.name == "sudo" || c.name == "doas") && strings.IndexByte(a, '=') > 0:
			name, text, _ := strings.Cut(a, "=")
			c.r.assigned(name, value{text: text}, c.start, c.end)
			c.args = c.args[1:]
		case operands > 0:
			operands--
			c.args = c.args[1:]
		default:
			return
		}
	}
}

func fieldsOf(v value) []value {
	var out []value
	for _, f := range strings.Fields(v.text) {
		out = append(out, value{text: f, taint: v.taint})
	}
	return out
}

// baseName is the last part of a path.
func baseName(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// globbed returns the command that a path with wild cards stands for.
func globbed(p string) string {
	for _, name := range []string{"sh", "bash", "dash", "cat", "curl", "wget", "nc", "rm", "base64", "python3", "perl", "dd", "tar", "xxd"} {
		for _, dir := range []string{"/bin/", "/usr/bin/", ""} {
			if ok, err := path.Match(p, dir+name); ok && err == nil {
				return name
			}
		}
	}
	return baseName(p)
}

// flag reports whether one of the short options, or the long one, is given.
func (c *call) flag(shorts, long string) bool {
	for _, a := range c.args {
		switch {
		case a.text == "--":
			return false
		case strings.HasPrefix(a.text, "--"):
			// Long options may be cut short where nothing else begins so.
			if name, _, _ := strings.Cut(a.text[2:], "="); long != "" && len(name) > 3 && strings.HasPrefix(long, name) {
				return true
			}
		case len(a.text) > 1 && a.text[0] == '-' && strings.ContainsAny(a.text[1:], shorts):
			return true
		}
	}
	return false
}

// option returns the value of an option; shorts and longs are its names.
func (c *call) option(shorts string, longs ...string) (value, bool) {
	for i, a := range c.args {
		t := a.text
		next := func() (value, bool) {
			if i+1 < len(c.args) {
				return c.args[i+1], true
			}
			return value{}, true
		}
		if strings.HasPrefix(t, "--") {
			name, rest, has := strings.Cut(t[2:], "=")
			if slices.Contains(longs, name) {
				if has {
					return value{text: rest, taint: a.taint, proc: a.proc}, true
				}
				return next()
			}
			continue
		}
		if len(t) < 2 || t[0] != '-' {
			continue
		}
		if slices.Contains(longs, t[1:]) { // -delete, -exec
			return next()
		}
		if at := strings.IndexAny(t[1:], shorts); at >= 0 && shorts != "" && letters(t[1:at+1]) {
			if rest := t[at+2:]; rest != "" {
				return value{text: rest, taint: a.taint, proc: a.proc}, true
			}
			return next()
		}
	}
	return value{}, false
}

func letters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// operands returns the arguments that are no options, nor values of the short
// options in valued.
func (c *call) operands(valued string) []value {
	var out []value
	for i := 0; i < len(c.args); i++ {
		t := c.args[i].text
		switch {
		case t == "--":
			return append(out, c.args[i+1:]...)
		case len(t) > 1 && t[0] == '-':
			if t[1] != '-' && strings.IndexByte(valued, t[len(t)-1]) >= 0 {
				i++
			}
		default:
			out = append(out, c.args[i])
		}
	}
	return out
}

// has reports whether an argument contains one of the texts.
func (c *call) has(texts ...string) bool {
	return slices.ContainsFunc(c.args, func(a value) bool {
		return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(a.text, t) })
	})
}

// arg reports whether one of the texts is an argument.
func (c *call) arg(texts ...string) bool {
	return slices.ContainsFunc(c.args, func(a value) bool { return slices.Contains(texts, a.text) })
}

// taints are those of all arguments and of the input.
func (c *call) taints() taint {
	t := c.in.taint
	for _, a := range c.args {
		t |= a.taint
	}
	return t
}

// code follows a text that the call runs as a script.
func (c *call) code(v value) {
	if v.taint&fromNet != 0 {
		c.reportPipe("shell-download-to-shell")
	}
	if v.taint&decoded != 0 {
		c.reportPipe("shell-decoded-to-shell")
	}
	if v.taint&given != 0 {
		c.reportPipe("shell-input-as-code")
	}
	c.r.inner(v, c.from, c.end)
}
