// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package sql finds what is dangerous in SQL: statements that destroy, that
// reach files or commands, and pieces that only an injection has.
//
// There is no tree. A text is taken apart into tokens, as PostgreSQL, MySQL,
// SQLite and SQL Server together would (where they differ on what a backslash
// in a string is, both readings count), and statements are read as far as the
// rules need: where one begins, whether it has a condition, and whether that is
// always true.
//
// A text that begins like no statement, or in which a quote closes what was
// never opened, is the piece of a query that somebody put into a place meant
// for a value. It is read once more from behind its first quote.
package sql

import (
	"cmp"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version changes with the findings.
const Version = "1"

// maxTokens is how many tokens of a statement are held at once; a longer one
// is read in parts.
const maxTokens = 1 << 17

// maxPart is how many tokens of a statement are looked at from its verb on.
const maxPart = 4096

// maxDepth bounds code in the strings of code.
const maxDepth = 4

// Find returns what is dangerous in the text, in the order of where it begins.
// The error is always nil: any text can be read.
func Find(text string) ([]detect.Span, error) {
	r := &reader{text: text, seen: map[place]bool{}}
	r.read(mode{}, 0, len(text))
	if strings.Contains(text, `\'`) || strings.Contains(text, `\"`) {
		r.read(mode{escapes: true}, 0, len(text))
	}
	if at := r.behindQuote(); at > 0 {
		r.read(mode{fragment: true}, at, len(text))
	}
	slices.SortFunc(r.found, func(a, b detect.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind))
	})
	return r.found, nil
}

// A mode is how a text is read.
type mode struct {
	escapes  bool // a backslash in a string escapes
	fragment bool // the text begins within a statement
}

type place struct {
	id         string
	start, end int
}

// A reader reads one text.
type reader struct {
	text   string
	tokens []token // of the statement that is being read
	mode   mode
	depth  int
	failed int // quotes of dollars that nobody closed
	steps  int // made from verbs on

	fragment bool // the first statement begins like none, or within one
	first    bool // the statement is the first of its text
	stray    bool // a quote was met that closes what was never opened
	last     token

	found []detect.Span
	seen  map[place]bool
}

// behindQuote returns where a piece goes on that ends a string, 0 if the text
// is none.
func (r *reader) behindQuote() int {
	if !r.fragment && !r.stray {
		return 0
	}
	head := r.text[:min(len(r.text), 256)]
	return strings.IndexAny(head, "'\"") + 1
}

func (r *reader) report(id string, start, end int) {
	p := place{id, start, end}
	if r.seen[p] {
		return
	}
	r.seen[p] = true
	rule := ruleOf(id)
	r.found = append(r.found, detect.Span{Kind: id, Start: start, End: end, Score: 1, Text: rule.Description, Severity: rule.Severity})
}

// read reads the statements of a part of the text.
func (r *reader) read(m mode, from, to int) {
	old := *r
	r.mode, r.tokens, r.first = m, nil, true
	if m.fragment {
		r.stray = true
	}
	l := lexer{r: r, text: r.text[:to], at: from, escapes: m.escapes}
	for l.next() {
		t := l.tok
		if t.kind == code {
			r.code(t)
			continue
		}
		r.tokens = append(r.tokens, t)
		if t.kind == end || len(r.tokens) >= maxTokens {
			r.statement()
			r.tokens, r.first = r.tokens[:0], false
		}
	}
	r.statement()
	stray, fragment := r.stray, r.fragment
	r.mode, r.tokens, r.first, r.last = old.mode, old.tokens, old.first, old.last
	r.stray, r.fragment = stray, fragment
}

// code reads a string that is code: the body of a function, what EXECUTE runs.
func (r *reader) code(t token) {
	if r.depth >= maxDepth {
		return
	}
	r.depth++
	fragment, stray := r.fragment, r.stray
	r.read(mode{escapes: r.mode.escapes}, t.start, t.end)
	r.fragment, r.stray = fragment, stray
	r.depth--
}
