// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/eval"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// result is what stands behind a verdict. What is shown of it is made when
// somebody asks.
type result struct {
	monitor *Monitor
	rules   []*ruleResult
	begun   bool           // an earlier step was committed
	start   int            // events before the step
	events  []*trace.Event // of the step
}

type ruleResult struct {
	policy   *Policy
	rule     *Rule
	eval     *eval.RuleResult
	outcome  Outcome // of its unknown entries
	shown    []Violation
	unknown  []UnknownEntry
	settled  bool
	violated bool
}

// verdict decides what the result of a step comes to. It is the one place
// where a doubt becomes a decision.
func (m *Monitor) verdict(res *eval.Result, start int, events []*trace.Event) Verdict {
	if len(res.Rules) == 0 {
		return Verdict{decision: Allow}
	}
	out := &result{monitor: m, begun: m.begun, start: start, events: slices.Clone(events)}
	v := Verdict{decision: Allow, result: out}
	for _, rr := range res.Rules {
		r := m.policy.rules[rr.Rule.Check.Index]
		x := &ruleResult{policy: m.policy, rule: r, eval: rr, outcome: m.outcome(r), violated: rr.Count > 0}
		out.rules = append(out.rules, x)
		v.decision = min(v.decision, x.decision())
	}
	return v
}

// outcome says what an unknown rule comes to: the monitor's word for the
// rule, the policy's, the monitor's for all rules, the rule's verb.
func (m *Monitor) outcome(r *Rule) Outcome {
	if o := m.opts.OnUnknownRule[r.ID]; o != OutcomeVerb {
		return o
	}
	if r.onUnknown != OutcomeVerb {
		return r.onUnknown
	}
	if m.opts.OnUnknown != OutcomeVerb {
		return m.opts.OnUnknown
	}
	switch r.Action {
	case "ask":
		return OutcomeAsk
	case "warn":
		return OutcomeWarn
	}
	return OutcomeDeny
}

func (x *ruleResult) decision() Decision {
	d := Allow
	if len(x.eval.Entries) > 0 {
		d = [...]Decision{OutcomeVerb: Unknown, OutcomeDeny: Unknown, OutcomeAsk: Ask, OutcomeWarn: Allow, OutcomeAllow: Allow}[x.outcome]
	}
	if x.violated {
		d = min(d, map[string]Decision{"deny": Deny, "ask": Ask, "warn": Allow}[x.rule.Action])
	}
	return d
}

// asking returns the rules for which a person has to be asked.
func (r *result) asking() []*Rule {
	if r == nil {
		return nil
	}
	var out []*Rule
	for _, x := range r.rules {
		if x.decision() == Ask {
			out = append(out, x.rule)
		}
	}
	return out
}

// weakened reports whether the rule's unknown entries come to less than its
// verb.
func (x *ruleResult) weakened() bool {
	verb := map[string]Outcome{"deny": OutcomeDeny, "ask": OutcomeAsk, "warn": OutcomeWarn}[x.rule.Action]
	return x.outcome > verb
}

// settle makes everything that is shown, while the state it is about exists.
func (r *result) settle() {
	if r == nil {
		return
	}
	for _, x := range r.rules {
		x.settle()
	}
}

func (x *ruleResult) settle() {
	if x.settled {
		return
	}
	x.settled = true
	for _, m := range x.eval.First() {
		x.shown = append(x.shown, x.violation(m))
	}
	for _, e := range x.eval.Entries {
		x.unknown = append(x.unknown, x.entry(e))
	}
	sort.SliceStable(x.unknown, func(i, j int) bool {
		a, b := x.unknown[i], x.unknown[j]
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Span+a.Reason < b.Span+b.Reason
	})
}

func (x *ruleResult) violation(m *eval.Match) Violation {
	ev := x.eval.Explain(m)
	k := x.policy.mask(x.rule, m)
	v := Violation{Rule: x.rule, Kwargs: map[string]any{}, Ranges: ev.Ranges}
	for _, a := range ev.Args {
		v.Args = append(v.Args, printed(a, k))
	}
	if len(v.Args) > 0 {
		v.Message = v.Args[0]
	}
	for i, kw := range x.eval.Rule.Kwargs {
		v.Kwargs[kw.Name] = shownValue(ev.Kwargs[i], k)
	}
	v.Bindings, v.Events = bindings(x.eval, m, k)
	return v
}

func (x *ruleResult) entry(e *eval.Entry) UnknownEntry {
	k := x.policy.mask(x.rule, e.Match)
	out := UnknownEntry{
		Rule: x.rule, Reason: string(e.Cause.Reason), Detail: detail(e.Cause, k),
		Count: int(min(e.Count, 1<<31-1)), AtLeast: e.AtLeast,
	}
	out.Policy, out.Line, out.Span = location(e.Cause.Src)
	if e.Cause.At != nil {
		out.Address, _ = value.Address(e.Cause.At)
	}
	if e.Match != nil {
		out.Bindings, out.Events = bindings(x.eval, e.Match, k)
	}
	return out
}

