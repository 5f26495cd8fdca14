// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// An askedDetector is is a function, and says how often it was called.
type askedDetector struct {
	version string
	answer  func(context.Context, []detect.Request) ([]detect.Result, error)
	calls   atomic.Int32
}

func (d *askedDetector) Version() string { return d.version }

func (d *askedDetector) Detect(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
	d.calls.Add(1)
	return d.answer(ctx, requests)
}

// keys finds each "key" and the params and views it was asked with.
func keys(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
	out := make([]detect.Result, len(requests))
	for i, r := range requests {
		var spans []detect.Span
		for at := 0; ; at += len("key") {
			next := strings.Index(r.Text[at:], "key")
			if next < 0 {
				break
			}
			at += next
			spans = append(spans, detect.Span{Kind: "KEY" + r.Params + strings.Join(r.Views, "+"), Start: at, End: at + len("key"), Score: 1})
		}
		out[i].Findings, out[i].Err = detect.Findings(r.Text, spans)
	}
	return out, nil
}

func pii() *Func { return LookupModule("invariant.detectors").Funcs["pii"] }

// askingOf returns an environment in which pii asks a detector.
func askingOf(d detect.Detector) *Env {
	return &Env{
		Memo: NewMemo(), Marks: &Marks{},
		Detectors: NewDetectors(map[string]detect.Detector{"pii": d}, time.Second),
	}
}

const detectorRun = `[
	{"role": "user", "content": "é key, key"},
	{"role": "user", "content": [{"type": "text", "text": "a k"}, {"type": "text", "text": "ey key"}]},
	{"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function",
		"function": {"name": "f", "arguments": {"n": 1, "to": "key", "list": ["x", {"deep": "a key"}]}}}]},
	{"role": "tool", "tool_call_id": "1", "content": "key"}
]`

func TestDetectorFunctions(t *testing.T) {
	at := placed(t, detectorRun)
	for _, test := range []struct {
		data     *value.Value
		want     string
		evidence string
	}{
		{at("0"), `["KEY","KEY"]`, "0.content:2-5 0.content:7-10"},
		{at("0.content"), `["KEY","KEY"]`, "0.content:2-5 0.content:7-10"},
		{at("1"), `["KEY","KEY"]`, "1.content.1.text:3-6 1.content.0.text:2-3 1.content.1.text:0-2"},
		{at("2"), `[]`, ""},
		{at("2.tool_calls.0"), `["KEY","KEY"]`, "2.tool_calls.0.function.arguments.to:0-3 2.tool_calls.0.function.arguments.list.1.deep:2-5"},
		{at("3"), `["KEY"]`, "3.content:0-3"},
		{value.NoneV, `[]`, ""},
		{str("no key"), `["KEY"]`, ""},
		{list(at("3"), num(1), str("key"), value.NoneV), `["KEY","KEY"]`, "3.content:0-3"},
		{num(1), "", ""},
		{list(value.Trouble(value.Missing, nil, "")), "", ""},
	} {
		d := &askedDetector{answer: keys}
		env := askingOf(d)
		for _, what := range []string{"first", "from memory"} {
			env.Marks = &Marks{}
			got := Apply(pii(), []*value.Value{test.data, value.NoneV, value.NoneV}, env)
			if test.want == "" {
				if got.Kind() != value.Unknown {
					t.Errorf("%s: got %s, want unknown", what, show(got))
				}
				continue
			}
			if text := string(value.AppendJSON(nil, got)); text != test.want || evidence(env.Marks) != test.evidence {
				t.Errorf("%s: pii(%s) = %s with %q, want %s with %q", what, show(test.data), text, evidence(env.Marks), test.want, test.evidence)
			}
		}
		if n := d.calls.Load(); n > 1 {
			t.Errorf("the detector was asked %d times about %s", n, show(test.data))
		}
	}
}

