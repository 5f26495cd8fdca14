// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// consider makes el a candidate of a group if it has the group's type and the
// guards, all that are not known to hold, do not refuse it.
func (s *State) consider(t target, el *value.Value, guards []*compile.Cond) {
	b, g := t.block, t.group
	if g.Type.Role != "" && !value.HasType(el, g.Type) {
		return
	}
	st := &s.blocks[b.ID]
	s.refill(st.rule)
	val := value.True
	if el.Kind() == value.Unknown {
		val = value.Unsure // it stands for any number of elements that could not be read
	}
	s.bind(&b.Vars[g.Base], el)
	val = s.guards(guards, val)
	if val == value.False && !st.forall {
		return
	}
	c := s.newCand()
	c.base, c.val, c.ord = el, val, st.mems[g.Index].nextOrd()
	c.loose = el.Kind() == value.Unknown
	c.key, _ = value.Position(el)
	if compile.Faulty(compile.FaultSiblings) {
		c.key, _ = value.Position(el.Root())
	}
	if len(g.Drawn) == 0 {
		s.keep(st, b, g, c)
		return
	}
	c.drawn = make([]*value.Value, len(g.Drawn))
	c.draws = make([]int32, len(g.Drawn))
	s.draw(st, b, g, c, 0)
}

// newCand returns an empty candidate. They are made many at a time, since most
// live as long as the state; few at first, since most recorded runs are short.
func (s *State) newCand() *cand {
	if len(s.slab) == 0 {
		s.chunk = min(max(2*s.chunk, 8), 64)
		s.slab = make([]cand, s.chunk)
	}
	c := &s.slab[0]
	s.slab = s.slab[1:]
	return c
}

// guards evaluates conditions, cheapest first, from the truth found so far.
func (s *State) guards(conds []*compile.Cond, val value.Tri) value.Tri {
	for _, cd := range conds {
		val = min(val, value.Truth(cd.Code(&s.env)))
		if val == value.False || val == value.Unsure && compile.Faulty(compile.FaultErrorFalse) {
			return value.False
		}
	}
	return val
}

// draw binds the drawn variables of a candidate from the i-th on, in every
// way that the guards do not refuse.
func (s *State) draw(st *blockState, b *compile.Block, g *compile.Group, c *cand, i int) {
	if i == len(g.Drawn) {
		s.finish(st, b, g, c)
		return
	}
	v := &b.Vars[g.Drawn[i]]
	s.domain(v, func(x *value.Value, at int32) bool {
		if !s.take() {
			s.lose(st.rule)
			return false
		}
		s.bind(v, x)
		c.drawn[i], c.draws[i] = x, at
		s.draw(st, b, g, c, i+1)
		return !compile.Faulty(compile.FaultDrawnDropped)
	})
}

// domain yields what a variable may be drawn from an expression, each element
// once: an Unknown where it is not known, nil when there is nothing and the
// variable is optional.
func (s *State) domain(v *compile.Var, yield func(x *value.Value, at int32) bool) bool {
	found, unknown := s.search(v)
	at := int32(0)
	for _, x := range found {
		if !yield(x, at) {
			return false
		}
		at++
	}
	switch {
	case unknown != nil:
		return yield(unknown, at)
	case at == 0 && v.Check.Optional:
		return yield(nil, -1)
	}
	return true
}

// A finding is what was found in a value of the trace. Several variables that
// are drawn from one value, each for every element of the others, would else
// search it again and again.
type finding struct {
	in      *value.Value
	typ     *value.Type
	found   []*value.Value
	unknown *value.Value
}

// search returns the elements that a variable may be drawn from, each once,
// and an Unknown if there may be others.
func (s *State) search(v *compile.Var) ([]*value.Value, *value.Value) {
	for _, slot := range v.Needs {
		if s.env.Slots[slot] == nil {
			return nil, nil
		}
	}
	if v.Draw == nil {
		return s.overTrace(v.Check.Type), nil
	}
	m := s.env.B.Marks
	s.env.B.Marks = nil // finding the elements is no evidence
	in := v.Draw(&s.env)
	s.env.B.Marks = m
	if in.Kind() == value.Unknown || !value.Placed(in) {
		found, unknown := value.Search(in, v.Check.Type)
		return once(found), unknown
	}
	f := &s.found[v.Slot]
	if f.in != in || f.typ != v.Check.Type && !compile.Faulty(compile.FaultFoundKind) { // rules share slots
		f.in, f.typ = in, v.Check.Type
		f.found, f.unknown = value.Search(in, v.Check.Type)
	}
	return f.found, f.unknown
}

