// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"strings"

	"github.com/holdfast-dev/holdfast/syntax"
)

// Typed returns an expression of p as one line in which every part whose type
// is known carries it: `(== (. call~ToolCall name)~str "x")~bool`. Literals
// speak for themselves. It is for tests and for people.
func (p *Program) Typed(e syntax.Expr) string {
	var b strings.Builder
	(&printer{p, &b}).expr(e)
	return b.String()
}

type printer struct {
	prog *Program
	out  *strings.Builder
}

func (w *printer) expr(e syntax.Expr) {
	e = syntax.Unparen(e)
	switch n := syntax.Node(e).(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.StringLit, *syntax.ConstLit, *syntax.ToolPattern:
		w.out.WriteString(n.Span().Text())
		return
	case *syntax.Ident:
		w.out.WriteString(n.Name)
	case *syntax.TypedVar:
		fmt.Fprintf(w.out, "(var %s)", n.Name.Name)
	case *syntax.Member:
		w.out.WriteString("(. ")
		w.expr(n.X)
		w.out.WriteString(" " + n.Name.Name + ")")
	case *syntax.Call:
		w.call(n)
	default:
		w.list(head(e), children(e)...)
	}
	if t := w.prog.Types[e]; t != nil && t.Name != "any" {
		w.out.WriteString("~" + t.Name)
	}
}

func (w *printer) list(head string, es ...syntax.Expr) {
	w.out.WriteString("(" + head)
	for _, e := range es {
		w.out.WriteString(" ")
		w.expr(e)
	}
	w.out.WriteString(")")
}

// call prints what was resolved: the receiver of a method comes first.
func (w *printer) call(e *syntax.Call) {
	call := w.prog.Calls[e]
	args := append(present(call.Args), call.Rest...)
	switch {
	case call.Method != nil:
		w.list("method "+call.Method.Name, append([]syntax.Expr{call.Recv}, args...)...)
	case call.Pred != nil:
		w.list("predicate "+call.Pred.Name, args...)
	default:
		w.list("call "+call.Func.Name, args...)
	}
}

// head is the word that begins the list of an expression.
func head(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Unary:
		return e.Op.String()
	case *syntax.Binary:
		return e.Op.String()
	case *syntax.FlowChain:
		var ops []string
		for _, op := range e.Ops {
			ops = append(ops, op.String())
		}
		return strings.Join(ops, " ")
	case *syntax.IfElse:
		return "if-else"
	case *syntax.Index:
		return "index"
	case *syntax.Slice:
		return "slice"
	case *syntax.ListLit:
		return "list"
	case *syntax.TupleLit:
		return "tuple"
	case *syntax.DictLit:
		return "dict"
	case *syntax.ListComp:
		return "for"
	case *syntax.FString:
		return "fstring"
	case *syntax.Paren, *syntax.Ident, *syntax.TypedVar, *syntax.IntLit, *syntax.FloatLit,
		*syntax.StringLit, *syntax.ConstLit, *syntax.Call, *syntax.Member, *syntax.ToolPattern,
		*syntax.Wildcard, *syntax.ValueClass, *syntax.BadExpr:
	}
	return "?"
}
