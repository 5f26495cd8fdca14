// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package coverage_test

import (
	"testing"
	"testing/fstest"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/coverage"
	"github.com/holdfast-dev/holdfast/internal/difftest"
	"github.com/holdfast-dev/holdfast/trace"
)

// TestRandomPolicies holds what is seen of random policies against what a
// monitor says: a rule is violated as often.
func TestRandomPolicies(t *testing.T) {
	lib := fstest.MapFS{"lib.gr": {Data: []byte("WHO := [\"bob\", \"a\"]\nsends(c: ToolCall) := c is tool:send\n")}}
	seen := 0
	for n := range uint64(400) {
		random := difftest.Generate(3, n)
		policy, err := holdfast.Compile("policy.gr", []byte(random.Policy), &holdfast.Options{Files: lib})
		if err != nil {
			continue
		}
		tr, err := trace.Decode([]byte(random.Trace()), nil)
		if err != nil {
			t.Fatal(err)
		}
		verdict, err := policy.Analyze(t.Context(), tr, nil)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[int]int{}
		for _, c := range verdict.Counts() {
			counts[c.Rule.Line] += int(c.N)
		}
		var c coverage.Collector
		if err := c.Add(t.Context(), policy, nil, nil, tr); err != nil {
			t.Fatal(err)
		}
		for _, p := range c.Parts() {
			if !p.Rule || p.Policy != "policy.gr" {
				continue
			}
			if p.Violated != counts[p.Line] {
				t.Errorf("policy %d, line %d: violated %d times, want %d\n%s", n, p.Line, p.Violated, counts[p.Line], random.Policy)
			}
			seen += p.Violated
		}
	}
	if seen < 100 {
		t.Errorf("%d violations, want many", seen)
	}
}
