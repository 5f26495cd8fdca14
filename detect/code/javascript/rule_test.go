// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import (
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

func kinds(t *testing.T, text string) []string {
	t.Helper()
	spans, err := Find(text)
	if err != nil {
		t.Errorf("%q: %v", text, err)
	}
	var out []string
	for _, s := range spans {
		out = append(out, s.Kind)
	}
	return out
}

// TestRules: every rule finds its texts, and nothing in those that only look
// as if.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if !strings.HasPrefix(r.ID, "javascript-") || seen[r.ID] || r.Description == "" || len(r.Match) == 0 || len(r.NoMatch) == 0 ||
			!slices.Contains([]string{"error", "warning", "info"}, r.Severity) || r.CWE != "" && !strings.HasPrefix(r.CWE, "CWE-") {
			t.Errorf("%s is not told as a rule should be", r.ID)
		}
		seen[r.ID] = true
		for _, text := range r.Match {
			if got := kinds(t, text); !slices.Contains(got, r.ID) {
				t.Errorf("%s: not found in %q, but %q", r.ID, text, got)
			}
		}
		for _, text := range r.NoMatch {
			if got := kinds(t, text); slices.Contains(got, r.ID) {
				t.Errorf("%s: found in %q", r.ID, text)
			}
		}
	}
}

// check tests what must hold of the spans of any text.
func check(t *testing.T, text string) []detect.Span {
	t.Helper()
	spans, err := Find(text)
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

func FuzzFind(f *testing.F) {
	for _, r := range Rules() {
		for _, text := range append(r.Match, r.NoMatch...) {
			f.Add(text)
			f.Add(text[:len(text)*2/3])
			f.Add(text[len(text)/3:])
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			t.Skip("long enough elsewhere")
		}
		check(t, text)
	})
}
