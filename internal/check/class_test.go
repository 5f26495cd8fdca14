// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// classPrelude gives the rules of TestClasses predicates to call.
const classPrelude = `
from invariant.detectors import pii
local(c: ToolCall) := c is tool:a
word(m: Message) :=
    (w: str) in m.content.split(" ")
    w == "bye"
approved() :=
    (ok: ToolCall)
    ok is tool:approve
approved_before(c: ToolCall) :=
    (ok: ToolCall) -> c
    ok is tool:approve
never_before(c: ToolCall) :=
    count(max=0):
        (x: ToolCall) -> c
only() :=
    forall:
        (x: ToolCall)
        x is tool:a
raise "x" if:
    `

// TestClasses is the table of docs/spec.md, with its edges.
func TestClasses(t *testing.T) {
	const (
		retracts = "retracts"
		prevents = "prevents"
		external = "external"
	)
	tests := []struct{ src, want string }{
		{"(c: ToolCall)\nc is tool:a", "local prevents"},
		{"(o: ToolOutput)\no is tool:a", "local"},
		{"(o: ToolOutput) -> (c: ToolCall)", "local prevents"},
		{"(c: ToolCall) -> (o: ToolOutput)", "local"},
		{"(c: ToolCall)\n(o: ToolOutput)\nnot (c -> o)", "local prevents"},
		{"(m: Message)\n\"a\" in m.content", "local prevents"},
		{"(m: AgentMessage)\n\"a\" in m.content", "local prevents"},
		{"(m: UserMessage)\n\"a\" in m.content", "local"},
		{"(m: Message)\nm.role == \"user\"", "local"},
		{"(m: Message)\nm.role == \"assistant\"", "local prevents"},
		{"(m: Message)\n\"user\" == m.role and True", "local"},
		{"(m: Message)\nm.role == \"user\" or \"a\" in m.content", "local prevents"},
		{"(t: Tool)\n\"a\" in t.description", "local"},
		{"(t: TextChunk)\n\"a\" in t.text", "local prevents"},
		{"(o: ToolOutput)\n(d: dict) in o.tool.arguments\nd.x == 1", "local"},
		{"(o: ToolOutput)\nt := o.content\n(c: ToolCall)\no -> c\n\"a\" in t", "local prevents"},
		{"(c: ToolCall)\nlocal(c)", "local prevents"},
		{"(m: Message)\nnot word(m)", "local prevents"},
		{"(m: Message)\nany(pii(m))", "local prevents external"},
		{"(c: ToolCall)\nc is tool:a({to: [<PERSON>]})", "local prevents external"},
		{"len(\"abc\") > 0", "local prevents"},

		{"(c: ToolCall)\ncount(max=0):\n    (x: ToolCall) -> c", "past prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: ToolCall) -> c", "past prevents"},
		{"(c: ToolCall)\nforall:\n    (w: str) in c.arguments\n    w == \"a\"", "past prevents"},
		{"(c: ToolCall)\ncount(min=1, max=2):\n    (x: ToolCall) ~> c", "past prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: ToolCall) -> (y: ToolCall) -> c", "past prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: ToolCall) -> y\n    (y: ToolCall)\n    y -> c", "past prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: Message) -> c and x.role == \"user\"", "past prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: Message) -> c\n    (w: str) in x.content.split()\n    w == \"a\"", "past prevents"},
		{"(c: ToolCall)\nnot exists:\n    (w: str) in c.arguments\n    w == \"a\"", "past prevents"},
		{"(o: ToolOutput)\nnot exists:\n    (x: ToolCall) -> o.tool", "global retracts"},
		{"(c: ToolCall)\nnot approved_before(c)", "past prevents"},
		{"(c: ToolCall)\nnever_before(c)", "past prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: ToolCall) -> c\n    not exists:\n        (y: ToolCall) -> x", "past prevents"},

		{"exists:\n    (x: ToolCall)", "growing prevents"},
		{"count(min=3):\n    (x: ToolOutput)", "growing"},
		{"not forall:\n    (x: ToolCall)\n    x is tool:a", "growing prevents"},
		{"not count(max=2):\n    (x: ToolCall)\n    x is tool:a", "growing prevents"},
		{"(c: ToolCall)\nexists:\n    c -> (x: ToolCall)", "growing prevents"},
		{"(c: ToolCall)\ncount(min=2):\n    c -> (x: ToolOutput)", "growing"},
		{"(c: ToolCall)\napproved() or c is tool:a", "growing prevents"},
		{"(c: ToolCall)\nok := approved()\nok and c is tool:a", "growing prevents"},
		{"exists:\n    (x: ToolCall)\n    exists:\n        x -> (y: ToolCall)", "growing prevents"},
		{"(c: ToolCall)\nexists:\n    (x: ToolCall) -> c\n    exists:\n        x -> (y: ToolCall)", "growing prevents"},

		{"forall:\n    (x: ToolCall)\n    x is tool:a", "global retracts prevents"},
		{"(c: ToolCall)\nforall:\n    (x: ToolCall) -> c", "global retracts prevents"},
		{"count(max=3):\n    (x: ToolCall)", "global retracts prevents"},
		{"count(min=1, max=3):\n    (x: ToolCall)", "global retracts prevents"},
		{"not exists:\n    (x: ToolCall)", "global retracts prevents"},
		{"(c: ToolCall)\nnot exists:\n    c -> (x: ToolCall)", "global retracts prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: ToolCall)\n    not (c -> x)", "global retracts prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: ToolCall) -> c or x is tool:a", "global retracts prevents"},
		{"(c: ToolCall)\nnot exists:\n    (x: ToolCall) -> c\n    (y: ToolCall)", "global retracts prevents"},
		{"(o: ToolOutput)\nnot exists:\n    (x: ToolCall)\n    x.function -> o", "global retracts"},
		{"(c: ToolCall)\nnot approved()", "global retracts prevents"},
		{"(c: ToolCall)\nonly()", "global retracts prevents"},
		{"(c: ToolCall)\napproved() == True", "global retracts prevents"},
		{"(c: ToolCall)\n(True if approved() else False)", "global retracts prevents"},
		{"(c: ToolCall)\nexists:\n    (x: ToolCall) -> c\n    not exists:\n        x -> (y: ToolCall)", "global retracts prevents"},
		{"exists:\n    (x: ToolCall)\nnot exists:\n    (y: Message)", "global retracts prevents"},
		{"(c: ToolCall)\nc is tool:a or (x: ToolCall) is tool:b", "global retracts prevents"},
		{"not forall:\n    c is tool:a or (x: ToolCall) is tool:b\n(c: ToolCall)", "global retracts prevents"},
		{"(m: Message)\n\"a\" in m.content or (x: ToolCall) in m.tool_calls", "local prevents"},
		// What is certain without an element is not when one could not be read.
		{"exists:\n    True or (x: ToolCall) is tool:b", "global retracts prevents"},
		{"count(min=2):\n    True or (x: ToolCall) is tool:b", "global retracts prevents"},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			prog, list := load("policy.gr", classPrelude+strings.ReplaceAll(test.src, "\n", "\n    ")+"\n", nil)
			if prog == nil {
				t.Fatal(list)
			}
			r := prog.Rules[0]
			got := r.Class.String()
			for _, flag := range []struct {
				name string
				is   bool
			}{{retracts, r.Retracts}, {prevents, r.Preventive}, {external, r.External}} {
				if flag.is {
					got += " " + flag.name
				}
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if warned := strings.Contains(list.Error(), "P0309"); warned != r.Retracts {
				t.Errorf("warning P0309: got %v, want %v", warned, r.Retracts)
			}
			if warned := strings.Contains(list.Error(), "P0310"); warned == r.Preventive {
				t.Errorf("warning P0310: got %v, want %v", warned, !r.Preventive)
			}
		})
	}
}

