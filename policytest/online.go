// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// The online ways are compared with the whole trace rule by rule. A rule whose
// matches never retract must report each violation exactly once, over all
// answers. A rule whose matches may retract is judged on everything each time,
// so its last answer must be the whole one. What could not be decided adds up
// for rules without quantifiers that look ahead; with them, an assignment that
// is unknown now may be decided by a later event, so there only the last word
// counts.

// A runner checks one trace.
type runner struct {
	ctx    context.Context
	policy *holdfast.Policy
	name   string // of the policy
	stubs  []*stub
	trace  *trace.Trace
	opts   *holdfast.MonitorOptions
	show   detail
}

func (r *runner) whole() (*answer, error) {
	v, err := r.policy.Analyze(r.ctx, r.trace, r.opts)
	if err != nil {
		return nil, err
	}
	return answerOf(v, r.show), nil
}

// online yields an error for each online way that differs from the whole.
func (r *runner) online(whole *answer) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		if err := r.stepwise(whole); err != nil && !yield(0, fmt.Errorf("event by event: %w", err)) {
			return
		}
		for i := range len(r.trace.Events) + 1 {
			if err := r.split(whole, i); err != nil && !yield(i, fmt.Errorf("split at %d: %w", i, err)) {
				return
			}
		}
	}
}

// stepwise appends event by event.
func (r *runner) stepwise(whole *answer) error {
	m, err := r.policy.Monitor(r.opts)
	if err != nil {
		return err
	}
	var answers []*answer
	for _, e := range r.trace.Events {
		v, err := m.Append(r.ctx, e)
		if err != nil {
			return err
		}
		answers = append(answers, answerOf(v, r.show))
	}
	return r.addUp(whole, answers)
}

// split appends the events before i, then checks and appends the rest.
func (r *runner) split(whole *answer, i int) error {
	m, err := r.policy.Monitor(r.opts)
	if err != nil {
		return err
	}
	facts, err := m.Append(r.ctx, r.trace.Events[:i]...)
	if err != nil {
		return err
	}
	rest := r.trace.Events[i:]
	var checks []*answer
	for range 2 {
		v, err := m.Check(r.ctx, rest...)
		if err != nil {
			return err
		}
		checks = append(checks, answerOf(v, r.show))
	}
	v, err := m.Append(r.ctx, rest...)
	if err != nil {
		return err
	}
	appended := answerOf(v, r.show)
	if err := same("the second check", checks[0], checks[1], r.show); err != nil {
		return err
	}
	if err := same("appending what was checked", checks[0], appended, r.show); err != nil {
		return err
	}
	if len(rest) == 0 {
		return r.addUp(whole, []*answer{answerOf(facts, r.show)})
	}
	return r.addUp(whole, []*answer{answerOf(facts, r.show), appended})
}

// same compares two answers to one question.
func same(what string, want, got *answer, show detail) error {
	w, g := want.text(show, nil, ""), got.text(show, nil, "")
	if w == g {
		return nil
	}
	return fmt.Errorf("%s gives\n%swant\n%s", what, indent(g), indent(w))
}

// addUp compares the answers of a run with the whole.
func (r *runner) addUp(whole *answer, answers []*answer) error {
	if len(r.trace.Events) == 0 {
		return nil // nothing was asked
	}
	for _, rule := range r.policy.Rules() {
		if err := r.addUpRule(rule, whole, answers); err != nil {
			return fmt.Errorf("rule %s: %w", rule.ID, err)
		}
	}
	return nil
}

func (r *runner) addUpRule(rule *holdfast.Rule, whole *answer, answers []*answer) error {
	if rule.Retracts {
		answers = answers[len(answers)-1:]
	}
	if whole.count(rule) <= shownPerRule {
		got := gather(answers, rule, func(a *answer) []line { return a.violations })
		want := gather([]*answer{whole}, rule, func(a *answer) []line { return a.violations })
		if err := differ("violations", want, got); err != nil {
			return err
		}
	}
	if got, want := total(answers, rule), whole.count(rule); got != want {
		return fmt.Errorf("got %d violations in all, want %d", got, want)
	}
	if !rule.Retracts && !settled(rule) {
		return nil
	}
	unknowns := func(a *answer) []line { return a.unknowns }
	if got, want := assignments(answers, rule), assignments([]*answer{whole}, rule); got != want {
		return fmt.Errorf("got %d assignments that are not decided, want %d:\n%s", got, want,
			indent(strings.Join(gather(answers, rule, unknowns), "\n")))
	}
	return nil
}

// shownPerRule is how many violations of a rule a verdict lists.
const shownPerRule = 100

// settled reports whether an assignment's value is fixed once its elements
// are there.
func settled(rule *holdfast.Rule) bool { return rule.Class == "local" || rule.Class == "past" }

func (a *answer) count(rule *holdfast.Rule) uint64 {
	for _, c := range a.counts {
		if c.Rule.Index == rule.Index {
			return c.N
		}
	}
	return 0
}

func total(answers []*answer, rule *holdfast.Rule) uint64 {
	var n uint64
	for _, a := range answers {
		n += a.count(rule)
	}
	return n
}

func assignments(answers []*answer, rule *holdfast.Rule) int {
	n := 0
	for _, a := range answers {
		for _, l := range a.unknowns {
			if l.rule.Index == rule.Index {
				n += l.n
			}
		}
	}
	return n
}

// gather returns the rule's lines of all answers, sorted: online they come in
// the order in which they are completed.
func gather(answers []*answer, rule *holdfast.Rule, lines func(*answer) []line) []string {
	var texts []string
	for _, a := range answers {
		for _, l := range lines(a) {
			if l.rule.Index == rule.Index {
				texts = append(texts, l.text)
			}
		}
	}
	slices.Sort(texts)
	return texts
}

func differ(what string, want, got []string) error {
	if slices.Equal(want, got) {
		return nil
	}
	return fmt.Errorf("%s are\n%swant\n%s", what, indent(strings.Join(got, "\n")), indent(strings.Join(want, "\n")))
}
