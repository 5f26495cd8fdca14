// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A rule's class follows from how the truth of its conditions can change for
// an assignment that stays the same while the trace grows. Whatever only looks
// at assigned elements is stable; a quantifier over the trace is not, unless
// every element it can range over stands before an element of the match, in a
// past that is closed. "Growing" truth may come but never goes, "shrinking"
// truth may go but never comes back.

// growth says how a truth can change when events are appended.
type growth uint8

const (
	stable growth = iota
	growing
	shrinking
	moving // both
)

// trend is a growth and the place that shows it.
type trend struct {
	growth growth
	at     diag.Span // of the part that is not stable
}

// and returns the trend of a conjunction or disjunction.
func (t trend) and(u trend) trend {
	switch {
	case t.growth == stable:
		return u
	case u.growth == stable || t.growth == u.growth:
		return t
	}
	at := t.at
	if t.growth == growing {
		at = u.at // what retracts is what must be shown
	}
	return trend{moving, at}
}

// not returns the trend of the negation.
func (t trend) not() trend {
	switch t.growth {
	case growing:
		t.growth = shrinking
	case shrinking:
		t.growth = growing
	case stable, moving:
	}
	return t
}

// judge infers class, polarity and the rest for every rule, and warns.
func (c *checker) judge() {
	j := &judgement{
		prog: c.prog, preds: map[instance]trend{}, binds: map[boundName]trend{}, detectors: map[*syntax.Call]Polarity{},
		patterns: map[*syntax.ToolPattern]Polarity{},
	}
	for p := range c.preds {
		j.predicate(instance{pred: p})
	}
	for _, r := range c.prog.Rules {
		j.rule(r, c)
		c.answered(r)
		c.guaranteed(r)
	}
	j.views(c)
}

// judgement holds what is known of predicates and bindings.
type judgement struct {
	prog      *Program
	preds     map[instance]trend
	binds     map[boundName]trend
	detectors map[*syntax.Call]Polarity // on which sides they stand, in any rule
	patterns  map[*syntax.ToolPattern]Polarity

	loose uint64 // parameters of the predicate at hand that are no variables, a bit each
}

// A boundName is a binding in an instance of a predicate.
type boundName struct {
	bind  *Binding
	loose uint64
}

// An instance is a predicate and which of its parameters stand for something
// else than a variable. Whether such a thing has a place in the trace is not
// known, so no flow to it closes a block.
type instance struct {
	pred  *Predicate
	loose uint64
}

func (j *judgement) rule(r *Rule, c *checker) {
	t := j.block(r.Body)
	for _, v := range r.Body.Vars {
		if absentable(v) {
			// The match without an element goes away when one appears.
			t = t.and(trend{shrinking, v.Decl.Span()})
		}
	}
	switch {
	case t.growth == shrinking || t.growth == moving:
		r.Class, r.Retracts = GlobalClass, true
	case t.growth == growing:
		r.Class = GrowingClass
	case j.quantified(r):
		r.Class = PastClass
	default:
		r.Class = LocalClass
	}
	r.External = j.external(r)
	last := lastElements(c.prog, r)
	r.Preventive = last.preventable
	j.polarity(r)
	if r.Retracts {
		c.warn("P0309", t.at, "matches of this rule can go away again: online it is judged anew at every step", retractHelp)
	}
	if !r.Preventive && r.Node.Verb != syntax.Warn {
		c.warn("P0310", last.at, "this rule can only report what has already happened", "a match ends with something that no verdict can stop; to stop what follows, let a call come last: -> (call: ToolCall)")
	}
}

const retractHelp = "tie each variable of the block to one of the rule's, as in: (x: ToolCall) -> call; write forall: as not exists: of the contrary for that"

// block returns the trend of a block's conjunction for one assignment.
func (j *judgement) block(b *Block) trend {
	t := trend{}
	for _, cond := range b.Conds {
		t = t.and(j.cond(cond))
	}
	return t
}

func (j *judgement) cond(cond syntax.Cond) trend {
	switch cond := cond.(type) {
	case *syntax.ExprCond:
		return j.expr(cond.X)
	case *syntax.QuantCond:
		return j.quant(cond)
	case *syntax.BindCond:
	}
	return trend{}
}

