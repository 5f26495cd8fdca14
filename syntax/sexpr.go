// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// Sexpr writes a tree as an s-expression, for tests and for `explain`. Equal
// trees give equal text, whatever their layout was.
func Sexpr(n Node) string {
	var b strings.Builder
	sexpr(&b, n)
	return b.String()
}

// sexpr writes one node.
func sexpr(b *strings.Builder, n Node) {
	switch n := n.(type) {
	case *File:
		for i, s := range n.Stmts {
			if i > 0 {
				b.WriteByte('\n')
			}
			sexpr(b, s)
		}
	case *Comment:
		b.WriteString("#" + n.Text)
	case Stmt:
		stmtSexpr(b, n)
	case Cond:
		condSexpr(b, n)
	case Expr:
		exprSexpr(b, n)
	case *ImportName:
		if n.As == n.Name {
			b.WriteString(n.Name.Name)
		} else {
			group(b, "as", n.Name, n.As)
		}
	case *Param:
		paramSexpr(b, n)
	case *Arg:
		if n.Name == nil {
			sexpr(b, n.Value)
		} else {
			group(b, "=", n.Name, n.Value)
		}
	default:
		panic(fmt.Sprintf("syntax: unknown node %T", n))
	}
}

// group writes `(head n…)`; a nil node is `_`.
func group(b *strings.Builder, head string, ns ...Node) {
	b.WriteByte('(')
	b.WriteString(head)
	for _, n := range ns {
		b.WriteByte(' ')
		if n == nil {
			b.WriteByte('_')
		} else {
			sexpr(b, n)
		}
	}
	b.WriteByte(')')
}

// paramSexpr writes a parameter.
func paramSexpr(b *strings.Builder, p *Param) {
	if p.Type == nil {
		b.WriteString(p.Name.Name)
	} else {
		group(b, ":", p.Name, p.Type)
	}
}

// stmtSexpr writes a statement.
func stmtSexpr(b *strings.Builder, s Stmt) {
	switch s := s.(type) {
	case *Import:
		group(b, "import "+s.Module, children(s)...)
	case *RuleImport:
		head := "rules " + strconv.Quote(s.Path)
		if s.As != nil {
			head += " as " + s.As.Name
		}
		group(b, head, children(&RuleImport{Args: s.Args})...)
	case *FromImport:
		group(b, "from "+s.Module, children(s)...)
	case *Input:
		inputSexpr(b, s)
	case *Const:
		group(b, "const", s.Name, s.Value)
	case *Predicate:
		var params strings.Builder
		group(&params, s.Name.Name, children(&Predicate{Params: s.Params})...)
		group(b, "pred "+params.String(), children(&Predicate{Body: s.Body})...)
	case *Rule:
		group(b, [...]string{"raise", "ask", "warn"}[s.Verb], children(s)...)
	case *BadStmt:
		b.WriteString("(bad)")
	default:
		panic(fmt.Sprintf("syntax: unknown statement %T", s))
	}
}

// inputSexpr writes the declaration of a parameter.
func inputSexpr(b *strings.Builder, s *Input) {
	var typ strings.Builder
	switch {
	case s.Type == nil:
		typ.WriteByte('_')
	case s.Elem == nil:
		typ.WriteString(s.Type.Name)
	default:
		group(&typ, s.Type.Name, s.Elem)
	}
	group(b, "input "+s.Name.Name+" "+typ.String(), children(&Input{Default: s.Default})...)
}

// condSexpr writes a condition.
func condSexpr(b *strings.Builder, c Cond) {
	switch c := c.(type) {
	case *ExprCond:
		sexpr(b, c.X)
	case *BindCond:
		group(b, ":=", c.Name, c.Value)
	case *QuantCond:
		if c.Not {
			b.WriteString("(not ")
		}
		group(b, [...]string{"count", "forall", "exists"}[c.Quant], children(c)...)
		if c.Not {
			b.WriteByte(')')
		}
	default:
		panic(fmt.Sprintf("syntax: unknown condition %T", c))
	}
}

// exprSexpr writes an expression.
func exprSexpr(b *strings.Builder, x Expr) {
	switch x := x.(type) {
	case *Ident:
		b.WriteString(x.Name)
	case *IntLit:
		b.WriteString(x.Value.String())
	case *FloatLit:
		b.WriteString(strconv.FormatFloat(x.Value, 'g', -1, 64) + "f")
	case *StringLit:
		b.WriteString(strconv.Quote(x.Value))
	case *ConstLit:
		b.WriteString([...]string{"None", "True", "False"}[x.Kind])
	case *Wildcard:
		b.WriteByte('*')
	case *ValueClass:
		b.WriteString("<" + x.Name + ">")
	case *BadExpr:
		b.WriteString("(bad)")
	case *FString:
		fstringSexpr(b, x)
	case *FlowChain:
		flowSexpr(b, x)
	case *Unary:
		group(b, [...]string{Not: "not", Neg: "neg", Pos: "pos"}[x.Op], x.X)
	case *Binary:
		group(b, strings.ReplaceAll(x.Op.String(), " ", "-"), x.X, x.Y)
	case *Slice:
		group(b, "slice", x.X, orNil(x.Lo), orNil(x.Hi))
	case *IfElse:
		group(b, "if", x.If, x.Then, x.Else)
	case *ToolPattern:
		group(b, "tool "+strconv.Quote(x.Name), children(x)...)
	case *TypedVar:
		group(b, "var", children(x)...)
	case *ListLit:
		group(b, "list", children(x)...)
	case *TupleLit:
		group(b, "tuple", children(x)...)
	case *DictLit:
		group(b, "dict", children(x)...)
	case *ListComp:
		group(b, "comp", children(x)...)
	case *Paren:
		group(b, "paren", x.X)
	case *Call:
		group(b, "call", children(x)...)
	case *Member:
		group(b, ".", x.X, x.Name)
	case *Index:
		group(b, "index", x.X, x.I)
	default:
		panic(fmt.Sprintf("syntax: unknown expression %T", x))
	}
}

// orNil keeps a nil expression a nil node.
func orNil(x Expr) Node {
	if x == nil {
		return nil
	}
	return x
}

// fstringSexpr writes an f-string.
func fstringSexpr(b *strings.Builder, x *FString) {
	b.WriteString("(f")
	for _, part := range x.Parts {
		b.WriteByte(' ')
		switch {
		case part.X == nil:
			b.WriteString(strconv.Quote(part.Text))
		case part.Format == "":
			sexpr(b, part.X)
		default:
			group(b, ":"+strconv.Quote(part.Format), part.X)
		}
	}
	b.WriteByte(')')
}

// flowSexpr writes a chain of flows.
func flowSexpr(b *strings.Builder, x *FlowChain) {
	b.WriteByte('(')
	for i, y := range x.Xs {
		if i > 0 {
			b.WriteString(" " + x.Ops[i-1].String() + " ")
		}
		sexpr(b, y)
	}
	b.WriteByte(')')
}
