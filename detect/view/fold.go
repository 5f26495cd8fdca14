// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
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

// newFold folds a layer, as far as there is something to fold.
func newFold(l *layer) fold {
	some, every := survey(l)
	f := fold{l, l, l}
	if every&isStable == 0 {
		if f.nfkc = normalize(l); f.nfkc != l {
			some, _ = survey(f.nfkc)
		}
	}
	f.stripped = f.nfkc
	if some&(isInvisible|isMark) != 0 {
		if f.stripped = strip(f.nfkc); f.stripped != f.nfkc {
			some, _ = survey(f.stripped) // what was broken may be whole now
		}
	}
	f.skeleton = f.stripped
	if some&(isAlike|isMark) != 0 {
		f.skeleton = unmask(f.stripped)
	}
	return f
}

// survey returns the classes that any and that every code point of a text has
// that is not plain.
func survey(l *layer) (some, every class) {
	every = ^class(0)
	for i := l.odd; i < len(l.text); i = nextOdd(l.text, i) {
		for i < len(l.text) && isOdd(l.text[i]) {
			r, size := utf8.DecodeRuneInString(l.text[i:])
			c := classOf(r)
			some |= c
			every &= c
			i += size
		}
	}
	return some, every
}

// normalize brings a text into the form NFKC, save the few code points that
// would become a sentence.
func normalize(l *layer) *layer {
	text, b := l.text, build(l)
	var it norm.Iter
	for i := nextHigh(text, l.odd); i < len(text); i = nextHigh(text, i) {
		start, end, all, size := i, i, isStable|isSimple, 0
		if i > b.done && text[i-1] < utf8.RuneSelf {
			start-- // the mark on an ASCII letter is part of it
		}
		for ; end < len(text) && text[end] >= utf8.RuneSelf; end += size {
			var r rune
			r, size = utf8.DecodeRuneInString(text[end:])
			c := classOf(r)
			if c&isBulky != 0 {
				break
			}
			if c&isStable == 0 {
				all &^= isStable
			}
			if c&(isStable|isSimple) == 0 {
				all = 0
			}
		}
		if all == 0 {
			normalizePart(b, &it, start, end)
		} else if all&isStable == 0 {
			replaceSimple(b, i, end)
		}
		i = end
		if i < len(text) && text[i] >= utf8.RuneSelf {
			i += size
		}
	}
	return b.layer()
}

// replaceSimple brings a part into the form NFKC that takes no composition.
func replaceSimple(b *builder, start, end int) {
	text := b.below.text
	for i := start; i < end; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if classOf(r)&isSimple != 0 {
			replace(b, i, i+size, simple(r))
		}
		i += size
	}
}

func normalizePart(b *builder, it *norm.Iter, start, end int) {
	part := b.below.text[start:end]
	it.InitString(norm.NFKC, part)
	for !it.Done() {
		from := it.Pos()
		out := it.Next()
		if to := it.Pos(); string(out) != part[from:to] {
			replace(b, start+from, start+to, out)
		}
	}
}

// strip leaves out what cannot be seen: what Unicode calls ignorable, control
// characters other than white space, and marks on Latin letters that have no
// composed form, for nobody writes those.
func strip(l *layer) *layer {
	text, b := l.text, build(l)
	marked := true // whether the last character that can be seen takes no marks
	for i, behind := l.odd, 0; i < len(text); i = nextOdd(text, i) {
		if i > behind {
			marked = true // an ASCII character stands before
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch c := classOf(r); {
		case c&isInvisible != 0:
			replace(b, i, i+size, "")
		case c&isMark != 0:
			size = marksEnd(text, i) - i
			if marked {
				dropMarks(b, i, i+size)
			}
		default:
			marked = c&isLatin != 0
			if end := marksEnd(text, i+size); marked && end > i+size {
				replace(b, i, end, text[i:i+size])
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
	for i, behind := nextHigh(text, l.odd), 0; i < len(text); i = nextHigh(text, i) {
		if i > behind {
			alike = true
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch c := classOf(r); {
		case c&isMark != 0:
			size = marksEnd(text, i) - i
			if alike {
				dropMarks(b, i, i+size)
			}
		case c&isAlike != 0:
			alike = true
			end := marksEnd(text, i+size)
			replace(b, i, end, lookalike(r))
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
		replace(b, start-1, end, text[start-1:start])
		return
	}
	replace(b, start, end, "")
}

// marksEnd returns where the marks end that begin at i.
func marksEnd(text string, i int) int {
	for i < len(text) && text[i] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(text[i:])
		if classOf(r)&isMark == 0 {
			break
		}
		i += size
	}
	return i
}
