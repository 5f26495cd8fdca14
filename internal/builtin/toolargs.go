// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"errors"
	"math/big"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// The codes of what CompileTool, and who checks the literal patterns of
// match and find, have to say.
const (
	CodeValueClass = "P0223" // <NO_SUCH_CLASS>
	CodePattern    = "P0224" // a regular expression that is refused
	CodeArgPattern = "P0228" // what no argument pattern holds
)

// An argCompiler compiles one argument pattern.
type argCompiler struct{ diags []diag.Diagnostic }

func (c *argCompiler) refuse(code string, n syntax.Node, msg, help string) *ArgPattern {
	c.diags = append(c.diags, diag.Diagnostic{Code: code, Span: n.Span(), Message: msg, Help: help})
	return &ArgPattern{}
}

func (c *argCompiler) expr(e syntax.Expr) *ArgPattern {
	switch e := syntax.Unparen(e).(type) {
	case *syntax.Wildcard:
		return &ArgPattern{kind: argAny}
	case *syntax.ValueClass:
		return c.class(e)
	case *syntax.StringLit:
		return c.text(e)
	case *syntax.DictLit:
		return c.dict(e)
	case *syntax.ListLit:
		return c.list(e)
	case *syntax.BadExpr:
		return &ArgPattern{} // the parser has said so
	case *syntax.IntLit, *syntax.FloatLit, *syntax.ConstLit, *syntax.Unary:
		if v := literal(e); v != nil {
			return &ArgPattern{kind: argEqual, value: v}
		}
	case *syntax.Ident, *syntax.TypedVar, *syntax.FString, *syntax.TupleLit, *syntax.ListComp, *syntax.Paren, *syntax.Binary,
		*syntax.FlowChain, *syntax.IfElse, *syntax.Call, *syntax.Member, *syntax.Index, *syntax.Slice, *syntax.ToolPattern:
	}
	return c.refuse(CodeArgPattern, e, "an argument pattern has literals only",
		"compare what is computed in a condition of its own: call.function.arguments.key == …")
}

// literal returns the value of a number, a boolean or None, nil for anything
// else.
func literal(e syntax.Expr) *value.Value {
	if n, ok := e.(*syntax.IntLit); ok {
		return known(value.BigOf(new(big.Int).Set(n.Value)))
	}
	if f, ok := e.(*syntax.FloatLit); ok {
		return known(value.FloatOf(f.Value))
	}
	if c, ok := e.(*syntax.ConstLit); ok {
		return [...]*value.Value{syntax.NoneConst: value.NoneV, syntax.TrueConst: value.TrueV, syntax.FalseConst: value.FalseV}[c.Kind]
	}
	if u, ok := e.(*syntax.Unary); ok && u.Op != syntax.Not {
		return signed(u.Op, literal(syntax.Unparen(u.X)))
	}
	return nil
}

// signed is a sign before a number, nil before anything else.
func signed(op syntax.Op, v *value.Value) *value.Value {
	switch {
	case v == nil || !isNumber(v):
		return nil
	case op == syntax.Neg:
		return known(Negate(v))
	}
	return v
}

// known returns nil for a number that is too large to be one.
func known(v *value.Value) *value.Value {
	if v.Kind() == value.Unknown {
		return nil
	}
	return v
}

func (c *argCompiler) text(e *syntax.StringLit) *ArgPattern {
	re, err := CompileRegexp(e.Value)
	if err != nil {
		return c.refuse(CodePattern, e, err.Error(), patternHint(err))
	}
	return &ArgPattern{kind: argText, text: e.Value, re: re}
}

func patternHint(err error) string {
	if bad := (*RegexpError)(nil); errors.As(err, &bad) {
		return bad.Hint
	}
	return ""
}

func (c *argCompiler) list(e *syntax.ListLit) *ArgPattern {
	a := &ArgPattern{kind: argList}
	for _, item := range e.Items {
		a.items = append(a.items, c.expr(item))
	}
	return a
}

func (c *argCompiler) dict(e *syntax.DictLit) *ArgPattern {
	a := &ArgPattern{kind: argDict}
	seen := map[string]bool{}
	for i, k := range e.Keys {
		key, ok := syntax.Unparen(k).(*syntax.StringLit)
		switch {
		case !ok:
			c.refuse(CodeArgPattern, k, "the key of an argument pattern is a word or a string", "")
			continue
		case seen[key.Value]:
			c.refuse(CodeArgPattern, k, "the key stands here twice", "")
			continue
		}
		seen[key.Value] = true
		a.keys = append(a.keys, key.Value)
		a.items = append(a.items, c.expr(e.Values[i]))
	}
	return a
}
