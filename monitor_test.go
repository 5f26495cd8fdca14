// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/difftest"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// planned has one policy for each plan, the joins of the counted one by order
// and by key.
var planned = []struct{ name, plan, policy string }{
	{"counted", "counted", `raise f"{a.name}" if:
    (a: ToolCall) -> (b: ToolCall)
    a is tool:send
`},
	{"keyed", "counted", `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.to == b.arguments.to
`},
	{"joined", "joined", `raise PolicyViolation("x", b.arguments.n, k=a) if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.n < b.arguments.n
`},
	{"crossing", "crossing", `raise "x" if:
    (a: ToolCall)
    count(min=2):
        (b: ToolCall)
        a -> b
`},
	{"waiting", "waiting", `raise "x" if:
    (a: ToolCall)
    exists:
        (o: ToolOutput)
        a -> o
        o.content != a.name
`},
	{"whole", "whole", `raise "x" if:
    (a: ToolCall)
    not exists:
        (b: ToolCall)
        b is tool:read
        a.arguments.to == b.arguments.to
`},
	{"no variables", "joined", `raise "x" if:
    count(min=2):
        (b: ToolCall)
`},
	{"drawn", "joined", `raise "x" if:
    (c: ToolCall)
    (s: str) in c.arguments
    (o: ToolOutput)
    s in o.content
`},
}

// libSource is the file that random policies import.
const libSource = `WHO := ["bob", "a"]
sends(c: ToolCall) := c is tool:send
`

var libFiles = fstest.MapFS{"lib.gr": {Data: []byte(libSource)}}

