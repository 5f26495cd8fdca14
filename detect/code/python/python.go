// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package python finds unsafe constructs in Python, whole or cut, of version 3
// or 2.
//
// It reads the tree of the code, not its text: a name is followed to what it
// was imported from or assigned, in all of its spellings, text that is put
// together from constants or decoded from them is known, and constant text
// that is run is read as well. What a variable holds otherwise is not known.
package python

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/python"
)

// Version changes with the findings.
const Version = "1"

// maxText is the length of the longest text that is read.
const maxText = 4 << 20

// Find returns what is unsafe in the text, in the order of where it begins.
// An error means that it could not be told. Time and memory are linear in the
// text.
func Find(text string) ([]detect.Span, error) {
	if len(text) > maxText {
		return nil, errors.New("more than 4 MiB of Python")
	}
	t, spent := tables(), &cost{}
	out := append(t.find(text, 0, spent), t.literals(text)...)
	if spent.effort > maxEffort {
		return nil, errors.New("too much text that is put together from constants")
	}
	slices.SortStableFunc(out, func(a, b detect.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind))
	})
	return slices.CompactFunc(out, func(a, b detect.Span) bool {
		return a.Start == b.Start && a.End == b.End && a.Kind == b.Kind
	}), nil
}

// Bounds of text in text.
const (
	maxNested = 3        // how deep code is read that stands in code as text
	maxSpent  = 64 << 10 // bytes of such code in all
)

// A cost is what has been spent on a text and all that stands in it.
type cost struct {
	nested int // bytes of code in text that have been read
	effort int // bytes that constants have taken
}

// find returns what is unsafe in the tree of a text. Nested says how deep the
// text stands in another.
func (t *table) find(text string, nested int, spent *cost) []detect.Span {
	file := python.Parse(text)
	k := &look{file: file, table: t, nested: nested, spent: spent}
	k.bind(file.Root)
	k.visit(file.Root, place{})
	return k.found
}

// A look is the work on one text.
type look struct {
	file   *python.File
	table  *table
	nested int
	spent  *cost
	found  []detect.Span

	names   map[string][]string // what names stand for, by imports and assignments
	own     map[string]bool     // names that the file binds for good
	modules map[string]bool     // names that the file imports modules by
	built   map[string]int      // names that hold text put together: how much like SQL it is
	known   map[string]string   // names that hold constant text
}

// A place is where a node stands.
type place struct {
	secret bool         // what is made there is named like a secret
	query  bool         // it is part of a query that has been reported
	parent *python.Node // the node around it
	index  int          // which of the children of that
}

// report notes a finding.
func (k *look) report(r *rule, start, end int) {
	k.found = append(k.found, detect.Span{Kind: r.ID, Start: start, End: max(start, end), Score: 1, Text: r.text, Severity: r.Severity})
}

// visit looks at a node and all below it.
func (k *look) visit(n *python.Node, at place) {
	switch n.Kind {
	case python.Call:
		k.call(n, &at)
	case python.Exec:
		k.statement(n)
	case python.Name, python.Attribute:
		k.reference(n, at)
	case python.FunctionDef:
		at.secret = secretive(n.Name)
	case python.Assign, python.AnnAssign, python.Keyword, python.Pair, python.NamedExpr, python.Param, python.Compare:
		k.value(n, &at)
	case python.BinOp, python.FString:
		if !at.query {
			k.text(n)
		}
	case python.Import, python.ImportFrom:
		return
	}
	at.parent = n
	for i, kid := range n.Kids {
		at.index = i
		k.visit(kid, at)
	}
}

// call looks at a call.
func (k *look) call(n *python.Node, at *place) {
	callee := n.Kids[0]
	c := &call{look: k, node: n, place: *at}
	before := len(k.found)
	if callee.Kind == python.Attribute {
		k.match(c, "."+callee.Name)
	}
	for _, name := range k.namesOf(callee) {
		k.match(c, name)
	}
	at.query = at.query || slices.ContainsFunc(k.found[before:], func(s detect.Span) bool { return s.Kind == "python-sql" })
	for i := range k.table.any {
		if r := k.table.any[i]; r.when(c) {
			k.report(r, n.Start, n.End)
		}
	}
}

// match reports the rules about what is called by that name.
func (k *look) match(c *call, name string) {
	for _, r := range k.table.calls[name] {
		if c.name = name; r.when == nil || r.when(c) {
			k.report(r, c.node.Start, c.node.End)
		}
	}
}

// statement looks at exec of Python 2.
func (k *look) statement(n *python.Node) {
	if len(n.Kids) > 0 {
		code := n.Kids[0]
		if (code.Kind == python.Compare || code.Kind == python.Tuple) && len(code.Kids) > 0 { // exec code in space
			code = code.Kids[0]
		}
		if k.inner(code) {
			return
		}
	}
	k.report(k.table.byID["python-exec"], n.Start, n.End)
}

// reference looks at a name that is not called where it stands: what is passed
// on will be called, and constants are unsafe by themselves.
func (k *look) reference(n *python.Node, at place) {
	switch p := at.parent; {
	case p == nil, p.Kind == python.Attribute, p.Kind == python.Delete, p.Kind == python.Compare:
		return
	case p.Kind == python.Assign && p.Kids[len(p.Kids)-1] != n:
		return
	case p.Kind == python.Assign && n.Kind == python.Name && !k.interesting(n):
		return
	}
	if k.guessed(n) || k.onConstant(n, at) {
		return
	}
	called := at.parent.Kind == python.Call && at.parent.Kids[0] == n
	for _, name := range k.namesOf(n) {
		for _, r := range k.table.refs[name] {
			if called && slices.Contains(k.table.calls[name], r) {
				continue // seen with the call
			}
			if r.calls == "" && compares(at.parent) {
				continue
			}
			k.report(r, n.Start, n.End)
		}
	}
}

// guessed reports whether all that is known of a name is its own spelling: of
// a word in small letters that says little where nothing is called.
func (k *look) guessed(n *python.Node) bool {
	return n.Kind == python.Name && len(k.names[n.Name]) == 0 && k.table.bare[n.Name] != "" && strings.ToLower(n.Name) == n.Name && n.Name[0] != '_'
}

// onConstant reports whether a function is passed on together with a constant
// that it is for: raises(SyntaxError, eval, "1 +").
func (k *look) onConstant(n *python.Node, at place) bool {
	parent, i := at.parent, at.index
	if parent.Kind != python.Call || !k.table.last[n.Name] || k.nested >= maxNested {
		return false
	}
	return i > 0 && i+1 < len(parent.Kids) && parent.Kids[i+1].Kind == python.String && (n.Name == "eval" || n.Name == "exec") && k.inner(parent.Kids[i+1])
}

// compares reports whether a call is of a test's that looks at a value.
func compares(n *python.Node) bool {
	if n.Kind != python.Call {
		return false
	}
	switch name := n.Callee(); name[strings.LastIndexByte(name, '.')+1:] {
	case "assertEqual", "assertNotEqual", "assertIs", "assertIsNot", "assertIn", "assertEquals":
		return true
	}
	return false
}

// inner reads text that is run as code, as far as it is known; false if it may
// be another.
func (k *look) inner(n *python.Node) bool {
	if k.nested >= maxNested {
		return false
	}
	text, ok := k.constant(n)
	if !ok || k.spent.nested+len(text) > maxSpent {
		return false
	}
	k.spent.nested += len(text)
	for _, s := range append(k.table.find(text, k.nested+1, k.spent), k.table.literals(text)...) {
		s.Start, s.End = n.Start, n.End
		k.found = append(k.found, s)
	}
	return k.literal(n)
}
