// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"sync"
	"sync/atomic"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A class says what the steps of folding make of a code point.
type class uint8

const (
	isStable    class = 1 << iota // NFKC leaves it as it is, whatever stands round it
	isInvisible                   // it shows nothing
	isMark                        // it is drawn on the character before it
	isLatin                       // it is a Latin letter
	isAlike                       // it looks like ASCII
)

// classes remembers the classes of the code points that have been met, by
// pages of 256. Asking Unicode's tables each time takes ten times as long.
var classes [(unicode.MaxRune + 1) >> 8]atomic.Pointer[[256]class]

func classOf(r rune) class {
	page := classes[r>>8].Load()
	if page == nil {
		page = newPage(r &^ 0xFF)
		classes[r>>8].Store(page)
	}
	return page[r&0xFF]
}

func newPage(first rune) *[256]class {
	page := new([256]class)
	for i := range page {
		page[i] = classify(first + rune(i))
	}
	return page
}

func classify(r rune) class {
	c := class(0)
	for _, is := range []struct {
		class class
		holds bool
	}{
		{isStable, stable(r)},
		{isInvisible, invisible(r)},
		{isMark, unicode.In(r, unicode.Mn, unicode.Me)},
		{isLatin, unicode.Is(unicode.Latin, r)},
		{isAlike, lookalike(r) != ""},
	} {
		if is.holds {
			c |= is.class
		}
	}
	return c
}

func stable(r rune) bool {
	s := string(r)
	return norm.NFKC.IsNormalString(s) && norm.NFKC.PropertiesString(s).BoundaryBefore()
}

// invisible reports whether r shows nothing: Default_Ignorable_Code_Point, the
// controls, and the formats that only tell others how to be shown.
func invisible(r rune) bool {
	switch {
	case r < 0xA0:
		return r < ' ' && (r < '\t' || r > '\r') || r >= 0x7F && r != 0x85
	case r < 0x2000:
		return r == 0xAD || r == 0x34F || r == 0x61C || r == 0x115F || r == 0x1160 ||
			r == 0x17B4 || r == 0x17B5 || r >= 0x180B && r <= 0x180F
	case r < 0x3000:
		return r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F
	case r < 0x10000:
		return r == 0x3164 || r >= 0xFE00 && r <= 0xFE0F || r == 0xFEFF || r == 0xFFA0 || r >= 0xFFF0 && r <= 0xFFFB
	}
	return r >= 0x1BCA0 && r <= 0x1BCA3 || r >= 0x1D173 && r <= 0x1D17A || r >= 0xE0000 && r <= 0xE0FFF
}

// A likeness is an ASCII text and the code points that look like it.
type likeness struct{ ascii, runes string }

// alphabet holds for each code point that looks like ASCII the place of what
// it looks like in likenesses.
var alphabet = sync.OnceValue(func() map[rune]int {
	out := make(map[rune]int, 4096)
	for i, like := range likenesses {
		for _, r := range like.runes {
			out[r] = i
		}
	}
	return out
})

// lookalike returns the ASCII text that r looks like, "" if there is none.
func lookalike(r rune) string {
	if i, ok := alphabet()[r]; ok {
		return likenesses[i].ascii
	}
	return ""
}
