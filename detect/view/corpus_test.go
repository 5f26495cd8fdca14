// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// shared is where the data of the evaluations lie, beside the repository.
const shared = "../../../shared/data"

// open opens a file of the shared data, or skips the test.
func open(t *testing.T, name string) *bufio.Scanner {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(shared, name))
	if err != nil {
		t.Skipf("the shared data are not here: %v", err)
	}
	s := bufio.NewScanner(bytes.NewReader(content))
	s.Buffer(nil, 1<<26)
	return s
}

// seen returns a text as the last view of it shows it.
func seen(t *testing.T, text, view string) string {
	t.Helper()
	out := ""
	if _, err := detectIn(t, func(_ context.Context, text, _ string) ([]detect.Span, error) {
		out = text
		return nil, nil
	}, text, view); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestHomoglyphs reads the pairs of Unicode that are drawn alike on purpose:
// each is folded, alone and inside a word.
func TestHomoglyphs(t *testing.T) {
	pairs := 0
	for s := open(t, "detectors/unicode/garak_intentional_homoglyphs.txt"); s.Scan(); {
		fields := strings.Fields(strings.NewReplacer(";", " ").Replace(s.Text()))
		if len(fields) < 2 || fields[0][0] == '#' {
			continue
		}
		first, err1 := strconv.ParseInt(fields[0], 16, 32)
		second, err2 := strconv.ParseInt(fields[1], 16, 32)
		if err1 != nil || err2 != nil || first >= 0x80 {
			continue // a pair of which neither is ASCII
		}
		pairs++
		if got, want := seen(t, "wo"+string(rune(second))+"rd", "skeleton"), "wo"+string(rune(first))+"rd"; got != want {
			t.Errorf("%U: got %q, want %q", second, got, want)
		}
	}
	if pairs < 30 {
		t.Errorf("%d pairs", pairs)
	}
}

func TestSmuggledSentences(t *testing.T) {
	for s := open(t, "detectors/unicode/smuggling_homoglyph_5.txt"); s.Scan(); {
		got := seen(t, s.Text(), "skeleton")
		if strings.ContainsFunc(got, func(r rune) bool { return r >= 0x80 }) || len(got) != len([]rune(s.Text())) {
			t.Errorf("%q becomes %q", s.Text(), got)
		}
	}
}

func TestSpelledInTags(t *testing.T) {
	found := 0
	for s := open(t, "detectors/unicode/llamafirewall_hidden_ascii.jsonl"); s.Scan(); {
		if strings.TrimSpace(s.Text()) == "" {
			continue
		}
		var row struct {
			Text   string
			Hidden bool
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Hidden {
			found++
			if got := seen(t, row.Text, "decoded"); got != "Hello, how are you doing?" {
				t.Errorf("got %q", got)
			}
		}
	}
	if found == 0 {
		t.Error("no row")
	}
}

// TestOrdinaryTexts looks at traces of agents: none is too much encoded, and
// few are looked at more than once.
func TestOrdinaryTexts(t *testing.T) {
	length, scanned := 0, 0
	count := func(_ context.Context, text, _ string) ([]detect.Span, error) {
		scanned += len(text)
		return nil, nil
	}
	for _, name := range []string{"invariant/webarena.jsonl", "invariant/explorer_sample_data.jsonl", "tau-bench/MockAirlineDomainEnv-few_shot.jsonl"} {
		for s := open(t, name); s.Scan(); {
			var row any
			if json.Unmarshal(s.Bytes(), &row) != nil {
				continue
			}
			for _, text := range texts(nil, row) {
				length += len(text)
				if _, err := detectIn(t, count, text); err != nil {
					t.Errorf("%s: a text of %d bytes: %v", name, len(text), err)
				}
			}
		}
	}
	t.Logf("%d bytes of texts, %d of scans", length, scanned)
	if length < 100_000 || scanned > length*3/2 {
		t.Errorf("%d bytes of texts, %d of scans", length, scanned)
	}
}

// texts returns the texts of a JSON value.
func texts(out []string, v any) []string {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = texts(out, e)
		}
	case map[string]any:
		for _, e := range v {
			out = texts(out, e)
		}
	}
	return out
}
