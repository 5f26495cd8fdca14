// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"context"
	"slices"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Near is the assignment of a rule under which the most of its conditions
// hold; of several the one whose last event comes first, then the first.
type Near struct {
	Elements []Element `json:"elements,omitempty"`
	Held     int       `json:"held"`
	Of       int       `json:"of"`
	Failed   string    `json:"failed,omitempty"` // the first condition that does not hold, in words
	Line     int       `json:"line,omitempty"`
	Values   []Named   `json:"values,omitempty"` // what it looked at, as far as that is known
	Looked   int       `json:"looked"`           // assignments
	More     bool      `json:"more,omitempty"`   // there are more, which were not looked at
	None     string    `json:"none,omitempty"`   // why there is no assignment at all; the rest is empty
}

// A Named is an expression of the policy and its value, as it may be shown.
type Named struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// maxAssignments bounds how many assignments of a rule are looked at for its
// nearest miss.
const maxAssignments = 50_000

// A missing looks for the nearest miss of one rule.
type missing struct {
	rule  *check.Rule
	conds map[any]int // the conditions, by node
	nodes []syntax.Node

	vars   []*value.Value
	truths []value.Tri
	begun  bool
	looked int

	best     []*value.Value
	bestHeld int
	bestLast int
	failed   int
}

// nearest finds the nearest miss of a rule that is neither violated nor
// unknown.
func (t *telling) nearest(ctx context.Context, r *check.Rule) (*Near, error) {
	prog, env, input, err := t.policy.Inside(ctx, t.opts)
	if err != nil {
		return nil, err
	}
	own := *prog
	own.Rules = []*check.Rule{r}
	m := &missing{rule: r, conds: map[any]int{}, bestHeld: -1}
	m.collect(prog)
	env.Watch = m.watch
	spec.Evaluate(&own, t.events, &spec.Options{Input: input, Env: env, MaxAssignments: maxAssignments})
	m.finish()
	env.Watch = nil
	if m.bestHeld < 0 {
		return &Near{None: t.nothing(r)}, nil
	}
	w := &writer{prog: prog}
	near := &Near{Elements: t.elements(r.Body.Vars, m.best), Held: m.bestHeld, Of: len(m.nodes), Looked: m.looked, More: m.looked >= maxAssignments}
	if m.failed >= 0 {
		n := m.nodes[m.failed]
		near.Line = lineOf(n)
		near.Failed = w.words(n)
		near.Values = t.values(&valuing{prog: prog, env: env, input: input, vars: r.Body.Vars, bound: m.best}, n)
	}
	return near, nil
}

// words is a condition in words, of a block its first line.
func (w *writer) words(n syntax.Node) string {
	switch n := n.(type) {
	case *syntax.ExprCond:
		return w.claim(n.X, true)
	case *syntax.QuantCond:
		return w.quantifier(n).Text
	case syntax.Expr:
		return w.claim(n, true)
	}
	return w.source(n)
}

// collect lists the conditions: the lines that do not just declare, and the
// operands of `and` in them.
func (m *missing) collect(prog *check.Program) {
	add := func(n syntax.Node) {
		m.conds[n] = len(m.nodes)
		m.nodes = append(m.nodes, n)
	}
	for _, c := range m.rule.Body.Conds {
		x, ok := c.(*syntax.ExprCond)
		if !ok {
			add(c)
			continue
		}
		all := operands(x.X, syntax.And)
		if len(all) == 1 {
			if !declares(x.X) {
				add(x)
			}
			continue
		}
		for _, o := range all {
			if !declares(o) {
				add(o)
			}
		}
	}
	m.truths = make([]value.Tri, len(m.nodes))
}

func (m *missing) watch(node any, vs ...*value.Value) {
	if r, ok := node.(*syntax.Rule); ok && r == m.rule.Node {
		m.finish()
		m.begun, m.vars = true, slices.Clone(vs)
		m.looked++
		return
	}
	if i, ok := m.conds[node]; ok && len(vs) > 0 {
		m.truths[i] = value.Truth(vs[0])
	}
}

