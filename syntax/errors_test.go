// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/chunk"
	"github.com/holdfast-dev/holdfast/syntax"
)

// errorFiles are the files of mistakes of form.
func errorFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("../testdata/errors/syntax/*.gr")
	if err != nil || len(paths) == 0 {
		t.Fatalf("finding files of mistakes: %v, %v", paths, err)
	}
	return paths
}

// mistakes parses a file and returns what is wrong with it.
func mistakes(file *diag.File) diag.List {
	_, list := syntax.Parse(file)
	return list
}

func TestErrors(t *testing.T) {
	met := []string{"P0102"} // needs a mebibyte: TestSourceTooLarge
	for _, path := range errorFiles(t) {
		met = append(met, chunk.Check(t, path, mistakes)...)
	}
	for _, doc := range diag.Codes() {
		if strings.HasPrefix(doc.Code, "P01") && !slices.Contains(met, doc.Code) {
			t.Errorf("code %s (%s) has no case", doc.Code, doc.Title)
		}
	}
	for _, code := range met {
		if _, ok := diag.Lookup(code); !ok {
			t.Errorf("code %s is not documented", code)
		}
	}
}

func TestSourceTooLarge(t *testing.T) {
	src := strings.Repeat("# filler\n", 1<<20/9)
	if _, list := syntax.Parse(diag.NewFile("x.gr", []byte(src))); list != nil {
		t.Errorf("got %v, want no mistakes at %d bytes", list, len(src))
	}
	src += "# more\n# more\n"
	file, list := syntax.Parse(diag.NewFile("x.gr", []byte(src)))
	if file == nil || len(list) != 1 || list[0].Code != "P0102" {
		t.Errorf("got %v, want P0102", list)
	}
}

// TestDepth feeds sources that nest far deeper than any stack would bear.
func TestDepth(t *testing.T) {
	const n = 100_000
	head := "raise 'x' if:\n    "
	for name, src := range map[string]string{
		"parentheses": strings.Repeat("(", n) + "1" + strings.Repeat(")", n),
		"open":        strings.Repeat("(", n),
		"lists":       strings.Repeat("[", n),
		"dicts":       strings.Repeat("{a: ", n),
		"calls":       strings.Repeat("f(", n),
		"indexes":     strings.Repeat("a[", n),
		"not":         strings.Repeat("not ", n) + "x",
		"signs":       strings.Repeat("-", n) + "x",
		"powers":      strings.Repeat("2**", n) + "2",
		"choices":     strings.Repeat("a if b else ", n/2) + "c",
		"members":     "a" + strings.Repeat(".b", n),
		"sums":        "a" + strings.Repeat("+a", n),
		"ors":         "a" + strings.Repeat(" or a", n),
		"chained":     "a" + strings.Repeat(" < a", n),
		"patterns":    "x is tool:y(" + strings.Repeat("{a: ", n),
		"pattern row": "x is tool:y({a: " + strings.Repeat("[", n),
	} {
		t.Run(name, func(t *testing.T) {
			tree, list := syntax.Parse(diag.NewFile("x.gr", []byte(head+src+"\n    y == 1\n")))
			if len(list) == 0 {
				t.Fatal("got no mistakes")
			}
			if h := depth(tree); h > 1300 {
				t.Errorf("got a tree of depth %d", h)
			}
			if name != "open" && name != "chained" && !hasCode(list, "P0118") {
				t.Errorf("got %v, want P0118", list)
			}
		})
	}
}

func TestBlockDepth(t *testing.T) {
	var b strings.Builder
	b.WriteString("raise 'x' if:\n")
	for i := range 1000 {
		b.WriteString(strings.Repeat(" ", i+1) + "exists:\n")
	}
	_, list := syntax.Parse(diag.NewFile("x.gr", []byte(b.String())))
	if len(list) != 1 || list[0].Code != "P0118" {
		t.Errorf("got %v, want P0118 alone", list)
	}
}

// hasCode reports whether a list holds a code.
func hasCode(list diag.List, code string) bool {
	return slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == code })
}

// depth returns how deep a tree is.
func depth(n syntax.Node) int {
	most := 0
	first := true
	syntax.Walk(n, func(c syntax.Node) bool {
		if first {
			first = false
			return true
		}
		most = max(most, depth(c))
		return false
	})
	return most + 1
}

// TestPartialTree checks that what stands around a mistake is read.
func TestPartialTree(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{
			"broken condition", "raise 'x' if:\n    (m: Message)\n    m. == 1\n    m.role == 'user'\n",
			`(raise "x" (var m Message) (== (bad) 1) (== (. m role) "user"))`,
		},
		{
			"unclosed bracket", "raise 'x' if:\n    f(a,\n    m.role == 1 2\nraise 'y' if:\n    true\n",
			"(raise \"x\" (call f a (== (. m role) 1)))\n(raise \"y\" True)",
		},
		{
			"broken head", "raise 'x' if foo bar:\n    a == 1\nX := 2\n",
			"(raise \"x\" foo (== a 1))\n(const X 2)",
		},
		{
			"no statement", "foo bar\nbaz\n  deeper\n\nX := 1\n",
			"(bad)\n(const X 1)",
		},
		{
			"rule inside a rule", "raise 'x' if:\n    a\n    raise 'y' if:\n        b\n    c\n",
			`(raise "x" a (bad) c)`,
		},
		{
			"closed later", "raise 'x' if:\n    f({\n    a: 1 2,\n    b: 3\n    })\n    c\n",
			`(raise "x" (call f (dict "a" 1)) c)`,
		},
		{
			"missing end", "raise 'x' if:\n    a ==\nraise 'y' if:\n    b\n",
			"(raise \"x\" (== a (bad)))\n(raise \"y\" b)",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, list := syntax.Parse(diag.NewFile("x.gr", []byte(test.src)))
			if got := syntax.Sexpr(tree); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
			if len(list) != 1 {
				t.Errorf("got %d mistakes, want 1:\n%s", len(list), render(list))
			}
		})
	}
}
