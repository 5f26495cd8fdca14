// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
)

// dispatch follows a command by its name.
func (c *call) dispatch() value {
	c.credentials()
	switch c.name {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "fish", "tcsh", "csh", "rbash", "yash", "ksh93":
		return c.shell()
	case "eval":
		c.code(joinedArgs(c.args))
		return c.passed()
	case "source", ".":
		c.sourced()
		return value{}
	case "su", "script", "runuser":
		if code, ok := c.option("c", "command"); ok {
			c.code(code)
		}
		return c.passed()
	case "trap":
		if len(c.args) > 1 {
			c.r.inner(c.args[0], c.start, c.end)
		}
		return value{}
	case "ssh":
		return c.remote()
	case "at", "batch":
		c.code(c.in)
		c.report("shell-persistence")
		return value{}
	case "read", "mapfile", "readarray":
		c.read()
		return value{}
	case "cd", "pushd":
		c.changeDirectory()
		return value{}
	case "alias":
		for _, a := range c.args {
			if _, code, ok := strings.Cut(a.text, "="); ok {
				c.r.inner(value{text: code, taint: a.taint}, c.start, c.end)
			}
		}
		return value{}
	case "which":
		if ops := c.operands(""); len(ops) == 1 {
			return ops[0] // a path to it, by which it is the same command
		}
	}
	if interpreter(c.name) {
		return c.interpreter()
	}
	c.ranFile()
	return c.harm()
}

// shell is a shell: what it is given as a script is followed.
func (c *call) shell() value {
	out := value{text: unknown, taint: ofShell | c.in.taint&(credential|environment)}
	for _, w := range c.writes {
		if strings.HasPrefix(w.path.text, "/dev/tcp/") || strings.HasPrefix(w.path.text, "/dev/udp/") {
			c.report("shell-reverse-shell")
		}
	}
	for i := 0; i < len(c.args); i++ {
		t := c.args[i].text
		switch {
		case t == "--":
		case t == "-" || t == "/dev/stdin" || t == "/dev/fd/0" || t == "/proc/self/fd/0":
			c.code(c.in)
			return out
		case strings.HasPrefix(t, "--"):
			if t == "--rcfile" || t == "--init-file" {
				i++
			}
		case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
			if strings.ContainsRune(t, 'c') && t[0] == '-' {
				c.commandLine(i + 1)
				return out
			}
			if strings.ContainsRune(t, 's') {
				c.code(c.in)
				return out
			}
			if t[len(t)-1] == 'o' || t[len(t)-1] == 'O' {
				i++
			}
		default:
			c.runFile(c.args[i])
			return out
		}
	}
	if c.each {
		c.code(c.in)
	} else if c.in != (value{}) {
		c.code(c.in)
	}
	return out
}

// commandLine is a shell's -c: the script, then its arguments.
func (c *call) commandLine(at int) {
	for at < len(c.args) && (c.args[at].text == "--" || len(c.args[at].text) > 1 && c.args[at].text[0] == '-' && !strings.ContainsAny(c.args[at].text, " ;|")) {
		at++
	}
	if at >= len(c.args) {
		if c.each { // xargs gives the script
			c.code(c.in)
		}
		return
	}
	code := c.args[at]
	if c.each && (strings.Contains(code.text, "{}") || strings.Contains(code.text, "$0") || strings.Contains(code.text, "$@") || strings.Contains(code.text, "$1")) {
		code.taint |= c.in.taint &^ given
	}
	for i, a := range c.args[at+1:] {
		c.r.set([]string{"0", "1", "2", "3"}[min(i, 3)], a)
	}
	c.code(code)
}

// runFile is a script that is run by its name.
func (c *call) runFile(file value) {
	if file.proc {
		c.code(file)
		return
	}
	if held, ok := c.r.files[baseName(file.text)]; ok && file.text != unknown {
		c.held(held)
	}
	if strings.HasPrefix(file.text, "/dev/tcp/") {
		c.report("shell-download-to-shell")
	}
}

