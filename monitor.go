// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/eval"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Monitor follows one agent: a policy and the trace so far. It is not safe
// for concurrent use; guard it with a lock, held over Check and what is done
// on its answer, and over what is read from its verdicts.
type Monitor struct {
	policy *Policy
	opts   MonitorOptions
	state  *eval.State
	bytes  int
	begun  bool            // a step was committed, if only an empty one
	used   map[string]bool // approvals
	broken error           // a fact could not be taken in: nothing is certain any more
}

// ErrLimit is wrapped by errors about a limit of Limits.
var ErrLimit = errors.New("limit exceeded")

// errOpen stands in Monitor.broken while a step is under way, so that a step
// that panics, or that a function of the embedder starts within another one,
// leaves a monitor that answers nothing.
var errOpen = errors.New("an earlier step of the monitor has not ended")

// An Approval lets a pending step pass the ask rules it names. It is good for
// one step with exactly these events, until it expires, and never passes a
// deny or an unknown.
type Approval struct {
	ID      string            // unique; an approval is used up by its ID
	Digest  [sha256.Size]byte // trace.Digest of the pending events
	Rules   []string          // ids of the rules that may be passed
	Expires time.Time         // the zero time is over
}

// Monitor returns a monitor at the start of a trace.
func (p *Policy) Monitor(opts *MonitorOptions) (*Monitor, error) {
	return p.monitor(opts, false)
}

// monitor returns a monitor, once for a single step.
func (p *Policy) monitor(opts *MonitorOptions, once bool) (*Monitor, error) {
	m := &Monitor{policy: p, used: map[string]bool{}}
	if opts != nil {
		m.opts = *opts
	}
	m.opts.Limits = m.opts.Limits.withDefaults()
	if m.opts.Now == nil {
		m.opts.Now = time.Now
	}
	if err := m.validOutcomes(); err != nil {
		return nil, err
	}
	input, err := p.input(m.opts.Input)
	if err != nil {
		return nil, err
	}
	l := m.opts.Limits
	m.state = eval.NewState(p.program, eval.Options{
		Input: input, Limits: builtin.Limits{Value: l.Value},
		Candidates: l.Candidates, Steps: l.Steps, Kept: l.Kept, Once: once,
	})
	return m, nil
}

// validOutcomes refuses options that name a rule the policy does not have: a
// misspelt id would leave the rule as it is.
func (m *Monitor) validOutcomes() error {
	if !m.opts.OnUnknown.valid() {
		return fmt.Errorf("reading OnUnknown: no outcome %d", m.opts.OnUnknown)
	}
	for id, o := range m.opts.OnUnknownRule {
		if !slices.ContainsFunc(m.policy.rules, func(r *Rule) bool { return r.ID == id }) {
			return fmt.Errorf("reading OnUnknownRule: the policy has no rule %q", id)
		}
		if !o.valid() {
			return fmt.Errorf("reading OnUnknownRule: no outcome %d for rule %q", o, id)
		}
	}
	return nil
}

// Append takes in what has happened, always, and returns what is new about
// it: the violations that the trace has now and did not have before.
//
// An error means that an event could not be taken in. The trace is then no
// longer what happened, so every later answer of the monitor is that error.
func (m *Monitor) Append(ctx context.Context, events ...*trace.Event) (Verdict, error) {
	if m.broken != nil {
		return Verdict{}, m.broken
	}
	n, err := m.accepts(events)
	if err != nil {
		m.broken = fmt.Errorf("appending to the trace: %w", err)
		return Verdict{}, m.broken
	}
	v := m.step(ctx, events, true)
	m.commit(n)
	return v, nil
}

// Check returns what Append would say of pending events, and changes nothing.
func (m *Monitor) Check(ctx context.Context, pending ...*trace.Event) (Verdict, error) {
	if _, err := m.ready(ctx, pending); err != nil {
		return Verdict{}, err
	}
	v := m.step(ctx, pending, false)
	m.rollback(v)
	return v, nil
}

// Admit checks pending events and takes them in if they are allowed, all of
// them or none: a denied step leaves no trace. Approvals let a step pass that
// has to be asked for; its verdict then allows.
func (m *Monitor) Admit(ctx context.Context, pending []*trace.Event, approvals ...Approval) (Verdict, error) {
	n, err := m.ready(ctx, pending)
	if err != nil {
		return Verdict{}, err
	}
	v := m.step(ctx, pending, false)
	var spent []string
	if v.decision == Ask {
		if ids, ok := m.approved(pending, v.Asking(), approvals); ok {
			spent, v.decision = ids, Allow
		}
	}
	if v.decision != Allow {
		m.rollback(v)
		return v, nil
	}
	for _, id := range spent {
		m.used[id] = true
	}
	m.commit(n)
	return v, nil
}

// step looks at events; what it adds to the state is kept by commit or taken
// back by rollback. With keep set only commit may follow.
func (m *Monitor) step(ctx context.Context, events []*trace.Event, keep bool) Verdict {
	m.broken = errOpen
	start := m.state.Log().Len()
	m.state.Retry()
	return m.verdict(m.state.Step(ctx, events, keep), start, events)
}

func (m *Monitor) commit(bytes int) {
	m.state.Commit()
	m.bytes += bytes
	m.begun = true
	m.broken = nil
}

// rollback forgets the step that v is about, after making what v shows.
func (m *Monitor) rollback(v Verdict) {
	v.result.settle()
	m.state.Rollback()
	m.broken = nil
}

func (m *Monitor) ready(ctx context.Context, pending []*trace.Event) (int, error) {
	if m.broken != nil {
		return 0, m.broken
	}
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("checking pending events: %w", err)
	}
	n, err := m.accepts(pending)
	if err != nil {
		return 0, fmt.Errorf("checking pending events: %w", err)
	}
	return n, nil
}

// accepts returns the size of events, or why they go beyond a limit.
func (m *Monitor) accepts(events []*trace.Event) (bytes int, err error) {
	if n := m.state.Log().Len() + len(events); n > m.opts.Limits.Events {
		return 0, fmt.Errorf("%w: %d events, at most %d", ErrLimit, n, m.opts.Limits.Events)
	}
	for i, e := range events {
		if e == nil {
			return 0, fmt.Errorf("event %d is nil", i)
		}
		bytes += e.Size()
	}
	if n := m.bytes + bytes; n > m.opts.Limits.Bytes {
		return 0, fmt.Errorf("%w: %d bytes of events, at most %d", ErrLimit, n, m.opts.Limits.Bytes)
	}
	return bytes, nil
}

// approved reports whether the approvals cover every rule that asks, and
// which of them are used up by that: those without which it would not be so,
// the earlier ones first.
func (m *Monitor) approved(pending []*trace.Event, asking []*Rule, approvals []Approval) (ids []string, ok bool) {
	digest := trace.Digest(pending...)
	now := m.opts.Now()
	open := map[string]bool{}
	for _, r := range asking {
		open[r.ID] = true
	}
	for _, a := range approvals {
		if a.ID == "" || m.used[a.ID] || a.Digest != digest || !now.Before(a.Expires) {
			continue
		}
		before := len(open)
		for _, r := range a.Rules {
			delete(open, r)
		}
		if len(open) < before {
			ids = append(ids, a.ID)
		}
	}
	return ids, len(open) == 0
}
