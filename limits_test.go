// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

func limited(l holdfast.Limits) *holdfast.MonitorOptions { return &holdfast.MonitorOptions{Limits: l} }

// A fact beyond a limit makes every later answer an error; a pending event
// beyond it is an error and nothing else.
func TestLimitOfFacts(t *testing.T) {
	ctx := context.Background()
	p := compile(t, planned[0].policy)
	small, large := trace.Call("1", "a", nil), trace.Call("2", "a", map[string]any{"text": strings.Repeat("x", 5000)})
	for name, test := range map[string]struct {
		limits holdfast.Limits
		beyond []*trace.Event
	}{
		"events": {holdfast.Limits{Events: 2}, []*trace.Event{small, small}},
		"bytes":  {holdfast.Limits{Bytes: 5000}, []*trace.Event{large}},
	} {
		m := start(t, p, limited(test.limits))
		appendTo(t, m, small)
		for _, ask := range []func() (holdfast.Verdict, error){
			func() (holdfast.Verdict, error) { return m.Check(ctx, test.beyond...) },
			func() (holdfast.Verdict, error) { return m.Admit(ctx, test.beyond) },
		} {
			if v, err := ask(); !errors.Is(err, holdfast.ErrLimit) || v.Allowed() {
				t.Errorf("%s: pending beyond the limit: %s, %v", name, v.Decision(), err)
			}
			if v, err := m.Check(ctx, small); err != nil || !v.Allowed() {
				t.Errorf("%s: after a check beyond the limit: %s, %v", name, v.Decision(), err)
			}
		}
		v, err := m.Append(ctx, test.beyond...)
		if !errors.Is(err, holdfast.ErrLimit) || v.Allowed() {
			t.Errorf("%s: a fact beyond the limit: %s, %v", name, v.Decision(), err)
		}
		for what, ask := range map[string]func() (holdfast.Verdict, error){
			"check":  func() (holdfast.Verdict, error) { return m.Check(ctx) },
			"admit":  func() (holdfast.Verdict, error) { return m.Admit(ctx, nil) },
			"append": func() (holdfast.Verdict, error) { return m.Append(ctx) },
		} {
			if v, err := ask(); !errors.Is(err, holdfast.ErrLimit) || v.Allowed() {
				t.Errorf("%s: %s after a fact was lost: %s, %v", name, what, v.Decision(), err)
			}
		}
		if _, err := p.Analyze(ctx, &trace.Trace{Events: append(test.beyond, small)}, limited(test.limits)); !errors.Is(err, holdfast.ErrLimit) {
			t.Errorf("%s: analysing: %v", name, err)
		}
	}
}

// What a denied or checked step took up is free again.
func TestLimitCountsWhatIsKept(t *testing.T) {
	m := start(t, compile(t, verbs), limited(holdfast.Limits{Events: 3, Bytes: 2000, Kept: 3}))
	for range 20 {
		checkWith(t, m, pending("warn", "warn", "warn")...)
		if v := admit(t, m, pending("deny", "warn", "warn")); v.Decision() != holdfast.Deny {
			t.Fatal(shown(v))
		}
	}
	if v := admit(t, m, pending("warn", "warn", "warn")); !v.Allowed() {
		t.Fatal(shown(v))
	}
	if _, err := m.Admit(context.Background(), pending("warn")); !errors.Is(err, holdfast.ErrLimit) {
		t.Errorf("a fourth event: %v", err)
	}
}

func TestLimitOfValues(t *testing.T) {
	p := compile(t, `raise "x" if:
    (m: Message)
    len(m.content + m.content) == 0
`)
	e := trace.UserText(strings.Repeat("x", 600))
	if v := checkWith(t, start(t, p, limited(holdfast.Limits{Value: 1200})), e); !v.Allowed() {
		t.Errorf("at the limit: %s", shown(v))
	}
	v := checkWith(t, start(t, p, limited(holdfast.Limits{Value: 1199})), e)
	if v.Decision() != holdfast.Unknown || v.Unknowns()[0].Reason != "too large" || v.Unknowns()[0].Span != "3:9-30" {
		t.Errorf("beyond it: %s", shown(v))
	}
	f := constant(strings.Repeat("x", 600), nil)
	p = with(t, "raise \"x\" if:\n    f(1) == \"\"\n", f)
	if v := checkWith(t, start(t, p, limited(holdfast.Limits{Value: 599}))); v.Decision() != holdfast.Unknown {
		t.Errorf("a function's result beyond it: %s", shown(v))
	}
}

