// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

const forall = syntax.Forall

// maxWitnesses bounds the assignments that show why a quantifier holds.
const maxWitnesses = 16

// A census is what is known about the assignments of a block.
type census struct {
	sure      uint64 // true
	unsure    uint64 // unknown
	refuted   bool   // one is false; kept for forall only
	unbounded bool   // a domain is not known
}

// Quantify implements compile.Quantifier.
func (s *State) Quantify(q *compile.Sub, e *compile.Env) *value.Value {
	if v := q.Vague(e); v != nil {
		return v
	}
	if e.Causes || e.B.Marks != nil {
		return s.explainSub(q)
	}
	var c census
	if !s.tally(q, &c) && !s.recount(q, &c, nil) && !settles(q, &c) {
		return compile.Vague
	}
	return verdict(q, &c)
}

// verdict turns a census into the quantifier's truth.
func verdict(q *compile.Sub, c *census) *value.Value {
	switch decide(q, c) {
	case value.True:
		return value.TrueV
	case value.False:
		return value.FalseV
	}
	return compile.Vague
}

func decide(q *compile.Sub, c *census) value.Tri {
	if q.Kind == forall {
		switch {
		case c.refuted:
			return value.False
		case c.unsure > 0 || c.unbounded:
			return value.Unsure
		}
		return value.True
	}
	lo, hi := c.sure, add(c.sure, c.unsure)
	if c.unbounded {
		hi = math.MaxUint64
	}
	least, most := uint64(max(q.Min, 0)), uint64(math.MaxUint64)
	if q.Max >= 0 {
		most = uint64(q.Max)
	}
	switch {
	case least <= lo && hi <= most:
		return value.True
	case hi < least || most < lo:
		return value.False
	}
	return value.Unsure
}

// settles reports whether more assignments cannot change the answer.
func settles(q *compile.Sub, c *census) bool {
	if q.Kind == forall {
		return c.refuted
	}
	if q.Max >= 0 {
		return c.sure > uint64(q.Max)
	}
	return c.sure >= uint64(max(q.Min, 0))
}

// tally counts without looking at a candidate where the block allows it: one
// group, of which flows and an equality with what is around the block leave a
// range.
func (s *State) tally(q *compile.Sub, c *census) bool {
	b := q.Block
	if len(b.Groups) != 1 || len(b.Runtime) > 0 || len(b.Global) > 0 {
		return false
	}
	m := s.blocks[b.ID].mems[0]
	l := &m.list
	j := joiner{s: s, b: b, mems: s.blocks[b.ID].mems}
	for _, cd := range b.Joins {
		if cd.Edge && q.Kind != forall {
			continue
		}
		if len(b.Eqs) != 1 || b.Eqs[0].Cond != cd || q.Kind == forall {
			return false
		}
		x := m.eq[b.Eqs[0].A.Index]
		probe := b.Eqs[0].Probe(&s.env)
		if probe.Kind() == value.Unknown || len(x.wild.c) > 0 {
			return false
		}
		if l = x.find(probe); l == nil {
			l = &list{}
		}
	}
	st := &b.Lex.Steps[0]
	for i := range b.Edges {
		if e := &b.Edges[i]; e.Direct || !j.outerKnown(e) {
			return false
		}
	}
	lo, hi := cut(l.c, j.span(st))
	n := hi - lo
	u := between(l.unsure, lo, hi)
	f := between(l.falses, lo, hi)
	if u > 0 || f > 0 {
		return s.looseIn(l.c[lo:hi], c)
	}
	c.sure = uint64(n)
	return true
}

// looseIn counts candidates one by one when some are not plainly true.
func (s *State) looseIn(cs []*cand, c *census) bool {
	for _, x := range cs {
		if !s.take() {
			return false
		}
		c.add(x.val, x.loose)
	}
	return true
}

