// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile_test

import (
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/syntax"
)

// plans are rules and the plans they get, as explain prints them.
var plans = []struct{ name, rule, want string }{
	{"tools come from guards", `raise "x" if:
    (c: ToolCall)
    c is tool:a or c.name in ["b", "c"]
    c.arguments.n > 1
`, "counted: c:ToolCall[a b c](2)"},
	{"order counts", `raise "x" if:
    (o: ToolOutput) -> (c: ToolCall)
    o is tool:read
`, "counted: o:ToolOutput[read](1), c:ToolCall, o < c"},
	{"negated order is loose", `raise "x" if:
    (a: ToolCall)
    (b: ToolCall)
    not (a -> b)
`, "counted: a:ToolCall, b:ToolCall, b <= a"},
	{"one key for all", `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.p == b.arguments.p
`, "counted: a:ToolCall, b:ToolCall, a < b, one key"},
	{"two keys are joined", `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.p == b.arguments.p
    a.arguments.q == b.arguments.r
`, "joined: a:ToolCall, b:ToolCall, a < b, hash a = b, hash a = b"},
	{"text in text", `raise "x" if:
    (o: ToolOutput)
    (c: ToolCall)
    c.arguments.q in o.content
`, "joined: o:ToolOutput, c:ToolCall, text of c in o"},
	{"drawn variables join their group", `raise "x" if:
    (m: Message)
    (w: str) in m.content.split(" ")
    w == "a"
`, "counted: m:Message+w:str(1)"},
	{"a literal list is drawn late", `raise "x" if:
    (c: ToolCall)
    (n: int) in [1, 2]
    c.arguments.n == n
`, "joined: c:ToolCall n:int drawn late, residual 1"},
	{"the next slot", `raise "x" if:
    (a: ToolCall) ~> (b: ToolOutput)
`, "joined: a:ToolCall, b:ToolOutput, a ~> b"},
	{"a settled quantifier is a guard", `raise "x" if:
    (c: ToolCall)
    not exists:
        (ok: ToolCall) -> c
        ok is tool:approve
`, "counted: c:ToolCall(1)"},
	{"an open count", `raise "x" if:
    (a: ToolCall)
    count(min=3):
        a -> (b: ToolCall)
`, "crossing: a:ToolCall; open count { b:ToolCall, outer < b }, until 3 later"},
	{"an open count of two", `raise "x" if:
    (a: ToolCall)
    count(min=2):
        a -> (b: ToolCall) -> (c: ToolCall)
`, "waiting: a:ToolCall; open count { b:ToolCall, c:ToolCall, outer < b, b < c }"},
	{"what may go away", `raise "x" if:
    forall:
        (c: ToolCall)
        c is tool:a
`, "whole: no variables; open forall { c:ToolCall(1) }"},
	{"anything else is residual", `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.n < b.arguments.n
`, "joined: a:ToolCall, b:ToolCall, a < b, residual 1"},
}

func TestPlans(t *testing.T) {
	for _, tt := range plans {
		t.Run(tt.name, func(t *testing.T) {
			got := planOf(t, tt.rule)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func planOf(t *testing.T, src string) string {
	t.Helper()
	file, list := syntax.Parse(diag.NewFile("plan.gr", []byte(src)))
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	prog, list := check.Check(file, &check.Config{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	out, list := compile.Compile(prog)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return out.Rules[0].String()
}

// TestTooLarge makes sure that predicates that call predicates do not make
// code without end.
func TestTooLarge(t *testing.T) {
	src := "p0(c: ToolCall) :=\n    c is tool:a\n"
	for i := range 40 {
		src += predicate(i)
	}
	src += "raise \"x\" if:\n    (c: ToolCall)\n    p40(c)\n"
	file, list := syntax.Parse(diag.NewFile("large.gr", []byte(src)))
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	prog, list := check.Check(file, &check.Config{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	_, list = compile.Compile(prog)
	if len(list) != 1 || list[0].Code != "P0350" {
		t.Errorf("got %v, want P0350", list)
	}
}

func predicate(i int) string {
	name := func(n int) string { return "p" + string(rune('0'+n/10)) + string(rune('0'+n%10)) }
	below := name(i)
	if i == 0 {
		below = "p0"
	}
	return name(i+1) + "(c: ToolCall) :=\n    " + below + "(c) or " + below + "(c)\n"
}
