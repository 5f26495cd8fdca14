// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// An Order is a sequence in which the groups of a block are bound.
type Order struct {
	Steps []Step
}

// A Step binds one group. Before it, the groups of earlier steps are bound.
type Step struct {
	Group  int
	Eqs    []*Eq      // indexes that may answer; the first usable one is taken
	Ins    []*Contain // likewise
	Lower  []Edge     // flows from what is bound to this group
	Upper  []Edge     // flows from this group to what is bound
	Conds  []*Cond    // those that can be looked at from here on, edges aside
	Direct bool       // a ~> edge leaves one slot to look at
}

// sort hands each condition to the place that answers it.
func (b *Block) sort() {
	for _, cd := range b.Conds {
		b.sortOne(cd)
	}
	for _, g := range b.Groups {
		cheapFirst(g.Guards)
		cheapFirst(g.Later)
		g.Tools = b.tools(g)
	}
}

func (b *Block) sortOne(cd *Cond) {
	switch {
	case cd.declares:
		// It holds for every element; one that is not known is Unsure anyway.
	case cd.Groups == 0 && !cd.Runtime && !cd.Outer:
		b.Global = append(b.Global, cd)
	case bits.OnesCount64(cd.Groups) == 1 && !cd.Runtime && !cd.Outer && cd.Settled:
		g := b.Groups[bits.TrailingZeros64(cd.Groups)]
		if cd.drawn {
			g.Later = append(g.Later, cd)
		} else {
			g.Guards = append(g.Guards, cd)
		}
	default:
		b.Joins = append(b.Joins, cd)
	}
}

func cheapFirst(cs []*Cond) {
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].Cost < cs[j].Cost })
}

// settled reports whether the block's assignments, and with them the value of
// a quantifier over it, are the same however the trace goes on: every group
// lies before something bound outside. No flow bounds the elements of a forall:
// one that does not come before makes it false.
func (b *Block) settled(kind syntax.Quant) bool {
	bounded := map[int]bool{}
	for changed := kind != syntax.Forall; changed; {
		changed = false
		for _, e := range b.Edges {
			if e.From < 0 || bounded[e.From] || e.Loose {
				continue
			}
			if e.To < 0 && e.fixed || e.To >= 0 && bounded[e.To] {
				bounded[e.From], changed = true, true
			}
		}
	}
	if len(bounded) < len(b.Groups) || b.overTrace() {
		return false
	}
	for _, cd := range b.Conds {
		if !cd.Settled {
			return false
		}
	}
	return true
}

// orders works out in which order to join, for each group that may bring
// something new.
func (b *Block) orders() {
	for i := range b.Groups {
		b.Starts = append(b.Starts, b.greedy(i))
	}
	if len(b.Groups) > 0 {
		start := 0
		for g := range b.Groups {
			if b.narrows(g, 0) > b.narrows(start, 0) {
				start = g
			}
		}
		b.Best = b.Starts[start]
	}
	lex := make([]int, len(b.Groups))
	for i := range lex {
		lex[i] = i
	}
	b.Lex = b.order(lex)
}

// greedy starts with one group and goes on with the group that what is bound
// narrows most.
func (b *Block) greedy(start int) *Order {
	seq := []int{start}
	bound := uint64(1) << start
	for len(seq) < len(b.Groups) {
		best, score := -1, -1
		for g := range b.Groups {
			if bound&(1<<g) != 0 {
				continue
			}
			if s := b.narrows(g, bound); s > score {
				best, score = g, s
			}
		}
		seq = append(seq, best)
		bound |= 1 << best
	}
	return b.order(seq)
}

// narrows says how much the bound groups leave of group g.
func (b *Block) narrows(g int, bound uint64) int {
	score := 0
	for _, q := range b.Eqs {
		if q.joins(g, bound) {
			return 4
		}
	}
	for _, e := range b.Edges {
		if e.touches(g, bound) {
			score = max(score, 1)
			if e.Direct {
				score = 3
			}
		}
	}
	for _, in := range b.Ins {
		if in.joins(g, bound) {
			score = max(score, 2)
		}
	}
	return score
}

func (q *Eq) joins(g int, bound uint64) bool {
	if q.B == nil {
		return q.A.Group == g
	}
	return (q.A.Group == g && bound&(1<<q.B.Group) != 0) || (q.B.Group == g && bound&(1<<q.A.Group) != 0)
}

func (in *Contain) joins(g int, bound uint64) bool {
	return (in.Needle.Group == g && bound&(1<<in.Hay.Group) != 0) || (in.Hay.Group == g && bound&(1<<in.Needle.Group) != 0)
}

func (e Edge) touches(g int, bound uint64) bool {
	return (e.From == g && e.known(e.To, bound)) || (e.To == g && e.known(e.From, bound))
}

func (e Edge) known(end int, bound uint64) bool { return end < 0 || bound&(1<<end) != 0 }

// order attaches to each step what becomes usable with it.
func (b *Block) order(seq []int) *Order {
	o := &Order{}
	bound := uint64(0)
	placed := map[*Cond]bool{}
	for _, g := range seq {
		st := Step{Group: g}
		for _, q := range b.Eqs {
			if q.joins(g, bound) {
				st.Eqs = append(st.Eqs, q)
			}
		}
		for _, in := range b.Ins {
			if in.joins(g, bound) {
				st.Ins = append(st.Ins, in)
			}
		}
		for _, e := range b.Edges {
			switch {
			case e.To == g && e.known(e.From, bound):
				st.Lower = append(st.Lower, e)
			case e.From == g && e.known(e.To, bound):
				st.Upper = append(st.Upper, e)
			default:
				continue
			}
			st.Direct = st.Direct || e.Direct
		}
		bound |= 1 << g
		for _, cd := range b.Joins {
			if !placed[cd] && !cd.Edge && !cd.Runtime && cd.Settled && cd.Groups != 0 && cd.Groups&^bound == 0 {
				placed[cd] = true
				st.Conds = append(st.Conds, cd)
			}
		}
		cheapFirst(st.Conds)
		o.Steps = append(o.Steps, st)
	}
	return o
}

// leaves finds the conditions that no step of an order answers: those over
// run-time variables, over nothing of the block but enclosing variables, and
// those that are not settled.
func (b *Block) leaves() {
	for _, cd := range b.Joins {
		switch {
		case cd.Edge || (!cd.Runtime && cd.Settled && cd.Groups != 0):
		case cd.Settled:
			b.Settled = append(b.Settled, cd)
		default:
			b.Open = append(b.Open, cd)
		}
	}
	b.Leaf = append(append([]*Cond(nil), b.Settled...), b.Open...)
}

// everyTool makes the groups of a forall see all elements: one that its guards
// refuse is what it looks for.
func (b *Block) everyTool() {
	for _, g := range b.Groups {
		g.Tools = nil
	}
}

// tools finds the names of the only tools that a group's guards let pass, so
// that an element of another tool need not be looked at. Nil: any tool.
func (b *Block) tools(g *Group) []string {
	switch g.Type.Kind {
	case value.ToolCall, value.ToolOutput:
	default:
		return nil
	}
	for i, cd := range g.Guards {
		if cd.named.of == b.Vars[g.Base].Slot+1 && cd.named.list != nil {
			g.Named = g.Guards
			if cd.named.sure {
				g.Named = slices.Delete(slices.Clone(g.Guards), i, i+1)
			}
			return cd.named.list
		}
	}
	return nil
}

// First returns the order to list all assignments in when none is new.
func (b *Block) First() *Order {
	if b.Best != nil {
		return b.Best
	}
	return b.Lex
}
