// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A node is a compiled expression: its code, its value where that is known
// already, and what it costs relative to a comparison (1).
type node struct {
	code  Code
	konst *value.Value
	cost  int
	slot  int  // 1 + the slot, for a plain variable
	sub   *Sub // for a quantifier that is the whole expression
	from  path // where the value stands below a variable
	names tools
}

func konst(v *value.Value) node {
	return node{code: func(*Env) *value.Value { return v }, konst: v}
}

// costs of what is not a plain comparison.
const (
	costText     = 20
	costPattern  = 60
	costSub      = 1000
	costDetector = 100000
)

// scope says what the names of one instance of a predicate stand for.
type scope struct {
	up     *scope
	params map[*check.ParamObj]argument
	slots  map[check.Object]int // *check.Var, *check.Local
	binds  map[*check.Binding]recorded
}

// An argument is what a parameter stands for, and where its names are read.
type argument struct {
	recorded
	src syntax.Expr
	in  *scope
}

// newScope returns a scope with no names of its own.
func newScope(up *scope) *scope {
	return &scope{
		up:     up,
		params: map[*check.ParamObj]argument{},
		slots:  map[check.Object]int{},
		binds:  map[*check.Binding]recorded{},
	}
}

func (s *scope) slot(o check.Object) (int, bool) {
	for ; s != nil; s = s.up {
		if i, ok := s.slots[o]; ok {
			return i, true
		}
	}
	return 0, false
}

func (s *scope) param(p *check.ParamObj) argument {
	for ; s != nil; s = s.up {
		if n, ok := s.params[p]; ok {
			return n
		}
	}
	panic("compile: parameter without an argument: " + p.Name)
}

// expr compiles x for its value.
func (c *compiler) expr(s *scope, x syntax.Expr) node {
	c.grow(x)
	switch x := x.(type) {
	case *syntax.Ident:
		return c.ident(s, x)
	case *syntax.TypedVar:
		return c.variable(s, x, c.prog.Vars[x])
	case *syntax.IntLit:
		return konst(value.BigOf(x.Value).WithSrc(x))
	case *syntax.FloatLit:
		return konst(value.FloatOf(x.Value).WithSrc(x))
	case *syntax.StringLit:
		return konst(value.StrOf(x.Value))
	case *syntax.ConstLit:
		return konst(constant(x.Kind))
	case *syntax.FString:
		return c.fstring(s, x)
	case *syntax.ListLit:
		return c.sequence(s, x, x.Items, value.ListOf)
	case *syntax.TupleLit:
		return c.sequence(s, x, x.Items, value.TupleOf)
	case *syntax.DictLit:
		return c.dict(s, x)
	case *syntax.ListComp:
		return c.comprehension(s, x)
	case *syntax.Paren:
		return c.expr(s, x.X)
	case *syntax.Unary:
		return c.unary(s, x)
	case *syntax.Binary:
		return c.binary(s, x)
	case *syntax.FlowChain:
		return c.flow(s, x)
	case *syntax.IfElse:
		return c.ifElse(s, x)
	case *syntax.Call:
		return c.call(s, x)
	case *syntax.Member:
		return c.member(s, x)
	case *syntax.Index:
		return c.index(s, x)
	case *syntax.Slice:
		return c.slice(s, x)
	case *syntax.ToolPattern, *syntax.Wildcard, *syntax.ValueClass, *syntax.BadExpr:
	}
	panic("compile: expression the checker let through")
}

// cond compiles x for its truth: the value is a boolean or unknown.
func (c *compiler) cond(s *scope, x syntax.Expr) node {
	switch x := syntax.Unparen(x).(type) { //nolint:gochecksumtype // what is no condition by its form has a value
	case *syntax.TypedVar:
		return c.declared(s, c.prog.Vars[x])
	case *syntax.Unary:
		if x.Op == syntax.Not {
			return c.unary(s, x)
		}
	case *syntax.Binary:
		if boolean(x.Op) {
			return c.binary(s, x)
		}
	case *syntax.FlowChain:
		return c.flow(s, x)
	}
	n := c.expr(s, x)
	code := n.code
	n.code = truthOf(code, syntax.Unparen(x))
	n.konst, n.slot = nil, 0
	return n
}

