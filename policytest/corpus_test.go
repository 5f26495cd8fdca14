// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/policytest"
	"github.com/holdfast-dev/holdfast/script"
)

var update = flag.Bool("update", false, "rewrite the section want of the corpus's cases")

const corpus = "../testdata/spec"

// TestEveryFunctionHasCases: ten at least for each function, among them what it
// makes of None, of what is absent and, if it asks somebody, of an error and a
// timeout.
func TestEveryFunctionHasCases(t *testing.T) {
	for _, f := range builtin.Functions() {
		name := f.Name
		if f.Module == "json" {
			name = "json-" + name
		}
		file := corpus + "/builtins/functions/" + name + ".txtar"
		src, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		cases, err := policytest.Cases(file, src)
		if err != nil || len(cases) < 10 {
			t.Errorf("%s: %d cases, %v", file, len(cases), err)
		}
		wanted := []string{"None", "absent"}
		if f.Asks != "" {
			wanted = append(wanted, "error", "timeout")
		}
		for _, title := range wanted {
			if !slices.ContainsFunc(cases, func(c *policytest.Case) bool { return strings.HasSuffix(c.Name, ": "+title) }) {
				t.Errorf("%s: there is no case %q", file, title)
			}
		}
	}
}

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
