// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec_test

import "testing"

// The traces that the cases share.
const (
	hello = `[{"role": "user", "content": "hello"}]`

	// calls has three calls in one message; their arguments differ.
	calls = `[{"role": "assistant", "content": "", "tool_calls": [
		{"id": "1", "function": {"name": "pay", "arguments": {"n": 5, "to": "bob"}}},
		{"id": "2", "function": {"name": "pay", "arguments": {"to": "eve"}}},
		{"id": "3", "function": {"name": "look", "arguments": {}}}]}]`

	// talk has a call and its output between two messages.
	talk = `[{"role": "user", "content": "a b"},
		{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": {"l": [1, 2]}}}]},
		{"role": "tool", "tool_call_id": "1", "content": "{\"xs\": [1, 2, 3]}"},
		{"role": "user", "content": "b c"}]`

	// broken has a call whose arguments cannot be read.
	broken = `[{"role": "assistant", "content": "", "tool_calls": [
		{"id": "1", "function": {"name": "t", "arguments": "{oops"}}, {"id": "2", "function": {"name": "t", "arguments": {"n": 7}}}]}]`
)

// A meaning is a policy's body below `raise "x" if:`, a trace and what comes of
// them.
type meaning struct{ name, body, trace, want string }

func (c meaning) run(t *testing.T) {
	t.Parallel()
	policy := "raise \"x\" if:\n" + indent(dedent(c.body))
	if got, want := show(evaluate(t, policy, c.trace), false), dedent(c.want); got != want {
		t.Errorf("got\n%swant\n%s%s", got, want, policy)
	}
}

func TestAssignments(t *testing.T) {
	for _, c := range []meaning{
		{"no condition uses it", `(c: ToolCall)`, calls, `
			x (c=0.tool_calls.0)
			x (c=0.tool_calls.1)
			x (c=0.tool_calls.2)`},
		{"nothing to range over", `
			(m: Message)
			(o: ToolOutput)`, hello, ``},
		{"two variables, one element", `
			(a: Message)
			(b: Message)
			a.content == b.content`, hello, `x (a=0 b=0)`},
		{"lexicographic", `
			(a: UserMessage)
			(n: int) in [1, 2]
			(b: UserMessage)`, talk, `
			x (a=0 n=#0 b=0)
			x (a=0 n=#0 b=3)
			x (a=0 n=#1 b=0)
			x (a=0 n=#1 b=3)
			x (a=3 n=#0 b=0)
			x (a=3 n=#0 b=3)
			x (a=3 n=#1 b=0)
			x (a=3 n=#1 b=3)`},
		{"derived from a later line", `
			w == "b"
			(w: str) in m.content.split(" ")
			(m: UserMessage)`, talk, `
			x (m=0 w=#1)
			x (m=3 w=#0)`},
		{"an element of the trace is there once", `
			(c: ToolCall) is tool:look
			(d: ToolCall) in [c, c]`, calls, `x (c=0.tool_calls.2 d=0.tool_calls.2)`},
		{"equal computed elements are several", `
			(w: str) in ["a", "a"]
			w == "a"`, hello, `
			x (w=#0)
			x (w=#1)`},
		{"elements of arguments", `
			(n: int)
			n > 1`, talk, `x (n=1.tool_calls.0.function.arguments.l.1)`},
		{"deep search of JSON text", `
			(o: ToolOutput)
			(n: int) in o.content.xs
			n == 3`, talk, `x (o=2 n=#2)`},
		{"None holds nothing", `
			(m: AgentMessage)
			(s: str) in m.content`, talk, ``},
		{"no variable at all", `1 == 1`, hello, `x`},
	} {
		t.Run(c.name, c.run)
	}
}

