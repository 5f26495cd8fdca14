// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package ruletest is for the tests of rules about code: that a package finds
// what its rules say, in the right places, and takes any text.
package ruletest

import (
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/coderule"
)

// A Finder is what a package finds in a text.
type Finder func(text string) ([]detect.Span, error)

// Kinds returns the kinds of what is found, in order. An error fails the test.
func (find Finder) Kinds(t testing.TB, text string) []string {
	t.Helper()
	spans, err := find(text)
	if err != nil {
		t.Errorf("%q: %v", text, err)
	}
	var out []string
	for _, s := range spans {
		out = append(out, s.Kind)
	}
	return out
}

// Rules tests that every rule is told as it should be, finds its texts, and
// nothing in those that only look as if.
func (find Finder) Rules(t *testing.T, prefix string, rules []coderule.Rule) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range rules {
		if !strings.HasPrefix(r.ID, prefix) || seen[r.ID] || r.Description == "" || len(r.Match) == 0 || len(r.NoMatch) == 0 ||
			!slices.Contains([]string{"error", "warning", "info"}, r.Severity) || r.CWE != "" && !strings.HasPrefix(r.CWE, "CWE-") {
			t.Errorf("%s is not told as a rule should be", r.ID)
		}
		seen[r.ID] = true
		for _, text := range r.Match {
			if got := find.Kinds(t, text); !slices.Contains(got, r.ID) {
				t.Errorf("%s: not found in %q, but %q", r.ID, text, got)
			}
		}
		for _, text := range r.NoMatch {
			if got := find.Kinds(t, text); slices.Contains(got, r.ID) {
				t.Errorf("%s: found in %q", r.ID, text)
			}
		}
	}
}

// Check tests what must hold of the spans of any text, and returns them. A
// text that cannot be read has none.
func (find Finder) Check(t testing.TB, text string) []detect.Span {
	t.Helper()
	spans, err := find(text)
	if err != nil {
		return nil
	}
	for _, s := range spans {
		if s.Start < 0 || s.End < s.Start || s.End > len(text) || s.Text == "" || s.Severity == "" {
			t.Fatalf("%+v in a text of %d bytes", s, len(text))
		}
	}
	return spans
}

// Fuzz checks texts that begin as those of the rules, whole and in part.
func (find Finder) Fuzz(f *testing.F, rules []coderule.Rule) {
	for _, r := range rules {
		for _, text := range slices.Concat(r.Match, r.NoMatch) {
			f.Add(text)
			f.Add(text[:len(text)*2/3])
			f.Add(text[len(text)/3:])
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			t.Skip("long enough elsewhere")
		}
		find.Check(t, text)
	})
}

// Places tests that in each text one thing is found, and is what stands beside
// it.
func (find Finder) Places(t *testing.T, places map[string]string) {
	t.Helper()
	for text, want := range places {
		spans := find.Check(t, text)
		if len(spans) != 1 || text[spans[0].Start:spans[0].End] != want {
			t.Errorf("%q: %v", text, spans)
		}
	}
}

// Nothing tests that nothing is found in texts.
func (find Finder) Nothing(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if got := find.Kinds(t, text); len(got) > 0 {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Bench measures how long it takes to look at a text two hundred times.
func (find Finder) Bench(b *testing.B, piece string) {
	b.Helper()
	text := strings.Repeat(piece, 200)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := find(text); err != nil {
			b.Fatal(err)
		}
	}
}
