// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"slices"

	"github.com/holdfast-dev/holdfast/syntax"
)

// children returns the expressions directly below e, in the order of the
// source. Argument patterns of tools are not expressions of the rule.
func children(e syntax.Expr) []syntax.Expr {
	switch e := e.(type) {
	case *syntax.Paren:
		return []syntax.Expr{e.X}
	case *syntax.Unary:
		return []syntax.Expr{e.X}
	case *syntax.Binary:
		return []syntax.Expr{e.X, e.Y}
	case *syntax.FlowChain:
		return e.Xs
	case *syntax.IfElse:
		return []syntax.Expr{e.Then, e.If, e.Else}
	case *syntax.Call:
		return callChildren(e)
	case *syntax.Member:
		return []syntax.Expr{e.X}
	case *syntax.Index:
		return []syntax.Expr{e.X, e.I}
	case *syntax.Slice:
		return sliceChildren(e)
	case *syntax.ListLit:
		return e.Items
	case *syntax.TupleLit:
		return e.Items
	case *syntax.DictLit:
		return dictChildren(e)
	case *syntax.ListComp:
		return append([]syntax.Expr{e.Elt, e.In}, e.Ifs...)
	case *syntax.FString:
		return partChildren(e)
	case *syntax.Ident, *syntax.TypedVar, *syntax.IntLit, *syntax.FloatLit, *syntax.StringLit,
		*syntax.ConstLit, *syntax.ToolPattern, *syntax.Wildcard, *syntax.ValueClass, *syntax.BadExpr:
	}
	return nil
}

// bare returns an expression without its parentheses, for those who look for a
// few forms and treat all others alike.
func bare(e syntax.Expr) syntax.Node { return syntax.Unparen(e) }

func callChildren(e *syntax.Call) []syntax.Expr {
	out := []syntax.Expr{e.Fun}
	for _, a := range e.Args {
		out = append(out, a.Value)
	}
	return out
}

func sliceChildren(e *syntax.Slice) []syntax.Expr {
	out := []syntax.Expr{e.X}
	for _, x := range [...]syntax.Expr{e.Lo, e.Hi} {
		if x != nil {
			out = append(out, x)
		}
	}
	return out
}

func dictChildren(e *syntax.DictLit) []syntax.Expr {
	var out []syntax.Expr
	for i, k := range e.Keys {
		out = append(out, k, e.Values[i])
	}
	return out
}

func partChildren(e *syntax.FString) []syntax.Expr {
	var out []syntax.Expr
	for _, p := range e.Parts {
		if p.X != nil {
			out = append(out, p.X)
		}
	}
	return out
}

// Free returns the variables of enclosing blocks that a node mentions: also
// through bindings, the arguments of predicates and the bodies of
// quantifiers, whose own variables are left out. Outer blocks come first,
// within a block the order is that of Block.Vars.
func (p *Program) Free(n syntax.Node) []*Var {
	m := &mentions{prog: p, vars: map[*Var]bool{}, own: map[*Block]bool{}, seen: map[*Binding]bool{}}
	m.node(n)
	var out []*Var
	for v := range m.vars {
		if !m.own[v.Block] {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b *Var) int {
		if d := a.Block.depth() - b.Block.depth(); d != 0 {
			return d
		}
		return a.Index - b.Index
	})
	return out
}

// Mentions reports whether v is among the variables that Free returns for n.
func (p *Program) Mentions(n syntax.Node, v *Var) bool {
	return slices.Contains(p.Free(n), v)
}

func (b *Block) depth() int {
	n := 0
	for ; b.Outer != nil; b = b.Outer {
		n++
	}
	return n
}

// mentions collects the variables below a node.
type mentions struct {
	prog *Program
	vars map[*Var]bool
	own  map[*Block]bool // blocks of the quantifiers below the node
	seen map[*Binding]bool
}

func (m *mentions) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.QuantCond:
		if q := m.prog.Quants[n]; q != nil {
			m.own[q.Body] = true
			for _, c := range q.Body.Conds {
				m.node(c)
			}
		}
	case *syntax.ExprCond:
		m.expr(n.X)
	case *syntax.BindCond:
		m.expr(n.Value)
	case *syntax.Rule:
		for _, c := range n.Body {
			m.node(c)
		}
	case *syntax.Arg:
		m.expr(n.Value)
	case syntax.Expr:
		m.expr(n)
	}
}

func (m *mentions) expr(e syntax.Expr) {
	switch n := bare(e).(type) {
	case *syntax.TypedVar:
		if v := m.prog.Vars[n]; v != nil {
			m.vars[v] = true
		}
	case *syntax.Ident:
		switch obj := m.prog.Uses[n].(type) {
		case *Var:
			m.vars[obj] = true
		case *Binding:
			if !m.seen[obj] {
				m.seen[obj] = true
				m.expr(obj.Value)
			}
		case *ParamObj, *Local, *Predicate, *FuncObj, *ModuleObj, *InputObj:
		}
	default:
		for _, x := range children(e) {
			m.expr(x)
		}
	}
}
