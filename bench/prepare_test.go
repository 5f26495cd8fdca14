// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"testing"

	"cel.dev/cel-go/cel"
	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/holdfast-dev/holdfast/trace"
)

// A question asks one engine one thing, with everything prepared.
type question func() (denied bool, err error)

// A peer is an engine with its inputs ready, one question for each.
type peer struct {
	name      string
	questions []question
	before    func() // readies the input of the next question, untimed; may be nil
}

// must ends the test on an error, so that preparation reads as a list.
func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

// prepare makes one question of each input.
func prepare[In any](calls []Call, input func(Call) In, denied func(In) (bool, error)) []question {
	questions := make([]question, len(calls))
	for i, c := range calls {
		in := input(c)
		questions[i] = func() (bool, error) { return denied(in) }
	}
	return questions
}

// callPeers returns every engine with the first question.
func callPeers(tb testing.TB, calls []Call) []peer {
	ctx := context.Background()
	monitor, opa := must(NewMonitor())(tb), must(NewOPA(ctx))(tb)
	program, policies := must(NewCEL())(tb), must(NewCedar())(tb)
	return []peer{
		{name: "native", questions: prepare(calls, func(c Call) Call { return c },
			func(c Call) (bool, error) { return c.Denied(), nil })},
		{name: "holdfast", questions: prepare(calls, func(c Call) *trace.Event { return must(CallEvent(c))(tb) },
			func(e *trace.Event) (bool, error) { return monitor.Denied(ctx, e) })},
		{name: "cel-go", questions: prepare(calls, func(c Call) cel.Activation { return must(CELInput(c))(tb) }, program.Denied)},
		{name: "cedar-go", questions: prepare(calls, CedarInput, policies.Denied)},
		{name: "opa", questions: prepare(calls, func(c Call) ast.Value { return must(OPAInput(c))(tb) },
			func(v ast.Value) (bool, error) { return opa.Denied(ctx, v) })},
	}
}

// flowPeers returns the engines that can be asked the second question.
// Holdfast is asked twice: as a monitor that has followed the run, and, like
// OPA, with the whole trace and nothing kept from before.
func flowPeers(tb testing.TB, r Run) []peer {
	ctx := context.Background()
	monitor, opa := must(NewFlowMonitor(ctx, r))(tb), must(NewFlowOPA(ctx))(tb)
	pending := must(trace.DecodeEvent(r.Pending, nil))(tb)
	input := must(OPATrace(r))(tb)
	var whole *trace.Trace
	return []peer{
		{name: "holdfast-monitor", questions: []question{func() (bool, error) { return monitor.Denied(ctx, pending) }}},
		{
			name:      "holdfast-whole",
			questions: []question{func() (bool, error) { return monitor.DeniedWhole(ctx, whole) }},
			before:    func() { whole = must(trace.Decode(r.Whole(), nil))(tb) }, // a trace that was asked about once is copied
		},
		{name: "opa", questions: []question{func() (bool, error) { return opa.Denied(ctx, input) }}},
	}
}
