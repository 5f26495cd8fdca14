// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
)

func TestMessage(t *testing.T) {
	const policy = `
raise Violation(f"pay {c.arguments.n}", c.name, to=c.arguments.to) if:
    (c: ToolCall) is tool:pay
`
	res := evaluate(t, policy, calls)
	if got, want := show(res, false), "pay 5 (c=0.tool_calls.0)\npay <unknown> (c=0.tool_calls.1)\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	m := res.Rules[0].True[1]
	if got, want := value.Display(m.Args[1])+" "+value.Display(m.Kwargs[0]), "pay eve"; got != want {
		t.Errorf("got arguments %q, want %q", got, want)
	}
}

func TestPredicates(t *testing.T) {
	const policy = `
LIMIT := 4
big(c: ToolCall) := c.arguments.n > LIMIT
ever(x, y) := 1 == 1 or x == y
word(m: Message, w) :=
    (v: str) in m.content.split(" ")
    v == w
raise "big" if:
    (c: ToolCall) is tool:pay
    big(c)
raise "lazy" if:
    ever(input.a, input.b)
raise "word" if:
    (m: Message)
    word(m, "b") and not word(m, "c")
`
	const trace = `[{"role": "user", "content": "a b b"}, {"role": "user", "content": "b c"},
		{"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": {"name": "pay", "arguments": {"n": 5}}}]}]`
	want := "big (c=2.tool_calls.0)\nlazy\nword (m=0)\n"
	if got := show(evaluate(t, policy, trace), false); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestEvidence shows which spans a violation has, and which not.
func TestEvidence(t *testing.T) {
	for _, c := range []struct{ name, body, trace, want string }{
		{"occurrences", `
			(m: Message)
			"l" in m.content`, hello, "0 0.content:2-3 0.content:3-4"},
		{"all operands that hold", `
			(m: Message)
			"h" in m.content or "z" in m.content or "o" in m.content`, hello, "0 0.content:0-1 0.content:4-5"},
		{"nothing under not", `
			(m: Message)
			not ("z" in m.content and "h" in m.content)`, hello, "0"},
		{"again under a second not", `
			(m: Message)
			not not ("h" in m.content)`, hello, "0 0.content:0-1"},
		{"a conjunction that is false marks nothing", `
			(m: Message)
			("h" in m.content and "z" in m.content) or 1 == 1`, hello, "0"},
		{"elements of any", `
			(m: Message)
			any([w in m.content for w in ["z", "h", "o"]])
			any(["e" in m.content, "z" in m.content])`, hello, "0 0.content:0-1 0.content:1-2 0.content:4-5"},
		{"filters of elements that do not hold", `
			(m: Message)
			any([w == "h" for w in ["e", "h"] if w in m.content])`, hello, "0 0.content:0-1"},
		{"the condition of if", `
			(m: Message)
			1 == 1 if "h" in m.content else 1 == 2`, hello, "0 0.content:0-1"},
		{"not what is drawn from", `
			(m: Message)
			(w: str) in find("l", m.content)`, hello, "0"},
		{"witnesses", `
			(m: Message)
			exists:
				(n: UserMessage)
				"b" in n.content
			forall:
				(o: ToolOutput)
				"xs" in o.content
			not exists:
				(o: ToolOutput)
				"zs" in o.content
			m.role == "assistant"`, talk, "0 0.content:2-3 1 3 3.content:0-1"},
		{"a predicate's own variables", `
			(c: ToolCall)
			said("b")`, talk, "0 0.content:2-3 1.tool_calls.0 3 3.content:0-1"},
		{"no more witnesses than 16", `
			exists:
				(n: int) in ` + "[" + strings.Repeat("1, ", 20) + "1]" + `
				(m: Message)
				n == 1`, hello, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			policy := "said(w) :=\n    (m: UserMessage)\n    w in m.content\nraise \"x\" if:\n" + indent(dedent(c.body))
			res := evaluate(t, policy, c.trace)
			if len(res.Rules[0].True) == 0 {
				t.Fatalf("no violation:\n%s", show(res, true))
			}
			if got := strings.Join(res.Rules[0].True[0].Ranges, " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestNew appends event by event.
func TestNew(t *testing.T) {
	const policy = `
raise "flow" if:
    (a: Message) -> (b: Message)
raise "two" if:
    count(min=2):
        (m: Message)
raise "no call" if:
    (m: UserMessage)
    not exists:
        (c: ToolCall)
raise "first" if:
    (m: UserMessage)
    (w: str) in m.content.split(" ")
    w == "b"
raise "unknown" if:
    (m: AgentMessage)
    m.content.x == 1
    exists:
        (n: UserMessage)
        "c" in n.content
`
	steps := []string{
		"no call (m=0)\nfirst (m=0 w=#1)\n",
		"flow (a=0 b=1)\ntwo\n",
		"flow (a=0 b=2)\nflow (a=1 b=2)\n",
		"flow (a=0 b=3)\nflow (a=1 b=3)\nflow (a=2 b=3)\n? text x1 (m=2) @2.content\n",
	}
	const trace = `[{"role": "user", "content": "a b"},
		{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "t", "arguments": {}}}]},
		{"role": "assistant", "content": "{"},
		{"role": "user", "content": "c"}]`
	prog, all := mustLoad(t, policy), place(t, trace)
	var before *spec.Result
	for i, want := range steps {
		after := spec.Evaluate(prog, all[:i+1], nil)
		if got := show(spec.New(before, after, true), false); got != want {
			t.Errorf("event %d adds\n%swant\n%s", i, got, want)
		}
		before = after
	}
	if got := show(spec.New(before, spec.Evaluate(prog, all, nil), false), false); got != "" {
		t.Errorf("nothing adds\n%s", got)
	}
}

func TestMaxAssignments(t *testing.T) {
	prog := mustLoad(t, "raise \"x\" if:\n    (a: ToolCall)\n    (b: ToolCall)\n")
	all := place(t, calls)
	for limit, want := range map[int]int{0: 0, 9: 0, 8: 1} {
		r := spec.Evaluate(prog, all, &spec.Options{MaxAssignments: limit}).Rules[0]
		if len(r.Unknown) != want || want > 0 && (r.Unknown[0].Causes[0].Reason != value.Budget || len(r.True) != limit) {
			t.Errorf("limit %d: got %d violations, unknown %v", limit, len(r.True), r.Unknown)
		}
	}
	quantified := mustLoad(t, "raise \"x\" if:\n    not exists:\n        (c: ToolCall) is tool:nothing\n")
	if r := spec.Evaluate(quantified, all, &spec.Options{MaxAssignments: 2}).Rules[0]; len(r.True) > 0 || len(r.Unknown) == 0 {
		t.Errorf("a quantifier that is cut decides: %v", r)
	}
}

// TestSize keeps the meaning short enough to be read, and apart from the
// evaluator that it judges.
func TestSize(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	const house = "github.com/holdfast-dev/holdfast/"
	allowed := []string{"diag", "syntax", "trace", "internal/check", "internal/builtin", "internal/value"}
	lines := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(src), "\n")
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if p, ours := strings.CutPrefix(path, house); ours && !slices.Contains(allowed, p) {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
	if lines > 600 {
		t.Errorf("the meaning takes %d lines, want at most 600", lines)
	}
}