func TestDetectorParameters(t *testing.T) {
	is := Universe()["is_pii"]
	for _, test := range []struct {
		entities, views *value.Value
		want            *value.Value
	}{
		{value.NoneV, value.NoneV, list(str("KEY"))},
		{list(str("A"), str("B")), value.NoneV, list(str(`KEY{"entities":["A","B"]}`))},
		{value.NoneV, list(str("raw"), str("nfkc")), list(str("KEYraw+nfkc"))},
		{value.NoneV, list(), unknown(value.TypeError)},
		{value.NoneV, str("raw"), unknown(value.TypeError)},
		{value.NoneV, list(num(1)), unknown(value.TypeError)},
	} {
		env := askingOf(&askedDetector{answer: keys})
		args := []*value.Value{str("key"), test.entities, test.views}
		check(t, "pii", Apply(pii(), args, env), test.want)
		want := value.TrueV
		if test.want.Kind() == value.Unknown {
			want = test.want
		}
		check(t, "is_pii", Apply(is, args, env), want)
	}
	check(t, "is_pii", Apply(is, []*value.Value{str("none"), value.NoneV, value.NoneV}, askingOf(&askedDetector{answer: keys})), value.FalseV)
}

// Whatever a detector does wrong makes the call unknown, and what it says of
// it stays out of the reason.
func TestDetectorTrouble(t *testing.T) {
	for name, test := range map[string]struct {
		reason value.Reason
		answer func(context.Context, []detect.Request) ([]detect.Result, error)
	}{
		"error":      {value.Failed, func(context.Context, []detect.Request) ([]detect.Result, error) { return nil, errors.New("canary") }},
		"panic":      {value.Failed, func(context.Context, []detect.Request) ([]detect.Result, error) { panic("canary") }},
		"no answers": {value.Failed, func(context.Context, []detect.Request) ([]detect.Result, error) { return nil, nil }},
		"one too few": {value.Failed, func(_ context.Context, r []detect.Request) ([]detect.Result, error) {
			return make([]detect.Result, len(r)-1), nil
		}},
		"outside the text": {value.Failed, func(_ context.Context, r []detect.Request) ([]detect.Result, error) {
			out := make([]detect.Result, len(r))
			out[0].Findings = []detect.Finding{{Kind: "canary", Start: 0, End: 100}}
			return out, nil
		}},
		"gives up": {value.Timeout, func(context.Context, []detect.Request) ([]detect.Result, error) { return nil, context.DeadlineExceeded }},
	} {
		t.Run(name, func(t *testing.T) {
			at := placed(t, detectorRun)
			got := Apply(pii(), []*value.Value{at("1"), value.NoneV, value.NoneV}, askingOf(&askedDetector{answer: test.answer}))
			check(t, "pii", got, unknown(test.reason))
			if text := fmt.Sprint(got.Causes()); strings.Contains(text, "canary") {
				t.Errorf("the reason tells %s", text)
			}
		})
	}
}

// TestFindingsBesideAnError: what was found holds, whatever else could not be
// looked at; and what may be missing leaves open what depends on it.
func TestFindingsBesideAnError(t *testing.T) {
	at := placed(t, detectorRun)
	partly := func(_ context.Context, r []detect.Request) ([]detect.Result, error) {
		out, err := keys(context.Background(), r)
		out[len(out)-1].Err = errors.New("canary")
		return out, err
	}
	env := askingOf(&askedDetector{answer: partly})
	asked := func(f *Func, views *value.Value) *value.Value {
		return Apply(f, []*value.Value{at("0"), value.NoneV, views}, env)
	}
	check(t, "is_pii", asked(Universe()["is_pii"], value.NoneV), value.TrueV)
	check(t, "is_pii of one view", asked(Universe()["is_pii"], RawView), value.TrueV)
	check(t, "pii of one view", asked(pii(), RawView), unknown(value.Failed))
	found := asked(pii(), value.NoneV)
	if n := len(found.Items()); n != 3 || found.Items()[2].Kind() != value.Unknown {
		t.Fatalf("pii = %s, want two findings and an unknown", show(found))
	}
	for name, want := range map[string]*value.Value{
		"any": value.TrueV, "all": unknown(value.Failed), "len": unknown(value.Failed), "empty": value.FalseV, "bool": value.TrueV,
	} {
		check(t, name, Apply(Universe()[name], []*value.Value{found}, env), want)
	}
	check(t, "in", In(str("KEY"), found, env), value.TrueV)
	check(t, "not in", In(str("OTHER"), found, env), unknown(value.Failed))
	if env.Marks.Len() == 0 {
		t.Error("there is no evidence")
	}
	env.Memo.Retry()
	env.Detectors = NewDetectors(map[string]detect.Detector{"pii": &askedDetector{answer: keys}}, time.Second)
	check(t, "pii at another time", asked(pii(), value.NoneV), list(str("KEY"), str("KEY")))
}

