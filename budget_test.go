// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/trace"
)

// silent is a detector that finds nothing.
var silent = detect.Plain("1", func(context.Context, string, string) ([]detect.Span, error) { return nil, nil })

// What one rule spent is not owed by another.
func TestBudgetIsOfOneRule(t *testing.T) {
	light := "raise \"light\" if:\n    (o: ToolOutput)\n    o.role == \"tool\"\n"
	for _, heavy := range []string{`find("(x+y?)+z", o.content)`, "pii(o)", "python_code(o.content).syntax_error"} {
		heavy = "warn \"heavy\" if:\n    (o: ToolOutput)\n    " + heavy + "\n"
		for _, rules := range []string{heavy + light, light + heavy, heavy + light + heavy + light} {
			p, err := holdfast.Compile("p.gr", []byte("from invariant.detectors import pii\nfrom invariant.detectors.code import python_code\n"+rules),
				&holdfast.Options{Detectors: map[string]detect.Detector{"pii": silent}})
			if err != nil {
				t.Fatal(err)
			}
			m, err := p.Monitor(&holdfast.MonitorOptions{Limits: holdfast.Limits{Steps: 60}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 { // each step has a budget of its own
				text := strings.Repeat("x", 100_000+i)
				v, err := m.Append(t.Context(), trace.Call("1", "read", nil), trace.Output("1", text), trace.Output("1", "x"+text))
				if err != nil || v.Decision() != holdfast.Deny {
					t.Fatalf("step %d: got %v %v of\n%s", i, v.Decision(), err, rules)
				}
				for _, u := range v.Unknowns() {
					if u.Rule.Message == "light" {
						t.Errorf("step %d: light is unknown: %s, of\n%s", i, u.Reason, rules)
					}
				}
			}
		}
	}
}

// Detectors and code cost a rule what they look at.
func TestBudgetCountsDetectors(t *testing.T) {
	for _, call := range []string{"any(pii(o)) or any(pii([o.content, m])) or o.content == m", `python_code(o.content).syntax_error or python_code(m).syntax_error or o.content == m`} {
		p, err := holdfast.Compile("p.gr", []byte("from invariant.detectors import pii\nfrom invariant.detectors.code import python_code\n"+
			"raise \"x\" if:\n    (o: ToolOutput)\n    m := o.content + \"x\"\n    "+call+"\n"),
			&holdfast.Options{Detectors: map[string]detect.Detector{"pii": silent}})
		if err != nil {
			t.Fatal(err)
		}
		tr := &trace.Trace{Events: []*trace.Event{trace.Call("1", "read", nil), trace.Output("1", strings.Repeat("x", 10_000))}}
		for steps, want := range map[int]string{5_000: "budget", 100_000: ""} {
			v, err := p.Analyze(t.Context(), tr, &holdfast.MonitorOptions{Limits: holdfast.Limits{Steps: steps}})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, u := range v.Unknowns() {
				got = u.Reason
			}
			if got != want {
				t.Errorf("%s in %d steps: got %q (%v), want %q", call, steps, got, v.Decision(), want)
			}
		}
	}
}
