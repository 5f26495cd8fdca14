// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/holdfast-dev/holdfast/syntax"
)

// guaranteed warns of a rule all of whose conditions are a model's judgement:
// whoever talks the model round gets past the rule.
func (c *checker) guaranteed(r *Rule) {
	m := &modelFinder{prog: c.prog, decided: map[any]*syntax.Call{}, mentions: map[any]*syntax.Call{}}
	first := m.block(r.Body)
	if first == nil {
		return
	}
	c.warn("P0316", first.Fun.Span(), quote(c.prog.Calls[first].Func.Name)+" is a model's judgement and this rule's only condition: a model makes no guarantee",
		"add a condition that holds whatever a text says: which tool is called, with which arguments, after what")
}

// A modelFinder looks for what is decided by models alone.
type modelFinder struct {
	prog *Program

	// What is known of bindings and predicates, which have no cycles, but many
	// uses: the results of expr, and of asked.
	decided, mentions map[any]*syntax.Call
}

// remembered is find with a memory.
func remembered(known map[any]*syntax.Call, of any, find func() *syntax.Call) *syntax.Call {
	call, ok := known[of]
	if !ok {
		call = find()
		known[of] = call
	}
	return call
}

// block returns a call of a model's function if models alone decide a block,
// else nil. Declaring a variable, binding a name and printing decide nothing.
func (m *modelFinder) block(b *Block) *syntax.Call {
	var first *syntax.Call
	for _, cond := range b.Conds {
		var call *syntax.Call
		switch cond := cond.(type) {
		case *syntax.ExprCond:
			if m.idle(cond.X) {
				continue
			}
			call = m.expr(cond.X)
		case *syntax.QuantCond:
			call = m.block(m.prog.Quants[cond].Body)
		case *syntax.BindCond:
			continue
		}
		if call == nil {
			return nil
		}
		if first == nil {
			first = call
		}
	}
	return first
}

// idle reports whether a condition is true of everything.
func (m *modelFinder) idle(e syntax.Expr) bool {
	switch e := bare(e).(type) {
	case *syntax.TypedVar:
		return true
	case *syntax.Binary:
		_, ok := bare(e.X).(*syntax.TypedVar)
		return ok && e.Op == syntax.In && m.asked(e.Y) == nil
	case *syntax.Call:
		f := m.prog.Calls[e].Func
		return f != nil && f.Name == "print" && f.Module == ""
	}
	return false
}

// expr returns a call of a model's function if models alone decide an
// expression, else nil.
func (m *modelFinder) expr(e syntax.Expr) *syntax.Call {
	switch e := bare(e).(type) {
	case *syntax.Unary:
		if e.Op == syntax.Not {
			return m.expr(e.X)
		}
	case *syntax.Binary:
		if e.Op != syntax.And && e.Op != syntax.Or {
			break
		}
		x, y := m.expr(e.X), m.expr(e.Y)
		if m.idle(e.X) {
			return y
		}
		if x == nil || y == nil && !m.idle(e.Y) {
			return nil
		}
		return x
	case *syntax.Ident:
		if b, ok := m.prog.Uses[e].(*Binding); ok {
			return remembered(m.decided, b, func() *syntax.Call { return m.expr(b.Value) })
		}
	case *syntax.Call:
		if call := m.prog.Calls[e]; call.Pred != nil {
			return remembered(m.decided, call.Pred, func() *syntax.Call { return m.block(call.Pred.Body) })
		}
	}
	return m.asked(e)
}

// asked returns a call of a model's function that the value of an expression
// depends on, nil if there is none.
func (m *modelFinder) asked(e syntax.Expr) *syntax.Call {
	e = syntax.Unparen(e)
	switch e := e.(type) { //nolint:gochecksumtype // of the others their parts are asked
	case *syntax.Ident:
		if b, ok := m.prog.Uses[e].(*Binding); ok {
			return remembered(m.mentions, b, func() *syntax.Call { return m.asked(b.Value) })
		}
	case *syntax.Call:
		call := m.prog.Calls[e]
		if call.Pred != nil {
			return remembered(m.mentions, call.Pred, func() *syntax.Call { return m.within(call.Pred.Body) })
		}
		if call.Func != nil && call.Func.Model {
			return e
		}
	}
	for _, x := range children(e) {
		if call := m.asked(x); call != nil {
			return call
		}
	}
	return nil
}

// within returns a call of a model's function in the conditions of a block.
func (m *modelFinder) within(b *Block) *syntax.Call {
	var found *syntax.Call
	m.prog.reach(b, func(n syntax.Node) {
		if e, ok := n.(*syntax.Call); ok && found == nil {
			if f := m.prog.Calls[e].Func; f != nil && f.Model {
				found = e
			}
		}
	})
	return found
}