func boolean(op syntax.Op) bool {
	switch op {
	case syntax.Or, syntax.And, syntax.Eq, syntax.Ne, syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge,
		syntax.Is, syntax.IsNot, syntax.ContainsOnly:
		return true
	}
	return false
}

// truthOf maps a value to its boolean; an unknown stays as it is.
func truthOf(f Code, src syntax.Expr) Code {
	return func(e *Env) *value.Value {
		v := builtin.Decided(f(e))
		switch value.Truth(v) {
		case value.True:
			return value.TrueV
		case value.False:
			return value.FalseV
		}
		return v.WithSrc(src)
	}
}

func constant(k syntax.ConstKind) *value.Value {
	switch k {
	case syntax.TrueConst:
		return value.TrueV
	case syntax.FalseConst:
		return value.FalseV
	case syntax.NoneConst:
	}
	return value.NoneV
}

func (c *compiler) ident(s *scope, x *syntax.Ident) node {
	switch o := c.prog.Uses[x].(type) {
	case *check.Var:
		return c.variable(s, x, o)
	case *check.Local:
		i, _ := s.slot(o)
		return c.slotNode(i)
	case *check.ParamObj:
		return c.replay(s.param(o).recorded)
	case *check.Binding:
		return c.binding(s, o)
	case *check.InputObj:
		return node{cost: 1, code: inputs}
	case *check.FuncObj, *check.ModuleObj, *check.Predicate:
	}
	panic("compile: name the checker let through: " + x.Name)
}

func (c *compiler) slotNode(i int) node {
	c.reads(i)
	return node{cost: 1, slot: i + 1, from: path{slot: i + 1}, code: func(e *Env) *value.Value { return e.Slots[i] }}
}

func (c *compiler) variable(s *scope, x syntax.Expr, v *check.Var) node {
	i, ok := s.slot(v)
	if !ok {
		panic("compile: variable without a slot: " + v.Name)
	}
	n := c.slotNode(i)
	if v.Optional {
		n.code = func(e *Env) *value.Value {
			if e.Slots[i] == nil {
				return value.Trouble(value.Missing, nil, "the variable has no element").WithSrc(x)
			}
			return e.Slots[i]
		}
	}
	return n
}

// declared is the truth of a typed variable: it holds wherever the variable
// has an element, and is unknown where its domain is.
func (c *compiler) declared(s *scope, v *check.Var) node {
	i, _ := s.slot(v)
	c.reads(i)
	return node{cost: 1, code: func(e *Env) *value.Value {
		x := e.Slots[i]
		switch {
		case x == nil:
			return value.FalseV
		case x.Kind() == value.Unknown:
			return x
		}
		return value.TrueV
	}}
}

// binding compiles a binding once for each scope that it is used in. The
// value is not kept: a name stands for its expression.
func (c *compiler) binding(s *scope, b *check.Binding) node {
	home := c.home(s, b)
	if r, ok := home.binds[b]; ok {
		return c.replay(r)
	}
	r := c.record(func() node { return budgeted(c.expr(home, b.Value), b.Value) })
	home.binds[b] = r
	return c.replay(r)
}

// budgeted counts each use of a binding or parameter: names that stand for names may cost
// far more than their text shows.
func budgeted(n node, src syntax.Expr) node {
	if n.konst != nil || n.slot != 0 {
		return n
	}
	code := n.code
	n.code = func(e *Env) *value.Value {
		if !e.step() {
			return spent(src)
		}
		return code(e)
	}
	return n
}

func spent(src syntax.Node) *value.Value {
	return value.Trouble(value.Budget, nil, "evaluation budget used up").WithSrc(src)
}

