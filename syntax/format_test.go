// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// format formats a source that must be one.
func format(t *testing.T, name string, src []byte) []byte {
	t.Helper()
	out, err := syntax.Format(diag.NewFile(name, src))
	if err != nil {
		t.Fatalf("formatting %s: %v\n%s", name, err, src)
	}
	return out
}

// comments are the texts of a file's comments, without white space at their
// ends.
func comments(file *syntax.File) []string {
	var texts []string
	for _, c := range file.Comments {
		texts = append(texts, strings.TrimRight(c.Text, " \t\f\r"))
	}
	return texts
}

// sorted returns the texts in order.
func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}

// checkRules checks what must be the same whatever Format may change: what is
// no import, statement by statement, and the order of the imports of rules.
func checkRules(t *testing.T, name string, before, after *syntax.File) {
	t.Helper()
	kept := func(f *syntax.File) string {
		var b strings.Builder
		for _, s := range f.Stmts {
			switch syntax.Node(s).(type) {
			case *syntax.Import, *syntax.FromImport:
			default:
				fmt.Fprintf(&b, "%s\n%q\n", syntax.Sexpr(s), syntax.Tokens(s))
			}
		}
		return b.String()
	}
	if got, want := kept(after), kept(before); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// checkFormat checks what holds of every source that parses: the formatted one
// is the same policy with the same comments, and it is formatted.
func checkFormat(t *testing.T, name string, src []byte) []byte {
	t.Helper()
	before, list := syntax.Parse(diag.NewFile(name, src))
	if list.HasErrors() {
		return nil
	}
	out := format(t, name, src)
	after, list := syntax.Parse(diag.NewFile(name, out))
	if list.HasErrors() {
		t.Fatalf("%s does not parse when formatted: %v\n%s", name, list, out)
	}
	if err := syntax.Equivalent(before, after); err != nil {
		t.Errorf("%v: of\n%s\ngot\n%s", err, src, out)
	}
	if got, want := sorted(comments(after)), sorted(comments(before)); !slices.Equal(got, want) {
		t.Errorf("%s: got comments %q, want %q", name, got, want)
	}
	checkRules(t, name, before, after)
	if again := format(t, name, out); !bytes.Equal(again, out) {
		t.Errorf("%s: formatted twice got\n%s\nwant\n%s\nof\n%s", name, again, out, src)
	}
	return out
}

// TestFormat holds the formatter to the pairs of sources in testdata/format.
func TestFormat(t *testing.T) {
	paths, err := filepath.Glob("testdata/format/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("finding pairs: %v, %v", paths, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { testFormats(t, path) })
	}
}

// testFormats checks one file: sources and what they become, split by =>,
// cases by ----.
func testFormats(t *testing.T, path string) {
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
		got := string(checkFormat(t, path, []byte(src)))
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

// TestCanonical: the golden file prints as itself, however it is squeezed.
func TestCanonical(t *testing.T) {
	const path = "../testdata/canonical.gr"
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string][]byte{
		"itself":     want,
		"CRLF":       bytes.ReplaceAll(want, []byte("\n"), []byte("\r\n")),
		"mark":       append([]byte("\uFEFF"), want...),
		"blanks":     bytes.ReplaceAll(want, []byte("\n\n"), []byte("\n\n\n\n")),
		"wide":       bytes.ReplaceAll(want, []byte("    "), []byte("        ")),
		"narrow":     bytes.ReplaceAll(want, []byte("    "), []byte(" ")),
		"tabs":       bytes.ReplaceAll(want, []byte("    "), []byte("\t")),
		"unfinished": bytes.TrimSuffix(want, []byte("\n")),
	} {
		if got := checkFormat(t, path, src); !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestFormatPage holds the page on the canonical form to its examples: each
// prints as itself, but for those that show what becomes of a source.
func TestFormatPage(t *testing.T) {
	page, err := os.ReadFile("../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	n, before := 0, ""
	for _, block := range strings.Split(string(page), "\n```policy")[1:] {
		label, text, _ := strings.Cut(block, "\n")
		text, _, _ = strings.Cut(text, "```\n")
		n++
		src := text
		switch strings.TrimSpace(label) {
		case "before":
			before = text
			continue
		case "after":
			src = before
		}
		if got := string(checkFormat(t, "format.md", []byte(src))); got != text {
			t.Errorf("source:\n%s\ngot:\n%s\nwant:\n%s", src, got, text)
		}
	}
	if n < 6 {
		t.Errorf("got %d examples, want at least 6", n)
	}
}

// TestFormatCorpus formats every policy there is.
func TestFormatCorpus(t *testing.T) {
	n := 0
	for name, src := range policies(t) {
		if checkFormat(t, name, src) != nil {
			n++
		}
	}
	if n < 300 {
		t.Errorf("got %d policies, want at least 300", n)
	}
}

// policies are the sources of the corpus, the tests and the examples, and
// those of the public collections beside the repository if they are there.
func policies(tb testing.TB) map[string][]byte {
	tb.Helper()
	all := map[string][]byte{}
	for _, dir := range []string{"testdata", "../testdata", "../examples", "../internal/demo"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			for i, src := range sourcesIn(tb, path) {
				all[fmt.Sprintf("%s#%d", path, i)] = src
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	for _, name := range []string{"conformance/cases.jsonl", "data/invariant/playground-examples.json", "data/invariant/analyzer_conformance_public.jsonl"} {
		for i, src := range published(tb, "../../shared/"+name) {
			all[fmt.Sprintf("%s#%d", name, i)] = src
		}
	}
	return all
}

// sourcesIn returns the policies in a file of the repository.
func sourcesIn(tb testing.TB, path string) [][]byte {
	tb.Helper()
	ext := filepath.Ext(path)
	if ext != ".gr" && ext != ".txtar" && ext != ".txt" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var out [][]byte
	switch ext {
	case ".gr":
		for _, c := range splitCases(string(text)) {
			out = append(out, []byte(c))
		}
		out = append(out, text)
	case ".txt":
		for _, c := range splitCases(string(text)) {
			out = append(out, []byte(c))
		}
	case ".txtar":
		for _, section := range bytes.Split(text, []byte("\n-- "))[1:] {
			name, src, _ := bytes.Cut(section, []byte("--\n"))
			if name := strings.TrimSpace(string(name)); name == "policy" || filepath.Ext(name) == ".gr" {
				out = append(out, append(src, '\n'))
			}
		}
	}
	return out
}

// published returns the policies of a collection: every string in it that is
// called a policy.
func published(tb testing.TB, path string) [][]byte {
	tb.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Logf("%s is not there: its policies are not formatted", path)
		return nil
	}
	if err != nil {
		tb.Fatal(err)
	}
	var out [][]byte
	var collect func(v any, name string)
	collect = func(v any, name string) {
		switch v := v.(type) {
		case string:
			if name == "policy" || name == "policies" {
				out = append(out, []byte(v))
			}
		case []any:
			for _, x := range v {
				collect(x, name)
			}
		case map[string]any:
			for k, x := range v {
				collect(x, k)
			}
		}
	}
	lines := bufio.NewReader(bytes.NewReader(text))
	for d := json.NewDecoder(lines); ; {
		var v any
		if d.Decode(&v) != nil {
			return out
		}
		collect(v, "")
	}
}

// TestFormatRefuses: what does not parse is not formatted, and its mistakes
// are the error.
func TestFormatRefuses(t *testing.T) {
	out, err := syntax.Format(diag.NewFile("x.gr", []byte("raise \"x\" if:\n    a = 1\n    b +\n")))
	var list diag.List
	if out != nil || !errors.As(err, &list) || len(list) != 2 {
		t.Errorf("got %q, %v, want two mistakes", out, err)
	}
}

// TestFormatWidth: no line of the golden file is longer than it need be.
func TestFormatWidth(t *testing.T) {
	text, err := os.ReadFile("../testdata/canonical.gr")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if n := utf8.RuneCountInString(line); n > 100 && !strings.Contains(line, "#") {
			t.Errorf("line %d has %d columns", i+1, n)
		}
	}
}

// FuzzFormat checks what checkFormat does of any source.
func FuzzFormat(f *testing.F) {
	for _, src := range policies(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkFormat(t, "x.gr", src) })
}

// BenchmarkFormat formats a policy of 100 rules.
func BenchmarkFormat(b *testing.B) {
	text, err := os.ReadFile("../testdata/canonical.gr")
	if err != nil {
		b.Fatal(err)
	}
	_, rules, _ := strings.Cut(string(text), "# id: payee")
	src := []byte(strings.Repeat("# id: payee"+rules+"\n", 50))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := syntax.Format(diag.NewFile("x.gr", src)); err != nil {
			b.Fatal(err)
		}
	}
}