func (c *census) add(val value.Tri, bottom bool) {
	c.unbounded = c.unbounded || (bottom && val != value.False)
	switch {
	case val == value.True:
		c.sure++
	case val == value.Unsure || bottom && !compile.Faulty(compile.FaultBottom):
		c.unsure++
	default:
		c.refuted = true
	}
}

// recount goes through the assignments of a block, in their order if each is
// not nil. It returns false if it was stopped: by the budget, or because the
// answer is settled and nobody wants the rest.
func (s *State) recount(q *compile.Sub, c *census, each func(j *joiner, val value.Tri) bool) bool {
	b := q.Block
	val := value.True
	for _, cd := range b.Global {
		val = min(val, value.Truth(cd.Code(&s.env)))
	}
	if val == value.False && q.Kind != forall {
		return true
	}
	j := s.joiner(b, s.subOrder(q, each != nil))
	j.all = q.Kind == forall
	j.whole()
	j.emit = func(val value.Tri) bool {
		c.add(val, j.bottom())
		if each != nil {
			return each(j, val)
		}
		return !settles(q, c)
	}
	return j.run(val)
}

func (s *State) subOrder(q *compile.Sub, lexical bool) *compile.Order {
	if lexical || q.Kind == forall || q.Block.Best == nil {
		return q.Block.Lex
	}
	return q.Block.Best
}

// explainSub evaluates a quantifier with all that an explanation needs: the
// causes of each unknown assignment and the evidence of the first true ones.
func (s *State) explainSub(q *compile.Sub) *value.Value {
	marks := s.env.B.Marks
	s.env.B.Marks = nil
	var c census
	var causes []value.Cause
	var shown firstN
	shown.n = maxWitnesses
	stopped := !s.recount(q, &c, func(j *joiner, val value.Tri) bool {
		switch {
		case val == value.True && q.Witnessed() && marks != nil:
			shown.add(j.match(val))
		case val == value.Unsure:
			causes = value.MergeCauses(causes, s.causesOf(q.Block))
		case val == value.False && j.bottom():
			causes = value.MergeCauses(causes, s.bottoms(q.Block))
		}
		return true
	})
	s.env.B.Marks = marks
	if stopped && s.spent && !settles(q, &c) {
		return value.Trouble(value.Budget, nil, "evaluation budget used up").WithSrc(q.Src)
	}
	switch decide(q, &c) {
	case value.True:
		if q.Witnessed() && marks != nil {
			for _, m := range shown.trim() {
				s.loadMatch(m)
				s.markMatch(m)
			}
		}
		return value.TrueV
	case value.False:
		return value.FalseV
	}
	return value.UnknownOf(causes)
}

// causesOf evaluates every condition of a block for the assignment in the
// slots and collects why those that are unknown are.
func (s *State) causesOf(b *compile.Block) []value.Cause {
	was := s.env.Causes
	s.env.Causes = true
	var causes []value.Cause
	for _, cd := range b.Conds {
		causes = value.MergeCauses(causes, cd.Code(&s.env).Causes())
	}
	s.env.Causes = was
	return value.MergeCauses(causes, s.bottoms(b))
}

// bottoms collects why the elements of variables are not known.
func (s *State) bottoms(b *compile.Block) []value.Cause {
	var causes []value.Cause
	for i := range b.Vars {
		if x := s.env.Slots[b.Vars[i].Slot]; x != nil {
			causes = value.MergeCauses(causes, x.Causes())
		}
	}
	return causes
}

// markMatch marks the variables of the match in the slots and what its
// conditions mark.
func (s *State) markMatch(m *Match) {
	for _, v := range m.Values() {
		if v != nil && v.Kind() != value.Unknown {
			s.env.B.Marks.Mark(v, -1, -1)
		}
	}
	for _, cd := range m.block.Conds {
		s.markCond(cd)
	}
}

func (s *State) markCond(cd *compile.Cond) {
	n := s.env.B.Marks.Len()
	if value.Truth(cd.Code(&s.env)) != value.True {
		s.env.B.Marks.Truncate(n)
	}
}
