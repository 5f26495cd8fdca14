// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/syntax"
)

// prelude gives the expressions of TestTypes something to speak of.
const prelude = `
import json
from invariant.detectors import pii, python_code
LIMIT := 3
WORDS := ["a", "b"]
long(c: ToolCall) := len(c.name) > LIMIT
raise "x" if:
    (c: ToolCall)
    (m: Message) -> c
    (e: Event)
    (o: ToolOutput) -> c
    (d: dict) in c.arguments
    lines := m.content.splitlines()
    `

// TestTypes compares the type of every part of a condition.
func TestTypes(t *testing.T) {
	tests := []struct{ src, want string }{
		{`c.function.name == "a"`, `(== (. (. c~ToolCall function)~Function name)~str "a")~bool`},
		{`c.arguments.to == 1`, `(== (. (. c~ToolCall arguments)~dict to) 1)~bool`},
		{`o.tool is tool:a({x: "b.*"})`, `(is (. o~ToolOutput tool)~ToolCall tool:a({x: "b.*"}))~bool`},
		{`e.content is not None`, `(is not (. e~Event content) None)~bool`},
		{`e.server == "a"`, `(== (. e~Event server)~str "a")~bool`},
		{`len(m.content) + 1 < LIMIT`, `(< (+ (call len (. m~Message content))~int 1)~int LIMIT~int)~bool`},
		{`len(m.content) / 2 > 1.5`, `(> (/ (call len (. m~Message content))~int 2)~float 1.5)~bool`},
		{`2 ** len(m.content) > 9`, `(> (** 2 (call len (. m~Message content))~int) 9)~bool`},
		{`7 // 2 % 2 == 1`, `(== (% (// 7 2)~int 2)~int 1)~bool`},
		{`m.role + "x" in WORDS`, `(in (+ (. m~Message role)~str "x")~str WORDS~list)~bool`},
		{`m.content in WORDS`, `(in (. m~Message content) WORDS~list)`},
		{`any(WORDS in m.content)`, `(call any (in WORDS~list (. m~Message content))~list)~bool`},
		{`lines[0] == "a"`, `(== (index lines~list 0)~str "a")~bool`},
		{`m.role[0:2] == "us"`, `(== (slice (. m~Message role)~str 0 2)~str "us")~bool`},
		{`m.tool_calls[0].name == "a"`, `(== (. (index (. m~Message tool_calls)~list 0)~ToolCall name)~str "a")~bool`},
		{`any([w == "a" for w in WORDS if w])`, `(call any (for (== w~str "a")~bool WORDS~list w~str)~list)~bool`},
		{`any([k == v for k, v in d.items()])`, `(call any (for (== k v)~bool (method items d~dict)~list)~list)~bool`},
		{`not long(c) and True`, `(and (not (predicate long c~ToolCall)~bool)~bool True)~bool`},
		{`m -> c ~> o`, `(-> ~> m~Message c~ToolCall o~ToolOutput)~bool`},
		{`("a" if m.role == "b" else "c") == "c"`, `(== (if-else "a" (== (. m~Message role)~str "b")~bool "c")~str "c")~bool`},
		{`json.loads(o.content)["ok"] == False`, `(== (index (call loads (. o~ToolOutput content)) "ok") False)~bool`},
		{`python_code(c.arguments.code).syntax_error`, `(. (call python_code (. (. c~ToolCall arguments)~dict code))~PythonDetectorResult syntax_error)~bool`},
		{`any(pii(m, entities=["A"]))`, `(call any (call pii m~Message (list "A")~list)~list)~bool`},
		{`f"{m.role}: {len(lines)}" == "x"`, `(== (fstring (. m~Message role)~str (call len lines~list)~int)~str "x")~bool`},
		{`(x: ToolCall) in m.tool_calls`, `(in (var x)~ToolCall (. m~Message tool_calls)~list)~bool`},
		{`(f: File) -> (u: UserMessage)`, `(-> (var f)~File (var u)~UserMessage)~bool`},
		{`input.owner == m.role`, `(== (. input owner) (. m~Message role)~str)~bool`},
		{`None.x == None`, `(== (. None x)~None None)~bool`},
		{`{a: 1}.get("a") == min(1, 2)`, `(== (method get (dict a 1)~dict "a") (call min 1 2))~bool`},
		{`tool_call(o).name.startswith("a")`, `(method startswith (. (call tool_call o~ToolOutput)~ToolCall name)~str "a")~bool`},
		{`(1, 2) == (-c.arguments.n, 1)`, `(== (tuple 1 2) (tuple (- (. (. c~ToolCall arguments)~dict n)) 1))~bool`},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			prog, list := load("policy.gr", prelude+test.src+"\n", nil)
			if prog == nil {
				t.Fatal(list)
			}
			if got := prog.Typed(lastCond(prog)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// lastCond returns the last condition of the first rule.
func lastCond(prog *check.Program) syntax.Expr {
	conds := prog.Rules[0].Body.Conds
	return conds[len(conds)-1].(*syntax.ExprCond).X
}

// TestFieldNumbers asks which members are read by number, which is only safe
// where the value must have the type.
func TestFieldNumbers(t *testing.T) {
	const p, q = "p(c: ToolCall) := c.name == 1\n", "q(d: ToolCall) := p(d)\n"
	tests := []struct{ name, predicates, rule, want string }{
		{"a variable", "", "(c: ToolCall)\n    c.name == 1", "c.name=5"},
		{"elements below it", "", "(o: ToolOutput)\n    o.tool.function.name == 1", "o.tool.function.name=0 o.tool.function=2 o.tool=5"},
		{"a binding", "", "(o: ToolOutput)\n    f := o.tool\n    f.name == 1", "f.name=5 o.tool=5"},
		{"an event", "", "(e: Event)\n    e.name == 1", "e.name=-1"},
		{"what an index finds", "", "(m: Message)\n    m.tool_calls[0].name == 1", "m.tool_calls=2 m.tool_calls[0].name=-1"},
		{"a comprehension", "", "(m: Message)\n    any([c.name == 1 for c in m.tool_calls])", "c.name=-1 m.tool_calls=2"},
		{"what a function finds", "", "(o: ToolOutput)\n    tool_call(o).name == 1", "tool_call(o).name=5"},
		{"a parameter that is always a call", p, "(c: ToolCall)\n    p(c)", "c.name=5"},
		{"a parameter that may be anything", p, "(c: ToolCall)\n    p(c.arguments.x)", "c.arguments.x=-1 c.arguments=6 c.name=-1"},
		{"a parameter of another type", p, "(c: Message)\n    p(c)", "c.name=-1"},
		{"a parameter passed on", p + q, "(c: ToolCall)\n    q(c)", "c.name=5"},
		{"a parameter passed on, loose", p + q, "(c: ToolCall)\n    q(c.arguments)", "c.arguments=6 c.name=-1"},
		{"a narrowed message", "r(m: Message) := m.role == 1\n", "(u: UserMessage)\n    r(u)", "m.role=0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			prog, list := load("policy.gr", test.predicates+"raise \"x\" if:\n    "+test.rule+"\n", nil)
			if prog == nil {
				t.Fatal(list)
			}
			var got []string
			for m, member := range prog.Members {
				got = append(got, fmt.Sprintf("%s=%d", m.Span().Text(), member.Field))
			}
			slices.Sort(got)
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
