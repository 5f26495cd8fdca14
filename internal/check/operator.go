// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"strconv"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Operators are total at run time: kinds that do not fit give unknown, or
// false for ==. Where that can be told at load it is worth a warning, no more.

func (c *checker) unary(e *syntax.Unary, s *scope) *value.Type {
	if e.Op == syntax.Not {
		c.truth(e.X, s)
		return value.BoolType
	}
	t := c.expr(e.X, s)
	if t != value.AnyType && !isNumber(t) {
		c.warn("P0226", e.Span(), fmt.Sprintf("%s has no sign: this is always unknown", aType(t)), "")
		return value.AnyType
	}
	return t
}

func (c *checker) binary(e *syntax.Binary, s *scope) *value.Type {
	switch e.Op {
	case syntax.And, syntax.Or:
		c.truth(e.X, s)
		c.truth(e.Y, s)
		return value.BoolType
	case syntax.Is, syntax.IsNot:
		c.is(e, s)
		return value.BoolType
	}
	x, y := c.expr(e.X, s), c.expr(e.Y, s)
	switch e.Op {
	case syntax.Eq, syntax.Ne:
		if !chained(e) {
			c.equality(e, x, y)
		}
		return value.BoolType
	case syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge:
		if !chained(e) && !ordered(x, y) {
			c.warn("P0226", e.Span(), fmt.Sprintf("%s and %s have no order: this is always unknown", aType(x), aType(y)), convertHelp(x, y))
		}
		return value.BoolType
	case syntax.In, syntax.NotIn:
		return c.membership(e, x, y)
	case syntax.ContainsOnly:
		return value.BoolType
	case syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.FloorDiv, syntax.Mod, syntax.Pow:
		return c.arithmetic(e, x, y)
	}
	c.broken = true
	return value.AnyType
}

// chained reports whether e compares a comparison, as in `a < b < c`, which the
// parser refused.
func chained(e *syntax.Binary) bool {
	x, ok := e.X.(*syntax.Binary)
	return ok && x.Op >= syntax.Eq && x.Op <= syntax.ContainsOnly
}

// equality warns of a comparison that is decided before it is made. None is
// left alone: what may be absent or null is compared with it.
func (c *checker) equality(e *syntax.Binary, x, y *value.Type) {
	if x == value.NoneType || y == value.NoneType || fit(x, y) != never || fit(y, x) != never || isNumber(x) && isNumber(y) {
		return
	}
	what := "false"
	if e.Op == syntax.Ne {
		what = "true"
	}
	c.warn("P0226", e.Span(), fmt.Sprintf("%s is never equal to %s: this is always %s", aType(x), aType(y), what), convertHelp(x, y))
}

func convertHelp(x, y *value.Type) string {
	if x == value.StrType && isNumber(y) || y == value.StrType && isNumber(x) {
		return "convert one of them with int(…), float(…) or str(…)"
	}
	return ""
}

func ordered(x, y *value.Type) bool {
	if x == value.AnyType || y == value.AnyType {
		return true
	}
	return isNumber(x) && isNumber(y) || x == y && (x == value.StrType || x == value.ListType)
}

func isNumber(t *value.Type) bool { return t == value.IntType || t == value.FloatType }

// membership types `x in c`. A list on the left asks for each of its
// elements; whether a value that is not known yet is a list shows at run time.
func (c *checker) membership(e *syntax.Binary, x, y *value.Type) *value.Type {
	if tv, ok := syntax.Unparen(e.X).(*syntax.TypedVar); ok {
		c.search(e, tv, x, y)
		return value.BoolType
	}
	if noMembers(y) {
		c.warn("P0226", e.Y.Span(), fmt.Sprintf("nothing is in %s: this is always unknown", aType(y)), "")
	}
	switch x {
	case value.ListType:
		return value.ListType
	case value.AnyType:
		return value.AnyType
	}
	return value.BoolType
}

// search warns of `(x: T) in e` where e is a value without parts and not of
// type T.
func (c *checker) search(e *syntax.Binary, tv *syntax.TypedVar, t, in *value.Type) {
	if t == value.AnyType || fit(in, t) != never {
		return
	}
	if noMembers(in) || in == value.StrType {
		c.warn("P0226", e.Y.Span(), fmt.Sprintf("no %s is in %s: this is always unknown", tv.Type.Name, aType(in)), "")
	}
}

