// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A flow orders what stands in the trace. What a computation makes stands
// nowhere, so putting it into a flow is a mistake that shows at load wherever
// it can be told. Two questions are asked of an expression: is the value
// itself made by a computation, and are the parts of the value? A literal
// list of two variables is made, its elements are not; the lines of a split
// are. Both answers lean to "no" where nothing is known.

// made reports whether the value of a checked expression is computed.
func (c *checker) made(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Paren:
		return c.made(e.X)
	case *syntax.Ident:
		return c.madeName(e)
	case *syntax.Member:
		if c.isInput(e) {
			return true
		}
		return c.partsMade(e.X)
	case *syntax.Index:
		return c.partsMade(e.X)
	case *syntax.IfElse:
		return c.made(e.Then) && c.made(e.Else)
	case *syntax.Call:
		return c.madeCall(e)
	case *syntax.TypedVar:
		v := c.prog.Vars[e]
		return v != nil && c.madeVar(v)
	case *syntax.BadExpr, *syntax.ToolPattern, *syntax.Wildcard, *syntax.ValueClass:
		return false // reported elsewhere
	case *syntax.IntLit, *syntax.FloatLit, *syntax.StringLit, *syntax.FString, *syntax.ConstLit,
		*syntax.ListLit, *syntax.TupleLit, *syntax.DictLit, *syntax.ListComp, *syntax.Unary,
		*syntax.Binary, *syntax.FlowChain, *syntax.Slice:
	}
	return true
}

func (c *checker) isInput(e *syntax.Member) bool {
	m := c.prog.Members[e]
	return m != nil && m.Input != nil
}

func (c *checker) madeName(id *syntax.Ident) bool {
	switch obj := c.prog.Uses[id].(type) {
	case *Var:
		return c.madeVar(obj)
	case *Binding:
		return c.checked(obj) && c.recall(askMade, obj, func() bool { return c.made(obj.Value) })
	case *Local:
		return c.madeLocal(obj)
	case *ParamObj, *Predicate, *FuncObj, *ModuleObj, *InputObj:
	}
	return false
}

// Stands reports whether every element that v ranges over stands in the trace,
// as far as it is known. A text or a dict that is drawn from an expression may
// have been computed.
func (v *Var) Stands() bool { return v.In == nil || isElement(v.Type) }

func (c *checker) madeVar(v *Var) bool {
	return v.In != nil && c.recall(askParts, v, func() bool { return c.partsMade(v.In) })
}

func (c *checker) madeLocal(l *Local) bool {
	return c.recall(askParts, l.Comp, func() bool { return c.partsMade(l.Comp.In) })
}

// passing are the functions whose result is one of their arguments, or holds
// parts of them.
var passing = []string{"min", "max", "text", "image", "list", "tuple", "dict"}

func (c *checker) madeCall(e *syntax.Call) bool {
	call := c.prog.Calls[e]
	switch {
	case call == nil:
		return false
	case call.Pred != nil:
		return true
	case call.Method != nil:
		return call.Method.Name != "get" || c.partsMade(call.Recv)
	case call.Func.Result != nil && isElement(call.Func.Result):
		return false
	case call.Func.Name == "min" || call.Func.Name == "max":
		return !slices.ContainsFunc(call.Rest, func(a syntax.Expr) bool { return !c.made(a) || !c.partsMade(a) })
	}
	return true
}

// isElement reports whether values of type t stand in a trace.
func isElement(t *value.Type) bool {
	return t == value.EventType || t.Kind >= value.Message && t.Kind < value.Record
}

// partsMade reports whether everything inside the value of a checked
// expression is computed.
func (c *checker) partsMade(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Paren:
		return c.partsMade(e.X)
	case *syntax.Ident:
		return c.partsMadeName(e)
	case *syntax.TypedVar:
		v := c.prog.Vars[e]
		return v != nil && c.madeVar(v)
	case *syntax.ListLit:
		return c.allMade(e.Items)
	case *syntax.TupleLit:
		return c.allMade(e.Items)
	case *syntax.DictLit:
		return c.allMade(e.Values)
	case *syntax.ListComp:
		return c.allMade([]syntax.Expr{e.Elt})
	case *syntax.Member:
		return c.isInput(e) || c.partsMade(e.X)
	case *syntax.Index:
		return c.partsMade(e.X)
	case *syntax.Slice:
		return c.partsMade(e.X)
	case *syntax.IfElse:
		return c.partsMade(e.Then) && c.partsMade(e.Else)
	case *syntax.Binary:
		return c.partsMade(e.X) && c.partsMade(e.Y)
	case *syntax.Call:
		return c.partsMadeCall(e)
	case *syntax.BadExpr:
		return false
	case *syntax.IntLit, *syntax.FloatLit, *syntax.StringLit, *syntax.FString, *syntax.ConstLit,
		*syntax.Unary, *syntax.FlowChain, *syntax.ToolPattern, *syntax.Wildcard, *syntax.ValueClass:
	}
	return true
}

func (c *checker) allMade(es []syntax.Expr) bool {
	return !slices.ContainsFunc(es, func(e syntax.Expr) bool { return !c.made(e) || !c.partsMade(e) })
}

func (c *checker) partsMadeName(id *syntax.Ident) bool {
	switch obj := c.prog.Uses[id].(type) {
	case *Var:
		return c.madeVar(obj)
	case *Binding:
		return c.checked(obj) && c.recall(askParts, obj, func() bool { return c.partsMade(obj.Value) })
	case *Local:
		return c.madeLocal(obj)
	case *ParamObj, *Predicate, *FuncObj, *ModuleObj, *InputObj:
	}
	return false
}

func (c *checker) partsMadeCall(e *syntax.Call) bool {
	call := c.prog.Calls[e]
	switch {
	case call == nil:
		return false
	case call.Method != nil:
		return !slices.Contains([]string{"get", "values", "items"}, call.Method.Name) || c.partsMade(call.Recv)
	case call.Func == nil:
		return true
	case call.Func.Result != nil && isElement(call.Func.Result):
		return false
	case slices.Contains(passing, call.Func.Name):
		return !slices.ContainsFunc(append(slices.Clone(call.Args), call.Rest...), func(a syntax.Expr) bool {
			return a != nil && !c.partsMade(a)
		})
	}
	return true
}
