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

// Shown is how many violations of a rule a verdict holds ready.
const Shown = 100

// A Result is what a step brings: one RuleResult for each rule that has
// something to say, in the order of the rules.
type Result struct {
	Rules []*RuleResult
}

func (r *Result) sort() {
	slices.SortFunc(r.Rules, func(a, b *RuleResult) int { return cmp.Compare(a.Rule.Check.Index, b.Rule.Check.Index) })
}

// A RuleResult is what is new about one rule.
type RuleResult struct {
	Rule    *compile.Rule
	Count   uint64 // of violations
	AtLeast bool   // there may be more
	Entries []*Entry

	state   *State
	before  uint64 // explanations see the trace up to here
	first   firstN
	listers []*lister // when matches were counted, not listed
	listed  bool      // first holds what listers give
}

// An Entry says why assignments of a rule are unknown: one cause, and the
// first assignment that has it.
type Entry struct {
	Cause   value.Cause
	Match   *Match // nil when a budget stopped the search
	Count   uint64
	AtLeast bool
}

// report files an assignment by its truth.
func (r *RuleResult) report(s *State, m *Match, v value.Tri) {
	switch v {
	case value.True:
		r.violated(m)
	case value.Unsure:
		s.loadMatch(m)
		r.undecided(s, m)
	}
}

func (r *RuleResult) violated(m *Match) {
	if r.Count > 0 && compile.Faulty(compile.FaultMessageOnce) {
		return
	}
	r.Count = add(r.Count, 1)
	r.first.n = r.state.opts.Shown
	r.first.add(m)
}

func (r *RuleResult) counted(n uint64, ls []*lister) {
	r.Count = n
	r.AtLeast = n == saturated
	r.listers = ls
}

// undecided files the unknown assignment that stands in the slots under each
// of its causes.
func (r *RuleResult) undecided(s *State, m *Match) {
	causes := s.causesOf(m.block)
	if len(causes) == 0 {
		causes = []value.Cause{spentCause(r.Rule)}
	}
	for _, c := range causes {
		r.entry(c, m)
	}
}

func (r *RuleResult) entry(c value.Cause, m *Match) {
	for _, e := range r.Entries {
		if e.Cause.Src == c.Src && e.Cause.Reason == c.Reason {
			e.Count++
			if e.Match != nil && m.compare(e.Match) < 0 {
				e.Match, e.Cause = m, c
			}
			return
		}
	}
	r.Entries = append(r.Entries, &Entry{Cause: c, Match: m, Count: 1})
}

func spentCause(r *compile.Rule) value.Cause {
	return value.Cause{Reason: value.Budget, Detail: "evaluation budget used up", Src: r.Check.Node}
}

// unfinished notes that a budget stopped the search. What was found stands,
// but there may be more; with no violation found the rule is unknown.
func (r *RuleResult) unfinished(rule *compile.Rule) {
	if r.Count > 0 {
		r.AtLeast = true
	}
	for _, e := range r.Entries {
		e.AtLeast = true
	}
	r.Entries = append(r.Entries, &Entry{Cause: spentCause(rule), Count: 1, AtLeast: true})
}

// First returns the first violations in the order of the trace, at most
// Shown.
func (r *RuleResult) First() []*Match {
	if r.listers != nil && !r.listed {
		r.first.n = r.state.opts.Shown
		r.first.all = first(r.listers, r.first.n)
		r.listed = true
	}
	return r.first.trim()
}

// All goes through the violations in order: every one where they are counted,
// else those that First returns. Rules whose violations were listed one by
// one keep only the first.
func (r *RuleResult) All() iter.Seq[*Match] {
	if r.listers != nil {
		return merged(r.listers)
	}
	return slices.Values(r.First())
}
