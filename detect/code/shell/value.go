// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A taint says where a value comes from.
type taint uint8

const (
	fromNet     taint = 1 << iota // what a download brought
	decoded                       // what stood there in an encoding
	credential                    // the content of a file of credentials
	environment                   // all variables of the environment
	fromFile                      // the content of a file
	given                         // what somebody typed or passed
	ofShell                       // what a shell wrote
	cut                           // more than is put together
)

// unknown stands for the part of a value that only a run could tell.
const unknown = "\x01"

// A value is what a word, a variable or the output of a command comes to.
type value struct {
	text  string
	taint taint
	proc  bool // the name of a pipe of <(…)
}

// constant reports whether all of the value is known.
func (v value) constant() bool { return !strings.Contains(v.text, unknown) }

func (v value) joined(w value, between string) value {
	out := value{taint: v.taint | w.taint, proc: v.proc || w.proc}
	if v.text != "" && w.text != "" && len(v.text)+len(w.text) > maxText {
		out.text = unknown
		out.taint |= cut
		return out
	}
	out.text = v.text + between + w.text
	return out
}

// A builder puts the fields of a word together.
type builder struct {
	r      *reader
	in     value // standard input of the commands in the word
	fields []value
	now    strings.Builder
	taint  taint
	proc   bool
	any    bool // the field under construction exists, if only as ""
}

// words expands words to fields, as a shell does, but for file names.
func (r *reader) words(list []*syntax.Word, in value) []value {
	out := make([]value, 0, len(list))
	for _, w := range list {
		out = r.word(out, w, in)
	}
	return out
}

// word appends the fields of a word.
func (r *reader) word(out []value, w *syntax.Word, in value) []value {
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(lit.Value, "\\{") {
			return append(out, value{text: lit.Value})
		}
	}
	b := builder{r: r, in: in, fields: out}
	for _, p := range w.Parts {
		b.part(p, false)
	}
	b.flush()
	if len(w.Parts) == 1 {
		return braces(b.fields, len(out))
	}
	return b.fields
}

// text is what a word comes to where it is not split.
func (r *reader) text(w *syntax.Word, in value) value {
	if w == nil {
		return value{}
	}
	b := builder{r: r, in: in}
	for _, p := range w.Parts {
		b.part(p, true)
	}
	return value{text: b.now.String(), taint: b.taint, proc: b.proc}
}

func (b *builder) flush() {
	if b.any || b.now.Len() > 0 {
		b.fields = append(b.fields, value{text: b.now.String(), taint: b.taint, proc: b.proc})
	}
	b.now.Reset()
	b.taint, b.proc, b.any = 0, false, false
}

func (b *builder) add(s string) {
	if len(s) > maxCheap {
		b.r.work -= len(s)
	}
	if b.now.Len() > 0 && b.now.Len()+len(s) > maxText {
		if !strings.HasSuffix(b.now.String(), unknown) {
			b.now.WriteString(unknown)
		}
		b.taint |= cut
		return
	}
	b.now.WriteString(s)
}

// addValue adds what an expansion gave; outside of quotes it is split.
func (b *builder) addValue(v value, quoted bool) {
	b.taint |= v.taint
	if quoted || !strings.ContainsAny(v.text, " \t\n") {
		b.add(v.text)
		return
	}
	if strings.IndexByte(" \t\n", v.text[0]) >= 0 {
		b.flush()
		b.taint |= v.taint
	}
	for i, f := range strings.Fields(v.text) {
		if i > 0 {
			b.flush()
			b.taint |= v.taint
		}
		b.add(f)
	}
	if strings.IndexByte(" \t\n", v.text[len(v.text)-1]) >= 0 {
		b.flush()
	}
}

func (b *builder) part(p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.add(unescape(p.Value, quoted))
	case *syntax.SglQuoted:
		b.any = true
		if p.Right.IsRecovered() {
			b.r.unclosed(offsetOf(p.Left))
		}
		if p.Dollar {
			b.add(unslash(p.Value))
		} else {
			b.add(p.Value)
		}
	case *syntax.DblQuoted:
		b.any = true
		if p.Right.IsRecovered() {
			b.r.unclosed(offsetOf(p.Left))
		}
		for _, q := range p.Parts {
			b.part(q, true)
		}
	case *syntax.ParamExp:
		b.addValue(b.r.param(p, b.in), quoted)
	case *syntax.CmdSubst:
		v := b.r.stmts(p.Stmts, b.in)
		v.text = strings.TrimRight(v.text, "\n")
		b.addValue(v, quoted)
	case *syntax.ProcSubst:
		v := b.r.stmts(p.Stmts, b.in)
		b.taint |= v.taint
		b.proc = true
		b.add(unknown)
	case *syntax.ExtGlob:
		b.add(p.Op.String() + p.Pattern.Value + ")")
	case *syntax.ArithmExp, *syntax.BraceExp:
		b.add(unknown)
	}
}

