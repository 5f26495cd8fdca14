// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A verdict can stop a call before it is made and an assistant's message
// before it is sent on; a tool's output or a user's message has happened when
// it is seen. So a rule can prevent only if the event that completes a match
// can be one of the former.

// last is what completes the matches of a rule.
type last struct {
	preventable bool
	at          diag.Span // if not: an element that may come last
}

// lastElements looks at the variables of a rule, and of its quantifiers that
// look at the open trace, that no flow forces before another one.
func lastElements(p *Program, r *Rule) last {
	l := &sinks{prog: p, before: map[*Var]bool{}, fixed: map[*Var]bool{}, args: map[*ParamObj]*Var{}, seen: map[visit]bool{}}
	l.block(r.Body, true)
	out := last{preventable: true, at: r.Node.VerbAt}
	seen := false
	for _, v := range l.vars {
		if v.In != nil || l.before[v] {
			continue
		}
		if !l.fixed[v] && stoppable(v.Type) {
			return last{preventable: true}
		}
		if !seen {
			out, seen = last{at: v.Decl.Span()}, true
		}
	}
	return out
}

// stoppable reports whether an element of type t can belong to a call or to a
// message of the assistant's.
func stoppable(t *value.Type) bool {
	switch t {
	case value.UserMessageType, value.SystemMessageType, value.ToolOutputType, value.ToolType, value.ToolParameterType:
		return false
	}
	return true
}

// sinks collects the variables that can be the last of a match.
type sinks struct {
	prog   *Program
	vars   []*Var
	before map[*Var]bool      // a flow forces it before another variable
	fixed  map[*Var]bool      // a condition makes it somebody else's message
	args   map[*ParamObj]*Var // what predicates are called with
	seen   map[visit]bool
}

// block looks at a block whose variables are part of every match, if forced,
// or of some.
func (l *sinks) block(b *Block, forced bool) {
	l.vars = append(l.vars, b.Vars...)
	for _, cond := range b.Conds {
		switch cond := cond.(type) {
		case *syntax.ExprCond:
			l.expr(cond.X, forced)
		case *syntax.QuantCond:
			l.quant(cond, forced)
		case *syntax.BindCond:
		}
	}
}

// quant looks at a quantifier that an element of the open trace can make
// true. One that only makes it false completes no match.
func (l *sinks) quant(n *syntax.QuantCond, forced bool) {
	q := l.prog.Quants[n]
	t := trend{growth: over(q, stable, false)}
	if n.Not {
		t = t.not()
	}
	if !q.Anchored && (t.growth == growing || t.growth == moving) {
		l.block(q.Body, forced && !n.Not && q.Min > 0)
	}
}

// expr looks at a condition, or at a part of one that can make it true.
func (l *sinks) expr(e syntax.Expr, forced bool) {
	switch e := bare(e).(type) {
	case *syntax.FlowChain:
		if forced {
			l.flow(e)
		}
	case *syntax.Binary:
		l.binary(e, forced)
	case *syntax.Call:
		if call := l.prog.Calls[e]; call.Pred != nil {
			l.call(call, forced)
		}
	}
}

// A visit is a predicate that was looked at as a part of every match, or of
// some.
type visit struct {
	pred   *Predicate
	forced bool
}

// call looks at a predicate once, with the arguments of its first call: more
// would cost time exponential in the number of predicates.
func (l *sinks) call(call *Call, forced bool) {
	v := visit{call.Pred, forced}
	if l.seen[v] {
		return
	}
	l.seen[v] = true
	for i, a := range call.Args {
		l.args[call.Pred.Params[i]] = l.root(a)
	}
	l.block(call.Pred.Body, forced)
}

func (l *sinks) flow(e *syntax.FlowChain) {
	for i, x := range e.Xs[:len(e.Xs)-1] {
		from, to := l.root(x), l.root(e.Xs[i+1])
		if from != nil && to != nil && from != to {
			l.before[from] = true
		}
	}
}

func (l *sinks) binary(e *syntax.Binary, forced bool) {
	switch e.Op {
	case syntax.And:
		l.expr(e.X, forced)
		l.expr(e.Y, forced)
	case syntax.Or:
		l.expr(e.X, false)
		l.expr(e.Y, false)
	case syntax.Eq:
		if forced {
			l.role(e.X, e.Y)
			l.role(e.Y, e.X)
		}
	}
}

// role looks at `m.role == "user"`.
func (l *sinks) role(x, y syntax.Expr) {
	m, ok := syntax.Unparen(x).(*syntax.Member)
	if !ok || m.Name.Name != "role" {
		return
	}
	lit, ok := syntax.Unparen(y).(*syntax.StringLit)
	if !ok || lit.Value == "assistant" {
		return
	}
	if v := l.root(m.X); v != nil && v.Type.Kind == value.Message {
		l.fixed[v] = true
	}
}

// root returns the variable whose event the element e belongs to, nil if that
// is not known: x itself, a part of x, or what x was taken from.
func (l *sinks) root(e syntax.Expr) *Var {
	switch e := bare(e).(type) {
	case *syntax.TypedVar:
		return l.origin(l.prog.Vars[e])
	case *syntax.Ident:
		switch obj := l.prog.Uses[e].(type) {
		case *Var:
			return l.origin(obj)
		case *ParamObj:
			return l.args[obj]
		case *Binding:
			return l.root(obj.Value)
		case *Local, *Predicate, *FuncObj, *ModuleObj, *InputObj:
		}
	case *syntax.Member:
		// The call that an output answers belongs to another event.
		if e.Name.Name != "tool" {
			return l.root(e.X)
		}
	case *syntax.Index:
		return l.root(e.X)
	}
	return nil
}

func (l *sinks) origin(v *Var) *Var {
	if v == nil || v.In == nil {
		return v
	}
	return l.root(v.In)
}
