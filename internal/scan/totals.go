// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"cmp"
	"slices"
	"time"

	"github.com/holdfast-dev/holdfast"
)

// DefaultFiles is how many files Totals.Files holds.
const DefaultFiles = 10

// Totals are what records came to. Their size does not depend on how many
// there were.
type Totals struct {
	Traces    int                     // that were checked
	Failed    int                     // records that could not be read or checked
	Decisions [holdfast.Allow + 1]int // of traces, by holdfast.Decision
	Warned    int                     // traces for which a warn rule is violated
	Stopped   int                     // traces that a deployment would have stopped
	Events    int64                   // of the traces that could be read
	Bytes     int64                   // of their text
	Rules     []RuleTotal             // by index
	Files     []FileTotal             // the worst ones, worst first
	FileCount int                     // all of them
	BadFiles  int                     // those of which something failed or is not allowed
	Clock     Clock
}

// A RuleTotal is how often a rule was violated or unknown.
type RuleTotal struct {
	Rule       *holdfast.Rule
	Traces     int    // that violate it
	Violations uint64 // in all of them
	AtLeast    bool   // Violations is a lower bound
	Unknown    int    // traces for which it could not be decided somewhere
}

// A FileTotal is what the traces of a file came to.
type FileTotal struct {
	Path      string
	Traces    int
	Failed    int
	Decisions [holdfast.Allow + 1]int
	Warned    int
}

// A Clock holds what was spent where. Read includes decompression and
// splitting; it and Wall are times, the others sums over the workers, of times
// or of what they used of a core (see Options.CPU).
type Clock struct {
	Wall, Read, Decode, Check, Render time.Duration
}

// blocked is how many traces of the file are not allowed.
func (f *FileTotal) blocked() int { return f.Traces - f.Decisions[holdfast.Allow] }

// worse orders files: first those with more that failed, then those with more
// that is not allowed; files that come to the same stay in the order of the
// input.
func worse(a, b FileTotal) int {
	return cmp.Or(
		cmp.Compare(b.Failed, a.Failed),
		cmp.Compare(b.Decisions[holdfast.Deny], a.Decisions[holdfast.Deny]),
		cmp.Compare(b.blocked(), a.blocked()),
		cmp.Compare(b.Warned, a.Warned),
	)
}

// newTotals holds back one file more than asked for: the one being counted.
func newTotals(rules []*holdfast.Rule, files int) *Totals {
	if files <= 0 {
		files = DefaultFiles
	}
	t := &Totals{Rules: make([]RuleTotal, len(rules)), Files: make([]FileTotal, 0, files+1)}
	for i, r := range rules {
		t.Rules[i].Rule = r
	}
	return t
}

// add counts one outcome. Those of a file come one after the other.
func (t *Totals) add(o *outcome) {
	f := t.file(o.Path)
	t.Clock.Decode += o.clock.Decode
	t.Clock.Check += o.clock.Check
	t.Clock.Render += o.clock.Render
	t.Events += int64(o.events)
	t.Bytes += int64(o.bytes)
	if o.Err != nil {
		t.Failed++
		f.Failed++
		return
	}
	t.Traces++
	f.Traces++
	t.Decisions[o.Decision]++
	f.Decisions[o.Decision]++
	if o.Warned {
		t.Warned++
		f.Warned++
	}
	if o.Stopped {
		t.Stopped++
	}
	for _, c := range o.counts {
		rule := &t.Rules[c.Rule.Index]
		rule.Traces++
		rule.Violations += c.N
		rule.AtLeast = rule.AtLeast || c.AtLeast
	}
	for _, r := range o.unknown {
		t.Rules[r.Index].Unknown++
	}
}

// file returns the counts of a file, which are the last of t.Files while its
// traces come.
func (t *Totals) file(path string) *FileTotal {
	if n := len(t.Files); t.FileCount == 0 || t.Files[n-1].Path != path {
		t.settle()
		t.FileCount++
		t.Files = append(t.Files, FileTotal{Path: path})
	}
	return &t.Files[len(t.Files)-1]
}

// settle puts the last file, to which nothing comes any more, in its place
// among the worst.
func (t *Totals) settle() {
	n := len(t.Files)
	if n == 0 {
		return
	}
	if last := &t.Files[n-1]; last.Failed > 0 || last.blocked() > 0 {
		t.BadFiles++
	}
	slices.SortStableFunc(t.Files, worse)
	if n == cap(t.Files) {
		t.Files = t.Files[:n-1]
	}
}

func (t *Totals) finish(wall time.Duration) {
	t.settle()
	t.Clock.Wall = wall
}