// once drops elements of the trace that a computed list names a second time.
func once(found []*value.Value) []*value.Value {
	var seen map[*value.Value]bool
	out := found[:0]
	for _, x := range found {
		if value.Placed(x) {
			if seen[x] {
				continue
			}
			if seen == nil {
				seen = map[*value.Value]bool{}
			}
			seen[x] = true
		}
		out = append(out, x)
	}
	return out
}

// overTrace lists the elements of a type in the whole trace, for an optional
// variable: whether there are any is what its rule wants to know.
func (s *State) overTrace(t *value.Type) []*value.Value {
	var out []*value.Value
	for i := range s.log.Len() {
		trace.Elements(s.log.At(i), t, func(el *value.Value) bool {
			if k, _ := value.Position(el); k < s.env.Before {
				out = append(out, el)
			}
			return true
		})
	}
	return out
}

// finish applies the guards that read drawn variables and keeps a copy of the
// candidate that passed.
func (s *State) finish(st *blockState, b *compile.Block, g *compile.Group, c *cand) {
	val := s.guards(g.Later, c.val)
	loose := c.loose
	for _, x := range c.drawn {
		loose = loose || (x != nil && x.Kind() == value.Unknown)
	}
	if loose {
		val = min(val, value.Unsure)
	}
	if val == value.False && !st.forall {
		return
	}
	kept := s.newCand()
	*kept = *c
	kept.val, kept.loose = val, loose
	kept.drawn = append([]*value.Value(nil), c.drawn...)
	kept.draws = append([]int32(nil), c.draws...)
	s.keep(st, b, g, kept)
}

// lose notes that a budget kept candidates from a rule: from now on nothing
// about it is certain.
func (s *State) lose(r *ruleState) {
	if r.lost {
		return
	}
	r.lost = true
	s.waits = append(s.waits, r)
	s.undoing(func() {
		r.lost = false
		s.waits = s.waits[:len(s.waits)-1]
	})
}

// keep puts a candidate into its group's memory and indexes.
func (s *State) keep(st *blockState, b *compile.Block, g *compile.Group, c *cand) {
	if !s.room(st.rule) {
		return
	}
	m := st.mems[g.Index]
	c.pos = int32(len(m.c))
	m.add(s, c)
	st.touched = s.epoch
	s.heat(st.rule)
	st.rule.grown = s.epoch
	if len(g.Keys) > 0 {
		c.keys = make([]*value.Value, len(g.Keys))
	}
	for i, k := range g.Keys {
		c.keys[i] = k.Code(&s.env)
		if x := m.eq[i]; x != nil {
			x.add(s, c, c.keys[i])
		}
	}
	if b.Depth == 0 {
		st.rule.pend(c, g.Index)
	}
}

// room asks for a place for one more candidate or waiting assignment of a
// rule.
func (s *State) room(r *ruleState) bool {
	if s.opts.Kept > 0 && s.kept >= s.opts.Kept {
		s.heat(r)
		s.lose(r)
		return false
	}
	s.kept++
	return true
}

// load puts a candidate's values into the slots of its variables.
func (s *State) load(b *compile.Block, g *compile.Group, c *cand) {
	s.bind(&b.Vars[g.Base], c.base)
	for i, j := range g.Drawn {
		s.bind(&b.Vars[j], c.drawn[i])
	}
}

// bind puts what a variable stands for into its slot. Whatever reads an
// element that is not known is unknown because of the declaration.
func (s *State) bind(v *compile.Var, x *value.Value) {
	if x != nil && x.Kind() == value.Unknown {
		x = x.WithSrcInPlace(v.Check.Decl)
	}
	s.env.Slots[v.Slot] = x
}

// stepsInAll is how many budgets of steps a rule has in one step of the state.
// Each candidate and each question gets a whole one, unless those before it
// have used up what there is in all: without that many candidates that cost
// little each could take any time.
const stepsInAll = 5

// refill starts a budget for a rule; nil: for what is no rule's.
func (s *State) refill(r *ruleState) {
	s.left, s.spent = s.opts.Candidates, false
	if s.payer != nil {
		s.payer.work += s.env.Spent()
	}
	s.payer = r
	s.env.ResetSteps()
	s.env.MaxSteps = s.opts.Steps
	if r == nil || s.opts.Steps == 0 {
		return
	}
	if r.worked != s.epoch {
		r.worked, r.work = s.epoch, 0
	}
	s.env.MaxSteps = min(s.opts.Steps, max(stepsInAll*s.opts.Steps-r.work, 1))
}

// take asks for one more candidate.
func (s *State) take() bool {
	if s.opts.Candidates == 0 {
		return true
	}
	if s.left <= 0 {
		s.spent = true
		return false
	}
	s.left--
	return true
}