// TestParametersAreCanonical: what a detector is asked depends on the arguments,
// not on how they are written; and nothing unknown is asked about.
func TestParametersAreCanonical(t *testing.T) {
	dict := func(keys []string, items ...*value.Value) *value.Value { return value.DictOf(keys, items) }
	f := LookupModule("invariant.detectors").Funcs["moderated"]
	asked := func(thresholds *value.Value) (string, *value.Value) {
		c := &Call{Func: f, Args: []*value.Value{str("x"), value.NoneV, value.NoneV, thresholds, value.NoneV, value.NoneV}}
		r, trouble := c.request()
		return r.Params, trouble
	}
	const want = `{"cat_thresholds":{"a":0.5,"b":{"c":1,"d":[{"e":2,"f":3}]}}}`
	for _, thresholds := range []*value.Value{
		dict([]string{"a", "b"}, value.FloatOf(0.5), dict([]string{"c", "d"}, num(1), list(dict([]string{"e", "f"}, num(2), num(3))))),
		dict([]string{"b", "a"}, dict([]string{"d", "c"}, tuple(dict([]string{"f", "e"}, num(3), num(2))), num(1)), value.FloatOf(0.5)),
	} {
		if got, trouble := asked(thresholds); got != want || trouble != nil {
			t.Errorf("asked with %s, %v; want %s", got, trouble, want)
		}
	}
	_, trouble := asked(dict([]string{"a"}, list(value.Trouble(value.Missing, nil, ""))))
	check(t, "with something unknown", trouble, unknown(value.Missing))
}

// TestManyFindings: there may be more of them than a list holds, and one is
// enough.
func TestManyFindings(t *testing.T) {
	flood := func(_ context.Context, r []detect.Request) ([]detect.Result, error) {
		out := make([]detect.Result, len(r))
		for i := range 300 {
			out[0].Findings = append(out[0].Findings, detect.Finding{Kind: "KEY", Start: i, End: i + 1, Score: 1})
		}
		return out, nil
	}
	env := askingOf(&askedDetector{answer: flood})
	env.Limits.Value = 8 * 100 // a hundred items
	text := str(strings.Repeat("x", 400))
	found := Apply(pii(), []*value.Value{text, value.NoneV, value.NoneV}, env)
	if n := len(found.Items()); n != 100 {
		t.Fatalf("%d items of %s", n, found.Kind())
	}
	check(t, "any", Apply(Universe()["any"], []*value.Value{found}, env), value.TrueV)
	check(t, "len", Apply(Universe()["len"], []*value.Value{found}, env), unknown(value.TooLarge))
	check(t, "one view", Apply(pii(), []*value.Value{text, value.NoneV, RawView}, env), unknown(value.TooLarge))
}

// TestFailedModelIsTriedAgain: a model's answer holds for the session, its
// failure for a step.
func TestFailedModelIsTriedAgain(t *testing.T) {
	d := &askedDetector{}
	d.answer = func(context.Context, []detect.Request) ([]detect.Result, error) {
		if n := d.calls.Load(); n == 1 {
			return nil, errors.New("not yet")
		}
		return []detect.Result{{Findings: []detect.Finding{{Text: fmt.Sprint(d.calls.Load())}}}}, nil
	}
	f := LookupModule("invariant.llm").Funcs["llm"]
	env := &Env{Memo: NewMemo(), Detectors: NewDetectors(map[string]detect.Detector{"llm": d}, time.Second)}
	args := []*value.Value{str("prompt"), value.NoneV, value.NoneV, value.NoneV, value.NoneV}
	check(t, "first", Apply(f, args, env), unknown(value.Failed))
	check(t, "same step", Apply(f, args, env), unknown(value.Failed))
	env.Memo.Retry()
	check(t, "next step", Apply(f, args, env), str("2"))
	env.Memo.Retry()
	check(t, "later", Apply(f, args, env), str("2"))
}

