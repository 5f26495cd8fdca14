// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// ruleState is what is kept for one rule beside its candidates.
type ruleState struct {
	index int
	plan  *compile.Rule
	mems  []*memory
	epoch uint64 // last step that has something to say about it
	grown uint64 // last step that added a candidate to any of its blocks
	lost  bool   // a budget dropped candidates: nothing is certain any more

	work   int    // values computed in the step under way
	worked uint64 // the step that work is of

	out RuleResult // what answer is making

	global    value.Tri // of the conditions without variables, when last committed
	globalNow value.Tri

	// Counted.
	moves   []move
	tally   []uint64
	pending []pended
	counter counter
	keyOf   []int // by group: the key that all share
	buckets map[uint64][]*keyed
	met     []*bucket // touched in this step
	metAt   uint64
	turn    uint64 // of countAt
	wild    list   // key not known

	// Crossing, Waiting and Whole.
	cross   map[uint64][]*crossing
	waiters []*waiter
	seen    map[string]value.Tri
}

func newRuleState(s *State, i int, r *compile.Rule) *ruleState {
	b := r.Block
	rs := &ruleState{index: i, plan: r, mems: s.blocks[b.ID].mems}
	switch r.Plan {
	case compile.Counted:
		rs.moves = s.prog.moves[b]
		rs.tally = make([]uint64, len(b.Groups))
		rs.counter = *newCounter(len(b.Groups))
		if b.Partition != nil {
			rs.buckets = map[uint64][]*keyed{}
			rs.keyOf = sharedKey(b)
		}
	case compile.Crossing:
		rs.cross = map[uint64][]*crossing{}
	case compile.Joined, compile.Waiting, compile.Whole: // memories are all they need
	}
	return rs
}

// sharedKey returns, for each group, which of its keys the partition uses.
func sharedKey(b *compile.Block) []int {
	out := make([]int, len(b.Groups))
	for _, q := range b.Eqs {
		out[q.A.Group], out[q.B.Group] = q.A.Index, q.B.Index
	}
	return out
}

// pend notes a candidate that has to be counted once its event is complete.
func (r *ruleState) pend(c *cand, group int) {
	if r.plan.Plan == compile.Counted {
		r.pending = append(r.pending, pended{c, group})
	}
}

func (r *ruleState) commit(s *State) {
	r.global = r.globalNow
	r.commitWaiters(s)
}

// evalGlobal evaluates the conditions that read no variable.
func (r *ruleState) evalGlobal(s *State) value.Tri {
	val := value.True
	for _, cd := range r.plan.Block.Global {
		val = min(val, value.Truth(cd.Code(&s.env)))
	}
	return val
}

// answer says what is new about the rule in the step under way, nil if
// nothing is.
func (r *ruleState) answer(s *State, before uint64) *RuleResult {
	s.refill(r)
	out := &r.out
	*out = RuleResult{Rule: r.plan, state: s, before: before}
	r.globalNow = r.evalGlobal(s)
	switch r.plan.Plan {
	case compile.Whole:
		r.answerWhole(s, out)
	case compile.Waiting:
		r.answerWaiting(s, out)
	case compile.Crossing:
		r.answerCrossing(s, out)
	case compile.Counted, compile.Joined:
		r.answerDelta(s, out)
	}
	if s.spent || r.lost {
		out.unfinished(r.plan)
	}
	if out.Count == 0 && len(out.Entries) == 0 {
		return nil
	}
	kept := *out
	return &kept
}

// recall brings the rule to where it was after it had answered for the step
// under way.
func (r *ruleState) recall(s *State) {
	r.out = RuleResult{Rule: r.plan, state: s}
	s.refill(r)
	was, steps := s.opts.Candidates, s.env.MaxSteps
	r.globalNow = r.evalGlobal(s)
	switch r.plan.Plan {
	case compile.Whole:
		if !r.plan.Check.Retracts {
			r.answerWhole(s, &r.out)
		}
	case compile.Waiting:
		s.opts.Candidates, s.env.MaxSteps = 0, 0
		r.answerWaiting(s, &r.out)
	case compile.Crossing:
		s.opts.Candidates, s.env.MaxSteps = 0, 0
		r.answerCrossing(s, &r.out)
	case compile.Counted, compile.Joined: // all they keep is their memories
	}
	s.opts.Candidates, s.env.MaxSteps = was, steps
	r.out = RuleResult{}
	s.heat(r) // so that it is committed
}