// budgets are rules that need much more than 50 candidates in the step that
// adds 40 calls, with the verb of each rule's tools.
var budgets = []struct{ name, body string }{
	{"joined", `    (a: ToolCall)
    (b: ToolCall)
    a.arguments.n + b.arguments.n == %d
`},
	{"quantified", `    (m: UserMessage)
    exists:
        (a: ToolCall)
        (b: ToolCall)
        a.arguments.n + b.arguments.n == %d
`},
	{"whole", `    (m: UserMessage)
    not exists:
        (a: ToolCall)
        (b: ToolCall)
        a.arguments.n + b.arguments.n == %d
        a.arguments.n != b.arguments.n
`},
	{"waiting", `    (a: ToolCall)
    exists:
        (b: ToolCall)
        a.arguments.n + b.arguments.n == %d
        a.arguments.n != b.arguments.n
`},
	{"drawn", `    (m: UserMessage)
    (a: int) in m.metadata
    (b: int) in m.metadata
    a + b == %d
`},
	{"drawn thrice", `    (m: UserMessage)
    (a: int) in m.metadata
    (b: int) in m.metadata
    (s: str) in m.metadata
    len(s) == %d
`},
}

// crowd is 40 calls and a message with 40 numbers.
func crowd(t testing.TB) []*trace.Event {
	var ints []string
	for i := range 40 {
		ints = append(ints, fmt.Sprint(i))
	}
	message := `[{"role":"user","content":"hi","metadata":{"n":[` + strings.Join(ints, ",") + `]}}]`
	return append(decode(t, calls(40, "a")), decode(t, message)...)
}

func TestCandidateBudget(t *testing.T) {
	for _, x := range budgets {
		if x.name == "drawn thrice" {
			continue // no text is in the numbers: nothing to be unknown about at the large budget
		}
		src := "# id: heavy\nraise \"x\" if:\n" + fmt.Sprintf(x.body, -1) +
			"# id: other\nraise \"other\" if:\n    (c: ToolCall)\n    c.arguments.n == 39\n"
		p := compile(t, src)
		v := checkWith(t, start(t, p, limited(holdfast.Limits{Candidates: 50})), crowd(t)...)
		if v.Decision() != holdfast.Deny || len(v.Violations()) != 1 || v.Violations()[0].Rule.ID != "other" {
			t.Errorf("%s: the other rule's violation is hidden: %s", x.name, shown(v))
		}
		spent(t, x.name, v)
		v = checkWith(t, start(t, p, nil), crowd(t)...)
		if len(v.Unknowns()) > 0 {
			t.Errorf("%s: with the default budget: %s", x.name, shown(v))
		}
	}
}

// spent checks that the rule "heavy" is unknown for its budget.
func spent(t *testing.T, name string, v holdfast.Verdict) {
	t.Helper()
	for _, u := range v.Unknowns() {
		if u.Rule.ID == "heavy" && u.Reason == "budget" {
			return
		}
	}
	t.Errorf("%s: the rule is not unknown for its budget: %s", name, shown(v))
}

// A rule that was violated before its budget ran out is violated at least so
// often.
func TestBudgetAfterAViolation(t *testing.T) {
	p := compile(t, "# id: heavy\nraise \"x\" if:\n"+fmt.Sprintf(budgets[0].body, 3))
	v := checkWith(t, start(t, p, limited(holdfast.Limits{Candidates: 400})), crowd(t)...)
	if v.Decision() != holdfast.Deny || len(v.Counts()) != 1 || !v.Counts()[0].AtLeast || v.Counts()[0].N == 0 {
		t.Errorf("got %s", shown(v))
	}
	spent(t, "after a violation", v)
}

// A budget that ran out over facts is not forgotten: what was not looked at
// then may be what the next step completes.
func TestBudgetIsNotForgotten(t *testing.T) {
	p := compile(t, `# id: heavy
raise "x" if:
    (a: ToolCall)
    (b: ToolCall)
    a.arguments.n <= b.arguments.n
    exists:
        (o: ToolOutput)
        o.content == "go"
        a.arguments.n == 38 and b.arguments.n == 39
`)
	m := start(t, p, limited(holdfast.Limits{Candidates: 100}))
	if v := appendTo(t, m, decode(t, calls(40, "a"))...); v.Decision() != holdfast.Unknown {
		t.Fatalf("the facts: %s", shown(v))
	}
	v := admit(t, m, []*trace.Event{trace.Output("c1", "go")})
	if v.Allowed() {
		t.Fatal("the step that completes a violation was allowed")
	}
	spent(t, "later", v)
}

