// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/check"
)

// A Comparison is what is known of two rules.
type Comparison struct {
	// Implied says whether every violation of the second rule comes with one of
	// the first.
	Implied automata.Answer

	// Unknown says whether the first rule is violated or unknown wherever the
	// second is. It is asked only if Implied is Yes.
	Unknown automata.Answer

	// Counter is, if Implied is No, a trace as JSON that violates the second
	// rule and not the first.
	Counter string
}

// Compare asks whether the second of two rules adds nothing to the first. Yes
// is proven for all traces, No by a trace; everything else is undecided.
func Compare(prog *check.Program, first, second *check.Rule) Comparison {
	r := newReader(prog)
	a, b := r.form(first, namesOf(first.Body.Vars)), r.form(second, namesOf(second.Body.Vars))
	if a == nil || b == nil {
		return Comparison{}
	}
	s := newSolver()
	if s.possible(b.weak, append(r.real(b), goal{b.body, isTrue})...).answer == automata.No {
		return Comparison{Implied: automata.Yes, Unknown: automata.Undecided}
	}
	rel := r.implied(s, a, b, false)
	if rel.violated == automata.Yes {
		return Comparison{Implied: automata.Yes, Unknown: rel.unknown}
	}
	if len(b.names) == 1 && len(a.names) == 1 && b.names[0] == a.names[0] && rel.violated == automata.No {
		if trace, ok := example(b.names[0], rel.counter); ok {
			return Comparison{Implied: automata.No, Counter: trace}
		}
	}
	return Comparison{}
}
