// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// An Evidence is what a violation says.
type Evidence struct {
	Args   []*value.Value
	Kwargs []*value.Value // by compile.Rule.Kwargs
	Ranges []string
}

// Explain evaluates the conditions and the raise expression of a match once
// more, with evidence, for the trace as it was when the match was found.
func (r *RuleResult) Explain(m *Match) Evidence {
	s := r.state
	var marks builtin.Marks
	s.explaining(r.before, func() {
		s.env.B.Marks = &marks
		s.loadMatch(m)
		for _, cd := range m.block.Conds {
			s.markCond(cd)
		}
		s.env.B.Marks = nil
	})
	ev := Evidence{Ranges: ranges(m, marks.Spans())}
	s.explaining(r.before, func() {
		s.loadMatch(m)
		for _, a := range r.Rule.Args {
			ev.Args = append(ev.Args, a(&s.env))
		}
		for _, k := range r.Rule.Kwargs {
			ev.Kwargs = append(ev.Kwargs, k.Code(&s.env))
		}
	})
	return ev
}

// explaining runs f with a budget of its own and the trace cut at before.
func (s *State) explaining(before uint64, f func()) {
	s.refill(nil)
	was, ctx := s.env.Before, s.env.B.Context
	s.env.Before, s.env.B.Context = before, context.WithoutCancel(ctx)
	s.env.Causes = true
	f()
	s.env.Causes = false
	s.env.Before, s.env.B.Context = was, ctx
}

// A place is a span as it is sorted and printed.
type place struct {
	position   uint64
	address    string
	start, end int
}

// ranges returns the addresses of a match's values and of what was marked,
// sorted, each once.
func ranges(m *Match, spans []builtin.Span) []string {
	var found []place
	note := func(v *value.Value, start, end int) {
		if v == nil {
			return
		}
		if a, ok := value.Address(v); ok {
			p, _ := value.Position(v)
			found = append(found, place{p, a, start, end})
		}
	}
	for _, v := range m.Values() {
		note(v, -1, -1)
	}
	for _, sp := range spans {
		note(sp.At, sp.Start, sp.End)
	}
	slices.SortFunc(found, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.address, b.address),
			cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	var out []string
	for _, p := range slices.Compact(found) {
		out = append(out, p.String())
	}
	return out
}

func (p place) String() string {
	if p.start < 0 {
		return p.address
	}
	return p.address + ":" + strconv.Itoa(p.start) + "-" + strconv.Itoa(p.end)
}
