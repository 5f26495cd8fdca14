// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"bufio"
	"encoding/json"
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

// errorsOf leaves the warnings out.
func errorsOf(list diag.List) diag.List {
	var out diag.List
	for _, d := range list {
		if d.Severity == diag.Error {
			out = append(out, d)
		}
	}
	return out
}

// shared opens a file of the data that stands beside the repository.
func shared(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", path))
	if err != nil {
		t.Skipf("shared data is not here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
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