// finish weighs the assignment that was looked at last.
func (m *missing) finish() {
	if !m.begun {
		return
	}
	m.begun = false
	held, failed, last := 0, -1, -1
	for i, truth := range m.truths {
		if truth == value.True {
			held++
		} else if failed < 0 && truth == value.False {
			failed = i
		}
	}
	for _, v := range m.vars {
		if v != nil {
			if p, ok := value.PlaceOf(v); ok {
				last = max(last, p.Index)
			}
		}
	}
	if held > m.bestHeld || held == m.bestHeld && last < m.bestLast {
		m.best, m.bestHeld, m.bestLast, m.failed = m.vars, held, last, failed
	}
}

// nothing says which variable of a rule has nothing to stand for.
func (t *telling) nothing(r *check.Rule) string {
	for _, v := range r.Body.Vars {
		if v.In != nil || v.Optional {
			continue
		}
		some := false
		for _, e := range t.events {
			trace.Elements(e, v.Type, func(*value.Value) bool { some = true; return false })
		}
		if !some {
			return "the trace has no " + typeWord(v.Type) + " for `" + v.Name + "`"
		}
	}
	for _, v := range r.Body.Vars {
		if v.In != nil {
			return "there is no " + typeWord(v.Type) + " `" + v.Name + "` anywhere in " + (&writer{prog: t.prog}).noun(v.In)
		}
	}
	return "there is nothing to look at"
}

// A valuing evaluates simple expressions under an assignment.
type valuing struct {
	prog  *check.Program
	env   *builtin.Env
	input map[string]*value.Value
	vars  []*check.Var
	bound []*value.Value
}

// value is the value of an expression of variables, members, literals and
// calls of functions that are always there; nil for any other.
func (v *valuing) value(x syntax.Expr, depth int) *value.Value {
	if depth > 20 {
		return nil
	}
	switch x := syntax.Unparen(x).(type) { //nolint:gochecksumtype // the others are not simple
	case *syntax.Ident:
		switch o := v.prog.Uses[x].(type) { //nolint:gochecksumtype // the others are no values
		case *check.Var:
			if i := slices.Index(v.vars, o); i >= 0 {
				return v.bound[i]
			}
		case *check.Binding:
			return v.value(o.Value, depth+1)
		}
		return nil
	case *syntax.Member:
		if m := v.prog.Members[x]; m != nil && m.Input != nil {
			return m.Input.Value(v.input)
		}
		return v.strict(x, depth)
	case *syntax.Index, *syntax.StringLit, *syntax.IntLit:
		return v.strict(x, depth)
	case *syntax.Call:
		if c := v.prog.Calls[x]; c != nil && (c.Method != nil || c.Func != nil && c.Func.Name == "len") {
			return v.strict(x, depth)
		}
	}
	return nil
}

func (v *valuing) strict(x syntax.Expr, depth int) *value.Value {
	operands, op := v.prog.Strict(x)
	vs := make([]*value.Value, len(operands))
	for i, o := range operands {
		if o == nil {
			continue
		}
		if vs[i] = v.value(o, depth+1); vs[i] == nil || vs[i].Kind() == value.Unknown {
			return vs[i]
		}
	}
	return op(vs, v.env)
}

// maxValues is how many values are shown of one condition.
const maxValues = 4

// values are those of the members, and of the calls on them, in a condition.
func (t *telling) values(v *valuing, n syntax.Node) []Named {
	var out []Named
	syntax.Walk(n, func(n syntax.Node) bool {
		x, ok := n.(syntax.Expr)
		switch n := n.(type) {
		case *syntax.QuantCond:
			return false
		case *syntax.Member, *syntax.Index, *syntax.Call:
		case *syntax.Ident:
			if o, ok := v.prog.Uses[n].(*check.Var); !ok || o.In == nil {
				return true
			}
		default:
			return true
		}
		if !ok {
			return true
		}
		got := v.value(x, 0)
		if got == nil {
			return true
		}
		name := (&writer{prog: v.prog}).source(x)
		if len(out) < maxValues && !slices.ContainsFunc(out, func(o Named) bool { return o.Name == name }) {
			out = append(out, Named{name, t.show(got)})
		}
		return false
	})
	return out
}

// holdfastRule is the rule that a checked one is.
func holdfastRule(p *holdfast.Policy, r *check.Rule) *holdfast.Rule { return p.Rules()[r.Index] }
