// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/trace"
)

// A recorder is a detector of the word "key" that notes what it is asked.
type recorder struct {
	mu    sync.Mutex
	asked []detect.Request
	fails bool
}

func (*recorder) Version() string { return "1" }

func (r *recorder) Detect(ctx context.Context, requests []detect.Request) ([]detect.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, requests...)
	if r.fails {
		return nil, errors.New("out of order")
	}
	plain := detect.Plain("1", func(_ context.Context, text, _ string) ([]detect.Span, error) {
		if i := strings.Index(text, "key"); i >= 0 {
			return []detect.Span{{Kind: "KEY", Start: i, End: i + 3, Score: 1}}, nil
		}
		return nil, nil
	})
	return plain.Detect(ctx, requests)
}

func (r *recorder) views() [][]string {
	var out [][]string
	for _, q := range r.asked {
		out = append(out, q.Views)
	}
	return out
}

// leak is a trace in which an output with a key is followed by a call.
func leak() *trace.Trace {
	return &trace.Trace{Events: []*trace.Event{
		trace.Call("1", "read", nil), trace.Output("1", "é: the key"), trace.Call("2", "send", map[string]any{"to": "key"}),
	}}
}

func TestDetectors(t *testing.T) {
	const policy = `
from holdfast.detectors import secrets
raise "leak" if:
    (o: ToolOutput) -> (c: ToolCall)
    any(secrets(o.content))
    "KEY" in secrets(c)
`
	r := &recorder{}
	p, err := holdfast.Compile("p.gr", []byte(policy), &holdfast.Options{Detectors: map[string]detect.Detector{"secrets": r}, Reveal: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Warnings()) > 0 {
		t.Errorf("warnings: %v", p.Warnings())
	}
	for range 2 {
		v, err := p.Analyze(t.Context(), leak(), nil)
		if err != nil || v.Decision() != holdfast.Deny || len(v.Violations()) != 1 {
			t.Fatalf("got %v %v", v.Decision(), err)
		}
		if got := v.Violations()[0].Ranges; !slices.Contains(got, "1.content:7-10") || !slices.Contains(got, "2.function.arguments.to:0-3") {
			t.Errorf("evidence %q", got)
		}
	}
	if len(r.asked) != 2 {
		t.Errorf("two looks at the same texts asked %d times", len(r.asked))
	}
	for _, views := range r.views() {
		if views != nil {
			t.Errorf("asked about %q, want all views", views)
		}
	}
}

// Where a finding can keep a rule from being violated, only the text as it
// stands counts.
func TestDetectorsUnderNegation(t *testing.T) {
	const policy = `
raise "unsigned" if:
    (c: ToolCall)
    c is tool:send
    not is_secret(c.arguments.to)
`
	r := &recorder{}
	p, err := holdfast.Compile("p.gr", []byte(policy), &holdfast.Options{Detectors: map[string]detect.Detector{"secrets": r}})
	if err != nil {
		t.Fatal(err)
	}
	if w := p.Warnings(); len(w) != 1 || w[0].Code != "P0314" {
		t.Errorf("warnings: %v", w)
	}
	v, err := p.Analyze(t.Context(), leak(), nil)
	if err != nil || v.Decision() != holdfast.Allow {
		t.Fatalf("got %v %v", v.Decision(), err)
	}
	if got := r.views(); len(got) != 1 || !slices.Equal(got[0], []string{detect.Raw}) {
		t.Errorf("asked about the views %q", got)
	}
}

// A value class in a tool pattern asks the detector of its kind.
func TestValueClasses(t *testing.T) {
	for pattern, want := range map[string]holdfast.Decision{
		`c is tool:send({to: <SECRET>})`:     holdfast.Deny,
		`c is not tool:send({to: <SECRET>})`: holdfast.Allow,
		`c is tool:send({to: <PERSON>})`:     holdfast.Unknown, // nobody is there to ask
		`c is tool:send({n: <SECRET>})`:      holdfast.Allow,   // a number without a secret
		`c is tool:send({none: <SECRET>})`:   holdfast.Allow,
		`c is tool:send({list: <SECRET>})`:   holdfast.Unknown,
		`c is tool:send({list: [<SECRET>]})`: holdfast.Deny,
		`c is tool:read({to: <SECRET>})`:     holdfast.Allow, // another tool, so nobody is asked
	} {
		r := &recorder{}
		p, err := holdfast.Compile("p.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n    "+pattern+"\n"),
			&holdfast.Options{Detectors: map[string]detect.Detector{"secrets": r}})
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Analyze(t.Context(), &trace.Trace{Events: []*trace.Event{trace.Call("1", "send", map[string]any{
			"to": "the key", "n": 5, "none": nil, "list": []any{"key"},
		})}}, nil)
		if err != nil || v.Decision() != want {
			t.Errorf("%s: got %v %v, want %v", pattern, v.Decision(), err, want)
		}
		for _, views := range r.views() {
			if raw := strings.Contains(pattern, "is not"); (views != nil) != raw {
				t.Errorf("%s: asked about the views %q", pattern, views)
			}
		}
		if want == holdfast.Deny && !strings.Contains(strings.Join(v.Violations()[0].Ranges, " "), ":") {
			t.Errorf("%s: evidence %q", pattern, v.Violations()[0].Ranges)
		}
	}
}

func TestDetectorThatFailsIsUnknown(t *testing.T) {
	r := &recorder{fails: true}
	p, err := holdfast.Compile("p.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n    is_secret(c)\n"),
		&holdfast.Options{Detectors: map[string]detect.Detector{"secrets": r}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Analyze(t.Context(), leak(), nil)
	if err != nil || v.Decision() != holdfast.Unknown || v.Unknowns()[0].Reason != "failed" {
		t.Fatalf("got %v %v %v", v.Decision(), v.Unknowns(), err)
	}
	if strings.Contains(v.Reason(), "order") {
		t.Errorf("the reason tells what the detector said: %s", v.Reason())
	}
}

func TestDetectorsAreKnownByName(t *testing.T) {
	for _, given := range []map[string]detect.Detector{{"secret": &recorder{}}, {"secrets": nil}} {
		_, err := holdfast.Compile("p.gr", nil, &holdfast.Options{Detectors: given})
		if err == nil || !strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: %v", given, err)
		}
	}
}
