// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"sort"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// A part is the range of a group's candidates that a join may choose from.
type part struct{ from, to int32 }

// A joiner lists the assignments of a block: it binds the groups in the order
// of its plan, each to the candidates that flows and indexes leave, then the
// run-time variables, and looks at each condition as soon as it can.
type joiner struct {
	s     *State
	b     *compile.Block
	mems  []*memory
	order *compile.Order
	leaf  []*compile.Cond
	parts []part // by group

	// all: every element of the domains counts, whatever the conditions say
	// (forall); nothing is pruned.
	all bool

	chosen []*cand // by group
	drawn  []*value.Value
	draws  []int32
	emit   func(val value.Tri) bool
}

func (s *State) joiner(b *compile.Block, o *compile.Order) *joiner {
	return &joiner{
		s: s, b: b, mems: s.blocks[b.ID].mems, order: o, leaf: b.Leaf,
		parts:  make([]part, len(b.Groups)),
		chosen: make([]*cand, len(b.Groups)),
		drawn:  make([]*value.Value, len(b.Runtime)),
		draws:  make([]int32, len(b.Runtime)),
	}
}

// whole lets the join choose from everything.
func (j *joiner) whole() {
	for g, m := range j.mems {
		j.parts[g] = part{0, int32(len(m.c))}
	}
}

// fresh lets group g choose from what the step under way added, earlier
// groups from what was there before, later ones from everything: taken over
// all g, each new assignment is listed once.
func (j *joiner) fresh(g int) {
	for i, m := range j.mems {
		old, all := int32(m.old(j.s)), int32(len(m.c))
		switch {
		case i < g:
			j.parts[i] = part{0, old}
		case i == g:
			j.parts[i] = part{old, all}
		case compile.Faulty(compile.FaultDelta):
			j.parts[i] = part{0, old}
		default:
			j.parts[i] = part{0, all}
		}
	}
}

// run lists the assignments. It returns false when emit stopped it or the
// budget did.
func (j *joiner) run(val value.Tri) bool {
	if len(j.b.Groups) == 0 {
		return j.runtime(0, val)
	}
	return j.step(0, val)
}

func (j *joiner) step(i int, val value.Tri) bool {
	if i == len(j.order.Steps) {
		return j.runtime(0, val)
	}
	st := &j.order.Steps[i]
	c := j.mems[st.Group].c
	in := j.within(st, c)
	if in.from >= in.to {
		return true
	}
	if few, ok := j.narrow(st, in); ok {
		return j.each(i, st, few, in, val)
	}
	return j.each(i, st, c[in.from:in.to], in, val)
}

// within is the part of a group's candidates that flows and the group's part
// leave.
func (j *joiner) within(st *compile.Step, c []*cand) part {
	p := j.parts[st.Group]
	lo, hi := cut(c, j.span(st))
	return part{max(p.from, int32(lo)), min(p.to, int32(hi))}
}

// span is what the flows leave of the trace for a step.
func (j *joiner) span(st *compile.Step) span {
	sp := everything
	if !compile.Faulty(compile.FaultLateExplain) {
		sp.to = j.s.env.Before
	}
	if j.all {
		return sp
	}
	for i := range st.Lower {
		e := &st.Lower[i]
		if k, ok := j.keyOf(e.From, e.Outer); ok {
			sp = sp.after(k, e.Loose)
			if e.Direct {
				sp.to = min(sp.to, (k>>32+2)<<32)
			}
		}
	}
	for i := range st.Upper {
		e := &st.Upper[i]
		if e.To < 0 && compile.Faulty(compile.FaultAnchor) {
			continue
		}
		if k, ok := j.keyOf(e.To, e.Outer); ok {
			sp = sp.before(k, e.Loose)
			if e.Direct {
				sp.from = max(sp.from, slotBefore(k))
			}
		}
	}
	return sp
}

// slotBefore is the earliest position that can be the immediate predecessor
// of something at key.
func slotBefore(key uint64) uint64 {
	slot := key >> 32
	if slot == 0 {
		return 0
	}
	return (slot - 1) << 32
}

// keyOf returns the position of one end of an edge: of a group that is bound,
// or of what stands in a slot of an enclosing block.
func (j *joiner) keyOf(group, slot int) (uint64, bool) {
	if group >= 0 {
		return j.chosen[group].key, true
	}
	v := j.s.env.Slots[slot]
	if v == nil {
		return 0, false
	}
	return value.Position(v)
}

