// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"sort"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// A cand is an assignment of one group's variables that its guards did not
// refuse.
type cand struct {
	base  *value.Value
	drawn []*value.Value // an Unknown: the domain is not known; nil: it is empty
	draws []int32        // index of each drawn value in its domain; -1 for nil
	keys  []*value.Value // by compile.Group.Keys, an Unknown where there is none
	key   uint64         // position of base
	ord   int32          // of base among those of its group
	pos   int32          // in the list of its group
	val   value.Tri      // of the guards; False is kept for forall alone
	loose bool           // holds an Unknown drawn value
}

// A list holds candidates in the order of the trace. It only grows, the
// undoing of a step aside, and remembers where the step that is under way
// began to add.
type list struct {
	c      []*cand
	unsure []int32 // indexes in c of those whose guards are unknown
	falses []int32 // of those whose guards are false

	epoch               uint64 // of the last step that added
	mark, umark, fmark_ int    // lengths before it
}

func (l *list) add(s *State, c *cand) {
	if l.epoch != s.epoch {
		l.epoch, l.mark, l.umark, l.fmark_ = s.epoch, len(l.c), len(l.unsure), len(l.falses)
		s.touched = append(s.touched, l)
	}
	switch c.val {
	case value.Unsure:
		l.unsure = append(l.unsure, int32(len(l.c)))
	case value.False:
		l.falses = append(l.falses, int32(len(l.c)))
	}
	l.c = append(l.c, c)
}

// undo takes back what the step under way added.
func (l *list) undo() {
	if compile.Faulty(compile.FaultUndoCandidates) {
		return
	}
	clear(l.c[l.mark:])
	l.c, l.unsure, l.falses = l.c[:l.mark], l.unsure[:l.umark], l.falses[:l.fmark_]
	l.epoch = 0
}

// old returns how many candidates there were before the step under way.
func (l *list) old(s *State) int {
	if l.epoch == s.epoch {
		return l.mark
	}
	return len(l.c)
}

// A span is a range of keys, from included, to excluded.
type span struct{ from, to uint64 }

var everything = span{0, ^uint64(0)}

// after narrows sp to what comes after key; loosely: not before it.
func (sp span) after(key uint64, loose bool) span {
	if !loose || compile.Faulty(compile.FaultLooseStrict) {
		key++
	}
	sp.from = max(sp.from, key)
	return sp
}

// before narrows sp to what comes before key; loosely: not after it.
func (sp span) before(key uint64, loose bool) span {
	if loose {
		key++
	}
	sp.to = min(sp.to, key)
	return sp
}

// cut returns the indexes of the candidates whose keys lie in sp.
func cut(c []*cand, sp span) (lo, hi int) {
	if sp.from > 0 {
		lo = sort.Search(len(c), func(i int) bool { return c[i].key >= sp.from })
	}
	if sp.to == ^uint64(0) {
		return lo, len(c)
	}
	hi = lo + sort.Search(len(c)-lo, func(i int) bool { return c[lo+i].key >= sp.to })
	return lo, hi
}

// between counts the entries of a sorted list of indexes that lie in [lo,hi).
func between(idx []int32, lo, hi int) int {
	if len(idx) == 0 {
		return 0
	}
	at := func(n int) int { return sort.Search(len(idx), func(i int) bool { return int(idx[i]) >= n }) }
	return at(hi) - at(lo)
}

// A memory holds the candidates of one group of one block, and its indexes.
type memory struct {
	list
	eq   []*eqIndex // by key; nil where the key is a text
	text []*texts   // by key; nil where the key is no text
}

// An eqIndex finds the candidates whose key equals a value.
type eqIndex struct {
	byHash map[uint64][]*posting
	wild   list // key not known: equal to nobody knows what
}

type posting struct {
	key *value.Value
	list
}

func (x *eqIndex) add(s *State, c *cand, key *value.Value) {
	if key.Kind() == value.Unknown {
		x.wild.add(s, c)
		return
	}
	x.posting(s, key).add(s, c)
}

func (x *eqIndex) posting(s *State, key *value.Value) *posting {
	h := value.Hash(key)
	for _, p := range x.byHash[h] {
		if value.Equal(p.key, key) {
			return p
		}
	}
	if x.byHash == nil {
		x.byHash = map[uint64][]*posting{}
	}
	p := &posting{key: key}
	x.byHash[h] = append(x.byHash[h], p)
	s.undoing(func() { x.drop(h, p) })
	return p
}

func (x *eqIndex) drop(h uint64, p *posting) {
	ps := x.byHash[h]
	for i := range ps {
		if ps[i] == p {
			ps = append(ps[:i], ps[i+1:]...)
			break
		}
	}
	if len(ps) == 0 {
		delete(x.byHash, h)
		return
	}
	x.byHash[h] = ps
}

// find returns the candidates with a key equal to v, nil if there are none.
func (x *eqIndex) find(v *value.Value) *list {
	for _, p := range x.byHash[value.Hash(v)] {
		if value.Equal(p.key, v) {
			return &p.list
		}
	}
	return nil
}

// nextOrd numbers the base elements of a group.
func (m *memory) nextOrd() int32 {
	if len(m.c) == 0 {
		return 0
	}
	return m.c[len(m.c)-1].ord + 1
}