// braces takes {a,b} apart in the last field, once and without nesting.
func braces(fields []value, from int) []value {
	if len(fields) != from+1 {
		return fields
	}
	s := fields[from].text
	open := strings.IndexByte(s, '{')
	if open < 0 {
		return fields
	}
	size := strings.IndexByte(s[open:], '}')
	if size < 0 || strings.Contains(s[open+1:open+size], "{") {
		return fields
	}
	items := strings.Split(s[open+1:open+size], ",")
	if len(items) < 2 || len(items) > 64 {
		return fields
	}
	t := fields[from]
	fields = fields[:from]
	for _, item := range items {
		t.text = s[:open] + item + s[open+size+1:]
		fields = append(fields, t)
	}
	return fields
}

// unescape takes backslashes off a literal part.
func unescape(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case s[i] == '\n':
		case quoted && strings.IndexByte("$`\"\\", s[i]) < 0:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// unslash reads the escapes of $'…', printf and echo -e.
func unslash(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		i += escape(&b, s[i:])
	}
	return b.String()
}

// escape writes what an escape stands for and returns its length.
func escape(b *strings.Builder, s string) int {
	digits := func(from, most, base int) int {
		n := from
		for n < len(s) && n < from+most && digit(s[n]) < base {
			n++
		}
		if v, err := strconv.ParseUint(s[from:n], base, 32); err == nil {
			if from > 1 && s[1] != 'x' {
				b.WriteRune(rune(v))
			} else {
				b.WriteByte(byte(v))
			}
		}
		return max(n, 2)
	}
	switch s[1] {
	case 'x':
		return digits(2, 2, 16)
	case 'u':
		return digits(2, 4, 16)
	case 'U':
		return digits(2, 8, 16)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		if s[1] == '0' {
			return digits(1, 4, 8)
		}
		return digits(1, 3, 8)
	}
	if i := strings.IndexByte("abefnrtvE\\'\"?", s[1]); i >= 0 {
		b.WriteByte("\a\b\x1b\f\n\r\t\v\x1b\\'\"?"[i])
		return 2
	}
	b.WriteString(s[:2])
	return 2
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 99
}

// param is what an expansion of a variable comes to.
func (r *reader) param(p *syntax.ParamExp, in value) value {
	if p.NestedParam != nil {
		b := builder{r: r, in: in}
		b.part(p.NestedParam, true)
		return value{text: unknown, taint: b.taint}
	}
	if p.Param == nil || p.Excl || p.Length || p.Names != 0 || p.IsSet {
		return value{text: unknown}
	}
	v, set := r.variable(p.Param.Value)
	if p.Exp != nil && p.Exp.Word != nil {
		other := r.text(p.Exp.Word, in)
		switch p.Exp.Op {
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
			if !set {
				return other
			}
			return v
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
			return other
		}
		return value{text: unknown, taint: v.taint | other.taint}
	}
	switch {
	case p.Repl != nil:
		return r.replaced(v, p.Repl, in)
	case p.Slice != nil:
		return sliced(v, p.Slice)
	case p.Exp != nil || p.Index != nil || p.Modifiers != nil:
		return value{text: unknown, taint: v.taint}
	}
	return v
}

// variable returns what a variable holds, and whether that is known.
func (r *reader) variable(name string) (value, bool) {
	if v, ok := r.vars[name]; ok {
		return v, true
	}
	switch name {
	case "HOME":
		return value{text: "~"}, true
	case "IFS":
		return value{text: " "}, true
	case "SHELL", "BASH":
		return value{text: "/bin/bash"}, true
	case "QUERY_STRING", "REQUEST_URI", "REPLY", "SSH_ORIGINAL_COMMAND":
		return value{text: unknown, taint: given}, false
	}
	return value{text: unknown}, false
}

// set remembers what a variable holds.
func (r *reader) set(name string, v value) {
	if _, ok := r.vars[name]; ok || len(r.vars) < maxVars {
		r.vars[name] = v
	}
}

func (r *reader) replaced(v value, p *syntax.Replace, in value) value {
	from, with := r.text(p.Orig, in), r.text(p.With, in)
	if !v.constant() || !from.constant() || !with.constant() || from.text == "" || strings.ContainsAny(from.text, "*?[#%") {
		return value{text: unknown, taint: v.taint | with.taint}
	}
	n := 1
	if p.All {
		n = -1
	}
	if len(v.text)*(len(with.text)+1) > maxText {
		return value{text: unknown, taint: v.taint | with.taint | cut}
	}
	return value{text: strings.Replace(v.text, from.text, with.text, n), taint: v.taint | with.taint}
}

func sliced(v value, s *syntax.Slice) value {
	at, ok := number(s.Offset)
	n := len(v.text)
	if s.Length != nil {
		var known bool
		n, known = number(s.Length)
		ok = ok && known
	}
	if !ok || !v.constant() || at < 0 || at > len(v.text) || n < 0 || !utf8.ValidString(v.text) {
		return value{text: unknown, taint: v.taint}
	}
	return value{text: v.text[at:min(at+n, len(v.text))], taint: v.taint}
}

func number(e syntax.ArithmExpr) (int, bool) {
	w, ok := e.(*syntax.Word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(w.Lit())
	return n, err == nil && n < 1<<20
}
