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

// What diff prints for programs is what docs/diff.schema.json says, with
// changes, without, and with traces that cannot be read.
func TestDiffJSON(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"old.gr":    "raise \"x\" if:\n    (c: ToolCall)\n    c is tool:send\n",
		"new.gr":    "raise \"y\" if:\n    (c: ToolCall)\n    c is tool:read\n",
		"runs.json": `[{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "se\u202end", "arguments": {}}}, {"id": "2", "type": "function", "function": {"name": "send", "arguments": {}}}]}]`,
		"bad.json":  `[{"role": 7}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := jsonschema.NewCompiler().Compile(root + "/docs/diff.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for args, code := range map[string]int{
		"diff old.gr new.gr runs.json": exitClean, "diff old.gr old.gr runs.json": exitClean, "diff old.gr new.gr runs.json bad.json": exitFailure,
	} {
		var out, stderr strings.Builder
		if got := run(append(strings.Fields(args), "--format", "json"), strings.NewReader(""), &out, &stderr); got != code {
			t.Errorf("%s: got exit code %d: %s", args, got, &stderr)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out.String()))
		if err == nil {
			err = schema.Validate(doc)
		}
		if err != nil || strings.Contains(out.String(), "\u202e") {
			t.Errorf("%s: %v\n%s", args, err, &out)
		}
	}
}
