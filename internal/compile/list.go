// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"sort"
	"strconv"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

func quote(s string) string { return strconv.Quote(s) }

func sortStrings(s []string) { sort.Strings(s) }

// A loop goes through a list comprehension. For each element that is not
// filtered out it calls yield with the filter's value (true or unknown) and
// stops when yield returns false. An unknown source is returned.
type loop struct {
	in     Code
	slots  []int
	ifs    []node
	src    *syntax.ListComp
	inside Code // the element
}

func (c *compiler) loop(s *scope, x *syntax.ListComp) (loop, int) {
	in := c.expr(s, x.In)
	inner := newScope(s)
	l := loop{in: in.code, src: x}
	for _, t := range x.Targets {
		i := c.newSlot()
		l.slots = append(l.slots, i)
		inner.slots[c.prog.Uses[t].(*check.Local)] = i
	}
	cost := in.cost
	for _, f := range x.Ifs {
		n := c.cond(inner, f)
		l.ifs, cost = append(l.ifs, n), cost+n.cost
	}
	n := c.expr(inner, x.Elt)
	l.inside = n.code
	c.forget(l.slots)
	return l, (cost + n.cost) * 4
}

// each has one turn for each element. Where it is not known what the loop
// goes through, or an element cannot be taken apart, there is one turn for
// that, with unknown targets and an unknown filter.
func (l *loop) each(e *Env, yield turnFunc) {
	from := l.in(e)
	if from.Kind() == value.Unknown {
		l.unknownTurn(e, from, yield)
		return
	}
	items, u := builtin.Iterate(from)
	if u != nil {
		l.unknownTurn(e, u.WithSrc(l.src.In), yield)
		return
	}
	for _, it := range items {
		if !e.step() {
			l.unknownTurn(e, spent(l.src), yield)
			return
		}
		if !l.turn(e, it, yield) {
			return
		}
	}
}

func (l *loop) turn(e *Env, it *value.Value, yield turnFunc) bool {
	if len(l.slots) == 1 {
		e.Slots[l.slots[0]] = it.WithSrcInPlace(l.src.In)
		return l.filtered(e, nil, yield)
	}
	if it.Kind() == value.Unknown {
		return l.unknownTurn(e, it.WithSrc(l.src.In), yield)
	}
	parts, u := builtin.Unpack(it, len(l.slots))
	if u != nil {
		return l.unknownTurn(e, u.WithSrc(l.src.In), yield)
	}
	for i, p := range parts {
		e.Slots[l.slots[i]] = p.WithSrcInPlace(l.src.In)
	}
	return l.filtered(e, nil, yield)
}

func (l *loop) unknownTurn(e *Env, unknown *value.Value, yield turnFunc) bool {
	for _, slot := range l.slots {
		e.Slots[slot] = unknown
	}
	return l.filtered(e, unknown, yield)
}

// filtered evaluates the filters of a turn and yields unless one is false.
func (l *loop) filtered(e *Env, unknown *value.Value, yield turnFunc) bool {
	m := e.B.Marks
	n := m.Len()
	f := l.filter(e, unknown)
	if f == value.FalseV {
		m.Truncate(n)
		return true
	}
	holds, more := yield(f)
	if !holds {
		m.Truncate(n)
	}
	return more
}

// A turnFunc is called for a turn with the truth of its filter. It reports
// whether the turn holds, else nothing in it is evidence, and whether to go on.
type turnFunc func(filter *value.Value) (holds, more bool)

func (l *loop) filter(e *Env, unknown *value.Value) *value.Value {
	var u unknowns
	if unknown != nil {
		u.add(unknown)
	}
	for _, f := range l.ifs {
		v := marked(e, f.code)
		switch value.Truth(v) {
		case value.False:
			return value.FalseV
		case value.Unsure:
			u.add(v)
		}
	}
	return u.or(value.TrueV)
}

// comprehension compiles a list comprehension for its value: one unknown
// filter or element makes all of it unknown.
func (c *compiler) comprehension(s *scope, x *syntax.ListComp) node {
	l, cost := c.loop(s, x)
	return node{cost: cost, code: func(e *Env) *value.Value {
		var items []*value.Value
		var unknown *value.Value
		l.each(e, func(filter *value.Value) (holds, more bool) {
			v := filter
			if filter.Kind() != value.Unknown {
				v = l.inside(e)
			}
			if v.Kind() == value.Unknown {
				unknown = v
				return false, false
			}
			items = append(items, v)
			return true, true
		})
		if unknown != nil {
			return unknown
		}
		return value.ListOf(items)
	}}
}

// lazyTruths compiles any() and all() of a list literal or comprehension,
// where each element counts for itself: an unknown one does not hide a
// deciding one.
func (c *compiler) lazyTruths(s *scope, name string, arg syntax.Expr) (node, bool) {
	all := name == "all"
	switch x := syntax.Unparen(arg).(type) { //nolint:gochecksumtype // two forms are lazy
	case *syntax.ListLit:
		var codes []Code
		cost := 1
		for _, it := range x.Items {
			n := c.cond(s, it)
			codes, cost = append(codes, n.code), cost+n.cost
		}
		if all {
			return node{cost: cost, code: conjunction(codes)}, true
		}
		return node{cost: cost, code: disjunction(codes)}, true
	case *syntax.ListComp:
		l, cost := c.loop(s, x)
		l.inside = truthOf(l.inside, syntax.Unparen(x.Elt))
		return node{cost: cost, code: func(e *Env) *value.Value { return l.decide(e, all) }}, true
	}
	return node{}, false
}

// decide is any() or all() over the turns: an element that the filter may
// exclude counts as `filter and element`, or as `not filter or element`.
func (l *loop) decide(e *Env, all bool) *value.Value {
	decisive, neutral := value.True, value.FalseV
	if all {
		decisive, neutral = value.False, value.TrueV
	}
	var u unknowns
	var decided *value.Value
	l.each(e, func(filter *value.Value) (holds, more bool) {
		v := l.inside(e)
		t := value.Truth(v)
		switch {
		case t != decisive && t != value.Unsure:
			// Whether the filter holds does not matter.
		case filter.Kind() == value.Unknown:
			u.add(filter)
			if t == value.Unsure {
				u.add(v)
			}
		case t == value.Unsure:
			u.add(v)
		default:
			decided = v
		}
		// Evidence wants every element.
		return t == value.True && filter == value.TrueV, decided == nil || e.B.Marks != nil
	})
	if decided != nil {
		return decided
	}
	return u.or(neutral)
}
