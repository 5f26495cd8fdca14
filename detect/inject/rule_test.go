// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"slices"
	"testing"
)

// seen reports whether a rule has a signal in a text.
func seen(t *testing.T, text, id string) bool {
	t.Helper()
	signals, err := book().read(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(signals, func(s signal) bool { return book().rules[s.rule].ID == id })
}

func TestRules(t *testing.T) {
	if len(Rules()) > maxRules {
		t.Errorf("%d rules, there is room for %d", len(Rules()), maxRules)
	}
	ids := map[string]bool{}
	for _, r := range Rules() {
		if ids[r.ID] || !slices.Contains(injectionKinds, r.Kind) || !(r.Weight > 0 && r.Weight < 1) || len(r.Match) == 0 || len(r.NoMatch) == 0 {
			t.Errorf("the rule %s is not complete", r.ID)
		}
		ids[r.ID] = true
		for _, text := range r.Match {
			if !seen(t, text, r.ID) {
				t.Errorf("%s does not see %q", r.ID, text)
			}
		}
		for _, text := range r.NoMatch {
			if seen(t, text, r.ID) {
				t.Errorf("%s sees %q", r.ID, text)
			}
		}
	}
}