// home finds the scope whose names a binding's expression may use.
func (c *compiler) home(s *scope, b *check.Binding) *scope {
	if b.Const {
		return c.top
	}
	return s
}

func inputs(e *Env) *value.Value {
	keys := make([]string, 0, len(e.Input))
	for k := range e.Input {
		keys = append(keys, k)
	}
	sortStrings(keys)
	items := make([]*value.Value, len(keys))
	for i, k := range keys {
		items[i] = e.Input[k]
	}
	return value.DictOf(keys, items)
}

// sequence compiles a list or tuple literal, built once if all of it is
// constant.
func (c *compiler) sequence(s *scope, src syntax.Expr, xs []syntax.Expr, make_ func([]*value.Value) *value.Value) node {
	nodes, cost, fixed := c.exprs(s, xs)
	build := func(e *Env) *value.Value {
		items := make([]*value.Value, len(nodes))
		for i, n := range nodes {
			v := n.code(e)
			if v.Kind() == value.Unknown {
				return v
			}
			items[i] = v
		}
		return known(make_(items), src)
	}
	if fixed {
		return konst(build(nil))
	}
	return node{code: build, cost: cost + 1}
}

func (c *compiler) exprs(s *scope, xs []syntax.Expr) (nodes []node, cost int, fixed bool) {
	fixed = true
	for _, x := range xs {
		n := c.expr(s, x)
		nodes = append(nodes, n)
		cost += n.cost
		fixed = fixed && n.konst != nil
	}
	return nodes, cost, fixed
}

func (c *compiler) dict(s *scope, x *syntax.DictLit) node {
	keys, kc, kf := c.exprs(s, x.Keys)
	vals, vc, vf := c.exprs(s, x.Values)
	build := func(e *Env) *value.Value {
		names, unknown := evalAll(e, keys)
		if unknown != nil {
			return unknown
		}
		items, unknown := evalAll(e, vals)
		if unknown != nil {
			return unknown
		}
		texts := make([]string, len(names))
		for i, k := range names {
			if k.Kind() != value.Str {
				return value.Trouble(value.TypeError, k, "a dict key is not a string").WithSrc(x)
			}
			texts[i] = k.Text()
		}
		return value.DictOf(texts, items)
	}
	if kf && vf {
		return konst(build(nil))
	}
	return node{code: build, cost: kc + vc + 1}
}

func (c *compiler) fstring(s *scope, x *syntax.FString) node {
	type part struct {
		text   string
		code   Code
		format string
		src    syntax.Expr
	}
	parts := make([]part, len(x.Parts))
	cost := 1
	for i, p := range x.Parts {
		parts[i] = part{text: p.Text, format: p.Format, src: p.X}
		if p.X != nil {
			n := c.expr(s, p.X)
			parts[i].code, cost = n.code, cost+n.cost
		}
	}
	return node{cost: cost, code: func(e *Env) *value.Value {
		var out []byte
		for _, p := range parts {
			if p.code == nil {
				out = append(out, p.text...)
				continue
			}
			v := p.code(e)
			if v.Kind() == value.Unknown {
				return v
			}
			if !e.weigh(v) {
				return spent(x)
			}
			t := e.B.Format(v, p.format)
			if t.Kind() == value.Unknown {
				return t.WithSrc(p.src)
			}
			out = append(out, t.Text()...)
		}
		return value.StrOf(string(out))
	}}
}

func (c *compiler) ifElse(s *scope, x *syntax.IfElse) node {
	cond, then, els := c.cond(s, x.If), c.expr(s, x.Then), c.expr(s, x.Else)
	return node{cost: cond.cost + then.cost + els.cost, code: func(e *Env) *value.Value {
		t := marked(e, cond.code)
		switch value.Truth(t) {
		case value.True:
			return then.code(e)
		case value.False:
			return els.code(e)
		}
		return t
	}}
}