// Nor is a key that could not be computed when its element came: it may be
// there when it is compared, and equal to others that were counted.
func TestBudgetOfKeysIsNotForgotten(t *testing.T) {
	p := compile(t, `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    len([x for x in a.arguments.l]) > 1
    len([x for x in a.arguments.l]) > 2
    len([x for x in a.arguments.l]) > 3
    len([x for x in a.arguments.l]) == len([x for x in b.arguments.l])
`)
	var l []any
	for i := range 40 {
		l = append(l, i)
	}
	event := func() *trace.Event { return trace.Call("", "a", map[string]any{"l": l}) }
	for steps := 1; steps < 400; steps++ {
		m := start(t, p, limited(holdfast.Limits{Steps: steps}))
		appendTo(t, m, event())
		if v := admit(t, m, []*trace.Event{event()}); v.Allowed() {
			t.Fatalf("with %d steps the step that violates was allowed", steps)
		}
	}
}

func TestStepBudget(t *testing.T) {
	p := compile(t, `# id: heavy
raise "x" if:
    (m: UserMessage)
    any([any([x + y == -1 for y in m.metadata.n]) for x in m.metadata.n])
# id: other
raise "other" if:
    (m: UserMessage)
    m.content == "hi"
`)
	v := checkWith(t, start(t, p, limited(holdfast.Limits{Steps: 200})), crowd(t)...)
	if v.Decision() != holdfast.Deny || len(v.Violations()) != 1 {
		t.Errorf("the other rule's violation is hidden: %s", shown(v))
	}
	spent(t, "steps", v)
	if v := checkWith(t, start(t, p, nil), crowd(t)...); len(v.Unknowns()) > 0 {
		t.Errorf("with the default budget: %s", shown(v))
	}
}

// Each candidate has a budget of its own, but many candidates do not have many
// budgets: what a rule computes in one step is bounded, too.
func TestStepBudgetInAll(t *testing.T) {
	p := compile(t, `
raise "x" if:
    (c: ToolCall)
    not exists:
        (o: ToolOutput) -> c
        o.content.startswith(c.name)
`)
	run := &trace.Trace{}
	for i := range 300 { // each call is held against 300 outputs
		id := fmt.Sprint(i)
		run.Events = append(run.Events, trace.Call(id, "a", nil), trace.Output(id, "b"))
	}
	for steps, unknown := range map[int]bool{1_000_000: false, 10_000: true} {
		v, err := p.Analyze(t.Context(), run, limited(holdfast.Limits{Steps: steps}))
		if err != nil {
			t.Fatal(err)
		}
		if v.Decision() != holdfast.Deny || (len(v.Unknowns()) > 0) != unknown {
			t.Errorf("%d steps: %s", steps, shown(v))
		}
	}
}

// Beyond what may be kept a rule is unknown, and stays so: it has missed
// something.
func TestKeptBudget(t *testing.T) {
	for _, x := range []struct{ name, body string }{
		{"candidates", "    (a: ToolCall)\n    (b: ToolCall)\n    a.arguments.n + b.arguments.n == -1\n"},
		{"quantified", "    (m: UserMessage)\n    not exists:\n        (a: ToolCall)\n        a.arguments.n < 39\n"},
		{"waiting", "    (a: UserMessage)\n    (b: UserMessage)\n    exists:\n        (o: ToolOutput)\n        o.content == a.content\n"},
		{"drawn", "    (c: ToolCall)\n    (s: str) in c.arguments\n    (o: ToolOutput)\n    s == o.content\n"},
	} {
		p := compile(t, "# id: heavy\nraise \"x\" if:\n"+x.body)
		m := start(t, p, limited(holdfast.Limits{Kept: 20}))
		events := decode(t, calls(40, "a"))
		for range 8 {
			events = append(events, trace.UserText("hi"))
		}
		if x.name == "quantified" {
			events = events[:40]
		}
		appendTo(t, m, events...)
		v := checkWith(t, m, trace.UserText("hi"))
		if v.Allowed() || v.Decision() == holdfast.Deny {
			t.Errorf("%s: got %s", x.name, shown(v))
		}
		spent(t, x.name, v)
	}
}

