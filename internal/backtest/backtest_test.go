// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package backtest_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/backtest"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

func side(t *testing.T, policy string) backtest.Side {
	t.Helper()
	p, err := holdfast.Compile("p.gr", []byte(policy), nil)
	if err != nil {
		t.Fatal(err)
	}
	return backtest.Side{Policy: p}
}

// rule is a policy of one rule about calls of a tool.
func rule(id, verb, condition string) string {
	return fmt.Sprintf("# id: %s\n%s %q if:\n    (c: ToolCall)\n    %s\n", id, verb, id, condition)
}

const send = "c is tool:send"

func TestCompare(t *testing.T) {
	const read = `{"id":"1","type":"function","function":{"name":"read","arguments":{}}}`
	const mail = `{"id":"2","type":"function","function":{"name":"send","arguments":{}}}`
	run := `[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[` + read + `,` + mail + `]},
{"role":"tool","tool_call_id":"1","content":"x"},{"role":"assistant","content":null,"tool_calls":[` + mail[:7] + `3` + mail[8:] + `]}]`
	for _, c := range []struct {
		name, old, new string
		want           []backtest.Change
	}{
		{"the same", rule("a", "raise", send), rule("b", "raise", send), nil},
		{
			"weaker", rule("a", "raise", send), rule("a", "ask", send), []backtest.Change{
				{Event: 1, Calls: []string{"read", "send"}, Old: holdfast.Deny, New: holdfast.Ask, Reason: "a"},
				{Event: 3, Calls: []string{"send"}, Old: holdfast.Deny, New: holdfast.Ask, Reason: "a"},
			},
		},
		{
			"a rule that warns stands against nothing", rule("a", "warn", send), rule("a", "raise", send), []backtest.Change{
				{Event: 1, Calls: []string{"read", "send"}, Old: holdfast.Allow, New: holdfast.Deny, Now: []string{"a"}, Reason: "a"},
				{Event: 3, Calls: []string{"send"}, Old: holdfast.Allow, New: holdfast.Deny, Now: []string{"a"}, Reason: "a"},
			},
		},
		{
			"unknown is between ask and deny", rule("a", "raise", "c.arguments.to == 1"), rule("b", "raise", "c is tool:read"), []backtest.Change{
				{Event: 1, Calls: []string{"read", "send"}, Old: holdfast.Unknown, New: holdfast.Deny, Now: []string{"b"}, NoMore: []string{"a"}, Reason: "b"},
				{Event: 3, Calls: []string{"send"}, Old: holdfast.Unknown, New: holdfast.Allow, NoMore: []string{"a"}, Reason: `rule "a" (p.gr:4) could not be decided: no key "to"`},
			},
		},
		{
			"what may be unknown stands against nothing", rule("b", "raise", "c is tool:none"),
			"# on_unknown: allow\n" + rule("a", "raise", "c.arguments.to == 1") + rule("b", "raise", send) + "# on_unknown: ask\n" + rule("c", "raise", "c.arguments.to == 2"),
			[]backtest.Change{
				{Event: 1, Calls: []string{"read", "send"}, Old: holdfast.Allow, New: holdfast.Deny, Now: []string{"b", "c"}, Reason: "b"},
				{Event: 3, Calls: []string{"send"}, Old: holdfast.Allow, New: holdfast.Deny, Now: []string{"b", "c"}, Reason: "b"},
			},
		},
		{
			"a rule that warns may stop what it cannot decide", "# on_unknown: deny\n" + rule("a", "warn", "c is tool:send and c.arguments.to == 1"), rule("b", "raise", "c is tool:none"), []backtest.Change{
				{Event: 1, Calls: []string{"read", "send"}, Old: holdfast.Unknown, New: holdfast.Allow, NoMore: []string{"a"}, Reason: `rule "a" (p.gr:5) could not be decided: no key "to"`},
				{Event: 3, Calls: []string{"send"}, Old: holdfast.Unknown, New: holdfast.Allow, NoMore: []string{"a"}, Reason: `rule "a" (p.gr:5) could not be decided: no key "to"`},
			},
		},
		{
			"what is denied has happened all the same", "# id: a\nraise \"twice\" if:\n    (a: ToolCall) -> (b: ToolCall)\n    a is tool:send\n    b is tool:send\n", rule("b", "raise", send), []backtest.Change{
				{Event: 1, Calls: []string{"read", "send"}, Old: holdfast.Allow, New: holdfast.Deny, Now: []string{"b"}, Reason: "b"},
			},
		},
		{
			"events without calls", "# id: a\nraise \"x\" if:\n    (o: ToolOutput)\n    \"x\" in o.content\n", rule("b", "raise", "c is tool:none"), []backtest.Change{
				{Event: 2, Old: holdfast.Deny, New: holdfast.Allow, NoMore: []string{"a"}, Reason: "x"},
			},
		},
	} {
		tr, err := trace.Decode([]byte(run), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := backtest.Compare(t.Context(), side(t, c.old), side(t, c.new), tr)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got.Steps != 4 || got.Calls != 3 {
			t.Errorf("%s: %d steps and %d calls", c.name, got.Steps, got.Calls)
		}
		if !reflect.DeepEqual(got.Changes, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got.Changes, c.want)
		}
	}
}

