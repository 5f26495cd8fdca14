// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
)

// The canonical form, docs/format.md in numbers.
const (
	indentWidth = 4
	formatWidth = 100  // columns that a line should not go beyond
	commentGap  = "  " // before a comment that ends a line
)

// Format returns a policy in its canonical form, which docs/format.md
// describes: the same tokens and the same comments in the same order, so the
// same tree and the same ids of rules, with other white space. What Format
// returned it returns unchanged.
//
// The error is a diag.List, which has the mistakes, if the source does not
// parse. Format looks at its result before it returns it: were a comment lost,
// or another tree made, the error would say where and there would be no
// result.
func Format(file *diag.File) ([]byte, error) {
	tree, list := Parse(file)
	if list.HasErrors() {
		return nil, list
	}
	var err error
	for _, plain := range []bool{false, true} {
		out := format(tree, plain)
		if err = faithful(tree, out); err == nil {
			return out, nil
		}
	}
	return nil, err
}

// format lays out a tree without mistakes. With plain lines end only where
// they must: a few programs depend on more of their layout than its blocks,
// as one does that uses `count` as a name.
func format(tree *File, plain bool) []byte {
	start := 0
	if bytes.HasPrefix(tree.Source.Src, []byte("\uFEFF")) {
		start = len("\uFEFF")
	}
	s := scan(tree.Source, start, len(tree.Source.Src), func(diag.Diagnostic) {})
	f := &formatter{file: tree.Source, toks: s.toks, comments: tree.Comments, end: start, quants: quantNames(tree)}
	f.printer.plain = plain
	f.passed = make([]int, len(f.toks))
	n := 0
	for i, t := range f.toks {
		for n < len(f.comments) && f.comments[n].span.Start < int(t.start) {
			n++
		}
		f.passed[i] = n
	}
	f.stmts(tree.Stmts)
	return f.printer.out.Bytes()
}

// quantNames are the names of quantifiers in a file, among them those that its
// imports give them.
func quantNames(tree *File) map[string]bool {
	names := map[string]bool{}
	for word := range quants {
		names[word] = true
	}
	for _, s := range tree.Stmts {
		if from, ok := s.(*FromImport); ok {
			for _, n := range from.Names {
				if quants[n.Name.Name] != 0 {
					names[n.As.Name] = true
				}
			}
		}
	}
	return names
}

// commentText is a comment as it is printed.
func commentText(c *Comment) string { return "#" + strings.TrimRight(c.Text, " \t\f\r") }

// faithful checks that out has the tokens, the comments and the tree of the
// source it was made from.
func faithful(from *File, out []byte) error {
	file := diag.NewFile(from.Source.Name, out)
	to, list := Parse(file)
	if len(from.Stmts) == len(to.Stmts) && !list.HasErrors() {
		for i, s := range from.Stmts {
			if !sameStmt(s, to.Stmts[i]) {
				return refuseFormat(s, "this statement would be another one")
			}
		}
	} else {
		return refuseFormat(from, "the policy would be another one")
	}
	if c := lostComment(from.Comments, to.Comments); c != nil {
		return refuseFormat(c, "this comment would be lost or stand elsewhere")
	}
	if !slices.Equal(tokenTexts(from.Source), tokenTexts(file)) {
		return refuseFormat(from, "the policy would have other tokens")
	}
	return nil
}

// refuseFormat is the error of a source that cannot be formatted.
func refuseFormat(at Node, why string) error {
	line, col := at.Span().Position()
	return fmt.Errorf("%s:%d:%d: cannot format: %s", at.Span().File.Name, line, col, why)
}

// sameStmt reports whether two statements mean the same, the comment above
// them, which may name a rule, included.
func sameStmt(a, b Stmt) bool {
	if x := docOf(a); x != nil {
		y := docOf(b)
		if y == nil || len(*x) != len(*y) || lostComment(*x, *y) != nil {
			return false
		}
	}
	return Sexpr(a) == Sexpr(b)
}

// lostComment returns the first comment that is not at its place in a second
// list; nil if there is none.
func lostComment(from, to []*Comment) *Comment {
	for i, c := range from {
		if i == len(to) || commentText(c) != commentText(to[i]) || c.Own != to[i].Own {
			return c
		}
	}
	return nil
}

// tokenTexts are the texts of a file's tokens.
func tokenTexts(file *diag.File) []string {
	var texts []string
	src := bytes.TrimPrefix(file.Src, []byte("\uFEFF"))
	for _, t := range scan(diag.NewFile(file.Name, src), 0, len(src), func(diag.Diagnostic) {}).toks {
		texts = append(texts, strings.ReplaceAll(string(src[t.start:t.end]), "\r\n", "\n"))
	}
	return texts
}
