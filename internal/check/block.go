// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A block is opened first, which enters its variables and bindings, and
// closed then, which checks its lines, so that a line may use what a later
// one declares.

// open enters the variables and bindings of a block below up. The scope's
// block is the one to be filled.
func (c *checker) open(conds []syntax.Cond, up *scope) *scope {
	b := &Block{Outer: blockOf(up)}
	s := newScope(up, up.unit, b)
	for _, cond := range conds {
		switch cond := cond.(type) {
		case *syntax.ExprCond:
			_, bare := syntax.Unparen(cond.X).(*syntax.TypedVar)
			c.declare(cond.X, s, place{bare: bare})
		case *syntax.BindCond:
			c.enterBinding(cond, s)
		case *syntax.QuantCond:
		}
	}
	return s
}

// blockOf returns the innermost block that s stands in, nil if in none.
func blockOf(s *scope) *Block {
	for ; s != nil; s = s.up {
		if s.block != nil {
			return s.block
		}
	}
	return nil
}

func (c *checker) enterBinding(cond *syntax.BindCond, s *scope) {
	b := &Binding{Name: cond.Name.Name, Value: cond.Value}
	c.binds[b] = &binding{scope: s, name: cond.Name}
	c.bindOf[cond] = b
	c.declare(cond.Value, s, place{})
	if _, in := s.local(b.Name); in != nil {
		c.taken(cond.Name, in, b)
		return
	}
	s.put(b.Name, cond.Name.Span(), b)
}

// A place says where in a condition an expression stands, as far as typed
// variables care.
type place struct {
	or   bool   // below an `or`
	bar  string // what it stands in that no typed variable may stand in
	bare bool   // it is the whole condition
}

// declare enters the typed variables of e, an expression of the block of s.
func (c *checker) declare(e syntax.Expr, s *scope, at place) {
	inner := place{or: at.or, bar: at.bar}
	switch e := e.(type) {
	case *syntax.TypedVar:
		c.variable(e, s, at)
		return
	case *syntax.Paren:
		c.declare(e.X, s, at)
		return
	case *syntax.Binary:
		if c.declareBinary(e, s, inner) {
			return
		}
	case *syntax.Unary:
		if e.Op == syntax.Not {
			inner.bar = "not"
		}
	case *syntax.IfElse:
		inner.bar = "if … else"
	case *syntax.ListComp:
		inner.bar = "a comprehension"
	case *syntax.Call:
		if id, ok := syntax.Unparen(e.Fun).(*syntax.Ident); ok && (id.Name == "any" || id.Name == "all") {
			inner.bar = id.Name + "(…)"
		}
	case *syntax.Ident, *syntax.IntLit, *syntax.FloatLit, *syntax.StringLit, *syntax.FString,
		*syntax.ConstLit, *syntax.ListLit, *syntax.TupleLit, *syntax.DictLit, *syntax.FlowChain,
		*syntax.Member, *syntax.Index, *syntax.Slice, *syntax.ToolPattern, *syntax.Wildcard,
		*syntax.ValueClass, *syntax.BadExpr:
	}
	for _, x := range children(e) {
		c.declare(x, s, inner)
	}
}

// declareBinary handles the operators that matter to typed variables; it
// reports whether e was one.
func (c *checker) declareBinary(e *syntax.Binary, s *scope, at place) bool {
	switch e.Op {
	case syntax.Or:
		at.or = true
	case syntax.NotIn:
		at.bar = "not in"
	case syntax.In:
		tv, ok := syntax.Unparen(e.X).(*syntax.TypedVar)
		if !ok {
			return false
		}
		if v := c.variable(tv, s, at); v != nil {
			v.In, v.InAt = e.Y, e
		}
		c.declare(e.Y, s, at)
		return true
	default:
		return false
	}
	c.declare(e.X, s, at)
	c.declare(e.Y, s, at)
	return true
}

// variable enters a typed variable. It returns nil if its name is taken.
func (c *checker) variable(e *syntax.TypedVar, s *scope, at place) *Var {
	t := c.typeName(e.Type, s)
	if at.bar != "" {
		c.fail("P0304", e.Span(), fmt.Sprintf("a typed variable cannot stand in %s", at.bar), insteadOf(at.bar))
	}
	v := &Var{Name: e.Name.Name, Type: t, Decl: e, Optional: at.or, Block: s.block}
	if _, in := s.local(v.Name); in != nil {
		c.taken(e.Name, in, v)
		return nil
	}
	s.put(v.Name, e.Name.Span(), v)
	s.block.Vars = append(s.block.Vars, v)
	c.prog.Vars[e] = v
	c.bare[v] = at.bare
	c.countVariable(e)
	return v
}

// insteadOf is the help for a typed variable that stands where none may.
func insteadOf(bar string) string {
	switch bar {
	case "a comprehension", "any(…)", "all(…)":
		return "write a block instead: exists: (or forall:), with the variable and its conditions below it"
	case "a constant":
		return "constants know no trace; declare the variable in a rule or predicate"
	case "the raise expression":
		return "declare the variable in the rule's conditions"
	}
	return "write a block instead: not exists:, with the variable and its conditions below it"
}

