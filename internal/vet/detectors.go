// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// detectors reports calls of detectors whose findings keep a rule from being
// violated: whoever writes the text can put something in it that is found.
// Where the load warned of the same call it has said enough.
func (v *vetting) detectors() {
	warned := map[diag.Span]bool{}
	for _, d := range v.prog.Warnings {
		if d.Code == "P0314" {
			warned[d.Span] = true
		}
	}
	w := &signs{prog: v.prog, seen: map[visit]bool{}, found: func(c *syntax.Call, f *builtin.Func) {
		if !warned[c.Span()] && !v.trusted(c) {
			v.report("P0515", c.Span(), fmt.Sprintf("what %q finds keeps the rule from being violated", f.Name),
				"whoever writes the text can have something found in it; ask for what must be found, or decide by something else")
		}
	}}
	for _, r := range v.prog.Rules {
		w.block(r.Body, true)
	}
}

// trusted reports whether a call looks at nothing but what the user or the
// operator wrote, who may well decide.
func (v *vetting) trusted(c *syntax.Call) bool {
	found, others := false, false
	syntax.Walk(c, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			switch obj := any(v.prog.Uses[id]).(type) {
			case *check.Var:
				own := obj.Type == value.UserMessageType || obj.Type == value.SystemMessageType
				found, others = found || own, others || !own
			case *check.ParamObj, *check.Local, *check.Binding:
				others = true
			}
		}
		return true
	})
	return found && !others
}

// signs visits expressions with the side of negations that they stand on:
// true where their truth can only make the rule violated.
type signs struct {
	prog  *check.Program
	seen  map[visit]bool
	found func(*syntax.Call, *builtin.Func) // a detector on the other side
}

type visit struct {
	node syntax.Node
	side bool
}

func (w *signs) block(b *check.Block, side bool) {
	for _, c := range b.Conds {
		switch c := c.(type) {
		case *syntax.ExprCond:
			w.expr(c.X, side)
		case *syntax.QuantCond:
			w.quant(c, side)
		case *syntax.BindCond:
		}
	}
	for _, v := range b.Vars {
		if v.In != nil {
			w.expr(v.In, side)
		}
	}
}

func (w *signs) quant(c *syntax.QuantCond, side bool) {
	q := w.prog.Quants[c]
	if q == nil {
		return
	}
	if c.Not {
		side = !side
	}
	if q.Kind != syntax.Count || q.Min >= 0 {
		w.block(q.Body, side)
	}
	if q.Kind == syntax.Count && q.Max >= 0 {
		w.block(q.Body, !side)
	}
}

func (w *signs) expr(e syntax.Expr, side bool) {
	e = syntax.Unparen(e)
	if w.seen[visit{e, side}] {
		return
	}
	w.seen[visit{e, side}] = true
	switch n := syntax.Node(e).(type) {
	case *syntax.Ident:
		if b, ok := w.prog.Uses[n].(*check.Binding); ok {
			w.expr(b.Value, side)
		}
		return
	case *syntax.Unary:
		if n.Op == syntax.Not {
			w.expr(n.X, !side)
			return
		}
	case *syntax.Binary:
		w.binary(n, side)
		return
	case *syntax.Call:
		if w.call(n, side) {
			return
		}
	}
	for _, x := range expressions(e) {
		w.expr(x, side)
	}
}

// binary flips sides where the operator does: nothing is in a list that is
// empty, a count is small.
func (w *signs) binary(n *syntax.Binary, side bool) {
	switch n.Op {
	case syntax.In:
		if _, ok := syntax.Unparen(n.X).(*syntax.TypedVar); ok {
			return // see block
		}
	case syntax.NotIn:
		side = !side
	case syntax.Lt, syntax.Le:
		w.expr(n.X, !side)
		w.expr(n.Y, side)
		return
	case syntax.Gt, syntax.Ge:
		w.expr(n.X, side)
		w.expr(n.Y, !side)
		return
	case syntax.Eq, syntax.Is:
		if empty(n.Y) {
			side = !side
		}
	case syntax.Ne, syntax.IsNot:
		if !empty(n.Y) {
			side = !side
		}
	}
	w.expr(n.X, side)
	w.expr(n.Y, side)
}

// empty reports whether an expression is False, 0 or a list of nothing.
func empty(e syntax.Expr) bool {
	switch n := syntax.Node(syntax.Unparen(e)).(type) {
	case *syntax.ConstLit:
		return n.Kind != syntax.TrueConst
	case *syntax.IntLit:
		return n.Value.Sign() == 0
	case *syntax.ListLit:
		return len(n.Items) == 0
	}
	return false
}

// call visits what a call leads to. It reports whether that is all.
func (w *signs) call(n *syntax.Call, side bool) bool {
	c := w.prog.Calls[n]
	switch {
	case c == nil:
	case c.Pred != nil:
		w.block(c.Pred.Body, side)
	case c.Func != nil && c.Func.Asks != "" && !side:
		w.found(n, c.Func)
	case c.Func != nil && c.Func == builtin.Universe()["empty"]:
		for _, x := range c.Args {
			w.expr(x, !side)
		}
		return true
	}
	return false
}
