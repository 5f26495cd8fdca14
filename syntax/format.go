// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"fmt"
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
// describes: the same policy, see Equivalent, with one layout, one kind of
// quotes and one order of imports. The ids of its rules stay. What Format
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
	for _, how := range []struct{ written, plain bool }{{}, {plain: true}, {written: true}, {written: true, plain: true}} {
		from := tree
		if !how.written {
			if from, list = Parse(diag.NewFile(file.Name, respell(tree))); list.HasErrors() {
				continue
			}
		}
		out := format(from, how.plain)
		to, list := Parse(diag.NewFile(file.Name, out))
		if list.HasErrors() {
			err = differAt(tree, 0, "mistakes would stand in the policy")
		} else if err = Equivalent(tree, to); err == nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("cannot format: %w", err)
}

// format lays out a tree without mistakes. With plain lines end only where
// they must: a few programs depend on more of their layout than its blocks,
// as one does that uses `count` as a name.
func format(tree *File, plain bool) []byte {
	f := &formatter{file: tree.Source, toks: tree.tokens(), comments: tree.Comments, end: tree.begin(), quants: quantNames(tree)}
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