// held is what is in a file that is run now.
func (c *call) held(v value) {
	if v.taint&fromNet != 0 {
		c.report("shell-download-and-run")
	}
	if v.taint&decoded != 0 {
		c.report("shell-decoded-to-shell")
	}
	if v.constant() && v.text != "" {
		c.r.inner(v, c.start, c.end)
	}
}

// ranFile looks whether the command is a file that was downloaded before.
func (c *call) ranFile() {
	if !strings.Contains(c.path.text, "/") {
		return
	}
	if held, ok := c.r.files[c.name]; ok {
		c.held(held)
	}
}

func (c *call) sourced() {
	if len(c.args) == 0 {
		return
	}
	switch f := c.args[0]; f.text {
	case "/dev/stdin", "/dev/fd/0", "-":
		c.code(c.in)
	default:
		c.runFile(f)
	}
}

// remote is ssh: the command behind the host runs elsewhere, and does there
// what it says.
func (c *call) remote() value {
	c.sends(false)
	ops := c.operands("bcDEeFIiJLlmOopQRSWw")
	if len(ops) > 1 {
		c.code(joinedArgs(ops[1:]))
	}
	if v, ok := c.option("o"); ok && strings.Contains(strings.ToLower(v.text), "stricthostkeychecking=no") || c.has("StrictHostKeyChecking=no") {
		c.report("shell-tls-off")
	}
	return value{text: unknown, taint: fromNet}
}

func (c *call) read() {
	v := c.in
	if v == (value{}) {
		v = value{taint: given}
	}
	for _, name := range c.operands("adinNptu") {
		c.r.set(name.text, value{text: unknown, taint: v.taint})
	}
	c.r.set("REPLY", value{text: unknown, taint: v.taint})
}

func (c *call) changeDirectory() {
	ops := c.operands("")
	switch {
	case len(ops) == 0:
		c.r.cwd = "~"
	case strings.HasPrefix(ops[0].text, "/") || strings.HasPrefix(ops[0].text, "~"):
		c.r.cwd = ops[0].text
	case c.r.cwd != "" && c.r.cwd != unknown:
		c.r.cwd += "/" + ops[0].text
	default:
		c.r.cwd = unknown
	}
	if len(c.r.cwd) > maxText {
		c.r.cwd = unknown
	}
}

func interpreter(name string) bool {
	switch name {
	case "perl", "ruby", "node", "nodejs", "php", "lua", "deno", "bun", "osascript", "pypy", "pypy3", "tclsh", "expect":
		return true
	}
	return strings.HasPrefix(name, "python") && strings.Trim(name[6:], "0123456789.") == ""
}

// interpreter is one of another language: what comes from elsewhere is told by
// its origin, one-liners by what they contain.
func (c *call) interpreter() value {
	out := value{text: unknown, taint: c.in.taint}
	code, inline := c.option("ce", "eval", "print")
	if c.name == "php" {
		code, inline = c.option("r", "run")
	}
	if strings.HasPrefix(c.name, "py") {
		code, inline = c.option("c")
	}
	if inline {
		if c.name == "perl" || c.name == "ruby" {
			code = joinedArgs(c.args) // modules are named in options
		}
		return c.oneLiner(code, out)
	}
	ops := c.operands("mW")
	switch {
	case c.flag("m", ""):
	case len(ops) == 0 || ops[0].text == "-" || ops[0].text == "/dev/stdin":
		if c.in.taint&fromNet != 0 {
			c.reportPipe("shell-download-to-shell")
		}
		if c.in.taint&decoded != 0 {
			c.reportPipe("shell-decoded-to-shell")
		}
		return c.oneLiner(c.in, out)
	case ops[0].proc:
		if ops[0].taint&fromNet != 0 {
			c.report("shell-download-to-shell")
		}
	default:
		if held, ok := c.r.files[baseName(ops[0].text)]; ok && held.taint&fromNet != 0 {
			c.report("shell-download-and-run")
		}
	}
	return out
}

// shellString is a text that a program of another language gives to a shell.
var shellString = regexp.MustCompile(`\b(?:system|popen|execSync|getoutput|shell_exec|passthru|check_output|check_call|call|run)\s*\(?\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`)

