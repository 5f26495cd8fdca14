// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"sort"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

func (c *compiler) unary(s *scope, x *syntax.Unary) node {
	switch x.Op {
	case syntax.Not:
		n := c.cond(s, x.X)
		return node{cost: n.cost, code: negated(n.code)}
	case syntax.Neg:
		return c.strict1(x, c.expr(s, x.X), builtin.Negate)
	}
	return c.strict1(x, c.expr(s, x.X), builtin.Plus)
}

// negated computes the opposite truth; under it nothing is evidence.
func negated(f Code) Code {
	return func(e *Env) *value.Value {
		m := e.B.Marks
		if Faulty(FaultMarks) {
			m = nil
		}
		m.Flip()
		v := f(e)
		m.Flip()
		switch value.Truth(v) {
		case value.True:
			return value.FalseV
		case value.False:
			return value.TrueV
		}
		return v
	}
}

func (c *compiler) binary(s *scope, x *syntax.Binary) node {
	switch x.Op {
	case syntax.Or:
		return c.or(s, x)
	case syntax.And:
		return c.and(s, x)
	case syntax.In:
		return c.in(s, x)
	case syntax.NotIn:
		n := c.in(s, x)
		return node{cost: n.cost, code: notIn(n.code)}
	case syntax.Is, syntax.IsNot:
		return c.is(s, x)
	case syntax.ContainsOnly:
		return c.charged(x, c.expr(s, x.X), c.expr(s, x.Y), func(a, b *value.Value, _ *builtin.Env) *value.Value {
			return builtin.ContainsOnly(a, b)
		})
	case syntax.Eq, syntax.Ne, syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge:
		return c.compare(s, x)
	}
	op := x.Op
	return c.strict2(x, c.expr(s, x.X), c.expr(s, x.Y), func(a, b *value.Value, env *builtin.Env) *value.Value {
		return env.Arith(op, a, b)
	})
}

func (c *compiler) compare(s *scope, x *syntax.Binary) node {
	op := x.Op
	a, b := c.expr(s, x.X), c.expr(s, x.Y)
	n := c.strict2(x, a, b, func(a, b *value.Value, _ *builtin.Env) *value.Value { return builtin.Compare(op, a, b) })
	if op == syntax.Eq {
		n.names = namesEqual(a, b)
	}
	return n
}

func (c *compiler) in(s *scope, x *syntax.Binary) node {
	if tv, ok := syntax.Unparen(x.X).(*syntax.TypedVar); ok && x.Op == syntax.In {
		return c.declared(s, c.prog.Vars[tv])
	}
	a, b := c.expr(s, x.X), c.expr(s, x.Y)
	n := c.strict2(x, a, b, builtin.In)
	if a.konst == nil {
		n = c.charged(x, a, b, builtin.In)
	}
	n.cost += costText
	n = c.scanned(n, a.konst, b)
	n.names = namesIn(a, b)
	return n
}

// charged is a membership that counts the text it searches: what is looked for
// comes from the trace, and so may be very many texts.
func (c *compiler) charged(x *syntax.Binary, a, b node, op func(a, b *value.Value, env *builtin.Env) *value.Value) node {
	n := node{cost: a.cost + b.cost + 1}
	n.code = func(e *Env) *value.Value {
		l := a.code(e)
		if l.Kind() == value.Unknown {
			return l
		}
		r := b.code(e)
		if r.Kind() == value.Unknown {
			return r
		}
		times := 1
		if l.Kind() == value.List || l.Kind() == value.Tuple {
			times = len(l.Items())
		}
		if !e.search(times, r) {
			return spent(x)
		}
		return known(op(l, r, e.B), x)
	}
	return n
}

// notIn negates a membership; with a list on the left each of its answers.
func notIn(in Code) Code {
	plain := negated(in)
	return func(e *Env) *value.Value {
		m := e.B.Marks
		m.Flip()
		v := in(e)
		m.Flip()
		if v.Kind() != value.List {
			return plain(e)
		}
		out := make([]*value.Value, len(v.Items()))
		for i, t := range v.Items() {
			t := t
			out[i] = negated(func(*Env) *value.Value { return t })(e)
		}
		return value.AnswersOf(out)
	}
}

func (c *compiler) is(s *scope, x *syntax.Binary) node {
	n := c.isPlain(s, x)
	if x.Op == syntax.IsNot {
		return node{cost: n.cost, code: negated(n.code)}
	}
	return n
}

func (c *compiler) isPlain(s *scope, x *syntax.Binary) node {
	a := c.expr(s, x.X)
	if p, ok := syntax.Unparen(x.Y).(*syntax.ToolPattern); ok {
		m := c.prog.Patterns[p]
		n := c.strictEnv(x, a, m.Match)
		n.names = namesMatched(a, p.Name, p.Args != nil)
		if p.Args != nil {
			n.cost += costText
		}
		return n
	}
	return c.strict2(x, a, c.expr(s, x.Y), func(v, w *value.Value, _ *builtin.Env) *value.Value {
		return builtin.Compare(syntax.Eq, v, w)
	})
}

