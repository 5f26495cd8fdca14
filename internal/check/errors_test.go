// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/chunk"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// library are the files that tests import.
var library = map[string]string{
	"lib": `
LIMIT := 3
p(c) := c.name == NAME
NAME := "a"
# A rule here is not loaded, and not checked either.
raise nothing if:
    nowhere
`,
	"loop": "from ./pool import q\np(c) := q(c)",
	"pool": "from ./loop import p\nq(c) := p(c)",
	"mail": `
# Where mail may go.
input domains: list[str]
input limit: float = 1
raise "mail" if:
    (c: ToolCall)
    c.arguments.n > input.limit and c.arguments.to in input.domains
`,
	"plain":  "raise \"plain\" if:\n    (c: ToolCall)\n    c.name == input.anything\n",
	"ring":   "import \"./rang\"\nraise \"ring\" if:\n    (c: ToolCall)\n    c.name == \"x\"\n",
	"rang":   "import \"./ring\"\nraise \"rang\" if:\n    (c: ToolCall)\n    c.name == \"x\"\n",
	"names":  "p(c) := c.name == \"x\"",
	"wants":  "input domains: int\np(c) := c.name == \"x\" and input.domains == 3",
	"broken": "p(c) :=\nq(c) := nobody(c)",
}

// config reads the library, and scripts of one function.
func config(limits check.Limits) *check.Config {
	return &check.Config{
		Import: func(_ *syntax.File, name string) (*syntax.File, map[string]*builtin.Func, error) {
			name = path.Clean(name)
			if name == "script" {
				f := &builtin.Func{Name: "odd", Params: []builtin.Param{{Name: "n", Type: value.IntType}}, Result: value.BoolType, Kind: builtin.Effect, Impl: yes}
				return nil, map[string]*builtin.Func{"odd": f}, nil
			}
			src, ok := library[name]
			if !ok {
				return nil, nil, errors.New("no such file")
			}
			file, list := syntax.Parse(diag.NewFile(name+".gr", []byte(src)))
			if list.HasErrors() {
				return nil, nil, list
			}
			return file, nil, nil
		},
		Detectors: []string{"pii", "secrets"},
		Limits:    limits,
	}
}

// yes is a body that no test calls.
func yes(*builtin.Call) *value.Value { return value.TrueV }

func TestErrors(t *testing.T) {
	files, err := filepath.Glob("../../testdata/errors/check/*.gr")
	if err != nil || len(files) == 0 {
		t.Fatalf("looking for error files: %d files, error %v", len(files), err)
	}
	met := map[string]bool{}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			cfg := config(check.Limits{})
			if filepath.Base(name) == "rule-count.gr" {
				cfg.Limits.Rules = 4
			}
			for _, code := range chunk.Check(t, name, func(f *diag.File) diag.List {
				file, list := syntax.Parse(f)
				_, more := check.Check(file, cfg)
				return append(list, more...)
			}) {
				met[code] = true
			}
		})
	}
	for _, doc := range diag.Codes() {
		// From P0350 on the codes are package compile's.
		if ours := "P0200" <= doc.Code && doc.Code < "P0350"; ours && !met[doc.Code] {
			t.Errorf("no case for %s: %s", doc.Code, doc.Title)
		}
	}
	for code := range met {
		if _, ok := diag.Lookup(code); !ok {
			t.Errorf("code %s is not documented", code)
		}
	}
}

func TestErrorsComeInOrder(t *testing.T) {
	_, list := load("policy.gr", "p(c) := q(c)\nraise x if:\n    (m: Mesage)\n    y == m.role\n", nil)
	var got []int
	for _, d := range list {
		line, _ := d.Span.Position()
		got = append(got, line)
	}
	if want := []int{1, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("lines: got %v, want %v\n%v", got, want, list)
	}
}

func TestErrorsOfImportedFiles(t *testing.T) {
	prog, list := load("policy.gr", "from ./broken import p, q\nraise \"x\" if:\n    (c: ToolCall)\n    p(c)\n    q(c)\n", config(check.Limits{}))
	if prog != nil || len(list) != 1 || !strings.HasPrefix(list.Error(), "broken.gr:1:1: P01") {
		t.Errorf("got %v, want the syntax error of the imported file alone", list)
	}
}

func TestImportCycle(t *testing.T) {
	prog, list := load("policy.gr", "from ./loop import p\nraise \"x\" if:\n    (c: ToolCall)\n    p(c)\n", config(check.Limits{}))
	want := "pool.gr:1:6: P0208: files import each other: loop -> pool -> loop"
	if prog != nil || list.Error() != want {
		t.Errorf("got %v, want %s", list, want)
	}
}

func TestScriptFunctions(t *testing.T) {
	prog, list := load("policy.gr", "from ./script import odd\nraise \"x\" if:\n    (n: int)\n    odd(n)\n", config(check.Limits{}))
	if len(list) != 0 {
		t.Fatal(list)
	}
	if !prog.Rules[0].External {
		t.Error("a rule that calls an effectful function must be external")
	}
}

func TestEmbeddersFunctions(t *testing.T) {
	cfg := &check.Config{Funcs: map[string]*builtin.Func{
		"lookup": {Name: "lookup", Params: []builtin.Param{{Name: "x", Type: value.StrType}}, Result: value.MessageType},
	}}
	prog, list := load("policy.gr", "raise \"x\" if:\n    (c: ToolCall)\n    lookup(c.name).role == \"user\"\n", cfg)
	if len(list) != 0 {
		t.Fatal(list)
	}
	for m, got := range prog.Members {
		if m.Name.Name == "role" && got.Field != -1 {
			t.Error("a function of the embedder's returns what it likes: its fields must be read by name")
		}
	}
}

// chunks returns the inputs of all files of mistakes.
func chunks(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/errors/*/*.gr")
	if err != nil || len(files) == 0 {
		t.Fatalf("looking for error files: %d files, error %v", len(files), err)
	}
	var out []string
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Split(string(src), "\n---\n")...)
	}
	return out
}
