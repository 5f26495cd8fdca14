// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/therootcompany/xz"

	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// shared returns the path of third-party data beside the repository.
func shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the third-party data is not here: %v", err)
	}
	return path
}

// TestAgentDojo reads every run there is. Each output must be linked to the call
// that the log repeats beside it, whether or not there are ids that say so.
func TestAgentDojo(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(shared(t, "agentdojo"), "*.xz"))
	if err != nil {
		t.Fatal(err)
	}
	all := len(names) == 16 && !testing.Short()
	if testing.Short() {
		names = names[:min(2, len(names))]
	}
	opts := &source.Options{}
	var c census
	for r := range source.Records(context.Background(), names, opts) {
		tr, err := opts.Decode(r)
		if err != nil {
			t.Fatalf("%s, record %d: %v", filepath.Base(r.Path), r.Index, err)
		}
		if ps := tr.Problems(); len(ps) > 0 {
			t.Errorf("%s, record %d: %v", filepath.Base(r.Path), r.Index, ps[0])
		}
		c.count(t, r, tr)
	}
	if want := (census{runs: 18194, events: 182504, calls: 69294, outputs: 69138, made: 9682}); all && c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
}

// census is what there is in logs.
type census struct{ runs, events, calls, outputs, made int }

var madeID = regexp.MustCompile(`^c[0-9]+_*$`)

func (c *census) count(t *testing.T, r source.Record, tr *trace.Trace) {
	var log trace.Log
	c.runs++
	c.events += len(tr.Events)
	for _, e := range tr.Events {
		root := log.Append(e).Root()
		for _, call := range e.Calls() {
			c.calls++
			if madeID.MatchString(call.Field(value.CallID).Text()) {
				c.made++
			}
		}
		if e.Kind() != value.ToolOutput {
			continue
		}
		c.outputs++
		said, call := root.Get("tool_call"), root.Link()
		if call == nil || call.Field(value.CallName).Text() != said.Get("function").Text() ||
			!bytes.Equal(value.AppendJSON(nil, call.Field(value.CallArguments)), value.AppendJSON(nil, said.Get("args"))) {
			t.Errorf("%s, record %d, event %d: the output is not linked to its call", filepath.Base(r.Path), r.Index, root.Index())
		}
	}
}

func unpackedLog(b *testing.B) []byte {
	f, err := os.Open(shared(b, "agentdojo/gpt-4o-2024-05-13.jsonl.xz"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	packed, err := xz.NewReader(f, source.DefaultMaxWindow)
	if err != nil {
		b.Fatal(err)
	}
	src, err := io.ReadAll(packed)
	if err != nil {
		b.Fatal(err)
	}
	return src
}

func BenchmarkSplit(b *testing.B) {
	src := unpackedLog(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range trace.Split(bytes.NewReader(src), nil) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	src := unpackedLog(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	opts := &source.Options{Stdin: bytes.NewReader(src)}
	for b.Loop() {
		opts.Stdin = bytes.NewReader(src)
		for r := range source.Records(context.Background(), []string{"-"}, opts) {
			if _, err := opts.Decode(r); err != nil {
				b.Fatal(err)
			}
		}
	}
}
