// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// The shape of a pattern is what has to stand around its keyword for the
// pattern to match there. A keyword is a common word far more often than it
// is part of a secret; the shape tells the two apart in a few steps, at a
// price that does not depend on the rest of the text, and says which part of
// the text the pattern has to be run on.
//
// A shape never says no where the pattern would match: it treats what stands
// before the keyword and what stands behind it as independent of one another,
// and knows positions only as intervals. Where it says yes the pattern decides.

// An elem is a step of a shape.
type elem struct {
	kind     elemKind
	set      *set           // of one
	min, max int            // of one: how many in a row; max < 0 is without end
	look     syntax.EmptyOp // of assert
	branches [][]elem       // of either
	letter   rune           // of one: the letter in lower case, if it can be only that
}

type elemKind uint8

const (
	one    elemKind = iota // characters of a set
	assert                 // a condition on a position
	either                 // one of several sequences
)

// A set is a set of characters.
type set struct {
	ascii [128]bool
	wide  []rune // from, to, from, to, … beyond ASCII
	broad bool   // takes most characters
}

func (s *set) hasWide(r rune) bool {
	for i := 0; i < len(s.wide); i += 2 {
		if r >= s.wide[i] && r <= s.wide[i+1] {
			return true
		}
	}
	return false
}

// newSet makes a set of pairs of runes.
func newSet(pairs []rune) *set {
	s := &set{}
	n := 0
	for i := 0; i < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		for r := lo; r <= hi && r < 128; r++ {
			s.ascii[r] = true
			n++
		}
		if hi >= 128 {
			s.wide = append(s.wide, max(lo, 128), hi)
		}
	}
	s.broad = n > 96
	return s
}

// A split is one way in which a pattern can hold a keyword.
type split struct {
	before []elem   // in the order of the text
	after  []elem   // begins with the keyword
	fixed  int      // how many of after take exactly one character each
	border *elem    // the last of before, if it is an assertion
	later  []string // one of them stands somewhere behind the keyword; none if that is not known
}

// A shape is all the ways a pattern can hold its keywords. Where loose is set
// a match may be without one, or too far from it: the pattern is run on the
// whole text if a keyword occurs at all.
type shape struct {
	splits map[string][]split
	headed bool // every match begins with its keyword
	loose  bool
	// A loose shape may have a byte that is in every match, a sign for
	// preference, to look for instead of a keyword: splits[""] begin with it.
	signs [128]bool
}

const (
	maxBranches = 128 // more ways than this and the shape is loose
	maxElems    = 4000
)

// newShape reads the pattern, which is known to be valid.
func newShape(pattern string, keywords []string) *shape {
	sh := &shape{splits: map[string][]split{}}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic("secret: pattern " + pattern + ": " + err.Error()) // tests compile every pattern
	}
	left := maxBranches
	seq := elems(re)
	if sh.divide(seq, keywords, &left) {
		sh.headed = true
		for _, splits := range sh.splits {
			for i := range splits {
				sh.headed = sh.headed && !slices.ContainsFunc(splits[i].before, func(e elem) bool { return e.kind != assert })
			}
		}
		return sh
	}
	sh = &shape{splits: map[string][]split{}, loose: true}
	if sp, ok := sign(seq); ok {
		sh.signs = sp.after[0].set.ascii
		sh.splits[""] = []split{sp}
	}
	return sh
}

// sign splits a sequence at a step of one character that is a punctuation
// mark, or one of a few.
func sign(seq []elem) (split, bool) {
	for at, e := range seq {
		if e.kind != one || e.min != 1 || e.max != 1 || len(e.set.wide) > 0 || !bounded(seq[:at]) {
			continue
		}
		if !slices.ContainsFunc(members(e.set), func(c byte) bool { return !strings.ContainsRune(rare, rune(c)) }) {
			return newSplit(seq, at), true
		}
	}
	return split{}, false
}

// rare are the bytes that it pays to stop at.
const rare = "!#$%&*+.;<=>?@[]^`{|}~"

