// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A doc is a piece of text with places at which its line may be broken, in
// the manner of Wadler's "A prettier printer": a group is printed on one line
// if that fits, else all its lines are broken. Comments break the line
// wherever they stand.
type doc struct {
	kind docKind
	text string // of docText; the comment that ends the line, of docComments
	own  []string
	subs []*doc
	hard bool // a group that is broken whether it fits or not
}

type docKind uint8

const (
	docText     docKind = iota
	docSpace            // a space, never a line end
	docLine             // a space, or a line end if its group is broken
	docSoft             // nothing, or a line end
	docConcat           // one after the other
	docIndent           // one level deeper, where the group is broken
	docGroup            // broken as a whole or not at all
	docComments         // what stands between two tokens
)

var (
	spaceDoc = &doc{kind: docSpace}
	lineDoc  = &doc{kind: docLine}
	softDoc  = &doc{kind: docSoft}
)

func concat(subs ...*doc) *doc   { return &doc{kind: docConcat, subs: subs} }
func indented(subs ...*doc) *doc { return &doc{kind: docIndent, subs: subs} }

// A docPrinter writes docs. White space is written only when text follows, so
// that no line ends in it.
type docPrinter struct {
	out   bytes.Buffer
	col   int
	fresh int // indent of the line that the next text begins, -1 if it begins none
	space bool
	plain bool // breaks lines at comments only
}

// maxPrinted ends the printing of what is no policy any more: indents of deep
// brackets can make much of little.
const maxPrinted = 2 * maxSource

// A docFrame is a doc that is to be printed, and how.
type docFrame struct {
	indent int
	flat   bool
	d      *doc
}

// print writes a doc at the beginning of a line.
func (p *docPrinter) print(indent int, d *doc) {
	p.out.WriteString(strings.Repeat(" ", indent))
	p.col, p.fresh, p.space = indent, -1, false
	stack := []docFrame{{indent, false, d}}
	for len(stack) > 0 && p.out.Len() < maxPrinted {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch f.d.kind {
		case docText:
			p.text(f.d.text)
		case docSpace:
			p.space = true
		case docLine, docSoft:
			p.line(f)
		case docComments:
			p.comments(f)
		case docGroup:
			f.flat = p.plain || !f.d.hard && (f.flat || p.fits(f, stack))
			stack = push(stack, f)
		case docIndent:
			if !f.flat || p.plain {
				f.indent += indentWidth
			}
			stack = push(stack, f)
		case docConcat:
			stack = push(stack, f)
		}
	}
}

// push puts the parts of a frame's doc on a stack, the first on top.
func push(stack []docFrame, f docFrame) []docFrame {
	for i := len(f.d.subs) - 1; i >= 0; i-- {
		stack = append(stack, docFrame{f.indent, f.flat, f.d.subs[i]})
	}
	return stack
}

// text writes text after the white space that is due.
func (p *docPrinter) text(s string) {
	switch {
	case p.fresh >= 0:
		p.newline(p.fresh)
	case p.space:
		p.out.WriteByte(' ')
		p.col++
	}
	p.fresh, p.space = -1, false
	p.out.WriteString(s)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		s, p.col = s[i+1:], 0
	}
	p.col += utf8.RuneCountInString(s)
}

func (p *docPrinter) newline(indent int) {
	p.out.WriteByte('\n')
	p.out.WriteString(strings.Repeat(" ", indent))
	p.col = indent
}

// line ends a line, if the frame's group is broken.
func (p *docPrinter) line(f docFrame) {
	switch {
	case !f.flat:
		p.fresh = f.indent
	case f.d.kind == docLine:
		p.space = true
	}
}

// comments writes the comment that ends the line, then those on lines of
// their own, and sees to it that the next text begins a line.
func (p *docPrinter) comments(f docFrame) {
	if f.d.text != "" {
		p.out.WriteString(commentGap + f.d.text)
	}
	for _, c := range f.d.own {
		p.newline(f.indent)
		p.out.WriteString(c)
	}
	p.fresh = f.indent
}

// fits reports whether a group that is not broken, with what follows it up to
// the next line end, fits into the line.
func (p *docPrinter) fits(group docFrame, rest []docFrame) bool {
	room := formatWidth - p.col
	switch {
	case p.fresh >= 0:
		room = formatWidth - p.fresh
	case p.space:
		room--
	}
	group.flat = true
	stack := push(nil, group)
	for room >= 0 {
		if len(stack) == 0 {
			if len(rest) == 0 {
				return true
			}
			stack, rest = append(stack, rest[len(rest)-1]), rest[:len(rest)-1]
		}
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch f.d.kind {
		case docText:
			first, _, more := strings.Cut(f.d.text, "\n")
			room -= utf8.RuneCountInString(first)
			if more {
				return room >= 0
			}
		case docSpace:
			room--
		case docLine, docSoft:
			if !f.flat {
				return true
			}
			if f.d.kind == docLine {
				room--
			}
		case docComments:
			return true
		case docGroup:
			f.flat = f.flat && !f.d.hard
			stack = push(stack, f)
		case docIndent, docConcat:
			stack = push(stack, f)
		}
	}
	return false
}
