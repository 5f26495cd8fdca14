// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"slices"
	"strconv"

	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/syntax"
)

// tool is `x is tool:name({…})`.
func (r *reader) tool(x syntax.Expr, p *syntax.ToolPattern, s *scope) *node {
	root, path, ok := r.place(x, s)
	if ok && root.typ == "ToolOutput" && len(path) == 0 {
		path = []string{"tool"}
	}
	m := r.prog.Patterns[p]
	if !ok || m == nil || !callAt(root, path) {
		return leaf(r.opaque("(is " + r.key(x, s) + " " + r.key(p, s) + ")"))
	}
	named := r.named(root, path, m.Name)
	if m.Server != "" {
		// A tool of that name alone is meant if it is one of the server.
		server := r.about(r.termAt(root, under(path, "server")), "server "+strconv.Quote(m.Server), func(a *atom) {
			a.set(isText, theory)
			a.text = automata.Text(m.Server)
			a.set(anyKind&^(isText|isMissing|isNone|isUnread), anyTruth)
		})
		named = oneOf(named, allOf(r.named(root, path, m.Tool), server))
	}
	if p.Args == nil {
		return named
	}
	return allOf(named, r.arguments(root, under(path, "arguments"), p.Args))
}

func under(path []string, names ...string) []string { return append(slices.Clone(path), names...) }

// named asks whether a call has a name. One without a name is unknown.
func (r *reader) named(root element, path []string, name string) *node {
	return r.about(r.termAt(root, under(path, "name")), "name "+strconv.Quote(name), func(a *atom) {
		a.set(isText, theory)
		a.text = automata.Text(name)
		a.set(isNone, isFalse|isUnknown)
		a.set(isOther|isParts|isBool|isNumber|isList|isDict, anyTruth)
	})
}

// arguments is an argument pattern on the dict at a path.
func (r *reader) arguments(root element, path []string, p *syntax.DictLit) *node {
	dict := r.about(r.termAt(root, path), "argument is a dict", func(a *atom) {
		a.set(anyKind, isFalse)
		a.set(isDict, isTrue)
		a.set(isUnread, isUnknown)
		a.set(isParts|isOther, anyTruth)
	})
	out := allOf(dict)
	for i, k := range p.Keys {
		key, ok := r.constant(k, nil)
		if !ok {
			return leaf(r.opaque("arguments of " + r.termAt(root, path).key + " " + syntax.Sexpr(p) + r.rawnessOf(p)))
		}
		out.subs = append(out.subs, r.piece(root, under(path, key.text), p.Values[i]))
	}
	return out
}

// piece is a piece of an argument pattern. What is not there does not match.
func (r *reader) piece(root element, path []string, p syntax.Expr) *node {
	t := r.termAt(root, path)
	switch p := syntax.Node(syntax.Unparen(p)).(type) {
	case *syntax.Wildcard:
		return r.about(t, "anything", func(a *atom) {
			a.set(anyKind, isTrue)
			a.set(isMissing, isFalse)
			a.set(isUnread, isUnknown|isTrue)
		})
	case *syntax.DictLit:
		return r.arguments(root, path, p)
	}
	e := syntax.Unparen(p)
	c, ok := r.constant(e, nil)
	switch {
	case ok && c.kind == isText:
		return r.whole(t, c.text)
	case ok:
		return r.about(t, "argument == "+c.key(), func(a *atom) {
			a.set(anyKind&^isUnread, isFalse)
			switch {
			case c.kind == isNumber:
				a.set(isNumber, theory)
				a.number = &bound{0, c.number}
			case c.kind == isBool:
				a.set(isBool, theory)
				a.boolean = [2]truths{known(!c.boolean), known(c.boolean)}
			case c.kind == isNone:
				a.set(isNone, isTrue)
			}
		})
	}
	return leaf(r.opaque("argument " + t.key + " " + syntax.Sexpr(e) + r.rawnessOf(e)))
}

// rawnessOf tells value classes apart that look at texts as they stand.
func (r *reader) rawnessOf(n syntax.Node) string {
	out := ""
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.ValueClass); ok && r.raw[c.Span()] {
			out += " raw"
		}
		return true
	})
	return out
}
