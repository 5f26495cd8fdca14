// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"maps"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/syntax"
)

// What an expression reads decides when it can be evaluated: alone for one
// element, or only when several are chosen. The compiler notes the slots that
// a piece of code reads while it makes it, because only then are parameters
// and bindings replaced by what they stand for.

// A reading is what some code depends on.
type reading struct {
	slots map[int]bool
	// unsettled: the code looks at the trace in a way that a later event may
	// change, although every slot keeps its value.
	unsettled bool
	// trace: the code holds a quantifier over the trace, settled or not.
	trace bool
}

func newReading() *reading { return &reading{slots: map[int]bool{}} }

func (r *reading) merge(o *reading) {
	for i := range o.slots {
		r.slots[i] = true
	}
	r.unsettled = r.unsettled || o.unsettled
	r.trace = r.trace || o.trace
}

// recorded is a node and what it reads.
type recorded struct {
	node
	read *reading
}

// record runs f and returns its node with what it reads, which does not count
// for the code around it until it is replayed.
func (c *compiler) record(f func() node) recorded {
	outer := c.now
	c.now = newReading()
	n := f()
	r := recorded{node: n, read: c.now}
	c.now = outer
	return r
}

// replay puts recorded code into the code that is being made.
func (c *compiler) replay(r recorded) node {
	c.now.merge(r.read)
	return r.node
}

// observe is record and replay in one.
func (c *compiler) observe(f func() node) recorded {
	r := c.record(f)
	c.now.merge(r.read)
	return r
}

func (c *compiler) reads(slot int) { c.now.slots[slot] = true }

// forget drops slots that exist only inside the code just made.
func (c *compiler) forget(slots []int) {
	for _, i := range slots {
		delete(c.now.slots, i)
	}
}

// mentions returns the slots of what stands in s and is named in a block,
// through bindings and arguments too, whether or not its value depends on it.
func (c *compiler) mentions(s *scope, b *check.Block) []int {
	m := mentioner{c: c, slots: map[int]bool{}, seen: map[place]bool{}}
	for _, cd := range b.Conds {
		m.visit(s, cd)
	}
	return slices.Sorted(maps.Keys(m.slots))
}

// A mentioner collects what is named. Each name is followed once in a scope:
// names that stand for names may be very many.
type mentioner struct {
	c     *compiler
	slots map[int]bool
	seen  map[place]bool
}

// A place is a name in a scope.
type place struct {
	scope *scope
	name  check.Object
}

func (m *mentioner) visit(s *scope, n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Ident:
			m.name(s, m.c.prog.Uses[n])
		case *syntax.TypedVar:
			m.name(s, m.c.prog.Vars[n])
		}
		return true
	})
}

func (m *mentioner) name(s *scope, o check.Object) {
	at := place{s, o}
	if o == nil || m.seen[at] {
		return
	}
	m.seen[at] = true
	switch o := o.(type) { //nolint:gochecksumtype // the others read no slot
	case *check.Var, *check.Local:
		if i, ok := s.slot(o); ok {
			m.slots[i] = true
		}
	case *check.ParamObj:
		a := s.param(o)
		m.visit(a.in, a.src)
	case *check.Binding:
		m.visit(m.c.home(s, o), o.Value)
	}
}