// detail is what a cause says. That a detector cannot be asked is said even if it
// is the one that tells what may be shown: there is nothing of the trace in it.
func detail(c value.Cause, k *mask) string {
	unasked := c.Reason == value.Failed || c.Reason == value.Timeout || c.Reason == value.NotProvided
	if unasked && !strings.Contains(c.Detail, `"`) {
		return c.Detail
	}
	return k.text(c.Detail, len(c.Detail))
}

// location prints where a node stands: its file, its line, and
// "7:20-29" or, over several lines, "7:20-9:1".
func location(src any) (file string, line int, span string) {
	n, ok := src.(syntax.Node)
	if !ok {
		return "", 0, ""
	}
	sp := n.Span()
	if r, ok := n.(*syntax.Rule); ok {
		sp = r.VerbAt
	}
	return sp.File.Name, lineOf(sp), spanText(sp)
}

func lineOf(sp diag.Span) int {
	line, _ := sp.File.Position(sp.Start)
	return line
}

func spanText(sp diag.Span) string {
	l1, c1 := sp.File.Position(sp.Start)
	l2, c2 := sp.File.Position(sp.End)
	if l1 == l2 {
		return fmt.Sprintf("%d:%d-%d", l1, c1, c2)
	}
	return fmt.Sprintf("%d:%d-%d:%d", l1, c1, l2, c2)
}

// bindings shows what a match binds the rule's variables to, and the input
// indexes of those that are events or tools, by variable name.
func bindings(rr *eval.RuleResult, m *eval.Match, k *mask) (map[string]Binding, []int) {
	out := map[string]Binding{}
	var names []string
	index := map[string]int{}
	draws := m.Draws()
	for i, x := range m.Values() {
		v := rr.Rule.Block.Vars[i]
		b := Binding{Index: int(draws[i])}
		if x != nil && x.Kind() != value.Unknown {
			b.At, _ = value.Address(x)
			b.Value = shownValue(x, k)
			place, placed := value.PlaceOf(x)
			if placed && v.Check.In == nil {
				b.Index = place.Index
			}
			if placed && value.IsSlot(x) {
				names = append(names, v.Check.Name)
				index[v.Check.Name] = place.Index
			}
		}
		out[v.Check.Name] = b
	}
	slices.Sort(names)
	events := make([]int, 0, len(names))
	for _, n := range names {
		events = append(events, index[n])
	}
	return out, events
}

// reason finds what a decision rests on.
func (r *result) reason(d Decision) string {
	for _, x := range r.rules {
		if x.decision() != d {
			continue
		}
		x.settle()
		if x.violated && d != Unknown {
			return x.shown[0].Message
		}
		for _, u := range x.unknown {
			return fmt.Sprintf("rule %q (%s:%d) could not be decided: %s", x.rule.ID, u.Policy, u.Line, u.Detail)
		}
	}
	return d.String()
}

func (r *result) first() []Violation {
	if r == nil {
		return nil
	}
	var out []Violation
	for _, x := range r.rules {
		x.settle()
		out = append(out, x.shown...)
	}
	return out
}

func (r *result) counts() []RuleCount {
	if r == nil {
		return nil
	}
	var out []RuleCount
	for _, x := range r.rules {
		if x.violated {
			out = append(out, RuleCount{Rule: x.rule, N: x.eval.Count, AtLeast: x.eval.AtLeast})
		}
	}
	return out
}

func (r *result) unknowns() []UnknownEntry {
	if r == nil {
		return nil
	}
	var out []UnknownEntry
	for _, x := range r.rules {
		x.settle()
		out = append(out, x.unknown...)
	}
	return out
}

func (r *result) degraded() []UnknownEntry {
	if r == nil {
		return nil
	}
	var out []UnknownEntry
	for _, x := range r.rules {
		if x.weakened() {
			x.settle()
			out = append(out, x.unknown...)
		}
	}
	return out
}

// all goes through every violation of a rule. Beyond those that are shown, it
// evaluates the trace of the verdict again, on a state of its own.
func (r *result) all(rule int) iter.Seq[Violation] {
	return func(yield func(Violation) bool) {
		if r == nil {
			return
		}
		for _, x := range r.rules {
			if x.rule.Index != rule {
				continue
			}
			x.settle()
			if uint64(len(x.shown)) >= x.eval.Count {
				for _, v := range x.shown {
					if !yield(v) {
						return
					}
				}
				return
			}
			r.replay(x, yield)
		}
	}
}

// replay lists the violations of x beyond those that are kept.
func (r *result) replay(x *ruleResult, yield func(Violation) bool) {
	s := r.monitor.state.Fresh(x.eval.Rule)
	ctx := context.Background()
	if r.begun {
		log := r.monitor.state.Log()
		before := make([]*trace.Event, r.start)
		for i := range before {
			before[i] = log.At(i)
		}
		s.Recall(ctx, before)
	}
	for _, rr := range s.Step(ctx, r.events, true).Rules {
		again := &ruleResult{policy: x.policy, rule: x.rule, eval: rr}
		for m := range rr.All() {
			if !yield(again.violation(m)) {
				return
			}
		}
	}
}
