// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// texts finds, among the candidates of a group, those whose text contains a
// given one (hay), or is contained in it. It answers with a superset.
//
// Texts that are searched are kept as columns of a bit matrix: row h has a
// bit for each text in which a four-byte sequence hashes to h. The texts that
// can contain a needle are the columns that are set in the rows of all its
// sequences, 64 texts to a machine word. Texts that are searched for are
// filed under their first bytes, and a text that is searched is read once
// with those as a rolling key.
type texts struct {
	hay        bool
	done       int     // candidates that are indexed
	other      []*cand // no text, or one that is not indexed
	*textIndex         // nil while nothing is: most traces never need it
}

// A textIndex is what there is of texts once something is indexed.
type textIndex struct {
	classes [maxClass + 1]*matrix
	heads   [headLen + 1]map[uint64][]*cand // needles by length of head
}

const (
	gram     = 4
	headLen  = 8
	minBits  = 9  // 512 rows for texts up to 256 bytes
	maxBits  = 16 // 65,536 rows for texts up to 32 KiB
	maxClass = maxBits - minBits
	// few texts are looked at one by one faster than through the index.
	few = 64
)

// find returns the candidates that may be related to probe; false when the
// index cannot help.
func (t *texts) find(s *State, m *memory, key int, probe *value.Value, in part) ([]*cand, bool) {
	if int(in.to-in.from) < s.opts.TextIndex {
		return nil, false
	}
	text, ok := textOf(probe)
	if !ok {
		return nil, false
	}
	// What a step adds that may be taken back is not indexed.
	n := m.old(s)
	if s.final {
		n = len(m.c)
	}
	t.index(m, key, n)
	if t.textIndex == nil {
		return nil, false
	}
	var out []*cand
	if t.hay {
		needles := contained(probe, text)
		for _, n := range needles {
			if len(n) < gram {
				return nil, false
			}
		}
		for _, n := range needles {
			out = t.holding(out, n)
		}
	} else {
		out = t.heldBy(out, text)
	}
	out = append(out, t.other...)
	out = append(out, m.c[t.done:]...)
	return sortedByPos(out, in), true
}

// textOf returns the text that a value is searched as.
func textOf(v *value.Value) (string, bool) {
	switch v.Kind() {
	case value.Str, value.Content:
		return value.Concat(v)
	}
	return "", false
}

// contained returns the texts of which one being contained is enough: the
// parts of a content, else the text itself.
func contained(v *value.Value, text string) []string {
	if v.Kind() != value.Content {
		return []string{text}
	}
	var out []string
	for _, p := range value.Texts(v) {
		if p.Text != "" {
			out = append(out, p.Text)
		}
	}
	return append(out, text)
}

// searched reports whether the group has texts to index.
func (m *memory) searched() bool {
	for _, t := range m.text {
		if t != nil {
			return true
		}
	}
	return false
}

// indexTexts indexes what the step under way added for good, so that the next
// one need not. As long as the index is not used it begins late and catches
// up, two candidates for each new one: most traces never get so far.
func (m *memory) indexTexts(s *State) {
	if m.epoch != s.epoch {
		return
	}
	n := min(len(m.c), 2*len(m.c)-s.opts.TextIndex)
	for k, t := range m.text {
		if t != nil {
			t.index(m, k, n)
		}
	}
}

// index takes in the candidates up to n.
func (t *texts) index(m *memory, key, n int) {
	if t.textIndex == nil && t.done < n {
		t.textIndex = &textIndex{}
	}
	for ; t.done < n; t.done++ {
		c := m.c[t.done]
		v := c.keys[key]
		text, ok := textOf(v)
		switch {
		case !ok:
			t.other = append(t.other, c)
		case t.hay:
			t.indexHay(c, text)
		default:
			for _, n := range contained(v, text) {
				t.indexNeedle(c, n)
			}
		}
	}
}

// A matrix holds the texts of one class of sizes.
type matrix struct {
	mask uint32
	rows [][]uint64
	c    []*cand
}

func (t *texts) indexHay(c *cand, text string) {
	b := bits.Len(uint(len(text)) * 2)
	if b > maxBits {
		t.other = append(t.other, c)
		return
	}
	class := max(b-minBits, 0)
	mx := t.classes[class]
	if mx == nil {
		n := 1 << (class + minBits)
		mx = &matrix{mask: uint32(n - 1), rows: make([][]uint64, n)}
		t.classes[class] = mx
	}
	mx.add(c, text)
}

func (m *matrix) add(c *cand, text string) {
	word, bit := len(m.c)>>6, uint64(1)<<(len(m.c)&63)
	m.c = append(m.c, c)
	for i := 0; i+gram <= len(text); i++ {
		h := hashGram(text[i:]) & m.mask
		row := m.rows[h]
		for len(row) <= word {
			row = append(row, 0)
		}
		row[word] |= bit
		m.rows[h] = row
	}
}

func hashGram(s string) uint32 {
	x := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
	x *= 0x9E3779B1
	return x ^ x>>15
}

// maxProbes bounds the sequences of a needle that are looked up.
const maxProbes = 16

// holding appends the indexed texts that may contain needle.
func (t *texts) holding(out []*cand, needle string) []*cand {
	var grams [maxProbes]uint32
	n := 0
	step := max((len(needle)-gram)/(maxProbes-1), 1)
	for i := 0; i+gram <= len(needle) && n < maxProbes; i += step {
		grams[n] = hashGram(needle[i:])
		n++
	}
	for _, m := range t.classes {
		if m != nil {
			out = m.holding(out, grams[:n])
		}
	}
	return out
}

func (m *matrix) holding(out []*cand, grams []uint32) []*cand {
	shortest := len(m.c)/64 + 1
	for _, g := range grams {
		shortest = min(shortest, len(m.rows[g&m.mask]))
	}
	for w := range shortest {
		all := ^uint64(0)
		for _, g := range grams {
			if all &= m.rows[g&m.mask][w]; all == 0 {
				break
			}
		}
		for ; all != 0; all &= all - 1 {
			out = append(out, m.c[w<<6+bits.TrailingZeros64(all)])
		}
	}
	return out
}

func (t *texts) indexNeedle(c *cand, needle string) {
	n := min(len(needle), headLen)
	if n > gram && n < headLen {
		n = gram // few lengths of heads keep the reading of a text short
	}
	if n == 0 {
		t.other = append(t.other, c)
		return
	}
	if t.heads[n] == nil {
		t.heads[n] = map[uint64][]*cand{}
	}
	k := head(needle, n)
	t.heads[n][k] = append(t.heads[n][k], c)
}

func head(s string, n int) uint64 {
	k := uint64(0)
	for i := range n {
		k = k<<8 | uint64(s[i])
	}
	return k
}

// heldBy appends the indexed needles that may occur in text.
func (t *texts) heldBy(out []*cand, text string) []*cand {
	for n, heads := range t.heads {
		if len(heads) == 0 {
			continue
		}
		met := map[uint64]bool{} // a text may hold a head as often as it has letters
		for i := 0; i+n <= len(text); i++ {
			k := head(text[i:], n)
			if c := heads[k]; len(c) > 0 && !met[k] {
				met[k] = true
				out = append(out, c...)
			}
		}
	}
	return out
}

// sortedByPos puts the candidates that lie in a part into the order of the
// trace, each once.
func sortedByPos(c []*cand, in part) []*cand {
	c = slices.DeleteFunc(c, func(x *cand) bool { return x.pos < in.from || x.pos >= in.to })
	slices.SortFunc(c, func(a, b *cand) int { return cmp.Compare(a.pos, b.pos) })
	return slices.Compact(c)
}
