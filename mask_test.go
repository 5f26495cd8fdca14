// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/trace"
)

// passwords finds what stands behind "password:", e-mail addresses and numbers
// of cards.
func passwords(_ context.Context, text, _ string) ([]detect.Span, error) {
	if strings.Contains(text, "unreadable") {
		return nil, errors.New("cannot tell")
	}
	var out []detect.Span
	for _, m := range regexp.MustCompile(`password: (\S+)|([a-z]+@[a-z.]+)|(4071\d{12})`).FindAllStringSubmatchIndex(text, -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				out = append(out, detect.Span{Kind: "SECRET", Start: m[i], End: m[i+1], Score: 1})
			}
		}
	}
	return out, nil
}

// showing is all that the first violation of a policy over one call shows.
func showing(t *testing.T, policy string, args map[string]any, reveal bool) string {
	t.Helper()
	p, err := holdfast.Compile("p.gr", []byte(policy), &holdfast.Options{
		Detectors: map[string]detect.Detector{"secrets": detect.Plain("1", passwords)}, Reveal: reveal,
	})
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Analyze(t.Context(), &trace.Trace{Events: []*trace.Event{trace.Call("1", "send", args)}}, nil)
	if err != nil || len(v.Violations()) == 0 {
		t.Fatalf("%s: got %v with %d violations, %v", policy, v.Decision(), len(v.Violations()), err)
	}
	x := v.Violations()[0]
	text, err := json.Marshal([]any{x.Message, x.Args, x.Kwargs, x.Bindings, v.Reason()})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMask(t *testing.T) {
	const secret = "correcthorsebattery"
	note := map[string]any{"note": "the password: " + secret + " is new", "card": 4071882355061208}
	for name, policy := range map[string]string{
		"a binding":          "raise \"x\" if:\n    (c: ToolCall)\n    c is tool:send\n",
		"a message":          "raise f\"sent {c.arguments.note}\" if:\n    (c: ToolCall)\n    c is tool:send\n",
		"keyword arguments":  "raise PolicyViolation(\"x\", what=[c.arguments.note], card=c.arguments.card) if:\n    (c: ToolCall)\n    c is tool:send\n",
		"a word by itself":   "raise f\"sent {w}\" if:\n    (c: ToolCall)\n    (w: str) in c.arguments.note.split(\" \")\n    len(w) > 12\n",
		"the beginning":      "raise f\"sent {c.arguments.note[14:26]}\" if:\n    (c: ToolCall)\n    c is tool:send\n",
		"the end":            "raise f\"sent {c.arguments.note[20:37]}\" if:\n    (c: ToolCall)\n    c is tool:send\n",
		"behind a long text": "raise \"x\" + \"y \" * 490 + c.arguments.note if:\n    (c: ToolCall)\n    c is tool:send\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := showing(t, policy, note, false)
			for _, piece := range []string{secret[:9], secret[len(secret)-9:], "4071882355061208", "4.07"} {
				if strings.Contains(got, piece) {
					t.Errorf("shows %q: %s", piece, got)
				}
			}
			if clear := showing(t, policy, note, true); clear == got {
				t.Errorf("Reveal changes nothing in %s", got)
			}
		})
	}
}

// What stands in the rule is no secret, what cannot be looked at is not
// shown, and keys are looked at as values are.
func TestMaskEdges(t *testing.T) {
	policy := "# ask eve@corp.example\nraise \"ask eve@corp.example\" if:\n    (c: ToolCall)\n    c.arguments.to == \"eve@corp.example\"\n"
	if got := showing(t, policy, map[string]any{"to": "eve@corp.example"}, false); strings.Contains(got, "SECRET") {
		t.Errorf("hides what the rule says itself: %s", got)
	}
	all := "raise \"x\" if:\n    (c: ToolCall)\n    c is tool:send\n"
	if got := showing(t, all, map[string]any{"to": "it is unreadable"}, false); strings.Contains(got, "unreadable") {
		t.Errorf("shows what could not be looked at: %s", got)
	}
	if got := showing(t, all, map[string]any{"adam@corp.example": 1}, false); strings.Contains(got, "adam@") {
		t.Errorf("shows a key: %s", got)
	}
}

func TestMaskedText(t *testing.T) {
	p, err := holdfast.Compile("p.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n    c is tool:send\n"), &holdfast.Options{
		Detectors: map[string]detect.Detector{"secrets": detect.Plain("1", passwords)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "", "nothing here": "nothing here", "to adam@corp.example now": "to <SECRET> now", "unreadable": "<hidden>",
	} {
		if got := p.Masked(text).Text; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// What stands in quotes within quotes is looked at as it was before it was
// quoted, and hidden where it stands.
func TestMaskQuoted(t *testing.T) {
	p, err := holdfast.Compile("p.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n    c is tool:send\n"), &holdfast.Options{
		Detectors: map[string]detect.Detector{"secrets": detect.Plain("1", passwords)},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := "é password: correct horse é"
	for range 3 {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		text = string(quoted)
		if got, want := p.Masked(text).Text, strings.ReplaceAll(text, "correct", "<SECRET>"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for text, want := range map[string]string{
		`p\u0061ssword: correct\n`: `p\u0061ssword: <SECRET>\n`, `a\tpassword:\x20abcdef\U00000020x`: `a\tpassword:\x20<SECRET>\U00000020x`,
		`\`: `\`, `\u12`: `\u12`, `\ud800 \UFFFFFFFF`: `\ud800 \UFFFFFFFF`,
	} {
		if got := p.Masked(text).Text; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// A text is hidden because of the key that it stands at, a piece of a message
// because of the rest of it, in letters of any size.
func TestMaskedOfEvents(t *testing.T) {
	p, err := holdfast.Compile("p.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n    c is tool:send\n"), &holdfast.Options{
		Detectors: map[string]detect.Detector{"secrets": detect.Plain("1", passwords)},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := trace.UserText("my password: Correcthorse-battery, evasomebody@corp.example")
	for text, want := range map[string]string{
		"CORRECTHORSE": "<SECRET>", "horse-batt": "<SECRET>", "a horse": "a horse", "evasomebod": "<SECRET>", "corp.exam": "corp.exam",
	} {
		if got := p.Masked(text, e).Text; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// A detector that fails is named, although it is the one that would say what
// must be hidden.
func TestMaskThatFails(t *testing.T) {
	p, err := holdfast.Compile("p.gr", []byte("from holdfast.detectors import secrets\nraise \"x\" if:\n    (m: Message)\n    any(secrets(m))\n"), &holdfast.Options{
		Detectors: map[string]detect.Detector{"secrets": detect.Plain("1", passwords)},
	})
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Analyze(t.Context(), &trace.Trace{Events: []*trace.Event{trace.UserText("it is unreadable")}}, nil)
	if err != nil || len(v.Unknowns()) != 1 {
		t.Fatalf("got %v %v", v.Decision(), err)
	}
	u := v.Unknowns()[0]
	if shown, _ := json.Marshal(u.Bindings); u.Detail != "the detector of secrets failed" || strings.Contains(string(shown), "unreadable") {
		t.Errorf("got %q and %s", u.Detail, shown)
	}
}
