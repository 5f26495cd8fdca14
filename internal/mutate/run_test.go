// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package mutate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/mutate"
	"github.com/holdfast-dev/holdfast/policytest"
)

// TestMarksAreTried runs mutants that a comment calls equivalent.
func TestMarksAreTried(t *testing.T) {
	for condition, want := range map[string]string{
		"c is tool:a and len(c.name) > 0 # equivalent: drop a call has a name": "",
		"c is tool:a # equivalent: drop it is always so":                       `p.gr:3: reading a comment: the mutant "drop" in the line that it is about is noticed, by case: b`,
		// Of two mutants one is noticed: the mark is for the other.
		"len(c.name) < 3 # equivalent: bound no name has two letters": "",
	} {
		policy := "raise \"x\" if:\n    (c: ToolCall)\n    " + condition + "\n"
		cases, err := policytest.Cases("case", []byte("-- policy --\n"+policy+
			"-- case a --\n-- trace --\n[{\"function\": {\"name\": \"a\", \"arguments\": {}}}]\n-- want --\ndeny at 0: x (c=0)\n"+
			"-- case b --\n-- trace --\n[{\"function\": {\"name\": \"bbb\", \"arguments\": {}}}]\n-- want --\nallow\n"))
		if err != nil {
			t.Fatal(err)
		}
		s := mutate.Subject{Policy: diag.NewFile("p.gr", []byte(policy))}
		for _, c := range cases {
			s.Tests = append(s.Tests, mutate.Test{Case: c, Options: &policytest.Options{}, Name: "policy"})
		}
		_, err = s.Run(context.Background(), func(ctx context.Context, c *policytest.Case, opts *policytest.Options) bool {
			return len(c.Check(ctx, opts)) == 0
		})
		if err != nil && want == "" || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", condition, err, want)
		}
	}
}
