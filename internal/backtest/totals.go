// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package backtest

import (
	"cmp"
	"slices"

	"github.com/holdfast-dev/holdfast"
)

// Totals sum up what records came to. The zero Totals are none.
type Totals struct {
	Traces, Failed int // records compared, and not
	Changed        int // traces with a change
	Steps, Calls   int
	Weaker         int // changes that let more through
	Stronger       int // and less
	Kinds          []Kind
	Rules          []RuleChange
}

// A Kind counts the changes from one decision to another.
type Kind struct {
	Old, New             holdfast.Decision
	Steps, Calls, Traces int
	last                 int // trace that was counted
}

// Weaker reports whether changes of the kind let more through.
func (k *Kind) Weaker() bool { return k.New > k.Old }

// A RuleChange counts, for the rule of an id, the changed steps against which
// it stands now and did not, and the other way round.
type RuleChange struct {
	ID          string
	Now, NoMore int
	Traces      int
	last        int
}

// Add counts a result.
func (t *Totals) Add(r Result) {
	if r.Err != nil {
		t.Failed++
		return
	}
	t.Traces++
	t.Steps += r.Steps
	t.Calls += r.Calls
	if len(r.Changes) > 0 {
		t.Changed++
	}
	for i := range r.Changes {
		t.change(&r.Changes[i])
	}
}

func (t *Totals) change(c *Change) {
	if c.Weaker() {
		t.Weaker++
	} else {
		t.Stronger++
	}
	i := slices.IndexFunc(t.Kinds, func(k Kind) bool { return k.Old == c.Old && k.New == c.New })
	if i < 0 {
		i = len(t.Kinds)
		t.Kinds = append(t.Kinds, Kind{Old: c.Old, New: c.New})
	}
	k := &t.Kinds[i]
	k.Steps++
	k.Calls += len(c.Calls)
	if k.last != t.Traces {
		k.Traces, k.last = k.Traces+1, t.Traces
	}
	for _, id := range c.Now {
		t.rule(id).Now++
	}
	for _, id := range c.NoMore {
		t.rule(id).NoMore++
	}
}

// rule returns the count of a rule, having counted the trace for it.
func (t *Totals) rule(id string) *RuleChange {
	i := slices.IndexFunc(t.Rules, func(r RuleChange) bool { return r.ID == id })
	if i < 0 {
		i = len(t.Rules)
		t.Rules = append(t.Rules, RuleChange{ID: id})
	}
	r := &t.Rules[i]
	if r.last != t.Traces {
		r.Traces, r.last = r.Traces+1, t.Traces
	}
	return r
}

// Sort puts the kinds and rules into an order that does not depend on that of
// the input: what lets more through first, then what is more frequent.
func (t *Totals) Sort() {
	slices.SortFunc(t.Kinds, func(a, b Kind) int {
		return cmp.Or(weight(b.Weaker())-weight(a.Weaker()), cmp.Compare(b.Steps, a.Steps), cmp.Compare(a.Old, b.Old), cmp.Compare(a.New, b.New))
	})
	slices.SortFunc(t.Rules, func(a, b RuleChange) int {
		return cmp.Or(cmp.Compare(b.NoMore, a.NoMore), cmp.Compare(b.Now, a.Now), cmp.Compare(a.ID, b.ID))
	})
}

func weight(b bool) int {
	if b {
		return 1
	}
	return 0
}
