// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/difftest"
	"github.com/holdfast-dev/holdfast/trace"
)

func TestZeroVerdictDenies(t *testing.T) {
	var v holdfast.Verdict
	if v.Allowed() || v.Decision() != holdfast.Deny || v.Decision().String() != "deny" {
		t.Errorf("the zero verdict is %s", v.Decision())
	}
	if len(v.Violations())+len(v.Counts())+len(v.Unknowns())+len(v.Degraded())+len(v.Asking()) > 0 {
		t.Error("the zero verdict shows something")
	}
	for range v.All(0) {
		t.Error("the zero verdict has a violation")
	}
}

func TestOrderOfDecisions(t *testing.T) {
	worstFirst := []holdfast.Decision{holdfast.Deny, holdfast.Unknown, holdfast.Ask, holdfast.Allow}
	if !slices.IsSorted(worstFirst) {
		t.Error("the decisions are not in order, worst first")
	}
	for i, name := range []string{"deny", "unknown", "ask", "allow"} {
		if got := worstFirst[i].String(); got != name {
			t.Errorf("got %s, want %s", got, name)
		}
	}
	if got := holdfast.Decision(77).String(); got != "deny" {
		t.Errorf("a decision that there is not prints as %s", got)
	}
}

// One rule for each verb, each violated by a tool of its name and unknown
// where the argument n is missing.
const verbs = `# id: deny
raise "denied" if:
    (c: ToolCall)
    c is tool:deny
    c.arguments.n > 0
# id: ask
ask "asked" if:
    (c: ToolCall)
    c is tool:ask
    c.arguments.n > 0
# id: warn
warn "warned" if:
    (c: ToolCall)
    c is tool:warn
    c.arguments.n > 0
`

// pending makes calls: "deny" violates the rule, "deny?" leaves it unknown.
func pending(names ...string) []*trace.Event {
	var out []*trace.Event
	for i, name := range names {
		tool, unknown := strings.CutSuffix(name, "?")
		args := map[string]any{"n": 1}
		if unknown {
			args = nil
		}
		out = append(out, trace.Call(fmt.Sprint(i), tool, args))
	}
	return out
}

func TestWorstRuleDecides(t *testing.T) {
	p := compile(t, verbs)
	for _, test := range []struct {
		calls string
		want  holdfast.Decision
	}{
		{"other", holdfast.Allow},
		{"warn", holdfast.Allow},
		{"warn?", holdfast.Allow},
		{"ask", holdfast.Ask},
		{"ask?", holdfast.Ask},
		{"ask warn", holdfast.Ask},
		{"deny?", holdfast.Unknown},
		{"deny? ask warn", holdfast.Unknown},
		{"deny", holdfast.Deny},
		{"deny deny? ask ask? warn warn?", holdfast.Deny},
	} {
		names := strings.Fields(test.calls)
		v := checkWith(t, start(t, p, nil), pending(names...)...)
		if v.Decision() != test.want {
			t.Errorf("%s: got %s, want %s", test.calls, v.Decision(), test.want)
		}
		// Nothing hides anything else.
		violations, unknowns := 0, 0
		for _, n := range names {
			switch {
			case n == "other":
			case strings.HasSuffix(n, "?"):
				unknowns++
			default:
				violations++
			}
		}
		if len(v.Violations()) != violations || len(v.Unknowns()) != unknowns {
			t.Errorf("%s: got %d violations and %d unknowns, want %d and %d", test.calls, len(v.Violations()), len(v.Unknowns()), violations, unknowns)
		}
		if v.Allowed() != (test.want == holdfast.Allow) {
			t.Errorf("%s: Allowed is %t", test.calls, v.Allowed())
		}
		if len(v.Degraded()) != 0 {
			t.Errorf("%s: degraded without an option", test.calls)
		}
	}
}

