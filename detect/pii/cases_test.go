// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

const dataFolder = "../../../shared/data/"

const caseFile = dataFolder + "detectors/pii/presidio_recognizer_cases.jsonl"

// A presidioCase is a row of the tables that Presidio's recognizers are tested
// with. Rows that ask a validator have the number instead of the text.
type presidioCase struct {
	File     string   `json:"file"`
	Test     string   `json:"test"`
	Entities []string `json:"entities"`
	Case     map[string]json.RawMessage
	line     int
}

func (c *presidioCase) field(t *testing.T, name string, into any) bool {
	raw, ok := c.Case[name]
	if !ok {
		return false
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("line %d: %s: %v", c.line, name, err)
	}
	return true
}

// want is what a row says: how many findings, and where (nil: not said).
type want struct {
	text  string
	kinds []string
	n     int // -1: one or none
	spans [][2]int
}

// read turns a row into what it wants; false for a row that asks something
// that is no matter of what a text holds.
func (c *presidioCase) read(t *testing.T) (w want, ok bool) {
	w.kinds = c.Entities
	if kinds := []string(nil); c.field(t, "entities", &kinds) && len(kinds) > 0 {
		w.kinds = kinds[:1]
	}
	if which := -1; c.field(t, "entity_num", &which) {
		w.kinds = c.Entities[which : which+1]
	}
	if len(w.kinds) == 0 {
		return w, false
	}
	for _, name := range []string{"text", "iban"} {
		if c.field(t, name, &w.text) {
			return w, c.readSpans(t, &w)
		}
	}
	for _, name := range []string{"number", "pesel", "gstin", "id_number"} {
		if c.field(t, name, &w.text) {
			verdict := (*bool)(nil)
			c.field(t, "expected", &verdict)
			switch {
			case verdict == nil:
				w.n = -1
			case *verdict:
				w.n, w.spans = 1, [][2]int{{0, utf8.RuneCountInString(w.text)}}
			}
			return w, true
		}
	}
	return w, false
}

func (c *presidioCase) readSpans(t *testing.T, w *want) bool {
	known := c.field(t, "expected_len", &w.n)
	if c.field(t, "expected_positions", &w.spans) || c.field(t, "expected_res", &w.spans) {
		if !known {
			w.n = len(w.spans)
		}
		known = true
	}
	if one := [2]int{}; c.field(t, "expected_position", &one) && w.n > 0 {
		w.spans = [][2]int{one}
	}
	if start, end := 0, 0; c.field(t, "expected_start", &start) && c.field(t, "expected_end", &end) {
		w.spans = [][2]int{{start, end}}
	}
	if strings.HasPrefix(c.Test, "test_invalid") {
		return true
	}
	return known
}

// judge says what is wrong with what was found; "" if nothing is.
func (w *want) judge(found []detect.Span) string {
	switch {
	case w.n < 0 && len(found) <= 1:
		return ""
	case len(found) != w.n:
		return fmt.Sprintf("%d findings, want %d", len(found), w.n)
	}
	var spans [][2]int
	for _, f := range found {
		start := utf8.RuneCountInString(w.text[:f.Start])
		spans = append(spans, [2]int{start, start + utf8.RuneCountInString(w.text[f.Start:f.End])})
	}
	for _, s := range w.spans {
		if !slices.Contains(spans, s) {
			return fmt.Sprintf("found at %v, want %v", spans, w.spans)
		}
	}
	return ""
}

func readCases(t *testing.T) []*presidioCase {
	t.Helper()
	var out []*presidioCase
	file, err := os.Open(caseFile)
	if err != nil {
		t.Skipf("the shared data is not here: %v", err)
	}
	t.Cleanup(func() { _ = file.Close() })
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		c := &presidioCase{line: n}
		if err := json.Unmarshal(lines.Bytes(), c); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// A tally counts for a kind.
type tally struct{ positives, missed, negatives, alarms int }

// TestPresidioCases judges what is found by Presidio's own tables, kind by
// kind. Rows that cannot be met are named in testdata/exceptions.txt.
func TestPresidioCases(t *testing.T) {
	exceptions := readExceptions(t)
	tallies := map[string]*tally{}
	skipped := 0
	for _, c := range readCases(t) {
		w, ok := c.read(t)
		if !ok {
			skipped++
			continue
		}
		kind := strings.Join(w.kinds, ",")
		wrong := w.judge(Find(w.text, w.kinds))
		if why, ok := exceptions[c.line]; ok {
			if wrong == "" {
				t.Errorf("line %d is an exception (%s), and yet it passes", c.line, why)
			}
			continue
		}
		count := tallies[kind]
		if count == nil {
			count = &tally{}
			tallies[kind] = count
		}
		if w.n != 0 {
			count.positives++
		} else {
			count.negatives++
		}
		if wrong != "" {
			t.Logf("line %d: %s: %q: %s", c.line, kind, w.text, wrong)
			if w.n != 0 {
				count.missed++
			} else {
				count.alarms++
			}
		}
	}
	delete(tallies, "PERSON") // by gazetteer and shape; see names_test.go
	report(t, tallies)
	t.Logf("%d rows ask something else than what is in a text", skipped)
}

func report(t *testing.T, tallies map[string]*tally) {
	t.Helper()
	var kinds []string
	for kind := range tallies {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		n := tallies[kind]
		t.Logf("%-28s %3d of %3d positives missed, %3d of %3d negatives found", kind, n.missed, n.positives, n.alarms, n.negatives)
		if n.missed > max(1, n.positives/50) || n.alarms > max(1, n.negatives/50) {
			t.Errorf("%s: too many wrong", kind)
		}
	}
}

// readExceptions reads the lines of the case file that are not met, with the
// reasons: "line: reason".
func readExceptions(t *testing.T) map[int]string {
	t.Helper()
	src, err := os.ReadFile("testdata/exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]string{}
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		n, reason := 0, ""
		number, reason, ok := strings.Cut(line, ": ")
		if _, err := fmt.Sscan(number, &n); err != nil || !ok || reason == "" {
			t.Fatalf("%q is no line number with a reason", line)
		}
		out[n] = reason
	}
	if len(out) > 10 {
		t.Errorf("%d exceptions, more than 10", len(out))
	}
	return out
}