// A detector that does not come back is unknown after its time, and its
// late answer is nobody's.
func TestDetectorTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &askedDetector{answer: func(_ context.Context, r []detect.Request) ([]detect.Result, error) {
			time.Sleep(time.Hour)
			return keys(context.Background(), r)
		}}
		env := askingOf(d)
		begin := time.Now()
		check(t, "pii", Apply(pii(), []*value.Value{str("key"), value.NoneV, value.NoneV}, env), unknown(value.Timeout))
		if took := time.Since(begin); took != time.Second {
			t.Errorf("it took %v", took)
		}
		time.Sleep(2 * time.Hour)
	})
}

// A text is looked at once however many ask for it, and at the same time.
func TestDetectorsAreAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &askedDetector{answer: func(_ context.Context, r []detect.Request) ([]detect.Result, error) {
			time.Sleep(time.Millisecond)
			return keys(context.Background(), r)
		}}
		shared := NewDetectors(map[string]detect.Detector{"pii": d}, time.Second)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				env := &Env{Memo: NewMemo(), Detectors: shared}
				check(t, "pii", Apply(pii(), []*value.Value{str("key"), value.NoneV, value.NoneV}, env), list(str("KEY")))
			})
		}
		wg.Wait()
		if n := d.calls.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

// Who waits for somebody else's question waits no longer than he may, and one
// who gives up takes the answer from nobody.
func TestDetectorWaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &askedDetector{answer: func(_ context.Context, r []detect.Request) ([]detect.Result, error) {
			time.Sleep(100 * time.Millisecond)
			return keys(context.Background(), r)
		}}
		shared := NewDetectors(map[string]detect.Detector{"pii": d}, time.Second)
		ask := func(timeout time.Duration) *value.Value {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			env := &Env{Memo: NewMemo(), Detectors: shared, Context: ctx}
			return Apply(pii(), []*value.Value{str("key"), value.NoneV, value.NoneV}, env)
		}
		var wg sync.WaitGroup
		wg.Go(func() { check(t, "impatient", ask(time.Millisecond), unknown(value.Timeout)) })
		synctest.Wait()
		wg.Go(func() { check(t, "patient", ask(time.Second), list(str("KEY"))) })
		wg.Wait()
		if n := d.calls.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
	})
}

// Failures are not remembered between monitors; within one they hold.
func TestDetectorFailureIsTriedAgain(t *testing.T) {
	d := &askedDetector{}
	d.answer = func(ctx context.Context, r []detect.Request) ([]detect.Result, error) {
		if d.calls.Load() == 1 {
			return nil, errors.New("not yet")
		}
		return keys(ctx, r)
	}
	shared := NewDetectors(map[string]detect.Detector{"pii": d}, time.Second)
	args := []*value.Value{str("key"), value.NoneV, value.NoneV}
	env := &Env{Memo: NewMemo(), Detectors: shared}
	check(t, "first", Apply(pii(), args, env), unknown(value.Failed))
	check(t, "same monitor", Apply(pii(), args, env), unknown(value.Failed))
	check(t, "another monitor", Apply(pii(), args, &Env{Memo: NewMemo(), Detectors: shared}), list(str("KEY")))
}

// What is remembered stays within its bound, and forgetting changes no answer.
func TestDetectorMemoryIsBounded(t *testing.T) {
	d := &askedDetector{answer: func(_ context.Context, r []detect.Request) ([]detect.Result, error) {
		return []detect.Result{{Findings: []detect.Finding{{Kind: strings.Repeat("K", 4<<20)}}}}, nil
	}}
	shared := NewDetectors(map[string]detect.Detector{"pii": d}, time.Second)
	for i := range 20 {
		r := shared.ask(t.Context(), "pii", []detect.Request{{Text: fmt.Sprint(i)}})
		if r[0].Err != nil || len(r[0].Findings) != 1 {
			t.Fatal(r)
		}
	}
	if shared.size > maxAnswers || len(shared.kept) != shared.order.Len() || len(shared.kept) == 0 {
		t.Errorf("%d bytes in %d answers, %d in order", shared.size, len(shared.kept), shared.order.Len())
	}
	before := d.calls.Load()
	shared.ask(t.Context(), "pii", []detect.Request{{Text: "19"}})
	if d.calls.Load() != before {
		t.Error("the last answer is forgotten")
	}
	shared.ask(t.Context(), "pii", []detect.Request{{Text: "0"}})
	if d.calls.Load() != before+1 {
		t.Error("the first answer is still there")
	}
}