// quant returns the trend of a quantifier and records whether it is anchored.
func (j *judgement) quant(n *syntax.QuantCond) trend {
	q := j.prog.Quants[n]
	body := j.block(q.Body)
	closed := j.closed(q.Body, q.Kind)
	if j.loose == 0 {
		q.Anchored = closed && body.growth == stable
	}
	t := trend{over(q, body.growth, closed), header(n)}
	if n.Not {
		return t.not()
	}
	return t
}

// over returns the growth of a quantifier over a body, whose domain is closed
// or not.
func over(q *Quant, body growth, closed bool) growth {
	// More elements can only make a forall false and a count larger, but the
	// first one takes the place of the assignment without an element; if it
	// could not be read, of one that was certain.
	elements := growing
	switch {
	case slices.ContainsFunc(q.Body.Vars, absentable):
		elements = moving
	case q.Kind == syntax.Forall:
		elements = shrinking
	}
	if q.Kind == syntax.Forall {
		return bounded(elements, body, closed)
	}
	atLeast, atMost := stable, stable
	if q.Min > 0 {
		atLeast = bounded(elements, body, closed)
	}
	if q.Max >= 0 {
		atMost = trend{growth: bounded(elements, body, closed)}.not().growth
	}
	return trend{growth: atLeast}.and(trend{growth: atMost}).growth
}

// bounded joins what new elements do to a quantifier with what its body does
// on the old ones.
func bounded(elements, body growth, closed bool) growth {
	if closed {
		return body
	}
	return trend{growth: elements}.and(trend{growth: body}).growth
}

// absentable reports whether v can be without an element now and have one
// later.
func absentable(v *Var) bool { return v.Optional && v.In == nil }

// expr returns the trend of an expression where a truth is wanted.
func (j *judgement) expr(e syntax.Expr) trend {
	switch e := e.(type) {
	case *syntax.Paren:
		return j.expr(e.X)
	case *syntax.Unary:
		if e.Op == syntax.Not {
			return j.expr(e.X).not()
		}
	case *syntax.Binary:
		if e.Op == syntax.And || e.Op == syntax.Or {
			return j.expr(e.X).and(j.expr(e.Y))
		}
	case *syntax.Ident:
		return j.name(e)
	case *syntax.Call:
		if call := j.prog.Calls[e]; call.Pred != nil {
			return j.predicateCall(e, call)
		}
	case *syntax.TypedVar, *syntax.IntLit, *syntax.FloatLit, *syntax.StringLit, *syntax.FString,
		*syntax.ConstLit, *syntax.ListLit, *syntax.TupleLit, *syntax.DictLit, *syntax.ListComp,
		*syntax.FlowChain, *syntax.IfElse, *syntax.Member, *syntax.Index, *syntax.Slice,
		*syntax.ToolPattern, *syntax.Wildcard, *syntax.ValueClass, *syntax.BadExpr:
	}
	return j.inside(children(e))
}

// inside returns the trend of an expression whose parts are not used as
// truths: if one of them can change, nothing is known of the whole.
func (j *judgement) inside(es []syntax.Expr) trend {
	for _, e := range es {
		if t := j.expr(e); t.growth != stable {
			return trend{moving, t.at}
		}
	}
	return trend{}
}

func (j *judgement) name(id *syntax.Ident) trend {
	b, ok := j.prog.Uses[id].(*Binding)
	if !ok {
		return trend{}
	}
	key := boundName{b, j.loose}
	t, known := j.binds[key]
	if !known {
		t = j.expr(b.Value)
		j.binds[key] = t
	}
	return t
}

func (j *judgement) predicateCall(e *syntax.Call, call *Call) trend {
	if t := j.inside(present(call.Args)); t.growth != stable {
		return t
	}
	t := j.predicate(instance{call.Pred, j.looseArgs(call)})
	t.at = e.Span()
	return t
}

func (j *judgement) looseArgs(call *Call) uint64 {
	loose := uint64(0)
	for i, a := range call.Args {
		if a != nil && !j.plain(a, nil, nil) {
			loose |= 1 << min(i, 63)
		}
	}
	return loose
}

