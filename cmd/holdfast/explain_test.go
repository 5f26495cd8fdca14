// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"
)

// TestExplainSchema: what explain and eval print for programs is what
// docs/explain.schema.json and docs/eval.schema.json say, for each golden case.
func TestExplainSchema(t *testing.T) {
	explained := mustSchema(t, root+"/docs/explain.schema.json")
	evaluated := mustSchema(t, root+"/docs/eval.schema.json")
	cases, err := filepath.Glob(root + "/testdata/explain/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("got %d cases (%v)", len(cases), err)
	}
	for _, name := range cases {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		policy, run := filepath.Join(dir, "case.gr"), filepath.Join(dir, "run.json")
		writeGolden(t, policy, string(archive.Files[0].Data))
		writeGolden(t, run, string(archive.Files[1].Data))
		for _, f := range archive.Files[3:] {
			writeGolden(t, filepath.Join(dir, f.Name), string(f.Data))
		}
		fits(t, explained, "explain", policy, run, "--format", "json")
		fits(t, evaluated, "eval", "(c: ToolCall).arguments.to", run, "--format", "json")
	}
}

func mustSchema(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// fits runs a command and holds its output to a schema.
func fits(t *testing.T, schema *jsonschema.Schema, args ...string) {
	t.Helper()
	var stdout, stderr strings.Builder
	if code := run(args, strings.NewReader(""), &stdout, &stderr); code == exitUsage || code == exitFailure {
		t.Fatalf("%v: exit code %d\n%s", args, code, &stderr)
	}
	object, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout.String()))
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	if err := schema.Validate(object); err != nil {
		t.Errorf("%v: %v\n%s", args, err, &stdout)
	}
}