func TestThreeValues(t *testing.T) {
	for _, c := range []meaning{
		{"a false condition guards before and after", `
			c.arguments.n > 1
			(c: ToolCall) is tool:pay`, calls, `
			x (c=0.tool_calls.0)
			? missing x1 (c=0.tool_calls.1) @0.tool_calls.1.function.arguments`},
		{"or is decided by a true operand", `
			(c: ToolCall)
			c.arguments.n == 5 or c.arguments.to == "eve"`, calls, `
			x (c=0.tool_calls.0)
			x (c=0.tool_calls.1)
			? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments
			? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments`},
		{"not of unknown", `
			(c: ToolCall) is tool:look
			not c.arguments.n == 5`, calls, `? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments`},
		{"strict: the causes of the first operand", `
			(c: ToolCall) is tool:look
			c.arguments.a + c.arguments.b == 1`, calls, `? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments`},
		{"one cause, several assignments", `
			(c: ToolCall)
			c.arguments.nothing == 1`, calls, `? missing x3 (c=0.tool_calls.0) @0.tool_calls.0.function.arguments`},
		{"if is unknown with its condition", `
			(c: ToolCall) is tool:look
			1 == 1 if c.arguments.n == 1 else 1 == 1`, calls, `? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments`},
		{"the other branch is not looked at", `
			(c: ToolCall) is tool:look
			1 == 1 if "n" not in c.arguments else c.arguments.n == 1`, calls, `x (c=0.tool_calls.2)`},
		{"any of a list is decided by one", `
			(c: ToolCall)
			any([c.arguments.n == 5, c.arguments.to == "eve"])
			all([c.arguments.to == "eve", c.arguments.n == 5])`, calls, `
			? missing x2 (c=0.tool_calls.1) @0.tool_calls.1.function.arguments
			? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments
			? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments
			? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments`},
		{"any of anything else is strict", `
			(c: ToolCall) is tool:look
			xs := [c.arguments.n == 5, 1 == 1]
			any(xs)`, calls, `? missing x1 (c=0.tool_calls.2) @0.tool_calls.2.function.arguments`},
		{"an unknown filter makes an element possible", `
			(m: Message)
			any([w == 1 for w in [1, 2] if input.a])
			all([w == 1 for w in [1, 1] if input.b])`, hello, `
			? parameter x1 (m=0)`},
		{"an unknown filter of a false element does not matter", `
			not any([w == 3 for w in [1, 2] if input.a])
			all([w == 1 for w in [1, 1] if input.b])`, hello, `x`},
		{"an unknown source is one unknown turn", `
			not any([False for w in input.a])
			all([True for w in input.a])`, hello, `x`},
		{"an unknown source may be empty", `any([True for w in input.a])`, hello, `? parameter x1`},
		{"an element that cannot be taken apart", `
			any([a == 1 for a, b in [(1, 2), 3]])
			not all([a == 1 for a, b in [(2, 2), 3]])`, hello, `x`},
		{"a comprehension is strict", `[1 for a, b in [3]] == [1]`, hello, `? type x1`},
		{"a binding is unknown where it is used", `
			n := input.a
			1 == 1 or n == 1`, hello, `x`},
		{"print is true", `print(input.a, input.b)`, hello, `x`},
		{"equality is total", `1 != "1"`, hello, `x`},
		{"a list on the left of in", `
			(m: Message)
			any(["e", "z"] in m.content)
			any(["e", "z"] not in m.content)
			not all(["e", "z"] in m.content)`, hello, `x (m=0)`},
		{"f-string with a format that does not fit", `f"{'a':d}" == "a"`, hello, `? type x1`},
		{"slices without bounds", `"abc"[:2] == "ab" and "abc"[1:] == "bc" and "abc"[:] == "abc"`, hello, `x`},
		{"dicts, tuples, numbers", `{a: 1, "b": (1, 2)}["b"][1] == 2 ** 1 and -1 < +1`, hello, `x`},
		{"defaults and further arguments", `max(1, 3, 2) == 3 and "a b".split() == ["a", "b"] and {a: 1}.get("b", 4) == 4`, hello, `x`},
	} {
		t.Run(c.name, c.run)
	}
}

func TestUnknownDomains(t *testing.T) {
	for _, c := range []meaning{
		{"an unknown membership", `
			(n: int) in input.xs
			n > 1`, hello, `? parameter x1 (n=#0?)`},
		{"a false condition without the variable", `
			(n: int) in input.xs
			1 == 2`, hello, ``},
		{"another domain is empty", `
			(n: int) in input.xs
			(c: ToolCall)`, hello, ``},
		{"a scalar of another type", `
			(n: int) in "text"
			n > 1`, hello, `? type x1 (n=#0?)`},
		{"no condition mentions it", `
			b := (n: int) in input.xs
			1 == 1`, hello, `? parameter x1 (n=#0?)`},
		{"an element that cannot be read", `
			(n: int)
			n == 7`, broken, `
			x (n=0.tool_calls.1.function.arguments.n)
			? arguments x1 (n=0.tool_calls.0.function.arguments?) @0.tool_calls.0.function.arguments`},
		{"it has its place", `
			(c: ToolCall) -> (n: int)`, broken, `
			x (c=0.tool_calls.0 n=0.tool_calls.1.function.arguments.n)`},
		{"it leaves a quantifier unknown", `
			(n: int)
			exists:
				(m: UserMessage)
				n == 7`, broken, `? arguments x1 (n=0.tool_calls.0.function.arguments?) @0.tool_calls.0.function.arguments`},
	} {
		t.Run(c.name, c.run)
	}
}