// plain reports whether e is a variable around b, or one of b that is
// anchored, whose element is known to stand in the trace. One of b that is drawn
// from an expression is not: if that cannot be searched, no flow to it can be
// decided, and what comes later may be before it. Around b, that leaves the
// whole block unknown.
func (j *judgement) plain(e syntax.Expr, b *Block, anchored map[*Var]bool) bool {
	if id, ok := syntax.Unparen(e).(*syntax.Ident); ok {
		switch obj := j.prog.Uses[id].(type) { //nolint:gochecksumtype // two stand for another expression
		case *ParamObj:
			return j.loose&(1<<min(obj.Index, 63)) == 0
		case *Binding:
			return j.plain(obj.Value, b, anchored)
		}
	}
	v := j.variable(e)
	return v != nil && (v.Block != b || anchored[v] && v.In == nil) && v.Stands()
}

func present(es []syntax.Expr) []syntax.Expr {
	return slices.DeleteFunc(slices.Clone(es), func(e syntax.Expr) bool { return e == nil })
}

// predicate returns the trend of a predicate, which is an `exists` over its
// own variables.
func (j *judgement) predicate(in instance) trend {
	t, ok := j.preds[in]
	if !ok {
		was := j.loose
		j.loose = in.loose
		body := in.pred.Body
		t = j.block(body)
		if len(body.Vars) > 0 {
			t.growth = bounded(growing, t.growth, j.closed(body, syntax.Exists))
		}
		j.preds[in], j.loose = t, was
	}
	return t
}

// closed reports whether the variables of a block range over elements that
// are all there once the outer variables are bound: each is anchored by a flow
// to an outer or anchored one, or derived from such ones. No flow anchors the
// variable of a forall: an element that does not come before makes it false.
func (j *judgement) closed(b *Block, kind syntax.Quant) bool {
	anchored := map[*Var]bool{}
	for changed := true; changed; {
		changed = false
		for _, v := range b.Vars {
			if !anchored[v] && v.In != nil && j.settled(v.In, b, anchored) {
				anchored[v], changed = true, true
			}
		}
		for _, cond := range b.Conds {
			if e, ok := cond.(*syntax.ExprCond); ok && kind != syntax.Forall && j.anchor(e.X, b, anchored) {
				changed = true
			}
		}
	}
	return len(anchored) == len(b.Vars)
}

// anchor marks the variables of b that the condition e puts before an element
// that is settled. It reports whether there was a new one.
func (j *judgement) anchor(e syntax.Expr, b *Block, anchored map[*Var]bool) bool {
	changed := false
	switch e := bare(e).(type) {
	case *syntax.Binary:
		if e.Op == syntax.And {
			x, y := j.anchor(e.X, b, anchored), j.anchor(e.Y, b, anchored)
			return x || y
		}
	case *syntax.FlowChain:
		for i := len(e.Xs) - 2; i >= 0; i-- {
			v := j.variable(e.Xs[i])
			if v != nil && v.Block == b && !anchored[v] && j.plain(e.Xs[i+1], b, anchored) {
				anchored[v], changed = true, true
			}
		}
	}
	return changed
}

// settled reports whether the value of e depends on outer and anchored
// variables only, and not on how the trace goes on.
func (j *judgement) settled(e syntax.Expr, b *Block, anchored map[*Var]bool) bool {
	if j.expr(e).growth != stable {
		return false
	}
	return !slices.ContainsFunc(j.prog.Free(e), func(v *Var) bool { return v.Block == b && !anchored[v] })
}

// variable returns the variable that e is, through bindings, nil if none.
func (j *judgement) variable(e syntax.Expr) *Var {
	switch e := bare(e).(type) {
	case *syntax.TypedVar:
		return j.prog.Vars[e]
	case *syntax.Ident:
		switch obj := j.prog.Uses[e].(type) {
		case *Var:
			return obj
		case *Binding:
			return j.variable(obj.Value)
		case *ParamObj, *Local, *Predicate, *FuncObj, *ModuleObj, *InputObj:
		}
	}
	return nil
}