func TestOnUnknown(t *testing.T) {
	commented := strings.Replace(verbs, "# id: deny\n", "# id: deny\n# on_unknown: warn\n", 1)
	type opts = holdfast.MonitorOptions
	rule := func(id string, o holdfast.Outcome) opts {
		return opts{OnUnknownRule: map[string]holdfast.Outcome{id: o}}
	}
	for _, test := range []struct {
		name, policy, call string
		opts               opts
		want               holdfast.Decision
		degraded           bool
	}{
		{"default", verbs, "deny?", opts{}, holdfast.Unknown, false},
		{"monitor allow", verbs, "deny?", opts{OnUnknown: holdfast.OutcomeAllow}, holdfast.Allow, true},
		{"monitor warn", verbs, "deny?", opts{OnUnknown: holdfast.OutcomeWarn}, holdfast.Allow, true},
		{"monitor ask", verbs, "deny?", opts{OnUnknown: holdfast.OutcomeAsk}, holdfast.Ask, true},
		{"monitor deny", verbs, "deny?", opts{OnUnknown: holdfast.OutcomeDeny}, holdfast.Unknown, false},
		{"monitor deny ask", verbs, "ask?", opts{OnUnknown: holdfast.OutcomeDeny}, holdfast.Unknown, false},
		{"monitor deny warn", verbs, "warn?", opts{OnUnknown: holdfast.OutcomeDeny}, holdfast.Unknown, false},
		{"monitor allow ask", verbs, "ask?", opts{OnUnknown: holdfast.OutcomeAllow}, holdfast.Allow, true},
		{"rule allow", verbs, "deny?", rule("deny", holdfast.OutcomeAllow), holdfast.Allow, true},
		{"other rule", verbs, "deny?", rule("ask", holdfast.OutcomeAllow), holdfast.Unknown, false},
		{"rule of ask", verbs, "ask?", rule("ask", holdfast.OutcomeAllow), holdfast.Allow, true},
		{"rule of ask denies", verbs, "ask?", rule("ask", holdfast.OutcomeDeny), holdfast.Unknown, false},
		{"comment", commented, "deny?", opts{}, holdfast.Allow, true},
		{"comment beats monitor", commented, "deny?", opts{OnUnknown: holdfast.OutcomeDeny}, holdfast.Allow, true},
		{"rule beats comment", commented, "deny?", rule("deny", holdfast.OutcomeDeny), holdfast.Unknown, false},
		{"no help for a violation", verbs, "deny", opts{OnUnknown: holdfast.OutcomeAllow}, holdfast.Deny, false},
		{"violation and unknown", verbs, "deny deny?", opts{OnUnknown: holdfast.OutcomeAllow}, holdfast.Deny, true},
	} {
		v := checkWith(t, start(t, compile(t, test.policy), &test.opts), pending(strings.Fields(test.call)...)...)
		if v.Decision() != test.want || (len(v.Degraded()) > 0) != test.degraded {
			t.Errorf("%s: got %s, degraded %d, want %s, %t", test.name, v.Decision(), len(v.Degraded()), test.want, test.degraded)
		}
		if strings.Contains(test.call, "?") && len(v.Unknowns()) == 0 {
			t.Errorf("%s: the unknown is not shown", test.name)
		}
	}
}

func TestWrongOutcomesAreRefused(t *testing.T) {
	p := compile(t, verbs)
	for _, opts := range []holdfast.MonitorOptions{
		{OnUnknown: 77},
		{OnUnknownRule: map[string]holdfast.Outcome{"deny": 77}},
		{OnUnknownRule: map[string]holdfast.Outcome{"dney": holdfast.OutcomeDeny}},
	} {
		if _, err := p.Monitor(&opts); err == nil {
			t.Errorf("%v: no error", opts)
		}
	}
	for _, name := range []string{"", "deny", "ask", "warn", "allow"} {
		if o, ok := holdfast.OutcomeOf(name); !ok || o.String() != name {
			t.Errorf("outcome %q is %q", name, o)
		}
	}
	if _, ok := holdfast.OutcomeOf("pass"); ok {
		t.Error(`there is an outcome "pass"`)
	}
	if got := holdfast.Outcome(77).String(); got != "Outcome(77)" {
		t.Error(got)
	}
}

