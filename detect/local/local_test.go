// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package local_test

import (
	"encoding/base64"
	"maps"
	"slices"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/trace"
)

const (
	mail  = "write to eve.adams@example.org today"
	token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
)

// ask asks one detector about one text.
func ask(t *testing.T, name string, r detect.Request) detect.Result {
	t.Helper()
	out, err := local.Detectors()[name].Detect(t.Context(), []detect.Request{r})
	if err != nil || len(out) != 1 {
		t.Fatalf("%s: %v %v", name, out, err)
	}
	return out[0]
}

func kinds(r detect.Result) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Kind)
	}
	return out
}

func TestDetectors(t *testing.T) {
	for _, test := range []struct {
		name    string
		request detect.Request
		want    []string
	}{
		{"pii", detect.Request{Text: mail}, []string{"EMAIL_ADDRESS"}},
		{"pii", detect.Request{Text: mail, Params: `{"entities":["IBAN_CODE"]}`}, nil},
		{"pii", detect.Request{Text: mail, Params: `{"entities":["EMAIL_ADDRESS"]}`}, []string{"EMAIL_ADDRESS"}},
		{"pii", detect.Request{Text: "nothing of the kind"}, nil},
		{"secrets", detect.Request{Text: "token: " + token}, []string{"GITHUB_TOKEN", "github-pat"}},
		{"secrets", detect.Request{Text: "token: ghp_"}, nil},
	} {
		got := ask(t, test.name, test.request)
		if got.Err != nil || !slices.Equal(kinds(got), test.want) {
			t.Errorf("%s(%q, %s) = %v %v, want %v", test.name, test.request.Text, test.request.Params, kinds(got), got.Err, test.want)
		}
	}
}

// A kind that does not exist finds nothing, which must not pass for an answer.
func TestUnknownKind(t *testing.T) {
	for _, params := range []string{`{"entities":["EMAIL"]}`, `{"entities":"EMAIL_ADDRESS"}`, `{`} {
		if got := ask(t, "pii", detect.Request{Text: mail, Params: params}); got.Err == nil {
			t.Errorf("%s: %v", params, got.Findings)
		}
	}
}

// What is hidden from a look at the text as it stands is found in its views,
// where the text has it.
func TestViews(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte(mail))
	got := ask(t, "pii", detect.Request{Text: "é " + encoded})
	want := detect.Finding{Kind: "EMAIL_ADDRESS", Start: 2, End: 2 + len(encoded), View: "decoded"}
	if len(got.Findings) != 1 {
		t.Fatalf("got %v", got)
	}
	if f := got.Findings[0]; f.Kind != want.Kind || f.Start != want.Start || f.End != want.End || f.View != want.View {
		t.Errorf("got %v, want %v", f, want)
	}
	if got := ask(t, "pii", detect.Request{Text: encoded, Views: []string{detect.Raw}}); got.Err != nil || len(got.Findings) > 0 {
		t.Errorf("the raw text alone: %v", got)
	}
}

// A policy that asks for content needs nothing else to be set up.
func TestPolicy(t *testing.T) {
	const policy = `
from invariant.detectors import pii, secrets
raise "a secret leaves" if:
    (c: ToolCall)
    c is tool:send
    any(secrets(c.arguments))
ask "personal data leaves" if:
    (c: ToolCall)
    c is tool:send
    "EMAIL_ADDRESS" in pii(c.arguments.text)
`
	p, err := holdfast.Compile("p.gr", []byte(policy), &holdfast.Options{Detectors: local.Detectors()})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]holdfast.Decision{mail: holdfast.Ask, "use " + token: holdfast.Deny, "hello": holdfast.Allow} {
		v, err := p.Analyze(t.Context(), &trace.Trace{Events: []*trace.Event{
			trace.Call("1", "send", map[string]any{"text": text}),
		}}, nil)
		if err != nil || v.Decision() != want {
			t.Errorf("%q: got %v %v, want %v", text, v.Decision(), err, want)
		}
	}
}

// elsewhere are the detectors that need something beside this machine's
// processor: an endpoint of a model or, for ocr, a program.
var elsewhere = []string{"embedding_similarity", "image_policy_violations", "llm", "llm_confirm", "moderated", "ocr", "topic"}

// TestEveryFunctionIsAnswered: what a function asks is here or known to need
// something that policies must be told of.
func TestEveryFunctionIsAnswered(t *testing.T) {
	here := slices.Collect(maps.Keys(local.Detectors()))
	for _, name := range builtin.DetectorNames() {
		if slices.Contains(here, name) == slices.Contains(elsewhere, name) {
			t.Errorf("%s is answered here: %v, and needs something else: %v", name, slices.Contains(here, name), slices.Contains(elsewhere, name))
		}
	}
	for _, name := range append(here, elsewhere...) {
		if !slices.Contains(builtin.DetectorNames(), name) {
			t.Errorf("no function asks %s", name)
		}
	}
}
