// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package spec is the meaning of the policy language as code, page for page as
// docs/spec.md: it looks at every assignment of every rule's variables, without
// an index and without a cache. The tests hold the evaluator that is used
// against it, and who doubts what a policy means reads it. What operations do to
// values is in package builtin, which both evaluators share, and nothing else.
//
// This file has rules, and what is new when a trace has grown; assign.go the
// assignments of variables to elements; logic.go the three values, quantifiers
// and evidence; expr.go expressions.
package spec

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

type val = *value.Value

// Options say what a policy may look at beside the trace. Nil is fine.
type Options struct {
	Input          map[string]*value.Value // the parameters: input.x
	Env            *builtin.Env            // context, memo and limits
	MaxAssignments int                     // for one rule, its quantifiers included; 0: no bound
}

// A Result is what a policy says of a trace, rule by rule.
type Result struct{ Rules []RuleResult }

// A RuleResult holds the assignments under which a rule's conditions hold, and
// those under which that is not known, each in the order of the trace.
type RuleResult struct {
	Rule    *check.Rule
	True    []Match
	Unknown []UnknownMatch
}

// A Match is a violation: its evidence, as sorted addresses and spans, and the
// arguments of the raise expression, the named ones in the order of
// Rule.Message.Kwargs.
type Match struct {
	Assignment
	Ranges       []string
	Args, Kwargs []*value.Value
}

// An UnknownMatch is an assignment that could not be decided, and why: no cause
// comes twice. The zero Assignment stands for those beyond MaxAssignments.
type UnknownMatch struct {
	Assignment
	Causes []value.Cause
}

// An Entry is one cause for which Count assignments of a rule are unknown, as it
// arose in the First of them.
type Entry struct {
	Cause value.Cause
	Count int
	First Assignment
}

// An evaluator holds what stays the same while one rule is evaluated.
type evaluator struct {
	prog   *check.Program
	events []*trace.Event
	input  val // a dict
	env    builtin.Env
	limit  int  // assignments that may still be looked at; negative: any number
	cut    bool // some were not
}

// Evaluate looks once at a whole trace, whose events a trace.Log has placed.
func Evaluate(p *check.Program, events []*trace.Event, opts *Options) *Result {
	opts = cmp.Or(opts, &Options{})
	env := *cmp.Or(opts.Env, &builtin.Env{Context: context.Background(), Memo: builtin.NewMemo()})
	keys, items := slices.Sorted(maps.Keys(opts.Input)), []val{}
	for _, k := range keys {
		items = append(items, opts.Input[k])
	}
	res := &Result{}
	for _, r := range p.Rules {
		e := &evaluator{prog: p, events: events, input: value.DictOf(keys, items), env: env, limit: cmp.Or(opts.MaxAssignments, -1)}
		res.Rules = append(res.Rules, e.rule(r))
	}
	return res
}

// rule finds the assignments that make all conditions of r true, and those for
// which that is unknown.
func (e *evaluator) rule(r *check.Rule) RuleResult {
	out := RuleResult{Rule: r}
	e.assignments(nil, r.Body, Assignment{}, func(s *scope, a Assignment) {
		marks := &builtin.Marks{}
		e.env.Marks = marks
		holds := e.block(s, r.Body)
		e.env.Marks = nil
		switch value.Truth(holds) {
		case value.True:
			m := Match{Assignment: a, Ranges: ranges(marks.Spans())}
			for _, x := range r.Message.Args {
				m.Args = append(m.Args, e.value(s, x))
			}
			for _, k := range r.Message.Kwargs {
				m.Kwargs = append(m.Kwargs, e.value(s, k.Value))
			}
			out.True = append(out.True, m)
		case value.Unsure:
			out.Unknown = append(out.Unknown, UnknownMatch{a, holds.Causes()})
		}
	})
	if e.cut {
		out.Unknown = append(out.Unknown, UnknownMatch{Causes: spent(r.Node).Causes()})
	}
	return out
}

// Message is the text of a violation: the first argument of the raise
// expression.
func (m Match) Message() string {
	if len(m.Args) == 0 {
		return ""
	}
	if m.Args[0].Kind() == value.Unknown {
		return "<unknown>"
	}
	return value.Display(m.Args[0])
}

// New is what is new in after, which looks at the trace of before with events
// added at its end; nil stands for nothing asked before. Assignments are
// compared by identity. A rule whose matches may go away is judged on all of
// after, if any events were added.
func New(before, after *Result, added bool) *Result {
	out := &Result{}
	for i, r := range after.Rules {
		if before != nil && !(r.Rule.Retracts && added) {
			r.True = without(r.True, before.Rules[i].True)
			r.Unknown = without(r.Unknown, before.Rules[i].Unknown)
		}
		out.Rules = append(out.Rules, r)
	}
	return out
}

func without[M interface{ Key() string }](all, old []M) []M {
	known := map[string]bool{}
	for _, m := range old {
		known[m.Key()] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(m M) bool { return known[m.Key()] })
}

// Entries are the unknown entries of a rule: one for each cause, in the order
// of the policy's text.
func (r RuleResult) Entries() (all []Entry) {
	for _, u := range r.Unknown {
		for _, c := range u.Causes {
			i := slices.IndexFunc(all, func(n Entry) bool { return n.Cause.Src == c.Src && n.Cause.Reason == c.Reason })
			if i < 0 {
				i, all = len(all), append(all, Entry{Cause: c, First: u.Assignment})
			}
			all[i].Count++
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		s, t := a.Cause.Src.(syntax.Node).Span(), b.Cause.Src.(syntax.Node).Span()
		return cmp.Or(cmp.Compare(s.File.Name, t.File.Name), cmp.Compare(s.Start, t.Start),
			cmp.Compare(s.End, t.End), cmp.Compare(a.Cause.Reason, b.Cause.Reason))
	})
	return all
}