func TestQuantifiers(t *testing.T) {
	for _, c := range []meaning{
		{"count in bounds", `
			count(min=2, max=3):
				(c: ToolCall)`, calls, `x`},
		{"count above", `
			count(max=2):
				(c: ToolCall)`, calls, ``},
		{"count that unknown ones may reach", `
			count(min=2):
				(c: ToolCall)
				c.arguments.n == 5`, calls, `? missing x1 @0.tool_calls.1.function.arguments`},
		{"count that they cannot reach", `
			not count(min=4):
				(c: ToolCall)
				c.arguments.n == 5`, calls, `x`},
		{"count that they cannot leave", `
			count(min=1):
				(c: ToolCall)
				c.arguments.n == 5`, calls, `x`},
		{"an unknown domain has no bound", `
			count(min=9):
				(n: int) in input.xs`, hello, `? parameter x1`},
		{"exists over nothing", `
			exists:
				(o: ToolOutput)`, hello, ``},
		{"forall over nothing", `
			forall:
				(o: ToolOutput)
				1 == 2`, hello, `x`},
		{"forall with a false one", `
			not forall:
				(c: ToolCall)
				c.arguments.to == "bob"`, calls, `x`},
		{"forall over what is not known cannot be false", `
			not forall:
				(n: int) in input.xs
				1 == 2`, hello, `? parameter x1`},
		{"nothing beside an unknown domain", `
			forall:
				(n: int) in input.xs
				(o: ToolOutput)
				1 == 2`, hello, `x`},
		{"a body without variables", `
			(c: ToolCall)
			not exists:
				c is tool:pay`, calls, `x (c=0.tool_calls.2)`},
		{"a body sees the variables around it", `
			(a: ToolCall)
			exists:
				a -> (b: ToolCall)
				count(max=0):
					b -> (c: ToolCall)`, calls, `
			x (a=0.tool_calls.0)
			x (a=0.tool_calls.1)`},
	} {
		t.Run(c.name, c.run)
	}
}

func TestOptionalVariables(t *testing.T) {
	for _, c := range []meaning{
		{"it has an element", `(m: UserMessage) and ("z" in m.content or (c: ToolCall) is tool:t)`, talk, `
			x (m=0 c=1.tool_calls.0)
			x (m=3 c=1.tool_calls.0)`},
		{"it has none", `(m: Message) and ("h" in m.content or (c: ToolCall) is tool:t)`, hello, `x (m=0 c=-)`},
		{"its operand is false", `(m: Message) and ("z" in m.content or (c: ToolCall) is tool:t)`, hello, ``},
		{"so is every other condition", `
			(m: Message)
			"h" in m.content or (c: ToolCall) is tool:t
			not c is tool:other`, hello, ``},
		{"so is another operand of and", `
			(m: Message)
			("h" in m.content or (c: ToolCall) is tool:t) and c.name != "x"`, hello, ``},
		{"so is another operand of or", `
			(m: Message)
			(c: ToolCall) is tool:t or not c is tool:u or "h" in m.content`, hello, `x (m=0 c=-)`},
		{"through a binding", `
			(m: Message)
			name := c.name
			(c: ToolCall) is tool:t or name != "x" or "h" in m.content`, hello, `x (m=0 c=-)`},
		{"declared in a binding", `
			(m: Message)
			b := "h" in m.content or (c: ToolCall) is tool:t
			b`, hello, `x (m=0 c=-)`},
		{"in a quantifier's body", `
			(m: Message)
			"h" in m.content or (c: ToolCall) is tool:t
			not exists:
				(d: ToolCall) -> c`, hello, ``},
		{"a membership that mentions it is empty", `
			(m: Message)
			"h" in m.content or (c: ToolCall) is tool:t and (s: str) in c.arguments`, hello, `x (m=0 c=- s=-)`},
		{"an unknown domain is not nothing", `
			(m: Message)
			"z" in m.content or ((n: int) in input.xs and n == 1)`, hello, `? parameter x1 (m=0 n=#0?)`},
	} {
		t.Run(c.name, c.run)
	}
}

func indent(s string) string {
	out := ""
	for _, line := range splitLines(s) {
		out += "    " + line + "\n"
	}
	return out
}
