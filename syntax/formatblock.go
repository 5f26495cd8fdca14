// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"bytes"
	"math"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
)

// formatter lays out statements and conditions, each on lines of its own. It
// goes through the tokens and the comments of a file once.
type formatter struct {
	file     *diag.File
	toks     []token
	comments []*Comment
	passed   []int           // comments before each token
	quants   map[string]bool // names of quantifiers
	printer  docPrinter

	i   int // the next token
	c   int // the next comment
	end int // of what was printed last, in the source
	doc int // where the comments begin that belong to the next rule

	brackets int  // around the next token
	oneLine  bool // its line must not end but in brackets
}

// stmts lays out a file.
func (f *formatter) stmts(list []Stmt) {
	for i, s := range list {
		f.lead(0, i == 0, i > 0 && f.parted(list[i-1], s))
		f.doc = docStart(list[i+1:])
		f.stmt(s)
	}
	f.lead(0, len(list) == 0, false)
}

// docStart returns where the comments begin that belong to the first of some
// statements because it is a rule or parameter.
func docStart(next []Stmt) int {
	if len(next) > 0 {
		if doc := docOf(next[0]); doc != nil && len(*doc) > 0 {
			return (*doc)[0].span.Start
		}
	}
	return math.MaxInt
}

// parted reports whether a blank line stands between two statements whatever
// the author wrote: around blocks, and between imports and the rest.
func (f *formatter) parted(a, b Stmt) bool {
	return f.hasBlock(a) || f.hasBlock(b) || isImport(a) != isImport(b)
}

// hasBlock reports whether a statement has a block below its first line.
func (f *formatter) hasBlock(s Stmt) bool {
	switch s := Node(s).(type) {
	case *Rule:
		return true
	case *Predicate:
		// A predicate's value follows its colon and equals sign on the same line
		// or begins a block.
		head := f.file.Src[:s.Body[0].Span().Start]
		return len(s.Body) > 1 || !bytes.HasSuffix(bytes.TrimRight(head, " \t\f"), []byte(":="))
	}
	return false
}

// isImport reports whether a statement is an import.
func isImport(s Stmt) bool {
	switch Node(s).(type) {
	case *Import, *RuleImport, *FromImport:
		return true
	}
	return false
}

// lead prints the comments before the next token, on lines of their own, and
// the blank line before it: one where the author wrote one or more, none where
// something begins, and one if it is forced and the author wrote none.
func (f *formatter) lead(level int, begins, forced bool) {
	next := int(f.toks[f.i].start)
	forced = forced && !f.blankBefore(next)
	for f.c < len(f.comments) && f.comments[f.c].span.Start < next {
		f.ownComment(level, begins, forced)
		begins, forced = false, false
	}
	if f.toks[f.i].kind != tEOF && !begins && (forced || f.lineBlank(next)) {
		f.printer.out.WriteByte('\n')
	}
}

// ownComment prints the next comment on a line of its own.
func (f *formatter) ownComment(level int, begins, forced bool) {
	c := f.comments[f.c]
	f.c++
	if !begins && (forced || f.lineBlank(c.span.Start)) {
		f.printer.out.WriteByte('\n')
	}
	f.printer.out.WriteString(strings.Repeat(" ", level*indentWidth) + commentText(c) + "\n")
	f.end = c.span.End
}

// lineBlank reports whether a blank line stands between what was printed last
// and an offset with nothing else between them.
func (f *formatter) lineBlank(at int) bool {
	return bytes.Count(f.file.Src[f.end:at], []byte("\n")) > 1
}

// blankBefore reports whether a blank line stands anywhere between what was
// printed last and an offset.
func (f *formatter) blankBefore(at int) bool {
	from := f.end
	for _, c := range f.comments[f.c:] {
		if c.span.Start >= at {
			break
		}
		if bytes.Count(f.file.Src[from:c.span.Start], []byte("\n")) > 1 {
			return true
		}
		from = c.span.End
	}
	return bytes.Count(f.file.Src[from:at], []byte("\n")) > 1
}

// line prints a logical line and the comment that ends it.
func (f *formatter) line(level int, d *doc) {
	f.printer.print(level*indentWidth, d)
	f.end = int(f.toks[f.i-1].end)
	if f.c < len(f.comments) && !f.comments[f.c].Own && f.comments[f.c].span.Start < int(f.toks[f.i].start) {
		c := f.comments[f.c]
		f.c++
		f.printer.out.WriteString(commentGap + commentText(c))
		f.end = c.span.End
	}
	f.printer.out.WriteByte('\n')
}

// block prints the conditions below a line that was indented by head, and
// the comments that end the block: those that are indented deeper than head.
func (f *formatter) block(level int, head indent, body []Cond) {
	for i, c := range body {
		f.lead(level, i == 0, false)
		f.cond(level, c)
	}
	for f.c < len(f.comments) {
		c := f.comments[f.c].span.Start
		if c >= int(f.toks[f.i].start) || c >= f.doc || !f.indentAt(c).deeper(head) {
			return
		}
		f.ownComment(level, false, false)
	}
}

// indentAt returns the indent of what stands first in its line, at an offset.
func (f *formatter) indentAt(at int) indent {
	var in indent
	for _, c := range f.file.Src[bytes.LastIndexByte(f.file.Src[:at], '\n')+1 : at] {
		if c == ' ' || c == '\t' || c == '\f' {
			in = in.add(c)
		}
	}
	return in
}

