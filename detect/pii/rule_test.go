// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// hits takes the datum out of a text that has it in ‹ and ›.
func hitText(t *testing.T, marked string) (text string, start, end int) {
	t.Helper()
	before, rest, ok := strings.Cut(marked, "‹")
	datum, after, ok2 := strings.Cut(rest, "›")
	if !ok || !ok2 {
		t.Fatalf("%q marks no datum", marked)
	}
	return before + datum + after, len(before), len(before) + len(datum)
}

// alone returns what one rule finds in text, tried wherever it could begin.
func alone(r *rule, text string, named bool) []hit {
	s := newScan(text, []string{r.kind})
	s.named = named
	for _, src := range r.masks {
		e := &entry{rule: r, mask: newMask(src), id: s.tables.ids[r.kind]}
		for w := range strings.SplitSeq(r.words, "|") {
			if w != "" {
				e.words = append(e.words, []byte(w))
			}
		}
		for i := range len(text) {
			s.tryEntry(e, i)
		}
	}
	return s.found
}

// TestRules tries every rule on its own texts: it finds what is marked, and
// nothing in the near misses.
func TestRules(t *testing.T) {
	for _, r := range rules() {
		t.Run(r.kind+" "+r.masks[0], func(t *testing.T) {
			if r.hits == "" || r.misses == "" {
				t.Fatal("a rule without texts of its own")
			}
			for marked := range strings.SplitSeq(r.hits, "|") {
				text, start, end := hitText(t, marked)
				found := false
				for _, h := range alone(&r, text, true) {
					found = found || h.start == start && h.end == end
				}
				if !found {
					t.Errorf("%q is not found by its rule: %v", marked, alone(&r, text, true))
				}
				if r.words != "" && start > 0 && !seen(Find(text, nil), r.kind, start, end) && r.best() >= Threshold && beside(&r, text, start) {
					t.Errorf("%q is not found without naming the kind", marked)
				}
			}
			for text := range strings.SplitSeq(r.misses, "|") {
				if h := alone(&r, text, true); len(h) != 0 {
					t.Errorf("in %q it finds %q", text, text[h[0].start:h[0].end])
				}
			}
		})
	}
}

// TestMasksAllHit: each mask of a rule matches one of the rule's texts.
func TestMasksAllHit(t *testing.T) {
	for _, r := range rules() {
		for _, src := range r.masks {
			one := r
			one.masks = []string{src}
			found := false
			for marked := range strings.SplitSeq(r.hits, "|") {
				text, _, _ := hitText(t, marked)
				found = found || len(alone(&one, text, true)) > 0
			}
			if !found {
				t.Errorf("%s: no text shows %q", r.kind, src)
			}
		}
	}
}

// seen reports whether a datum of the kind was found from start to end.
func seen(found []detect.Span, kind string, start, end int) bool {
	return slices.ContainsFunc(found, func(f detect.Span) bool { return f.Kind == kind && f.Start == start && f.End == end })
}

// beside reports whether one of the rule's words stands before start.
func beside(r *rule, text string, start int) bool {
	s := newScan(text, nil)
	return slices.ContainsFunc(strings.Split(r.words, "|"), func(w string) bool {
		before := s.before(start)
		return holds(before, text[start-len(before):start], []byte(w))
	})
}

// TestMasksBegin: a mask begins with a digit, a letter or a sign in every
// text it matches, or the index would file it in one place of two.
func TestMasksBegin(t *testing.T) {
	for _, r := range rules() {
		for _, src := range r.masks {
			first := newMask(src)[0]
			alnum, other := false, false
			for c := range 256 {
				if first.set.has(byte(c)) {
					alnum = alnum || isAlnum(byte(c))
					other = other || !isAlnum(byte(c))
				}
			}
			if first.min == 0 || alnum && other {
				t.Errorf("%s: %q begins in two ways", r.kind, src)
			}
		}
	}
}