// approval builds one from a verdict, as the answer of a person would.
func approval(id string, v holdfast.Verdict, pending []*trace.Event, expires time.Time) holdfast.Approval {
	a := holdfast.Approval{ID: id, Digest: trace.Digest(pending...), Expires: expires}
	for _, r := range v.Asking() {
		a.Rules = append(a.Rules, r.ID)
	}
	return a
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func TestApprovals(t *testing.T) {
	p := compile(t, verbs)
	step := pending("ask", "ask?", "warn")
	v := checkWith(t, start(t, p, nil), step...)
	good := approval("a", v, step, noon.Add(time.Minute))
	if len(good.Rules) != 1 || good.Rules[0] != "ask" {
		t.Fatalf("asking are %v", good.Rules)
	}
	for _, test := range []struct {
		name   string
		change func(*holdfast.Approval)
		want   holdfast.Decision
	}{
		{"good", func(*holdfast.Approval) {}, holdfast.Allow},
		{"more rules than needed", func(a *holdfast.Approval) { a.Rules = []string{"deny", "ask"} }, holdfast.Allow},
		{"last moment", func(a *holdfast.Approval) { a.Expires = noon.Add(1) }, holdfast.Allow},
		{"expires now", func(a *holdfast.Approval) { a.Expires = noon }, holdfast.Ask},
		{"expired", func(a *holdfast.Approval) { a.Expires = noon.Add(-time.Minute) }, holdfast.Ask},
		{"never expires", func(a *holdfast.Approval) { a.Expires = time.Time{} }, holdfast.Ask},
		{"no id", func(a *holdfast.Approval) { a.ID = "" }, holdfast.Ask},
		{"other digest", func(a *holdfast.Approval) { a.Digest[0]++ }, holdfast.Ask},
		{"no digest", func(a *holdfast.Approval) { a.Digest = [32]byte{} }, holdfast.Ask},
		{"part of the step", func(a *holdfast.Approval) { a.Digest = trace.Digest(step[:2]...) }, holdfast.Ask},
		{"other rule", func(a *holdfast.Approval) { a.Rules = []string{"warn"} }, holdfast.Ask},
		{"no rule", func(a *holdfast.Approval) { a.Rules = nil }, holdfast.Ask},
	} {
		a := good
		test.change(&a)
		m := start(t, p, &holdfast.MonitorOptions{Now: func() time.Time { return noon }})
		got := admit(t, m, step, a)
		if got.Decision() != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got.Decision(), test.want)
		}
		if len(got.Violations()) != 2 || len(got.Unknowns()) != 1 {
			t.Errorf("%s: the verdict lost what was asked about: %s", test.name, shown(got))
		}
	}
}

