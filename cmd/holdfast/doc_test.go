// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// What doc prints for programs is what docs/doc.schema.json says, and what it
// prints for people holds no more lines than were asked for.
func TestDoc(t *testing.T) {
	dir := t.TempDir()
	const hostile = "# title: a \u202e|b` ![x](y) ##[error] \U000E0041\nraise \"x | \\n # y\" if:\n    (c: ToolCall)\n    c.name == input.a\n"
	if err := os.WriteFile(filepath.Join(dir, "hostile.gr"), []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "inputs.gr"), []byte("# A | `b`.\ninput x: float = 1\ninput y: dict = {a: \"`|\"}\ninput z: list[int]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile(root + "/docs/doc.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, name := range []string{"hostile.gr", "inputs.gr", "holdfast.policies.exfiltration", "."} {
		var out, stderr strings.Builder
		if got := run([]string{"doc", name, "--format", "json"}, strings.NewReader(""), &out, &stderr); got != exitClean {
			t.Fatalf("%s: got exit code %d: %s", name, got, &stderr)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out.String()))
		if err == nil {
			err = schema.Validate(doc)
		}
		if err != nil || strings.ContainsAny(out.String(), "\u202e\U000E0041") {
			t.Errorf("%s: %v\n%s", name, err, &out)
		}
		out.Reset()
		if got := run([]string{"doc", name}, strings.NewReader(""), &out, &stderr); got != exitClean {
			t.Fatalf("%s: got exit code %d: %s", name, got, &stderr)
		}
		if text := out.String(); strings.ContainsAny(text, "\u202e\U000E0041") || strings.Contains(text, "##[") || strings.Contains(text, "\n# y") {
			t.Errorf("%s: got\n%s", name, text)
		}
	}
}
