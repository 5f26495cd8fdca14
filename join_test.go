// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/script"
	"github.com/holdfast-dev/holdfast/trace"
)

// A filed policy is one of the corpus with the files that it imports.
type filed struct {
	source holdfast.Source
	events []*trace.Event
}

// filedCorpus returns the policies of the corpus that load, with their traces.
func filedCorpus(t *testing.T, opts *holdfast.Options) []filed {
	t.Helper()
	var out []filed
	err := filepath.WalkDir("testdata/spec", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".txtar" {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f := filed{source: holdfast.Source{Name: name, Text: []byte(section(string(src), "policy")), Files: libFiles}}
		tr, err := trace.Decode([]byte(section(string(src), "trace")), nil)
		if err != nil {
			return nil //nolint:nilerr // a case of another format
		}
		f.events = tr.Events
		if _, err := holdfast.CompileAll([]holdfast.Source{f.source}, opts); err == nil && len(f.events) < 50 {
			out = append(out, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// said is what a verdict says of the rules of each file, by its name.
func said(v holdfast.Verdict) map[string][]string {
	out := map[string][]string{}
	for _, x := range v.Violations() {
		out[x.Rule.Policy] = append(out[x.Rule.Policy], fmt.Sprintf("%d %s %v %v", x.Rule.Line, x.Message, x.Bindings, x.Ranges))
	}
	for _, c := range v.Counts() {
		out[c.Rule.Policy] = append(out[c.Rule.Policy], fmt.Sprintf("%d x%d", c.Rule.Line, c.N))
	}
	for _, u := range v.Unknowns() {
		out[u.Rule.Policy] = append(out[u.Rule.Policy], fmt.Sprintf("%d unknown %s %v", u.Rule.Line, u.Reason, u.Bindings))
	}
	for _, lines := range out {
		slices.Sort(lines)
	}
	return out
}

// What several files say of a trace is what each says of it by itself.
func TestCompileAllSaysWhatEachFileSays(t *testing.T) {
	opts := &holdfast.Options{Scripts: script.Load}
	all := filedCorpus(t, opts)
	if len(all) < 60 {
		t.Fatalf("the corpus has only %d policies", len(all))
	}
	analyze := func(events []*trace.Event, sources ...holdfast.Source) holdfast.Verdict {
		p, err := holdfast.CompileAll(sources, opts)
		if err != nil {
			if strings.Contains(err.Error(), "P0312") {
				t.Skip("two cases use one id")
			}
			t.Fatal(err)
		}
		v, err := p.Analyze(t.Context(), &trace.Trace{Events: events}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for i, a := range all {
		b := all[(7*i+3)%len(all)]
		if b.source.Name == a.source.Name {
			continue
		}
		t.Run(a.source.Name, func(t *testing.T) {
			for _, events := range [][]*trace.Event{a.events, b.events} {
				alone, other := analyze(events, a.source), analyze(events, b.source)
				both := said(analyze(events, a.source, b.source))
				for name, want := range map[string][]string{a.source.Name: said(alone)[a.source.Name], b.source.Name: said(other)[b.source.Name]} {
					if !slices.Equal(both[name], want) {
						t.Errorf("with %s: %s says\n%q, by itself\n%q", b.source.Name, name, both[name], want)
					}
				}
			}
		})
	}
}