// narrow asks the indexes for the candidates of a step. They may return too
// many, never too few: the condition is looked at again.
func (j *joiner) narrow(st *compile.Step, within part) ([]*cand, bool) {
	if j.all {
		return nil, false
	}
	m := j.mems[st.Group]
	for _, q := range st.Eqs {
		mine, probe := q.A, j.probe(q, st.Group)
		if q.A.Group != st.Group {
			mine = q.B
		}
		x := m.eq[mine.Index]
		if x == nil || probe.Kind() == value.Unknown || len(x.wild.c) > 0 && !compile.Faulty(compile.FaultWild) {
			continue
		}
		if l := x.find(probe); l != nil {
			return l.c, true
		}
		return nil, true
	}
	for _, in := range st.Ins {
		mine, other := in.Needle, in.Hay
		if mine.Group != st.Group {
			mine, other = other, mine
		}
		probe := j.chosen[other.Group].keys[other.Index]
		if c, ok := m.text[mine.Index].find(j.s, m, mine.Index, probe, within); ok {
			return c, true
		}
	}
	return nil, false
}

// probe is the value that the candidates of a group have to equal.
func (j *joiner) probe(q *compile.Eq, group int) *value.Value {
	switch {
	case q.B == nil:
		return q.Probe(&j.s.env)
	case q.A.Group == group:
		return j.chosen[q.B.Group].keys[q.B.Index]
	}
	return j.chosen[q.A.Group].keys[q.A.Index]
}

// each goes through those of the candidates c that lie in a part.
func (j *joiner) each(i int, st *compile.Step, c []*cand, in part, val value.Tri) bool {
	g := j.b.Groups[st.Group]
	lo := sort.Search(len(c), func(k int) bool { return c[k].pos >= in.from })
	for _, x := range c[lo:] {
		if x.pos >= in.to {
			break
		}
		if !j.s.take() {
			return false
		}
		j.chosen[st.Group] = x
		j.s.load(j.b, g, x)
		v := j.conds(st.Conds, j.edges(st, min(val, x.val)))
		if v == value.False && !j.all {
			continue
		}
		if !j.step(i+1, v) {
			return false
		}
	}
	return true
}

// edges looks at the flows that a range does not answer: direct ones, whose
// range is wider than they are, those with an end whose place is not known,
// and all of them for a forall.
func (j *joiner) edges(st *compile.Step, val value.Tri) value.Tri {
	for _, es := range [...][]compile.Edge{st.Lower, st.Upper} {
		for k := range es {
			if e := &es[k]; e.Direct || j.all || ((e.From < 0 || e.To < 0) && !j.outerKnown(e)) {
				val = min(val, value.Truth(e.Code(&j.s.env)))
				if val == value.False {
					return val
				}
			}
		}
	}
	return val
}

func (j *joiner) outerKnown(e *compile.Edge) bool {
	_, ok := j.keyOf(-1, e.Outer)
	return ok
}

func (j *joiner) conds(conds []*compile.Cond, val value.Tri) value.Tri {
	for _, cd := range conds {
		if val == value.False {
			break
		}
		val = min(val, value.Truth(cd.Code(&j.s.env)))
	}
	return val
}

// runtime binds the run-time variables from the i-th on.
func (j *joiner) runtime(i int, val value.Tri) bool {
	if i == len(j.b.Runtime) {
		val = j.conds(j.leaf, val)
		if val == value.False && !j.all {
			return true
		}
		return j.emit(val)
	}
	v := &j.b.Vars[j.b.Runtime[i]]
	return j.s.domain(v, func(x *value.Value, at int32) bool {
		if !j.s.take() {
			return false
		}
		j.s.bind(v, x)
		j.drawn[i], j.draws[i] = x, at
		if x != nil && x.Kind() == value.Unknown {
			return j.runtime(i+1, min(val, value.Unsure))
		}
		return j.runtime(i+1, val)
	})
}

// bottom reports whether the assignment at hand holds the one element of a
// domain that is not known.
func (j *joiner) bottom() bool {
	for _, c := range j.chosen {
		if c != nil && c.loose {
			return true
		}
	}
	for _, x := range j.drawn {
		if x != nil && x.Kind() == value.Unknown {
			return true
		}
	}
	return false
}

// match copies the assignment at hand.
func (j *joiner) match(val value.Tri) *Match {
	return &Match{
		block: j.b, val: val,
		cands: append([]*cand(nil), j.chosen...),
		drawn: append([]*value.Value(nil), j.drawn...),
		draws: append([]int32(nil), j.draws...),
	}
}
