// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package python reads Python: its tokens, its tree, and whether the text is
// valid Python 3.13 as CPython's parser sees it (what only its compiler
// refuses, such as return outside of a function, is valid here).
//
// It reads what it can of any text. A fragment that begins inside an indented
// block or ends inside a bracket, and code of Python 2, give a tree of all
// that can be recognised, beside the errors that say why it is not valid.
// Time and memory are linear in the text, and the depth of trees is bounded.
package python

import (
	"slices"
	"sort"
	"strings"
)

// A File is a text that has been read. It never changes.
type File struct {
	Text   string
	Root   *Node   // a Module
	Errors []Error // by offset; the first is the one CPython would name, as a rule
	Old    bool    // parts of it are Python 2
	lines  []int32 // where lines begin
}

// An Error is a place where the text is not valid Python 3.13.
type Error struct {
	Offset  int
	Message string // in the words of CPython where they are known
	Old     bool   // Python 2 would have accepted it
	seen    int    // how far the text had been read when it was met
}

// maxErrors is how many errors of a text are kept.
const maxErrors = 64

// errors collects them.
type errors struct{ list []Error }

func (e *errors) full() bool { return len(e.list) >= maxErrors }

func (e *errors) put(err Error) {
	if !e.full() {
		e.list = append(e.list, err)
	}
}

func (e *errors) add(at int, message string) {
	e.put(Error{Offset: at, Message: message, seen: at})
}

func (e *errors) old(at int, message string) {
	e.put(Error{Offset: at, Message: message, Old: true, seen: at})
}

// maxText is the length of the longest text that is read.
const maxText = 64 << 20

// Parse reads a text.
func Parse(text string) *File { return read(text, false) }

// ParseIPython reads a text as a cell of IPython: with its magic lines,
// commands and questions, prompts, and indentation as a whole.
func ParseIPython(text string) *File { return read(text, true) }

func read(text string, ipython bool) *File {
	if len(text) > maxText {
		return &File{Text: text, Root: &Node{Kind: Module}, Errors: []Error{{Message: "source code is too long"}}}
	}
	s := scan(text, 0, ipython)
	f := parse(s)
	if s.triple < 0 || !slices.ContainsFunc(f.Errors, func(e Error) bool { return !e.Old }) {
		return f
	}
	// The text is invalid, and perhaps because it was cut inside a triple-quoted
	// string: then what looks like the beginning of the first one is its end,
	// and what is code and what is string changes places. Of the two readings
	// the one that makes more sense stands.
	from := int(s.triple)
	other := parse(scan(text, from, ipython))
	against := f.broken(0)
	if strings.Trim(text[:from], " \t\r\n\"'") == "" {
		against += f.unclosed()
	}
	if against <= other.broken(from) {
		return f
	}
	other.Errors, other.Old = f.Errors, f.Old
	return other
}

// unclosed returns how much speaks against the reading of a text as one that
// begins with a string: where one is never closed, a third of the share of the
// text that it takes. More often a string that was cut ends there.
func (f *File) unclosed() float64 {
	for _, e := range f.Errors {
		if strings.HasPrefix(e.Message, "unterminated triple-quoted") {
			return float64(len(f.Text)-e.Offset) / float64(len(f.Text)+1) / 3
		}
	}
	return 0
}

// broken returns the share of the text behind an offset that could not be read
// as statements.
func (f *File) broken(from int) float64 {
	n := 0
	f.Root.Walk(func(bad *Node) bool {
		if bad.Kind == Bad && bad.End > from {
			n += bad.End - max(bad.Start, from) + 1
		}
		return bad.Kind < Missing && bad.Kind != Bad
	})
	return float64(n) / float64(len(f.Text)-from+1)
}

// parse makes the tree of tokens.
func parse(s *scanner) *File {
	p := &parser{text: s.text, toks: s.out}
	root := p.module()
	f := &File{Text: s.text, Root: root, Errors: slices.Concat(s.errs.list, p.errs.list), lines: lineStarts(s.text)}
	sort.SliceStable(f.Errors, func(i, j int) bool { return f.Errors[i].Offset < f.Errors[j].Offset })
	f.promote(s.errs.list)
	f.Old = slices.ContainsFunc(f.Errors, func(e Error) bool { return e.Old })
	return f
}

// promote puts the error first that CPython would give. Having met an error it
// reads the tokens up to the end, and one that is wrong comes before all else,
// save that indentation is judged where it stands; a bracket left open comes
// before errors on later lines.
func (f *File) promote(tokens []Error) {
	open := -1
	for _, e := range tokens {
		switch {
		case strings.HasSuffix(e.Message, neverClosed):
			if open < 0 {
				open = e.Offset
			}
			continue
		case e.Message == invalid, e.Message == unindent, e.Message == inconsistent, e.Message == tooIndented:
			continue
		}
		f.first(slices.Index(f.Errors, e))
		return
	}
	for i, e := range f.Errors {
		if !strings.HasSuffix(e.Message, neverClosed) {
			if open >= 0 && f.Line(e.seen) == f.Line(open) {
				f.first(i)
			}
			return
		}
	}
}

// first moves an error to the front.
func (f *File) first(i int) {
	if i > 0 {
		e := f.Errors[i]
		copy(f.Errors[1:i+1], f.Errors[:i])
		f.Errors[0] = e
	}
}

// Messages that say which error is given first.
const (
	invalid      = "invalid syntax"
	forgotten    = "invalid syntax. Perhaps you forgot a comma?"
	neverClosed  = " was never closed"
	unindent     = "unindent does not match any outer indentation level"
	inconsistent = "inconsistent use of tabs and spaces in indentation"
	tooIndented  = "too many levels of indentation"
)

// Line returns the number of the line an offset lies in, from 1.
func (f *File) Line(offset int) int {
	i, found := slices.BinarySearch(f.lines, int32(offset))
	if found {
		i++
	}
	return max(1, i)
}

// lineStarts lists where lines begin, after line ends of any kind.
func lineStarts(text string) []int32 {
	out := make([]int32, 1, 1+len(text)/32)
	for i := 0; i < len(text); {
		n := strings.IndexAny(text[i:], "\n\r")
		if n < 0 {
			break
		}
		if i += n + 1; text[i-1] == '\r' && i < len(text) && text[i] == '\n' {
			i++
		}
		out = append(out, int32(i))
	}
	return out
}

// Segment returns the text of a node.
func (f *File) Segment(n *Node) string { return f.Text[n.Start:n.End] }

// lineOf counts line ends of any kind.
func lineOf(text string, at int) int {
	before := text[:min(at, len(text))]
	return 1 + strings.Count(before, "\n") + strings.Count(before, "\r") - strings.Count(before, "\r\n")
}
