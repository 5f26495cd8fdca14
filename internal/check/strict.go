// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// An Operation computes the value of a strict expression from those of its
// operands, one for each; nil for an operand that is not written. No operand is
// Unknown. The causes of an Unknown result have no Src yet, unless they arose in
// a part of the expression.
type Operation func(v []*value.Value, env *builtin.Env) *value.Value

// Strict returns what a strict expression of the program evaluates, from left to
// right, and what it does with the values; that of `not in` and `is not` is that
// of `in` and `is`, still to be negated. The forms that have rules of their own
// are not strict: names, `and`, `or`, `not`, flows, `if … else`, comprehensions,
// parameters of the policy, calls of predicates. Strict panics for them.
func (p *Program) Strict(x syntax.Expr) ([]syntax.Expr, Operation) {
	switch x := x.(type) { //nolint:gochecksumtype // the others are not strict
	case *syntax.IntLit:
		return fixed(value.BigOf(x.Value))
	case *syntax.FloatLit:
		return fixed(value.FloatOf(x.Value))
	case *syntax.StringLit:
		return fixed(value.StrOf(x.Value))
	case *syntax.ConstLit:
		return fixed([...]*value.Value{value.NoneV, value.TrueV, value.FalseV}[x.Kind])
	case *syntax.FString:
		return template(x)
	case *syntax.ListLit:
		return x.Items, func(v []*value.Value, _ *builtin.Env) *value.Value { return value.ListOf(v) }
	case *syntax.TupleLit:
		return x.Items, func(v []*value.Value, _ *builtin.Env) *value.Value { return value.TupleOf(v) }
	case *syntax.DictLit:
		return dict(x)
	case *syntax.Unary:
		return []syntax.Expr{x.X}, sign(x.Op)
	case *syntax.Binary:
		return p.binary(x)
	case *syntax.Member:
		return []syntax.Expr{x.X}, p.memberOf(x)
	case *syntax.Index:
		return []syntax.Expr{x.X, x.I}, func(v []*value.Value, env *builtin.Env) *value.Value {
			return builtin.IndexOf(v[0], v[1], env)
		}
	case *syntax.Slice:
		return []syntax.Expr{x.X, x.Lo, x.Hi}, func(v []*value.Value, _ *builtin.Env) *value.Value {
			return builtin.SliceOf(v[0], v[1], v[2])
		}
	case *syntax.Call:
		return p.Calls[x].operation()
	}
	panic("check: an expression that is not strict")
}

func fixed(v *value.Value) ([]syntax.Expr, Operation) {
	return nil, func([]*value.Value, *builtin.Env) *value.Value { return v }
}

// template joins the texts and fields of an f-string. What fails in a field has
// the field's expression as its place.
func template(x *syntax.FString) (fields []syntax.Expr, op Operation) {
	for _, p := range x.Parts {
		if p.X != nil {
			fields = append(fields, p.X)
		}
	}
	return fields, func(v []*value.Value, env *builtin.Env) *value.Value {
		text, next := "", 0
		for _, p := range x.Parts {
			if p.X == nil {
				text += p.Text
				continue
			}
			field := env.Format(v[next], p.Format)
			if next++; field.Kind() == value.Unknown {
				return field.WithSrc(p.X)
			}
			text += field.Text()
		}
		return value.StrOf(text)
	}
}

// Raised is the value of an argument of a raise expression, whose parts eval
// gives. In an f-string a field that is unknown prints as such: the text around
// it says what the rule is about.
func Raised(x syntax.Expr, eval func(syntax.Expr) *value.Value, env *builtin.Env) *value.Value {
	f, ok := syntax.Unparen(x).(*syntax.FString)
	if !ok {
		return eval(x)
	}
	text := ""
	for _, p := range f.Parts {
		if p.X == nil {
			text += p.Text
			continue
		}
		field := eval(p.X)
		if field.Kind() != value.Unknown {
			field = env.Format(field, p.Format)
		}
		text += value.Display(field)
	}
	return value.StrOf(text)
}

