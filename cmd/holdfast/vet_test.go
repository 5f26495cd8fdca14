// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What vet prints for programs is what docs/vet.schema.json says.
func TestVetSchema(t *testing.T) {
	t.Chdir(root)
	schema, err := jsonschema.NewCompiler().Compile("docs/vet.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(t.TempDir(), "own.gr")
	text := "import json\nraise \"x\" if:\n    (c: ToolCall)\n    c is tool:a\n    c is tool:b\n"
	if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"vet", own, "--format", "json"},
		{"vet", own, "--format", "json", "--fix"},
		{"vet", "examples/quickstart/policy.gr", "--tools", "testdata/vet/tools.json", "--format", "json"},
	} {
		var out, errs strings.Builder
		run(args, strings.NewReader(""), &out, &errs)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out.String()))
		if err != nil {
			t.Fatalf("%v: %v\n%s%s", args, err, out.String(), errs.String())
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out.String())
		}
	}
}

// TestVetIsSilent vets the policies of this repository, which are right.
func TestVetIsSilent(t *testing.T) {
	var policies []string
	for _, dir := range []string{"examples", "policies"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == policyExt && !strings.Contains(path, ".printed.") {
				path, err = filepath.Rel(root, path)
				policies = append(policies, filepath.ToSlash(path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(policies) < 5 {
		t.Fatalf("found %d policies", len(policies))
	}
	t.Chdir(root)
	for _, path := range policies {
		var out, errs strings.Builder
		if code := run([]string{"vet", path}, strings.NewReader(""), &out, &errs); code != exitClean {
			t.Errorf("%s: got exit code %d\n%s%s", path, code, out.String(), errs.String())
		}
	}
}
