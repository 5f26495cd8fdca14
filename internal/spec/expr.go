// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// value is the value of an expression.
func (e *evaluator) value(s *scope, x syntax.Expr) val {
	strict := func(f func(v []val) val, xs ...syntax.Expr) val { return e.strict(s, x, f, xs...) }
	switch x := x.(type) {
	case *syntax.Paren:
		return e.value(s, x.X)
	case *syntax.Ident:
		return e.name(s, x, e.prog.Uses[x])
	case *syntax.TypedVar:
		return e.name(s, x, e.prog.Vars[x])
	case *syntax.IntLit:
		return value.BigOf(x.Value).WithSrc(x)
	case *syntax.FloatLit:
		return value.FloatOf(x.Value).WithSrc(x)
	case *syntax.StringLit:
		return value.StrOf(x.Value)
	case *syntax.ConstLit:
		return [...]val{value.NoneV, value.TrueV, value.FalseV}[x.Kind]
	case *syntax.FString:
		return e.fstring(s, x)
	case *syntax.ListLit:
		return strict(value.ListOf, x.Items...)
	case *syntax.TupleLit:
		return strict(value.TupleOf, x.Items...)
	case *syntax.DictLit:
		return strict(dict, append(slices.Clone(x.Keys), x.Values...)...)
	case *syntax.ListComp:
		return e.comprehension(s, x)
	case *syntax.Unary:
		switch x.Op {
		case syntax.Not:
			return e.negation(func() val { return e.truth(s, x.X) })
		case syntax.Neg:
			return strict(func(v []val) val { return builtin.Negate(v[0]) }, x.X)
		}
		return strict(func(v []val) val { return builtin.Plus(v[0]) }, x.X)
	case *syntax.Binary:
		return e.binary(s, x, x.Op)
	case *syntax.FlowChain: // it holds when every neighbouring pair does
		var vs []val
		for i, op := range x.Ops {
			vs = append(vs, strict(func(v []val) val { return builtin.Flows(op, v[0], v[1]) }, x.Xs[i], x.Xs[i+1]))
		}
		return and(vs...)
	case *syntax.IfElse:
		switch c := e.marked(func() val { return e.truth(s, x.If) }); c {
		case value.TrueV:
			return e.value(s, x.Then)
		case value.FalseV:
			return e.value(s, x.Else)
		default:
			return c
		}
	case *syntax.Call:
		return e.call(s, x, e.prog.Calls[x])
	case *syntax.Member:
		return e.member(s, x, e.prog.Members[x])
	case *syntax.Index:
		return strict(func(v []val) val { return builtin.IndexOf(v[0], v[1], &e.env) }, x.X, x.I)
	case *syntax.Slice:
		return strict(func(v []val) val { return builtin.SliceOf(v[0], v[1], v[2]) }, x.X, x.Lo, x.Hi)
	}
	panic("spec: expression the checker let through")
}

// strict applies f to the values of xs; it is unknown as soon as one of them is,
// for the causes of the first. What is not written has the value nil.
func (e *evaluator) strict(s *scope, src syntax.Expr, f func(v []val) val, xs ...syntax.Expr) val {
	vs := make([]val, len(xs))
	for i, x := range xs {
		if x == nil {
			continue
		}
		if vs[i] = e.value(s, x); vs[i].Kind() == value.Unknown {
			return vs[i]
		}
	}
	return f(vs).WithSrc(src)
}

// name is the value of what a name stands for. A binding stands for its
// expression, a parameter for the argument where the predicate is called.
func (e *evaluator) name(s *scope, x syntax.Expr, o check.Object) val {
	switch o := o.(type) {
	case *check.Var:
		return cmp.Or(e.element(s, o), value.Trouble(value.Missing, nil, "the variable has no element").WithSrc(x))
	case *check.Local:
		return s.find(o).val.WithSrc(o.Comp.In)
	case *check.ParamObj:
		return e.value(s.find(o).in, s.find(o).arg)
	case *check.Binding:
		return e.value(s, o.Value)
	}
	return e.input // all that is left to name
}

func (e *evaluator) fstring(s *scope, x *syntax.FString) val {
	text := ""
	for _, p := range x.Parts {
		v := value.StrOf(p.Text)
		if p.X != nil {
			v = e.strict(s, p.X, func(v []val) val { return builtin.Format(v[0], p.Format) }, p.X)
		}
		if v.Kind() == value.Unknown {
			return v
		}
		text += v.Text()
	}
	return value.StrOf(text)
}

// dict makes a dict of its keys, followed by its values.
func dict(v []val) val {
	keys := make([]string, len(v)/2)
	for i := range keys {
		if v[i].Kind() != value.Str {
			return value.Trouble(value.TypeError, v[i], "a dict key is not a string")
		}
		keys[i] = v[i].Text()
	}
	return value.DictOf(keys, v[len(keys):])
}

// binary is the value of x with the operator op.
func (e *evaluator) binary(s *scope, x *syntax.Binary, op syntax.Op) val {
	f := func(v []val) val { return builtin.Arith(op, v[0], v[1]) }
	switch op {
	case syntax.And:
		return and(e.conditions(s, x)...)
	case syntax.Or:
		return or(e.conditions(s, x)...)
	case syntax.NotIn:
		return e.negation(func() val { return e.binary(s, x, syntax.In) })
	case syntax.IsNot:
		return e.negation(func() val { return e.binary(s, x, syntax.Is) })
	case syntax.In:
		if _, ok := syntax.Unparen(x.X).(*syntax.TypedVar); ok {
			return e.truth(s, x.X) // the element was drawn from there
		}
		f = func(v []val) val { return builtin.In(v[0], v[1], &e.env) }
	case syntax.Is:
		if p, ok := syntax.Unparen(x.Y).(*syntax.ToolPattern); ok {
			return e.strict(s, x, func(v []val) val { return e.prog.Patterns[p].Match(v[0], &e.env) }, x.X)
		}
		f = func(v []val) val { return builtin.Compare(syntax.Eq, v[0], v[1]) }
	case syntax.Eq, syntax.Ne, syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge:
		f = func(v []val) val { return builtin.Compare(op, v[0], v[1]) }
	case syntax.ContainsOnly:
		f = func(v []val) val { return builtin.ContainsOnly(v[0], v[1]) }
	}
	return e.strict(s, x, f, x.X, x.Y)
}

