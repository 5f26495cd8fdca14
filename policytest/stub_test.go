// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/policytest"
)

// asking makes a case of a rule that asks detectors about one message.
func asking(detectors, want string) string {
	return `Why it exists.
-- policy --
from holdfast.detectors import pii
raise "address" if:
    (m: UserMessage)
    "EMAIL_ADDRESS" in pii(m)
warn "secret" if:
    (m: UserMessage)
    is_secret(m)
-- trace --
[{"role": "user", "content": "é bob, bob"}]
-- detectors --
` + detectors + `
-- want --
` + want
}

const found = `{"pii": [{"text": "é bob, bob", "findings": [{"kind": "EMAIL_ADDRESS", "text": "bob", "score": 0.5}]}],
	"secrets": [{"text": "é bob, bob"}]}`

func TestDetectorsAnswer(t *testing.T) {
	for detectors, want := range map[string]string{
		found: "show spans\ndeny at 0: address (m=0) [0 0.content:2-5 0.content:7-10]\n",
		`{"pii": [{"text": "é bob, bob", "kinds": ["PERSON", "EMAIL_ADDRESS"]}], "secrets": [{"text": "é bob, bob", "kinds": []}]}`:                                      "show spans\ndeny at 0: address (m=0) [0 0.content:0-10]\n",
		`{"pii": [{"text": "é bob, bob"}], "secrets": [{"text": "é bob, bob", "error": "down"}]}`:                                                                        "unknown warn at 0: failed (m=0)\n",
		`{"pii": [{"text": "é bob, bob"}], "secrets": [{"text": "é bob, bob", "timeout": true}]}`:                                                                        "unknown warn at 0: timeout (m=0)\n",
		`{"pii": [{"text": "é bob, bob"}], "secrets": [{"text": "é bob, bob", "kinds": ["A"], "error": "half of it"}]}`:                                                  "warn at 0: secret (m=0)\n",
		`{"pii": [{"text": "é bob, bob", "params": {"entities": ["PERSON"]}, "error": "x"}, {"text": "é bob, bob", "params": {}}], "secrets": [{"text": "é bob, bob"}]}`: "allow\n",
	} {
		if got := reports(t, asking(detectors, want), nil); len(got) > 0 {
			t.Errorf("%s: %s", detectors, strings.Join(got, "\n"))
		}
	}
}

// A text that the case did not think of is named.
func TestDetectorsWithoutAnAnswer(t *testing.T) {
	got := strings.Join(reports(t, asking(`{"pii": [{"text": "bob"}], "secrets": [{"text": "é bob, bob"}]}`, "allow\n"), nil), "\n")
	for _, want := range []string{"unknown deny at 0: failed (m=0)", `section detectors has no answer of pii for "é bob, bob"`} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want a report with %q", got, want)
		}
	}
}

// A detector that the section does not name answers as without it.
func TestDetectorsThatAreNotNamed(t *testing.T) {
	all := detect.Plain("1", func(_ context.Context, text, _ string) ([]detect.Span, error) {
		return []detect.Span{{Kind: "KEY", End: len(text), Score: 1}}, nil
	})
	compile := &holdfast.Options{Detectors: map[string]detect.Detector{"pii": all, "secrets": all}}
	src := asking(`{"pii": [{"text": "é bob, bob"}]}`, "warn at 0: secret (m=0)\n")
	if got := reports(t, src, &policytest.Options{Compile: compile}); len(got) > 0 {
		t.Errorf("got %s", strings.Join(got, "\n"))
	}
	if got := reports(t, asking(`{}`, "unknown deny at 0: not provided (m=0)\n"), nil); len(got) != 1 || !strings.Contains(got[0], "unknown deny at 0: ") {
		t.Errorf("got %s", strings.Join(got, "\n"))
	}
}

func TestDetectorsThatAreRefused(t *testing.T) {
	for detectors, want := range map[string]string{
		`[]`:                                   "reading section detectors: json: cannot unmarshal",
		`{} {}`:                                "there is more behind the value",
		`{"pi": []}`:                           `"pi"`,
		`{"pii": [{}]}`:                        `answer 0 of pii: there is no "text"`,
		`{"pii": [{"text": "x", "find": []}]}`: "unknown field",
		`{"pii": [{"text": "x"}, {"text": "x"}]}`:                            `answer 1 of pii: text "x" is there twice`,
		`{"pii": [{"text": "x", "params": []}]}`:                             "reading its params: json: cannot unmarshal",
		`{"pii": [{"text": "x", "findings": [{"text": "x"}]}]}`:              `a finding needs a "kind"`,
		`{"pii": [{"text": "x", "findings": [{"kind": "A", "text": "y"}]}]}`: `the text of the finding, "y", is not in the text`,
		`{"pii": [{"text": "x", "findings": [{"kind": "A", "score": 2}]}]}`:  "the score 2, want 0 to 1",
	} {
		// Even an update does not make a mistake wanted.
		for _, opts := range []*policytest.Options{nil, {Update: true}} {
			got := strings.Join(reports(t, asking(detectors, "allow\n"), opts), "\n")
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %q, want a report with %q", detectors, got, want)
			}
		}
	}
}
