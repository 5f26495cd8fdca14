// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package backtest asks what another policy would have said: it follows
// recorded traces with two policies side by side and tells at which steps their
// verdicts differ. `holdfast diff` prints it.
//
// The traces are what happened, whatever either policy says of it: a step that
// one of them denies is part of what both see behind it. So the answer is for
// each recorded step by itself, not for the run that would have come of it.
package backtest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Change is a step that the new policy judges otherwise than the old one.
type Change struct {
	Event    int      // its input index
	Calls    []string // the names of its calls, in order: their verdict is the step's
	Old, New holdfast.Decision
	Now      []string // ids of the rules that stand against it now and did not before
	NoMore   []string // and of those that do no more
	Reason   string   // of the stricter verdict, as it may be shown
}

// Weaker reports whether the new policy lets more through: the verdicts, in
// their order, are allow, ask, unknown, deny.
func (c *Change) Weaker() bool { return c.New > c.Old }

// A Comparison is what one trace comes to.
type Comparison struct {
	Steps   int // events
	Calls   int // in them
	Changes []Change
}

// Compare follows a trace with both policies. The policies may be given
// different parameters. An error means that a monitor could not follow it to
// the end.
func Compare(ctx context.Context, before, after Side, t *trace.Trace) (*Comparison, error) {
	was, err := before.monitor()
	if err != nil {
		return nil, fmt.Errorf("the old policy: %w", err)
	}
	is, err := after.monitor()
	if err != nil {
		return nil, fmt.Errorf("the new policy: %w", err)
	}
	out := &Comparison{}
	for i, e := range t.Events {
		said, err := was.Append(ctx, e)
		if err != nil {
			return nil, fmt.Errorf("event %d, the old policy: %w", i, err)
		}
		says, err := is.Append(ctx, e)
		if err != nil {
			return nil, fmt.Errorf("event %d, the new policy: %w", i, err)
		}
		if ctx.Err() != nil { // a detector may have given up because of it
			return nil, ctx.Err()
		}
		out.Steps++
		out.Calls += len(e.Calls())
		if said.Decision() != says.Decision() {
			out.Changes = append(out.Changes, changeOf(i, e, said, says))
		}
	}
	return out, nil
}

// A Side is one of the two policies.
type Side struct {
	Policy  *holdfast.Policy
	Monitor *holdfast.MonitorOptions
}

func (s Side) monitor() (*holdfast.Monitor, error) { return s.Policy.Monitor(s.Monitor) }

func changeOf(i int, e *trace.Event, said, says holdfast.Verdict) Change {
	c := Change{Event: i, Old: said.Decision(), New: says.Decision()}
	for _, call := range e.Calls() {
		c.Calls = append(c.Calls, nameOf(call))
	}
	was, is := against(said), against(says)
	c.Now, c.NoMore = without(is, was), without(was, is)
	if c.Reason = says.Reason(); c.Weaker() {
		c.Reason = said.Reason()
	}
	return c
}

// nameOf is the name of a call, "" if it cannot be told.
func nameOf(call *value.Value) string {
	if name := call.Field(value.CallName); name != nil && name.Kind() == value.Str {
		return name.Text()
	}
	return ""
}

// against returns the ids of the rules that stand against a step, in the order
// of the policy: those that are violated or could not be decided and make it
// worse than Allow.
func against(v holdfast.Verdict) []string {
	if v.Allowed() {
		return nil
	}
	rules := map[int]string{}
	for _, c := range v.Counts() {
		if c.Rule.Action != "warn" {
			rules[c.Rule.Index] = c.Rule.ID
		}
	}
	for _, r := range v.Asking() {
		rules[r.Index] = r.ID
	}
	unknown := map[int]string{}
	for _, u := range v.Unknowns() {
		unknown[u.Rule.Index] = u.Rule.ID
	}
	for _, u := range v.Degraded() { // to asking, which is said, or to nothing
		delete(unknown, u.Rule.Index)
	}
	for _, u := range v.Unknowns() {
		if id := unknown[u.Rule.Index]; id != "" && u.Rule.Action != "warn" {
			rules[u.Rule.Index] = id
		}
	}
	if len(rules) == 0 { // rules that warn, and stop what they cannot decide
		rules = unknown
	}
	var ids []string
	for _, i := range slices.Sorted(maps.Keys(rules)) {
		ids = append(ids, rules[i])
	}
	return ids
}

// without returns what of a is not in b.
func without(a, b []string) []string {
	var out []string
	for _, id := range a {
		if !slices.Contains(b, id) {
			out = append(out, id)
		}
	}
	return out
}