func members(s *set) []byte {
	var out []byte
	for c, in := range s.ascii {
		if in {
			out = append(out, byte(c))
		}
	}
	return out
}

func newSplit(seq []elem, at int) split {
	sp := split{before: seq[:at], after: seq[at:]}
	for sp.fixed < len(sp.after) && sp.after[sp.fixed].kind == one && sp.after[sp.fixed].min == 1 && sp.after[sp.fixed].max == 1 {
		sp.fixed++
	}
	if at > 0 && seq[at-1].kind == assert {
		sp.border = &seq[at-1]
	}
	if i := slices.IndexFunc(sp.after, endless); i >= 0 {
		sp.later = literals(sp.after[i+1:])
	}
	return sp
}

// endless reports whether a step can take almost any text.
func endless(e elem) bool { return !bounded([]elem{e}) }

// literals returns the strings one of which stands in every text that the
// steps go over, nil if they do not say.
func literals(seq []elem) []string {
	i := slices.IndexFunc(seq, func(e elem) bool { return e.kind == one && e.min > 0 && len(members(e.set)) == 1 })
	if i < 0 {
		return nil
	}
	return spelt(seq[i:])
}

// spelt returns what the first steps spell, as far as they spell something.
func spelt(seq []elem) []string {
	words := []string{""}
	for _, e := range seq {
		var next []string
		switch {
		case e.kind == one && e.min == 1 && e.max == 1 && len(e.set.wide) == 0 && len(members(e.set)) == 1:
			next = []string{string(members(e.set))}
		case e.kind == either:
			for _, branch := range e.branches {
				next = append(next, spelt(branch)...)
			}
			// Where a branch goes on after what it spells is not known here.
			return product(words, next)
		default:
			return words
		}
		words = product(words, next)
	}
	return words
}

func product(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// divide finds a keyword in the sequence, trying the alternatives of its
// choices one by one where that takes. It returns false if there is a way
// through the sequence without a keyword.
func (sh *shape) divide(seq []elem, keywords []string, left *int) bool {
	if *left--; *left < 0 || len(seq) > maxElems {
		return false
	}
	if at, word := locate(seq, keywords); at >= 0 {
		sp := newSplit(seq, at)
		if !bounded(sp.before) {
			return false
		}
		sh.splits[word] = append(sh.splits[word], sp)
		return true
	}
	for i := range seq {
		branches, ok := choices(&seq[i])
		if !ok {
			continue
		}
		for _, branch := range branches {
			if !sh.divide(slices.Concat(seq[:i], branch, seq[i+1:]), keywords, left) {
				return false
			}
		}
		return true
	}
	return false
}

// choices returns the ways through a step that is a choice: between branches,
// or between a few characters, one of which a keyword may go through.
func choices(e *elem) ([][]elem, bool) {
	switch {
	case e.kind == either:
		return e.branches, true
	case e.kind != one || e.max != 1 || e.letter != 0 || len(e.set.wide) > 0:
		return nil, false
	}
	var out [][]elem
	for _, c := range members(e.set) {
		out = append(out, []elem{single(rune(c), false)})
	}
	if e.min == 0 {
		out = append(out, nil)
	}
	return out, len(out) <= 6
}

// locate returns where the sequence spells a keyword.
func locate(seq []elem, keywords []string) (int, string) {
	for at := range seq {
		for _, word := range keywords {
			if spells(seq[at:], word) {
				return at, word
			}
		}
	}
	return -1, ""
}

func spells(seq []elem, word string) bool {
	if len(seq) < len(word) {
		return false
	}
	for i, r := range word {
		if seq[i].letter != r {
			return false
		}
	}
	return true
}

// bounded reports whether going back over the sequence ends soon: nothing in
// it takes most characters without end.
func bounded(seq []elem) bool {
	for _, e := range seq {
		if e.kind == one && e.max < 0 && e.set.broad {
			return false
		}
		for _, branch := range e.branches {
			if !bounded(branch) {
				return false
			}
		}
	}
	return true
}

// elems writes the tree of a pattern as a sequence of steps.
func elems(re *syntax.Regexp) []elem {
	switch re.Op {
	case syntax.OpLiteral:
		var out []elem
		for _, r := range re.Rune {
			out = append(out, single(r, re.Flags&syntax.FoldCase != 0))
		}
		return out
	case syntax.OpCharClass:
		return []elem{{kind: one, set: newSet(re.Rune), min: 1, max: 1, letter: letterOf(re.Rune)}}
	case syntax.OpAnyChar:
		return []elem{{kind: one, set: newSet([]rune{0, unicode.MaxRune}), min: 1, max: 1}}
	case syntax.OpAnyCharNotNL:
		return []elem{{kind: one, set: newSet([]rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}), min: 1, max: 1}}
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []elem{{kind: assert, look: looks[re.Op]}}
	case syntax.OpCapture:
		return elems(re.Sub[0])
	case syntax.OpConcat:
		var out []elem
		for _, sub := range re.Sub {
			out = append(out, elems(sub)...)
		}
		return out
	case syntax.OpAlternate:
		e := elem{kind: either}
		for _, sub := range re.Sub {
			e.branches = append(e.branches, elems(sub))
		}
		return []elem{e}
	case syntax.OpStar:
		return repeat(elems(re.Sub[0]), 0, -1)
	case syntax.OpPlus:
		return repeat(elems(re.Sub[0]), 1, -1)
	case syntax.OpQuest:
		return repeat(elems(re.Sub[0]), 0, 1)
	case syntax.OpRepeat:
		return repeat(elems(re.Sub[0]), re.Min, re.Max)
	case syntax.OpEmptyMatch:
		return nil
	default: // OpNoMatch
		return []elem{{kind: either}}
	}
}

