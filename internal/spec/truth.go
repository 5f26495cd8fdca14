// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// not negates any value's truth, which is as in Python. A truth is TrueV, FalseV
// or an Unknown value, which carries its causes.
func not(v val) val { return [...]val{value.TrueV, v, value.FalseV}[value.Truth(v)] }

// and and or are Kleene's: a false, or a true, operand decides, wherever it
// stands; else an unknown one makes it unknown, for the causes of all that are.
func and(vs ...val) val { return decide(value.FalseV, vs) }
func or(vs ...val) val  { return decide(value.TrueV, vs) }

func decide(by val, vs []val) val {
	var causes []value.Cause
	for _, v := range vs {
		if not(not(v)) == by {
			return by
		}
		causes = value.MergeCauses(causes, v.Causes())
	}
	if causes != nil {
		return value.UnknownOf(causes)
	}
	return not(by)
}

// block is the truth of a conjunction under one assignment, that of s, and the
// variables whose elements are not known: they leave it unknown at best. If it is
// true, the elements are evidence, and so is what the conditions mark.
func (e *evaluator) block(s *scope, b *check.Block) (holds val, bottoms []val) {
	holds = e.marked(func() val {
		var vs []val
		for _, c := range b.Conds {
			vs = append(vs, e.condition(s, c))
		}
		for _, v := range b.Vars {
			switch x := s.find(v).val; {
			case x != nil && x.Kind() == value.Unknown:
				bottoms = append(bottoms, x)
			case x != nil:
				e.env.Marks.Mark(x, -1, -1)
			}
		}
		return and(append(vs, bottoms...)...)
	})
	return holds, bottoms
}

// condition is the truth of a line, or of an operand of `and` or `or`.
func (e *evaluator) condition(s *scope, n syntax.Node) val {
	return e.env.Watched(n, e.marked(func() val {
		if e.absent(s, n) {
			return value.FalseV
		}
		return e.truth(s, n)
	}))
}

// conditions are the truths of the operands of a chain of `and` or `or`.
func (e *evaluator) conditions(s *scope, x syntax.Expr, op syntax.Op) []val {
	b, ok := syntax.Unparen(x).(*syntax.Binary)
	if !ok || b.Op != op {
		return []val{e.condition(s, syntax.Unparen(x))}
	}
	return append(e.conditions(s, b.X, op), e.conditions(s, b.Y, op)...)
}

// truth is the truth of a line or expression, a typed variable's if it exists.
func (e *evaluator) truth(s *scope, n syntax.Node) val {
	switch n := n.(type) {
	case *syntax.ExprCond:
		return e.truth(s, syntax.Unparen(n.X))
	case *syntax.QuantCond:
		if n.Not {
			return e.negation(func() val { return e.quantifier(s, n, e.prog.Quants[n]) })
		}
		return e.quantifier(s, n, e.prog.Quants[n])
	case *syntax.TypedVar:
		if x := s.find(e.prog.Vars[n]).val; x == nil || x.Kind() == value.Unknown {
			return cmp.Or(x, value.FalseV)
		}
		return value.TrueV
	}
	return not(not(builtin.Decided(e.value(s, n.(syntax.Expr))).WithSrc(syntax.Unparen(n.(syntax.Expr)))))
}

// negation negates what f gives, or each of its answers. Nothing there is evidence.
func (e *evaluator) negation(f func() val) val {
	e.env.Marks.Flip()
	defer e.env.Marks.Flip()
	v := f()
	if !value.Answers(v) {
		return not(v)
	}
	list := slices.Clone(v.Items())
	for i, v := range list {
		list[i] = not(v)
	}
	return value.AnswersOf(list)
}

// absent reports whether n is false because a variable in it has no element.
func (e *evaluator) absent(s *scope, n syntax.Node) bool {
	for ; s != nil; s = s.up {
		if s.val == nil && s.arg == nil && e.uses(n, s.name) {
			return true
		}
	}
	return false
}

// vague are the elements around n that n uses and that are not known.
func (e *evaluator) vague(s *scope, n syntax.Node) (vs []val) {
	for ; s != nil; s = s.up {
		switch used := e.uses(n, s.name); {
		case used && s.arg != nil:
			vs = append(vs, e.vague(s.in, s.arg)...)
		case used && s.val != nil && s.val.Kind() == value.Unknown:
			vs = append(vs, s.val)
		}
	}
	return vs
}

