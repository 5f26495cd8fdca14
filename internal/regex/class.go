// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A class is a set of runes as a pattern writes it: `[a-z\d]`, `[^"]`, `\w`.
type class struct {
	negate bool
	fold   bool // ranges in any case; categories are as they are
	ascii  bool // categories are those of ASCII
	ranges []span
	cats   []byte // d D s S w W
}

// A span is a range of runes, both ends in it.
type span struct{ lo, hi rune }

// spaces are the runes of Python's \s (str.isspace); Unicode's White_Space
// lacks the four separators from U+001C on.
func spaces(ascii bool) []span {
	if ascii {
		return []span{{'\t', '\r'}, {' ', ' '}}
	}
	return []span{
		{'\t', '\r'},
		{0x1c, ' '},
		{0x85, 0x85},
		{0xa0, 0xa0},
		{0x1680, 0x1680},
		{0x2000, 0x200a},
		{0x2028, 0x2029},
		{0x202f, 0x202f},
		{0x205f, 0x205f},
		{0x3000, 0x3000},
	}
}

// isWord reports whether Python's \w matches r (str.isalnum, or "_").
func isWord(r rune, ascii bool) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return !ascii && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// category returns the runes of \d, \s or \w, sorted.
func category(cat byte, ascii bool) []span {
	switch {
	case cat == 's':
		return spaces(ascii)
	case cat == 'd' && ascii:
		return []span{{'0', '9'}}
	case cat == 'd':
		return tables(unicode.Nd)
	case ascii:
		return []span{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	}
	return merge(append(tables(unicode.L, unicode.N), span{'_', '_'}))
}

// tables returns the runes of Unicode tables as ranges.
func tables(ts ...*unicode.RangeTable) []span {
	var out []span
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			out = append(out, span{r, r})
		}
	}
	for _, t := range ts {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return merge(out)
}

// merge sorts ranges and joins those that touch.
func merge(in []span) []span {
	slices.SortFunc(in, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	var out []span
	for _, s := range in {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	return out
}

// complement returns the runes that sorted, merged ranges leave out.
func complement(in []span) []span {
	var out []span
	next := rune(0)
	for _, s := range in {
		if s.lo > next {
			out = append(out, span{next, s.lo - 1})
		}
		next = s.hi + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, span{next, unicode.MaxRune})
	}
	return out
}

// foldedASCII returns ranges with the other cases of their ASCII letters.
func foldedASCII(in []span) []span {
	out := slices.Clone(in)
	for r := 'A'; r <= 'Z'; r++ {
		for _, s := range in {
			if s.lo <= r && r <= s.hi {
				out = append(out, span{r | 0x20, r | 0x20})
			}
			if s.lo <= r|0x20 && r|0x20 <= s.hi {
				out = append(out, span{r, r})
			}
		}
	}
	return merge(out)
}

// folded returns ranges with the other cases of their runes.
func folded(in []span) []span {
	in = merge(slices.Clone(in))
	out := slices.Clone(in)
	for _, orbit := range orbits() {
		if slices.ContainsFunc(orbit, func(r rune) bool { return inSpans(in, r) }) {
			for _, r := range orbit {
				out = append(out, span{r, r})
			}
		}
	}
	return merge(out)
}

// orbits are the sets of runes that are cases of each other. One of each set
// at least is in unicode.CaseRanges.
var orbits = sync.OnceValue(func() [][]rune {
	var out [][]rune
	seen := map[rune]bool{}
	for _, c := range unicode.CaseRanges {
		for r := rune(c.Lo); r <= rune(c.Hi); r++ {
			if seen[r] || unicode.SimpleFold(r) == r {
				continue
			}
			orbit := []rune{r}
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				orbit = append(orbit, f)
			}
			for _, f := range orbit {
				seen[f] = true
			}
			out = append(out, orbit)
		}
	}
	return out
})

// inSpans reports whether r is in sorted, merged ranges.
func inSpans(in []span, r rune) bool {
	i, found := slices.BinarySearchFunc(in, r, func(s span, r rune) int { return cmp.Compare(s.lo, r) })
	return found || i > 0 && r <= in[i-1].hi
}

// runes returns the runes a class names one by one or as ranges, without its
// categories.
func (c *class) runes() []span {
	switch {
	case c.fold && c.ascii:
		return foldedASCII(c.ranges)
	case c.fold:
		return folded(c.ranges)
	}
	return merge(slices.Clone(c.ranges))
}

// emit appends the class in RE2's syntax.
func (c *class) emit(b *strings.Builder) {
	b.WriteByte('[')
	if c.negate {
		b.WriteByte('^')
	}
	for _, s := range c.runes() {
		emitSpan(b, s)
	}
	for _, cat := range c.cats {
		emitCategory(b, cat, c.ascii)
	}
	b.WriteByte(']')
}

// emitCategory appends one category. What is no named class of RE2, or the
// complement of a union, is listed.
func emitCategory(b *strings.Builder, cat byte, ascii bool) {
	switch {
	case cat == 'd' && !ascii:
		b.WriteString(`\p{Nd}`)
		return
	case cat == 'D' && !ascii:
		b.WriteString(`\P{Nd}`)
		return
	case cat == 'w' && !ascii:
		b.WriteString(`\pL\pN_`)
		return
	}
	spans := category(cat|0x20, ascii)
	if cat < 'a' {
		spans = complement(spans)
	}
	for _, s := range spans {
		emitSpan(b, s)
	}
}

func emitSpan(b *strings.Builder, s span) {
	fmt.Fprintf(b, `\x{%x}`, s.lo)
	if s.hi > s.lo {
		fmt.Fprintf(b, `-\x{%x}`, s.hi)
	}
}

// few returns the runes of a class with at most limit of them; false for a
// larger one.
func (c *class) few(limit int) ([]rune, bool) {
	if c.negate || len(c.cats) > 0 || len(c.ranges) > limit {
		return nil, false
	}
	var out []rune
	for _, s := range c.runes() {
		if int(s.hi-s.lo)+len(out) >= limit {
			return nil, false
		}
		for r := s.lo; r <= s.hi; r++ {
			out = append(out, r)
		}
	}
	return out, true
}
