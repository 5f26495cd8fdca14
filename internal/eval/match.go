// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// A Match is one assignment of a block's variables.
type Match struct {
	block *compile.Block
	val   value.Tri
	cands []*cand        // by group
	drawn []*value.Value // by run-time variable
	draws []int32
}

// load puts the match's values into the slots of its variables.
func (s *State) loadMatch(m *Match) {
	for g, c := range m.cands {
		s.load(m.block, m.block.Groups[g], c)
	}
	for i, j := range m.block.Runtime {
		s.bind(&m.block.Vars[j], m.drawn[i])
	}
}

// Values returns what the match binds the block's variables to: nil for an
// optional one without an element, an Unknown for an element of a domain that
// is not known.
func (m *Match) Values() []*value.Value {
	out := make([]*value.Value, len(m.block.Vars))
	for g, c := range m.cands {
		out[m.block.Groups[g].Base] = c.base
		for i, j := range m.block.Groups[g].Drawn {
			out[j] = c.drawn[i]
		}
	}
	for i, j := range m.block.Runtime {
		out[j] = m.drawn[i]
	}
	return out
}

// Draws returns, for each variable, the index of its value in what it was
// drawn from; for one that ranges over the trace the number of its element
// among those that came into question.
func (m *Match) Draws() []int32 {
	out := make([]int32, len(m.block.Vars))
	for g, c := range m.cands {
		out[m.block.Groups[g].Base] = c.ord
		for i, j := range m.block.Groups[g].Drawn {
			out[j] = c.draws[i]
		}
	}
	for i, j := range m.block.Runtime {
		out[j] = m.draws[i]
	}
	return out
}

// compare orders matches of one block by their variables in turn.
func (m *Match) compare(o *Match) int {
	return slices.CompareFunc(m.Draws(), o.Draws(), cmp.Compare[int32])
}

// firstN keeps the n first of the matches that are added, in any order.
type firstN struct {
	n   int
	all []*Match
}

func (f *firstN) add(m *Match) {
	f.all = append(f.all, m)
	if len(f.all) >= 2*f.n {
		f.trim()
	}
}

func (f *firstN) trim() []*Match {
	slices.SortFunc(f.all, (*Match).compare)
	if len(f.all) > f.n {
		clear(f.all[f.n:])
		f.all = f.all[:f.n]
	}
	return f.all
}