func TestApprovalsAreUsedOnce(t *testing.T) {
	now := noon
	m := start(t, compile(t, verbs), &holdfast.MonitorOptions{Now: func() time.Time { return now }})
	step := pending("ask")
	a := approval("a", checkWith(t, m, step...), step, noon.Add(time.Minute))
	if v := admit(t, m, pending("ask", "deny"), holdfast.Approval{ID: "a", Digest: trace.Digest(pending("ask", "deny")...), Rules: []string{"ask", "deny"}, Expires: a.Expires}); v.Decision() != holdfast.Deny {
		t.Fatalf("an approval passed a deny: %s", v.Decision())
	}
	if v := admit(t, m, pending("ask", "deny?"), holdfast.Approval{ID: "a", Digest: trace.Digest(pending("ask", "deny?")...), Rules: []string{"ask", "deny"}, Expires: a.Expires}); v.Decision() != holdfast.Unknown {
		t.Fatalf("an approval passed an unknown: %s", v.Decision())
	}
	if v := admit(t, m, pending("other"), a); !v.Allowed() {
		t.Fatal("a harmless step was refused")
	}
	if v := admit(t, m, step, a); !v.Allowed() {
		t.Fatalf("it was used up by steps that it did not pass: %s", v.Decision())
	}
	if v := admit(t, m, step, a); v.Decision() != holdfast.Ask {
		t.Errorf("it was good twice: %s", v.Decision())
	}
	other := a
	other.Rules = nil
	other.ID = "b"
	if v := admit(t, m, step, a, other); v.Decision() != holdfast.Ask {
		t.Errorf("used up and empty approvals passed: %s", v.Decision())
	}
	fresh := a
	fresh.ID = "c"
	if v := admit(t, m, step, other, fresh); !v.Allowed() {
		t.Errorf("the second of two approvals did not pass: %s", v.Decision())
	}
	other.Rules = a.Rules
	if v := admit(t, m, step, other); !v.Allowed() {
		t.Errorf("an approval that was not needed was used up: %s", v.Decision())
	}
}

func TestSeveralApprovalsAddUp(t *testing.T) {
	p := compile(t, strings.ReplaceAll(verbs, "raise", "ask"))
	step := pending("ask", "deny")
	m := start(t, p, &holdfast.MonitorOptions{Now: func() time.Time { return noon }})
	v := checkWith(t, m, step...)
	if len(v.Asking()) != 2 {
		t.Fatalf("asking are %v", v.Asking())
	}
	one := approval("1", v, step, noon.Add(time.Hour))
	two := one
	one.Rules, two.Rules, two.ID = one.Rules[:1], one.Rules[1:], "2"
	if v := admit(t, m, step, one); v.Decision() != holdfast.Ask {
		t.Errorf("one of two rules was enough: %s", v.Decision())
	}
	if v := admit(t, m, step, one, two); !v.Allowed() {
		t.Errorf("both together: %s", v.Decision())
	}
}

func TestWarningsRideAlong(t *testing.T) {
	m := start(t, compile(t, verbs), nil)
	v := admit(t, m, pending("warn", "warn?"))
	if !v.Allowed() || len(v.Violations()) != 1 || len(v.Unknowns()) != 1 || v.Violations()[0].Rule.Action != "warn" {
		t.Errorf("got %s", shown(v))
	}
}

func TestViolationShowsItself(t *testing.T) {
	p := compile(t, `# id: leak
raise PolicyViolation("leak to " + c.arguments.to, o.content, 3, c.arguments.missing, who=c.arguments.to, call=c, gone=c.arguments.missing) if:
    (o: ToolOutput) -> (c: ToolCall)
    c is tool:send
    (w: str) in ["zzz", "key"]
    w in o.content
    x := c.arguments.to
    x == "bob"
`)
	events := decode(t, `[
{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"read","arguments":{}}}]},
{"role":"tool","tool_call_id":"1","content":"the key is a key"},
{"role":"assistant","content":"ok","tool_calls":[{"id":"2","function":{"name":"send","arguments":{"to":"bob"}}}]}]`)
	v := appendTo(t, start(t, p, nil), events...)
	if len(v.Violations()) != 1 {
		t.Fatal(shown(v))
	}
	x := v.Violations()[0]
	want := holdfast.Violation{
		Rule:    p.Rules()[0],
		Message: "leak to bob",
		Args:    []string{"leak to bob", "the key is a key", "3", "<unknown>"},
		Kwargs:  map[string]any{"who": "bob", "call": x.Bindings["c"].Value, "gone": "<unknown>"},
		Events:  []int{2, 1}, // c, o
		Bindings: map[string]holdfast.Binding{
			"o": {At: "1", Index: 1, Value: map[string]any{"role": "tool", "tool_call_id": "1", "content": "the key is a key"}},
			"c": {At: "2.tool_calls.0", Index: 2, Value: map[string]any{"id": "2", "function": map[string]any{"name": "send", "arguments": map[string]any{"to": "bob"}}}},
			"w": {Index: 1, Value: "key"},
		},
		Ranges: []string{"1", "1.content:4-7", "1.content:13-16", "2.tool_calls.0"},
	}
	if !reflect.DeepEqual(x, want) {
		t.Errorf("got\n%+v\nwant\n%+v", x, want)
	}
	if x.Rule.ID != "leak" || x.Rule.Line != 2 || x.Rule.Index != 0 || x.Rule.Policy != "policy.gr" {
		t.Errorf("got the rule %+v", x.Rule)
	}
}

