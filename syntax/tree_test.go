// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"flag"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

var update = flag.Bool("update", false, "rewrite the trees in testdata")

// TestTrees parses the sources in testdata/tree and compares their trees.
func TestTrees(t *testing.T) {
	paths, err := filepath.Glob("testdata/tree/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("finding trees: %v, %v", paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { testTrees(t, path) })
	}
}

// testTrees checks one file: sources and trees, split by =>, cases by ----.
func testTrees(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range strings.Split(string(text), "----\n") {
		src, want, ok := strings.Cut(c, "=>\n")
		if !ok {
			t.Fatalf("case without =>:\n%s", c)
		}
		file, list := syntax.Parse(diag.NewFile(path, []byte(src)))
		got := syntax.Sexpr(file)
		if got != "" {
			got += "\n"
		}
		if len(list) > 0 {
			t.Errorf("got mistakes:\n%s", render(list))
		}
		if got != want && !*update {
			t.Errorf("source:\n%s\ngot:\n%s\nwant:\n%s", src, got, want)
		}
		out = append(out, src+"=>\n"+got)
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(out, "----\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// parse parses a source without mistakes.
func parse(t *testing.T, src string) *syntax.File {
	t.Helper()
	file, list := syntax.Parse(diag.NewFile("x.gr", []byte(src)))
	if len(list) > 0 {
		t.Fatalf("got mistakes:\n%s", render(list))
	}
	return file
}

// TestLineEnds checks that the tree does not depend on how lines end, nor on a
// byte order mark.
func TestLineEnds(t *testing.T) {
	src := "X := \"\"\"a\nb\"\"\" # c\nraise \"x\" if:\n    (m: Message)\n\n    m.a and\n    m.b\n    \"\"\"\\\n\"\"\"\n"
	want := parse(t, src)
	for name, other := range map[string]string{
		"CRLF":       strings.ReplaceAll(src, "\n", "\r\n"),
		"mark":       "\uFEFF" + src,
		"indented":   "  " + strings.ReplaceAll(src, "\n", "\n  "),
		"no end":     strings.TrimSuffix(src, "\n"),
		"form feeds": "\f" + src,
	} {
		if name == "indented" {
			other = strings.ReplaceAll(other, "  b\"", "b\"")
			other = strings.ReplaceAll(other, "\\\n  ", "\\\n")
		}
		got := parse(t, other)
		if g, w := syntax.Sexpr(got), syntax.Sexpr(want); g != w {
			t.Errorf("%s: got:\n%s\nwant:\n%s", name, g, w)
		}
		if got.Comments[0].Text != " c" || got.Comments[0].Own {
			t.Errorf("%s: got comment %q", name, got.Comments[0].Text)
		}
	}
}

func TestComments(t *testing.T) {
	file := parse(t, `# first

# id: mail
  # why
raise "x" if: # here
    # inside
    true
# after
`)
	var all []string
	for _, c := range file.Comments {
		all = append(all, c.Text)
		if want := c.Text != " here"; c.Own != want {
			t.Errorf("comment %q: got Own %t, want %t", c.Text, c.Own, want)
		}
	}
	if got, want := strings.Join(all, ";"), " first; id: mail; why; here; inside; after"; got != want {
		t.Errorf("got comments %q, want %q", got, want)
	}
	var doc []string
	for _, c := range file.Stmts[0].(*syntax.Rule).Doc {
		doc = append(doc, c.Text)
	}
	if got, want := strings.Join(doc, ";"), " id: mail; why"; got != want {
		t.Errorf("got doc %q, want %q", got, want)
	}
}

// TestPlaces checks spans that other packages rely on.
func TestPlaces(t *testing.T) {
	file := parse(t, `from a import b as c
X := 1
ask "x" if:
    m.content not in y
    c is tool:"a b"({k: *})
`)
	from := file.Stmts[0].(*syntax.FromImport)
	rule := file.Stmts[2].(*syntax.Rule)
	in := rule.Body[0].(*syntax.ExprCond).X.(*syntax.Binary)
	tool := rule.Body[1].(*syntax.ExprCond).X.(*syntax.Binary).Y.(*syntax.ToolPattern)
	for _, test := range []struct {
		span diag.Span
		want string
	}{
		{from.Span(), "from a import b as c"},
		{from.At, "a"},
		{from.Names[0].Span(), "b as c"},
		{from.Names[0].As.Span(), "c"},
		{file.Stmts[1].Span(), "X := 1"},
		{rule.VerbAt, "ask"},
		{in.OpAt, "not in"},
		{in.Span(), "m.content not in y"},
		{tool.Span(), `tool:"a b"({k: *})`},
		{tool.NameAt, `"a b"`},
		{tool.Args.Values[0].Span(), "*"},
	} {
		if got := test.span.Text(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if rule.Verb != syntax.Ask || tool.Name != "a b" {
		t.Errorf("got verb %v, tool %q", rule.Verb, tool.Name)
	}
}

func TestBigIntegers(t *testing.T) {
	limit := new(big.Int).Lsh(big.NewInt(1), 4096)
	most := new(big.Int).Sub(limit, big.NewInt(1))
	for _, base := range []struct {
		prefix string
		base   int
	}{{"", 10}, {"0x", 16}, {"0o", 8}, {"0b", 2}} {
		file := parse(t, "X := "+base.prefix+most.Text(base.base))
		if got := file.Stmts[0].(*syntax.Const).Value.(*syntax.IntLit).Value; got.Cmp(most) != 0 {
			t.Errorf("base %d: got another number", base.base)
		}
		_, list := syntax.Parse(diag.NewFile("x.gr", []byte("X := "+base.prefix+limit.Text(base.base))))
		if !hasCode(list, "P0106") {
			t.Errorf("base %d: got %v, want P0106", base.base, list)
		}
	}
}

func TestUnparen(t *testing.T) {
	x := parse(t, "X := ((1))").Stmts[0].(*syntax.Const).Value
	if got := syntax.Sexpr(syntax.Unparen(x)); got != "1" {
		t.Errorf("got %s, want 1", got)
	}
}

// TestWalk checks that every node is visited once, in the order of the source,
// and that a walk can be cut short.
func TestWalk(t *testing.T) {
	file := parse(t, "p(a: T) := f(a.b, k=[x for x in y if z]) or tool:t({k: <C>})\n")
	last, n := 0, 0
	syntax.Walk(file, func(c syntax.Node) bool {
		n++
		if start := c.Span().Start; start >= last {
			last = start
		} else if _, leaf := c.(*syntax.Ident); leaf {
			t.Errorf("%q comes after offset %d", c.Span().Text(), last)
		}
		_, call := c.(*syntax.Call)
		return !call
	})
	if n != 13 {
		t.Errorf("got %d nodes, want 13", n)
	}
	syntax.Walk(nil, func(syntax.Node) bool { t.Error("visited nil"); return true })
}
