// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// A waiter is an assignment that something about the whole trace holds back.
type waiter struct {
	m   *Match
	pre value.Tri // of the conditions that do not change
	now value.Tri // of all of them, when last looked at
}

// answerWaiting looks again at the assignments that wait, and at new ones.
func (r *ruleState) answerWaiting(s *State, out *RuleResult) {
	again := r.grown == s.epoch || !s.begun || r.globalNow != r.global
	if again {
		for _, w := range r.waiters {
			if w.now != value.True {
				r.lookAgain(s, out, w)
			}
		}
	}
	n := len(r.waiters)
	b := r.plan.Block
	s.joinAll(r.plan.Block, !s.begun, value.True, func(j *joiner) func(value.Tri) bool {
		j.leaf = b.Settled
		return func(pre value.Tri) bool {
			if !s.room(r) {
				return false
			}
			w := &waiter{m: j.match(pre), pre: pre}
			w.now = min(r.globalNow, j.conds(b.Open, pre))
			out.report(s, w.m, w.now)
			r.waiters = append(r.waiters, w)
			return true
		}
	})
	s.undoing(func() {
		if compile.Faulty(compile.FaultUndoWaiter) {
			return
		}
		clear(r.waiters[n:])
		r.waiters = r.waiters[:n]
	})
	if s.spent {
		s.lose(r) // assignments that are not kept are never looked at again
	}
}

func (r *ruleState) lookAgain(s *State, out *RuleResult, w *waiter) {
	if !s.take() {
		return
	}
	s.loadMatch(w.m)
	now := min(r.globalNow, w.pre)
	for _, cd := range r.plan.Block.Open {
		now = min(now, value.Truth(cd.Code(&s.env)))
	}
	if now < w.now || now == w.now && !compile.Faulty(compile.FaultWaitingTwice) {
		return
	}
	was := w.now
	s.undoing(func() { w.now = was })
	w.now = now
	out.report(s, w.m, now)
}

// commitWaiters lets go of those that need not wait any longer.
func (r *ruleState) commitWaiters(s *State) {
	kept := r.waiters[:0]
	for _, w := range r.waiters {
		if w.now != value.True {
			kept = append(kept, w)
		}
	}
	s.kept -= len(r.waiters) - len(kept)
	clear(r.waiters[len(kept):])
	r.waiters = kept
}

// answerWhole looks at every assignment. A rule whose matches may go away
// says all of them anew; another one only those that it did not say before.
func (r *ruleState) answerWhole(s *State, out *RuleResult) {
	retracts := r.plan.Check.Retracts
	var now map[string]value.Tri
	if !retracts {
		now = map[string]value.Tri{}
	}
	if r.globalNow != value.False {
		s.joinAll(r.plan.Block, true, r.globalNow, func(j *joiner) func(value.Tri) bool {
			return func(v value.Tri) bool {
				m := j.match(v)
				if !retracts {
					k := m.id()
					now[k] = v
					if v <= r.seen[k] {
						return true
					}
				}
				out.report(s, m, v)
				return true
			}
		})
	}
	if !retracts {
		was := r.seen
		r.seen = now
		s.undoing(func() { r.seen = was })
	}
}

// id tells matches of one block apart: by where their values stand, computed
// ones by what they were drawn from.
func (m *Match) id() string {
	var b strings.Builder
	for _, d := range m.Draws() {
		b.WriteString(strconv.Itoa(int(d)))
		b.WriteByte(' ')
	}
	return b.String()
}

// crossing is the state of an open count for one key. Earlier elements have
// at least as many later ones as later elements have, so those for which
// enough have come are always the first of the list.
type crossing struct {
	key          *value.Value // nil: no key
	a            list
	sure, unsure int // so many of a have a true, an at least unknown count

	epoch       uint64
	msure, muns int
	met         uint64 // last step that may have moved it
}

func (x *crossing) touch(s *State) {
	if x.epoch != s.epoch {
		x.epoch, x.msure, x.muns = s.epoch, x.sure, x.unsure
		s.touched = append(s.touched, x)
	}
}

func (x *crossing) undo() {
	x.sure, x.unsure, x.epoch = x.msure, x.muns, 0
}

