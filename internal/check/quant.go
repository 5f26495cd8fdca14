// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"math/big"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// maxCount bounds what `count` can be asked for; more matches than this are
// beyond every limit of a monitor.
const maxCount = 1 << 30

// quantArgs checks the arguments of a quantifier: count takes min, max or
// both, the others take none.
func (c *checker) quantArgs(n *syntax.QuantCond, q *Quant, s *scope) {
	switch n.Quant {
	case syntax.Exists:
		q.Min = 1
		c.noQuantArgs(n, "exists", s)
	case syntax.Forall:
		c.noQuantArgs(n, "forall", s)
	case syntax.Count:
		c.countArgs(n, q, s)
	}
}

func (c *checker) noQuantArgs(n *syntax.QuantCond, name string, s *scope) {
	for _, a := range n.Args {
		c.expr(a.Value, s)
	}
	if len(n.Args) > 0 {
		c.fail("P0307", n.Args[0].Span(), name+" takes no arguments", "count(min=…, max=…): counts")
	}
}

func (c *checker) countArgs(n *syntax.QuantCond, q *Quant, s *scope) {
	bad := false
	for _, a := range n.Args {
		if a.Name == nil && bad {
			c.expr(a.Value, s)
			continue // one mistake, however many arguments have no name
		}
		bad = !c.countArg(a, q, s) || bad
	}
	switch {
	case bad:
	case len(n.Args) == 0:
		c.fail("P0307", header(n), "count needs min, max or both", "count(min=1): is true from the first match on, count(max=0): while there is none")
	case q.Min >= 0 && q.Max >= 0 && q.Min > q.Max:
		c.fail("P0307", header(n), fmt.Sprintf("no number is at least %d and at most %d", q.Min, q.Max), "min must not be greater than max")
	}
}

// countArg checks one argument of count and puts its number into q.
func (c *checker) countArg(a *syntax.Arg, q *Quant, s *scope) bool {
	to, name := (*int)(nil), ""
	if a.Name != nil {
		name = a.Name.Name
	}
	switch name {
	case "min":
		to = &q.Min
	case "max":
		to = &q.Max
	default:
		return c.countName(a, name, s)
	}
	if *to >= 0 {
		c.fail("P0307", a.Span(), name+" is given twice", "")
		return false
	}
	c.expr(a.Value, s)
	num, ok := c.wholeNumber(a.Value)
	if !ok {
		c.fail("P0307", a.Value.Span(), name+" must be a whole number that is known at load", "write the number, a constant (LIMIT := 3 above the rule), or an int parameter that has a default or is given by an import")
		return false
	}
	if num.Sign() < 0 || num.Cmp(big.NewInt(maxCount)) > 0 {
		c.fail("P0307", a.Value.Span(), fmt.Sprintf("%s must lie between 0 and %d, got %s", name, maxCount, num), "")
		return false
	}
	*to = int(num.Int64())
	return true
}

func (c *checker) countName(a *syntax.Arg, name string, s *scope) bool {
	c.expr(a.Value, s)
	if name == "" {
		c.fail("P0307", a.Span(), "count takes its arguments by name", "write count(min=…), count(max=…) or both")
		return false
	}
	help := didYouMean(name, []string{"min", "max"})
	if help == "" {
		help = "count takes min and max"
	}
	c.report(diag.Diagnostic{Code: "P0307", Span: a.Name.Span(), Message: fmt.Sprintf("count has no argument %q", name), Help: help})
	return false
}

// wholeNumber returns the number that an expression of whole numbers comes to,
// also through constants. It is for expressions that have been checked.
func (c *checker) wholeNumber(e syntax.Expr) (*big.Int, bool) {
	switch e := bare(e).(type) {
	case *syntax.IntLit:
		return e.Value, true
	case *syntax.Unary:
		n, ok := c.wholeNumber(e.X)
		if ok && e.Op == syntax.Neg {
			n = new(big.Int).Neg(n)
		}
		return n, ok && e.Op != syntax.Not
	case *syntax.Binary:
		return c.wholeResult(e)
	case *syntax.Member:
		if known := c.prog.Members[e]; known != nil && known.Input != nil {
			return known.Input.fixed()
		}
	case *syntax.Ident:
		if b, ok := c.prog.Uses[e].(*Binding); ok && c.checked(b) {
			return c.wholeBinding(b)
		}
	}
	return nil, false
}

// fixed returns the number that a parameter stands for, which an import gave or
// which is its default; from now on no monitor gives another.
func (in *Input) fixed() (*big.Int, bool) {
	if in.Type != value.IntType || in.Default == nil || in.lent {
		return nil, false
	}
	in.Fixed = !in.bound
	return in.Default.Big(), true
}

// wholeBinding is wholeNumber for a name, remembered: names that use each other
// twice would cost time exponential in their number.
func (c *checker) wholeBinding(b *Binding) (*big.Int, bool) {
	n, known := c.wholes[b]
	if !known {
		c.wholes[b] = nil // for a name that is defined by itself
		n, _ = c.wholeNumber(b.Value)
		c.wholes[b] = n
	}
	return n, n != nil
}

// wholeResult is wholeNumber for an operator.
func (c *checker) wholeResult(e *syntax.Binary) (*big.Int, bool) {
	switch e.Op {
	case syntax.Add, syntax.Sub, syntax.Mul, syntax.FloorDiv, syntax.Mod:
	default:
		return nil, false
	}
	x, ok := c.wholeNumber(e.X)
	if !ok {
		return nil, false
	}
	y, ok := c.wholeNumber(e.Y)
	if !ok {
		return nil, false
	}
	v := builtin.Arith(e.Op, value.BigOf(x), value.BigOf(y))
	if v.Kind() != value.Int {
		return nil, false
	}
	return v.Big(), true
}