func TestLimitsOfTheDecoder(t *testing.T) {
	deep := func(n int) string {
		return `[{"role":"user","content":"x","metadata":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}]`
	}
	if _, err := trace.Decode([]byte(deep(60)), nil); err != nil {
		t.Errorf("60 levels: %v", err)
	}
	for name, src := range map[string]string{
		"depth":          deep(70),
		"depth, no end":  strings.Repeat("[", 1_000_000),
		"duplicate keys": `[{"role":"user","content":"x","content":"y"}]`,
		"no UTF-8":       "[{\"role\":\"user\",\"content\":\"\xff\"}]",
		"role":           `[{"role":"robot","content":"x"}]`,
		"case":           `[{"Role":"user","content":"x"}]`,
		"bytes":          `[{"role":"user","content":"` + strings.Repeat("x", 65<<20) + `"}]`,
	} {
		tr, err := trace.Decode([]byte(src), nil)
		var bad *trace.Error
		if tr != nil || !errors.As(err, &bad) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := trace.Decode([]byte(`[{"role":"user","content":"x"},{"role":"user","content":"x"}]`), &trace.DecodeOptions{MaxEvents: 1}); err == nil {
		t.Error("two events where one may be: no error")
	}
	if _, err := trace.Decode([]byte(`[{"role":"user","content":"x"}]`), &trace.DecodeOptions{MaxBytes: 10}); err == nil {
		t.Error("31 bytes where 10 may be: no error")
	}
}

// An element beyond the limit is loaded and unknown wherever it is read, and
// only there.
func TestLargeElementIsUnknown(t *testing.T) {
	p := compile(t, `raise "x" if:
    (m: Message)
    "needle" in m.content
raise "role" if:
    (m: Message)
    m.role == "system"
`)
	src := `[{"role":"system","content":"` + strings.Repeat("x", 2<<20) + `needle"}]`
	v := appendTo(t, start(t, p, nil), decode(t, src)...)
	if v.Decision() != holdfast.Deny || len(v.Violations()) != 1 || len(v.Unknowns()) != 1 || v.Unknowns()[0].Reason != "too large" {
		t.Errorf("got %s", shown(v))
	}
	if _, err := trace.Decode([]byte(src), &trace.DecodeOptions{Strict: true}); err == nil {
		t.Error("strict: no error")
	}
}

// Hostile traces for rules that draw or join: the budgets hold, whatever the
// shape.
func TestBudgetsHoldForHostileTraces(t *testing.T) {
	var items strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&items, `%d,"s%d",`, i, i)
	}
	large := decode(t, `[{"role":"user","content":"hi","metadata":{"n":[`+items.String()+`0]}}]`)
	for _, x := range budgets {
		p := compile(t, "# id: heavy\nraise \"x\" if:\n"+fmt.Sprintf(x.body, -1))
		events := append(decode(t, calls(2000, "a")), large...)
		v := checkWith(t, start(t, p, limited(holdfast.Limits{Candidates: 100_000})), events...)
		spent(t, x.name, v)
	}
	// Two variables of one value each search it once, not once for each other.
	p := compile(t, `raise "x" if:
    (m: UserMessage)
    (a: str) in m.metadata
    (b: Image) in m.metadata
`)
	if v := checkWith(t, start(t, p, nil), large...); !v.Allowed() {
		t.Errorf("got %s", shown(v))
	}
}

// Many texts with one beginning, and a text that is made of that beginning, are
// neither a memory nor a time that grows with their product.
func TestHostileTextsAreBounded(t *testing.T) {
	p := compile(t, `# id: heavy
raise "x" if:
    (c: ToolCall)
    (s: str) in c.arguments
    (o: ToolOutput)
    s in o.content
`)
	var needles []any
	for i := range 20_000 {
		needles = append(needles, fmt.Sprintf("aaaaaaaa%05d", i))
	}
	m := start(t, p, limited(holdfast.Limits{Steps: 100_000}))
	appendTo(t, m, trace.Call("1", "f", map[string]any{"l": needles}))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v := appendTo(t, m, trace.Output("1", strings.Repeat("a", 300_000)))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
	spent(t, "texts", v)
}

// Checking and being denied for ever takes no more memory than doing it once.
func TestMemoryDoesNotGrowByAsking(t *testing.T) {
	asked := constant(true, nil)
	asked.Effect = true
	p, err := holdfast.Compile("policy.gr", []byte(`raise "text" if:
    (o: ToolOutput)
    (c: ToolCall)
    c.arguments.text in o.content
raise "json" if:
    (c: ToolCall)
    json_loads(c.arguments.text).k == 1
raise "key" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.text == b.arguments.text
raise "asked" if:
    (c: ToolCall)
    f(c.arguments.text)
`), &holdfast.Options{Functions: []holdfast.Function{asked}})
	if err != nil {
		t.Fatal(err)
	}
	m := start(t, p, nil)
	appendTo(t, m, trace.Output("0", "hello"))
	ask := func(n int) {
		for i := range n {
			text := fmt.Sprintf(`{"k": 1, "n": %d, "s": "%s"}`, i, strings.Repeat("x", 100_000))
			step := []*trace.Event{trace.Call("1", "send", map[string]any{"text": text})}
			checkWith(t, m, step...)
			if admit(t, m, step).Allowed() {
				t.Fatal("the step was allowed")
			}
		}
	}
	ask(50)
	before := heap()
	ask(400)
	// 400 steps of 100 kB each are 40 MB.
	if after := heap(); after > before+10<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}

func heap() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}