// answerCrossing advances the counts that the step may have moved.
func (r *ruleState) answerCrossing(s *State, out *RuleResult) {
	r.enter(s)
	for _, x := range r.moved(s) {
		r.advance(s, out, x)
	}
}

// enter files the new elements under their keys.
func (r *ruleState) enter(s *State) {
	m := r.mems[0]
	t := r.plan.Threshold
	from := m.old(s)
	if !s.begun {
		from = 0
	}
	for _, c := range m.c[from:] {
		var key *value.Value
		if t.Eq != nil {
			s.load(r.plan.Block, r.plan.Block.Groups[0], c)
			key = t.Outer(&s.env)
		}
		if key != nil && key.Kind() == value.Unknown {
			key = compile.Vague
		}
		r.crossingOf(s, key).a.add(s, c)
	}
}

// crossingOf finds the state for a key. All elements whose key is not known
// share one.
func (r *ruleState) crossingOf(s *State, key *value.Value) *crossing {
	h := uint64(0)
	if key != nil && key != compile.Vague {
		h = value.Hash(key)
	}
	for _, x := range r.cross[h] {
		if x.key == key || (x.key != nil && key != nil && x.key != compile.Vague && key != compile.Vague && value.Equal(x.key, key)) {
			return x
		}
	}
	x := &crossing{key: key}
	r.cross[h] = append(r.cross[h], x)
	s.undoing(func() { r.cross[h] = r.cross[h][:len(r.cross[h])-1] })
	return x
}

// moved returns the states whose counts the step may have raised.
func (r *ruleState) moved(s *State) []*crossing {
	t := r.plan.Threshold
	m := s.blocks[t.Sub.Block.ID].mems[0]
	if t.Eq == nil || !s.begun || m.epoch != s.epoch {
		if t.Eq == nil || !s.begun {
			return r.allCrossings()
		}
		return nil
	}
	x := m.eq[t.Eq.A.Index]
	if x.wild.epoch == s.epoch {
		return r.allCrossings()
	}
	var out []*crossing
	for _, c := range m.c[m.mark:] {
		out = r.crossingsFor(s, out, c.keys[t.Eq.A.Index])
	}
	return r.crossingsFor(s, out, compile.Vague)
}

func (r *ruleState) crossingsFor(s *State, out []*crossing, key *value.Value) []*crossing {
	h := uint64(0)
	if key != compile.Vague {
		h = value.Hash(key)
	}
	for _, x := range r.cross[h] {
		if x.key != key && (x.key == compile.Vague || key == compile.Vague || !value.Equal(x.key, key)) {
			continue
		}
		if x.met != s.epoch {
			x.met = s.epoch
			out = append(out, x)
		}
	}
	return out
}

func (r *ruleState) allCrossings() []*crossing {
	var out []*crossing
	for _, xs := range r.cross {
		out = append(out, xs...)
	}
	return out
}

// advance moves the two boundaries of one key and reports what crossed them.
func (r *ruleState) advance(s *State, out *RuleResult, x *crossing) {
	x.touch(s)
	for x.unsure < len(x.a.c) && r.count1(s, x.a.c[x.unsure]) >= value.Unsure {
		x.unsure++
	}
	for x.sure < x.unsure && r.count1(s, x.a.c[x.sure]) == value.True {
		x.sure++
	}
	for i := x.msure; i < x.sure; i++ {
		if i == x.msure && compile.Faulty(compile.FaultCrossing) {
			continue
		}
		c := x.a.c[i]
		if c.val == value.True {
			out.violated(r.single(c))
		} else if i >= x.muns {
			s.load(r.plan.Block, r.plan.Block.Groups[0], c)
			out.undecided(s, r.single(c))
		}
	}
	for i := max(x.sure, x.muns); i < x.unsure; i++ {
		s.load(r.plan.Block, r.plan.Block.Groups[0], x.a.c[i])
		out.undecided(s, r.single(x.a.c[i]))
	}
}

// count1 evaluates the open count for one element.
func (r *ruleState) count1(s *State, c *cand) value.Tri {
	if !s.take() {
		return value.False
	}
	s.load(r.plan.Block, r.plan.Block.Groups[0], c)
	return value.Truth(s.Quantify(r.plan.Threshold.Sub, &s.env))
}

func (r *ruleState) single(c *cand) *Match {
	return &Match{block: r.plan.Block, val: c.val, cands: []*cand{c}}
}
