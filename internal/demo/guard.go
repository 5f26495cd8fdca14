// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// A guard stands between a model and the world. It is all that an agent needs
// of Holdfast: one method for what has happened, one for what is about to.
type guard struct{ monitor *holdfast.Monitor }

func newGuard(policy *holdfast.Policy) (*guard, error) {
	monitor, err := policy.Monitor(nil)
	if err != nil {
		return nil, fmt.Errorf("starting a monitor: %w", err)
	}
	return &guard{monitor: monitor}, nil
}

// happened takes in a message that cannot be prevented any more: what the
// user said, what a tool gave back. A verdict that does not allow it means
// that the model must not see it.
func (g *guard) happened(ctx context.Context, message json.RawMessage) (holdfast.Verdict, error) {
	event, err := trace.DecodeEvent(message, nil)
	if err != nil {
		return holdfast.Verdict{}, err // the zero verdict denies
	}
	return g.monitor.Append(ctx, event)
}

// admit asks about a message of the model before its calls are executed. If
// it is not allowed, none of them may be, and for the monitor the message was
// never there.
func (g *guard) admit(ctx context.Context, message json.RawMessage) (holdfast.Verdict, error) {
	event, err := trace.DecodeEvent(message, nil)
	if err != nil {
		return holdfast.Verdict{}, err
	}
	return g.monitor.Admit(ctx, []*trace.Event{event})
}