// uses reports whether n mentions a name, through bindings too. An `or` that
// declares it does not count: without an element, only its operand is false.
func (e *evaluator) uses(n syntax.Node, name check.Object) (found bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TypedVar:
			found = found || name == check.Object(e.prog.Vars[n])
		case *syntax.Ident:
			b, ok := e.prog.Uses[n].(*check.Binding)
			found = found || name == e.prog.Uses[n] || ok && e.uses(b.Value, name)
		case *syntax.Binary:
			v, ok := name.(*check.Var)
			return !(ok && n.Op == syntax.Or && holds(n.Span(), v.Decl.Span()))
		}
		return true
	})
	return found
}

func holds(a, b diag.Span) bool { return a.File == b.File && a.Start <= b.Start && b.End <= a.End }

// quantifier asks whether the number of true assignments of the body lies within
// its bounds; the unknown ones may be true, and are any number if elements are not
// known. For forall none may be false, and one to elements that may not exist is not.
// A body that uses elements around it that are not known leaves it unknown.
func (e *evaluator) quantifier(s *scope, src syntax.Node, q *check.Quant) val {
	var vague []val
	for _, c := range q.Body.Conds {
		vague = append(vague, e.vague(s, c)...)
	}
	if vague != nil && len(q.Body.Vars) > 0 {
		return and(vague...)
	}
	forall, low, high, counted := q.Kind == syntax.Forall, q.Min, q.Max, value.True
	if forall {
		low, high, counted = -1, 0, value.False
	}
	n, open, causes, marks := [3]int{}, false, []value.Cause(nil), e.env.Marks
	return e.marked(func() val {
		e.assignments(s, q.Body, Assignment{}, func(s *scope, _ Assignment) {
			if low < 0 || n[value.True] >= 16 {
				e.env.Marks = nil // so many are evidence enough
			}
			holds, bottoms := e.block(s, q.Body)
			e.env.Marks = marks
			if forall {
				holds = or(append(bottoms, holds)...)
			}
			n[value.Truth(holds)]++
			open = open || bottoms != nil && holds.Kind() == value.Unknown
			causes = value.MergeCauses(causes, holds.Causes())
		})
		if e.limit < 0 {
			open, causes = true, value.MergeCauses(causes, spent(src))
		}
		least, most := n[counted], n[counted]+n[value.Unsure]
		switch {
		case high >= 0 && least > high, most < low && !open:
			return value.FalseV
		case least >= low && (high < 0 || most <= high && !open):
			return value.TrueV
		}
		return value.UnknownOf(causes)
	})
}

func spent(src syntax.Node) []value.Cause {
	return []value.Cause{{Reason: value.Budget, Detail: "evaluation budget used up", Src: src}}
}

// marked drops what f marks unless it is true: else it is no evidence.
func (e *evaluator) marked(f func() val) val {
	n := e.env.Marks.Len()
	v := f()
	if value.Truth(v) != value.True {
		e.env.Marks.Truncate(n)
	}
	return v
}

// value is the value of an expression.
func (e *evaluator) value(s *scope, x syntax.Expr) val {
	switch x := x.(type) { //nolint:gochecksumtype // the others are strict
	case *syntax.Paren:
		return e.value(s, x.X)
	case *syntax.Ident:
		return e.name(s, x, e.prog.Uses[x])
	case *syntax.TypedVar:
		return e.name(s, x, e.prog.Vars[x])
	case *syntax.Unary:
		if x.Op == syntax.Not {
			return e.negation(func() val { return e.truth(s, x.X) })
		}
	case *syntax.Binary:
		switch v, drawn := syntax.Unparen(x.X).(*syntax.TypedVar); {
		case x.Op == syntax.And:
			return and(e.conditions(s, x, x.Op)...)
		case x.Op == syntax.Or:
			return or(e.conditions(s, x, x.Op)...)
		case x.Op == syntax.NotIn || x.Op == syntax.IsNot:
			return e.negation(func() val { return e.strict(s, x) })
		case x.Op == syntax.In && drawn:
			return e.truth(s, v) // the element was drawn from there
		}
	case *syntax.FlowChain: // it holds when every neighbouring pair does
		var pairs []val
		for i, op := range x.Ops {
			pairs = append(pairs, builtin.Flows(op, e.value(s, x.Xs[i]), e.value(s, x.Xs[i+1])).WithSrc(x))
		}
		return and(pairs...)
	case *syntax.IfElse:
		c := e.marked(func() val { return e.truth(s, x.If) })
		if branch := map[val]syntax.Expr{value.TrueV: x.Then, value.FalseV: x.Else}[c]; branch != nil {
			return e.value(s, branch)
		}
		return c
	case *syntax.ListComp:
		return e.comprehension(s, x)
	case *syntax.Member:
		if m := e.prog.Members[x]; m != nil && m.Input != nil {
			missing := value.Trouble(value.NoParameter, nil, fmt.Sprintf("no parameter %q was given", m.Input.Name))
			return cmp.Or(m.Input.Value(e.input), missing.WithSrc(x))
		}
	case *syntax.Call:
		switch c := e.prog.Calls[x]; {
		case c.Pred != nil: // parameters stand for the arguments, its own variables are existential
			var in *scope
			for i, p := range c.Pred.Params {
				in = &scope{up: in, name: p, arg: c.Args[i], in: s}
			}
			return e.quantifier(in, x, &check.Quant{Kind: syntax.Exists, Min: 1, Max: -1, Body: c.Pred.Body})
		case c.Func == builtin.Universe()["any"]:
			return e.some(s, x, c.Args[0], func(v val) val { return v })
		case c.Func == builtin.Universe()["all"]:
			return e.some(s, x, c.Args[0], not)
		}
	}
	return e.strict(s, x)
}

