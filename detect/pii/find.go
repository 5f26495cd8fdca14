// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package pii finds personal data in text: numbers that states, banks and
// telephone companies give to people, and addresses of people and machines.
// The pii function of the policy language and the value classes of tool
// patterns stand on it.
//
// Kinds have the names that Presidio gave them. What a datum of a kind looks
// like is a grammar and, where the issuer published one, a check digit: rules
// are literals (see rule.go), and nothing is learnt. One pass over the text
// finds where a datum may begin; at such a place the rules are tried whose
// shapes can begin so. No step goes back over what it has read by more than a
// bounded window, so the time is linear in the text, whoever wrote it.
package pii

import (
	"cmp"
	"slices"

	"github.com/holdfast-dev/holdfast/detect"
)

// Threshold is the score from which a finding counts when no kind is named.
const Threshold = 0.5

// Version changes whenever the findings of some text change. It belongs into
// the key of whatever remembers findings.
const Version = "pii/1"

// Kinds lists the kinds that Find knows, in the order of their names.
func Kinds() []string {
	kinds := slices.Clone(load().kinds)
	slices.Sort(kinds)
	return kinds
}

// Find returns the personal data in text, from left to right. Spans are in
// bytes.
//
// Without kinds it looks for all but PERSON and LOCATION, and returns what
// scores Threshold or more. With kinds it returns everything of those kinds,
// whatever it scores; names it does not know find nothing. Findings of
// different kinds may overlap, those of one kind do not. The text need not be
// valid UTF-8. Find keeps no state and is safe for concurrent use.
func Find(text string, kinds []string) []detect.Span {
	s := newScan(text, kinds)
	s.run()
	return s.result()
}

// result turns what the scan has come upon into spans.
func (s *scan) result() []detect.Span {
	found := s.found
	if !s.named {
		found = slices.DeleteFunc(found, func(f hit) bool { return f.score < Threshold })
	}
	if len(found) == 0 {
		return nil
	}
	// Of overlapping matches of a kind the best stays: the surest, then the
	// longest, then the first. Better ones are looked at first.
	slices.SortFunc(found, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(b.score, a.score))
	})
	kept := found[:0]
	for _, f := range found {
		for len(kept) > 0 && f.overlaps(kept[len(kept)-1]) && f.better(kept[len(kept)-1]) {
			kept = kept[:len(kept)-1]
		}
		if len(kept) == 0 || !f.overlaps(kept[len(kept)-1]) {
			kept = append(kept, f)
		}
	}
	out := make([]detect.Span, len(kept))
	for i, f := range kept {
		out[i] = detect.Span{Kind: s.tables.kinds[f.id], Start: f.start, End: f.end, Score: f.score}
	}
	slices.SortFunc(out, func(a, b detect.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

// A hit is a finding in the making.
type hit struct {
	id, start, end int
	score          float64
}

func (f hit) overlaps(g hit) bool { return f.id == g.id && f.start < g.end && g.start < f.end }

func (f hit) better(g hit) bool {
	return cmp.Or(cmp.Compare(f.score, g.score), cmp.Compare(f.end-f.start, g.end-g.start)) > 0
}
