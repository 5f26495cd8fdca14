// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"strings"
	"unicode/utf8"
)

// TextSource returns the value that v's text stands in: a Str, a Content, None,
// or an Unknown value if the text cannot be read. It resolves a message, an
// output and a text part to their text; nil: v has no text.
func TextSource(v *Value) *Value {
	switch v.kind {
	case Str, Content, None, Unknown:
		return v
	case Message:
		return v.Field(MessageContent)
	case ToolOutput:
		return v.Field(OutputContent)
	case TextChunk:
		return v.Field(ChunkText)
	}
	return nil
}

// A TextPart is one text that functions on text look at.
type TextPart struct {
	Text string

	// At is the Str that the text is, or the Content that it is the
	// concatenation of.
	At *Value
}

// Texts returns what text functions look at in v: a Str is its own text, a
// Content each of its texts that is not empty and, if there are several, their
// concatenation; a message, output or text part the texts of its content. None
// has no text, nor has any other value: check TextSource first, an Unknown one
// has no texts here.
func Texts(v *Value) []TextPart {
	src := TextSource(v)
	switch {
	case src == nil:
		return nil
	case src.kind == Str:
		return []TextPart{{src.str, src}}
	case src.kind == Content:
		return contentTexts(src)
	}
	return nil
}

func contentTexts(v *Value) []TextPart {
	var parts []TextPart
	for _, p := range v.Items() {
		if t := chunkText(p); t != nil && t.str != "" {
			parts = append(parts, TextPart{t.str, t})
		}
	}
	if len(parts) > 1 {
		s, _ := Concat(v)
		parts = append(parts, TextPart{s, v})
	}
	return parts
}

// chunkText returns the Str of a text part, nil if p is no text part or its
// text is not known.
func chunkText(p *Value) *Value {
	if p.kind != TextChunk {
		return nil
	}
	if t := p.Field(ChunkText); t != nil && t.kind == Str {
		return t
	}
	return nil
}

// Concat returns the text of a Str or the concatenation of a Content's texts;
// false if v is neither.
func Concat(v *Value) (string, bool) {
	switch v.kind {
	case Str:
		return v.str, true
	case Content:
		return concatParts(v), true
	}
	return "", false
}

func concatParts(v *Value) string {
	if m := v.rest(); m != nil && m.concat != "" {
		return m.concat
	}
	only, n := "", 0
	for _, p := range v.Items() {
		if t := chunkText(p); t != nil && t.str != "" {
			only, n = t.str, n+1
		}
	}
	if n > 1 {
		return joinTexts(v)
	}
	return only
}

func joinTexts(v *Value) string {
	var b strings.Builder
	for _, p := range v.Items() {
		if t := chunkText(p); t != nil {
			b.WriteString(t.str)
		}
	}
	return b.String()
}

// Spans yields what the bytes [start, end) of p's text are in the trace: the
// Str they stand in and their offsets there in code points, end exclusive. A
// span of a concatenation is cut at the borders of its parts. An empty span is
// yielded once.
func (p TextPart) Spans(start, end int, yield func(at *Value, start, end int) bool) {
	if p.At.kind != Content {
		from, to := runeSpan(p.Text, start, end)
		yield(p.At, from, to)
		return
	}
	base := 0
	for _, part := range p.At.Items() {
		t := chunkText(part)
		if t == nil {
			continue
		}
		lo, hi := max(start-base, 0), min(end-base, len(t.str))
		base += len(t.str)
		if lo > len(t.str) || hi < 0 || lo > hi || (lo == hi && start != end) {
			continue
		}
		from, to := runeSpan(t.str, lo, hi)
		if !yield(t, from, to) || start == end {
			return
		}
	}
}

// runeSpan turns offsets in bytes into offsets in code points.
func runeSpan(s string, start, end int) (from, to int) {
	from = utf8.RuneCountInString(s[:start])
	return from, from + utf8.RuneCountInString(s[start:end])
}

// TextSize returns the length of a Str in bytes; of anything else roughly how
// long it is as JSON: the bytes of its texts and keys, and one for each value
// that is no text.
func TextSize(v *Value) int {
	if v.kind == Str {
		return len(v.str)
	}
	n := 1
	for _, k := range v.Keys() {
		n += len(k)
	}
	for _, it := range v.Items() {
		n += TextSize(it)
	}
	return n
}