func TestLongValuesAreCut(t *testing.T) {
	p := compile(t, `raise PolicyViolation(m.content, m.metadata, m=m) if:
    (m: Message)
`)
	var keys []string
	for i := range 20_000 {
		keys = append(keys, fmt.Sprintf(`"key%05d":[%d]`, i, i))
	}
	events := decode(t, `[{"role":"user","content":"`+strings.Repeat("é", 50_000)+`","metadata":{`+strings.Join(keys, ",")+`,"`+strings.Repeat("k", 5000)+`":1}}]`)
	x := appendTo(t, start(t, p, nil), events...).Violations()[0]
	for name, got := range map[string]any{"message": x.Message, "argument": x.Args[1], "kwarg": x.Kwargs["m"], "binding": x.Bindings["m"].Value} {
		if text := fmt.Sprint(got); len(text) > 3000 || !strings.Contains(text, "…") {
			t.Errorf("%s: %d bytes are shown: %.80q", name, len(text), text)
		}
	}
}

// manyOf makes a policy and a trace with more violations than a verdict shows,
// for each plan.
var manyOf = []struct{ plan, policy, calls string }{
	{"counted", `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
`, calls(30, "a")},
	{"counted", `raise "x" if:
    (a: ToolCall) -> (b: ToolCall)
    a.arguments.to == b.arguments.to
`, strings.ReplaceAll(calls(24, "a"), `"bob"`, `"eve"`)},
	{"joined", `raise "x" if:
    (a: ToolCall)
    (b: ToolCall)
    a.arguments.n < b.arguments.n
`, calls(30, "a")},
	{"crossing", `raise "x" if:
    (a: ToolCall)
    count(min=2):
        (b: ToolCall)
        a -> b
`, calls(140, "a")},
	{"waiting", `raise "x" if:
    (a: ToolCall)
    exists:
        (b: ToolCall)
        a -> b
        b.arguments.n > a.arguments.n + 4
`, calls(140, "a")},
	{"whole", `raise "x" if:
    (a: ToolCall)
    (b: ToolCall)
    not exists:
        (o: ToolOutput)
        o.content == a.name
`, calls(12, "a")},
	{"joined", `raise "x" if:
    (n: int) in range
    count(min=3):
        (c: ToolCall)
`, calls(4, "a")},
}

func texts(vs []holdfast.Violation) []string {
	var out []string
	for _, v := range vs {
		out = append(out, violationText(v))
	}
	return out
}

// assignments drops the evidence, which shows what there was when a violation
// was found, and the order.
func assignments(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, t[:strings.LastIndex(t, "}")])
	}
	slices.Sort(out)
	return out
}

// every lists all violations of rule 0.
func every(v holdfast.Verdict) []string { return texts(slices.Collect(v.All(0))) }