// maxStrings is how many of them are looked at in one program.
const maxStrings = 20

// oneLiner looks at a program in another language on the command line.
func (c *call) oneLiner(code, out value) value {
	t := code.text
	contains := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(t, w) {
				return true
			}
		}
		return false
	}
	if code.taint&fromNet != 0 && !strings.Contains(t, " ") {
		c.reportPipe("shell-download-to-shell")
	}
	if contains("socket", "Socket", "fsockopen", "stream_socket_client", "net.connect", "net.createConnection", "/inet/tcp") &&
		contains("subprocess", "dup2", "pty.spawn", "os.system", "/bin/sh", "/bin/bash", "exec(", "exec ", "shell_exec", "passthru", "proc_open", "popen", "spawn", "os.execute", "STDIN->fdopen") {
		c.report("shell-reverse-shell")
	}
	encoded := contains("b64decode", "base64_decode", "decode_base64", "unhexlify", "fromhex", "pack(\"H", "pack('H", "atob(", ", 'base64')", ",'base64')", ", \"base64\")", "unpack(\"m", "decode64")
	if encoded && contains("exec(", "exec ", "eval(", "eval ", "system(", "os.system", "popen", "subprocess") {
		c.report("shell-decoded-to-shell")
	}
	fetches := contains("urlopen", "requests.get", "urllib.request", "file_get_contents('http", "file_get_contents(\"http", "Net::HTTP", "open-uri", "LWP::Simple", "http.get")
	if fetches && contains("exec(", "eval(", "eval ", "system(", "subprocess") {
		c.report("shell-download-to-shell")
	}
	if contains(".aws/credentials", ".ssh/id_", "/etc/shadow", ".netrc", ".git-credentials", ".docker/config.json", ".kube/config") && contains("open(", "read", "File.") {
		c.report("shell-credential-file")
		out.taint |= credential
	}
	if contains("os.environ", "process.env)", "ENV.to_h", "getenv()", "%ENV") && contains("urlopen", "requests.", "http") {
		c.report("shell-send-credentials")
	}
	if contains("shutil.rmtree('/')", "shutil.rmtree(\"/\")", "rmtree(os.path.expanduser('~'))") {
		c.report("shell-remove-root")
	}
	for _, m := range shellString.FindAllStringSubmatch(t, maxStrings) {
		c.r.inner(value{text: m[1] + m[2]}, c.start, c.end)
	}
	if encoded {
		out.taint |= decoded
	}
	if fetches {
		out.taint |= fromNet
	}
	return out
}

// writer is a command whose output can be told, or where it comes from.
func (c *call) writer() (value, bool) {
	switch c.name {
	case "echo":
		return c.echo(), true
	case "printf":
		return c.printf(), true
	case "cat", "tac", "head", "tail", "bat", "zcat", "gunzip", "xzcat", "bzcat", "strings", "nl", "more", "less":
		v := c.files("nc")
		if c.name != "cat" && v.text != "" {
			v.text = unknown
		}
		return v, true
	case "base64", "gbase64", "base32", "basenc", "base58":
		return c.decode(c.flag("dD", "decode")), true
	case "xxd":
		return c.decode(c.flag("r", "revert")), true
	case "uudecode", "rev":
		return c.decode(true), true
	case "openssl":
		decodes := c.flag("d", "") && (c.arg("enc", "base64", "-base64", "-a") || c.has("-aes"))
		return c.decode(decodes), true
	case "tr":
		return c.decode(c.has("n-z", "N-Z", "5-9")), true
	case "env", "printenv", "export", "set", "declare", "typeset":
		if len(c.operands("")) == 0 && (c.name != "set" || len(c.args) == 0) {
			return value{text: unknown, taint: environment}, true
		}
	case "tee":
		for _, f := range c.operands("") {
			if f.proc {
				continue
			}
			c.r.write(write{path: f, append: c.flag("a", "append")}, c.in, c.start, c.end)
		}
		return c.in, true
	}
	return value{}, false
}