// Everything that an answer depends on tells questions apart.
func TestDetectorKeys(t *testing.T) {
	questions := []struct {
		name, version string
		request       detect.Request
	}{
		{"a", "", detect.Request{Text: "b"}},
		{"", "a", detect.Request{Text: "b"}},
		{"", "", detect.Request{Text: "ab"}},
		{"", "", detect.Request{Params: "a", Text: "b"}},
		{"", "", detect.Request{Views: []string{}, Text: "ab"}},
		{"", "", detect.Request{Views: []string{"a"}, Text: "b"}},
		{"", "", detect.Request{Views: []string{"a", "b"}}},
		{"", "", detect.Request{Views: []string{"ab"}}},
		{"", "", detect.Request{Text: "*"}},
		{"", "", detect.Request{}},
	}
	seen := map[answerKey]int{}
	for i, q := range questions {
		key := keyOf(q.name, q.version, q.request)
		if j, ok := seen[key]; ok {
			t.Errorf("questions %d and %d have the same key", j, i)
		}
		seen[key] = i
	}
}

// What a detector sees in one part may depend on what stands in another.
func TestDetectorSeesContextInOtherParts(t *testing.T) {
	at := placed(t, `[{"role": "user", "content": [{"type": "text", "text": "é key: "}, {"type": "text", "text": "42 and 7"}, {"type": "text", "text": "key: 5"}]}]`)
	d := &askedDetector{answer: func(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
		out := make([]detect.Result, len(requests))
		for i, r := range requests {
			for from := 0; ; {
				_, rest, found := strings.Cut(r.Text[from:], "key: ")
				if !found {
					break
				}
				start := len(r.Text) - len(rest)
				end := start
				for end < len(r.Text) && r.Text[end] >= '0' && r.Text[end] <= '9' {
					end++
				}
				if from = end; start < end {
					points := len([]rune(r.Text[:start]))
					out[i].Findings = append(out[i].Findings, detect.Finding{Kind: "N", Start: points, End: points + end - start, Score: 1})
				}
			}
		}
		return out, nil
	}}
	env := askingOf(d)
	got := Apply(pii(), []*value.Value{at("0"), value.NoneV, value.NoneV}, env)
	if text := string(value.AppendJSON(nil, got)); text != `["N","N"]` || evidence(env.Marks) != "0.content.2.text:5-6 0.content.1.text:0-2" {
		t.Errorf("got %s with %q", text, evidence(env.Marks))
	}
}

// A monitor asks again what failed, once a step.
func TestDetectorIsAskedAgainAfterFailure(t *testing.T) {
	fails := true
	d := &askedDetector{answer: func(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
		if fails {
			return nil, errors.New("down")
		}
		return keys(ctx, requests)
	}}
	env := askingOf(d)
	args := []*value.Value{str("key"), value.NoneV, value.NoneV}
	for range 2 {
		if got := Apply(pii(), args, env); got.Kind() != value.Unknown {
			t.Errorf("got %s", show(got))
		}
	}
	fails = false
	if got := Apply(pii(), args, env); got.Kind() != value.Unknown || d.calls.Load() != 1 {
		t.Errorf("within a step: got %s after %d questions", show(got), d.calls.Load())
	}
	env.Memo.Retry()
	for range 2 {
		if got := Apply(pii(), args, env); got.Kind() != value.List || d.calls.Load() != 2 {
			t.Errorf("in the next step: got %s after %d questions", show(got), d.calls.Load())
		}
		env.Memo.Retry()
	}
}

// Evidence of many findings in long texts is found in one pass: else this
// test would take minutes.
func TestDetectorWithManyFindings(t *testing.T) {
	d := &askedDetector{answer: func(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
		out := make([]detect.Result, len(requests))
		for i, r := range requests {
			for end := len(r.Text); end > max(0, len(r.Text)-100_000); end-- {
				out[i].Findings = append(out[i].Findings, detect.Finding{Kind: "X", Start: end - 1, End: end, Score: 1})
			}
		}
		return out, nil
	}}
	var texts []*value.Value
	for i := range 5_000 {
		texts = append(texts, str(fmt.Sprintf("%04d", i)))
	}
	for _, data := range []*value.Value{str(strings.Repeat("x", 900_000)), list(texts...)} {
		root := value.ListOf([]*value.Value{data})
		env := askingOf(d)
		if got := Apply(pii(), []*value.Value{root, value.NoneV, value.NoneV}, env); got.Kind() != value.List {
			t.Errorf("got %s", show(got))
		}
	}
	run := placed(t, `[{"role": "user", "content": "`+strings.Repeat("x", 900_000)+`"},
		{"role": "user", "content": [`+strings.Repeat(`{"type": "text", "text": "abcd"},`, 5_000)+`{"type": "text", "text": "abcd"}]}]`)
	for _, address := range []string{"0", "1"} {
		env := askingOf(d)
		if got := Apply(pii(), []*value.Value{run(address), value.NoneV, value.NoneV}, env); got.Kind() != value.List || env.Marks.Len() == 0 {
			t.Errorf("%s: got %v with %d spans", address, got.Kind(), env.Marks.Len())
		}
	}
}

