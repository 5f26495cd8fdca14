// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package coverage

import (
	"strings"

	"github.com/holdfast-dev/holdfast/syntax"
)

// conditions lists what can be true or false in a block: its lines but for
// declarations, of a chain of `and` or `or` its operands, and the lines of inner
// blocks.
func conditions(body []syntax.Cond) []syntax.Node {
	var out []syntax.Node
	for _, c := range body {
		switch c := c.(type) {
		case *syntax.ExprCond:
			out = append(out, ofLine(c)...)
		case *syntax.BindCond:
			out = append(out, inside(c.Value)...)
		case *syntax.QuantCond:
			out = append(out, c)
			out = append(out, conditions(c.Body)...)
		}
	}
	return out
}

func ofLine(c *syntax.ExprCond) []syntax.Node {
	x := syntax.Unparen(c.X)
	if declares(x) {
		return nil
	}
	inner := inside(x)
	if b, ok := x.(*syntax.Binary); ok && (b.Op == syntax.And || b.Op == syntax.Or) {
		return inner // its operands say more
	}
	return append([]syntax.Node{c}, inner...)
}

// declares reports whether a line only says what a variable ranges over.
func declares(x syntax.Expr) bool {
	if b, ok := x.(*syntax.Binary); ok && b.Op == syntax.In {
		x = syntax.Unparen(b.X)
	}
	_, ok := x.(*syntax.TypedVar)
	return ok
}

// inside lists the operands of all chains in an expression.
func inside(x syntax.Expr) []syntax.Node {
	var out []syntax.Node
	syntax.Walk(x, func(n syntax.Node) bool {
		b, ok := n.(*syntax.Binary)
		if !ok || b.Op != syntax.And && b.Op != syntax.Or {
			return true
		}
		for _, o := range operands(b, b.Op) {
			inner := inside(o)
			c, chain := o.(*syntax.Binary)
			chain = chain && (c.Op == syntax.And || c.Op == syntax.Or)
			if _, constant := o.(*syntax.ConstLit); !chain && !constant && !declares(o) {
				out = append(out, o)
			}
			out = append(out, inner...)
		}
		return false
	})
	return out
}

// operands are those of a chain of one operator, as the evaluation takes them
// apart.
func operands(x syntax.Expr, op syntax.Op) []syntax.Expr {
	x = syntax.Unparen(x)
	if b, ok := x.(*syntax.Binary); ok && b.Op == op {
		return append(operands(b.X, op), operands(b.Y, op)...)
	}
	return []syntax.Expr{x}
}

// oneLine is the text of a condition, of a block its first line.
func oneLine(n syntax.Node) string {
	text := n.Span().Text()
	if _, ok := n.(*syntax.QuantCond); ok {
		text, _, _ = strings.Cut(text, "\n")
		text, _, _ = strings.Cut(text, "#") // no text stands there
	}
	return strings.Join(strings.Fields(text), " ")
}
