// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/syntax"
)

// mustLoad is load for policies that are right.
func mustLoad(t *testing.T, src string) *check.Program {
	t.Helper()
	prog, list := load("policy.gr", src, config(check.Limits{}))
	if prog == nil {
		t.Fatal(list)
	}
	return prog
}

// varNames writes variables as `name?` where they are optional.
func varNames(vars []*check.Var) string {
	var out []string
	for _, v := range vars {
		name := v.Name
		if v.Optional {
			name += "?"
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestVariableOrder(t *testing.T) {
	tests := []struct{ src, want string }{
		{"(a: ToolCall) -> (b: ToolCall)\nb -> (c: ToolCall)", "a b c"},
		{"b -> a\n(a: ToolCall)\n(b: ToolCall)", "a b"},
		{"(w: str) in m.content\n(m: Message)\nw == m.role", "m w"},
		{"(w: str) in lines\n(m: Message)\n(c: ToolCall) -> m\nlines := m.content.splitlines()\nw == c.name", "m w c"},
		{"(x: str) in y\n(y: list) in z\n(z: dict)\nx == \"a\"", "z y x"},
		{"(a: ToolCall) is tool:a or (b: ToolCall) is tool:b", "a? b?"},
		{"(m: Message)\nm.role == \"a\" or (p: str) in m.content and p == \"b\"", "m p?"},
		{"((a: ToolCall) is tool:a) and (b: ToolCall) is tool:b", "a b"},
		{"x := (a: ToolCall) -> (b: ToolCall)\nx", "a b"},
		{"print((a: ToolCall), len([(b: ToolCall)]))", "a b"},
		{"a := 1\na == 1", ""},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			prog := mustLoad(t, "raise \"x\" if:\n    "+strings.ReplaceAll(test.src, "\n", "\n    ")+"\n")
			vars := prog.Rules[0].Body.Vars
			if got := varNames(vars); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			for i, v := range vars {
				if v.Index != i || v.Block != prog.Rules[0].Body || prog.Vars[v.Decl] != v {
					t.Errorf("%s: index %d, want %d", v.Name, v.Index, i)
				}
				if (v.In == nil) != (v.InAt == nil) {
					t.Errorf("%s: In and InAt must go together", v.Name)
				}
			}
		})
	}
}

func TestFree(t *testing.T) {
	prog := mustLoad(t, `
p(x) := x == "a"
raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    n := b.name
    p(n)
    any([a.name == w for w in ["a"]])
    not exists:
        (c: ToolCall) -> a
        n == c.name
        exists:
            (d: ToolCall) -> c
            d.name == n
    exists:
        (e: ToolCall)
    1 == 1
`)
	var got []string
	for _, cond := range prog.Rules[0].Body.Conds {
		got = append(got, varNames(prog.Free(cond)))
	}
	if want := []string{"a b", "b", "a", "a b", "", ""}; !slices.Equal(got, want) {
		t.Errorf("conditions: got %q, want %q", got, want)
	}
	var inner []string
	for n, q := range prog.Quants {
		inner = append(inner, fmt.Sprintf("%s: %s", varNames(q.Body.Vars), varNames(prog.Free(n))))
	}
	slices.Sort(inner)
	if want := []string{"c: a b", "d: b c", "e: "}; !slices.Equal(inner, want) {
		t.Errorf("quantifiers: got %q, want %q", inner, want)
	}
	vars := prog.Rules[0].Body.Vars
	if cond := prog.Rules[0].Body.Conds[1]; prog.Mentions(cond, vars[0]) || !prog.Mentions(cond, vars[1]) {
		t.Error("p(n) mentions b, through n, and not a")
	}
}

func TestQuantifiers(t *testing.T) {
	prog := mustLoad(t, `
N := 2
raise "x" if:
    (c: ToolCall)
    count(min=N, max=4):
        (x: ToolCall) -> c
    count(max=0):
        (x: ToolCall) -> c
    exists:
        (x: ToolCall) -> c
    not forall:
        (x: ToolCall) -> c
`)
	var got []string
	for _, cond := range prog.Rules[0].Body.Conds {
		if n, ok := cond.(*syntax.QuantCond); ok {
			q := prog.Quants[n]
			got = append(got, fmt.Sprint(q.Min, q.Max, q.Body.Outer == prog.Rules[0].Body))
		}
	}
	if want := []string{"2 4 true", "-1 0 true", "1 -1 true", "-1 -1 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRules(t *testing.T) {
	prog := mustLoad(t, `
# Looks at mail.
# id: no-mail # as the audit calls it
# on_unknown: ask
raise PolicyViolation("a", c, to=c.arguments.to) if:
    (c: ToolCall)
    c.name == input.tool or c.name == input.other

# id: too far above

ask "b" if:
    (c: ToolCall)
warn "b" if:
    (c: ToolCall) # a comment
warn  "b"  if:
    (c:ToolCall)
`)
	ids := []string{"no-mail", "policy/b", "policy/b-2", "policy/b-3"}
	for i, r := range prog.Rules {
		if r.ID != ids[i] || r.Index != i {
			t.Errorf("rule %d: id %q, want %q", i, r.ID, ids[i])
		}
	}
	if got := prog.Rules[0].OnUnknown + prog.Rules[1].OnUnknown; got != "ask" {
		t.Errorf("on_unknown: got %q, want ask", got)
	}
	if m := prog.Rules[0].Message; len(m.Args) != 2 || len(m.Kwargs) != 1 {
		t.Errorf("message: got %d and %d arguments, want 2 and 1", len(m.Args), len(m.Kwargs))
	}
	if in := prog.Inputs; len(in) != 2 || in[0].Name != "other" || in[1].Name != "tool" || in[0].Declared {
		t.Errorf("inputs: got %+v, want other and tool", in)
	}
}

// TestIDsAreStable holds the ids of unnamed rules fixed: settings and reports
// name rules by them.
func TestIDsAreStable(t *testing.T) {
	for message, want := range map[string]string{
		`"x"`:                      "policy/x",
		`"Mail to: {a stranger}!"`: "policy/mail-to-a-stranger",
		`PolicyViolation("äh, 2 € — no", c)`: "policy/äh-2-no",
		`"…"`:           "5d3525227e5c",
		`f"x {c.name}"`: "7426f0e4a1d9",
		`"` + strings.Repeat("long word ", 9) + `"`: "policy/long-word-long-word-long-word-long-word-long-word-long",
		`"` + strings.Repeat("x", 99) + `"`:         "policy/" + strings.Repeat("x", 57),
	} {
		prog := mustLoad(t, "raise "+message+" if:\n    (c: ToolCall)\n    c is tool:a\n")
		if got := prog.Rules[0].ID; got != want {
			t.Errorf("%s: got %s, want %s", message, got, want)
		}
	}
}

// TestNoTextMakesItPanic checks every beginning of every file of mistakes.
func TestNoTextMakesItPanic(t *testing.T) {
	for _, src := range chunks(t) {
		for end := 0; end < len(src); end += 7 {
			file, _ := syntax.Parse(diag.NewFile("policy.gr", []byte(src[:end])))
			_, _ = check.Check(file, config(check.Limits{}))
		}
	}
}

// TestDefinitionsThatDouble checks that names which use each other twice cost
// no time exponential in their number.
func TestDefinitionsThatDouble(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0 := \"\"\nl0 := [1 == 1]\np0(c) := c == 1\n")
	for i := 1; i < 60; i++ {
		fmt.Fprintf(&b, "a%d := a%d + a%d\nl%d := l%d if 1 == 1 else l%d\np%d(c) := p%d(c) and p%d(c) or l%d == a%d\n",
			i, i-1, i-1, i, i-1, i-1, i, i-1, i-1, i, i)
	}
	b.WriteString("raise \"x\" if:\n    (c: ToolCall)\n    p59(c)\n    match(a59, c.name)\n    any(l59)\n    (v0: ToolCall) in [c]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "    (v%d: ToolCall) in [v%d, v%d]\n", i, i-1, i-1)
	}
	b.WriteString("    v29 -> c\n")
	mustLoad(t, b.String())
}

// TestHashesSurviveFormatting: what makes an id of a rule without a plain
// message is nothing that the canonical form changes.
func TestHashesSurviveFormatting(t *testing.T) {
	const body = " if:\n    (c: ToolCall)\n    c is tool:'a'({to: 'b\\'c'  \"d\", 'e':1})  # why\n    '''f''' in c.arguments\n"
	for _, message := range []string{`'…'`, `f'x {c.name}'`, `f'{"a"} \''`, `'a' + input.x`} {
		src := "from invariant import ToolCall\nimport json\nraise " + message + body
		formatted, err := syntax.Format(diag.NewFile("policy.gr", []byte(src)))
		if err != nil {
			t.Fatal(err)
		}
		before, after := mustLoad(t, src).Rules[0].ID, mustLoad(t, string(formatted)).Rules[0].ID
		if before != after || len(before) != 12 {
			t.Errorf("%s: got %s, then %s", message, before, after)
		}
		other := mustLoad(t, "raise "+message+strings.Replace(body, "'f'", "'g'", 1)).Rules[0].ID
		if other == before {
			t.Errorf("%s: another rule has its id", message)
		}
	}
}
