// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// corpus reads the policies of the corpus that load, and all its traces.
func corpus(t testing.TB) (policies []*holdfast.Policy, traces [][]byte) {
	t.Helper()
	err := filepath.WalkDir("testdata/spec", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".txtar" {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if p, err := holdfast.Compile("policy.gr", []byte(section(string(src), "policy")), &holdfast.Options{Files: libFiles}); err == nil {
			policies = append(policies, p)
			traces = append(traces, []byte(section(string(src), "trace")))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return policies, traces
}

// section returns a file of a txtar archive.
func section(archive, name string) string {
	_, rest, _ := strings.Cut(archive, "\n-- "+name+" --\n")
	text, _, _ := strings.Cut(rest, "\n-- ")
	return text + "\n"
}

// FuzzMonitor looks at a trace of any bytes with a policy of the corpus: whole,
// event by event and in random steps, which must come to the same; and with
// budgets that are too small, which must allow nothing more.
func FuzzMonitor(f *testing.F) {
	policies, traces := corpus(f)
	if len(policies) < 50 {
		f.Fatalf("the corpus has only %d policies", len(policies))
	}
	for i, tr := range traces {
		f.Add(uint16(i), tr, uint64(i))
		f.Add(uint16(i+1), tr, uint64(i))
	}
	f.Fuzz(func(t *testing.T, policy uint16, src []byte, cuts uint64) {
		if len(src) > 8<<10 {
			t.Skip("long traces are for benchmarks")
		}
		tr, err := trace.Decode(src, nil)
		if err != nil || len(tr.Events) > 20 {
			return
		}
		a := &audit{p: policies[int(policy)%len(policies)], events: tr.Events}
		rnd := rand.New(rand.NewPCG(cuts, 1))
		a.whole(t)
		a.inSteps(t, func() int { return 1 })
		a.inSteps(t, func() int { return rnd.IntN(4) })
		a.small(t, holdfast.Limits{Candidates: 1 + rnd.IntN(40), Steps: 1 + rnd.IntN(80), Kept: 1 + rnd.IntN(40)})
	})
}

// ample is more than traces of this length need with most policies, and little
// enough for a fuzzer to bear the others.
var ample = holdfast.Limits{Candidates: 20_000, Steps: 400_000}

// An audit compares the ways of looking at one trace.
type audit struct {
	p      *holdfast.Policy
	events []*trace.Event
	all    holdfast.Verdict
	cut    map[int]bool // rules that ran out of budget
}

func (a *audit) whole(t *testing.T) {
	v, err := a.p.Analyze(context.Background(), &trace.Trace{Events: a.events}, limited(ample))
	if err != nil {
		t.Fatal(err)
	}
	a.all, a.cut = v, map[int]bool{}
	a.note(v)
	shown(v)
}

func (a *audit) note(v holdfast.Verdict) {
	for _, u := range v.Unknowns() {
		if u.Reason == "budget" {
			a.cut[u.Rule.Index] = true
		}
	}
}

func (a *audit) inSteps(t *testing.T, size func() int) {
	m := start(t, a.p, limited(ample))
	var last holdfast.Verdict
	counts := map[int]uint64{}
	for at, empty := 0, 0; at < len(a.events); {
		n := min(size(), len(a.events)-at)
		if n == 0 {
			if empty++; empty > 2 {
				n = 1
			}
		}
		step := a.events[at : at+n]
		checked := shown(checkWith(t, m, step...))
		v := appendTo(t, m, step...)
		if got := shown(v); got != checked {
			t.Fatalf("checking gave\n%sappending\n%s", checked, got)
		}
		a.note(v)
		for _, c := range v.Counts() {
			counts[c.Rule.Index] += c.N
		}
		if n > 0 {
			last = v
		}
		at += n
	}
	a.compare(t, counts, last)
}

// compare holds what the steps came to against the whole.
func (a *audit) compare(t *testing.T, counts map[int]uint64, last holdfast.Verdict) {
	if len(a.events) == 0 {
		return
	}
	whole, late := countsOf(a.all), countsOf(last)
	for i, r := range a.p.Rules() {
		got := counts[i]
		if r.Retracts {
			got = late[i]
		}
		if !a.cut[i] && got != whole[i] {
			t.Errorf("rule %s: %d violations in steps, %d in one look", r.ID, got, whole[i])
		}
	}
}

func countsOf(v holdfast.Verdict) map[int]uint64 {
	out := map[int]uint64{}
	for _, c := range v.Counts() {
		out[c.Rule.Index] = c.N
	}
	return out
}

// small admits what it can with budgets that are too small.
func (a *audit) small(t *testing.T, l holdfast.Limits) {
	m := start(t, a.p, limited(l))
	var in []*trace.Event
	for _, e := range a.events {
		if admit(t, m, []*trace.Event{e}).Allowed() {
			in = append(in, e)
		}
	}
	if len(in) == 0 {
		return
	}
	v, err := a.p.Analyze(context.Background(), &trace.Trace{Events: in}, limited(ample))
	if err != nil {
		t.Fatal(err)
	}
	a.cut = map[int]bool{}
	a.note(v)
	if !v.Allowed() && len(a.cut) == 0 {
		t.Errorf("with %+v a trace was admitted that is\n%s", l, shown(v))
	}
}
