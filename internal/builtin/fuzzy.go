// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"slices"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// The bounds of fuzzy_contains.
const (
	maxFuzzy = 4096 // code points of what is looked for
	maxEdits = 10   // however long that is
)

// containsFuzzily is fuzzy_contains: whether a text, or something that can be
// made one of its pieces by a few insertions, deletions and substitutions of
// code points, is in a text. Their number is the share of the length that the
// threshold leaves, ten at most. What is looked for is a text, not a pattern.
//
// Where that finds nothing and a detector of likeness is set up, use_semantic
// asks it as well, with the same threshold.
func containsFuzzily(c *Call) *value.Value {
	query, trouble := text(c.Args[1], "what is looked for")
	if trouble != nil {
		return trouble
	}
	threshold, trouble := number(c.Args[2], 0.8, "a threshold")
	switch {
	case trouble != nil:
		return trouble
	case !(threshold >= 0 && threshold <= 1):
		return value.Trouble(value.TypeError, c.Args[2], "the threshold is from 0 to 1")
	case c.Args[3].Kind() != value.Bool:
		return wrongKind("use_semantic is True or False", c.Args[3])
	case utf8.RuneCountInString(query) > maxFuzzy:
		return value.Trouble(value.TooLarge, nil, "what is looked for is longer than it may be")
	}
	found, trouble := c.containsLiterally([]rune(query), threshold)
	switch {
	case trouble != nil:
		return trouble
	case found:
		return value.TrueV
	case c.Args[3] == value.FalseV || !c.semantic():
		return value.FalseV
	}
	return c.containsMeaning(threshold)
}

// semantic reports whether somebody can be asked how alike texts are.
func (c *Call) semantic() bool { return c.Env != nil && c.Env.Detectors.has(Embeddings) }

func (c *Call) containsLiterally(query []rune, threshold float64) (bool, *value.Value) {
	parts, trouble := textsIn(c.Args[0], nil)
	if trouble != nil {
		return false, trouble
	}
	k := min(int(float64(len(query))*(1-threshold)), maxEdits)
	w := newWord(query)
	found := false
	for _, p := range parts {
		c.Env.spend(len(p.Text) * (1 + len(query)/64) / bytesPerWork)
		start, end, ok := w.in([]rune(p.Text), k)
		if !ok {
			continue
		}
		found = true
		if at := byteOffsets(p.Text, []int{start, end}); p.counts(at[start], at[end]) {
			c.Env.marks().markText(p.TextPart, at[start], at[end])
		}
	}
	return found, nil
}

func (c *Call) containsMeaning(threshold float64) *value.Value {
	request, trouble := c.request()
	if trouble != nil {
		return trouble
	}
	found, trouble := c.ask(Embeddings, request)
	if slices.ContainsFunc(found, func(s seen) bool { return s.Score > threshold }) {
		return value.TrueV
	}
	if trouble != nil {
		return trouble
	}
	return value.FalseV
}

// A word is a text to look for with a few edits, by the bit-parallel algorithm
// of Myers: a column of the table of edit distances is a row of bits, 64 to a
// block.
type word struct {
	runes  []rune
	blocks int
	ascii  [utf8.RuneSelf][]uint64
	others map[rune][]uint64
	none   []uint64
}

func newWord(runes []rune) *word {
	w := &word{runes: runes, blocks: (len(runes) + 63) / 64, others: map[rune][]uint64{}}
	w.none = make([]uint64, w.blocks)
	for i, r := range runes {
		bits := w.bits(r)
		if &bits[0] == &w.none[0] {
			bits = make([]uint64, w.blocks)
		}
		bits[i/64] |= 1 << (i % 64)
		if r < utf8.RuneSelf {
			w.ascii[r] = bits
		} else {
			w.others[r] = bits
		}
	}
	return w
}

// bits says where in the word r stands.
func (w *word) bits(r rune) []uint64 {
	var bits []uint64
	if r >= 0 && r < utf8.RuneSelf {
		bits = w.ascii[r]
	} else {
		bits = w.others[r]
	}
	if bits == nil {
		return w.none
	}
	return bits
}

// in returns the first place in a text of something that is at most k edits
// from the word; of those that end near one another, one with the fewest.
func (w *word) in(text []rune, k int) (start, end int, ok bool) {
	if len(w.runes) <= k {
		return 0, 0, true // all of it can be left out
	}
	end, distance := w.firstEnd(text, k)
	if end < 0 {
		return 0, 0, false
	}
	// Where it begins is where, read backwards, it ends.
	back := slices.Clone(text[max(0, end-len(w.runes)-k):end])
	slices.Reverse(back)
	mirror := slices.Clone(w.runes)
	slices.Reverse(mirror)
	length, _ := newWord(mirror).firstEnd(back, distance)
	return end - max(length, 0), end, true
}

// firstEnd returns where the first piece of text ends that is at most k edits
// from the word, and how many it is; -1 if there is none. Within k code points
// behind it a better one is taken.
func (w *word) firstEnd(text []rune, k int) (end, distance int) {
	column := newColumn(w)
	end, last := -1, len(text)
	for i := 0; i < last; i++ {
		score := column.next(w.bits(text[i]))
		switch {
		case score > k:
		case end < 0:
			end, distance = i+1, score
			last = min(len(text), end+k)
		case score < distance:
			end, distance = i+1, score
		}
	}
	return end, distance
}

// A column is one of the table of distances: plus and minus say where it is
// one more, or less, than in the row above.
type column struct {
	plus, minus []uint64
	top         uint64 // the bit of the last row, in the last block
	score       int    // in the last row
}

func newColumn(w *word) *column {
	c := &column{plus: make([]uint64, w.blocks), minus: make([]uint64, w.blocks), score: len(w.runes)}
	for i := range c.plus {
		c.plus[i] = ^uint64(0)
	}
	c.top = 1 << ((len(w.runes) - 1) % 64)
	return c
}

// next goes on to the next column, of a code point that stands in the word
// where bits says, and returns the distance in its last row.
func (c *column) next(bits []uint64) int {
	carry := 0
	for i, equal := range bits {
		top := uint64(1) << 63
		if i == len(bits)-1 {
			top = c.top
		}
		carry = c.block(i, equal, carry, top)
	}
	c.score += carry
	return c.score
}

// block works on one block: carry is the difference to the left above it, the
// result that in its last row.
func (c *column) block(i int, equal uint64, carry int, top uint64) int {
	plus, minus := c.plus[i], c.minus[i]
	vertical := equal | minus
	if carry < 0 {
		equal |= 1
	}
	horizontal := (((equal & plus) + plus) ^ plus) | equal
	up := minus | ^(horizontal | plus)
	down := plus & horizontal
	out := 0
	switch {
	case up&top != 0:
		out = 1
	case down&top != 0:
		out = -1
	}
	up, down = up<<1, down<<1
	switch {
	case carry < 0:
		down |= 1
	case carry > 0:
		up |= 1
	}
	c.plus[i] = down | ^(vertical | up)
	c.minus[i] = up & vertical
	return out
}
