// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// toy is a detector of the word "key" in the text as it stands, and of nothing
// in a text that begins with "?".
func toy() detect.Detector {
	return detect.Plain("1", func(_ context.Context, text, _ string) ([]detect.Span, error) {
		if strings.HasPrefix(text, "?") {
			return nil, errors.New("out of order")
		}
		if i := strings.Index(text, "key"); i >= 0 {
			return []detect.Span{{Kind: "KEY", Start: i, End: i + 3, Score: 1}}, nil
		}
		return nil, nil
	})
}

func toyBench(t *testing.T, data string) *bench {
	return &bench{
		Options: &Options{Detectors: map[string]detect.Detector{"secrets": toy()}, Data: data, Repo: data},
		ctx:     t.Context(), texts: map[corpus][]sample{},
	}
}

// folder writes files into a folder of their own.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRunWithoutData(t *testing.T) {
	o := &Options{Detectors: map[string]detect.Detector{"secrets": toy()}, Data: t.TempDir(), Repo: t.TempDir(), Untimed: true}
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Tables) != 1 || report.Tables[0].Name != "secrets-kinds" {
		t.Errorf("got %v, want the kinds alone", report.Tables)
	}
	if len(report.Skipped) != 3 || !strings.HasPrefix(report.Skipped[0], "secrets-vectors is left out: ") {
		t.Errorf("skipped %q", report.Skipped)
	}
	o.Names = []string{"nobody"}
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), `"nobody"`) {
		t.Errorf("a detector that is not there: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	o.Names = nil
	if _, err := Run(gone, o); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// A file that is there and is broken is an error: figures of half a corpus
// would look like figures.
func TestRunWithBrokenData(t *testing.T) {
	for _, name := range []string{"detectors/pii/presidio_recognizer_cases.jsonl", "tau-bench/gpt-4o-airline.json.xz"} {
		o := &Options{Detectors: map[string]detect.Detector{"secrets": toy(), "pii": toy()}, Data: folder(t, map[string]string{name: "{nonsense\n"}), Untimed: true}
		b := &bench{Options: o, ctx: t.Context(), texts: map[corpus][]sample{}}
		_, cases := b.presidioCases()
		_, tau := b.read(tauJSON)
		if broken := map[bool]error{true: cases, false: tau}[strings.HasPrefix(name, "detectors")]; broken == nil || errors.Is(broken, os.ErrNotExist) {
			t.Errorf("%s: %v", name, broken)
		}
	}
}

func TestEvade(t *testing.T) {
	b := toyBench(t, "")
	var all []positive
	for _, text := range []string{"é: the key", "key", "no", "?key"} {
		if p, ok := b.positiveIn("secrets", "KEY", text, ""); ok {
			all = append(all, p)
		}
	}
	if len(all) != 2 || all[0].start != 7 || all[0].end != 10 {
		t.Fatalf("positives %v", all)
	}
	table, err := b.evade("secrets", all)
	if err != nil || len(table.Rows) != 13 {
		t.Fatal(table, err)
	}
	for _, row := range table.Rows {
		if row[2] != "0.000 (2)" || row[3] != "0.000 (2)" {
			t.Errorf("a detector without views sees through %s: %q", row[0], row)
		}
	}
}

// TestEvasions: a disguise leaves nothing of what it hides, the same seed
// gives the same, and what cannot be disguised is not counted.
func TestEvasions(t *testing.T) {
	b := toyBench(t, "")
	for _, e := range evasions() {
		p := positive{kind: "KEY", text: "a key é", start: 2, end: 5}
		r := newRandom()
		h, changed := p.datum(r, &e)
		again, _ := p.datum(newRandom(), &e)
		if !changed || h != again || !strings.HasPrefix(h.text, "a ") || !strings.HasSuffix(h.text, " é") || strings.Contains(h.text, "key") {
			t.Errorf("%s makes %q of it, and then %q", e.name, h.text, again.text)
		}
		if got := cut(h.text, h.start, h.end); got != strings.TrimSuffix(strings.TrimPrefix(h.text, "a "), " é") {
			t.Errorf("%s: the disguise is said to be %q in %q", e.name, got, h.text)
		}
	}
	digits := []positive{{kind: "KEY", text: "12345", end: 5}}
	o, err := b.try("secrets", &evasions()[0], digits, (*positive).whole)
	if err != nil || o.tried != 0 {
		t.Errorf("look-alikes of digits: %v %v", o, err)
	}
}

func TestSampled(t *testing.T) {
	all := make([]positive, maxPositives+500)
	for i := range all {
		all[i].start = i
	}
	first, second := sampled(slices.Clone(all)), sampled(slices.Clone(all))
	if len(first) != maxPositives || !slices.Equal(first, second) || slices.Equal(first, all[:maxPositives]) {
		t.Error("the sample is another one each time, or none")
	}
}

func TestCorpora(t *testing.T) {
	b := toyBench(t, folder(t, map[string]string{
		"detect/secret/testdata/labels.tsv": "# corpus, kind, file, hash, label, why\ngo\tKEY\ta.go\t2c70e12b7a06\tsecret\tso it is\nshort\n",
	}))
	labels, err := b.secretLabels()
	if err != nil || len(labels) != 1 || labels["go\tKEY\ta.go\t2c70e12b7a06"] != "secret" {
		t.Errorf("labels %v %v", labels, err)
	}
	b.texts[goSource] = []sample{{"a.go", "the key"}, {"b.go", "the key"}, {"c.go", "?"}, {"d.go", ""}}
	table, err := b.falseSecrets("", map[corpus]string{goSource: "go"}, goSource)
	if err != nil {
		t.Fatal(err)
	}
	// Four texts, two findings, one of them labelled, one text not told.
	if got := table.Rows[0]; got[1] != "4" || got[3] != "2" || got[4] != "1" || got[7] != "1" {
		t.Errorf("got %q", got)
	}
	b.Repo = t.TempDir()
	if table, err = b.falseSecrets("", nil, goSource); err != nil || table.Rows[0][4] != "-" {
		t.Errorf("without labels: %v %v", table, err)
	}
}

func TestPresidioRows(t *testing.T) {
	const rows = `{"test": "t", "entities": ["A"], "case": {"text": "é 12", "expected_len": 1, "expected_positions": [[2, 4]]}}
{"test": "t", "entities": ["A", "B"], "case": {"text": "x", "entity_num": 1, "expected_len": 0}}
{"test": "t", "entities": ["A"], "case": {"pesel": "123", "expected": true}}
{"test": "t", "entities": ["A"], "case": {"pesel": "123"}}
{"test": "test_invalid_x", "entities": ["A"], "case": {"text": "123"}}
{"test": "t", "entities": ["A"], "case": {"text": "123"}}
{"test": "t", "entities": [], "case": {"text": "123", "expected_len": 1}}
`
	cases, err := toyBench(t, folder(t, map[string]string{caseFile: rows})).presidioCases()
	if err != nil || len(cases) != 5 {
		t.Fatal(cases, err)
	}
	if c := cases[1]; !slices.Equal(c.kinds, []string{"B"}) || c.n != 0 || c.line != 2 {
		t.Errorf("got %v", c)
	}
	span := detect.Span{Kind: "A", Start: 3, End: 5} // in bytes
	for i, want := range []struct{ with, without bool }{{true, false}, {false, true}, {false, false}, {true, true}, {false, true}} {
		c := cases[i]
		if c.line != 1 {
			span.Start, span.End = 0, min(1, len(c.text))
		}
		if got := c.judge([]detect.Span{span}); got != want.with {
			t.Errorf("row %d with a finding: %t", c.line, got)
		}
		if got := c.judge(nil); got != want.without {
			t.Errorf("row %d without: %t", c.line, got)
		}
	}
}

func TestFill(t *testing.T) {
	tables := []Table{{Name: "a", Title: "T", Note: "N.", Head: []string{"x", "y"}, Rows: [][]string{{"`1|2`", "é"}}}, {Name: "elsewhere"}}
	got, err := Fill("before\n<!-- a -->\nold\n<!-- end -->\nafter\n", tables)
	want := "before\n<!-- a -->\n**T.** N.\n\n| x | y |\n|---|---|\n| `1\\|2` | é |\n<!-- end -->\nafter\n"
	if err != nil || got != want {
		t.Errorf("got %q %v, want %q", got, err, want)
	}
	if _, err := Fill("<!-- a -->\nold\n", tables); err == nil {
		t.Error("a mark without its end is taken")
	}
}

func TestWrite(t *testing.T) {
	var out strings.Builder
	err := Write(&out, &Report{Tables: []Table{{Title: "Title", Note: "a note", Head: []string{"kind", "n"}, Rows: [][]string{{"`KIND`", "é"}, {"X", "12"}}}}})
	if want := "Title\na note\n  kind  n\n  KIND  é\n  X     12\n\n"; err != nil || out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestShare(t *testing.T) {
	for _, test := range []struct {
		part, whole int
		want        string
	}{{0, 0, "-"}, {1, 1, "1.000"}, {9999, 10000, "0.999"}, {1, 3, "0.333"}} {
		if got := share(test.part, test.whole); got != test.want {
			t.Errorf("%d of %d is %s, want %s", test.part, test.whole, got, test.want)
		}
	}
}

func TestLinkSpellings(t *testing.T) {
	const address = "https://x.example:8080/a/b?cd"
	if scheme, host, rest := addressParts(address); scheme != "https://" || host != "x.example:8080" || rest != "/a/b?cd" {
		t.Errorf("parts %q %q %q", scheme, host, rest)
	}
	r := newRandom()
	for _, e := range linkSpellings() {
		text := e.link(r, address)
		if text == "" || text == address || strings.HasPrefix(text, "see https://x.example:8080/a/b") {
			t.Errorf("%s is no other spelling: %q", e.name, text)
		}
		if e.read != nil && e.read(address) == address {
			t.Errorf("%s is said to change the address", e.name)
		}
	}
	if got := linkSpellings()[8].link(r, "https://x.example"); got != "" {
		t.Errorf("nothing behind the host is written as %q", got)
	}
}

func TestAround(t *testing.T) {
	p := positive{text: "äbcdefg", start: 3, end: 4}
	if p.around(2); p.text != "bcdef" || p.start != 2 || p.end != 3 {
		t.Errorf("got %+v", p)
	}
}
