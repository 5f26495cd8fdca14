// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
)

const (
	maxLines  = 3   // of one text are shown
	maxWindow = 100 // runes of one line are shown
	leadIn    = 30  // runes before the first mark
)

// A mark is the marked spans of one text.
type mark struct {
	at      string // address of the text
	spans   []span
	printed bool
}

// A span is a range of code points.
type span struct{ from, to int }

// spanned matches an address with a span: `0.content:7-8`.
var spanned = regexp.MustCompile(`^(.*):([0-9]+)-([0-9]+)$`)

// marksOf gathers the spans of a violation's ranges by text. Ranges without a
// span are elements; the bindings name them already.
func marksOf(ranges []string) []*mark {
	var marks []*mark
	for _, r := range ranges {
		m := spanned.FindStringSubmatch(r)
		if m == nil {
			continue
		}
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		marks = addSpan(marks, m[1], span{from, to})
	}
	for _, m := range marks {
		slices.SortFunc(m.spans, func(a, b span) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	}
	return marks
}

func addSpan(marks []*mark, at string, s span) []*mark {
	for _, m := range marks {
		if m.at == at {
			m.spans = append(m.spans, s)
			return marks
		}
	}
	return append(marks, &mark{at: at, spans: []span{s}})
}

// marksBelow returns the unprinted marks at or inside the element at address.
func marksBelow(marks []*mark, address string) []*mark {
	var out []*mark
	for _, m := range marks {
		inside := m.at == address || strings.HasPrefix(m.at, address+".")
		if !m.printed && address != "" && inside {
			out = append(out, m)
		}
	}
	return out
}

func (m *mark) spansText() string {
	var parts []string
	for _, s := range m.spans {
		parts = append(parts, fmt.Sprintf("%d-%d", s.from, s.to))
	}
	return strings.Join(parts, ", ")
}

// over returns the mark with its spans where they are in the masked text.
func (m *mark) over(text detect.Masked) *mark {
	out := &mark{at: m.at}
	for _, s := range m.spans {
		from, to := text.Span(s.from, s.to)
		out.spans = append(out.spans, span{from, to})
	}
	return out
}

// A markedLine is one line of a text as it is printed.
type markedLine struct{ text, carets string }

// lines returns the lines of the text on which marks begin, the first few of
// them, and how many are left out.
func (m *mark) lines(text string) (lines []markedLine, more int) {
	start := 0
	for line := range strings.SplitSeq(text, "\n") {
		runes := []rune(line)
		on := spansOn(m.spans, start, start+len(runes))
		start += len(runes) + 1
		switch {
		case len(on) == 0:
		case len(lines) == maxLines:
			more++
		default:
			lines = append(lines, markLine(runes, on))
		}
	}
	return lines, more
}

// spansOn returns the spans that begin in [start, end], relative to start and
// cut at the end of the line. An empty span takes the rune behind it.
func spansOn(spans []span, start, end int) []span {
	var on []span
	for _, s := range spans {
		if s.from >= start && s.from <= end {
			on = append(on, span{s.from - start, min(max(s.to, s.from+1), end) - start})
		}
	}
	return on
}

// markLine cuts a window around the first span and draws carets under all
// spans inside it, column by column, since an escaped or wide character takes
// more than one.
func markLine(runes []rune, spans []span) markedLine {
	lo := 0
	if len(runes) > maxWindow {
		lo = max(spans[0].from-leadIn, 0)
	}
	hi := min(lo+maxWindow, len(runes))
	var text, carets strings.Builder
	if lo > 0 {
		text.WriteString("…")
		carets.WriteString(" ")
	}
	for i := lo; i < hi; i++ {
		shown := EscapeLine(string(runes[i]))
		if runes[i] == '#' && isCommand(string(runes[max(i-1, 0):hi]), min(i, 1)) {
			shown = escapeRune('#')
		}
		text.WriteString(shown)
		carets.WriteString(strings.Repeat(caret(spans, i), Width(shown)))
	}
	if hi < len(runes) {
		text.WriteString("…")
	}
	if hi == len(runes) && slices.ContainsFunc(spans, func(s span) bool { return s.from == hi }) {
		carets.WriteString("^") // an empty span at the very end
	}
	return markedLine{text.String(), strings.TrimRight(carets.String(), " ")}
}

func caret(spans []span, i int) string {
	if slices.ContainsFunc(spans, func(s span) bool { return i >= s.from && i < s.to }) {
		return "^"
	}
	return " "
}
