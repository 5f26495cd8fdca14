// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// expr resolves and types e, which is read in s, and everything below it. It
// returns AnyType where nothing is known and where a mistake was reported.
// Each expression is checked once.
func (c *checker) expr(e syntax.Expr, s *scope) *value.Type {
	t := c.exprType(e, s)
	c.prog.Types[e] = t
	return t
}

func (c *checker) exprType(e syntax.Expr, s *scope) *value.Type {
	switch e := e.(type) {
	case *syntax.Ident:
		return c.name(e, s)
	case *syntax.TypedVar:
		return c.typedVar(e)
	case *syntax.IntLit:
		return value.IntType
	case *syntax.FloatLit:
		return value.FloatType
	case *syntax.StringLit:
		return value.StrType
	case *syntax.FString:
		c.all(children(e), s)
		return value.StrType
	case *syntax.ConstLit:
		return constType(e)
	case *syntax.ListLit:
		c.all(e.Items, s)
		return value.ListType
	case *syntax.TupleLit:
		c.all(e.Items, s)
		return value.AnyType
	case *syntax.DictLit:
		c.all(children(e), s)
		return value.DictType
	case *syntax.ListComp:
		return c.comprehension(e, s)
	case *syntax.Paren:
		return c.expr(e.X, s)
	case *syntax.Unary:
		return c.unary(e, s)
	case *syntax.Binary:
		return c.binary(e, s)
	case *syntax.FlowChain:
		return c.flow(e, s)
	case *syntax.IfElse:
		return c.ifElse(e, s)
	case *syntax.Call:
		return c.call(e, s)
	case *syntax.Member:
		return c.member(e, s)
	case *syntax.Index:
		return c.index(e, s)
	case *syntax.Slice:
		return c.slice(e, s)
	case *syntax.ToolPattern:
		c.strayPattern(e)
	case *syntax.Wildcard, *syntax.ValueClass, *syntax.BadExpr:
		c.broken = true
	}
	return value.AnyType
}

// strayPattern reports a tool pattern that nothing is asked for, once a line.
func (c *checker) strayPattern(e *syntax.ToolPattern) {
	c.broken = true
	at := e.Span()
	line, _ := at.File.Position(at.Start)
	if c.strayAt == (sourceLine{at.File, line}) {
		return
	}
	c.strayAt = sourceLine{at.File, line}
	c.fail("P0220", at, "a tool pattern can only stand after `is`", "write call is tool:"+e.Name+", once for each pattern")
}

// A sourceLine is a line of a file.
type sourceLine struct {
	file *diag.File
	line int
}

func (c *checker) all(es []syntax.Expr, s *scope) {
	for _, e := range es {
		c.expr(e, s)
	}
}

func constType(e *syntax.ConstLit) *value.Type {
	if e.Kind == syntax.NoneConst {
		return value.NoneType
	}
	return value.BoolType
}

func (c *checker) typedVar(e *syntax.TypedVar) *value.Type {
	if v := c.prog.Vars[e]; v != nil {
		return v.Type
	}
	return value.AnyType // refused where it stands
}

// truth checks an expression that stands where a truth is wanted.
func (c *checker) truth(e syntax.Expr, s *scope) {
	t := c.expr(e, s)
	if _, ok := syntax.Unparen(e).(*syntax.TypedVar); ok {
		return // true by itself: it declares
	}
	switch {
	case c.isTruths(e):
		c.fail("P0303", e.Span(), "a list of truth values is not a condition", "any(…) is true if one of them is, all(…) if every one is")
	case t != value.AnyType && t != value.BoolType:
		c.warn("P0302", e.Span(), fmt.Sprintf("this is %s, not a boolean", aType(t)), truthHelp(t))
	}
}

func truthHelp(t *value.Type) string {
	switch t.Kind {
	case value.List:
		return "it counts as true unless empty; say so with any(…) or not empty(…)"
	case value.Str, value.Dict, value.Int, value.Float:
		return "it counts as true unless it is empty or zero; compare it with something"
	case value.None:
		return "it is never true"
	}
	return "it is always true; compare it with something"
}

func aType(t *value.Type) string {
	if t == value.NoneType {
		return "None"
	}
	switch t.Name[0] {
	case 'a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U':
		return "an " + t.Name
	}
	return "a " + t.Name
}

// isTruths reports whether e is for sure a list of truth values. It is for
// expressions that have been checked.
func (c *checker) isTruths(e syntax.Expr) bool {
	switch e := bare(e).(type) {
	case *syntax.Binary:
		return (e.Op == syntax.In || e.Op == syntax.NotIn) && c.prog.Types[e] == value.ListType
	case *syntax.ListComp:
		return c.prog.Types[e.Elt] == value.BoolType
	case *syntax.ListLit:
		for _, x := range e.Items {
			if c.prog.Types[x] != value.BoolType {
				return false
			}
		}
		return len(e.Items) > 0
	case *syntax.IfElse:
		return c.isTruths(e.Then) && c.isTruths(e.Else)
	case *syntax.Ident:
		b, ok := c.prog.Uses[e].(*Binding)
		return ok && c.checked(b) && c.recall(askTruths, b, func() bool { return c.isTruths(b.Value) })
	}
	return false
}

