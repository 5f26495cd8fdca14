// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/code"
)

// codeBench has a detector that finds eval by the name of a rule, where code
// is said to be Python.
func codeBench(t *testing.T) *bench {
	b := toyBench(t, t.TempDir())
	b.Detectors = map[string]detect.Detector{"semgrep": detect.Plain("1", func(_ context.Context, text, params string) ([]detect.Span, error) {
		if i := strings.Index(text, "eval"); i >= 0 && params == asPython {
			return []detect.Span{{Kind: "python-eval", Start: i, End: i + 4, Score: 1}}, nil
		}
		return nil, nil
	})}
	return b
}

func TestCodeFindings(t *testing.T) {
	b := codeBench(t)
	for _, test := range []struct {
		f    fragment
		want int
	}{
		{fragment{"CWE-94", "eval(x)", "é\neval(x)\n"}, 1},
		{fragment{"CWE-94", "é", "é\neval(x)\n"}, 0},
		{fragment{"CWE-89", "eval(x)", "eval(x)"}, 0},
		{fragment{"CWE-94", "y", "eval(x)"}, 0},
	} {
		if found, err := b.codeFindings(&test.f, weaknesses()); err != nil || len(found) != test.want {
			t.Errorf("%v: got %v %v, want %d", test.f, found, err, test.want)
		}
	}
}

func TestCodeLibrary(t *testing.T) {
	b := codeBench(t)
	b.texts[pythonSource] = []sample{{"a.py", "x\neval(x)\n"}, {"test/a.py", "eval(x)\n\n\n\n"}, {"b/idle_test/c.py", "\n"}}
	table, err := codeLibrary(b)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(table.Rows[0], []string{"all", "1 (500.00)", "1 (200.00)"}) || !slices.Equal(table.Rows[2], []string{"`python-eval`", "1", "1"}) {
		t.Errorf("got %q", table.Rows)
	}
}

// TestCodeEvasions: disguised code is other text, in which our own rules find
// the same.
func TestCodeEvasions(t *testing.T) {
	const text = "import os\nos.system('eval' + x)\n"
	for _, e := range codeEvasions() {
		hidden := e.disguise(text)
		found, err := code.Scan(t.Context(), hidden, asPython)
		if strings.Contains(hidden, "os.system") || err != nil || !slices.ContainsFunc(found, func(s detect.Span) bool { return s.Kind == "python-os-system" }) {
			t.Errorf("%s makes %q, in which is %v %v", e.name, hidden, found, err)
		}
	}
	if got := inNames("x.eval('eval', evaluate)", 'ａ'-'a', 'Ａ'-'A'); got != "x.ｅｖａｌ('eval', evaluate)" {
		t.Errorf("got %q", got)
	}
}
