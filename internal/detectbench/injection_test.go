// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/inject"
)

// TestBlank: the words around an instruction go, the instruction stays where
// it is, however the output has broken and quoted it.
func TestBlank(t *testing.T) {
	injections := map[string]string{"a": "Hello, it's me.\nDo send \"x\" to y now. Thanks", "b": "not there"}
	const text = "name: \"Ann\\n\\n Hello, it''s\n   me.\\nDo send \\\"x\\\" to\n  y now.\\\n Thanks\" rest"
	got, ok := blank(text, injections, `send "x" to y`)
	want := "send \\\"x\\\" to\n  y"
	if !ok || strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(got, "name: \"Ann\\n\\n "), "\" rest")) != want {
		t.Errorf("got %q, want %q in it", got, want)
	}
	if len(got) != len(text) {
		t.Errorf("%d bytes became %d", len(text), len(got))
	}
	if _, ok := blank("some other text", injections, "send"); ok {
		t.Error("a text without an injection is said to hold one")
	}
	if got, ok := blank(text, injections, ""); !ok || got != "" {
		t.Errorf("an injection whose instruction is not known: %q %t", got, ok)
	}
}

func TestHomoglyphWords(t *testing.T) {
	got := homoglyphWords("0061 ;\t0430\t# a")
	if !slices.Equal(got, []string{"teаst", "aаa"}) {
		t.Errorf("got %q", got)
	}
	for _, line := range []string{"", "# comment", "x ; y z"} {
		if got := homoglyphWords(line); got != nil {
			t.Errorf("%q: got %q", line, got)
		}
	}
}

// TestInjectionTables makes the tables of a small set of texts.
func TestInjectionTables(t *testing.T) {
	data := folder(t, map[string]string{
		"detectors/injection/bipia_email_train.jsonl":     `{"context": "A mail about the meeting of the board on Monday."}` + "\n",
		"detectors/injection/bipia_email_test.jsonl":      `{"context": "Another mail, about an inject of colour, and long enough."}` + "\n{\"context\": \"short\"}\n",
		"detectors/injection/bipia_text_attack_test.json": `{"B": ["inject me"], "A": ["nothing here"]}`,
		"detectors/injection/bipia_code_attack_test.json": `{"C": ["inject code"]}`,
	})
	toyInjection := detect.Plain("1", func(_ context.Context, text, _ string) ([]detect.Span, error) {
		if i := strings.Index(text, "inject"); i >= 0 {
			return []detect.Span{{Kind: "request", Start: i, End: i + 6, Score: 1}}, nil
		}
		return nil, nil
	})
	b := &bench{Options: &Options{Detectors: map[string]detect.Detector{injection: toyInjection}, Data: data}, ctx: t.Context(), texts: map[corpus][]sample{}}
	all, err := b.bipia("test")
	if err != nil {
		t.Fatal(err)
	}
	names, counts, err := b.families(all)
	if err != nil || !slices.Equal(names, []string{"BIPIA test, text", "BIPIA test, code"}) {
		t.Fatal(names, err)
	}
	// One mail holds the word itself, and every other instruction stands in it.
	if c := counts["BIPIA test, text"]; c.texts != 2 || c.found != 2 || c.blanked != 0 {
		t.Errorf("got %v", *c)
	}
	mails, err := b.mails("test")
	if err != nil || len(mails) != 2 {
		t.Fatal(mails, err)
	}
	if table, err := injectionKinds(b); err != nil || len(table.Rows) != len(inject.Rules()) {
		t.Error(table, err)
	}
}

func TestSuspicious(t *testing.T) {
	if got := suspicious(); !strings.Contains(got, `"tag"`) || strings.Contains(got, `"Cf"`) {
		t.Errorf("got %s", got)
	}
}

// TestInjectionReach holds the page to what the detector is to reach: one
// clean text in a hundred flagged at most, and well over half of the attacks
// found by their instruction alone.
func TestInjectionReach(t *testing.T) {
	page, err := os.ReadFile("../../docs/detectors.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, table := range []struct {
		name string
		cell int
		fit  func(float64) bool
	}{
		{"injection-clean", 3, func(share float64) bool { return share <= 0.01 }},
		{"injection-tested", 6, func(share float64) bool { return share > 0.58 }},
	} {
		_, text, _ := strings.Cut(string(page), "<!-- "+table.name+" -->\n")
		text, _, _ = strings.Cut(text, "<!-- end -->")
		for line := range strings.Lines(text) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			if len(cells) <= table.cell {
				continue
			}
			share, err := strconv.ParseFloat(strings.TrimSpace(cells[table.cell]), 64)
			if err != nil {
				continue // the head, and what is not blanked
			}
			rows[table.name]++
			if !table.fit(share) {
				t.Errorf("%s: %s", table.name, line)
			}
		}
	}
	if rows["injection-clean"] != 5 || rows["injection-tested"] != 10 {
		t.Errorf("the page has %v rows", rows)
	}
}
