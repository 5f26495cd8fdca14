// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	gr "github.com/holdfast-dev/holdfast/syntax"
)

// patternWalk visits the places where rules compare texts with patterns. Its
// side is whether a match keeps the rule from being violated.
type patternWalk struct {
	*reader
	seen  map[visit]bool
	found func(patternUse)
}

func (w *patternWalk) block(b *check.Block, lets bool) {
	for _, c := range b.Conds {
		switch c := c.(type) {
		case *gr.ExprCond:
			w.expr(c.X, lets, nil)
		case *gr.QuantCond:
			q := w.prog.Quants[c]
			if q == nil {
				continue
			}
			inner := lets != c.Not
			if q.Kind == gr.Count && q.Min < 0 {
				inner = !inner
			}
			w.block(q.Body, inner)
		case *gr.BindCond:
		}
	}
	for _, v := range b.Vars {
		if v.In != nil {
			w.expr(v.In, lets, nil)
		}
	}
}

func (w *patternWalk) expr(e gr.Expr, lets bool, s *scope) {
	e, s = w.resolve(e, s)
	if w.seen[visit{e, lets}] {
		return
	}
	w.seen[visit{e, lets}] = true
	switch n := gr.Node(e).(type) {
	case *gr.Unary:
		if n.Op == gr.Not {
			w.expr(n.X, !lets, s)
			return
		}
	case *gr.Binary:
		w.binary(n, lets, s)
		return
	case *gr.Call:
		w.call(n, lets, s)
	case *gr.ListComp:
		w.expr(n.Elt, lets, s)
		for _, x := range n.Ifs {
			w.expr(x, lets, s)
		}
		return
	}
	for _, x := range expressions(e) {
		w.expr(x, lets, s)
	}
}

func (w *patternWalk) binary(n *gr.Binary, lets bool, s *scope) {
	switch n.Op {
	case gr.NotIn, gr.IsNot, gr.Ne:
		lets = !lets
	}
	if p, ok := gr.Unparen(n.Y).(*gr.ToolPattern); ok {
		if p.Args != nil {
			w.arguments(p.Args, lets)
		}
		w.expr(n.X, lets, s)
		return
	}
	if n.Op == gr.In || n.Op == gr.NotIn {
		if lit := w.text(n.X, s); lit != nil && !w.isDict(n.Y, s) {
			w.found(patternUse{lit, w.subject(n.Y, s), partForm, lets})
		}
	}
	if n.Op == gr.Eq && empty(n.Y) {
		lets = !lets
	}
	w.expr(n.X, lets, s)
	w.expr(n.Y, lets, s)
}

func (w *patternWalk) isDict(e gr.Expr, s *scope) bool {
	x, xs := w.resolve(e, s)
	if root, path, ok := w.place(x, xs); ok && dictAt(root, path) {
		return true
	}
	m, ok := gr.Node(x).(*gr.Member)
	_, list := itemsOf(x)
	return ok && (m.Name.Name == "arguments" || m.Name.Name == "metadata") || list
}

// text returns a literal text once names are resolved.
func (w *patternWalk) text(e gr.Expr, s *scope) *gr.StringLit {
	if e == nil {
		return nil
	}
	x, _ := w.resolve(e, s)
	lit, _ := x.(*gr.StringLit)
	return lit
}

// subject is the last name of an expression.
func (w *patternWalk) subject(e gr.Expr, s *scope) string {
	switch n := gr.Node(gr.Unparen(e)).(type) {
	case *gr.Ident:
		if x, xs := w.resolve(n, s); x != gr.Expr(n) {
			if inner := w.subject(x, xs); addressLike(inner) {
				return inner
			}
		}
		return n.Name
	case *gr.Member:
		return n.Name.Name
	case *gr.Index:
		if lit := w.text(n.I, s); lit != nil {
			return lit.Value
		}
		return w.subject(n.X, s)
	case *gr.Call:
		c := w.prog.Calls[n]
		switch {
		case c != nil && c.Method != nil && c.Method.Name == "get" && len(c.Args) > 0:
			if lit := w.text(c.Args[0], s); lit != nil {
				return lit.Value
			}
		case c != nil && c.Method != nil:
			return w.subject(c.Recv, s)
		}
	}
	return ""
}

func (w *patternWalk) call(n *gr.Call, lets bool, s *scope) {
	c := w.prog.Calls[n]
	switch {
	case c == nil:
	case c.Pred != nil:
		w.predicate(c, lets, s)
	case c.Method != nil && len(c.Args) > 0:
		form, ok := map[string]patternForm{"startswith": prefixForm, "endswith": suffixForm}[c.Method.Name]
		if lit := w.text(c.Args[0], s); ok && lit != nil {
			w.found(patternUse{lit, w.subject(c.Recv, s), form, lets})
		}
	case c.Func != nil && len(c.Args) > 1 && (c.Func == builtin.Universe()["match"] || c.Func == builtin.Universe()["find"]):
		form := matchForm
		if c.Func == builtin.Universe()["find"] {
			form = findForm
		}
		if lit := w.text(c.Args[0], s); lit != nil {
			w.found(patternUse{lit, w.subject(c.Args[1], s), form, lets})
		}
	}
}

func (w *patternWalk) predicate(c *check.Call, lets bool, s *scope) {
	in := &scope{params: map[*check.ParamObj]argument{}}
	for i, p := range c.Pred.Params {
		if i < len(c.Args) && c.Args[i] != nil {
			in.params[p] = argument{c.Args[i], s}
		}
	}
	for _, cond := range c.Pred.Body.Conds {
		if x, ok := cond.(*gr.ExprCond); ok {
			w.expr(x.X, lets, in)
		}
	}
	if len(c.Pred.Body.Vars) > 0 {
		w.block(c.Pred.Body, lets)
	}
}

// arguments visits the texts of an argument pattern.
func (w *patternWalk) arguments(p *gr.DictLit, lets bool) {
	for i, k := range p.Keys {
		key := ""
		if lit, ok := k.(*gr.StringLit); ok {
			key = lit.Value
		}
		switch x := gr.Node(gr.Unparen(p.Values[i])).(type) {
		case *gr.StringLit:
			// A look-ahead at the start says what the pattern lets through.
			w.found(patternUse{x, key, wholeForm, lets || strings.Contains(x.Value, "(?!")})
		case *gr.DictLit:
			w.arguments(x, lets)
		}
	}
}