var looks = map[syntax.Op]syntax.EmptyOp{
	syntax.OpBeginLine:      syntax.EmptyBeginLine,
	syntax.OpEndLine:        syntax.EmptyEndLine,
	syntax.OpBeginText:      syntax.EmptyBeginText,
	syntax.OpEndText:        syntax.EmptyEndText,
	syntax.OpWordBoundary:   syntax.EmptyWordBoundary,
	syntax.OpNoWordBoundary: syntax.EmptyNoWordBoundary,
}

func single(r rune, fold bool) elem {
	pairs := []rune{r, r}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			pairs = append(pairs, f, f)
		}
	}
	return elem{kind: one, set: newSet(pairs), min: 1, max: 1, letter: unicode.ToLower(r)}
}

// letterOf returns the letter that a class like [Aa] spells, 0 if there are
// several.
func letterOf(pairs []rune) rune {
	letter := unicode.ToLower(pairs[0])
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] != pairs[i+1] || unicode.ToLower(pairs[i]) != letter {
			return 0
		}
	}
	return letter
}

// maxCopies is how often a sequence of several steps is written out; beyond
// that a shape only knows which characters it consists of.
const maxCopies = 10

func repeat(seq []elem, low, high int) []elem {
	if len(seq) == 1 && seq[0].kind == one && seq[0].min == 1 && seq[0].max == 1 {
		return []elem{{kind: one, set: seq[0].set, min: low, max: high}}
	}
	if low == 0 && high == 1 {
		return []elem{{kind: either, branches: [][]elem{seq, nil}}}
	}
	if high < 0 || high > maxCopies {
		all := &set{}
		gather(seq, all)
		return []elem{{kind: one, set: all, min: 0, max: -1}}
	}
	var out []elem
	for range low {
		out = append(out, seq...)
	}
	var rest []elem // nested, from the innermost: (x(x(x)?)?)?
	for range high - low {
		rest = []elem{{kind: either, branches: [][]elem{slices.Concat(seq, rest), nil}}}
	}
	return append(out, rest...)
}

// gather adds all characters of the sequence to s.
func gather(seq []elem, s *set) {
	for _, e := range seq {
		if e.kind == one {
			for i, in := range e.set.ascii {
				s.ascii[i] = s.ascii[i] || in
			}
			s.wide = append(s.wide, e.set.wide...)
			s.broad = s.broad || e.set.broad
		}
		for _, branch := range e.branches {
			gather(branch, s)
		}
	}
}
