// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detect

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"
)

// A Span is what a Scanner has seen in a text.
type Span struct {
	Kind       string
	Start, End int // in bytes, at borders of code points where the text is UTF-8
	Score      float64

	Text, Severity string // as in a Finding
}

// A Scanner looks at one text as it is. Params are those of a Request. It must
// be safe for concurrent use and give the same spans for the same arguments.
// What it has found beside an error is certain, see Result.
type Scanner func(ctx context.Context, text, params string) ([]Span, error)

// Plain makes a Detector of a Scanner that looks at the raw text alone,
// whatever views are asked for.
func Plain(version string, scan Scanner) Detector { return plain{version, scan} }

type plain struct {
	version string
	scan    Scanner
}

func (p plain) Version() string { return p.version }

func (p plain) Detect(ctx context.Context, requests []Request) ([]Result, error) {
	out := make([]Result, len(requests))
	for i, r := range requests {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		spans, problem := p.scan(ctx, r.Text, r.Params)
		out[i].Findings, out[i].Err = Findings(r.Text, spans)
		if problem != nil {
			out[i].Err = problem
		}
	}
	return out, nil
}

// Findings turns the spans of a text into findings, in the order of Sort.
func Findings(text string, spans []Span) ([]Finding, error) {
	if len(spans) == 0 {
		return nil, nil
	}
	offsets := make([]int, 0, 2*len(spans))
	for _, s := range spans {
		if s.Start < 0 || s.End < s.Start || s.End > len(text) {
			return nil, errors.New("a span that is no part of the text")
		}
		offsets = append(offsets, s.Start, s.End)
	}
	slices.Sort(offsets)
	points := codePoints(text, offsets)
	at := func(offset int) int {
		i, _ := slices.BinarySearch(offsets, offset)
		return points[i]
	}
	out := make([]Finding, len(spans))
	for i, s := range spans {
		out[i] = Finding{Kind: s.Kind, Start: at(s.Start), End: at(s.End), Score: s.Score, View: Raw, Text: s.Text, Severity: s.Severity}
	}
	Sort(out)
	return out, nil
}

// codePoints returns how many code points stand before each of the offsets,
// which are sorted.
func codePoints(text string, offsets []int) []int {
	out := make([]int, len(offsets))
	at, points := 0, 0
	for i, o := range offsets {
		points += utf8.RuneCountInString(text[at:o])
		at = o
		out[i] = points
	}
	return out
}
