// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// sharedFile returns the path of a file of the shared data, or skips.
func sharedFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared data is absent: %v", err)
	}
	return path
}

// sharedRows decodes a file of JSON lines.
func sharedRows[T any](t *testing.T, name string) []T {
	t.Helper()
	src, err := os.ReadFile(sharedFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	var rows []T
	for line := range strings.Lines(string(src)) {
		var row T
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// parsesCleanly fails the test if src has mistakes.
func parsesCleanly(t *testing.T, name, src string) {
	t.Helper()
	file, list := syntax.Parse(diag.NewFile(name, []byte(src)))
	if len(list) > 0 {
		t.Errorf("%s\n%s", render(list), src)
	}
	if len(file.Stmts) == 0 && strings.TrimSpace(src) != "" {
		t.Errorf("%s: got no statements\n%s", name, src)
	}
}

func TestParsePlayground(t *testing.T) {
	src, err := os.ReadFile(sharedFile(t, "data/invariant/playground-examples.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct{ Name, Policy string }
	if err := json.Unmarshal(src, &examples); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range examples {
		if e.Policy != "" {
			parsesCleanly(t, e.Name, e.Policy)
			n++
		}
	}
	if n < 16 {
		t.Errorf("got %d policies, want 16", n)
	}
}

func TestParseConformance(t *testing.T) {
	type row struct {
		Name, Policy string
		Expect       struct {
			LoadError bool `json:"load_error"`
		}
	}
	// These load errors are mistakes of form; the others are the checker's.
	malformed := map[string]string{"errors/unclosed": "P0112", "errors/empty-body": "P0110"}
	for _, r := range sharedRows[row](t, "conformance/cases.jsonl") {
		code, bad := malformed[r.Name]
		if !bad {
			parsesCleanly(t, r.Name, r.Policy)
			continue
		}
		_, list := syntax.Parse(diag.NewFile(r.Name, []byte(r.Policy)))
		if len(list) != 1 || list[0].Code != code {
			t.Errorf("%s: got %v, want one %s", r.Name, list, code)
		}
	}
}

func TestParsePublicPolicies(t *testing.T) {
	type row struct{ Test, Kind, Policy string }
	for _, r := range sharedRows[row](t, "data/invariant/analyzer_conformance_public.jsonl") {
		if strings.HasPrefix(r.Kind, "analyze") {
			parsesCleanly(t, r.Test, r.Policy)
		}
	}
}

func TestParsePaper(t *testing.T) {
	src, err := os.ReadFile(sharedFile(t, "paper/listings.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(src), "```")
	for i := 1; i < len(blocks); i += 2 {
		n := (i + 1) / 2
		file, list := syntax.Parse(diag.NewFile("listing", []byte(strings.TrimPrefix(blocks[i], "\n"))))
		switch {
		case n == 4 && (len(list) != 2 || list[0].Code != "P0109" || list[1].Code != "P0108"):
			t.Errorf("listing 4: got %v, want P0109 and P0108", list)
		case n == 4:
			if got := len(file.Stmts[0].(*syntax.Rule).Body); got != 4 {
				t.Errorf("listing 4: got %d conditions, want 4", got)
			}
		case len(list) > 0:
			t.Errorf("listing %d: %s", n, render(list))
		}
	}
}

// render returns what a person would read.
func render(list diag.List) string {
	var b strings.Builder
	if err := diag.Render(&b, list); err != nil {
		panic(err)
	}
	return b.String()
}
