// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"slices"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// A page holds the general categories of 256 code points, as places in
// general.
type page [256]uint8

// pages remembers those that have been met. Asking Unicode's tables each time
// takes many times as long.
var pages [(unicode.MaxRune + 1) >> 8]atomic.Pointer[page]

var (
	unassigned = uint8(slices.Index(general, "Cn"))
	surrogate  = uint8(slices.Index(general, "Cs"))
	control    = uint8(slices.Index(general, "Cc"))
)

// categoryOf returns the place of a code point's category in general.
func categoryOf(r rune) uint8 {
	at := &pages[r>>8]
	p := at.Load()
	if p == nil {
		p = newPage(r &^ 0xFF)
		at.Store(p)
	}
	return p[r&0xFF]
}

func newPage(first rune) *page {
	p := &page{}
	for i := range p {
		p[i] = unassigned
		for c, name := range general {
			if table := unicode.Categories[name]; name != "Cn" && table != nil && unicode.Is(table, first+rune(i)) {
				p[i] = uint8(c)
				break
			}
		}
	}
	return p
}

// decode returns the code point at i, its category and its size. A byte that
// belongs to no code point counts as a surrogate, as which Python reads it.
func decode(text string, i int) (r rune, category uint8, size int) {
	if c := text[i]; c < utf8.RuneSelf {
		return rune(c), categoryOf(rune(c)), 1
	}
	r, size = utf8.DecodeRuneInString(text[i:])
	if r == utf8.RuneError && size == 1 {
		return r, surrogate, 1
	}
	return r, categoryOf(r), size
}
