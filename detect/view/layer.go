// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

// A layer is a text made from the one below it, piece by piece and in its
// order, with the way back from each piece. Layers stand on one another; at
// the bottom is the raw text.
//
// The way back is a list of runs. A run is a row of pieces of one size made
// from pieces of one size: whatever is copied is a run of bytes made from
// bytes, a word in full-width letters one of bytes made from three, percent
// escapes too. What has no piece was left out. So the list is about as long
// as there are changes of manner in the text, not as there are changed
// characters.
type layer struct {
	text  string
	below *layer // nil for the raw text
	runs  []run
	fresh []span  // of a decoded layer: what was not there to be read below
	cut   [2]bool // of a decoded layer: whether there is more text in front and behind
	odd   int     // where the text stops being printable ASCII and white space
}

// A run is a row of pieces of out bytes that begins at at, made from pieces
// of in bytes below, the first at from.
type run struct{ at, from, out, in uint32 }

// A span is a part of a text, in bytes.
type span struct{ start, end int }

// root returns the lowest layer.
func root(text string) *layer { return &layer{text: text, odd: nextOdd(text, 0)} }

// plain reports whether folding changes nothing.
func (l *layer) plain() bool { return l.odd == len(l.text) }

// raw returns the part of the raw text that a part of l was made from.
func (l *layer) raw(s span) span { return l.downTo(nil, s) }

// downTo returns the part of a layer that a part of l, above it, was made
// from; of the lowest, if that is not one of them.
func (l *layer) downTo(to *layer, s span) span {
	for ; l != to && l.below != nil; l = l.below {
		s = l.down(s)
	}
	return s
}

// down returns the part of the text below that s was made from. What was left
// out at its ends is no part of it.
func (l *layer) down(s span) span {
	if l.below == nil || len(l.runs) == 0 {
		return s
	}
	if s.start >= len(l.text) { // nothing, behind the last piece
		_, end := l.piece(len(l.text) - 1)
		return span{end, end}
	}
	start, _ := l.piece(s.start)
	if s.end <= s.start {
		return span{start, start}
	}
	_, end := l.piece(s.end - 1)
	return span{start, end}
}

// piece returns the place below of the piece that the byte at i belongs to.
func (l *layer) piece(i int) (start, end int) {
	low, high := 0, len(l.runs)
	for low+1 < high {
		if mid := (low + high) / 2; int(l.runs[mid].at) <= i {
			low = mid
		} else {
			high = mid
		}
	}
	r := l.runs[low]
	start = int(r.from) + (i-int(r.at))/int(r.out)*int(r.in)
	return start, start + int(r.in)
}

// counts reports whether something that was found in a decoded layer counts:
// it touches what was decoded, or has enough of the text round it that it
// does not come from where the text was cut. What was decoded may be what makes
// a finding of something beside it.
func (l *layer) counts(s span) bool {
	inside := (!l.cut[0] || s.start >= rim) && (!l.cut[1] || s.end <= len(l.text)-rim)
	return inside || l.isFresh(s)
}

// isFresh reports whether a part of a decoded layer touches what was decoded.
func (l *layer) isFresh(s span) bool {
	low, high := 0, len(l.fresh)
	for low < high { // the first that ends behind the start of s
		if mid := (low + high) / 2; l.fresh[mid].end <= s.start {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(l.fresh) && l.fresh[low].start < s.end
}

// A builder makes a layer. What its caller does not speak of is copied.
type builder struct {
	below *layer
	limit int // where the part of the text below ends that the layer is made from
	done  int // how much of the text below has been dealt with
	out   []byte
	runs  []run
}

// build begins a layer on the given one.
func build(below *layer) *builder { return &builder{below: below, limit: len(below.text)} }

// buildPart begins a layer on a part of the given one.
func buildPart(below *layer, part span) *builder {
	return &builder{below: below, limit: part.end, done: part.start}
}

// replace puts out for the part of the text below from start to end, as one
// piece; an empty out leaves the part out.
func replace[T string | []byte](b *builder, start, end int, out T) {
	b.copyTo(start)
	if len(out) > 0 {
		b.pieces(start, len(out), end-start)
		b.out = append(b.out, out...)
	}
	b.done = end
}

// replaceEach is replace for a row of pieces: each byte of out stands for in
// bytes of the text below.
func (b *builder) replaceEach(start, in int, out string) {
	b.copyTo(start)
	b.pieces(start, 1, in)
	b.out = append(b.out, out...)
	b.done = start + in*len(out)
}

func (b *builder) copyTo(end int) {
	if b.done >= end {
		return
	}
	if b.out == nil {
		b.out = make([]byte, 0, b.limit-b.done)
	}
	b.pieces(b.done, 1, 1)
	b.out = append(b.out, b.below.text[b.done:end]...)
	b.done = end
}

// pieces notes that what is appended next is made of pieces, unless they go
// on with the last run.
func (b *builder) pieces(from, out, in int) {
	at := len(b.out)
	if n := len(b.runs); n > 0 {
		last := b.runs[n-1]
		if int(last.out) == out && int(last.in) == in && int(last.from)+(at-int(last.at))/out*in == from {
			return
		}
	}
	b.runs = append(b.runs, run{uint32(at), uint32(from), uint32(out), uint32(in)})
}

// layer returns what has been built: the layer below itself if nothing was
// replaced.
func (b *builder) layer() *layer {
	if b.out == nil && b.done == 0 && b.limit == len(b.below.text) {
		return b.below
	}
	b.copyTo(b.limit)
	l := root(string(b.out))
	l.below, l.runs = b.below, b.runs
	return l
}
