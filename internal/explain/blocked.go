// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Blocked is an event with calls that does not pass, after what really
// happened before it, and how its arguments would have to be to pass.
type Blocked struct {
	Event    int
	At       string // its address
	Calls    []string
	Decision holdfast.Decision
	Rules    []string // ids of those that stand against it
	Edits    []*Edit  // the smallest change found that passes; nil: none was
	Changed  *trace.Event
	Tried    int
	Certain  string    // the rule that reads no arguments, so that no change of them helps; ""
	Past     []Element // the elements of its matches that stand before the call
}

// An Edit is a change at one place of the arguments.
type Edit struct {
	Path string `json:"path"`
	Old  string `json:"old,omitempty"` // JSON, as it may be shown; "" if it is put in
	New  string `json:"new,omitempty"` // "" if it is left out
	Cost int    `json:"characters"`
}

// maxBlocked is how many calls are looked into.
const maxBlocked = 5

// blocked follows the trace and looks into the calls that do not pass.
func (t *telling) blocked(ctx context.Context) (out []*Blocked, more int, err error) {
	m, err := t.policy.Monitor(t.opts)
	if err != nil {
		return nil, 0, err
	}
	for i, e := range t.events {
		if len(e.Calls()) > 0 {
			v, err := m.Check(ctx, e)
			if err != nil {
				return nil, 0, err
			}
			switch {
			case v.Allowed():
			case len(out) == maxBlocked:
				more++
			default:
				b, err := t.block(ctx, m, i, v)
				if err != nil {
					return nil, 0, err
				}
				out = append(out, b)
			}
		}
		if _, err := m.Append(ctx, e); err != nil {
			return nil, 0, err
		}
	}
	return out, more, nil
}

// block looks into one event that does not pass; m stands before it.
func (t *telling) block(ctx context.Context, m *holdfast.Monitor, i int, v holdfast.Verdict) (*Blocked, error) {
	e := t.events[i]
	b := &Blocked{Event: i, Decision: v.Decision()}
	b.At, _ = value.Address(e.Root())
	t.tell(e.Root())
	for _, c := range e.Calls() {
		b.Calls = append(b.Calls, t.callText(c))
	}
	rules := t.against(v)
	for _, r := range rules {
		b.Rules = append(b.Rules, t.policy.Rules()[r.Index].ID)
	}
	for _, r := range rules {
		if !readsArguments(t.prog, r) {
			b.Certain = t.policy.Rules()[r.Index].ID
			b.Past = t.past(v, r, i)
			return b, nil
		}
	}
	s, err := t.newSearch(ctx, m, i, v, rules)
	if err != nil {
		return nil, err
	}
	changes := s.run()
	b.Tried = s.tried
	if changes != nil {
		event, ok, err := t.again(ctx, i, s.changed(changes))
		if err != nil {
			return nil, err
		}
		if ok {
			b.Changed = event
			t.tell(e.Root())
			b.Edits = s.edits(b.At, changes)
			return b, nil
		}
	}
	for _, r := range rules {
		b.Past = append(b.Past, t.past(v, r, i)...)
	}
	return b, nil
}

// again runs the trace up to event i with that event changed, on a monitor of
// its own, and reports whether it passes.
func (t *telling) again(ctx context.Context, i int, src []byte) (*trace.Event, bool, error) {
	m, err := t.policy.Monitor(t.opts)
	if err != nil {
		return nil, false, err
	}
	if i > 0 {
		if _, err := m.Append(ctx, t.events[:i]...); err != nil {
			return nil, false, err
		}
	}
	e, err := trace.DecodeEvent(src, nil)
	if err != nil {
		return nil, false, nil //nolint:nilerr // such an event is not proposed
	}
	v, err := m.Check(ctx, e)
	return e, err == nil && v.Allowed(), err
}

// against returns the rules that stand against a step.
func (t *telling) against(v holdfast.Verdict) []*check.Rule {
	var out []*check.Rule
	add := func(r *holdfast.Rule) {
		if c := t.prog.Rules[r.Index]; !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, c := range v.Counts() {
		if c.Rule.Action != "warn" {
			add(c.Rule)
		}
	}
	passed := v.Degraded()
	for _, u := range v.Unknowns() {
		weak := slices.ContainsFunc(passed, func(d holdfast.UnknownEntry) bool { return d.Rule == u.Rule })
		if u.Rule.Action != "warn" && !weak {
			add(u.Rule)
		}
	}
	for _, r := range v.Asking() {
		add(r)
	}
	return out
}

// past lists what a rule's violations at event i are about that came before it.
func (t *telling) past(v holdfast.Verdict, r *check.Rule, i int) []Element {
	var out []Element
	add := func(bindings map[string]holdfast.Binding) {
		for _, e := range t.bound(r, bindings) {
			x := t.at(bindings[e.Name].At)
			if x == nil || len(out) >= maxMatches {
				continue
			}
			if p, ok := value.PlaceOf(x); ok && p.Index < i && !slices.ContainsFunc(out, func(o Element) bool { return o.At == e.At }) {
				out = append(out, e)
			}
		}
	}
	for _, x := range v.Violations() {
		if x.Rule.Index == r.Index {
			add(x.Bindings)
		}
	}
	for _, u := range v.Unknowns() {
		if u.Rule.Index == r.Index {
			add(u.Bindings)
		}
	}
	return out
}

// edits describes changes of event i.
func (s *search) edits(at string, changes []*change) []*Edit {
	var out []*Edit
	for _, c := range changes {
		e := &Edit{Path: fmt.Sprintf("%s.%s", at, strings.Join(c.path, ".")), Cost: c.cost}
		e.Path = s.t.address(e.Path)
		if old := s.base.at(c.path); old != nil {
			e.Old = s.t.showTree(old)
		}
		if c.to != nil {
			e.New = s.shown(s.base.at(c.path), c.to)
		}
		out = append(out, e)
	}
	return out
}

// hiddenText stands for a value that may show what must not be shown.
const hiddenText = `"<hidden>"`

// kindOf is how what is hidden is named in a text.
var kindOf = regexp.MustCompile(`<[\pL\pN_ .-]+>`)

// shown is the new value of a change. Of a text of which something must not be
// shown a text nearby shows it too, unless it is made of what is left.
func (s *search) shown(old, to *tree) string {
	if old == nil || s.t.masked(old.String()) == old.String() && (old.kind != '"' || s.t.masked(old.text) == old.text) {
		return s.t.showTree(to)
	}
	if to.kind != '"' || slices.Contains(s.pool.texts, to.text) {
		return s.t.showTree(to)
	}
	if old.kind == '"' && within(to.text, kindOf.ReplaceAllString(s.t.masked(old.text), "")) {
		return s.t.showTree(to)
	}
	return hiddenText
}

// within reports whether a is what is left of b when some of it is left out.
func within(a, b string) bool {
	rest := []rune(a)
	for _, r := range b {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

func (t *telling) showTree(x *tree) string {
	v, err := value.ParseJSON(x.String(), value.JSONLimits{})
	if err != nil {
		return "…"
	}
	return t.show(v)
}
