// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

const callPolicy = `raise "mail leaves the house" if:
    (call: ToolCall)
    call is tool:send_email
    not call.arguments.to.endswith("@corp.com")
    len(call.arguments.body) > 10
`

// FlowPolicy asks the second question. It is three lines and a heading, two
// variables and a flow between them.
const FlowPolicy = `raise "fetched text before a mail" if:
    (out: ToolOutput) -> (call: ToolCall)
    out is tool:fetch
    call is tool:send_email
`

// A Monitor is a Holdfast monitor and the policy it follows.
type Monitor struct {
	policy  *holdfast.Policy
	monitor *holdfast.Monitor
}

// NewMonitor returns a monitor for the first question, with an empty trace.
func NewMonitor() (*Monitor, error) { return monitor("call.gr", callPolicy) }

// NewFlowMonitor returns a monitor for the second question that has seen the
// history of a run.
func NewFlowMonitor(ctx context.Context, r Run) (*Monitor, error) {
	m, err := monitor("flow.gr", FlowPolicy)
	if err != nil {
		return nil, err
	}
	for _, src := range r.History {
		e, err := trace.DecodeEvent(src, nil)
		if err != nil {
			return nil, fmt.Errorf("reading the history: %w", err)
		}
		if _, err := m.monitor.Append(ctx, e); err != nil {
			return nil, fmt.Errorf("appending the history: %w", err)
		}
	}
	return m, nil
}

func monitor(name, src string) (*Monitor, error) {
	policy, err := holdfast.Compile(name, []byte(src), nil)
	if err != nil {
		return nil, err
	}
	m, err := policy.Monitor(nil)
	return &Monitor{policy, m}, err
}

// CallEvent returns a call as an event.
func CallEvent(c Call) (*trace.Event, error) {
	src, err := json.Marshal(toolCall{ID: "c", Type: "function", Function: function{
		Name: c.Name, Arguments: map[string]any{"to": c.To, "body": c.Body},
	}})
	if err != nil {
		return nil, err
	}
	return trace.DecodeEvent(src, nil)
}

// Denied asks about an event that would come next, and forgets it.
func (m *Monitor) Denied(ctx context.Context, pending *trace.Event) (bool, error) {
	verdict, err := m.monitor.Check(ctx, pending)
	return verdict.Decision() == holdfast.Deny, err
}

// DeniedWhole asks about a whole trace, with nothing kept from before, which
// is what OPA does.
func (m *Monitor) DeniedWhole(ctx context.Context, t *trace.Trace) (bool, error) {
	verdict, err := m.policy.Analyze(ctx, t, nil)
	return verdict.Decision() == holdfast.Deny, err
}
