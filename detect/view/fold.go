// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Folding takes three steps, each on what the one before has left, so that a
// text that uses several disguises loses them all: compatibility forms, then
// what cannot be seen, then likeness. A step that changes nothing returns the
// layer that it was given, and there is nothing to look at again.
//
// ASCII is skipped: but for control characters no step changes any of it,
// save where a combining mark follows.

// A fold holds the layers of the three steps.
type fold struct{ nfkc, stripped, skeleton *layer }

// newFold folds a layer, as far as needed.
func newFold(l *layer) fold {
	f := fold{nfkc: normalize(l)}
	f.stripped = strip(f.nfkc)
	f.skeleton = unmask(f.stripped)
	return f
}

// normalize brings a text into the form NFKC.
func normalize(l *layer) *layer {
	text, b := l.text, build(l)
	for i := nextHigh(text, 0); i < len(text); {
		end := i
		for end < len(text) && text[end] >= utf8.RuneSelf {
			end++
		}
		start := i
		if start > 0 && start > b.done {
			start-- // the mark on an ASCII letter is part of it
		}
		normalizePart(b, start, end)
		i = nextHigh(text, end)
	}
	return b.layer()
}

func normalizePart(b *builder, start, end int) {
	part := b.below.text[start:end]
	if norm.NFKC.IsNormalString(part) {
		return
	}
	var it norm.Iter
	it.InitString(norm.NFKC, part)
	for !it.Done() {
		from := it.Pos()
		out := it.Next()
		if to := it.Pos(); string(out) != part[from:to] {
			b.replace(start+from, start+to, string(out))
		}
	}
}

// strip leaves out what cannot be seen: what Unicode calls ignorable, control
// characters other than white space, and marks on Latin letters that have no
// composed form, for nobody writes those.
func strip(l *layer) *layer {
	text, b := l.text, build(l)
	marked := true // whether the last character that can be seen takes no marks
	for i, behind := nextOdd(text, 0), 0; i < len(text); i = nextOdd(text, i) {
		if i > behind {
			marked = true // an ASCII character stands before
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isInvisible(r):
			b.replace(i, i+size, "")
		case isMark(r):
			size = marksEnd(text, i) - i
			if marked {
				dropMarks(b, i, i+size)
			}
		default:
			marked = unicode.Is(unicode.Latin, r)
			if end := marksEnd(text, i+size); marked && end > i+size {
				b.replace(i, end, text[i:i+size])
				size = end - i
			}
		}
		i += size
		behind = i
	}
	return b.layer()
}

// unmask puts ASCII for what looks like ASCII.
func unmask(l *layer) *layer {
	text, b := l.text, build(l)
	alike := true // whether the last character is ASCII now
	for i, behind := nextHigh(text, 0), 0; i < len(text); i = nextHigh(text, i) {
		if i > behind {
			alike = true
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		out := lookalike(r)
		switch {
		case isMark(r):
			size = marksEnd(text, i) - i
			if alike {
				dropMarks(b, i, i+size)
			}
		case out != "":
			alike = true
			end := marksEnd(text, i+size)
			b.replace(i, end, out)
			size = end - i
		default:
			alike = false
		}
		i += size
		behind = i
	}
	return b.layer()
}

// dropMarks leaves marks out; the ASCII character before them, if there is
// one, counts as made from all of it.
func dropMarks(b *builder, start, end int) {
	if text := b.below.text; start > b.done && text[start-1] < utf8.RuneSelf {
		b.replace(start-1, end, text[start-1:start])
		return
	}
	b.replace(start, end, "")
}

func isMark(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r))
}

// marksEnd returns where the marks end that begin at i.
func marksEnd(text string, i int) int {
	for i < len(text) && text[i] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isMark(r) {
			break
		}
		i += size
	}
	return i
}

// isInvisible reports whether r shows nothing: Default_Ignorable_Code_Point,
// the controls, and the formats that only tell others how to be shown.
func isInvisible(r rune) bool {
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

// An alphabet finds what a code point looks like: by the page of 256 that it
// is on, then its place on the page.
type alphabet struct {
	page  [(unicode.MaxRune + 1) >> 8]uint8 // 0: nothing on it
	cells [][256]uint16                     // 1 + the place in likenesses
}

var loadAlphabet = sync.OnceValue(func() *alphabet {
	a := &alphabet{cells: make([][256]uint16, 1)}
	for i, like := range likenesses {
		for _, r := range like.runes {
			page := &a.page[r>>8]
			if *page == 0 {
				*page = uint8(len(a.cells))
				a.cells = append(a.cells, [256]uint16{})
			}
			a.cells[*page][r&0xFF] = uint16(i + 1)
		}
	}
	return a
})

// lookalike returns the ASCII text that r looks like, "" if there is none.
func lookalike(r rune) string {
	a := loadAlphabet()
	if i := a.cells[a.page[r>>8]][r&0xFF]; i > 0 {
		return likenesses[i-1].ascii
	}
	return ""
}
