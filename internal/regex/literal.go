// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Literal is a text that a match needs. One with Fold is in lower case and
// may occur in any ASCII case; its other bytes occur as they are.
type Literal struct {
	Text string
	Fold bool
}

// In reports whether l occurs in s.
func (l Literal) In(s string) bool {
	if !l.Fold {
		return strings.Contains(s, l.Text)
	}
	for i := 0; i+len(l.Text) <= len(s); i++ {
		if equalLower(s[i:i+len(l.Text)], l.Text) {
			return true
		}
	}
	return false
}

// equalLower reports whether s in ASCII lower case is lower.
func equalLower(s, lower string) bool {
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// The bounds of a set of literals: how short one may be to be of use, how
// many there may be, and how long they grow.
const (
	minLiteral  = 3
	maxLiterals = 16
	maxLength   = 64
)

// need is what is known of the texts a node matches.
type need struct {
	exact []Literal // the node matches exactly these; nil if not known
	some  []Literal // each of its matches contains one of these; nil if not known
}

// literals returns the best set for a whole pattern.
func literals(n *node) []Literal {
	nd := needOf(n)
	return better(nd.some, usable(nd.exact))
}

// usable returns set if every literal of it is long enough.
func usable(set []Literal) []Literal {
	for _, l := range set {
		if len(l.Text) < minLiteral {
			return nil
		}
	}
	return set
}

// better returns the set that will hit less: longer shortest text, then fewer
// texts.
func better(a, b []Literal) []Literal {
	sa, sb := shortest(a), shortest(b)
	if sb > sa || sb == sa && len(b) < len(a) {
		return b
	}
	return a
}

func shortest(set []Literal) int {
	if len(set) == 0 {
		return 0
	}
	n := len(set[0].Text)
	for _, l := range set {
		n = min(n, len(l.Text))
	}
	return n
}

var empty = []Literal{{}}

func needOf(n *node) need {
	switch n.op {
	case opEmpty, opBegin, opBeginLine, opEnd, opEndLine, opWord, opNotWord, opNot:
		return need{exact: empty}
	case opLit:
		return needOfRune(n.r, n.fold)
	case opClass:
		return needOfClass(n.set)
	case opConcat:
		return needOfConcat(n.subs)
	case opAlt:
		return needOfAlt(n.subs)
	case opRepeat:
		return needOfRepeat(n)
	case opAny, opAnyNL:
		return need{}
	}
	return need{}
}

// needOfRune knows a folded letter only if its other cases are ASCII: K and S
// have others (the Kelvin sign and the long s), and so have all letters
// beyond ASCII.
func needOfRune(r rune, fold bool) need {
	if !fold {
		return need{exact: []Literal{{Text: string(r)}}}
	}
	lower := unicode.ToLower(r)
	if r >= utf8.RuneSelf || lower == 'k' || lower == 's' {
		return need{}
	}
	return need{exact: []Literal{{Text: string(lower), Fold: true}}}
}

func needOfClass(c *class) need {
	runes, ok := c.few(4)
	if !ok || len(runes) == 0 {
		return need{}
	}
	var set []Literal
	for _, r := range runes {
		set = append(set, Literal{Text: string(r)})
	}
	return need{exact: set}
}

// needOfConcat joins neighbouring exact texts as long as there are not too
// many of them.
func needOfConcat(subs []*node) need {
	run, exact := empty, true
	var best []Literal
	for _, sub := range subs {
		nd := needOf(sub)
		best = better(best, nd.some)
		joined, ok := cross(run, nd.exact)
		if ok {
			run = joined
			continue
		}
		exact = false
		best = better(best, usable(run))
		run = empty
		if nd.exact != nil {
			run = nd.exact
		}
	}
	if exact {
		return need{exact: run, some: best}
	}
	return need{some: better(best, usable(run))}
}

// cross returns every text of a followed by every text of b. The join of a
// folded and an exact text is folded: that asks for less, so it is still
// needed.
func cross(a, b []Literal) ([]Literal, bool) {
	if a == nil || b == nil || len(a)*len(b) > maxLiterals {
		return nil, false
	}
	var out []Literal
	for _, x := range a {
		for _, y := range b {
			l := Literal{Text: x.Text + y.Text, Fold: x.Fold || y.Fold}
			if len(l.Text) > maxLength {
				return nil, false
			}
			if l.Fold {
				l.Text = lowerASCII(l.Text)
			}
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out, true
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, s)
}

func needOfAlt(subs []*node) need {
	out := need{exact: []Literal{}, some: []Literal{}}
	for _, sub := range subs {
		nd := needOf(sub)
		some := better(nd.some, usable(nd.exact))
		out.exact = union(out.exact, nd.exact)
		out.some = union(out.some, some)
	}
	return out
}

// union returns both sets as one, nil if either is not known or they are too
// many.
func union(a, b []Literal) []Literal {
	if a == nil || len(b) == 0 || len(a)+len(b) > maxLiterals {
		return nil
	}
	out := slices.Clone(a)
	for _, l := range b {
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

func needOfRepeat(n *node) need {
	nd := needOf(n.subs[0])
	switch {
	case n.max == 0:
		return need{exact: empty}
	case n.min == 0 && n.max == 1 && nd.exact != nil:
		return need{exact: union(slices.Clone(empty), nd.exact)}
	case n.min == 0:
		return need{}
	case n.min == n.max && n.min <= 8:
		return power(nd, n.min)
	}
	return need{some: better(nd.some, usable(nd.exact))}
}

// power repeats exact texts.
func power(nd need, times int) need {
	out := empty
	for range times {
		next, ok := cross(out, nd.exact)
		if !ok {
			return need{some: better(nd.some, usable(nd.exact))}
		}
		out = next
	}
	return need{exact: out, some: nd.some}
}
