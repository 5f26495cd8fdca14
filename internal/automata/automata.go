// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package automata decides questions about sets of texts: whether a text lies
// in several of them and outside of others at once, and which is the shortest.
// Package vet asks it about the patterns and texts that rules compare with.
//
// A Set is a pattern in RE2's syntax, or a plain text, a beginning, an end, a
// part, a length. It is kept as the program that package regexp/syntax makes of
// it; a deterministic automaton grows from that, state by state, as questions
// come. Its alphabet is small: runes that no part of the pattern tells apart
// are one letter. Solve walks the product of several automata, breadth first,
// so what it finds is a shortest text. A walk that takes too many steps ends
// without an answer, and says so.
package automata

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
)

// A Set is a set of texts. It learns as it is asked, so it is not safe for
// concurrent use.
type Set struct {
	prog     *syntax.Prog
	anywhere bool // a match may begin at any place
	letters  *alphabet

	states []state
	index  map[string]int32
}

// Options say how a pattern is read.
type Options struct {
	Anywhere bool // a match may begin at any place, not at the start of the text alone
	ASCII    bool // word boundaries are those of ASCII words, else of Unicode's
}

// Compile returns the set of the texts in which a pattern, in the syntax of
// package regexp, has a match: at the start, or anywhere. Where the match ends
// does not matter; a pattern for whole texts ends in `\z`.
func Compile(pattern string, o Options) (*Set, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("reading pattern: %w", err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, fmt.Errorf("compiling pattern: %w", err)
	}
	s := &Set{prog: prog, anywhere: o.Anywhere, letters: newAlphabet(prog, o.ASCII), index: map[string]int32{}}
	s.enter(nil, context{begin: true}, false)
	return s, nil
}

// mustCompile compiles a pattern that is known to be right.
func mustCompile(pattern string, o Options) *Set {
	s, err := Compile(pattern, o)
	if err != nil {
		panic("automata: " + err.Error())
	}
	return s
}

// Text returns the set of one text.
func Text(s string) *Set { return mustCompile(regexp.QuoteMeta(s)+`\z`, Options{}) }

// Prefix returns the set of the texts that begin with s.
func Prefix(s string) *Set { return mustCompile(regexp.QuoteMeta(s), Options{}) }

// Suffix returns the set of the texts that end with s.
func Suffix(s string) *Set { return mustCompile(regexp.QuoteMeta(s)+`\z`, Options{Anywhere: true}) }

// Containing returns the set of the texts of which s is a part.
func Containing(s string) *Set { return mustCompile(regexp.QuoteMeta(s), Options{Anywhere: true}) }

// MaxLength is the greatest length that AtLeast takes.
const MaxLength = 1000

// AtLeast returns the set of the texts of n code points or more, n being at
// most MaxLength.
func AtLeast(n int) *Set {
	return mustCompile("(?s:.){"+strconv.Itoa(max(n, 0))+"}", Options{})
}

// Looks reports whether the pattern asks what stands around a place: at an
// anchor or a word boundary.
func (s *Set) Looks() bool { return s.letters.looks != 0 }

// Has reports whether a text lies in the set.
func (s *Set) Has(text string) bool {
	at := int32(0)
	for _, r := range text {
		if s.states[at].matched {
			return true
		}
		at = s.step(at, s.letters.of(r))
	}
	return s.accepts(at)
}

// Answer is what a question about sets comes to.
type Answer uint8

// The answers.
const (
	Undecided Answer = iota // the steps did not suffice
	Yes
	No
)

// String returns "undecided", "yes" or "no".
func (a Answer) String() string { return [...]string{"undecided", "yes", "no"}[a] }

// Within says whether every text of a lies in b, with a text that does not if
// there is one.
func Within(a, b *Set, steps int) (counter string, _ Answer) {
	w, found := Solve([]Literal{{Set: a}, {Set: b, Not: true}}, steps)
	return w, opposite(found)
}

// Everything says whether every text lies in the set.
func Everything(s *Set, steps int) Answer {
	_, found := Solve([]Literal{{Set: s, Not: true}}, steps)
	return opposite(found)
}

// Nothing says whether no text lies in the set.
func Nothing(s *Set, steps int) Answer {
	_, found := Solve([]Literal{{Set: s}}, steps)
	return opposite(found)
}

func opposite(a Answer) Answer {
	switch a {
	case Yes:
		return No
	case No:
		return Yes
	case Undecided:
	}
	return Undecided
}
