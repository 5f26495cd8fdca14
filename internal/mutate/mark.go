// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Marker begins a comment that calls mutants equivalent: changes that alter no
// verdict, so that no test can notice them. Behind it stand an operator and why
// it is so; the comment stands in the line of the mutants, or alone above it:
//
//	# equivalent: bound an amount has two decimals
const Marker = "equivalent:"

// A mark is one such comment.
type mark struct {
	at       *syntax.Comment
	line     int // that it is about
	operator string
	reason   string
	used     bool
}

type marks []*mark

// marksOf reads the marks of a policy.
func marksOf(tree *syntax.File) (marks, error) {
	var out marks
	for _, c := range tree.Comments {
		text, ok := strings.CutPrefix(strings.TrimSpace(c.Text), Marker)
		if !ok {
			continue
		}
		m := &mark{at: c, line: lineOf(c.Span())}
		if c.Own {
			m.line++
		}
		m.operator, m.reason, _ = strings.Cut(strings.TrimSpace(text), " ")
		m.reason = strings.TrimSpace(m.reason)
		switch {
		case !slices.Contains(Operators(), m.operator):
			return nil, m.wrong("got the operator %q, want one of %s", m.operator, strings.Join(Operators(), ", "))
		case m.reason == "":
			return nil, m.wrong("want a reason behind %q", Marker+" "+m.operator)
		}
		out = append(out, m)
	}
	own := map[int]bool{} // lines of comments
	for _, c := range tree.Comments {
		own[lineOf(c.Span())] = c.Own
	}
	for _, m := range out {
		for own[m.line] && m.at.Own { // further comments are about the same line
			m.line++
		}
	}
	return out, nil
}

func lineOf(s diag.Span) int {
	line, _ := s.File.Position(s.Start)
	return line
}

func (m *mark) wrong(format string, args ...any) error {
	s := m.at.Span()
	return fmt.Errorf("%s:%d: reading a comment: %s", s.File.Name, lineOf(s), fmt.Sprintf(format, args...))
}

// of returns what says that a mutant is equivalent, nil if nothing does.
func (all marks) of(m *Mutant) *mark {
	for _, k := range all {
		if k.line == m.Line && k.operator == m.Operator {
			k.used = true
			return k
		}
	}
	return nil
}

// unused is an error about a mark of no mutant: the line has changed.
func (all marks) unused() error {
	for _, k := range all {
		if !k.used {
			return k.wrong("there is no mutant %q in the line that it is about", k.operator)
		}
	}
	return nil
}

// untrue is an error about a mark of mutants that tests notice, each of them:
// it would hide the next one that they do not.
func untrue(outcomes []Outcome) error {
	var noticed []*Outcome
	needed := map[*mark]bool{}
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.mark == nil:
		case o.Status == Equivalent:
			needed[o.mark] = true
		case o.Status == Killed:
			noticed = append(noticed, o)
		}
	}
	for _, o := range noticed {
		if !needed[o.mark] {
			return o.mark.wrong("the mutant %q in the line that it is about is noticed, by %s", o.Operator, o.By)
		}
	}
	return nil
}
