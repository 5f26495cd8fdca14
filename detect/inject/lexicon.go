// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import "strings"

// A lexicon holds every word that a rule knows.
type lexicon struct {
	table []entry     // by hash, with the next free place for those of one hash
	masks []uint64    // by number: the sets that a word is in
	sets  []string    // their names: set i is bit i
	shape [256]uint32 // by the last letter of words: their lengths, as bits. Most words of a text have another
}

type entry struct {
	word   string
	number uint16
}

const (
	tableSize   = 1 << 13
	longestWord = 24 // less than the bits of a shape
)

// newLexicon makes a lexicon of the sets. The word number 0 is any other word.
func newLexicon(sets []wordSet) *lexicon {
	x := &lexicon{table: make([]entry, tableSize), masks: make([]uint64, 1)}
	for i, s := range sets {
		x.sets = append(x.sets, s.name)
		for _, w := range strings.Fields(s.words) {
			x.masks[x.add(w)] |= 1 << i
		}
	}
	return x
}

// add returns the number of a word in small letters, new if there is none.
func (x *lexicon) add(word string) uint16 {
	i := x.place(word)
	if x.table[i].number == 0 {
		x.table[i] = entry{word, uint16(len(x.masks))}
		x.masks = append(x.masks, 0)
		x.shape[word[len(word)-1]] |= 1 << len(word)
	}
	return x.table[i].number
}

// number returns that of a word in any letters, 0 if there is none.
func (x *lexicon) number(word string) uint16 {
	if len(word) > longestWord || x.shape[smalls[word[len(word)-1]]]&(1<<len(word)) == 0 {
		return 0
	}
	return x.table[x.place(word)].number
}

// place returns where a word is in the table, or is to be.
func (x *lexicon) place(word string) uint32 {
	h := uint32(2166136261)
	for i := range len(word) {
		h = (h ^ uint32(smalls[word[i]])) * 16777619
	}
	for i := (h ^ h>>15) % tableSize; ; i = (i + 1) % tableSize {
		if e := &x.table[i]; e.number == 0 || same(e.word, word) {
			return i
		}
	}
}

// set returns the bit of a set.
func (x *lexicon) set(name string) uint64 {
	for i, s := range x.sets {
		if s == name {
			return 1 << i
		}
	}
	panic("inject: no set of words " + name)
}

// smalls are the small letters of ASCII letters, and all other bytes.
var smalls = func() (out [256]byte) {
	for c := range out {
		out[c] = lower(byte(c))
	}
	return out
}()

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c &^ 0x20
	}
	return c
}

// same reports whether a word of the lexicon is another one.
func same(known, word string) bool {
	if len(known) != len(word) {
		return false
	}
	for i := range len(word) {
		if known[i] != smalls[word[i]] {
			return false
		}
	}
	return true
}
