// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scan_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/difftest"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/trace"
)

// A random case is one of package difftest, as a user would have it.
type random struct {
	policy *holdfast.Policy
	opts   *holdfast.MonitorOptions
	text   []byte // of the trace
}

// randomCase makes a case, false if its policy does not load.
func randomCase(t *testing.T, number uint64) (*random, bool) {
	t.Helper()
	r := &random{opts: &holdfast.MonitorOptions{}}
	files := fstest.MapFS{}
	var policy []byte
	for _, f := range txtar.Parse(difftest.Archive(difftest.Generate(7, number), errors.New("none"))).Files {
		switch f.Name {
		case "policy":
			policy = f.Data
		case "input":
			d := json.NewDecoder(strings.NewReader(string(f.Data)))
			d.UseNumber()
			if err := d.Decode(&r.opts.Input); err != nil {
				t.Fatal(err)
			}
		case "trace":
			r.text = f.Data
		default:
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	var err error
	r.policy, err = holdfast.CompileAll([]holdfast.Source{{Name: "policy", Text: policy, Files: files}}, nil)
	if err != nil {
		return r, false
	}
	_, err = r.policy.Monitor(r.opts) // which refuses parameters of another type
	return r, err == nil
}

func (r *random) trace(t *testing.T) *trace.Trace {
	t.Helper()
	out, err := trace.Decode(r.text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// upTo returns the verdict on the first n events by one look.
func (r *random) upTo(t *testing.T, n int) holdfast.Verdict {
	t.Helper()
	part := r.trace(t)
	part.Events = part.Events[:n]
	v, err := r.policy.Analyze(t.Context(), part, r.opts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// firstStop is the first event whose prefix one look does not allow, with the
// verdict on it; -1 and the verdict on all of the trace if there is none.
func (r *random) firstStop(t *testing.T) (int, holdfast.Verdict) {
	t.Helper()
	events := len(r.trace(t).Events)
	for i := range events {
		if v := r.upTo(t, i+1); !v.Allowed() {
			return i, v
		}
	}
	return -1, r.upTo(t, events)
}

func (r *random) retracts() bool {
	for _, rule := range r.policy.Rules() {
		if rule.Retracts {
			return true
		}
	}
	return false
}

// TestOnlineStopsAtTheFirstEventThatIsNotAllowed holds --online against looks
// at every prefix, on random policies and traces. For rules whose matches never
// go away, what a deployment stops is also not allowed as a whole.
func TestOnlineStopsAtTheFirstEventThatIsNotAllowed(t *testing.T) {
	stopped, passed, kept := 0, 0, 0
	for number := range uint64(2000) {
		r, ok := randomCase(t, number)
		if !ok {
			continue
		}
		at, want := r.firstStop(t)
		v, stop, err := scan.Online(r.policy, r.opts)(t.Context(), r.trace(t))
		if err != nil {
			t.Fatalf("case %d: %v", number, err)
		}
		if got := eventOf(stop); got != at || v.Decision() != want.Decision() {
			t.Fatalf("case %d: stopped at %d with %v, want %d with %v\n%s\n%s", number, got, v.Decision(), at, want.Decision(), difftest.Generate(7, number).Policy, r.text)
		}
		switch {
		case stop == nil:
			passed++
			continue
		case !addressed(stop):
			t.Fatalf("case %d: event %d is not in the address %s", number, stop.Event, stop.Address)
		}
		stopped++
		if r.retracts() {
			continue
		}
		kept++
		// Decisions are ordered, the worst first.
		if whole := r.upTo(t, len(r.trace(t).Events)); whole.Decision() > v.Decision() {
			t.Fatalf("case %d: stopped with %v, but as a whole it is %v\n%s\n%s", number, v.Decision(), whole.Decision(), difftest.Generate(7, number).Policy, r.text)
		}
	}
	t.Logf("%d stopped, %d of them for good, %d passed", stopped, kept, passed)
	if stopped < 200 || kept < 100 || passed < 200 {
		t.Error("the cases say too little")
	}
}

func eventOf(stop *report.Stop) int {
	if stop == nil {
		return -1
	}
	return stop.Event
}

// addressed reports whether a stop's address is that of its event or of a call
// in it.
func addressed(stop *report.Stop) bool {
	event, call, inside := strings.Cut(stop.Address, ".")
	want, err := json.Marshal(stop.Event)
	return err == nil && event == string(want) && (!inside || strings.HasPrefix(call, "tool_calls.") || call == "function_call")
}
