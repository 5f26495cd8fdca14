// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/vet"
	"github.com/holdfast-dev/holdfast/trace"
)

// A pair is two rules and whether the second is implied by the first.
type pair struct {
	place  string
	label  string // "implied", "not" or "undecided"
	single bool   // each rule is about one event
	source string
}

// pairs reads testdata/vet/pairs. A pair is a line `### label`, the conditions
// of the first rule, a line `--`, those of the second. `(c: ToolCall)` is added
// where no variable is declared.
func pairs(t *testing.T) []pair {
	t.Helper()
	files, err := filepath.Glob("../../testdata/vet/pairs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("looking for pairs: %d files, error %v", len(files), err)
	}
	var out []pair
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for i, part := range strings.Split("\n"+string(src), "\n### ") {
			if i > 0 {
				label, body, _ := strings.Cut(part, "\n")
				first, second, ok := strings.Cut(body, "--\n")
				if !ok {
					t.Fatalf("%s:%d: no --", name, line)
				}
				out = append(out, pair{
					place: fmt.Sprintf("%s:%d", filepath.Base(name), line), label: strings.TrimSpace(label),
					single: !strings.Contains(body, "->") && !strings.Contains(body, "~>"),
					source: rule("first", first) + rule("second", second),
				})
			}
			line += strings.Count(part, "\n") + 1
		}
	}
	return out
}

var declaration = regexp.MustCompile(`\(\w+: \w+\)`)

// rule makes a rule of its conditions.
func rule(name, conds string) string {
	out := "raise \"" + name + "\" if:\n"
	if !declaration.MatchString(strings.SplitN(conds, "exists:", 2)[0]) {
		out += "    (c: ToolCall)\n"
	}
	for line := range strings.Lines(conds) {
		if strings.TrimSpace(line) != "" {
			out += "    " + strings.TrimRight(line, "\n") + "\n"
		}
	}
	return out
}

// silent is a detector that finds nothing.
type silent struct{ detect.Detector }

func compile(t testing.TB, src string) (*holdfast.Policy, *check.Program) {
	t.Helper()
	opts := &holdfast.Options{Detectors: map[string]detect.Detector{}}
	for _, name := range builtin.DetectorNames() {
		opts.Detectors[name] = silent{}
	}
	policy, err := holdfast.Compile("pair.gr", []byte(src), opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	prog, _, _, _ := policy.Inside(context.Background(), nil)
	return policy, prog
}

// judged says what the real evaluation makes of each rule of a policy.
func judged(t testing.TB, policy *holdfast.Policy, src string) (violated, unknown []bool) {
	t.Helper()
	tr, err := trace.Decode([]byte(src), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	v, err := policy.Analyze(context.Background(), tr, nil)
	if err != nil {
		t.Fatal(err)
	}
	violated, unknown = make([]bool, len(policy.Rules())), make([]bool, len(policy.Rules()))
	for _, c := range v.Counts() {
		violated[c.Rule.Index] = true
	}
	for _, u := range v.Unknowns() {
		unknown[u.Rule.Index] = true
	}
	return violated, unknown
}

// agrees holds a comparison to the real evaluation: an implication to all
// samples, its contrary to the trace that shows it.
func agrees(t testing.TB, place, src string, policy *holdfast.Policy, prog *check.Program, got vet.Comparison, samples int) {
	t.Helper()
	switch got.Implied {
	case automata.No:
		if violated, _ := judged(t, policy, got.Counter); !violated[1] || violated[0] {
			t.Errorf("%s: the trace shows nothing: %v\n%s\n%s", place, violated, src, got.Counter)
		}
	case automata.Yes:
		for _, tr := range vet.Samples(prog, prog.Rules, samples) {
			violated, unknown := judged(t, policy, tr)
			if violated[1] && !violated[0] {
				t.Errorf("%s: claimed to be implied, but\n%s\n%s", place, src, tr)
			}
			if got.Unknown == automata.Yes && (violated[1] || unknown[1]) && !violated[0] && !unknown[0] {
				t.Errorf("%s: claimed to be unknown with the other, but\n%s\n%s", place, src, tr)
			}
		}
	case automata.Undecided:
	}
}

var labels = map[automata.Answer]string{automata.Yes: "implied", automata.No: "not", automata.Undecided: "undecided"}

// TestPairs compares the labelled pairs. No claim may be wrong, whatever the
// labels say; and four of five pairs about one event are decided.
func TestPairs(t *testing.T) {
	single, decided, violations := 0, 0, 0
	all := pairs(t)
	for _, p := range all {
		policy, prog := compile(t, p.source)
		got := vet.Compare(prog, prog.Rules[0], prog.Rules[1])
		if labels[got.Implied] != p.label {
			t.Errorf("%s: got %s, want %s\n%s", p.place, labels[got.Implied], p.label, p.source)
		}
		agrees(t, p.place, p.source, policy, prog, got, 300)
		for _, tr := range vet.Samples(prog, prog.Rules, 40) {
			if v, _ := judged(t, policy, tr); v[1] {
				violations++
			}
		}
		if p.single {
			single++
			if got.Implied != automata.Undecided {
				decided++
			}
		}
	}
	share := float64(decided) / float64(single)
	t.Logf("%d pairs; of %d about one event %d are decided: %.2f; %d samples violate the second rule", len(all), single, decided, share, violations)
	if len(all) < 100 || share < 0.8 {
		t.Errorf("got %d pairs and a share of %.2f, want 100 and 0.80", len(all), share)
	}
	if violations < 2*len(all) {
		t.Errorf("%d samples violate a second rule, too few to tell", violations)
	}
}