// arithmetic types + - * / // % **.
func (c *checker) arithmetic(e *syntax.Binary, x, y *value.Type) *value.Type {
	if x == value.AnyType || y == value.AnyType {
		return value.AnyType
	}
	switch {
	case isNumber(x) && isNumber(y):
		return numeric(e.Op, x, y)
	case e.Op == syntax.Add && x == y && (x == value.StrType || x == value.ListType):
		return x
	case e.Op == syntax.Mul && repeats(x, y):
		return x
	case e.Op == syntax.Mul && repeats(y, x):
		return y
	}
	c.warn("P0226", e.Span(), fmt.Sprintf("%s %s %s is always unknown", x, e.Op, y), convertHelp(x, y))
	return value.AnyType
}

// repeats reports whether x times y repeats x.
func repeats(x, y *value.Type) bool {
	return y == value.IntType && (x == value.StrType || x == value.ListType)
}

func numeric(op syntax.Op, x, y *value.Type) *value.Type {
	switch {
	case op == syntax.Div, x == value.FloatType, y == value.FloatType:
		return value.FloatType
	case op == syntax.Pow:
		return value.AnyType // an int, or a float for a negative exponent
	}
	return value.IntType
}

// is checks `x is tool:…` and `x is None`, and that nothing else stands there.
func (c *checker) is(e *syntax.Binary, s *scope) {
	t := c.expr(e.X, s)
	switch y := bare(e.Y).(type) {
	case *syntax.ToolPattern:
		c.toolPattern(y, e, t)
	case *syntax.ConstLit:
		c.expr(e.Y, s)
	case *syntax.BadExpr:
		c.broken = true
	default:
		c.fail("P0219", e.Y.Span(), "`is` compares with None, True, False or a tool pattern", isHelp(y, t, s))
	}
}

// isHelp says what to write for `x is y`, where x is of type t.
func isHelp(y syntax.Node, t *value.Type, s *scope) string {
	const equal = "use == to compare values"
	asks := t == value.ToolCallType || t == value.ToolOutputType || t == value.EventType
	switch y := y.(type) {
	case *syntax.Ident:
		obj := s.lookup(y.Name)
		if _, ok := obj.(*typeObj); ok {
			return "a variable has the type that it is declared with: (x: " + y.Name + ")"
		}
		if asks && obj == nil {
			return "write tool:" + y.Name
		}
	case *syntax.StringLit:
		if asks {
			return "write tool:" + strconv.Quote(y.Value)
		}
	case *syntax.Member:
		if id, ok := bare(y.X).(*syntax.Ident); ok && id.Name == "tool" && s.lookup("tool") == nil {
			return "write tool:" + y.Name.Name
		}
	}
	return equal
}

// toolPattern checks the right side of `x is tool:…`, where x is of type t.
func (c *checker) toolPattern(p *syntax.ToolPattern, e *syntax.Binary, t *value.Type) {
	m, diags := builtin.CompileTool(p)
	for _, d := range diags {
		c.report(d)
	}
	c.prog.Patterns[p] = m
	switch t {
	case value.AnyType, value.EventType, value.ToolCallType, value.ToolOutputType:
		return
	}
	help := "declare the variable as a ToolCall or ToolOutput"
	if m, ok := bare(e.X).(*syntax.Member); ok {
		help = "ask the call itself: " + m.X.Span().Text() + " is tool:…"
	}
	if t.Kind == value.Message {
		help = "range over the message's calls: (call: ToolCall) in message.tool_calls"
		if id, ok := syntax.Unparen(e.X).(*syntax.Ident); ok {
			help = fmt.Sprintf("range over the message's calls: (call: ToolCall) in %s.tool_calls", id.Name)
		}
	}
	c.fail("P0221", e.X.Span(), fmt.Sprintf("%s is no call of a tool", aType(t)), help)
}

// fitness says whether values of one type can be taken for another.
type fitness uint8

const (
	never fitness = iota
	maybe
	always
)

// fit says whether a value of type from is of type to.
func fit(from, to *value.Type) fitness {
	switch {
	case to == value.AnyType || from == to:
		return always
	case from == value.AnyType:
		return maybe
	case to == value.EventType:
		return when(from.Kind == value.Message || from.Kind == value.ToolCall || from.Kind == value.ToolOutput, always)
	case from == value.EventType:
		return when(to.Kind == value.Message || to.Kind == value.ToolCall || to.Kind == value.ToolOutput, maybe)
	case from.Kind != to.Kind || from.Kind == value.Record:
		return never
	case to.Role == "":
		return always // a narrowed message is a message, a File is a dict
	case from.Role == "":
		return maybe
	}
	return never
}

func when(cond bool, f fitness) fitness {
	if cond {
		return f
	}
	return never
}
