// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/compile"
)

// costs says what a rule's plan does at an event, and how that grows with the
// trace: an upper bound, since indexes and flows leave less to look at.
func costs(x *Rule, prog *compile.Program, plan *compile.Rule) {
	inside := nest{}
	for _, b := range prog.Blocks {
		inside[b.Outer] = append(inside[b.Outer], b)
	}
	if x.Looks = looks(plan.Block); x.Looks == nil {
		x.Looks = inside.looks(plan.Block)
	}
	degree, why := 0, ""
	groups, inner := len(plan.Block.Groups), inside.degree(plan.Block)
	switch plan.Plan {
	case compile.Counted:
		degree, why = inner, "each is judged by itself"
		if groups > 1 {
			why = "of those that came before only numbers are kept"
		}
	case compile.Joined:
		degree, why = max(groups-1, 0)+inner, joinText(plan.Block)
	case compile.Crossing:
		degree, why = 0, fmt.Sprintf("each waits until %d others have come", plan.Threshold.K)
	case compile.Waiting:
		degree, why = groups+inner, "what only later events can decide is kept and asked again"
	case compile.Whole:
		degree, why = groups+inner, "matches may go away again, so all of the trace is looked at"
	}
	if inner > 0 && plan.Plan != compile.Whole {
		why += "; a quantifier looks through " + enumerate(inside.looks(plan.Block), "and")
	}
	x.Growth = [...]string{"constant", "linear", "square", "cube"}[min(degree, 3)]
	if degree > 3 {
		x.Growth = fmt.Sprintf("power %d", degree)
	}
	x.Cost = why
}

// looks lists what the groups of a block range over.
func looks(b *compile.Block) []string {
	var out []string
	for _, g := range b.Groups {
		if s := looksAt(g); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func looksAt(g *compile.Group) string {
	word := plural(typeWord(g.Type))
	if len(g.Tools) == 0 {
		return word
	}
	var names []string
	for _, t := range g.Tools {
		names = append(names, "`"+t+"`")
	}
	return strings.TrimPrefix(word, "tool ") + " of " + enumerate(names, "or")
}

// A nest has the blocks directly inside each.
type nest map[*compile.Block][]*compile.Block

// degree is how many variables over the trace the deepest nest of quantifiers
// has.
func (in nest) degree(b *compile.Block) int {
	n := 0
	for _, s := range in[b] {
		n = max(n, len(s.Groups)+in.degree(s))
	}
	return n
}

// looks lists what the quantifiers in a block range over.
func (in nest) looks(b *compile.Block) []string {
	var out []string
	for _, s := range in[b] {
		for _, l := range slices.Concat(looks(s), in.looks(s)) {
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

func joinText(b *compile.Block) string {
	switch {
	case len(b.Groups) < 2:
		return "each is judged by itself"
	case len(b.Eqs) > 0:
		return "an index finds those before it with an equal value"
	case len(b.Ins) > 0:
		return "an index finds the texts before it that hold, or are part of, its own"
	}
	return "it is joined with those that came before"
}