// strict is the value of an expression that is its first unknown operand, if any.
func (e *evaluator) strict(s *scope, x syntax.Expr) val {
	operands, operation := e.prog.Strict(x)
	vs := make([]val, len(operands))
	for i, o := range operands {
		if o == nil {
			continue // it is not written
		}
		if vs[i] = e.value(s, o); vs[i].Kind() == value.Unknown {
			return vs[i]
		}
	}
	return operation(vs, &e.env).WithSrc(x)
}

// name is the value of what a name stands for. A binding stands for its
// expression, a parameter for the argument where the predicate is called.
func (e *evaluator) name(s *scope, x syntax.Expr, o check.Object) val {
	switch o := o.(type) { //nolint:gochecksumtype // the others are no values by themselves
	case *check.ParamObj:
		return e.value(s.find(o).in, s.find(o).arg)
	case *check.Binding:
		return e.value(s, o.Value)
	}
	return cmp.Or(s.find(o).val, value.Trouble(value.Missing, nil, "the variable has no element").WithSrc(x))
}

// some is any() of a list literal or comprehension, where each element counts for
// itself, as an operand of `or`: one that a filter may exclude as `filter and
// element`. With not for each element and for the whole, it is all().
func (e *evaluator) some(s *scope, call, arg syntax.Expr, each func(val) val) val {
	var vs []val
	switch x := syntax.Unparen(arg).(type) { //nolint:gochecksumtype // two forms are lazy
	case *syntax.ListLit:
		for _, it := range x.Items {
			vs = append(vs, each(e.marked(func() val { return e.truth(s, it) })))
		}
	case *syntax.ListComp:
		e.turns(s, x, func(s *scope, filter val) val {
			v := e.truth(s, x.Elt)
			vs = append(vs, and(filter, each(v)))
			return and(filter, v)
		})
	default:
		return e.strict(s, call)
	}
	return each(or(vs...))
}

// comprehension is the list it makes, strict in its filters and elements.
func (e *evaluator) comprehension(s *scope, x *syntax.ListComp) val {
	var unknown, list []val
	e.turns(s, x, func(s *scope, filter val) val {
		v := filter
		if filter == value.TrueV {
			v = e.value(s, x.Elt)
		}
		if v.Kind() == value.Unknown {
			unknown = append(unknown, v)
		}
		list = append(list, v)
		return filter
	})
	return append(unknown, value.ListOf(list))[0]
}

// turns calls f for each element that a comprehension does not filter out, with the
// filter's truth; a turn is evidence if f is true. A source that is not known, or an
// element that cannot be taken apart, is one turn with unknown targets and filter.
func (e *evaluator) turns(s *scope, x *syntax.ListComp, f func(s *scope, filter val) val) {
	items, unknown := []val{nil}, e.value(s, x.In)
	if unknown.Kind() != value.Unknown {
		if items, unknown = builtin.Iterate(unknown); unknown != nil {
			items = []val{nil}
		}
	}
	for _, it := range items {
		parts, bad := []val{it}, unknown
		if bad == nil && len(x.Targets) > 1 {
			parts, bad = builtin.Unpack(it, len(x.Targets))
		}
		e.marked(func() val {
			s, filters := s, []val(nil)
			if bad != nil {
				filters = []val{bad.WithSrc(x.In)}
				parts = slices.Repeat(filters, len(x.Targets))
			}
			for i, t := range x.Targets {
				s = &scope{up: s, name: e.prog.Uses[t], val: parts[i].WithSrcInPlace(x.In)}
			}
			for _, c := range x.Ifs {
				filters = append(filters, e.marked(func() val { return e.truth(s, c) }))
			}
			if filter := and(filters...); filter != value.FalseV {
				return f(s, filter)
			}
			return value.FalseV
		})
	}
}
