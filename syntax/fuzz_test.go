// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// seeds adds the sources of the tests.
func seeds(f *testing.F) {
	f.Helper()
	trees, err := filepath.Glob("testdata/tree/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(errorFiles(f), trees...) {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range splitCases(string(src)) {
			f.Add([]byte(c))
		}
	}
}

// splitCases cuts a file at its lines of dashes and arrows.
func splitCases(src string) []string {
	var cases []string
	start := 0
	for i := 0; i+4 < len(src); i++ {
		if src[i] == '\n' && (src[i+1:i+4] == "---" || src[i+1:i+3] == "=>") {
			cases = append(cases, src[start:i+1])
			start = i + 4
		}
	}
	return append(cases, src[start:])
}

// FuzzParse checks, for any input: no panic; a tree whose nodes stand in the
// file and within their parents; diagnostics that stand in the file and can be
// shown; BadExpr and BadStmt only where something is wrong; and the same
// outcome from the same source.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		file := diag.NewFile("x.gr", src)
		tree, list := syntax.Parse(file)
		checkNested(t, tree)
		for _, d := range list {
			checkInside(t, d.Span, tree.Span())
			if _, ok := diag.Lookup(d.Code); !ok || d.Message == "" {
				t.Errorf("got %+v", d)
			}
		}
		render(list)
		if len(list) == 0 && hasBad(tree) {
			t.Error("bad nodes without a mistake")
		}
		again, _ := syntax.Parse(diag.NewFile("x.gr", src))
		if syntax.Sexpr(again) != syntax.Sexpr(tree) {
			t.Error("another tree from the same source")
		}
	})
}

// checkNested checks that each node stands within its parent.
func checkNested(t *testing.T, parent syntax.Node) {
	first := true
	syntax.Walk(parent, func(n syntax.Node) bool {
		if first {
			first = false
			return true
		}
		checkInside(t, n.Span(), parent.Span())
		checkNested(t, n)
		return false
	})
}

// checkInside checks that a span stands within another.
func checkInside(t *testing.T, in, out diag.Span) {
	if in.File != out.File || in.Start > in.End || in.Start < out.Start || in.End > out.End {
		t.Errorf("[%d,%d) is not within [%d,%d)", in.Start, in.End, out.Start, out.End)
	}
}

// hasBad reports whether a tree has nodes that could not be read.
func hasBad(tree syntax.Node) bool {
	bad := false
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.BadExpr, *syntax.BadStmt:
			bad = true
		}
		return !bad
	})
	return bad
}
