// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detect

import (
	"cmp"
	"slices"
	"strings"
)

// A Masked text shows what was found in it by kind only: "<EMAIL_ADDRESS>".
type Masked struct {
	Text  string
	moved []moved
}

// moved is a region of the original text and what stands there now, in code
// points.
type moved struct{ start, end, from, to int }

// Mask replaces what findings are about by their kinds. Findings that overlap
// become one, of the kind of the longest. A finding at no character, or beyond
// the text, hides nothing.
func Mask(text string, findings []Finding) Masked {
	regions := regionsOf(findings)
	if len(regions) == 0 {
		return Masked{Text: text}
	}
	runes := []rune(text)
	out := Masked{}
	var b strings.Builder
	at, written := 0, 0
	for _, f := range regions {
		start, end := min(f.Start, len(runes)), min(f.End, len(runes))
		if start == end {
			continue
		}
		b.WriteString(string(runes[at:start]))
		written += start - at
		name := "<" + plainKind(f.Kind) + ">"
		b.WriteString(name)
		out.moved = append(out.moved, moved{start, end, written, written + len(name)})
		written += len(name)
		at = end
	}
	b.WriteString(string(runes[at:]))
	out.Text = b.String()
	return out
}

// Span returns where the code points [start, end) of the original text are now. One
// that begins or ends within what is hidden takes all of what stands for it.
func (m Masked) Span(start, end int) (int, int) {
	from, to := start, end
	for _, r := range m.moved {
		shift := r.to - r.end
		switch {
		case start >= r.end:
			from = start + shift
		case start >= r.start:
			from = r.from
		}
		switch {
		case end >= r.end:
			to = end + shift
		case end > r.start:
			to = r.to
		}
	}
	return from, max(from, to)
}

// regionsOf joins findings that overlap, in the order of the text.
func regionsOf(findings []Finding) []Finding {
	sorted := slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Start < 0 || f.End <= f.Start })
	slices.SortStableFunc(sorted, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Kind, b.Kind))
	})
	var out []Finding
	longest := 0
	for _, f := range sorted {
		last := len(out) - 1
		if last < 0 || f.Start >= out[last].End {
			out, longest = append(out, f), f.End-f.Start
			continue
		}
		if f.End-f.Start > longest {
			out[last].Kind, longest = f.Kind, f.End-f.Start
		}
		out[last].End = max(out[last].End, f.End)
	}
	return out
}

// plainKind is a kind that may be shown: a detector that was not written with
// care may put what it found into it.
func plainKind(kind string) string {
	odd := func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	if kind == "" || len(kind) > 60 || strings.ContainsFunc(kind, odd) {
		return "hidden"
	}
	return kind
}
