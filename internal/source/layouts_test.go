// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"context"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// TestTauBench reads a list of objects that hold their messages under a name of
// their own.
func TestTauBench(t *testing.T) {
	path := shared(t, "tau-bench/gpt-4o-airline.json.xz")
	m, err := layout.Read("tau-bench.json", []byte(`{"messages": "/traj"}`))
	if err != nil {
		t.Fatal(err)
	}
	opts := &source.Options{Mapping: m}
	runs, calls, linked := 0, 0, 0
	for r := range source.Records(context.Background(), []string{path}, opts) {
		tr, err := opts.Decode(r)
		if err != nil {
			t.Fatal(err)
		}
		runs++
		if len(tr.Problems()) > 0 {
			t.Errorf("run %d: %v", r.Index, tr.Problems()[0])
		}
		for _, e := range tr.Events {
			calls += len(e.Calls())
			if e.Kind() == value.ToolOutput && e.Root().Get("tool_call_id") != nil {
				linked++
			}
		}
	}
	if runs != 200 || calls != 1164 || linked != 1164 {
		t.Errorf("%d runs, %d calls, %d outputs", runs, calls, linked)
	}
	for r := range source.Records(context.Background(), []string{path}, nil) {
		if _, err := (*source.Options)(nil).Decode(r); err == nil {
			t.Error("without a mapping it is read too")
		}
	}
}

// TestSamples reads the samples of the public explorer, which have our shape but
// for a first line that is no trace.
func TestSamples(t *testing.T) {
	for name, want := range map[string][]string{
		"invariant/explorer_sample_data.jsonl": {"#0 4", "#1 8", "#2 5"},
		"invariant/webarena.jsonl":             {`#0 line 1, offset 0: want a list of events or an object with "messages"`, "#1 7", "#2 22"},
		"invariant/code.jsonl":                 {`#0 line 1, offset 0: want a list of events or an object with "messages"`, "#1 14"},
	} {
		path := shared(t, name)
		got := told("", nil, path)
		for i, g := range got {
			if i >= len(want) || !strings.HasSuffix(g, want[i]) {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	}
}
