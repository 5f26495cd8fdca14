// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"iter"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// A lister goes through the true assignments of a counted block in order. It
// holds the lists as they were when it was made: lists only grow at their
// end, so it stays right while the trace goes on.
//
// Before it binds a variable it makes sure that the rest can still be bound,
// so that it never runs into dead ends: with nothing but "comes before"
// between the variables, binding each as early as possible finds a way if
// there is one.
type lister struct {
	b      *compile.Block
	c      [][]*cand // by group, those that are true
	mark   []int     // by group: from here on they are new
	all    bool      // nothing has to be new
	chosen []int     // by group: index in c, -1 while not bound
	topo   []int     // groups, each after those that come before it
}

func newLister(s *State, b *compile.Block, lists []*list, all bool) *lister {
	l := &lister{b: b, all: all, topo: topological(b)}
	for _, x := range lists {
		c, mark := x.c[:len(x.c):len(x.c)], x.old(s)
		if len(x.unsure) > 0 {
			c, mark = sureOnly(c, mark)
		}
		l.c, l.mark, l.chosen = append(l.c, c), append(l.mark, mark), append(l.chosen, -1)
	}
	return l
}

func sureOnly(c []*cand, mark int) ([]*cand, int) {
	var out []*cand
	newMark := 0
	for i, x := range c {
		if i == mark {
			newMark = len(out)
		}
		if x.val == value.True {
			out = append(out, x)
		}
	}
	if mark >= len(c) {
		newMark = len(out)
	}
	return out, newMark
}

// topological orders the groups by the edges; groups that are bound to be at
// the same position come in any order.
func topological(b *compile.Block) []int {
	var out []int
	done := make([]bool, len(b.Groups))
	for len(out) < len(b.Groups) {
		grew := false
		for g := range b.Groups {
			if done[g] || !ready(b, g, done) {
				continue
			}
			done[g], grew = true, true
			out = append(out, g)
		}
		if !grew {
			// A cycle of loose edges: take any; feasible looks again.
			for g := range b.Groups {
				if !done[g] {
					done[g] = true
					out = append(out, g)
					break
				}
			}
		}
	}
	return out
}

func ready(b *compile.Block, g int, done []bool) bool {
	for _, e := range b.Edges {
		if e.To == g && !done[e.From] {
			return false
		}
	}
	return true
}

// each yields the assignments in order until yield returns false.
func (l *lister) each(yield func(*Match) bool) bool { return l.bind(0, yield) }

func (l *lister) bind(g int, yield func(*Match) bool) bool {
	if g == len(l.c) {
		return yield(l.match())
	}
	sp := l.span(g)
	lo, hi := cut(l.c[g], sp)
	for i := lo; i < hi; i++ {
		if !l.bindTo(g, i, yield) {
			return false
		}
	}
	return true
}

// bindTo binds group g to its candidate i and goes through what follows.
func (l *lister) bindTo(g, i int, yield func(*Match) bool) bool {
	l.chosen[g] = i
	more := !l.possible(g+1) || l.bind(g+1, yield)
	l.chosen[g] = -1
	return more
}

// span is what the bound groups leave for group g.
func (l *lister) span(g int) span {
	sp := everything
	for i := range l.b.Edges {
		e := &l.b.Edges[i]
		if e.To == g && l.chosen[e.From] >= 0 {
			sp = sp.after(l.c[e.From][l.chosen[e.From]].key, e.Loose)
		}
		if e.From == g && l.chosen[e.To] >= 0 {
			sp = sp.before(l.c[e.To][l.chosen[e.To]].key, e.Loose)
		}
	}
	return sp
}

// possible reports whether the groups from g on can be bound so that, if
// something has to be new, something is.
func (l *lister) possible(g int) bool {
	if l.hasNew(g) {
		return l.feasible(g, -1)
	}
	for v := g; v < len(l.c); v++ {
		if l.feasible(g, v) {
			return true
		}
	}
	return false
}

// hasNew reports whether newness is settled by the groups bound so far.
func (l *lister) hasNew(g int) bool {
	if l.all {
		return true
	}
	for v := range g {
		if l.chosen[v] >= l.mark[v] {
			return true
		}
	}
	return false
}

// feasible binds the groups from g on as early as possible, group fresh to
// something new, and reports whether that works.
func (l *lister) feasible(g, fresh int) bool {
	var keys [64]uint64
	for v := range l.c {
		if v < g {
			keys[v] = l.c[v][l.chosen[v]].key
		} else {
			keys[v] = 0
		}
	}
	for range len(l.c) + 1 {
		moved := false
		for _, v := range l.topo {
			if v < g {
				continue
			}
			k, ok := l.earliest(v, &keys, v == fresh)
			if !ok {
				return false
			}
			moved = moved || k != keys[v]
			keys[v] = k
		}
		if !moved {
			break
		}
	}
	return l.consistent(&keys)
}

func (l *lister) earliest(v int, keys *[64]uint64, fresh bool) (uint64, bool) {
	sp := everything
	for i := range l.b.Edges {
		if e := &l.b.Edges[i]; e.To == v {
			sp = sp.after(keys[e.From], e.Loose)
		}
	}
	c := l.c[v]
	if fresh {
		c = c[min(l.mark[v], len(c)):]
	}
	lo, _ := cut(c, sp)
	if lo >= len(c) {
		return 0, false
	}
	return max(c[lo].key, keys[v]), true
}

func (l *lister) consistent(keys *[64]uint64) bool {
	for i := range l.b.Edges {
		e := &l.b.Edges[i]
		if keys[e.From] > keys[e.To] || (!e.Loose && keys[e.From] == keys[e.To]) {
			return false
		}
	}
	return true
}

func (l *lister) match() *Match {
	m := &Match{block: l.b, val: value.True, cands: make([]*cand, len(l.c))}
	for g, i := range l.chosen {
		m.cands[g] = l.c[g][i]
	}
	return m
}

// merged goes through the assignments of several listers in order. No two of
// them share a candidate, so the candidates of the first group, in order, say
// whose turn it is.
func merged(ls []*lister) iter.Seq[*Match] {
	if len(ls) == 1 {
		return func(yield func(*Match) bool) { ls[0].each(yield) }
	}
	return func(yield func(*Match) bool) {
		for _, t := range turns(ls) {
			if !t.l.bindTo(0, t.i, yield) {
				return
			}
		}
	}
}

// A turn is a candidate of the first group of a lister.
type turn struct {
	l *lister
	i int
}

func turns(ls []*lister) []turn {
	var out []turn
	for _, l := range ls {
		for i := range l.c[0] {
			out = append(out, turn{l, i})
		}
	}
	slices.SortFunc(out, func(a, b turn) int { return cmp.Compare(a.l.c[0][a.i].pos, b.l.c[0][b.i].pos) })
	return out
}

// first returns the n first assignments of several listers.
func first(ls []*lister, n int) []*Match {
	var out []*Match
	for m := range merged(ls) {
		if len(out) == n {
			break
		}
		out = append(out, m)
	}
	return out
}