func TestAnchored(t *testing.T) {
	prog, list := load("policy.gr", `
raise "x" if:
    (c: ToolCall)
    exists:
        (a: ToolCall) -> c
    exists:
        c -> (b: ToolCall)
    exists:
        (d: ToolCall) -> c
        exists:
            d -> (e: ToolCall)
`, nil)
	if prog == nil {
		t.Fatal(list)
	}
	want := map[string]bool{"a": true, "b": false, "d": false, "e": false}
	for _, q := range prog.Quants {
		if v := q.Body.Vars[0].Name; q.Anchored != want[v] {
			t.Errorf("block of %s: anchored %v, want %v", v, q.Anchored, want[v])
		}
	}
}

func TestPolarity(t *testing.T) {
	prog, list := load("policy.gr", `
both(x: ToolCall, y: ToolCall) := x.function -> y
unused(x: ToolCall, y: ToolCall) := x -> y.arguments
raise "x" if:
    (c: ToolCall) -> (d: ToolCall)
    not (d -> c)
    not (c is tool:a and not (c ~> d))
    b := d.function -> c
    not b
    both(c, d) or not both(d, c)
    (c.arguments -> d) == True
    not exists:
        (e: ToolCall) -> c
    forall:
        (f: ToolCall)
        f -> c
    count(max=3):
        (g: ToolCall) -> c
    count(min=1, max=3):
        (h: ToolCall) -> c
`, nil)
	if prog == nil {
		t.Fatal(list)
	}
	var got []string
	for flow, p := range prog.Flows {
		got = append(got, fmt.Sprintf("%s: %s", flow.Span().Text(), p))
	}
	slices.Sort(got)
	want := []string{
		"(c: ToolCall) -> (d: ToolCall): positive",
		"(e: ToolCall) -> c: negative",
		"(g: ToolCall) -> c: negative",
		"(h: ToolCall) -> c: mixed",
		"c ~> d: positive",
		"c.arguments -> d: mixed",
		"d -> c: negative",
		"d.function -> c: negative",
		"f -> c: positive",
		"x.function -> y: mixed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// TestSpanOfWarnings looks at what the warnings underline.
func TestSpanOfWarnings(t *testing.T) {
	_, list := load("policy.gr", "raise \"x\" if:\n    (o: ToolOutput)\n    not exists:\n        o -> (c: ToolCall)\n", nil)
	var got []string
	for _, d := range list {
		got = append(got, d.Span.Text())
	}
	if want := []string{"(o: ToolOutput)", "not exists"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
