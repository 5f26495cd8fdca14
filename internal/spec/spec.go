// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package spec is the meaning of the policy language as code, page for page as
// docs/spec.md: every assignment of every rule is looked at, without index or cache.
// The tests hold the evaluator that is used against it; both share what a node means
// (package check) and what operations do to values (package builtin), nothing else.
package spec

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

type val = *value.Value

// Options say what a policy may look at beside the trace. Nil is fine.
type Options struct {
	Input          map[string]*value.Value // the parameters: input.x
	Env            *builtin.Env            // context, memo and limits
	MaxAssignments int                     // for one rule, its quantifiers included; 0: no bound
}

// A Result is what a policy says of a trace, rule by rule.
type Result struct{ Rules []RuleResult }

// A RuleResult holds the assignments under which a rule's conditions hold, and
// those under which that is not known, each in the order of the trace.
type RuleResult struct {
	Rule    *check.Rule
	True    []Match
	Unknown []Match
}

// An Assignment gives each variable of a block an element, in the order of
// Block.Vars, and its place among those that the variable ranges over. Nil: an
// optional variable has none. An Unknown value: its elements are not known.
type Assignment struct {
	Vars []*value.Value
	Draw []int
}

// A Match makes a rule violated or unknown. The zero Assignment: those beyond MaxAssignments.
type Match struct {
	Assignment
	Ranges       []string       // evidence: addresses and spans, sorted
	Args, Kwargs []*value.Value // of the raise expression, as they are written
	Causes       []value.Cause  // why it is unknown, each cause once
}

// An Entry is a cause that Count unknown assignments have, as in the First of them.
type Entry struct {
	Cause value.Cause
	Count int
	First Assignment
}

type evaluator struct {
	prog   *check.Program
	events []*trace.Event
	input  map[string]*value.Value
	env    builtin.Env
	limit  int // assignments that the rule may still look at; negative: it wanted more
}

// Evaluate looks once at a whole trace, whose events a trace.Log has placed.
func Evaluate(p *check.Program, events []*trace.Event, opts *Options) *Result {
	opts = cmp.Or(opts, &Options{})
	env := cmp.Or(opts.Env, &builtin.Env{Context: context.Background(), Memo: builtin.NewMemo()})
	res := &Result{}
	for _, r := range p.Rules {
		e := &evaluator{p, events, opts.Input, *env, cmp.Or(opts.MaxAssignments, 1<<62)}
		res.Rules = append(res.Rules, e.rule(r))
	}
	return res
}

// rule finds the assignments under which all conditions of r are true, or unknown.
func (e *evaluator) rule(r *check.Rule) RuleResult {
	out := RuleResult{Rule: r}
	e.assignments(nil, r.Body, Assignment{}, func(s *scope, a Assignment) {
		e.env.Marks = &builtin.Marks{}
		e.env.Looking(r.Node, a.Vars)
		holds, _ := e.block(s, r.Body)
		m := Match{Assignment: a, Causes: holds.Causes()}
		switch value.Truth(holds) {
		case value.True:
			m.Ranges = builtin.Ranges(e.env.Marks.Spans())
			for _, x := range r.Message.Args {
				m.Args = append(m.Args, check.Raised(x, func(x syntax.Expr) val { return e.value(s, x) }, &e.env))
			}
			for _, k := range r.Message.Kwargs {
				m.Kwargs = append(m.Kwargs, check.Raised(k.Value, func(x syntax.Expr) val { return e.value(s, x) }, &e.env))
			}
			out.True = append(out.True, m)
		case value.Unsure:
			out.Unknown = append(out.Unknown, m)
		}
	})
	if e.limit < 0 {
		out.Unknown = append(out.Unknown, Match{Causes: spent(r.Node)})
	}
	return out
}

// A scope says what one name means; the scope around it says it of others.
type scope struct {
	up   *scope
	name check.Object
	val  val         // of a variable, nil if it has no element; of the target of a comprehension
	arg  syntax.Expr // of a parameter: the argument it stands for
	in   *scope      // and the scope to read it in
}

func (s *scope) find(name check.Object) *scope {
	for s.name != name {
		s = s.up
	}
	return s
}

// assignments yields every assignment of the variables of b that begins with a,
// in lexicographic order. A block without variables has one, which is empty.
func (e *evaluator) assignments(s *scope, b *check.Block, a Assignment, yield func(*scope, Assignment)) {
	i := len(a.Vars)
	if i == len(b.Vars) {
		if e.limit--; e.limit >= 0 {
			yield(s, a)
		}
		return
	}
	for j, v := range e.domain(s, b.Vars[i]) {
		in := &scope{up: s, name: b.Vars[i], val: v}
		if v != nil {
			in.val = v.WithSrcInPlace(b.Vars[i].Decl)
		}
		e.assignments(in, b, Assignment{append(a.Vars[:i:i], v), append(a.Draw[:i:i], j)}, yield)
	}
}

// domain is what a variable ranges over: the elements of its type in the trace,
// or in what it is drawn from, each once. An Unknown value among them stands for
// any number of elements. An optional variable over nothing has the element nil.
func (e *evaluator) domain(s *scope, v *check.Var) (all []val) {
	add := func(x val) bool { all = append(all, x); return true }
	if v.In == nil {
		for _, ev := range e.events {
			trace.Elements(ev, v.Type, add)
		}
	} else if !e.absent(s, v.In) {
		marks := e.env.Marks
		e.env.Marks = nil // finding the elements is no evidence
		found, unknown := value.Search(e.value(s, v.In), v.Type)
		e.env.Marks = marks
		for i, x := range append(found, unknown) {
			if x != nil && !(value.Placed(x) && slices.Contains(found[:i], x)) {
				add(x)
			}
		}
	}
	if len(all) == 0 && v.Optional {
		add(nil)
	}
	return all
}

// New is what is new in after, which looks at the trace of before with events
// added at its end; nil stands for nothing asked before. A rule whose matches
// may go away is judged on all of after, if any events were added.
func New(before, after *Result, added bool) *Result {
	without := func(all, old []Match) []Match {
		known := map[string]bool{}
		for _, m := range old {
			known[m.Key()] = true
		}
		return slices.DeleteFunc(slices.Clone(all), func(m Match) bool { return known[m.Key()] })
	}
	out := &Result{}
	for i, r := range after.Rules {
		if before != nil && !(r.Rule.Retracts && added) {
			r.True = without(r.True, before.Rules[i].True)
			r.Unknown = without(r.Unknown, before.Rules[i].Unknown)
		}
		out.Rules = append(out.Rules, r)
	}
	return out
}

// Key is the identity of the assignment within its block: of an element of the
// trace where it stands, of a computed or unknown one its place among its like.
func (a Assignment) Key() (key string) {
	for i, v := range a.Vars {
		if v == nil || value.Placed(v) && v.Kind() != value.Unknown {
			key += fmt.Sprintf("%p ", v)
		} else {
			key += fmt.Sprintf("#%d ", a.Draw[i])
		}
	}
	return key
}

// Entries are the unknown entries of a rule, one for each cause, as they first come.
func (r RuleResult) Entries() (all []Entry) {
	for _, u := range r.Unknown {
		for _, c := range u.Causes {
			i := slices.IndexFunc(all, func(n Entry) bool { return n.Cause.Src == c.Src && n.Cause.Reason == c.Reason })
			if i < 0 {
				i, all = len(all), append(all, Entry{c, 0, u.Assignment})
			}
			all[i].Count++
		}
	}
	return all
}