func joinedArgs(args []value) value {
	var out value
	var text strings.Builder
	for i, a := range args {
		if i > 0 {
			text.WriteByte(' ')
		}
		if text.Len() > 1 && text.Len()+len(a.text) > maxText {
			out.taint |= cut
			text.Reset()
			text.WriteString(unknown)
		}
		text.WriteString(a.text)
		out.taint, out.proc = out.taint|a.taint, out.proc || a.proc
	}
	out.text = text.String()
	return out
}

func (c *call) echo() value {
	args := c.args
	escapes := false
	for len(args) > 0 && len(args[0].text) > 1 && args[0].text[0] == '-' && strings.Trim(args[0].text[1:], "neE") == "" {
		escapes = escapes || strings.Contains(args[0].text, "e")
		args = args[1:]
	}
	v := joinedArgs(args)
	if escapes {
		v = escaped(v)
	}
	v.text += "\n"
	return v
}

// escaped is a text with its escapes read; those of characters by number are
// an encoding.
func escaped(v value) value {
	if strings.Contains(v.text, `\x`) || strings.Contains(v.text, `\0`) || strings.Contains(v.text, `\1`) || strings.Contains(v.text, `\u`) {
		v.taint |= decoded
	}
	v.text = unslash(v.text)
	return v
}

func (c *call) printf() value {
	args := c.args
	if len(args) > 1 && args[0].text == "-v" {
		name := args[1].text
		rest := *c
		rest.args = args[2:]
		c.r.set(name, rest.printf())
		return value{}
	}
	if len(args) > 0 && args[0].text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return value{}
	}
	v, args := escaped(args[0]), args[1:]
	var out strings.Builder
	for i := 0; i < len(v.text); i++ {
		if v.text[i] != '%' || i+1 == len(v.text) {
			out.WriteByte(v.text[i])
			continue
		}
		i++
		switch v.text[i] {
		case '%':
			out.WriteByte('%')
		case 's', 'b', 'q':
			if len(args) > 0 {
				a := args[0]
				if v.text[i] == 'b' {
					a = escaped(a)
				}
				out.WriteString(a.text)
				v.taint |= a.taint
				args = args[1:]
			}
		default:
			out.WriteString(unknown)
		}
		if out.Len() > maxText {
			return value{text: unknown, taint: v.taint}
		}
	}
	v.text = out.String()
	return v
}

// files is what the files among the operands hold, or the input.
func (c *call) files(valued string) value {
	ops := c.operands(valued)
	if len(ops) == 0 {
		return c.in
	}
	var out value
	for _, o := range ops {
		if o.text == "-" {
			out = out.joined(c.in, "")
			continue
		}
		if o.proc {
			out = out.joined(o, "")
			continue
		}
		out = out.joined(c.r.content(o), "")
	}
	return out
}

// decode is a command that may take an encoding off what it reads.
func (c *call) decode(decodes bool) value {
	v := c.in
	if c.name == "base64" || c.name == "xxd" || c.name == "rev" || c.name == "base32" {
		v = c.files("wi")
	}
	if file, ok := c.option("", "in"); ok {
		v = c.r.content(file)
	}
	if !decodes {
		if v.text != "" {
			v.text = unknown
		}
		return v
	}
	v.taint |= decoded
	text := ""
	if v.constant() {
		text = decodedBy(c.name, v.text)
	}
	if v.text = text; text == "" {
		v.text = unknown
	}
	return v
}

// decodedBy takes off the encoding that the command knows; "" if it cannot.
func decodedBy(name, s string) string {
	compact := strings.Join(strings.Fields(s), "")
	switch name {
	case "base64", "gbase64", "openssl":
		if b, err := base64.StdEncoding.DecodeString(compact); err == nil {
			return string(b)
		}
		if b, err := base64.RawStdEncoding.DecodeString(compact); err == nil {
			return string(b)
		}
	case "xxd":
		if b, err := hex.DecodeString(compact); err == nil {
			return string(b)
		}
	case "rev":
		b := []rune(strings.TrimSuffix(s, "\n"))
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
		return string(b)
	}
	return ""
}
