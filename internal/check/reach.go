// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/syntax"
)

// quantified reports whether a rule looks at more than its own variables:
// through a quantifier, or a predicate whose own variables range over the
// trace.
func (j *judgement) quantified(r *Rule) bool {
	found := false
	j.prog.reach(r.Body, func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.QuantCond:
			found = true
		case *syntax.Call:
			if call := j.prog.Calls[n]; call.Pred != nil {
				found = found || slices.ContainsFunc(call.Pred.Body.Vars, func(v *Var) bool { return v.In == nil })
			}
		}
	})
	return found
}

// external reports whether a rule asks a detector or the world.
func (j *judgement) external(r *Rule) bool {
	found := false
	j.prog.reach(r.Body, func(n syntax.Node) {
		switch e := n.(type) {
		case *syntax.Call:
			call := j.prog.Calls[e]
			found = found || call.Func != nil && call.Func.Kind != builtin.Pure
		case *syntax.ToolPattern:
			found = found || len(valueClasses(e)) > 0
		}
	})
	return found
}

// reach calls f for every quantifier and expression that the value of a block
// may depend on, once each, also through bindings and predicates.
func (p *Program) reach(b *Block, f func(syntax.Node)) {
	r := &reacher{prog: p, f: f, seen: map[any]bool{}}
	r.block(b)
}

type reacher struct {
	prog *Program
	f    func(syntax.Node)
	seen map[any]bool // bindings and predicates
}

func (r *reacher) block(b *Block) {
	for _, cond := range b.Conds {
		switch cond := cond.(type) {
		case *syntax.ExprCond:
			r.expr(cond.X)
		case *syntax.QuantCond:
			r.f(cond)
			r.block(r.prog.Quants[cond].Body)
		case *syntax.BindCond:
		}
	}
}

func (r *reacher) expr(e syntax.Expr) {
	r.f(e)
	switch e := syntax.Node(e).(type) {
	case *syntax.Ident:
		if b, ok := r.prog.Uses[e].(*Binding); ok && !r.seen[b] {
			r.seen[b] = true
			r.expr(b.Value)
		}
	case *syntax.Call:
		if call := r.prog.Calls[e]; call.Pred != nil && !r.seen[call.Pred] {
			r.seen[call.Pred] = true
			r.block(call.Pred.Body)
		}
	}
	for _, x := range children(e) {
		r.expr(x)
	}
}
