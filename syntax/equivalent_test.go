// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// mustParse parses a source without mistakes.
func mustParse(t *testing.T, src string) *syntax.File {
	t.Helper()
	tree, list := syntax.Parse(diag.NewFile("x.gr", []byte(src)))
	if list.HasErrors() {
		t.Fatalf("%v\n%s", list, src)
	}
	return tree
}

func TestEquivalent(t *testing.T) {
	for name, pair := range map[string][2]string{
		"layout":         {"X := [1, 2]\n", "X :=\n  [ 1,\n2 ]"},
		"quotes":         {`X := 'a"\x41' 'b'`, `X := "a\"A" "b"`},
		"triple":         {`X := 'a\nb'`, "X := \"\"\"a\nb\"\"\""},
		"template":       {`X := f'a {x} \''`, `X := f"a { x } '"`},
		"imports":        {"import b # b\nfrom ./l import x\nfrom m import z\nimport a\nimport 'r'\n", "import a\nimport b # b\nfrom m import z\nfrom ./l import x\nimport 'r'"},
		"names":          {"from m import b as x, a, b", "from m import a, b, b as x"},
		"names' remarks": {"from m import ( # m\nb, # b\na # a\n)", "from m import ( # m\na, # a\nb # b\n)"},
		"comment":        {"X := 1 # a  \n  # b\nraise 'x' if:\n  a\n", "X := 1     # a\n# b\nraise 'x' if:\n  a\n"},
		"mark":           {"\uFEFFX := 1", "X := 1"},
	} {
		a, b := mustParse(t, pair[0]), mustParse(t, pair[1])
		if err := syntax.Equivalent(a, b); err != nil {
			t.Errorf("%s: got %v", name, err)
		}
		if err := syntax.Equivalent(b, a); err != nil {
			t.Errorf("%s, turned round: got %v", name, err)
		}
	}
}

// TestNotEquivalent has what a formatter must not do.
func TestNotEquivalent(t *testing.T) {
	for name, c := range map[string]struct{ a, b, at string }{
		"value":             {`X := "\d"`, `X := "\\\d"`, "1:1"},
		"prefix":            {`X := r"\n"`, `X := "\n"`, "1:1"},
		"format":            {`X := f"{x:>3}"`, `X := f"{x:<3}"`, "1:1"},
		"joined literals":   {`X := "a" "b"`, `X := "ab"`, "1:6"},
		"last comma":        {"X := [1, 2,]", "X := [1, 2]", "1:11"},
		"number":            {"X := 1000", "X := 1_000", "1:6"},
		"parentheses":       {"X := (1)", "X := 1", "1:1"},
		"order":             {"X := 1\nY := 2", "Y := 2\nX := 1", "1:1"},
		"statement lost":    {"X := 1\nY := 2", "X := 1", "2:1"},
		"statement more":    {"X := 1", "X := 1\nY := 2", "1:1"},
		"of nothing":        {"", "X := 1", "1:1"},
		"rules' order":      {"import 'a'\nimport 'b'", "import 'b'\nimport 'a'", "1:1"},
		"over a blank line": {"import b\n\nimport a", "import a\n\nimport b", "1:1"},
		"over a comment":    {"import b\n#\nimport a", "import a\n#\nimport b", "1:1"},
		"over a statement":  {"import b\nX := 1\nimport a", "import a\nX := 1\nimport b", "1:1"},
		"import lost":       {"import a\nimport b", "import a", "2:1"},
		"import twice":      {"import a\nimport a", "import a", "2:1"},
		"alias":             {"import a as b", "import a as c", "1:1"},
		"name lost":         {"from m import a, b", "from m import a", "1:1"},
		"import's comment":  {"import a # a\nimport b", "import a\nimport b # a", "1:1"},
		"name's comment":    {"from m import (a, # a\nb)", "from m import (a,\nb # a\n)", "1:1"},
		"own in names":      {"from m import (\n# a\na, b)", "from m import (a,\n# a\nb)", "1:1"},
		"comment lost":      {"X := 1 # a", "X := 1", "1:8"},
		"comment's text":    {"X := 1 # a", "X := 1 #a", "1:8"},
		"comment's line":    {"X := [1 # a\n]", "X := [1\n# a\n]", "1:9"},
		"comment's token":   {"X := [1, # a\n2]", "X := [1 # a\n, 2]", "1:8"},
		"id's comment":      {"# id: a\nraise 'x' if:\n  a", "# id: a\n\nraise 'x' if:\n  a", "2:1"},
	} {
		err := syntax.Equivalent(mustParse(t, c.a), mustParse(t, c.b))
		if err == nil || !strings.HasPrefix(err.Error(), "x.gr:"+c.at+": ") {
			t.Errorf("%s: got %v, want a difference at %s", name, err, c.at)
		}
	}
}

func TestTokens(t *testing.T) {
	tree := mustParse(t, "import a\nX := [ 'a\\x41' r\"\\d\", # c\n  f'{x [1]:>3}!', 1_0 ]\n")
	want := []string{"X", ":=", "[", `"aA"`, `"\\d"`, ",", `(f (:">3" (index x 1)) "!")`, ",", "1_0", "]"}
	if got := syntax.Tokens(tree.Stmts[1]); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
