// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A flow that stands positive may be judged too large without losing a
// violation, one that stands negative may be judged too small; a coarser or
// finer notion of flow can only be swapped in where the polarity allows it.
// So it is with what a detector finds: where more of it can only add
// violations, it looks at all views of a text, elsewhere at the text as it
// stands.

func (p Polarity) flip() Polarity {
	return p&Positive<<1 | p&Negative>>1
}

// polarity records on which sides the flows that a rule reaches stand.
func (j *judgement) polarity(r *Rule) {
	p := &polarizer{prog: j.prog, binds: map[*Binding]Polarity{}, preds: map[*Predicate]Polarity{}, detectors: j.detectors, patterns: j.patterns}
	p.block(r.Body, Positive)
	p.domains(r.Body, Positive, Positive)
}

type polarizer struct {
	prog  *Program
	binds map[*Binding]Polarity // those they were visited with
	preds map[*Predicate]Polarity

	detectors map[*syntax.Call]Polarity // calls that find more or less, by their views
	patterns  map[*syntax.ToolPattern]Polarity
}

// block visits the conditions of a block that stands on one side.
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

// domains visits what the variables of a block are elements of, wherever they
// are declared. A list of texts has more texts in it the longer it is; of
// another type, the list itself may be the element, or the answers in it,
// which change. Optional is the side of the domains of variables that may have
// no element.
func (p *polarizer) domains(b *Block, side, optional Polarity) {
	for _, v := range b.Vars {
		switch {
		case v.In == nil:
		case v.Type != value.StrType:
			p.expr(v.In, Mixed)
		case v.Optional:
			p.expr(v.In, optional)
		default:
			p.expr(v.In, side)
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
	if q.Kind == syntax.Forall {
		// It is true of less where there is more; but of nothing, an optional
		// variable is false.
		p.domains(q.Body, side.flip(), Mixed)
		return
	}
	p.domains(q.Body, inner, inner)
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
		if _, ok := bare(e.X).(*syntax.TypedVar); ok && e.Op == syntax.In {
			return // see domains
		}
		x, y := p.operandSides(e, side)
		p.expr(e.X, x)
		p.expr(e.Y, y)
		return
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
	case *syntax.ToolPattern:
		p.patterns[e] |= side
		return
	case *syntax.TypedVar, *syntax.IntLit, *syntax.FloatLit, *syntax.StringLit, *syntax.FString,
		*syntax.ConstLit, *syntax.ListLit, *syntax.TupleLit, *syntax.DictLit, *syntax.ListComp,
		*syntax.Member, *syntax.Index, *syntax.Slice, *syntax.Wildcard,
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

// operandSides returns the sides on which the operands of a binary expression
// stand: the longer a list is, the more is in it, and the greater its length.
func (p *polarizer) operandSides(e *syntax.Binary, side Polarity) (x, y Polarity) {
	switch e.Op {
	case syntax.And, syntax.Or:
		return side, side
	case syntax.In:
		return Mixed, p.containerSide(e.Y, side)
	case syntax.NotIn:
		return Mixed, p.containerSide(e.Y, side.flip())
	case syntax.Is:
		return Mixed, side // of value classes in a tool pattern
	case syntax.IsNot:
		return Mixed, side.flip()
	case syntax.Gt, syntax.Ge:
		return p.lengthSide(e.X, side), p.lengthSide(e.Y, side.flip())
	case syntax.Lt, syntax.Le:
		return p.lengthSide(e.X, side.flip()), p.lengthSide(e.Y, side)
	}
	return Mixed, Mixed
}

// containerSide is side for what holds more the more is found. A list of
// answers does not: False is in it until they are all True.
func (p *polarizer) containerSide(e syntax.Expr, side Polarity) Polarity {
	switch e := bare(e).(type) {
	case *syntax.Ident:
		if b, ok := p.prog.Uses[e].(*Binding); ok {
			return p.containerSide(b.Value, side)
		}
	case *syntax.IfElse:
		return p.containerSide(e.Then, side) | p.containerSide(e.Else, side)
	case *syntax.Call:
		call := p.prog.Calls[e]
		if hasViews(call) {
			return side
		}
		if call.Func == builtin.Universe()["list"] && len(e.Args) == 1 {
			return p.containerSide(call.Args[0], side)
		}
	}
	return Mixed
}

// lengthSide is side for a length. What else can be compared need not grow
// with what it is made of.
func (p *polarizer) lengthSide(e syntax.Expr, side Polarity) Polarity {
	call, ok := bare(e).(*syntax.Call)
	if ok && p.prog.Calls[call].Func == builtin.Universe()["len"] {
		return side
	}
	return Mixed
}

// A growingFunc is a function whose value grows, or with flip shrinks, as its
// argument does.
type growingFunc struct{ flip bool }

var growingFuncs = map[string]growingFunc{"any": {}, "bool": {}, "len": {}, "list": {}, "empty": {flip: true}}

// argumentSide returns the side on which the arguments of a call stand.
func argumentSide(call *Call, side Polarity) Polarity {
	if call.Func == nil || builtin.Universe()[call.Func.Name] != call.Func {
		return Mixed
	}
	f, ok := growingFuncs[call.Func.Name]
	switch {
	case !ok:
		return Mixed
	case f.flip:
		return side.flip()
	}
	return side
}

func (p *polarizer) call(e *syntax.Call, side Polarity) {
	call := p.prog.Calls[e]
	inner := argumentSide(call, side)
	for _, x := range children(e)[1:] {
		p.expr(x, inner)
	}
	if call.Recv != nil {
		p.expr(call.Recv, Mixed)
	}
	if hasViews(call) {
		p.detectors[e] |= side
	}
	if call.Pred != nil && p.preds[call.Pred]|side != p.preds[call.Pred] {
		p.preds[call.Pred] |= side
		p.block(call.Pred.Body, side)
		p.domains(call.Pred.Body, side, side)
	}
}

// hasViews reports whether a call asks a detector and leaves it open which
// views of a text to look at.
func hasViews(c *Call) bool {
	if c.Func == nil {
		return false
	}
	i := slices.IndexFunc(c.Func.Params, func(p builtin.Param) bool { return p.Name == builtin.ViewsParam })
	return i >= 0 && c.Args[i] == nil
}
