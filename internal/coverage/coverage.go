// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package coverage says what tests of a policy have seen: of each rule whether
// it was violated, and of each condition whether it was true, false and unknown.
// `holdfast test --coverage` prints it.
//
// It is the written meaning (package spec) that is watched, on whole traces:
// there each condition is looked at under every assignment, whatever the others
// come to, so that what is covered does not depend on how the policy is
// evaluated.
package coverage

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Part is a rule or predicate and what was seen of it.
type Part struct {
	Policy     string // the file
	Line       int
	Name       string // of a rule its id
	Rule       bool   // false: a predicate
	Violated   int    // of a rule: assignments under which it was
	Unknown    int    // and under which that is not known
	Conditions []*Condition
}

// A Condition is a line of a block, or an operand of `and` or `or` in one. The
// counts are assignments.
type Condition struct {
	Line, Column int
	Text         string
	True         int
	False        int
	Unknown      int
}

// Seen reports whether the condition was true and false: a test without the
// one does not need it, a test without the other would not miss it.
func (c *Condition) Seen() bool { return c.True > 0 && c.False > 0 }

// Seen reports whether a rule was violated; a predicate is seen by its
// conditions.
func (p *Part) Seen() bool { return !p.Rule || p.Violated > 0 }

// maxAssignments bounds how much of one rule is looked at on one trace. What is
// beyond is not counted as seen.
const maxAssignments = 200_000

// A Collector adds up what tests see. It is safe for concurrent use; the zero
// Collector has seen nothing.
type Collector struct {
	mu    sync.Mutex
	parts map[place]*Part
	conds map[place]*Condition
}

// place tells pieces of policies apart that are loaded several times.
type place struct {
	file       string
	before     int
	start, end int
}

// A Where says where a file of a policy stands, by the name that it was loaded
// by: its path, and how many lines are before it in that, if it is a part of
// another file. Nil: names are paths.
type Where func(name string) (path string, before int)

func (w Where) place(s diag.Span) place {
	p := place{s.File.Name, 0, s.Start, s.End}
	if w != nil {
		p.file, p.before = w(p.file)
	}
	return p
}

// Add looks at a trace with a policy.
func (c *Collector) Add(ctx context.Context, p *holdfast.Policy, where Where, opts *holdfast.MonitorOptions, t *trace.Trace) error {
	prog, env, input, err := p.Inside(ctx, opts)
	if err != nil {
		return err
	}
	seen := map[place]*Condition{}
	env.Watch = func(node any, vs ...*value.Value) {
		n, ok := node.(syntax.Node)
		if _, rule := node.(*syntax.Rule); !ok || rule || len(vs) == 0 {
			return
		}
		at := where.place(n.Span())
		if seen[at] == nil {
			seen[at] = &Condition{}
		}
		seen[at].count(vs[0])
	}
	log := &trace.Log{}
	var events []*trace.Event
	for _, e := range t.Events {
		events = append(events, log.Append(e))
	}
	res := spec.Evaluate(prog, events, &spec.Options{Input: input, Env: env, MaxAssignments: maxAssignments})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.know(prog, where)
	for at, n := range seen {
		if k := c.conds[at]; k != nil {
			k.True, k.False, k.Unknown = k.True+n.True, k.False+n.False, k.Unknown+n.Unknown
		}
	}
	for _, r := range res.Rules {
		if k := c.parts[where.place(r.Rule.Node.Span())]; k != nil {
			k.Violated += len(r.True)
			k.Unknown += len(r.Unknown)
		}
	}
	return nil
}

func (c *Condition) count(truth *value.Value) {
	switch value.Truth(truth) {
	case value.True:
		c.True++
	case value.False:
		c.False++
	default:
		c.Unknown++
	}
}

// Parts returns what was seen, in the order of files and lines.
func (c *Collector) Parts() []*Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*Part
	for _, p := range c.parts {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *Part) int {
		return cmp.Or(cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// know lists the rules of a program and the predicates that they use. What
// comes from the library of this house is tested there.
func (c *Collector) know(prog *check.Program, where Where) {
	if c.parts == nil {
		c.parts, c.conds = map[place]*Part{}, map[place]*Condition{}
	}
	for _, r := range prog.Rules {
		c.part(&Part{Name: r.ID, Rule: true}, where, r.Node, r.Node.Body)
	}
	for _, call := range prog.Calls {
		if call.Pred != nil {
			c.part(&Part{Name: call.Pred.Name}, where, call.Pred.Node, call.Pred.Node.Body)
		}
	}
}

// library is how the names of policies begin that stand in no file.
const library = "holdfast.policies."

func (c *Collector) part(p *Part, where Where, n syntax.Node, body []syntax.Cond) {
	at := where.place(n.Span())
	if c.parts[at] != nil || strings.HasPrefix(n.Span().File.Name, library) {
		return
	}
	p.Policy = at.file
	p.Line, _ = n.Span().File.Position(n.Span().Start)
	p.Line += at.before
	c.parts[at] = p
	for _, x := range conditions(body) {
		k := &Condition{Text: oneLine(x)}
		k.Line, k.Column = x.Span().File.Position(x.Span().Start)
		k.Line += at.before
		c.conds[where.place(x.Span())] = k
		p.Conditions = append(p.Conditions, k)
	}
}
