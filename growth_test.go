// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/workload"
	"github.com/holdfast-dev/holdfast/trace"
)

// kinds are the shapes of rules that must cost what a new event touches, not
// what the trace holds, and the plan each is to have.
var kinds = []struct{ name, policy, plan string }{
	{"unary", `raise "x" if:
    (c: ToolCall)
    c is tool:tool1
    c.arguments.n > 50
`, "counted"},
	{"three-step-chain", `raise "x" if:
    (a: ToolCall) -> (b: ToolCall) -> (c: ToolCall)
    a is tool:tool1
    b is tool:tool2
    c is tool:tool3
`, "counted"},
	{"negated-flow", `raise "x" if:
    (a: ToolCall)
    (b: ToolCall)
    a is tool:tool1
    b is tool:tool2
    not (b -> a)
`, "counted"},
	{"equality-join", `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.path == b.arguments.path
`, "counted"},
	{"open-count", `raise "x" if:
    (a: ToolCall)
    a is tool:tool1
    count(min=3):
        a -> (b: ToolCall)
        b is tool:tool2
`, "crossing"},
	{"none-before", `raise "x" if:
    (c: ToolCall)
    c is tool:tool1
    count(max=0):
        (ok: ToolCall) -> c
        ok is tool:tool2
`, "counted"},
	{"derived-variable", `raise "x" if:
    (c: ToolCall)
    (w: str) in c.arguments.body.split(" ")
    w == "budget7"
`, "counted"},
	{"containment", `raise "x" if:
    (o: ToolOutput) -> (c: ToolCall)
    c.arguments.body in o.content
`, "joined"},
}

// TestPlans holds each kind of rule to the plan that makes it cheap.
func TestPlans(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := compiled(t, k.policy).Explain(&out); err != nil {
				t.Fatal(err)
			}
			_, plan, _ := strings.Cut(out.String(), "plan:")
			plan = strings.TrimSpace(plan)
			if !strings.HasPrefix(plan, k.plan+":") {
				t.Errorf("got plan %q, want %s", plan, k.plan)
			}
			if strings.Contains(plan, "residual") {
				t.Errorf("got plan %q with a residual condition", plan)
			}
		})
	}
}

// TestAppendThatMatchesNothing makes sure that an event no rule cares for is
// free of garbage.
func TestAppendThatMatchesNothing(t *testing.T) {
	m := started(t, compiled(t, workload.Policy(100)))
	ctx := context.Background()
	if _, err := m.Append(ctx, workload.NewSource(1, 200).Events(100)...); err != nil {
		t.Fatal(err)
	}
	const n = 2000
	events := make([]*trace.Event, 0, n)
	for range n {
		events = append(events, trace.UserText("nothing to see"))
	}
	i := 0
	got := testing.AllocsPerRun(n-1, func() {
		if _, err := m.Append(ctx, events[i]); err != nil {
			t.Fatal(err)
		}
		i++
	})
	// The log itself grows now and then; rounded down that is nothing.
	if got != 0 {
		t.Errorf("got %v allocations for an append, want 0", got)
	}
}