// stmt prints a statement.
func (f *formatter) stmt(s Stmt) {
	head := f.toks[f.i].indent
	switch s := s.(type) {
	case *Import:
		d := concat(f.take(), spaceDoc, f.upTo(s.At.End))
		if s.As != nil {
			d = concat(d, spaceDoc, f.take(), spaceDoc, f.take())
		}
		f.line(0, d)
	case *RuleImport:
		f.line(0, f.ruleImport(s))
	case *FromImport:
		f.line(0, f.fromImport(s))
	case *Input:
		f.line(0, f.input(s))
	case *Const:
		f.line(0, f.binding(s.Value))
	case *Predicate:
		f.predicate(s, head)
	case *Rule:
		f.oneLine = true
		d := concat(f.take(), spaceDoc, f.expr(s.Message), spaceDoc, f.take(), f.take())
		f.oneLine = false
		f.line(0, d)
		f.block(1, head, s.Body)
	case *BadStmt: // a tree with mistakes is not formatted
	}
}

// upTo takes the tokens before an offset.
func (f *formatter) upTo(end int) *doc {
	var subs []*doc
	for int(f.toks[f.i].start) < end {
		subs = append(subs, f.take())
	}
	return concat(subs...)
}

// fromImport lays out an import of names.
func (f *formatter) fromImport(s *FromImport) *doc {
	d := concat(f.take(), spaceDoc, f.upTo(s.At.End), spaceDoc, f.take(), spaceDoc)
	name := func(i int) *doc {
		if s.Names[i].As == s.Names[i].Name {
			return f.take()
		}
		return concat(f.take(), spaceDoc, f.take(), spaceDoc, f.take())
	}
	if f.next() == tLParen {
		return concat(d, f.bracket(len(s.Names), false, name))
	}
	for i := range s.Names {
		d = concat(d, spaceDoc, name(i))
		if f.next() == tComma {
			d = concat(d, f.take())
		}
	}
	return d
}

// ruleImport lays out an import of rules.
func (f *formatter) ruleImport(s *RuleImport) *doc {
	d := concat(f.take(), spaceDoc)
	if f.next() == tString {
		d = concat(d, f.strings(s.At.End))
	} else {
		d = concat(d, f.upTo(s.At.End))
	}
	if f.next() == tLParen {
		d = concat(d, f.args(s.Args))
	}
	if s.As != nil {
		d = concat(d, spaceDoc, f.take(), spaceDoc, f.take())
	}
	return d
}

// input lays out the declaration of a parameter.
func (f *formatter) input(s *Input) *doc {
	d := concat(f.take(), spaceDoc, f.take(), f.take(), spaceDoc, f.take())
	if s.Elem != nil {
		d = concat(d, f.take(), f.take(), f.take())
	}
	if s.Default != nil {
		d = concat(d, spaceDoc, f.take(), spaceDoc, f.expr(s.Default))
	}
	return d
}

// binding lays out a name and its value. A value that does not fit stands on
// the next line, unless it has brackets in which to break.
func (f *formatter) binding(value Expr) *doc {
	name, define := f.take(), f.take()
	start := f.i - 1
	d := f.operand(value, false)
	if opensItself(value) && !f.commented(start, start+1) {
		return concat(name, spaceDoc, define, spaceDoc, d)
	}
	return concat(name, spaceDoc, define, f.group(start, indented(lineDoc, d)))
}

// opensItself reports whether a value is a bracket, a call, or a string of
// several lines.
func opensItself(x Expr) bool {
	switch x := Node(x).(type) {
	case *Paren, *Call:
		return true
	case *StringLit:
		return strings.Contains(x.Raw, "\n")
	case *FString:
		return strings.Contains(x.Raw, "\n")
	}
	return bracketed(x)
}

// predicate prints a predicate in the form it has, of one line or a block.
func (f *formatter) predicate(s *Predicate, head indent) {
	name := f.take()
	params := f.bracket(len(s.Params), false, func(i int) *doc {
		if s.Params[i].Type == nil {
			return f.take()
		}
		return concat(f.take(), f.take(), spaceDoc, f.take())
	})
	d := concat(name, params, spaceDoc, f.take())
	if f.toks[f.i].first {
		f.line(0, d)
		f.block(1, head, s.Body)
		return
	}
	f.line(0, concat(d, spaceDoc, f.expr(s.Body[0].(*ExprCond).X)))
}

// cond prints a condition.
func (f *formatter) cond(level int, c Cond) {
	switch c := c.(type) {
	case *ExprCond:
		f.oneLine = f.fragile()
		d := f.expr(c.X)
		f.oneLine = false
		f.line(level, d)
	case *BindCond:
		f.line(level, f.binding(c.Value))
	case *QuantCond:
		head := f.toks[f.i].indent
		f.line(level, f.quantHead(c))
		f.block(level+1, head, c.Body)
	}
}

// fragile reports whether the next line could be taken for something else if
// it ended before an operator: a quantifier, or `pass` of other languages.
func (f *formatter) fragile() bool {
	i := f.i
	if f.toks[i].kind == tNot {
		i++
	}
	text := f.text(i)
	return f.quants[text] || text == "pass"
}

// quantHead lays out the first line of a quantifier.
func (f *formatter) quantHead(c *QuantCond) *doc {
	d := concat()
	if c.Not {
		d = concat(f.take(), spaceDoc)
	}
	d = concat(d, f.take())
	if f.next() == tLParen {
		d = concat(d, f.args(c.Args))
	}
	return concat(d, f.take())
}
