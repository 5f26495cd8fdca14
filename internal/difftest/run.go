// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/eval"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// An Outcome is what came of running a case.
type Outcome struct {
	File     *syntax.File // nil: the policy does not load
	Load     error        // why it does not
	Plans    []compile.Plan
	TooLarge bool // for the naive evaluator; nothing was compared
	Violated bool
	Unknown  bool
	Err      error // the evaluations differ, or one of them panicked
}

// maxAssignments bounds what the naive evaluator looks at for one rule.
const maxAssignments = 6000

// Run runs a case every way. The error of the outcome says where the
// evaluations differ first.
func Run(c *Case) (out Outcome) {
	defer func() {
		if x := recover(); x != nil {
			out.Err = fmt.Errorf("panic: %v\n%s", x, debug.Stack())
		}
	}()
	l, err := c.load()
	if err != nil {
		if errors.Is(err, errTrace) {
			return Outcome{Err: err}
		}
		return Outcome{Load: err}
	}
	out.File = l.file
	for _, p := range l.plans.Rules {
		out.Plans = append(out.Plans, p.Plan)
	}
	r, err := newRunner(c, l)
	if err != nil {
		return Outcome{Err: err}
	}
	if !r.ask() {
		out.TooLarge = true
		return out
	}
	whole := r.prefix[len(r.events)]
	for _, rule := range whole.Rules {
		out.Violated = out.Violated || len(rule.True) > 0
		out.Unknown = out.Unknown || len(rule.Unknown) > 0
	}
	for _, way := range []func() error{r.stepwise, r.batches, r.oneLook} {
		if out.Err = way(); out.Err != nil {
			return out
		}
	}
	return out
}

// A runner compares the evaluations of one case.
type runner struct {
	*loaded
	c      *Case
	rand   *rand.Rand
	ctx    context.Context
	events []*trace.Event // as the naive evaluator sees them
	prefix []*spec.Result // of the first i events
	opts   eval.Options
}

func newRunner(c *Case, l *loaded) (*runner, error) {
	r := &runner{loaded: l, c: c, rand: rand.New(rand.NewPCG(c.steps, 1)), ctx: context.Background()}
	events, err := c.decode()
	if err != nil {
		return nil, err
	}
	var log trace.Log
	for _, e := range events {
		r.events = append(r.events, log.Append(e))
	}
	r.opts = eval.Options{Input: l.input}
	if r.rand.IntN(2) == 0 {
		r.opts.Shown = 1 + r.rand.IntN(5)
	}
	r.opts.TextIndex = 1 + r.rand.IntN(4) // traces are too short for the default
	return r, nil
}

// ask asks the naive evaluator about every prefix. It reports false if one of
// them is too large for it.
func (r *runner) ask() bool {
	env := &builtin.Env{Context: r.ctx, Memo: builtin.NewMemo()}
	opts := &spec.Options{Input: r.input, Env: env, MaxAssignments: maxAssignments}
	r.prefix = make([]*spec.Result, len(r.events)+1)
	for i := len(r.events); i >= 0; i-- { // the largest first
		r.prefix[i] = spec.Evaluate(r.prog, r.events[:i], opts)
		if cut(r.prefix[i]) {
			return false
		}
	}
	return true
}

// cut reports whether the naive evaluator gave up on a rule.
func cut(res *spec.Result) bool {
	for _, rule := range res.Rules {
		if n := len(rule.Unknown); n > 0 && len(rule.Unknown[n-1].Causes) > 0 {
			for _, c := range rule.Unknown[n-1].Causes {
				if c.Reason == "budget" {
					return true
				}
			}
		}
	}
	return false
}

// stepwise appends event by event. Before each, all that is still to come is
// looked at as pending and taken back, which must change nothing.
func (r *runner) stepwise() error {
	events, err := r.c.decode() // events of its own, which it need not copy
	if err != nil {
		return err
	}
	s := eval.NewState(r.plans, r.opts)
	var before *spec.Result
	for i, e := range events {
		if r.rand.IntN(4) > 0 {
			if err := r.pending(s, before, i, events); err != nil {
				return err
			}
		}
		keep := r.rand.IntN(2) == 0
		res := s.Step(r.ctx, []*trace.Event{e}, keep)
		if err := r.compare(fmt.Sprintf("appending event %d", i), spec.New(before, r.prefix[i+1], true), res); err != nil {
			return err
		}
		s.Commit()
		before = r.prefix[i+1]
	}
	return nil
}

// pending looks at the events from i on, or some of them, and takes them back.
func (r *runner) pending(s *eval.State, before *spec.Result, i int, events []*trace.Event) error {
	end := len(events)
	if r.rand.IntN(3) == 0 {
		end = i + r.rand.IntN(end-i+1)
	}
	res := s.Step(r.ctx, events[i:end], false)
	err := r.compare(fmt.Sprintf("checking events %d to %d", i, end), spec.New(before, r.prefix[end], end > i), res)
	s.Rollback()
	return err
}

// batches appends several events at a time, or none. What an answer holds must
// be the same when the trace has gone on.
func (r *runner) batches() error {
	s := eval.NewState(r.plans, r.opts)
	var before *spec.Result
	again := func() error { return nil }
	for i := 0; i < len(r.events); {
		end := i + r.rand.IntN(min(5, len(r.events)-i+1))
		keep := r.rand.IntN(2) == 0
		res := s.Step(r.ctx, r.events[i:end], keep)
		step, want := fmt.Sprintf("appending events %d to %d in a batch", i, end), spec.New(before, r.prefix[end], end > i)
		if err := cmp.Or(again(), r.compare(step, want, res)); err != nil {
			return err
		}
		if !keep && r.rand.IntN(3) == 0 {
			s.Rollback()
			again = func() error { return nil }
			continue
		}
		s.Commit()
		if r.rand.IntN(6) == 0 { // as a state that was let go of and is rebuilt
			s = eval.NewState(r.plans, r.opts)
			s.Recall(r.ctx, r.events[:end])
		}
		again = func() error { return r.compare(step+", asked again later", want, res) }
		before, i = r.prefix[end], end
	}
	return again()
}

// oneLook takes in the whole trace in one step.
func (r *runner) oneLook() error {
	s := eval.NewState(r.plans, r.opts)
	res := s.Step(r.ctx, r.events, true)
	err := r.compare("the whole trace", r.prefix[len(r.events)], res)
	s.Commit()
	return err
}
