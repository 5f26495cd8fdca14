// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"math"
	"math/bits"
	"sort"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// Counting matches without listing them.
//
// All that joins the groups is the order in which their elements come. So an
// assignment grows only at its late end: at a position p of the trace, some
// set S of variables is bound to elements there, and the others were bound
// before. Keeping, for each set D of variables that is closed under "what must
// come earlier", the number n[D] of ways to bind D so far, an element at p
// changes
//
//	n[D] += Σ over S of n[D∖S] · Π over v in S of (candidates for v at p)
//
// where S runs over the non-empty subsets of D that may share a position.
// For a chain that is one addition for each variable, for a fan of k
// independent ones 2^k. A position that is not reached by any element costs
// nothing. Only candidates whose guards are true are counted.

// A move is one pair of D and S.
type move struct{ d, s uint16 }

// moves lists the pairs of a block, larger D first, so that a pass may update
// the numbers in place.
func moves(b *compile.Block) []move {
	full := uint16(1)<<len(b.Groups) - 1
	var out []move
	for d := full; d > 0; d-- {
		if !closed(b, d) {
			continue
		}
		for s := d; s > 0; s = (s - 1) & d {
			if closed(b, d&^s) && !ordered(b, s) {
				out = append(out, move{d, s})
			}
		}
	}
	return out
}

// closed reports whether what must come before a member of d is in d.
func closed(b *compile.Block, d uint16) bool {
	for _, e := range b.Edges {
		if d&(1<<e.To) != 0 && d&(1<<e.From) == 0 {
			return false
		}
	}
	return true
}

// ordered reports whether a strict flow keeps members of s apart.
func ordered(b *compile.Block, s uint16) bool {
	for _, e := range b.Edges {
		if !e.Loose && s&(1<<e.From) != 0 && s&(1<<e.To) != 0 {
			return true
		}
	}
	return false
}

// A counter holds the numbers of one block, or of one key of it.
type counter struct {
	n     []uint64
	saved []uint64 // before the step under way
	epoch uint64
}

func newCounter(groups int) *counter {
	c := &counter{n: make([]uint64, 1<<groups), saved: make([]uint64, 1<<groups)}
	c.n[0] = 1
	return c
}

func (c *counter) touch(s *State) {
	if c.epoch != s.epoch {
		c.epoch = s.epoch
		copy(c.saved, c.n)
		s.touched = append(s.touched, c)
	}
}

func (c *counter) undo() {
	if compile.Faulty(compile.FaultUndoCounter) {
		return
	}
	copy(c.n, c.saved)
	c.epoch = 0
}

// full returns the number of assignments, before returns it for the trace
// before the step under way.
func (c *counter) full() uint64 { return c.n[len(c.n)-1] }

func (c *counter) before(s *State) uint64 {
	if c.epoch != s.epoch {
		return c.full()
	}
	return c.saved[len(c.saved)-1]
}

// at counts what the candidates of one position add: m[v] of them for group v.
func (c *counter) at(moves []move, m []uint64) {
	present := uint16(0)
	for v, n := range m {
		if n > 0 {
			present |= 1 << v
		}
	}
	for _, mv := range moves {
		if mv.s&^present != 0 {
			continue
		}
		ways := c.n[mv.d&^mv.s]
		for s := mv.s; s != 0 && ways != 0; s &= s - 1 {
			ways = mul(ways, m[bits.TrailingZeros16(s)])
		}
		if compile.Faulty(compile.FaultCountReplaced) {
			c.n[mv.d] = 0
		}
		c.n[mv.d] = add(c.n[mv.d], ways)
	}
}

// Saturated is what a count that no longer fits is shown as.
const saturated = math.MaxUint64

func add(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return saturated
	}
	return sum
}

func mul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 || a == saturated || b == saturated {
		return saturated
	}
	return lo
}

// A bucket is what a counted rule keeps for one key.
type bucket struct {
	counter
	lists []list
	met   uint64 // last step that touched it
	turn  uint64 // last position that touched it
}

