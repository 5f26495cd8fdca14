// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/eval"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// The random cases of the differential test are small, so that the naive
// evaluator can follow. Indexes begin to work where traces are long: these
// rules are held against it on some hundred events.
var longRules = map[string]string{
	"needle in output": `raise "x" if:
    (o: ToolOutput) -> (c: ToolCall)
    c.arguments.q in o.content
`,
	"output in argument": `raise "x" if:
    (o: ToolOutput) -> (c: ToolCall)
    o.content in c.arguments.body
`,
	"in either order": `raise "x" if:
    (o: ToolOutput)
    (c: ToolCall)
    c.arguments.q in o.content
`,
	"parts on the left": `raise "x" if:
    (m: Message)
    (c: ToolCall)
    m.content in c.arguments.body
`,
	"not every argument is a text": `raise "x" if:
    (o: ToolOutput)
    (c: ToolCall)
    c.arguments.any in o.content
`,
	"equal": `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.n == b.arguments.n
    a.arguments.q == b.arguments.q
`,
	"equal in three": `raise "x" if:
    (a: ToolCall) -> (b: ToolCall) -> (c: ToolOutput)
    a.arguments.n == b.arguments.n
    c.content == b.arguments.q
`,
	"one key": `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.q == b.arguments.q
`,
	"next": `raise "x" if:
    (a: ToolCall) ~> (b: ToolOutput) -> (c: ToolCall)
    a.arguments.q == c.arguments.q
`,
	"open count with a key": `raise "x" if:
    (a: ToolCall)
    count(min=4):
        a -> (b: ToolCall)
        b.arguments.q == a.arguments.q
`,
	"open count": `raise "x" if:
    (a: ToolCall)
    a is tool:t1
    count(min=9):
        a -> (b: ToolCall)
        b is tool:t2
`,
	"none before": `raise "x" if:
    (c: ToolCall)
    c is tool:t1
    not exists:
        (ok: ToolCall) -> c
        ok is tool:t2
        ok.arguments.q == c.arguments.q
`,
	"order alone": `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    (c: ToolOutput)
    a -> c
    not (c -> b)
    a is tool:t1
    b is tool:t2
    "x1" in c.content
`,
}

// TestLongTraces holds the indexes against the naive evaluator.
func TestLongTraces(t *testing.T) {
	for name, src := range longRules {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(2) {
				longTrace(t, src, seed)
			}
		})
	}
}

func longTrace(t *testing.T, src string, seed uint64) {
	t.Helper()
	prog, plans := load(t, src)
	n := 220
	if len(prog.Rules[0].Body.Vars) > 2 {
		n = 60 // the naive evaluator looks at every triple
	}
	r := rand.New(rand.NewPCG(seed, 7))
	events := func() []*trace.Event { return longEvents(t, rand.New(rand.NewPCG(seed, 8)), n) }

	var log trace.Log
	var placed []*trace.Event
	for _, e := range events() {
		placed = append(placed, log.Append(e))
	}
	before := spec.Evaluate(prog, placed[:n-1], nil).Rules[0]
	want := spec.Evaluate(prog, placed, nil).Rules[0]

	whole := eval.NewState(plans, eval.Options{}).Step(context.Background(), events(), true)
	same(t, "the whole trace", whole, want.True, uint64(len(want.True)), len(want.Unknown))

	s := eval.NewState(plans, eval.Options{})
	count, unknown := uint64(0), 0
	all := events()
	for i, e := range all {
		if r.IntN(3) == 0 || i == n-1 { // look, and take it back
			res := s.Step(context.Background(), []*trace.Event{e}, false)
			if i == n-1 {
				fresh := spec.New(&spec.Result{Rules: []spec.RuleResult{before}}, &spec.Result{Rules: []spec.RuleResult{want}}, true)
				same(t, "the last event", res, fresh.Rules[0].True, uint64(len(fresh.Rules[0].True)), len(fresh.Rules[0].Unknown))
			}
			s.Rollback()
		}
		res := s.Step(context.Background(), []*trace.Event{e}, r.IntN(2) == 0)
		if len(res.Rules) > 0 {
			count += res.Rules[0].Count
			unknown += unknowns(res.Rules[0])
		}
		s.Commit()
	}
	if count != uint64(len(want.True)) {
		t.Errorf("seed %d: event by event got %d violations, want %d", seed, count, len(want.True))
	}
	if unknown != len(want.Unknown) {
		t.Errorf("seed %d: event by event got %d unknown, want %d", seed, unknown, len(want.Unknown))
	}
}

// same compares counts and the first violations.
func same(t *testing.T, what string, got *eval.Result, want []spec.Match, count uint64, unknown int) {
	t.Helper()
	rr := &eval.RuleResult{}
	if len(got.Rules) > 0 {
		rr = got.Rules[0]
	}
	if rr.Count != count || unknowns(rr) != unknown {
		t.Errorf("%s: got %d violations and %d unknown, want %d and %d", what, rr.Count, unknowns(rr), count, unknown)
		return
	}
	if count == 0 {
		return
	}
	for i, m := range rr.First() {
		for k, v := range m.Values() {
			if v.Root().Index() != want[i].Vars[k].Root().Index() {
				t.Errorf("%s: violation %d, variable %d: got event %d, want %d", what, i, k, v.Root().Index(), want[i].Vars[k].Root().Index())
				return
			}
		}
	}
}

// unknowns counts the unknown assignments; the rules here have one cause each
// at most.
func unknowns(rr *eval.RuleResult) int {
	n := 0
	for _, e := range rr.Entries {
		n += int(e.Count)
	}
	return n
}

func load(t *testing.T, src string) (*check.Program, *eval.Program) {
	t.Helper()
	file, list := syntax.Parse(diag.NewFile("long.gr", []byte(src)))
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	prog, list := check.Check(file, &check.Config{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	plans, list := compile.Compile(prog)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return prog, eval.NewProgram(plans, nil, nil)
}

// longEvents makes events whose texts meet now and then.
func longEvents(t *testing.T, r *rand.Rand, n int) []*trace.Event {
	t.Helper()
	words := []string{"x1", "beta", "gamma2", "delta delta", "epsilon-epsilon", "é", "long enough for a head", "ab"}
	text := func(k int) string {
		var b strings.Builder
		for range k {
			b.WriteString(words[r.IntN(len(words))])
			fmt.Fprintf(&b, " %d ", r.IntN(30))
		}
		return b.String()
	}
	var out []*trace.Event
	for i := range n {
		switch r.IntN(6) {
		case 0:
			out = append(out, trace.UserText(words[r.IntN(len(words))]))
		case 1, 2:
			out = append(out, trace.Output(fmt.Sprintf("c%d", r.IntN(i+1)), text(r.IntN(12))))
		default:
			args := map[string]any{"q": words[r.IntN(len(words))], "n": r.IntN(12), "body": text(r.IntN(10)), "any": "beta"}
			if r.IntN(20) == 0 {
				args["any"] = r.IntN(3)
			}
			if r.IntN(9) == 0 {
				args["n"] = float64(r.IntN(12))
			}
			out = append(out, trace.Call(fmt.Sprintf("c%d", i), fmt.Sprintf("t%d", r.IntN(4)), args))
		}
	}
	return out
}