// noVariables reports the typed variables of e, which stands where there is
// no block to declare them in.
func (c *checker) noVariables(e syntax.Expr, bar string) {
	if tv, ok := e.(*syntax.TypedVar); ok {
		c.fail("P0304", tv.Span(), "a typed variable cannot stand in "+bar, insteadOf(bar))
		return
	}
	for _, x := range children(e) {
		c.noVariables(x, bar)
	}
}

func (c *checker) countVariable(e *syntax.TypedVar) {
	c.vars++
	if c.vars == c.limits.Variables+1 {
		c.fail("P0321", e.Span(), fmt.Sprintf("more than %d typed variables", c.limits.Variables),
			"split the rule, or look at fewer elements: each variable multiplies the combinations to try")
	}
}

// close checks the lines of the block of s, which open entered. at and what
// say whose block it is.
func (c *checker) close(s *scope, conds []syntax.Cond, at diag.Span, what string) {
	b := s.block
	for _, cond := range conds {
		switch cond := cond.(type) {
		case *syntax.ExprCond:
			c.truth(cond.X, s)
			b.Conds = append(b.Conds, cond)
		case *syntax.BindCond:
			c.bindingType(c.bindOf[cond], cond.Name)
		case *syntax.QuantCond:
			c.quantifier(cond, s)
			b.Conds = append(b.Conds, cond)
		}
	}
	if len(conds) > 0 && len(b.Conds) == 0 {
		c.fail("P0301", at, what+" has no condition", "bindings are always true; add a condition that uses them")
	}
	c.orderVariables(b)
}

// unused warns of variables that multiply the matches of a block for nothing.
// It is for when everything that could use them has been checked.
func (c *checker) unused(b *Block) {
	if len(b.Vars) < 2 {
		return
	}
	for _, v := range b.Vars {
		if c.bare[v] && !c.used[v] && v.Type != value.AnyType {
			c.warn("P0308", v.Decl.Span(), fmt.Sprintf("nothing uses %q", v.Name),
				fmt.Sprintf("every match is repeated for each %s of the trace; drop the variable or add a condition on it", v.Type))
		}
	}
}

// orderVariables puts a block's variables in the order in which they are
// bound: as they appear, a derived one after those that its elements come
// from.
func (c *checker) orderVariables(b *Block) {
	needs := map[*Var][]*Var{}
	for _, v := range b.Vars {
		if v.In == nil {
			continue
		}
		for _, n := range c.prog.Free(v.In) {
			if n.Block == b {
				needs[v] = append(needs[v], n)
			}
		}
	}
	rest := b.Vars
	var ordered []*Var
	for len(rest) > 0 {
		i := slices.IndexFunc(rest, func(v *Var) bool { return subset(needs[v], ordered) })
		if i < 0 {
			c.derivedCycle(rest, needs)
			ordered = append(ordered, rest...)
			break
		}
		ordered = append(ordered, rest[i])
		rest = slices.Delete(slices.Clone(rest), i, i+1)
	}
	b.Vars = ordered
	for i, v := range b.Vars {
		v.Index = i
	}
}

func subset(a, b []*Var) bool {
	return !slices.ContainsFunc(a, func(v *Var) bool { return !slices.Contains(b, v) })
}

// derivedCycle reports variables whose elements come from each other. Each of
// rest needs another of rest, so following needs must come back.
func (c *checker) derivedCycle(rest []*Var, needs map[*Var][]*Var) {
	path := []*Var{rest[0]}
	for {
		last := path[len(path)-1]
		next := needs[last][slices.IndexFunc(needs[last], func(v *Var) bool { return slices.Contains(rest, v) })]
		if i := slices.Index(path, next); i >= 0 {
			path = append(path[i:], next)
			break
		}
		path = append(path, next)
	}
	var names []string
	for _, v := range path {
		names = append(names, v.Name)
	}
	message := fmt.Sprintf("%q is taken from itself", names[0])
	if len(names) > 2 {
		message = "variables are taken from each other: " + strings.Join(names, " -> ")
	}
	c.fail("P0306", path[0].Decl.Span(), message, "what stands after `in` must be known before the variable is")
}

// quantifier checks a quantifier block that stands in s.
func (c *checker) quantifier(n *syntax.QuantCond, up *scope) {
	q := &Quant{Kind: n.Quant, Min: -1, Max: -1}
	c.prog.Quants[n] = q
	c.quantArgs(n, q, up)
	c.depth++
	if c.depth == c.limits.Nesting+1 {
		c.fail("P0322", header(n), fmt.Sprintf("quantifiers nested more than %d deep", c.limits.Nesting),
			"move the inner ones into a predicate, or say it with fewer")
	}
	s := c.open(n.Body, up)
	q.Body = s.block
	c.close(s, n.Body, header(n), "this block")
	c.unused(s.block)
	c.depth--
}

// header returns the span of a quantifier without its block.
func header(n syntax.Node) diag.Span {
	at := n.Span()
	if i := strings.IndexAny(at.Text(), ":\r\n"); i > 0 {
		at.End = at.Start + i
	}
	return at
}