// A detector that changes what it was given and what it gave changes no answer.
func TestDetectorThatSharesItsSlices(t *testing.T) {
	shared := make([]detect.Finding, 1)
	d := &askedDetector{answer: func(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
		shared[0] = detect.Finding{Kind: requests[0].Text, End: len(requests[0].Text), Score: 1}
		requests[0].Text = "another text that is long enough for anything"
		return []detect.Result{{Findings: shared}}, nil
	}}
	detectors := NewDetectors(map[string]detect.Detector{"pii": d}, time.Second)
	for _, text := range []string{"a long text", "b", "a long text", "b"} {
		got := detectors.ask(t.Context(), "pii", []detect.Request{{Text: text}})
		if got[0].Err != nil || len(got[0].Findings) != 1 || got[0].Findings[0].Kind != text || got[0].Findings[0].End != len(text) {
			t.Errorf("%s: got %v", text, got[0])
		}
	}
	if n := d.calls.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

// A nameless detector panics when it is asked for its version the first time.
type nameless struct {
	askedDetector
	asked atomic.Int32
}

func (n *nameless) Version() string {
	if n.asked.Add(1) == 1 {
		panic("no version")
	}
	return ""
}

func TestDetectorWithoutVersion(t *testing.T) {
	d := &nameless{}
	d.answer = keys
	detectors := NewDetectors(map[string]detect.Detector{"pii": d}, time.Second)
	for i, fails := range []bool{true, false, false} {
		for _, r := range detectors.ask(t.Context(), "pii", []detect.Request{{Text: "one"}, {Text: "two"}}) {
			if (r.Err != nil) != fails {
				t.Errorf("question %d: %v", i, r.Err)
			}
		}
	}
	if n := len(detectors.flights); n > 0 {
		t.Errorf("%d questions stay open", n)
	}
	if n := d.asked.Load(); n < 2 {
		t.Errorf("it was asked for its version %d times, want 2 and once more after each answer", n)
	}
}

// A slow detector says what its version is after an hour.
type slow struct{ askedDetector }

func (*slow) Version() string {
	time.Sleep(time.Hour)
	return "1"
}

// TestDetectorWithoutVersionInTime: nobody waits for a version longer than for
// an answer, and when it is known the detector is as good as any.
func TestDetectorWithoutVersionInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &slow{}
		d.answer = keys
		detectors := NewDetectors(map[string]detect.Detector{"pii": d}, time.Second)
		for _, wait := range []time.Duration{time.Minute, 0, time.Hour} {
			begin := time.Now()
			r := detectors.ask(t.Context(), "pii", []detect.Request{{Text: "key"}})[0]
			if !errors.Is(r.Err, context.DeadlineExceeded) && wait > 0 && wait < time.Hour {
				t.Errorf("got %v, want a timeout", r.Err)
			}
			if took := time.Since(begin); took > time.Second {
				t.Errorf("it took %v", took)
			}
			time.Sleep(wait)
		}
		if r := detectors.ask(t.Context(), "pii", []detect.Request{{Text: "key"}})[0]; r.Err != nil || len(r.Findings) != 1 {
			t.Errorf("got %v", r)
		}
		time.Sleep(time.Hour) // it is asked again after each answer
	})
}

// A changing detector has a version of which it says only when it answers that
// it is another, as a server does.
type changing struct {
	mu      sync.Mutex
	now     string // what the server runs
	seen    string // what was said of it
	answers int
}

func (c *changing) Version() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

