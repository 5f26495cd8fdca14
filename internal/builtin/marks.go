// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// maxOccurrences is how many occurrences one look at a text marks.
const maxOccurrences = 100

// maxSpans bounds the evidence of one evaluation: beyond it, marks are
// dropped, so that memory stays bounded. Verdicts do not depend on marks.
const maxSpans = 10_000

// A Span is a piece of evidence: code points Start to End of the text At, or
// the whole element At if Start is -1.
type Span struct {
	At         *value.Value
	Start, End int
}

// Marks collects evidence while conditions are evaluated. A nil *Marks
// collects nothing.
type Marks struct {
	spans    []Span
	negative bool
}

// Mark records a span. It does nothing under a negation, and for values that
// stand in no trace.
func (m *Marks) Mark(at *value.Value, start, end int) {
	if !m.on() || len(m.spans) >= maxSpans || !value.Placed(at) {
		return
	}
	m.spans = append(m.spans, Span{at, start, end})
}

// Flip changes the polarity, on the way into a negation and out of it again.
func (m *Marks) Flip() {
	if m != nil {
		m.negative = !m.negative
	}
}

// Len returns the number of spans, for Truncate.
func (m *Marks) Len() int {
	if m == nil {
		return 0
	}
	return len(m.spans)
}

// Truncate drops all spans but the first n: what an operand marked that is not
// true.
func (m *Marks) Truncate(n int) {
	if m != nil {
		m.spans = m.spans[:n]
	}
}

// Spans returns what was marked, in the order in which it was. The caller must
// not change it and must be done with it before the next Mark.
func (m *Marks) Spans() []Span {
	if m == nil {
		return nil
	}
	return m.spans
}

// on reports whether marking is worth its cost.
func (m *Marks) on() bool { return m != nil && !m.negative }

// markText records the bytes [start, end) of a text at its place.
func (m *Marks) markText(p value.TextPart, start, end int) {
	p.Spans(start, end, func(at *value.Value, from, to int) bool {
		m.Mark(at, from, to)
		return true
	})
}

// markAll records the first occurrences of needle in the texts of src.
func (m *Marks) markAll(src *value.Value, needle string) {
	if needle == "" {
		return
	}
	left := maxOccurrences
	for _, p := range partsOf(src) {
		for pos := 0; left > 0; {
			i := strings.Index(p.Text[pos:], needle)
			if i < 0 {
				break
			}
			start := pos + i
			pos = start + len(needle)
			if p.counts(start, pos) {
				m.markText(p.TextPart, start, pos)
				left--
			}
		}
	}
}

// A part is one text to look at. What lies within one part of a content is
// found there; of what is found in the concatenation only that counts which
// runs over a border.
type part struct {
	value.TextPart
	borders []int // nil but for the concatenation
}

// counts reports whether the match [start, end) is not found in another part
// anyway.
func (p part) counts(start, end int) bool {
	if p.borders == nil {
		return true
	}
	i, _ := slices.BinarySearch(p.borders, start+1)
	return i < len(p.borders) && p.borders[i] < end
}

// partsOf returns the texts to look at in src, a Str or a Content. A Content
// without any text is looked at as the empty text that it equals.
func partsOf(src *value.Value) []part {
	texts := value.Texts(src)
	if len(texts) == 0 {
		return []part{{TextPart: value.TextPart{At: src}}}
	}
	parts := make([]part, len(texts))
	var borders []int
	end := 0
	for i, t := range texts {
		parts[i].TextPart = t
		if t.At.Kind() == value.Content {
			parts[i].borders = borders
			continue
		}
		end += len(t.Text)
		borders = append(borders, end)
	}
	return parts
}