// dict evaluates the keys of a dict, then its values.
func dict(x *syntax.DictLit) ([]syntax.Expr, Operation) {
	return slices.Concat(x.Keys, x.Values), func(v []*value.Value, _ *builtin.Env) *value.Value {
		keys := make([]string, len(x.Keys))
		for i := range keys {
			if v[i].Kind() != value.Str {
				return value.Trouble(value.TypeError, v[i], "a dict key is not a string").WithSrc(x.Keys[i])
			}
			keys[i] = v[i].Text()
		}
		return value.DictOf(keys, v[len(keys):])
	}
}

func sign(op syntax.Op) Operation {
	if op == syntax.Neg {
		return func(v []*value.Value, _ *builtin.Env) *value.Value { return builtin.Negate(v[0]) }
	}
	return func(v []*value.Value, _ *builtin.Env) *value.Value { return builtin.Plus(v[0]) }
}

func (p *Program) binary(x *syntax.Binary) ([]syntax.Expr, Operation) {
	both := []syntax.Expr{x.X, x.Y}
	switch op := x.Op; op {
	case syntax.Eq, syntax.Ne, syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge:
		return both, func(v []*value.Value, _ *builtin.Env) *value.Value { return builtin.Compare(op, v[0], v[1]) }
	case syntax.In, syntax.NotIn:
		return both, func(v []*value.Value, env *builtin.Env) *value.Value { return builtin.In(v[0], v[1], env) }
	case syntax.Is, syntax.IsNot:
		if pattern, ok := syntax.Unparen(x.Y).(*syntax.ToolPattern); ok {
			m := p.Patterns[pattern]
			return both[:1], func(v []*value.Value, env *builtin.Env) *value.Value { return m.Match(v[0], env) }
		}
		return both, func(v []*value.Value, _ *builtin.Env) *value.Value { return builtin.Compare(syntax.Eq, v[0], v[1]) }
	case syntax.ContainsOnly:
		return both, func(v []*value.Value, _ *builtin.Env) *value.Value { return builtin.ContainsOnly(v[0], v[1]) }
	default:
		return both, func(v []*value.Value, env *builtin.Env) *value.Value { return env.Arith(op, v[0], v[1]) }
	}
}

func (p *Program) memberOf(x *syntax.Member) Operation {
	if m := p.Members[x]; m != nil && m.Field >= 0 {
		return func(v []*value.Value, env *builtin.Env) *value.Value { return builtin.FieldOf(v[0], m.Field, env) }
	}
	return func(v []*value.Value, env *builtin.Env) *value.Value { return builtin.Member(v[0], x.Name.Name, env) }
}

// operation evaluates what a method is called on, then the arguments in the
// order of the parameters; those of a Rest parameter come last.
func (c *Call) operation() ([]syntax.Expr, Operation) {
	if c.Func != nil && c.Func == builtin.Universe()["print"] {
		return fixed(value.TrueV) // whatever it is given
	}
	args := slices.Concat(c.Args, c.Rest)
	if c.Method != nil {
		return slices.Concat([]syntax.Expr{c.Recv}, args), func(v []*value.Value, env *builtin.Env) *value.Value {
			return c.Method.Call(v[0], c.arguments(c.Method.Params, v[1:]), env)
		}
	}
	return args, func(v []*value.Value, env *builtin.Env) *value.Value {
		return builtin.Apply(c.Func, c.arguments(c.Func.Params, v), env)
	}
}

// Default is the argument for a parameter of the call that is not given.
func (c *Call) Default(p builtin.Param) *value.Value {
	if c.Raw && p.Name == builtin.ViewsParam {
		return builtin.RawView
	}
	return p.Default
}

// arguments makes one argument for each parameter: the default of one that is
// not given, the list of all further ones for a Rest parameter.
func (c *Call) arguments(params []builtin.Param, v []*value.Value) []*value.Value {
	out := slices.Clone(v[:len(params)])
	for i, p := range params {
		switch {
		case p.Rest:
			out[i] = value.ArgsOf(v[len(params):])
		case out[i] == nil:
			out[i] = c.Default(p)
		}
	}
	return out
}