func (e *evaluator) member(s *scope, x *syntax.Member, m *check.Member) val {
	name := x.Name.Name
	if m != nil && m.Input {
		missing := value.Trouble(value.NoParameter, nil, "no parameter "+strconv.Quote(name)+" was given")
		return cmp.Or(e.input.Get(name), missing.WithSrc(x))
	}
	return e.strict(s, x, func(v []val) val {
		if m != nil && m.Field >= 0 {
			return builtin.FieldOf(v[0], m.Field, &e.env)
		}
		return builtin.Member(v[0], name, &e.env)
	}, x.X)
}

// call is the value of a call of a predicate, a method or a function.
func (e *evaluator) call(s *scope, x *syntax.Call, c *check.Call) val {
	args := append(slices.Clone(c.Args), c.Rest...)
	switch {
	case c.Pred != nil:
		return e.predicate(s, x, c)
	case c.Method != nil:
		return e.strict(s, x, func(v []val) val {
			return c.Method.Call(v[0], fill(c.Method.Params, v[1:]), &e.env)
		}, append([]syntax.Expr{c.Recv}, args...)...)
	case c.Func.Module == "" && c.Func.Name == "print":
		return value.TrueV
	case c.Func.Module == "" && (c.Func.Name == "any" || c.Func.Name == "all"):
		if v := e.anyAll(s, c.Func.Name == "all", syntax.Unparen(c.Args[0])); v != nil {
			return v
		}
	}
	return e.strict(s, x, func(v []val) val { return builtin.Apply(c.Func, fill(c.Func.Params, v), &e.env) }, args...)
}

// fill makes one argument for each parameter: the default for what is not
// given, a list of all further ones for a Rest parameter.
func fill(params []builtin.Param, v []val) []val {
	out := slices.Clone(v[:len(params)])
	for i, p := range params {
		if p.Rest {
			out[i] = value.ListOf(v[len(params):])
		}
		out[i] = cmp.Or(out[i], p.Default)
	}
	return out
}

// anyAll is any() or all() of a list literal or comprehension, where each
// element counts for itself, as an operand of `or` or `and` does: one that the
// filter may exclude as `filter and element`, or as `not filter or element`.
// Nil: the argument is neither.
func (e *evaluator) anyAll(s *scope, all bool, arg syntax.Expr) val {
	var some, every []val
	switch x := arg.(type) {
	case *syntax.ListLit:
		for _, it := range x.Items {
			some = append(some, e.marked(func() val { return e.truth(s, it) }))
		}
		every = some
	case *syntax.ListComp:
		e.turns(s, x, func(s *scope, filter val) val {
			v := e.truth(s, x.Elt)
			some, every = append(some, and(filter, v)), append(every, or(not(filter), v))
			return and(filter, v)
		})
	default:
		return nil
	}
	if all {
		return and(every...)
	}
	return or(some...)
}

// comprehension is the list that a comprehension makes; one unknown filter or
// element makes all of it unknown.
func (e *evaluator) comprehension(s *scope, x *syntax.ListComp) (list val) {
	var items []val
	e.turns(s, x, func(s *scope, filter val) val {
		v := filter
		if filter == value.TrueV {
			v = e.value(s, x.Elt)
		}
		if list == nil && v.Kind() == value.Unknown {
			list = v
		}
		items = append(items, v)
		return filter
	})
	if list == nil {
		list = value.ListOf(items)
	}
	return list
}

// turns calls f for each element that a comprehension goes through and does not
// filter out, with the filter's truth; if f is not true, nothing in the turn is
// evidence. If it is not known what it goes through, or an element cannot be
// taken apart, there is one turn for that, with unknown targets and filter.
func (e *evaluator) turns(s *scope, x *syntax.ListComp, f func(s *scope, filter val) val) {
	var items []val
	unknown := e.value(s, x.In)
	if unknown.Kind() != value.Unknown {
		items, unknown = builtin.Iterate(unknown)
	}
	if unknown != nil {
		items = []val{unknown}
	}
	for _, it := range items {
		parts, bad := []val{it}, unknown
		if len(x.Targets) > 1 && it.Kind() == value.Unknown {
			bad = it
		} else if len(x.Targets) > 1 {
			parts, bad = builtin.Unpack(it, len(x.Targets))
		}
		e.marked(func() val { return e.turn(s, x, parts, bad, f) })
	}
}

func (e *evaluator) turn(s *scope, x *syntax.ListComp, parts []val, bad val, f func(s *scope, filter val) val) val {
	var filters []val
	if bad != nil {
		bad = bad.WithSrc(x.In)
		parts, filters = slices.Repeat([]val{bad}, len(x.Targets)), []val{bad}
	}
	for i, t := range x.Targets {
		s = &scope{up: s, name: e.prog.Uses[t], val: parts[i]}
	}
	for _, c := range x.Ifs {
		filters = append(filters, e.marked(func() val { return e.truth(s, c) }))
	}
	if filter := and(filters...); filter != value.FalseV {
		return f(s, filter)
	}
	return value.FalseV
}
