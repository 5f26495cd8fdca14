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

// ValueClasses returns the names of the value classes that a pattern may
// have, sorted.
func ValueClasses() []string {
	return []string{
		"CREDIT_CARD", "CRYPTO", "DATE_TIME", "DOMAIN_NAME", "DUMMY", "EMAIL_ADDRESS", "IBAN_CODE", "IP_ADDRESS",
		"LOCATION", "MEDICAL_LICENSE", "MODERATED", "PERSON", "PHONE_NUMBER", "SECRET", "UK_NHS", "URL",
		"US_BANK_NUMBER", "US_DRIVER_LICENSE", "US_ITIN", "US_PASSPORT", "US_SSN",
	}
}

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
		return &ArgPattern{}
	default:
		if v := literal(e); v != nil {
			return &ArgPattern{kind: argEqual, value: v}
		}
		return c.refuse(CodeArgPattern, e, "an argument pattern has literals only",
			"compare what is computed in a condition of its own: call.function.arguments.key == …")
	}
}

// literal returns the value of a number, a boolean or None, nil for anything
// else.
func literal(e syntax.Expr) *value.Value {
	switch e := e.(type) {
	case *syntax.IntLit:
		return known(value.BigOf(new(big.Int).Set(e.Value)))
	case *syntax.FloatLit:
		return known(value.FloatOf(e.Value))
	case *syntax.ConstLit:
		return map[syntax.ConstKind]*value.Value{
			syntax.NoneConst: value.NoneV, syntax.TrueConst: value.TrueV, syntax.FalseConst: value.FalseV,
		}[e.Kind]
	case *syntax.Unary:
		v := literal(syntax.Unparen(e.X))
		if v == nil || !isNumber(v) {
			return nil
		}
		if e.Op == syntax.Neg {
			return known(Negate(v))
		}
		if e.Op == syntax.Pos {
			return v
		}
	}
	return nil
}

// known returns nil for a number that is too large to be one.
func known(v *value.Value) *value.Value {
	if v.Kind() == value.Unknown {
		return nil
	}
	return v
}

func (c *argCompiler) class(e *syntax.ValueClass) *ArgPattern {
	names := ValueClasses()
	for _, name := range names {
		if name == e.Name {
			return &ArgPattern{kind: argClass, class: name}
		}
	}
	help := "the value classes are <EMAIL_ADDRESS>, <PHONE_NUMBER>, <PERSON>, <LOCATION>, <IP_ADDRESS>, <CREDIT_CARD> and others"
	if near := diag.Nearest(e.Name, names); near != "" {
		help = "did you mean <" + near + ">?"
	}
	return c.refuse(CodeValueClass, e, "no value class <"+e.Name+">", help)
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
