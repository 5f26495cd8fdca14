// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/internal/explain"
	"github.com/holdfast-dev/holdfast/trace"
)

var update = flag.Bool("update", false, "rewrite the wants of testdata/explain")

// TestGolden explains the cases of testdata/explain. What is shown as a change
// passes when it is run.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("../../testdata/explain/*.txtar")
	if err != nil || len(files) < 30 {
		t.Fatalf("got %d cases (%v), want 30", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { golden(t, name) })
	}
}

func golden(t *testing.T, name string) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	beside := fstest.MapFS{}
	for _, f := range archive.Files[3:] {
		beside[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	policy, err := holdfast.Compile("case.gr", archive.Files[0].Data, &holdfast.Options{
		Files: beside, Detectors: local.Detectors(), Reveal: strings.Contains(string(archive.Comment), "flags: reveal"),
	})
	if err != nil {
		t.Fatal(err)
	}
	run, err := trace.Decode(archive.Files[1].Data, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := explained(t, policy, run)
	if again := explained(t, policy, run); again != got {
		t.Errorf("it is another the second time: got\n%s\nand then\n%s", got, again)
	}
	if *update {
		archive.Files[2].Data = []byte(got)
		if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := string(archive.Files[2].Data); got != want {
		t.Errorf("got\n%s\nwant (-update rewrites it)\n%s", got, want)
	}
}

// explained is the rules, and what they say of a trace.
func explained(t *testing.T, policy *holdfast.Policy, run *trace.Trace) string {
	t.Helper()
	prog, _, _, err := policy.Inside(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := explain.Rules(policy, prog)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range rules {
		b.WriteString(r.String())
	}
	report, err := explain.Trace(context.Background(), policy, nil, run)
	if err != nil {
		t.Fatal(err)
	}
	b.WriteString("=> " + report.Decision.String() + "\n" + report.String())
	passing(t, policy, nil, run, report)
	return b.String()
}

// passing runs what a report says would pass, and reports how many changes
// there were.
func passing(t *testing.T, policy *holdfast.Policy, opts *holdfast.MonitorOptions, run *trace.Trace, report *explain.Report) int {
	t.Helper()
	n := 0
	for _, b := range report.Blocked {
		if b.Edits == nil {
			continue
		}
		n++
		m, err := policy.Monitor(opts)
		if err != nil {
			t.Fatal(err)
		}
		if b.Event > 0 { // having been asked about nothing is another thing
			if _, err := m.Append(context.Background(), run.Events[:b.Event]...); err != nil {
				t.Fatal(err)
			}
		}
		if v, err := m.Check(context.Background(), run.Events[b.Event]); err != nil || v.Allowed() {
			t.Errorf("event %d passes as it is (%v)", b.Event, err)
		}
		if v, err := m.Check(context.Background(), b.Changed); err != nil || !v.Allowed() {
			t.Errorf("event %d does not pass with %+v: %s (%v)", b.Event, *b.Edits[0], v.Decision(), err)
		}
		if got, want := b.Changed.Calls(), run.Events[b.Event].Calls(); len(got) != len(want) {
			t.Errorf("event %d has %d calls when it is changed, and %d before", b.Event, len(got), len(want))
		}
	}
	return n
}