// strict1 and strict2 wrap operations that are unknown as soon as an operand
// is, with the causes of the first such operand.
func (c *compiler) strict1(src syntax.Expr, a node, f func(*value.Value) *value.Value) node {
	code := a.code
	return node{cost: a.cost + 1, code: func(e *Env) *value.Value {
		v := code(e)
		if v.Kind() == value.Unknown {
			return v
		}
		return known(f(v), src)
	}}
}

func (c *compiler) strict2(src syntax.Expr, a, b node, f func(x, y *value.Value, env *builtin.Env) *value.Value) node {
	ca, cb := a.code, b.code
	return node{cost: a.cost + b.cost + 1, code: func(e *Env) *value.Value {
		x := ca(e)
		if x.Kind() == value.Unknown {
			return x
		}
		y := cb(e)
		if y.Kind() == value.Unknown {
			return y
		}
		if !e.weigh(x) || !e.weigh(y) {
			return spent(src)
		}
		return known(f(x, y, e.B), src)
	}}
}

// known gives an Unknown result its place in the policy.
func known(v *value.Value, src syntax.Expr) *value.Value {
	if v.Kind() == value.Unknown {
		return v.WithSrc(src)
	}
	return v
}

// index takes an item of a list as it stands; a text is looked through.
func (c *compiler) index(s *scope, x *syntax.Index) node {
	a, i := c.expr(s, x.X), c.expr(s, x.I)
	return node{cost: a.cost + i.cost + 1, code: func(e *Env) *value.Value {
		v := a.code(e)
		if v.Kind() == value.Unknown {
			return v
		}
		at := i.code(e)
		if at.Kind() == value.Unknown {
			return at
		}
		if k := v.Kind(); (k == value.Str || k == value.Content) && !e.weigh(v) {
			return spent(x)
		}
		return known(builtin.IndexOf(v, at, e.B), x)
	}}
}

func (c *compiler) slice(s *scope, x *syntax.Slice) node {
	bound := func(b syntax.Expr) node {
		if b == nil {
			return konst(nil)
		}
		return c.expr(s, b)
	}
	v, lo, hi := c.expr(s, x.X), bound(x.Lo), bound(x.Hi)
	return node{cost: v.cost + lo.cost + hi.cost + 1, code: func(e *Env) *value.Value {
		var in [3]*value.Value
		for i, f := range [...]Code{v.code, lo.code, hi.code} {
			in[i] = f(e)
			if in[i] != nil && in[i].Kind() == value.Unknown {
				return in[i]
			}
		}
		if !e.weigh(in[0]) {
			return spent(x)
		}
		return known(builtin.SliceOf(in[0], in[1], in[2]), x)
	}}
}

func (c *compiler) member(s *scope, x *syntax.Member) node {
	m := c.prog.Members[x]
	if m != nil && m.Input != nil {
		return input(x, m.Input)
	}
	v := c.expr(s, x.X)
	name := x.Name.Name
	get := func(r *value.Value, env *builtin.Env) *value.Value { return builtin.Member(r, name, env) }
	if m != nil && m.Field >= 0 {
		field := m.Field
		get = func(r *value.Value, env *builtin.Env) *value.Value { return builtin.FieldOf(r, field, env) }
	}
	n := c.strictEnv(x, v, get)
	n.from = v.from.to(name)
	return n
}

func (c *compiler) strictEnv(src syntax.Expr, a node, f func(*value.Value, *builtin.Env) *value.Value) node {
	code := a.code
	return node{cost: a.cost + 1, code: func(e *Env) *value.Value {
		v := code(e)
		if v.Kind() == value.Unknown {
			return v
		}
		return known(f(v, e.B), src)
	}}
}

// input compiles a parameter, which is a constant where an import gave its
// value.
func input(x *syntax.Member, in *check.Input) node {
	if v := in.Bound(); v != nil {
		return konst(v)
	}
	return node{cost: 1, code: func(e *Env) *value.Value {
		if v := in.Value(e.Input); v != nil {
			return v
		}
		return value.Trouble(value.NoParameter, nil, "no parameter "+quote(in.Name)+" was given").WithSrc(x)
	}}
}
