// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import "github.com/holdfast-dev/holdfast/syntax"

// A flow that stands positive may be judged too large without losing a
// violation, one that stands negative may be judged too small; a coarser or
// finer notion of flow can only be swapped in where the polarity allows it.

func (p Polarity) flip() Polarity {
	return p&Positive<<1 | p&Negative>>1
}

// polarity records on which sides the flows that a rule reaches stand.
func (j *judgement) polarity(r *Rule) {
	p := &polarizer{prog: j.prog, binds: map[*Binding]Polarity{}, preds: map[*Predicate]Polarity{}}
	p.block(r.Body, Positive)
}

type polarizer struct {
	prog  *Program
	binds map[*Binding]Polarity // those they were visited with
	preds map[*Predicate]Polarity
}

func (p *polarizer) block(b *Block, side Polarity) {
	for _, cond := range b.Conds {
		switch cond := cond.(type) {
		case *syntax.ExprCond:
			p.expr(cond.X, side)
		case *syntax.QuantCond:
			p.quant(cond, side)
		case *syntax.BindCond:
		}
	}
}

func (p *polarizer) quant(n *syntax.QuantCond, side Polarity) {
	q := p.prog.Quants[n]
	if n.Not {
		side = side.flip()
	}
	inner := side
	if q.Kind == syntax.Count {
		inner = 0
		if q.Min >= 0 {
			inner |= side
		}
		if q.Max >= 0 {
			inner |= side.flip()
		}
	}
	p.block(q.Body, inner)
}

// expr visits an expression that stands on the sides given.
func (p *polarizer) expr(e syntax.Expr, side Polarity) {
	switch e := e.(type) {
	case *syntax.FlowChain:
		p.prog.Flows[e] |= side
	case *syntax.Paren:
		p.expr(e.X, side)
		return
	case *syntax.Unary:
		if e.Op == syntax.Not {
			p.expr(e.X, side.flip())
			return
		}
	case *syntax.Binary:
		if e.Op == syntax.And || e.Op == syntax.Or {
			p.expr(e.X, side)
			p.expr(e.Y, side)
			return
		}
	case *syntax.IfElse:
		p.expr(e.If, Mixed)
		p.expr(e.Then, side)
		p.expr(e.Else, side)
		return
	case *syntax.Ident:
		p.name(e, side)
		return
	case *syntax.Call:
		p.call(e, side)
		return
	case *syntax.TypedVar, *syntax.IntLit, *syntax.FloatLit, *syntax.StringLit, *syntax.FString,
		*syntax.ConstLit, *syntax.ListLit, *syntax.TupleLit, *syntax.DictLit, *syntax.ListComp,
		*syntax.Member, *syntax.Index, *syntax.Slice, *syntax.ToolPattern, *syntax.Wildcard,
		*syntax.ValueClass, *syntax.BadExpr:
	}
	for _, x := range children(e) {
		p.expr(x, Mixed)
	}
}

func (p *polarizer) name(id *syntax.Ident, side Polarity) {
	b, ok := p.prog.Uses[id].(*Binding)
	if !ok || p.binds[b]|side == p.binds[b] {
		return
	}
	p.binds[b] |= side
	p.expr(b.Value, side)
}

func (p *polarizer) call(e *syntax.Call, side Polarity) {
	for _, x := range children(e)[1:] {
		p.expr(x, Mixed)
	}
	call := p.prog.Calls[e]
	if call.Recv != nil {
		p.expr(call.Recv, Mixed)
	}
	if call.Pred != nil && p.preds[call.Pred]|side != p.preds[call.Pred] {
		p.preds[call.Pred] |= side
		p.block(call.Pred.Body, side)
	}
}
