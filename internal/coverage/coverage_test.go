// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package coverage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/coverage"
	"github.com/holdfast-dev/holdfast/trace"
)

const policy = `
far(c: ToolCall) :=
    c.arguments.n > 10
    not c.arguments.near
# id: mail
raise "x" if:
    (o: ToolOutput) -> (c: ToolCall)
    (c is tool:send and far(c)) or c is tool:mail
    exists:
        (p: str) in c.arguments
        p == "x"
    big := c.arguments.n > 5 or False
`

func call(name string, args map[string]any) *trace.Event { return trace.Call("1", name, args) }

func TestCollector(t *testing.T) {
	var c coverage.Collector
	compile := func() *holdfast.Policy {
		p, err := holdfast.Compile("p.gr", []byte(policy), nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// The same name elsewhere is another policy.
	other := func(name string) (string, int) { return "other.txtar", 100 }
	if err := c.Add(t.Context(), compile(), other, nil, &trace.Trace{}); err != nil {
		t.Fatal(err)
	}
	parts := c.Parts()
	if len(parts) != 2 || parts[1].Seen() || slices.ContainsFunc(parts[1].Conditions, (*coverage.Condition).Seen) ||
		parts[1].Policy != "other.txtar" || parts[1].Line != 106 || parts[1].Conditions[0].Line != 107 {
		t.Errorf("before any test: %+v", parts)
	}
	for range 2 { // a policy that is compiled again is the same
		tr := &trace.Trace{Events: []*trace.Event{
			call("read", nil), trace.Output("1", "out"),
			call("send", map[string]any{"n": 11, "near": false, "t": "x"}), call("mail", map[string]any{"t": "y"}),
		}}
		if err := c.Add(t.Context(), compile(), nil, nil, tr); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, p := range c.Parts()[2:] {
		got = append(got, fmt.Sprintf("%s:%d %s rule=%t violated=%d unknown=%d", p.Policy, p.Line, p.Name, p.Rule, p.Violated, p.Unknown))
		for _, k := range p.Conditions {
			got = append(got, fmt.Sprintf("  %d:%d %s: %d %d %d", k.Line, k.Column, k.Text, k.True, k.False, k.Unknown))
		}
	}
	want := []string{
		"p.gr:2 far rule=false violated=0 unknown=0",
		"  3:5 c.arguments.n > 10: 2 0 4",
		"  4:5 not c.arguments.near: 2 0 4",
		"p.gr:6 mail rule=true violated=2 unknown=0",
		"  7:5 (o: ToolOutput) -> (c: ToolCall): 4 2 0",
		"  8:6 c is tool:send: 2 4 0",
		"  8:25 far(c): 2 0 4",
		"  8:36 c is tool:mail: 2 4 0",
		"  9:5 exists:: 2 4 0",
		"  11:9 p == \"x\": 2 2 0",
		"  12:12 c.arguments.n > 5: 0 0 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
