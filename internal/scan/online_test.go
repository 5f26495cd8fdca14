// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scan_test

import (
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/trace"
)

const (
	hello = `{"role":"user","content":"hello"}`
	read  = `{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"read","arguments":{}}}]}`
	got   = `{"role":"tool","tool_call_id":"1","content":"secret 42"}`
	three = `{"role":"assistant","content":"","tool_calls":[` +
		`{"id":"2","type":"function","function":{"name":"read","arguments":{}}},` +
		`{"id":"3","type":"function","function":{"name":"send","arguments":{"text":"secret 42"}}},` +
		`{"id":"4","type":"function","function":{"name":"send","arguments":{}}}]}`
	bye = `{"role":"assistant","content":"bye"}`
)

func traceOf(t *testing.T, events ...string) *trace.Trace {
	t.Helper()
	out := &trace.Trace{}
	for _, src := range events {
		e, err := trace.DecodeEvent([]byte(src), nil)
		if err != nil {
			t.Fatal(err)
		}
		out.Events = append(out.Events, e)
	}
	return out
}

func TestOnline(t *testing.T) {
	flow := "raise \"flow\" if:\n    (a: ToolOutput) -> (b: ToolCall)\n    a is tool:read\n    b is tool:send\n"
	for name, test := range map[string]struct {
		policy   string
		events   []string
		decision holdfast.Decision
		stop     *report.Stop
		counts   int
	}{
		"nothing":           {flow, []string{hello, read, got, bye}, holdfast.Allow, nil, 0},
		"no event":          {flow, nil, holdfast.Allow, nil, 0},
		"the first of two":  {flow, []string{hello, read, got, three, bye}, holdfast.Deny, &report.Stop{Event: 3, Address: "3.tool_calls.1", Prevented: true}, 1},
		"in an argument":    {"raise \"x\" if:\n    (s: str)\n    s == \"secret 42\"\n", []string{read, three}, holdfast.Deny, &report.Stop{Event: 1, Address: "1.tool_calls.1", Prevented: true}, 1},
		"an output":         {"raise \"x\" if:\n    (o: ToolOutput)\n    \"secret\" in o.content\n", []string{hello, read, got, three}, holdfast.Deny, &report.Stop{Event: 2, Address: "2"}, 1},
		"what the user say": {"raise \"x\" if:\n    (m: UserMessage)\n", []string{hello, read}, holdfast.Deny, &report.Stop{Event: 0, Address: "0"}, 1},
		"a reply":           {"raise \"x\" if:\n    (m: AgentMessage)\n    m.content == \"bye\"\n", []string{hello, bye}, holdfast.Deny, &report.Stop{Event: 1, Address: "1", Prevented: true}, 1},
		"a question":        {"ask \"x\" if:\n    (c: ToolCall)\n    c is tool:send\n", []string{hello, three}, holdfast.Ask, &report.Stop{Event: 1, Address: "1.tool_calls.1", Prevented: true}, 1},
		"an unknown":        {"raise \"x\" if:\n    (c: ToolCall)\n    c is tool:send\n    c.arguments.text == \"x\"\n", []string{hello, three}, holdfast.Unknown, &report.Stop{Event: 1, Address: "1.tool_calls.2", Prevented: true}, 0},
		"only warnings":     {"warn \"x\" if:\n    (m: UserMessage)\n", []string{hello, read}, holdfast.Allow, nil, 1},
		"a warning before":  {"warn \"w\" if:\n    (m: UserMessage)\n" + flow, []string{hello, read, got, three}, holdfast.Deny, &report.Stop{Event: 3, Address: "3.tool_calls.1", Prevented: true}, 2},
		"what goes away": {
			"raise \"x\" if:\n    (c: ToolCall)\n    c is tool:read\n    not exists:\n        (o: ToolOutput)\n        o.tool == c\n",
			[]string{hello, read, got, bye},
			holdfast.Deny,
			&report.Stop{Event: 1, Address: "1.tool_calls.0", Prevented: true},
			1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := holdfast.Compile("p.gr", []byte(test.policy), nil)
			if err != nil {
				t.Fatal(err)
			}
			v, stop, err := scan.Online(p, nil)(t.Context(), traceOf(t, test.events...))
			if err != nil {
				t.Fatal(err)
			}
			if v.Decision() != test.decision || len(v.Counts()) != test.counts {
				t.Errorf("got %v with %d rules violated, want %v with %d", v.Decision(), len(v.Counts()), test.decision, test.counts)
			}
			if (stop == nil) != (test.stop == nil) || stop != nil && *stop != *test.stop {
				t.Errorf("stopped at %+v, want %+v", stop, test.stop)
			}
		})
	}
}

// Whole looks at all of a trace, so what went away again is not violated.
func TestWhole(t *testing.T) {
	policy := "raise \"x\" if:\n    (c: ToolCall)\n    not exists:\n        (o: ToolOutput)\n        o.tool == c\n"
	p, err := holdfast.Compile("p.gr", []byte(policy), nil)
	if err != nil {
		t.Fatal(err)
	}
	v, stop, err := scan.Whole(p, nil)(t.Context(), traceOf(t, hello, read, got))
	if err != nil || stop != nil || v.Decision() != holdfast.Allow {
		t.Errorf("got %v %+v %v", v.Decision(), stop, err)
	}
}
