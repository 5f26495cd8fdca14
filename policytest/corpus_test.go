// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest_test

import (
	"flag"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/policytest"
	"github.com/holdfast-dev/holdfast/script"
)

var update = flag.Bool("update", false, "rewrite the section want of the corpus's cases")

const corpus = "../testdata/spec"

// TestCorpus runs every case of the corpus every way.
func TestCorpus(t *testing.T) {
	opts := &policytest.Options{
		Update:  *update,
		Compile: &holdfast.Options{Scripts: script.Load},
	}
	n := 0
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		n++
		name, _ := strings.CutPrefix(filepath.ToSlash(path), corpus+"/")
		t.Run(strings.TrimSuffix(name, ".txtar"), func(t *testing.T) {
			policytest.Run(t, path, opts)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 120 {
		t.Errorf("got %d cases, want at least 120", n)
	}
}
