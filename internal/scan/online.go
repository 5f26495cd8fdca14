// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// Whole returns the check of a recorded trace by one look at all of it.
func Whole(policy *holdfast.Policy, opts *holdfast.MonitorOptions) Check {
	return func(ctx context.Context, t *trace.Trace) (holdfast.Verdict, *report.Stop, error) {
		v, err := policy.Analyze(ctx, t, opts)
		return v, nil, err
	}
}

// Online returns the check of a recorded trace as a monitor would have
// followed it: what the agent says and calls is pending until it is admitted,
// everything else has happened. It ends at the first event that is not
// allowed, since from there on the run would have gone another way; the
// verdict is that on the trace up to and with this event, so that warnings on
// the way are in it.
func Online(policy *holdfast.Policy, opts *holdfast.MonitorOptions) Check {
	return func(ctx context.Context, t *trace.Trace) (holdfast.Verdict, *report.Stop, error) {
		m, err := policy.Monitor(opts)
		if err != nil {
			return holdfast.Verdict{}, nil, fmt.Errorf("starting a monitor: %w", err)
		}
		for i, e := range t.Events {
			v, err := step(ctx, m, e)
			if err != nil {
				return holdfast.Verdict{}, nil, fmt.Errorf("event %d: %w", i, err)
			}
			if v.Allowed() {
				continue
			}
			so, err := upTo(ctx, policy, opts, t, i, v)
			return so, &report.Stop{Event: i, Address: address(v, i, e), Prevented: pending(e)}, err
		}
		v, err := policy.Analyze(ctx, t, opts)
		return v, nil, err
	}
}

// step shows the monitor the next event, as a deployment would.
func step(ctx context.Context, m *holdfast.Monitor, e *trace.Event) (holdfast.Verdict, error) {
	if pending(e) {
		return m.Admit(ctx, []*trace.Event{e})
	}
	return m.Append(ctx, e)
}

// pending reports whether an event is the agent's own, which a monitor sees
// before it happens.
func pending(e *trace.Event) bool {
	if len(e.Calls()) > 0 {
		return true
	}
	role := e.Root().Get("role")
	return e.Kind() == value.Message && role != nil && role.Kind() == value.Str && role.Text() == "assistant"
}

// upTo is the verdict on the trace up to event i, on which a monitor has said
// v. It takes the place of v unless it comes to something else, as it may
// where a budget ran out in one of the two.
func upTo(ctx context.Context, policy *holdfast.Policy, opts *holdfast.MonitorOptions, t *trace.Trace, i int, v holdfast.Verdict) (holdfast.Verdict, error) {
	all, err := policy.Analyze(ctx, &trace.Trace{Events: t.Events[:i+1]}, opts)
	if err != nil {
		return holdfast.Verdict{}, err
	}
	if all.Decision() == v.Decision() {
		return all, nil
	}
	return v, nil
}

// address returns the address of the call of event i at which it was stopped:
// the first that completes a match or could not be decided. It is the event's
// where no call of it is to blame.
func address(v holdfast.Verdict, i int, e *trace.Event) string {
	calls := e.Calls()
	first := len(calls)
	for _, bindings := range blamed(v) {
		if c := lastOf(calls, i, bindings); c >= 0 {
			first = min(first, c)
		}
	}
	if first == len(calls) {
		return fmt.Sprint(i)
	}
	return callAddress(i, calls[first])
}

// blamed returns the bindings of what the decision rests on.
func blamed(v holdfast.Verdict) []map[string]holdfast.Binding {
	action := map[holdfast.Decision]string{holdfast.Deny: "deny", holdfast.Ask: "ask"}[v.Decision()]
	var out []map[string]holdfast.Binding
	for _, x := range v.Violations() {
		if x.Rule.Action == action {
			out = append(out, x.Bindings)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, u := range v.Unknowns() {
		out = append(out, u.Bindings)
	}
	return out
}

// lastOf returns the index of the last of the calls of event i that bindings
// name, -1 if they name none.
func lastOf(calls []*value.Value, i int, bindings map[string]holdfast.Binding) int {
	named := slices.Collect(maps.Values(bindings))
	for c := len(calls) - 1; c >= 0; c-- {
		at := callAddress(i, calls[c])
		if slices.ContainsFunc(named, func(b holdfast.Binding) bool { return b.At == at || within(b.At, at) }) {
			return c
		}
	}
	return -1
}

// within reports whether an address leads into the element at another one.
func within(at, outer string) bool {
	return len(at) > len(outer) && at[:len(outer)] == outer && at[len(outer)] == '.'
}

// callAddress returns the address of a call of event i, which may stand in no
// log.
func callAddress(i int, call *value.Value) string {
	path := value.Path(call)
	if path == "" {
		return fmt.Sprint(i)
	}
	return fmt.Sprintf("%d.%s", i, path)
}