func (c *changing) Detect(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = c.now
	c.answers++
	out := make([]detect.Result, len(requests))
	for i := range out {
		out[i].Findings = []detect.Finding{{Kind: c.now, Score: 1}}
	}
	return out, nil
}

// TestDetectorThatChanges: what a server said before it was replaced is not
// repeated once that is known.
func TestDetectorThatChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &changing{now: "1"}
		detectors := NewDetectors(map[string]detect.Detector{"pii": c}, time.Second)
		ask := func(text, want string, answers int) {
			t.Helper()
			found := detectors.ask(t.Context(), "pii", []detect.Request{{Text: text}})[0].Findings
			synctest.Wait()
			if len(found) != 1 || found[0].Kind != want || c.answers != answers {
				t.Errorf("%s: got %v after %d answers, want version %s after %d", text, found, c.answers, want, answers)
			}
		}
		ask("a", "1", 1) // nobody knew whom it would ask
		ask("a", "1", 2)
		ask("a", "1", 2)
		c.now = "2"
		ask("a", "1", 2)
		ask("b", "2", 3)
		ask("a", "2", 4)
		ask("b", "2", 5)
		ask("b", "2", 5)
		if n := len(detectors.kept); n != detectors.order.Len() || detectors.size <= 0 {
			t.Errorf("%d answers are kept, %d in order, of %d bytes", n, detectors.order.Len(), detectors.size)
		}
	})
}

// A detector that takes no notice of the views that it is asked about finds
// nothing in others, and changes for nobody else which they are.
func TestDetectorThatIgnoresViews(t *testing.T) {
	d := &askedDetector{answer: func(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
		out := make([]detect.Result, len(requests))
		for i, r := range requests {
			for _, view := range []string{"", detect.Raw, "decoded", "skeleton"} {
				out[i].Findings = append(out[i].Findings, detect.Finding{Kind: "K", Score: 1, View: view})
			}
			for j := range r.Views {
				r.Views[j] = "decoded"
			}
		}
		return out, nil
	}}
	detectors := NewDetectors(map[string]detect.Detector{"pii": d}, time.Second)
	for _, test := range []struct {
		views []string
		want  int
	}{{nil, 4}, {[]string{detect.Raw}, 2}, {[]string{"decoded"}, 3}, {[]string{"skeleton", detect.Raw}, 3}} {
		views := slices.Clone(test.views)
		r := detectors.ask(t.Context(), "pii", []detect.Request{{Text: "a", Views: views}})[0]
		if len(r.Findings) != test.want || !slices.Equal(views, test.views) {
			t.Errorf("views %v, %v afterwards: got %v", test.views, views, r.Findings)
		}
	}
}

// What was found in a view is private although more could not be looked at.
func TestPrivateBesideAnError(t *testing.T) {
	d := &askedDetector{answer: func(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
		out := make([]detect.Result, len(requests))
		for i, r := range requests {
			out[i].Findings = []detect.Finding{{Kind: "RAW", End: 1, Score: 1}}
			if r.Views == nil {
				out[i] = detect.Result{Findings: []detect.Finding{{Kind: "DECODED", End: 2, View: "decoded", Score: 1}}, Err: errors.New("too much")}
			}
		}
		return out, nil
	}}
	found, ok := NewDetectors(map[string]detect.Detector{"secrets": d}, time.Second).Private(t.Context(), "abc")
	if !ok || len(found) != 2 {
		t.Errorf("got %v %t", found, ok)
	}
}

// What shows a verdict does not wait for a detector that hangs text by text.
func TestPrivateWithoutAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hangs atomic.Bool
		hangs.Store(true)
		d := &askedDetector{answer: func(ctx context.Context, r []detect.Request) ([]detect.Result, error) {
			if hangs.Load() {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return keys(ctx, r)
		}}
		detectors := NewDetectors(map[string]detect.Detector{"secrets": d}, time.Second)
		begin := time.Now()
		for i := range 100 {
			if _, ok := detectors.Private(t.Context(), fmt.Sprint("key", i)); ok {
				t.Error("there is an answer")
			}
		}
		if took := time.Since(begin); took != time.Second {
			t.Errorf("it took %v", took)
		}
		hangs.Store(false)
		time.Sleep(time.Minute)
		if found, ok := detectors.Private(t.Context(), "key1"); !ok || len(found) != 1 {
			t.Errorf("later: got %v %t", found, ok)
		}
	})
}