func (c *compiler) flow(s *scope, x *syntax.FlowChain) node {
	var pairs []Code
	cost := 0
	for i, op := range x.Ops {
		a, b := c.expr(s, x.Xs[i]), c.expr(s, x.Xs[i+1])
		pairs, cost = append(pairs, flowPair(x, op, a.code, b.code)), cost+a.cost+b.cost+1
	}
	return node{cost: cost, code: conjunction(pairs)}
}

// flowPair is the order of two elements.
func flowPair(src syntax.Expr, op syntax.Op, a, b Code) Code {
	return func(e *Env) *value.Value { return known(builtin.Flows(op, a(e), b(e)), src) }
}

// operands flattens nested `and`s or `or`s.
func operands(op syntax.Op, x syntax.Expr) []syntax.Expr {
	if b, ok := syntax.Unparen(x).(*syntax.Binary); ok && b.Op == op {
		return append(operands(op, b.X), operands(op, b.Y)...)
	}
	return []syntax.Expr{x}
}

func (c *compiler) and(s *scope, x *syntax.Binary) node {
	var codes []Code
	var out node
	for _, o := range operands(syntax.And, x) {
		n := c.cond(s, o)
		codes, out.cost = append(codes, c.present(s, o, n.code)), out.cost+n.cost
		out.names = out.names.and(n.names)
	}
	out.code = conjunction(codes)
	return out
}

func (c *compiler) or(s *scope, x *syntax.Binary) node {
	var codes []Code
	var out node
	for i, o := range operands(syntax.Or, x) {
		n := c.cond(s, o)
		codes, out.cost = append(codes, c.present(s, o, n.code)), out.cost+n.cost
		if i == 0 {
			out.names = n.names
		} else {
			out.names = out.names.or(n.names)
		}
	}
	out.code = disjunction(codes)
	return out
}

// present makes a condition, or an operand of `and` or `or`, false when an optional
// variable that it mentions has no element. An `or` that declares the variable
// does not count: there, only its operand is false.
func (c *compiler) present(s *scope, x syntax.Node, code Code) Code {
	slots := c.optional(s, x)
	for _, i := range slots {
		c.reads(i)
	}
	return withPresent(slots, code)
}

// optional returns the slots of the optional variables without whose elements
// x is false.
func (c *compiler) optional(s *scope, x syntax.Node) []int {
	var slots []int
	for o := s; o != nil; o = o.up {
		for obj, slot := range o.slots {
			if v, ok := obj.(*check.Var); ok && v.Optional && c.uses(x, v) {
				slots = append(slots, slot)
			}
		}
	}
	sort.Ints(slots)
	return slots
}

// uses reports whether x mentions v outside of the `or` that declares it.
func (c *compiler) uses(x syntax.Node, v *check.Var) (found bool) {
	decl := v.Decl.Span()
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TypedVar:
			found = found || c.prog.Vars[n] == v
		case *syntax.Ident:
			o := c.prog.Uses[n]
			b, ok := o.(*check.Binding)
			found = found || o == check.Object(v) || ok && c.uses(b.Value, v)
		case *syntax.Binary:
			at := n.Span()
			return n.Op != syntax.Or || at.File != decl.File || decl.Start < at.Start || at.End < decl.End
		}
		return true
	})
	return found
}

func withPresent(slots []int, code Code) Code {
	if len(slots) == 0 {
		return code
	}
	return func(e *Env) *value.Value {
		for _, i := range slots {
			if e.Slots[i] == nil {
				return value.FalseV
			}
		}
		return code(e)
	}
}

// conjunction is Kleene's and: false decides, wherever it stands. When evidence
// is wanted it looks at every operand all the same.
func conjunction(codes []Code) Code {
	if len(codes) == 1 {
		return func(e *Env) *value.Value { return marked(e, codes[0]) }
	}
	return func(e *Env) *value.Value {
		var u unknowns
		fails := false
		for _, f := range codes {
			v := marked(e, f)
			switch value.Truth(v) {
			case value.False:
				if e.B.Marks == nil {
					return value.FalseV
				}
				fails = true
			case value.Unsure:
				u.add(v)
			}
		}
		if fails {
			return value.FalseV
		}
		return u.or(value.TrueV)
	}
}

// disjunction is Kleene's or. When evidence is wanted it looks at every
// operand, so that all that holds is marked.
func disjunction(codes []Code) Code {
	return func(e *Env) *value.Value {
		var u unknowns
		holds := false
		for _, f := range codes {
			v := marked(e, f)
			switch value.Truth(v) {
			case value.True:
				if e.B.Marks == nil && !Faulty(FaultOrStrict) {
					return value.TrueV
				}
				holds = true
			case value.Unsure:
				u.add(v)
			}
		}
		if holds && !(u.first != nil && Faulty(FaultOrStrict)) {
			return value.TrueV
		}
		return u.or(value.FalseV)
	}
}

// unknowns collects the causes of unknown operands.
type unknowns struct {
	first *value.Value
	all   []value.Cause
}

