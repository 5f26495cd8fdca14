// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"slices"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

func mustFind(t *testing.T, text string) []detect.Span {
	t.Helper()
	found, err := Find(text)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func has(found []detect.Span, id string) bool {
	return slices.ContainsFunc(found, func(s detect.Span) bool { return s.Kind == id })
}

// TestRules tries every rule on its own texts.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		if seen[r.ID] || r.CWE == "" || r.Description == "" || len(r.Match) == 0 || len(r.NoMatch) == 0 || !slices.Contains([]string{"error", "warning", "info"}, r.Severity) {
			t.Errorf("%s is incomplete, or there twice", r.ID)
		}
		seen[r.ID] = true
		for _, text := range r.Match {
			if found := mustFind(t, text); !has(found, r.ID) {
				t.Errorf("%s does not find %q, but %v", r.ID, text, found)
			}
		}
		for _, text := range r.NoMatch {
			if found := mustFind(t, text); has(found, r.ID) {
				t.Errorf("%s finds something in %q: %v", r.ID, text, found)
			}
		}
	}
}