// answerDelta serves the rules whose assignments keep their value: what is
// new contains a new candidate, unless a condition over the whole trace has
// just begun to hold.
func (r *ruleState) answerDelta(s *State, out *RuleResult) {
	was := r.global
	if !s.begun {
		was = value.False
	}
	switch now := r.globalNow; {
	case now == value.False:
	case was == value.False:
		r.list(s, out, wanted{all: true, sure: true, unsure: true}, now)
	case was == value.Unsure && now == value.True:
		// What was unknown is true now; what is unknown was so before.
		r.list(s, out, wanted{all: true, sure: true}, now)
		r.list(s, out, wanted{unsure: true}, now)
	default:
		r.list(s, out, wanted{sure: true, unsure: true}, now)
	}
}

// wanted says which assignments are to be reported: all of them or the new
// ones, the true ones, the unknown ones.
type wanted struct{ all, sure, unsure bool }

// list reports the assignments that are wanted.
func (r *ruleState) list(s *State, out *RuleResult, want wanted, val value.Tri) {
	uncounted := false // true ones that the counters may have missed are wanted
	if r.plan.Plan == compile.Counted && val == value.True {
		if want.sure {
			r.listCounted(s, out, want.all)
			uncounted = len(r.wild.c) > 0
		}
		if !uncounted && (!want.unsure || !r.doubtful()) {
			return
		}
		want.sure = false
	}
	emit := func(j *joiner) func(value.Tri) bool {
		return func(v value.Tri) bool {
			switch {
			case v == value.True && uncounted && r.keyless(j):
				out.undecided(s, j.match(v))
			case v == value.True && want.sure:
				out.violated(j.match(v))
			case v == value.Unsure && want.unsure:
				out.undecided(s, j.match(v))
			}
			return true
		}
	}
	s.joinAll(r.plan.Block, want.all, val, emit)
}

// joinAll runs the joins that list all assignments of a block, or those that
// hold a new candidate.
func (s *State) joinAll(b *compile.Block, all bool, val value.Tri, emit func(*joiner) func(value.Tri) bool) {
	run := func(o *compile.Order, choose func(*joiner)) bool {
		j := s.joiner(b, o)
		choose(j)
		j.emit = emit(j)
		return j.run(val)
	}
	if all {
		run(b.First(), (*joiner).whole)
		return
	}
	mems := s.blocks[b.ID].mems
	for g, m := range mems {
		if m.old(s) < len(m.c) && !run(b.Starts[g], func(j *joiner) { j.fresh(g) }) {
			return
		}
	}
}

// keyless reports whether some candidate of the assignment at hand had no key
// when it came, so that it was not counted. That the key is there now, and
// equal to the others, is news of a kind that nothing relies on: a budget or a
// time limit hit then and not now.
func (r *ruleState) keyless(j *joiner) bool {
	for g, c := range j.chosen {
		if c.keys[r.keyOf[g]].Kind() == value.Unknown {
			return true
		}
	}
	return false
}

// doubtful reports whether some candidate is not plainly true, so that an
// assignment may be unknown.
func (r *ruleState) doubtful() bool {
	for _, m := range r.mems {
		if len(m.unsure) > 0 {
			return true
		}
	}
	return len(r.wild.c) > 0
}

// listCounted reports the number of true assignments and how to list them.
func (r *ruleState) listCounted(s *State, out *RuleResult, all bool) {
	if r.plan.Block.Partition == nil {
		n := r.counter.full()
		if !all {
			n -= r.counter.before(s)
		}
		if n > 0 {
			out.counted(n, []*lister{newLister(s, r.plan.Block, memoryLists(r.mems), all)})
		}
		return
	}
	var ls []*lister
	total := uint64(0)
	for _, b := range r.chosenBuckets(s, all) {
		n := b.full()
		if !all {
			n -= b.before(s)
		}
		if n > 0 {
			total = add(total, n)
			ls = append(ls, newLister(s, r.plan.Block, bucketLists(b), all))
		}
	}
	if total > 0 {
		out.counted(total, ls)
	}
}

func (r *ruleState) chosenBuckets(s *State, all bool) []*bucket {
	if !all {
		if r.metAt != s.epoch {
			return nil
		}
		return r.met
	}
	var out []*bucket
	for _, ks := range r.buckets {
		for _, k := range ks {
			out = append(out, k.bucket)
		}
	}
	return out
}

func memoryLists(ms []*memory) []*list {
	out := make([]*list, len(ms))
	for i, m := range ms {
		out[i] = &m.list
	}
	return out
}

func bucketLists(b *bucket) []*list {
	out := make([]*list, len(b.lists))
	for i := range b.lists {
		out[i] = &b.lists[i]
	}
	return out
}
