// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/syntax"
)

// load parses and checks a policy as a compiler does: all mistakes together.
func load(name, src string, cfg *check.Config) (*check.Program, diag.List) {
	file, list := syntax.Parse(diag.NewFile(name, []byte(src)))
	prog, more := check.Check(file, cfg)
	list = append(list, more...).Sorted()
	if list.HasErrors() {
		prog = nil
	}
	return prog, list
}

// shared opens a file of the data that stands beside the repository.
func shared(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", path))
	if err != nil {
		t.Skipf("shared data is not here: %v", err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// rows reads JSON lines.
func rows[T any](t *testing.T, f *os.File) []T {
	t.Helper()
	var out []T
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var row T
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestConformanceCasesLoad(t *testing.T) {
	type row struct {
		Name   string
		Policy string
		Expect struct {
			LoadError bool `json:"load_error"`
		}
	}
	for _, r := range rows[row](t, shared(t, "conformance/cases.jsonl")) {
		t.Run(r.Name, func(t *testing.T) { wantLoad(t, r.Policy, !r.Expect.LoadError) })
	}
}

func wantLoad(t *testing.T, policy string, want bool) {
	t.Helper()
	prog, list := load("policy.gr", policy, nil)
	if got := prog != nil; got != want {
		t.Errorf("loads: got %v, want %v\n%v\n%s", got, want, list, policy)
	}
}

func TestPlaygroundPoliciesLoad(t *testing.T) {
	var rows []struct{ Name, Policy string }
	if err := json.NewDecoder(shared(t, "data/invariant/playground-examples.json")).Decode(&rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		t.Run(r.Name, func(t *testing.T) { wantLoad(t, r.Policy, true) })
	}
}

// refusedHere are the rows of the public analyzer's own tests that it answers
// and that do not load here, with the reason.
var refusedHere = map[string]string{
	"test_try_import_os": "the module os does not exist; the public analyzer finds it missing when the rule runs",
}

func TestPublicAnalyzersPoliciesLoad(t *testing.T) {
	type row struct{ Test, Kind, Policy, Exception string }
	for _, r := range rows[row](t, shared(t, "data/invariant/analyzer_conformance_public.jsonl")) {
		name := r.Test[strings.LastIndex(r.Test, "::")+2:]
		t.Run(name, func(t *testing.T) {
			refused := r.Kind == "parse_error" || refusedHere[name] != "" ||
				r.Exception == "ExcessivePolicyError" || r.Exception == "InvariantAttributeError"
			wantLoad(t, r.Policy, !refused)
		})
	}
}

// TestPapersListings loads the listings as printed. Three of them hold
// mistakes, which must be told apart from each other.
func TestPapersListings(t *testing.T) {
	src, err := io.ReadAll(shared(t, "paper/listings.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"",
		"",
		`3:21: P0201: "f" is not defined`,
		"3:1: P0109: body of the rule is not indented; 8:5: P0108: unexpected indent",
		`4:5: P0201: "output" is not defined; 5:5: P0201: "call2" is not defined; 7:26: P0203: type ToolCall has no field "recipient"`,
	}
	for i, part := range strings.Split(string(src), "```")[1:] {
		if i%2 == 1 {
			continue
		}
		_, list := load("p", part, nil)
		got := strings.ReplaceAll(strings.ReplaceAll(list.Error(), "p:", ""), "\n", "; ")
		if got != want[i/2] {
			t.Errorf("listing %d: got %s, want %s", i/2+1, got, want[i/2])
		}
	}
}