// comprehension checks `[elt for x in e if c]`, whose targets are seen by elt
// and the filters.
func (c *checker) comprehension(e *syntax.ListComp, s *scope) *value.Type {
	elem := value.AnyType
	c.expr(e.In, s)
	if len(e.Targets) == 1 {
		elem = c.elemType(e.In)
	}
	inner := newScope(s, s.unit, nil)
	for _, id := range e.Targets {
		l := &Local{Name: id.Name, Comp: e}
		c.locals[l] = elem
		if _, twice := inner.names[id.Name]; twice {
			c.taken(id, inner, l)
			continue
		}
		inner.put(id.Name, id.Span(), l)
		c.prog.Uses[id] = l
	}
	for _, cond := range e.Ifs {
		c.truth(cond, inner)
	}
	c.expr(e.Elt, inner)
	return value.ListType
}

// elemType returns the type that all elements of a checked expression have,
// AnyType if none is known.
func (c *checker) elemType(e syntax.Expr) *value.Type {
	switch e := bare(e).(type) {
	case *syntax.ListLit:
		return c.common(e.Items)
	case *syntax.TupleLit:
		return c.common(e.Items)
	case *syntax.ListComp:
		return c.prog.Types[e.Elt]
	case *syntax.Slice:
		return c.elemType(e.X)
	case *syntax.Ident:
		if b, ok := c.prog.Uses[e].(*Binding); ok && c.checked(b) {
			return c.elemType(b.Value)
		}
	case *syntax.Member:
		if t := c.prog.Types[e.X]; t != nil && t.Kind == value.Message && e.Name.Name == "tool_calls" {
			return value.ToolCallType
		}
	case *syntax.Call:
		if call := c.prog.Calls[e]; call != nil && call.Method != nil && c.prog.Types[e] == value.ListType {
			switch call.Method.Name {
			case "split", "splitlines":
				return value.StrType
			}
		}
	}
	return value.AnyType
}

// common returns the one type of all of es, AnyType if they differ.
func (c *checker) common(es []syntax.Expr) *value.Type {
	if len(es) == 0 {
		return value.AnyType
	}
	t := c.prog.Types[es[0]]
	for _, e := range es[1:] {
		if c.prog.Types[e] != t {
			return value.AnyType
		}
	}
	return t
}

func (c *checker) ifElse(e *syntax.IfElse, s *scope) *value.Type {
	c.truth(e.If, s)
	then, els := c.expr(e.Then, s), c.expr(e.Else, s)
	if then == els {
		return then
	}
	return value.AnyType
}

func (c *checker) index(e *syntax.Index, s *scope) *value.Type {
	t, i := c.expr(e.X, s), c.expr(e.I, s)
	if noMembers(t) {
		c.warn("P0226", e.Span(), fmt.Sprintf("%s has no elements: this is always unknown", aType(t)), "")
		return value.AnyType
	}
	if t == value.StrType && i == value.IntType {
		return value.StrType
	}
	if t == value.ListType {
		return c.elemType(e.X)
	}
	return value.AnyType
}

func (c *checker) slice(e *syntax.Slice, s *scope) *value.Type {
	t := c.expr(e.X, s)
	for _, x := range [...]syntax.Expr{e.Lo, e.Hi} {
		if x != nil {
			c.expr(x, s)
		}
	}
	switch t {
	case value.StrType, value.ListType:
		return t
	}
	return value.AnyType
}

// noMembers reports whether no value of type t has members or elements.
func noMembers(t *value.Type) bool {
	switch t {
	case value.IntType, value.FloatType, value.BoolType:
		return true
	}
	return false
}

// flow checks a chain of `->` and `~>`. Whether its operands stand in the
// trace is seen when all has been checked.
func (c *checker) flow(e *syntax.FlowChain, s *scope) *value.Type {
	c.all(e.Xs, s)
	c.flows = append(c.flows, e)
	return value.BoolType
}

// placed reports the operands of flows that a computation made.
func (c *checker) placed() {
	for _, e := range c.flows {
		for _, x := range e.Xs {
			if c.made(x) {
				c.fail("P0305", x.Span(), fmt.Sprintf("%s stands nowhere in the trace", c.madeWhat(x, c.prog.Types[x])),
					"a flow orders elements of the trace: typed variables, or parts of them")
			}
		}
	}
}

func (c *checker) madeWhat(e syntax.Expr, t *value.Type) string {
	if id, ok := syntax.Unparen(e).(*syntax.Ident); ok {
		return "the computed " + quote(id.Name)
	}
	if t == value.AnyType {
		return "a computed value"
	}
	return "a computed " + t.Name
}
