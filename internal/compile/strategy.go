// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// maxCounted bounds the groups of a counted block: it keeps a number for each
// set of them.
const maxCounted = 6

// plan chooses how the rule is kept up to date.
func (r *Rule) plan() {
	switch b := r.Block; {
	case r.Check.Retracts || r.optionalOverTrace():
		r.Plan = Whole
	case !b.allSettled():
		r.Plan = Waiting
		if r.Threshold = b.threshold(); r.Threshold != nil {
			r.Plan = Crossing
		}
	case b.Counted():
		r.Plan = Counted
	default:
		r.Plan = Joined
	}
}

// optionalOverTrace reports whether a block of the rule has a variable whose
// binding goes away when the trace gets its first element of a type.
func (r *Rule) optionalOverTrace() bool {
	for _, b := range r.all {
		if b.overTrace() {
			return true
		}
	}
	return false
}

func (b *Block) overTrace() bool {
	for _, v := range b.Vars {
		if v.Check.Optional && v.Check.In == nil {
			return true
		}
	}
	return false
}

// allSettled reports whether conditions keep their values, those over no
// variable at all aside: they are asked anew at each step.
func (b *Block) allSettled() bool {
	for _, cd := range b.Conds {
		if !cd.Settled && (cd.Groups != 0 || cd.Runtime) {
			return false
		}
	}
	return true
}

// Counted reports whether the block's assignments can be counted without
// listing them: groups joined by flows alone, or by flows and one key that
// all of them share. It sets Partition in the latter case.
func (b *Block) Counted() bool {
	if len(b.Groups) == 0 || len(b.Groups) > maxCounted || len(b.Runtime) > 0 || !b.Contiguous {
		return false
	}
	for _, e := range b.Edges {
		if e.Direct || e.From < 0 || e.To < 0 {
			return false
		}
	}
	rest := 0
	for _, cd := range b.Joins {
		if !cd.Edge {
			rest++
		}
	}
	if rest == 0 {
		return true
	}
	if rest != len(b.Eqs) || !b.oneKey() {
		return false
	}
	return true
}

// oneKey reports whether the equalities say that all groups share one key.
func (b *Block) oneKey() bool {
	keys := make([]*Key, len(b.Groups))
	parent := make([]int, len(b.Groups))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	for _, q := range b.Eqs {
		if q.B == nil {
			return false
		}
		for _, k := range []*Key{q.A, q.B} {
			if keys[k.Group] != nil && keys[k.Group].text() != k.text() {
				return false
			}
			keys[k.Group] = k
		}
		parent[find(q.A.Group)] = find(q.B.Group)
	}
	for i := range b.Groups {
		if keys[i] == nil || find(i) != find(0) {
			return false
		}
	}
	b.Partition = make([]Code, len(keys))
	for i, k := range keys {
		b.Partition[i] = k.Code
	}
	return true
}

func (k *Key) text() string { return syntax.Sexpr(k.src) }

// threshold recognises the open count: one element, and at least so many
// later ones.
func (b *Block) threshold() *Threshold {
	if len(b.Groups) != 1 || len(b.Runtime) > 0 || len(b.Global) > 0 || b.optional() || !b.readable() {
		return nil
	}
	var open *Cond
	for _, cd := range b.Conds {
		if cd.Settled {
			continue
		}
		if open != nil {
			return nil
		}
		open = cd
	}
	if open == nil || open.Sub == nil || open.Sub.Kind == syntax.Forall || open.Sub.Max >= 0 || open.Sub.Min < 1 {
		return nil
	}
	return open.Sub.threshold(b)
}

// readable reports whether no element of the block's one group can be one that
// could not be read.
func (b *Block) readable() bool {
	g := b.Groups[0]
	switch g.Type.Kind {
	case value.Invalid, value.Message, value.ToolCall, value.ToolOutput, value.Tool:
		return len(g.Drawn) == 0
	}
	return false
}

func (b *Block) optional() bool {
	for _, v := range b.Vars {
		if v.Check.Optional {
			return true
		}
	}
	return false
}

func (s *Sub) threshold(outer *Block) *Threshold {
	in := s.Block
	base := outer.Vars[outer.Groups[0].Base].Slot
	if len(in.Groups) != 1 || len(in.Runtime) > 0 || len(in.Global) > 0 || len(in.Edges) != 1 || in.optional() {
		return nil
	}
	if e := in.Edges[0]; e.From >= 0 || e.Outer != base || e.Loose || e.Direct {
		return nil
	}
	t := &Threshold{Sub: s, K: s.Min}
	for _, cd := range in.Joins {
		if cd.Edge {
			continue
		}
		if len(in.Eqs) != 1 || in.Eqs[0].Cond != cd || t.Eq != nil {
			return nil
		}
		t.Eq, t.Outer = in.Eqs[0], in.Eqs[0].Probe
	}
	return t
}
