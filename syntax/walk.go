// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "fmt"

// Walk calls f for n and, if that returns true, for each node within it, in
// the order of the source. Comments are not visited; they stand in their File.
// A nil node is skipped.
func Walk(n Node, f func(Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, c := range children(n) {
		Walk(c, f)
	}
}

// Unparen returns x without the parentheses around it.
func Unparen(x Expr) Expr {
	for {
		p, ok := x.(*Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}

// nodes collects nodes in order and leaves out nil ones.
type nodes []Node

// add appends a node unless it is nil.
func (ns *nodes) add(n Node) {
	if n != nil {
		*ns = append(*ns, n)
	}
}

// ident appends a name unless it is nil.
func (ns *nodes) ident(id *Ident) {
	if id != nil {
		*ns = append(*ns, id)
	}
}

// addAll appends nodes of one type.
func addAll[N Node](ns *nodes, list []N) {
	for _, n := range list {
		ns.add(n)
	}
}

// children returns the nodes directly within n.
func children(n Node) nodes {
	var ns nodes
	switch n := n.(type) {
	case *File:
		addAll(&ns, n.Stmts)
	case *Comment, *BadStmt:
	case *Import:
		if n.As != nil {
			ns.ident(n.As)
		}
	case *RuleImport:
		addAll(&ns, n.Args)
		ns.ident(n.As)
	case *FromImport:
		addAll(&ns, n.Names)
	case *Input:
		ns.ident(n.Name)
		ns.ident(n.Type)
		ns.ident(n.Elem)
		ns.add(n.Default)
	case *ImportName:
		ns.ident(n.Name)
		if n.As != n.Name {
			ns.ident(n.As)
		}
	case *Const:
		ns.ident(n.Name)
		ns.add(n.Value)
	case *Predicate:
		ns.ident(n.Name)
		addAll(&ns, n.Params)
		addAll(&ns, n.Body)
	case *Param:
		ns.ident(n.Name)
		ns.ident(n.Type)
	case *Rule:
		ns.add(n.Message)
		addAll(&ns, n.Body)
	case *ExprCond:
		ns.add(n.X)
	case *BindCond:
		ns.ident(n.Name)
		ns.add(n.Value)
	case *QuantCond:
		addAll(&ns, n.Args)
		addAll(&ns, n.Body)
	case *Arg:
		ns.ident(n.Name)
		ns.add(n.Value)
	case Expr:
		ns = operands(n)
	default:
		panic(fmt.Sprintf("syntax: unknown node %T", n))
	}
	return ns
}

// operands returns the nodes directly within an expression.
func operands(x Expr) nodes {
	var ns nodes
	switch x := x.(type) {
	case *Ident, *IntLit, *FloatLit, *StringLit, *ConstLit, *Wildcard, *ValueClass, *BadExpr:
	case *TypedVar:
		ns.ident(x.Name)
		ns.ident(x.Type)
	case *FString:
		for _, part := range x.Parts {
			ns.add(part.X)
		}
	case *ListLit:
		addAll(&ns, x.Items)
	case *TupleLit:
		addAll(&ns, x.Items)
	case *DictLit:
		for i, k := range x.Keys {
			ns.add(k)
			ns.add(x.Values[i])
		}
	case *ListComp:
		ns.add(x.Elt)
		addAll(&ns, x.Targets)
		ns.add(x.In)
		addAll(&ns, x.Ifs)
	case *Paren:
		ns.add(x.X)
	case *Unary:
		ns.add(x.X)
	case *Binary:
		ns.add(x.X)
		ns.add(x.Y)
	case *FlowChain:
		addAll(&ns, x.Xs)
	case *IfElse:
		ns.add(x.Then)
		ns.add(x.If)
		ns.add(x.Else)
	case *Call:
		ns.add(x.Fun)
		addAll(&ns, x.Args)
	case *Member:
		ns.add(x.X)
		ns.ident(x.Name)
	case *Index:
		ns.add(x.X)
		ns.add(x.I)
	case *Slice:
		ns.add(x.X)
		ns.add(x.Lo)
		ns.add(x.Hi)
	case *ToolPattern:
		if x.Args != nil {
			ns.add(x.Args)
		}
	default:
		panic(fmt.Sprintf("syntax: unknown expression %T", x))
	}
	return ns
}