// A pended candidate waits until its whole event was looked at: candidates
// are counted position by position.
type pended struct {
	c     *cand
	group int
}

// countEvent counts the candidates of one event in every counted rule.
func (s *State) countEvent() {
	for _, r := range s.hot {
		if len(r.pending) > 0 {
			r.count(s)
			clear(r.pending)
			r.pending = r.pending[:0]
		}
	}
}

func (r *ruleState) count(s *State) {
	p := r.pending
	if len(p) > 1 {
		sort.SliceStable(p, func(i, j int) bool { return p[i].c.key < p[j].c.key })
	}
	for i := 0; i < len(p); {
		j := i + 1
		for j < len(p) && p[j].c.key == p[i].c.key {
			j++
		}
		r.countAt(s, p[i:j])
		i = j
	}
}

// countAt counts the candidates of one position.
func (r *ruleState) countAt(s *State, p []pended) {
	if r.plan.Block.Partition == nil {
		clear(r.tally)
		for _, x := range p {
			if x.c.val == value.True || compile.Faulty(compile.FaultUnsureCounted) {
				r.tally[x.group]++
			}
		}
		r.counter.touch(s)
		r.counter.at(r.moves, r.tally)
		return
	}
	r.turn++
	var met []*bucket
	for _, x := range p {
		key := r.partitionKey(x)
		if key.Kind() == value.Unknown {
			r.wild.add(s, x.c)
			continue
		}
		b := r.bucket(s, key)
		b.lists[x.group].add(s, x.c)
		if b.turn != r.turn {
			b.turn = r.turn
			met = append(met, b)
		}
		r.meet(s, b)
	}
	for _, b := range met {
		b.touch(s)
		for g := range b.lists {
			r.tally[g] = sureAt(&b.lists[g], p[0].c.key)
		}
		b.at(r.moves, r.tally)
	}
}

// meet notes that a bucket is touched in this step.
func (r *ruleState) meet(s *State, b *bucket) {
	if r.metAt != s.epoch {
		r.metAt, r.met = s.epoch, r.met[:0]
	}
	if b.met != s.epoch {
		b.met = s.epoch
		r.met = append(r.met, b)
	}
}

// sureAt counts the candidates at the end of l that have the key and are
// certain.
func sureAt(l *list, key uint64) uint64 {
	n := uint64(0)
	for i := len(l.c) - 1; i >= 0 && l.c[i].key == key; i-- {
		if l.c[i].val == value.True {
			n++
		}
	}
	return n
}

// partitionKey returns the value of the key that all groups share. It was
// computed when the candidate was indexed.
func (r *ruleState) partitionKey(x pended) *value.Value { return x.c.keys[r.keyOf[x.group]] }

// bucket finds the bucket of a key, or makes it.
func (r *ruleState) bucket(s *State, key *value.Value) *bucket {
	h := value.Hash(key)
	if compile.Faulty(compile.FaultKeyKind) {
		h = 0
	}
	for _, b := range r.buckets[h] {
		if value.Equal(b.key, key) || compile.Faulty(compile.FaultKeyKind) && value.Display(b.key) == value.Display(key) {
			return b.bucket
		}
	}
	k := &keyed{key: key, bucket: &bucket{lists: make([]list, len(r.plan.Block.Groups))}}
	k.counter = *newCounter(len(r.plan.Block.Groups))
	r.buckets[h] = append(r.buckets[h], k)
	s.undoing(func() { r.dropBucket(h, k) })
	return k.bucket
}

type keyed struct {
	key *value.Value
	*bucket
}

func (r *ruleState) dropBucket(h uint64, k *keyed) {
	ks := r.buckets[h]
	for i := range ks {
		if ks[i] == k {
			ks = append(ks[:i], ks[i+1:]...)
			break
		}
	}
	if len(ks) == 0 {
		delete(r.buckets, h)
		return
	}
	r.buckets[h] = ks
}
