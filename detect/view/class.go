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
	isStable    class = 1 << iota // NFKC leaves it as it is, whatever stable stands round it
	isSimple                      // NFKC makes ASCII of it, whatever stable stands round it
	isBulky                       // NFKC makes a sentence of it
	isInvisible                   // it shows nothing
	isMark                        // it is drawn on the character before it
	isLatin                       // it is a Latin letter
	isAlike                       // it looks like ASCII
)

// A page holds what is known of 256 code points.
type page struct {
	classes [256]class
	nfkc    *[256]string // of those that are simple
}

// pages remembers those that have been met. Asking Unicode's tables each time
// takes ten times as long.
var pages [(unicode.MaxRune + 1) >> 8]atomic.Pointer[page]

func classOf(r rune) class { return pageOf(r).classes[r&0xFF] }

// simple returns what NFKC makes of a code point that is simple.
func simple(r rune) string { return pageOf(r).nfkc[r&0xFF] }

func pageOf(r rune) *page {
	p := pages[r>>8].Load()
	if p == nil {
		p = newPage(r &^ 0xFF)
		pages[r>>8].Store(p)
	}
	return p
}

func newPage(first rune) *page {
	p := &page{}
	for i := range p.classes {
		r := first + rune(i)
		p.classes[i] = classify(r)
		if p.classes[i]&isSimple != 0 {
			if p.nfkc == nil {
				p.nfkc = new([256]string)
			}
			p.nfkc[i] = norm.NFKC.String(string(r))
		}
	}
	return p
}

func classify(r rune) class {
	c := class(0)
	s := string(r)
	alone := norm.NFKC.PropertiesString(s).BoundaryBefore() // it does not join what stands before it
	nfkc := norm.NFKC.String(s)
	for _, is := range []struct {
		class class
		holds bool
	}{
		{isStable, alone && nfkc == s},
		{isSimple, alone && nfkc != s && nextHigh(nfkc, 0) == len(nfkc)},
		{isBulky, len(nfkc) > 4*len(s)},
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