func TestWeaker(t *testing.T) {
	order := []holdfast.Decision{holdfast.Allow, holdfast.Ask, holdfast.Unknown, holdfast.Deny}
	for i, before := range order {
		for j, after := range order {
			c := backtest.Change{Old: before, New: after}
			if got := c.Weaker(); got != (j < i) {
				t.Errorf("%v to %v: got weaker %t", before, after, got)
			}
		}
	}
}

// TestRun compares many traces, a few of them unreadable, with several workers:
// the results come in the order of the input, and the totals count them.
func TestRun(t *testing.T) {
	records := func(yield func(source.Record) bool) {
		for i := range 200 {
			r := source.Record{Path: "runs.jsonl", Index: i}
			r.Text = `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":{}}}]}]`
			switch {
			case i%10 == 3:
				r.Err = errors.New("torn")
			case i%2 == 0:
				r.Text = "[]"
			}
			if !yield(r) {
				return
			}
		}
	}
	o := &backtest.Options{
		Old: side(t, rule("a", "raise", send)), New: side(t, rule("b", "ask", send)), Workers: 3,
		Decode: func(r source.Record) (*trace.Trace, error) { return r.Decode(nil) },
	}
	var totals backtest.Totals
	next := 0
	err := backtest.Run(t.Context(), records, o, func(r backtest.Result) error {
		if r.Index != next {
			t.Fatalf("got result %d, want %d", r.Index, next)
		}
		next++
		totals.Add(r)
		return nil
	})
	totals.Sort()
	if err != nil || totals.Traces != 180 || totals.Failed != 20 || totals.Weaker != 80 || totals.Stronger != 0 || totals.Changed != 80 {
		t.Errorf("got %+v %v", totals, err)
	}
	if len(totals.Kinds) != 1 || totals.Kinds[0].Traces != 80 || totals.Kinds[0].Steps != 80 {
		t.Errorf("kinds %+v", totals.Kinds)
	}
	if i := slices.IndexFunc(totals.Rules, func(r backtest.RuleChange) bool { return r.ID == "b" }); len(totals.Rules) != 2 || totals.Rules[i].Now != 80 || totals.Rules[i].NoMore != 0 {
		t.Errorf("rules %+v", totals.Rules)
	}
	stop := errors.New("enough")
	if err := backtest.Run(t.Context(), records, o, func(r backtest.Result) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v, want what each returned", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := backtest.Run(ctx, records, o, func(backtest.Result) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

// A trace that makes the reader panic is a failure, and none that quotes it.
func TestRunPanic(t *testing.T) {
	o := &backtest.Options{
		Old: side(t, rule("a", "raise", send)), New: side(t, rule("a", "raise", send)),
		Decode: func(r source.Record) (*trace.Trace, error) { panic("secret " + r.Text) },
	}
	one := func(yield func(source.Record) bool) { yield(source.Record{Path: "x"}) }
	err := backtest.Run(t.Context(), one, o, func(r backtest.Result) error {
		if r.Err == nil || r.Err.Error() != "internal error: string" {
			t.Errorf("got %v", r.Err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
