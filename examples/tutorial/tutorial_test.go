// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package tutorial_test runs the cases of the tutorial.
package tutorial_test

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/holdfast-dev/holdfast/policytest"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

func TestPolicies(t *testing.T) {
	cases, err := filepath.Glob("*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("found %d cases, %v", len(cases), err)
	}
	for _, name := range cases {
		t.Run(name, func(t *testing.T) {
			policytest.Run(t, name, &policytest.Options{Update: *update})
		})
	}
}