func TestViolationsBeyondThoseShown(t *testing.T) {
	for i, x := range manyOf {
		var list []string
		for k := range 150 {
			list = append(list, fmt.Sprint(k))
		}
		p := compile(t, strings.Replace(x.policy, "range", "["+strings.Join(list, ", ")+"]", 1))
		events := decode(t, x.calls)
		name := fmt.Sprintf("%d %s", i, x.plan)
		whole, err := p.Analyze(context.Background(), &trace.Trace{Events: events}, nil)
		if err != nil {
			t.Fatal(err)
		}
		all := every(whole)
		holds(t, name+" analysed", whole, all)
		if len(all) <= 100 {
			t.Fatalf("%s: only %d violations", name, len(all))
		}

		// Appended in two steps; the first verdict is read when the monitor
		// has gone on.
		m := start(t, p, nil)
		half := len(events) / 2
		first := appendTo(t, m, events[:half]...)
		checked := checkWith(t, m, events[half:]...)
		checkWith(t, m, trace.UserText("beside"), trace.Call("z", "a", map[string]any{"n": 1000, "to": "bob"}))
		second := appendTo(t, m, events[half:]...)
		third := appendTo(t, m, trace.Call("z", "a", map[string]any{"n": 1000, "to": "bob"}))

		early, _ := p.Analyze(context.Background(), &trace.Trace{Events: events[:half]}, nil)
		holds(t, name+" first", first, every(early))
		holds(t, name+" checked", checked, every(second))
		want := every(second)
		if !p.Rules()[0].Retracts {
			want = slices.Concat(every(first), every(second))
		}
		if !slices.Equal(assignments(want), assignments(all)) {
			t.Errorf("%s: two steps gave %d violations, one look %d", name, len(want), len(all))
		}
		holds(t, name+" second", second, every(second))
		holds(t, name+" third", third, every(third))
	}
}