func (u *unknowns) add(v *value.Value) {
	if u.first == nil {
		u.first = v
		return
	}
	if u.all == nil {
		u.all = append(u.all, u.first.Causes()...)
	}
	u.all = value.MergeCauses(u.all, v.Causes())
}

func (u *unknowns) or(v *value.Value) *value.Value {
	switch {
	case u.first == nil:
		return v
	case u.all == nil || Faulty(FaultFirstCause):
		return u.first
	}
	return value.UnknownOf(u.all)
}

// call compiles a call of a function, a method or a predicate.
func (c *compiler) call(s *scope, x *syntax.Call) node {
	call := c.prog.Calls[x]
	switch {
	case call.Pred != nil:
		return c.predicate(s, x, call)
	case call.Method != nil:
		return c.method(s, x, call)
	}
	f := call.Func
	if f.Module == "" {
		switch f.Name {
		case "print":
			return konst(value.TrueV)
		case "any", "all":
			if n, ok := c.lazyTruths(s, f.Name, call.Args[0]); ok {
				return n
			}
		}
	}
	args := c.arguments(s, x, f.Params, call)
	weighed := f.Name != "match" && f.Name != "find" && f.Name != "empty" // patterns say what they cost
	n := node{cost: functionCost(f), code: func(e *Env) *value.Value {
		if !e.step() {
			return spent(x)
		}
		vals, unknown := evalAll(e, args)
		if unknown != nil {
			return unknown
		}
		for _, v := range vals {
			if weighed && !e.weigh(v) {
				return spent(x)
			}
		}
		return known(builtin.Apply(f, vals, e.B), x)
	}}
	for _, a := range args {
		n.cost += a.cost
	}
	return c.scannedCall(n, f, args)
}

func functionCost(f *builtin.Func) int {
	switch {
	case f.Kind != builtin.Pure:
		return costDetector
	case f.Name == "match" || f.Name == "find":
		return costPattern
	}
	return 5
}

// arguments gives one node for each parameter, defaults filled in.
func (c *compiler) arguments(s *scope, src syntax.Expr, params []builtin.Param, call *check.Call) []node {
	args := make([]node, len(params))
	for i, p := range params {
		switch {
		case p.Rest:
			args[i] = c.sequence(s, src, call.Rest, value.ArgsOf)
		case i < len(call.Args) && call.Args[i] != nil:
			args[i] = c.expr(s, call.Args[i])
		default:
			args[i] = konst(call.Default(p))
		}
	}
	return args
}

func evalAll(e *Env, args []node) (vals []*value.Value, unknown *value.Value) {
	vals = make([]*value.Value, len(args))
	for i, a := range args {
		vals[i] = a.code(e)
		if vals[i] != nil && vals[i].Kind() == value.Unknown {
			return nil, vals[i]
		}
	}
	return vals, nil
}

func (c *compiler) method(s *scope, x *syntax.Call, call *check.Call) node {
	m := call.Method
	recv := c.expr(s, call.Recv)
	args := c.arguments(s, x, m.Params, call)
	return node{cost: recv.cost + 10, code: func(e *Env) *value.Value {
		r := recv.code(e)
		if r.Kind() == value.Unknown {
			return r
		}
		vals, unknown := evalAll(e, args)
		if unknown != nil {
			return unknown
		}
		if m.Name != "get" && !e.weigh(r) {
			return spent(x)
		}
		for _, v := range vals {
			if !e.weigh(v) {
				return spent(x)
			}
		}
		return known(m.Call(r, vals, e.B), x)
	}}
}

// predicate compiles a predicate's body in place. Parameters stand for their
// arguments, so an argument that is unknown matters only where it is used.
func (c *compiler) predicate(s *scope, x *syntax.Call, call *check.Call) node {
	in := newScope(c.top)
	for i, p := range call.Pred.Params {
		arg := c.record(func() node { return budgeted(c.expr(s, call.Args[i]), call.Args[i]) })
		in.params[p] = argument{recorded: arg, src: call.Args[i], in: s}
	}
	if len(call.Pred.Body.Vars) > 0 {
		return c.sub(in, x, call.Pred.Body, &check.Quant{Kind: syntax.Exists, Min: 1, Max: -1})
	}
	var codes []Code
	var out node
	for _, cd := range call.Pred.Body.Conds {
		n := c.condition(in, cd)
		codes, out.cost = append(codes, n.code), out.cost+n.cost
		out.names = out.names.and(n.names)
	}
	out.code = conjunction(codes)
	return out
}

// condition compiles one line of a block.
func (c *compiler) condition(s *scope, cd syntax.Cond) node {
	switch cd := cd.(type) {
	case *syntax.ExprCond:
		n := c.cond(s, cd.X)
		n.code = c.present(s, cd.X, n.code)
		return n
	case *syntax.QuantCond:
		q := c.prog.Quants[cd]
		n := c.sub(s, cd, q.Body, q)
		if cd.Not {
			n = node{cost: n.cost, code: negated(n.code)}
		}
		n.code = c.present(s, cd, n.code)
		return n
	case *syntax.BindCond:
	}
	panic("compile: a binding is no condition")
}