func compile(t testing.TB, src string) *holdfast.Policy {
	t.Helper()
	p, err := holdfast.Compile("policy.gr", []byte(src), &holdfast.Options{Files: libFiles})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func start(t testing.TB, p *holdfast.Policy, opts *holdfast.MonitorOptions) *holdfast.Monitor {
	t.Helper()
	m, err := p.Monitor(opts)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func decode(t testing.TB, src string) []*trace.Event {
	t.Helper()
	tr, err := trace.Decode([]byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	return tr.Events
}

func appendTo(t testing.TB, m *holdfast.Monitor, events ...*trace.Event) holdfast.Verdict {
	t.Helper()
	v, err := m.Append(context.Background(), events...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func checkWith(t testing.TB, m *holdfast.Monitor, events ...*trace.Event) holdfast.Verdict {
	t.Helper()
	v, err := m.Check(context.Background(), events...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func admit(t testing.TB, m *holdfast.Monitor, events []*trace.Event, approvals ...holdfast.Approval) holdfast.Verdict {
	t.Helper()
	v, err := m.Admit(context.Background(), events, approvals...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// shown is everything that a verdict shows, as text.
func shown(v holdfast.Verdict) string {
	var b strings.Builder
	fmt.Fprintln(&b, v.Decision())
	for _, x := range v.Violations() {
		fmt.Fprintln(&b, violationText(x))
	}
	for _, c := range v.Counts() {
		fmt.Fprintf(&b, "count %d %d %t\n", c.Rule.Index, c.N, c.AtLeast)
	}
	for _, u := range v.Unknowns() {
		fmt.Fprintf(&b, "unknown %d %s:%d %s at %q %s %s %v %s x%d %t\n",
			u.Rule.Index, u.Policy, u.Line, u.Span, u.Address, u.Reason, u.Detail, u.Events, bindingsText(u.Bindings), u.Count, u.AtLeast)
	}
	fmt.Fprintln(&b, "degraded", len(v.Degraded()), "asking", len(v.Asking()))
	return b.String()
}

func violationText(x holdfast.Violation) string {
	return fmt.Sprintf("violation %d %q %q %v %v %s %v", x.Rule.Index, x.Message, x.Args, x.Kwargs, x.Events, bindingsText(x.Bindings), x.Ranges)
}

func bindingsText(bs map[string]holdfast.Binding) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(bs)) {
		b := bs[name]
		out = append(out, fmt.Sprintf("%s=%s#%d %v", name, b.At, b.Index, b.Value))
	}
	return "{" + strings.Join(out, "; ") + "}"
}

func TestPlansOfTestPolicies(t *testing.T) {
	for _, x := range planned {
		var b strings.Builder
		if err := compile(t, x.policy).Explain(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "plan:    "+x.plan) {
			t.Errorf("%s: the plan is not %s:\n%s", x.name, x.plan, b.String())
		}
	}
}

// A twin is a policy under test, with the naive evaluator's view of it.
type twin struct {
	name   string
	policy *holdfast.Policy
	prog   *check.Program
	source string
}

func twinOf(t testing.TB, name, src string) *twin {
	t.Helper()
	file, list := syntax.Parse(diag.NewFile("policy.gr", []byte(src)))
	if list.Err() != nil {
		t.Fatal(list)
	}
	prog, list := check.Check(file, &check.Config{Import: func(*syntax.File, string) (*syntax.File, map[string]*builtin.Func, error) {
		file, list := syntax.Parse(diag.NewFile("lib.gr", []byte(libSource)))
		return file, nil, list.Err()
	}})
	if list.Err() != nil {
		t.Fatal(list)
	}
	return &twin{name: name, policy: compile(t, src), prog: prog, source: src}
}

// evaluate asks the naive evaluator about a whole trace; false if it is too
// large for it.
func (w *twin) evaluate(events []*trace.Event) (*spec.Result, bool) {
	return w.evaluatePlaced(place(events))
}

// place puts events into a log of their own.
func place(events []*trace.Event) []*trace.Event {
	var log trace.Log
	placed := make([]*trace.Event, len(events))
	for i, e := range events {
		placed[i] = log.Append(e)
	}
	return placed
}

func (w *twin) evaluatePlaced(placed []*trace.Event) (*spec.Result, bool) {
	res := spec.Evaluate(w.prog, placed, &spec.Options{MaxAssignments: 4000})
	for _, r := range res.Rules {
		for _, m := range r.Unknown {
			for _, c := range m.Causes {
				if c.Reason == "budget" {
					return nil, false
				}
			}
		}
	}
	return res, true
}

// decision is what the naive evaluator's result comes to.
func decision(res *spec.Result) holdfast.Decision {
	d := holdfast.Allow
	for _, r := range res.Rules {
		verb := r.Rule.Node.Verb
		if verb == syntax.Raise && len(r.True) > 0 {
			d = min(d, holdfast.Deny)
		}
		if verb == syntax.Raise && len(r.Unknown) > 0 {
			d = min(d, holdfast.Unknown)
		}
		if verb == syntax.Ask && len(r.True)+len(r.Unknown) > 0 {
			d = min(d, holdfast.Ask)
		}
	}
	return d
}

// twins are the planned policies and n random ones, each with some traces.
func twins(t *testing.T, n int, do func(t *testing.T, w *twin, rnd *rand.Rand, tr string)) {
	t.Helper()
	for i, x := range planned {
		w := twinOf(t, x.name, x.policy)
		for k := range uint64(12) {
			do(t, w, rand.New(rand.NewPCG(uint64(i), k)), difftest.Generate(900, uint64(i)*100+k).Trace())
		}
	}
	for k := range uint64(n) {
		c := difftest.Generate(901, k)
		if _, err := holdfast.Compile("policy.gr", []byte(c.Policy), &holdfast.Options{Files: libFiles}); err != nil {
			continue
		}
		do(t, twinOf(t, fmt.Sprint("random ", k), c.Policy), rand.New(rand.NewPCG(k, 3)), c.Trace())
	}
}

// batches cuts a trace into steps.
func batches(rnd *rand.Rand, events []*trace.Event) (out [][]*trace.Event) {
	for len(events) > 0 {
		n := min(1+rnd.IntN(3), len(events))
		out = append(out, events[:n:n])
		events = events[n:]
	}
	return out
}

// Check says what Append says, any number of times, and changes nothing: a
// monitor that was never asked goes on in the same way.
func TestCheckChangesNothing(t *testing.T) {
	twins(t, 300, func(t *testing.T, w *twin, rnd *rand.Rand, tr string) {
		asked, plain := start(t, w.policy, nil), start(t, w.policy, nil)
		mine, theirs := decode(t, tr), decode(t, tr)
		for at := 0; at < len(mine); {
			for range 1 + rnd.IntN(2) {
				end := at + rnd.IntN(len(mine)-at+1)
				checkWith(t, asked, mine[at:end]...)
			}
			n := min(1+rnd.IntN(3), len(mine)-at)
			checked := shown(checkWith(t, asked, mine[at:at+n]...))
			got := shown(appendTo(t, asked, mine[at:at+n]...))
			want := shown(appendTo(t, plain, theirs[at:at+n]...))
			if checked != want || got != want {
				t.Fatalf("%s at %d+%d: checking gave\n%sappending then\n%sappending alone\n%s\n%s\n%s", w.name, at, n, checked, got, want, w.source, tr)
			}
			at += n
		}
	})
}

// Check then Admit is Admit; what is denied leaves no trace, so a monitor that
// was never offered it goes on in the same way.
func TestAdmitLeavesNoTraceOfWhatItDenies(t *testing.T) {
	allowed, denied := 0, 0
	twins(t, 300, func(t *testing.T, w *twin, rnd *rand.Rand, tr string) {
		offered, plain := start(t, w.policy, nil), start(t, w.policy, nil)
		theirs := batches(rand.New(rand.NewPCG(1, 1)), decode(t, tr))
		for i, step := range batches(rand.New(rand.NewPCG(1, 1)), decode(t, tr)) {
			checked := ""
			if rnd.IntN(2) == 0 {
				checked = shown(checkWith(t, offered, step...))
			}
			v := admit(t, offered, step)
			if got := shown(v); checked != "" && got != checked {
				t.Fatalf("%s: admitting gave\n%schecking\n%s", w.name, got, checked)
			}
			if !v.Allowed() {
				denied++
				continue
			}
			allowed++
			if got, want := shown(v), shown(appendTo(t, plain, theirs[i]...)); got != want {
				t.Fatalf("%s: step %d: got\n%swant\n%s\n%s\n%s", w.name, i, got, want, w.source, tr)
			}
		}
	})
	if allowed < 100 || denied < 100 {
		t.Errorf("%d steps were allowed and %d denied: too few to say anything", allowed, denied)
	}
}

// What Admit lets in never violates, as the naive evaluator sees it; and what
// it refuses is refused for a reason that the naive evaluator sees too.
func TestAdmittedTracesNeverViolate(t *testing.T) {
	allowed, denied := 0, 0
	twins(t, 400, func(t *testing.T, w *twin, rnd *rand.Rand, tr string) {
		m := start(t, w.policy, nil)
		var in []*trace.Event
		var before *spec.Result
		for _, step := range batches(rnd, decode(t, tr)) {
			after, ok := w.evaluate(append(slices.Clone(in), step...))
			if !ok {
				return
			}
			want := decision(spec.New(before, after, true))
			v := admit(t, m, step)
			if v.Decision() != want {
				t.Fatalf("%s: got %s, want %s\n%s\n%s", w.name, v.Decision(), want, w.source, tr)
			}
			if !v.Allowed() {
				denied++
				continue
			}
			allowed++
			in, before = append(in, step...), after
			if d := decision(after); d != holdfast.Allow {
				t.Fatalf("%s: a trace that was admitted is %s\n%s\n%s", w.name, d, w.source, tr)
			}
		}
	})
	if allowed < 200 || denied < 200 {
		t.Errorf("%d steps were allowed and %d denied: too few to say anything", allowed, denied)
	}
}

// An agent that is told no tries again: the same events in other batches,
// other orders, the same event values once more.
func TestAdmitWithstandsRetries(t *testing.T) {
	twins(t, 150, func(t *testing.T, w *twin, rnd *rand.Rand, tr string) {
		m := start(t, w.policy, nil)
		events := decode(t, tr)
		var in []*trace.Event
		for range 3 * len(events) {
			n := 1 + rnd.IntN(min(3, len(events)))
			step := make([]*trace.Event, n)
			for i := range step {
				step[i] = events[rnd.IntN(len(events))]
			}
			if len(in)+n > 10 {
				return
			}
			if rnd.IntN(3) == 0 {
				checkWith(t, m, events[rnd.IntN(len(events))])
			}
			if !admit(t, m, step).Allowed() {
				continue
			}
			in = append(in, step...)
			res, ok := w.evaluate(in)
			if !ok {
				return
			}
			if d := decision(res); d != holdfast.Allow {
				t.Fatalf("%s: a trace that was admitted is %s\n%s\n%s", w.name, d, w.source, tr)
			}
		}
	})
}

// However small the budgets are, a monitor with them lets nothing in that one
// without them would not.
func TestSmallBudgetsFailClosed(t *testing.T) {
	allowed, denied := 0, 0
	twins(t, 300, func(t *testing.T, w *twin, rnd *rand.Rand, tr string) {
		small := holdfast.Limits{Candidates: 1 + rnd.IntN(30), Steps: 1 + rnd.IntN(60), Kept: 1 + rnd.IntN(30)}
		m := start(t, w.policy, &holdfast.MonitorOptions{Limits: small})
		var facts, in []*trace.Event
		for _, step := range batches(rnd, decode(t, tr)) {
			if rnd.IntN(4) == 0 && len(in) == 0 { // what happened before the agent was watched
				facts = append(facts, step...)
				appendTo(t, m, step...)
				continue
			}
			placed := place(slices.Concat(facts, in, step))
			before, ok1 := w.evaluatePlaced(placed[:len(facts)+len(in)])
			after, ok2 := w.evaluatePlaced(placed)
			if !ok1 || !ok2 {
				return
			}
			if len(facts)+len(in) == 0 {
				before = nil
			}
			if !admit(t, m, step).Allowed() {
				denied++
				continue
			}
			allowed++
			in = append(in, step...)
			if d := decision(spec.New(before, after, true)); d != holdfast.Allow {
				t.Fatalf("%s: with %+v a step was admitted that is %s\n%s\n%s", w.name, small, d, w.source, tr)
			}
		}
	})
	if allowed < 50 || denied < 50 {
		t.Errorf("%d steps were allowed and %d denied: too few to say anything", allowed, denied)
	}
}

const call = `{"role":"assistant","content":null,"tool_calls":[{"id":"%s","function":{"name":"%s","arguments":{"to":"%s","n":%d}}}]}`

// calls returns a trace of n calls of one tool.
func calls(n int, tool string) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(call, fmt.Sprint("c", i), tool, "bob", i))
	}
	return "[" + strings.Join(out, ",\n") + "]"
}

func TestBatchesAreAtomic(t *testing.T) {
	p := compile(t, `raise "bad" if:
    (c: ToolCall)
    c is tool:bad
raise "after good" if:
    (a: ToolCall) -> (b: ToolCall)
    a is tool:good
    b is tool:other
`)
	m := start(t, p, nil)
	if v := admit(t, m, []*trace.Event{trace.Call("1", "good", nil), trace.Call("2", "bad", nil)}); v.Decision() != holdfast.Deny {
		t.Fatalf("a batch with a bad call is %s", v.Decision())
	}
	if v := admit(t, m, []*trace.Event{trace.Call("3", "other", nil)}); !v.Allowed() {
		t.Fatalf("the good call of a denied batch was taken in: %s", shown(v))
	}
}

func TestRetractingRuleIsJudgedAnew(t *testing.T) {
	p := compile(t, `raise "unlogged" if:
    (c: ToolCall)
    c is tool:send
    not exists:
        (l: ToolCall)
        l is tool:log
`)
	m := start(t, p, nil)
	if v := appendTo(t, m, trace.Call("1", "send", nil)); v.Decision() != holdfast.Deny {
		t.Fatalf("the first send is %s", v.Decision())
	}
	if v := checkWith(t, m); !v.Allowed() {
		t.Errorf("with nothing pending, the old violation was reported again: %s", shown(v))
	}
	if v := checkWith(t, m, trace.UserText("hi")); v.Decision() != holdfast.Deny {
		t.Errorf("with something pending, the rule was not judged anew: %s", shown(v))
	}
	if v := admit(t, m, []*trace.Event{trace.Call("2", "log", nil)}); !v.Allowed() {
		t.Errorf("the call that mends it is %s", v.Decision())
	}
	if v := checkWith(t, m, trace.UserText("hi")); !v.Allowed() {
		t.Errorf("after it was mended: %s", shown(v))
	}
}

func TestFirstQuestionReportsTheEmptyTrace(t *testing.T) {
	p := compile(t, `raise "always" if:
    len("abc") == 3
`)
	m := start(t, p, nil)
	for range 2 { // a check settles nothing
		if v := checkWith(t, m); v.Decision() != holdfast.Deny {
			t.Fatalf("the first question, with nothing pending, gave %s", v.Decision())
		}
	}
	if v := admit(t, m, []*trace.Event{trace.UserText("hi")}); v.Allowed() {
		t.Fatal("a step was admitted that is the first to be asked about")
	}
	if v := appendTo(t, m); v.Decision() != holdfast.Deny {
		t.Fatalf("appending nothing first gave %s", v.Decision())
	}
	if v := appendTo(t, m, trace.UserText("hi")); !v.Allowed() {
		t.Errorf("what was reported was reported again: %s", shown(v))
	}
	v, err := p.Analyze(context.Background(), &trace.Trace{}, nil)
	if err != nil || v.Decision() != holdfast.Deny {
		t.Errorf("analysing the empty trace gave %s, %v", v.Decision(), err)
	}
}

func TestAppendReportsOnlyWhatIsNew(t *testing.T) {
	p := compile(t, planned[0].policy)
	m := start(t, p, nil)
	for i, e := range decode(t, calls(5, "send")) {
		v := appendTo(t, m, e)
		var got uint64
		for _, c := range v.Counts() {
			got += c.N
		}
		if got != uint64(i) {
			t.Errorf("call %d added %d violations, want %d", i, got, i)
		}
	}
}

func TestOneEventMayStandTwice(t *testing.T) {
	p := compile(t, planned[0].policy)
	m := start(t, p, nil)
	e := trace.Call("1", "send", nil)
	if v := appendTo(t, m, e, e); v.Decision() != holdfast.Deny || v.Counts()[0].N != 1 {
		t.Fatalf("the same event twice: %s", shown(v))
	}
	other := start(t, p, nil)
	appendTo(t, other, e)
	if v := checkWith(t, other, e); v.Counts()[0].N != 1 {
		t.Errorf("an event of another monitor: %s", shown(v))
	}
	if v := checkWith(t, m, e); v.Counts()[0].N != 2 {
		t.Errorf("the first monitor after that: %s", shown(v))
	}
}

func TestNilEventsAndOptions(t *testing.T) {
	ctx := context.Background()
	p, err := holdfast.Compile("policy.gr", []byte(planned[0].policy), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := start(t, p, nil)
	if v, err := m.Check(ctx, trace.Call("1", "a", nil), nil); err == nil || v.Allowed() {
		t.Errorf("checking nil gave %s, %v", v.Decision(), err)
	}
	if v, err := m.Admit(ctx, []*trace.Event{nil}); err == nil || v.Allowed() {
		t.Errorf("admitting nil gave %s, %v", v.Decision(), err)
	}
	if v := admit(t, m, nil); !v.Allowed() {
		t.Errorf("admitting nothing gave %s", v.Decision())
	}
	if v, err := m.Append(ctx, nil, trace.Call("1", "a", nil)); err == nil || v.Allowed() {
		t.Errorf("appending nil gave %s, %v", v.Decision(), err)
	}
	if v, err := m.Check(ctx); err == nil || v.Allowed() {
		t.Errorf("after a fact that was lost, checking gave %s, %v", v.Decision(), err)
	}
	if _, err := p.Analyze(ctx, &trace.Trace{Events: []*trace.Event{nil}}, nil); err == nil {
		t.Error("analysing a nil event gave no error")
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := start(t, compile(t, planned[0].policy), nil)
	if v, err := m.Check(ctx, trace.Call("1", "a", nil)); !errors.Is(err, context.Canceled) || v.Allowed() {
		t.Errorf("checking gave %s, %v", v.Decision(), err)
	}
	if v, err := m.Admit(ctx, nil); !errors.Is(err, context.Canceled) || v.Allowed() {
		t.Errorf("admitting gave %s, %v", v.Decision(), err)
	}
	if _, err := m.Append(ctx, trace.Call("1", "send", nil)); err != nil {
		t.Errorf("a fact was refused: %v", err)
	}
	if v := checkWith(t, m, trace.Call("2", "send", nil)); v.Decision() != holdfast.Deny {
		t.Errorf("the fact is not there: %s", shown(v))
	}
}

// A step that does not end, because it panics or because a function of the
// embedder starts another one, leaves a monitor that answers nothing.
func TestStepsDoNotNest(t *testing.T) {
	ctx := context.Background()
	var m *holdfast.Monitor
	var inner error
	f := holdfast.Function{Name: "again", Result: "bool", Call: func(context.Context, []any) (any, error) {
		v, err := m.Admit(ctx, []*trace.Event{trace.Call("9", "send", nil)})
		inner = err
		return v.Allowed(), nil
	}}
	p, err := holdfast.Compile("policy.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n    again()\n"), &holdfast.Options{Functions: []holdfast.Function{f}})
	if err != nil {
		t.Fatal(err)
	}
	m = start(t, p, nil)
	if v := appendTo(t, m, trace.Call("1", "send", nil)); !v.Allowed() {
		t.Errorf("the outer step: %s", shown(v))
	}
	if inner == nil {
		t.Error("a step within a step gave no error")
	}
}

// What held without an element is no longer certain once one could not be
// read, even if it held before anything had happened.
func TestOptionalVariableInAQuantifier(t *testing.T) {
	p := compile(t, "raise \"x\" if:\n    exists:\n        True or (n: int) == 1\n")
	m := start(t, p, nil)
	if v, err := m.Append(t.Context()); err != nil || v.Decision() != holdfast.Deny {
		t.Fatalf("before anything has happened: %v %v", v.Decision(), err)
	}
	unread := decode(t, `[{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"a"}}]}]`)
	if v := checkWith(t, m, unread...); v.Decision() == holdfast.Allow {
		t.Errorf("a call that could not be read is allowed: %s", shown(v))
	}
}