// long is a trace of about n events.
func long(seed uint64, n int) string {
	var events []json.RawMessage
	for k := uint64(0); len(events) < n; k++ {
		var some []json.RawMessage
		if err := json.Unmarshal([]byte(difftest.Generate(seed, k).Trace()), &some); err != nil {
			panic(err)
		}
		events = append(events, some...)
	}
	out, err := json.Marshal(events)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// Random policies over long traces, in steps: each verdict lists as many
// violations as it counts, those that it shows first, also when it is asked
// much later.
func TestListsAreAsLongAsCounts(t *testing.T) {
	beyond := 0
	opts := limited(holdfast.Limits{Candidates: 50_000})
	twins(t, 250, func(t *testing.T, w *twin, rnd *rand.Rand, _ string) {
		m := start(t, w.policy, opts)
		events := decode(t, long(rnd.Uint64(), 50))
		var verdicts []holdfast.Verdict
		for at := 0; at < len(events); {
			n := min(1+rnd.IntN(25), len(events)-at)
			if rnd.IntN(3) == 0 {
				verdicts = append(verdicts, checkWith(t, m, events[at:at+n]...))
			}
			verdicts = append(verdicts, appendTo(t, m, events[at:at+n]...))
			at += n
		}
		for _, v := range verdicts {
			var violations []holdfast.Violation
			for _, c := range v.Counts() {
				if c.AtLeast || c.N > 3000 {
					return
				}
				if c.N > 100 {
					beyond++
				}
				all := slices.Collect(v.All(c.Rule.Index))
				if uint64(len(all)) != c.N {
					t.Fatalf("%s: counted %d, listed %d\n%s", w.name, c.N, len(all), w.source)
				}
				violations = append(violations, all[:min(len(all), 100)]...)
			}
			if got, want := texts(v.Violations()), texts(violations); !slices.Equal(got, want) {
				t.Fatalf("%s: shown are\n%s\nlisted\n%s\n%s", w.name, strings.Join(got, "\n"), strings.Join(want, "\n"), w.source)
			}
		}
	})
	if beyond < 20 {
		t.Errorf("only %d rules had more violations than are shown", beyond)
	}
}

// holds checks that a verdict counts and shows the violations it has.
func holds(t *testing.T, name string, v holdfast.Verdict, all []string) {
	t.Helper()
	count := uint64(0)
	for _, c := range v.Counts() {
		if c.AtLeast {
			t.Errorf("%s: the count is a bound", name)
		}
		count = c.N
	}
	if count != uint64(len(all)) {
		t.Errorf("%s: counted %d, listed %d", name, count, len(all))
	}
	if got := every(v); !slices.Equal(got, all) {
		t.Errorf("%s: listing gives %d violations, the second time or elsewhere %d", name, len(got), len(all))
	}
	if got := texts(v.Violations()); !slices.Equal(got, all[:min(len(all), 100)]) {
		t.Errorf("%s: the %d violations shown are not the first of all", name, len(got))
	}
	n := 0
	for range v.All(0) { // a caller may stop
		if n++; n == 101 {
			break
		}
	}
}

func TestUnknownEntries(t *testing.T) {
	p := compile(t, `raise "first" if:
    (m: Message)
    m.content == "never"

raise "x" if:
    (c: ToolCall)
    c.arguments.n > 1 and c.arguments.s < 5
    limit := input.limit
    c.arguments.n < limit or c is tool:a
`)
	events := decode(t, `[
{"role":"assistant","content":null,"tool_calls":[
  {"id":"1","function":{"name":"a","arguments":{"n":0}}},
  {"id":"2","function":{"name":"a","arguments":{"n":2,"s":"x"}}},
  {"id":"3","function":{"name":"a","arguments":{"n":2}}},
  {"id":"4","function":{"name":"b","arguments":{"n":"2"}}},
  {"id":"5","function":{"name":"a","arguments":{"n":3,"s":"y"}}}]}]`)
	got := map[string]holdfast.UnknownEntry{}
	v := appendTo(t, start(t, p, nil), events...)
	for _, u := range v.Unknowns() {
		got[fmt.Sprintf("%d:%s %s at %s", u.Line, u.Span, u.Reason, u.Address)] = u
	}
	for key, want := range map[string]struct {
		at    string
		count int
	}{
		"7:7:27-44 ordering at ":                                 {"0.tool_calls.1", 2},
		"7:7:27-40 missing at 0.tool_calls.2.function.arguments": {"0.tool_calls.2", 2},
		"7:7:5-22 ordering at ":                                  {"0.tool_calls.3", 1},
		"8:8:14-25 parameter at ":                                {"0.tool_calls.3", 1},
	} {
		u, ok := got[key]
		if !ok {
			t.Errorf("no entry %q", key)
			continue
		}
		if u.Count != want.count || u.AtLeast || u.Bindings["c"].At != want.at || u.Rule.Index != 1 || u.Policy != "policy.gr" || !slices.Equal(u.Events, []int{0}) || u.Detail == "" {
			t.Errorf("%s: got %+v", key, u)
		}
	}
	if t.Failed() {
		t.Log(shown(v))
	}
	if len(got) != 4 || v.Decision() != holdfast.Unknown {
		t.Errorf("got %d entries, %s", len(got), v.Decision())
	}
}

// An entry of an assignment over no element has no address, and one of an
// imported file names that file.
func TestUnknownEntryPlaces(t *testing.T) {
	v := appendTo(t, start(t, compile(t, "raise \"x\" if:\n    input.limit > 3\n"), nil))
	u := v.Unknowns()[0]
	if u.Address != "" || len(u.Bindings) != 0 || len(u.Events) != 0 || u.Span != "2:5-16" {
		t.Errorf("got %+v", u)
	}
	p, err := holdfast.Compile("policy.gr", []byte("from ./lib import big\nraise \"x\" if:\n    (c: ToolCall)\n    big(c)\n"), &holdfast.Options{
		Files: fstest.MapFS{"lib.gr": {Data: []byte("# what is big\nbig(c) :=\n    c.arguments.n > 3\n")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	u = appendTo(t, start(t, p, nil), trace.Call("1", "f", nil)).Unknowns()[0]
	if u.Policy != "lib.gr" || u.Line != 3 || u.Span != "3:5-18" || u.Rule.Line != 2 || u.Rule.Policy != "policy.gr" || u.Bindings["c"].At != "0" {
		t.Errorf("got %+v", u)
	}
}
