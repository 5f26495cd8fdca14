// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/syntax"
)

// logic says what follows from the formulas of rules: those that can never be
// violated, those that always are, parts that can never hold, rules that others
// say already.
func (v *vetting) logic() {
	r, s := v.reader, v.solver
	var forms []*form
	for _, rule := range v.prog.Rules {
		f := r.form(rule, namesOf(rule.Body.Vars))
		if f == nil {
			continue
		}
		if v.alone(r, s, f) {
			forms = append(forms, f)
		}
	}
	v.blocks(r, s)
	v.pairs(r, s, forms)
}

// alone judges a rule by itself. It reports whether it can be violated.
func (v *vetting) alone(r *reader, s *solver, f *form) bool {
	rule := f.rule
	if s.possible(f.weak, append(r.real(f), goal{f.body, isTrue})...).answer == automata.No {
		if !v.against(s, f) {
			v.never(s, f)
		}
		return false
	}
	if v.asksAnything(rule) && s.possible(f.weak, goal{f.body, isFalse}).answer == automata.No {
		v.report("P0502", rule.Node.VerbAt, "this rule is violated, or unknown, whatever its variables stand for",
			"its conditions leave nothing out; say what is meant to be let through")
	}
	for goals := append(r.real(f), goal{f.body, isTrue}); len(f.models) < 2; {
		m := s.possible(f.weak, goals...)
		more := m.without()
		if m.answer != automata.Yes {
			break
		}
		if f.models = append(f.models, m); len(more) == 0 {
			break
		}
		goals = append(goals, more...)
	}
	v.operands(r, s, f)
	return true
}

// asksAnything reports whether a rule has a condition that does more than to
// declare variables: one without is violated by every element, on purpose.
func (v *vetting) asksAnything(rule *check.Rule) bool {
	for _, c := range rule.Body.Conds {
		x, ok := c.(*syntax.ExprCond)
		if !ok {
			return true
		}
		switch n := syntax.Node(syntax.Unparen(x.X)).(type) {
		case *syntax.TypedVar:
		case *syntax.Binary:
			if _, ok := syntax.Unparen(n.X).(*syntax.TypedVar); !ok || n.Op != syntax.In {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// against reports flows that cannot hold together: without them the rule could
// be violated.
func (v *vetting) against(s *solver, f *form) bool {
	var flows []*node
	for _, a := range f.needs {
		if a.before != "" {
			flows = append(flows, leaf(a))
		}
	}
	if len(flows) == 0 || s.possible(f.weak, goal{allOf(flows...), isTrue}).answer != automata.No {
		return false
	}
	if slices.ContainsFunc(flows, func(n *node) bool { return n.atom.may&isTrue == 0 }) {
		v.report("P0516", v.flowAt(f), "this flow never holds: a part of an element is not what comes right before another",
			"only a message, a call, an output or a tool stands left of ~>; -> orders parts, too")
		return true
	}
	v.report("P0516", v.flowAt(f), "these flows cannot hold together: an element would come before itself", flowHelp)
	return true
}

const flowHelp = "an element comes before what is inside it, a call before its output; a flow needs two different elements"

// flowAt is the last flow of a rule, by which the order is broken.
func (v *vetting) flowAt(f *form) diag.Span {
	at := f.rule.Node.VerbAt
	syntax.Walk(f.rule.Node, func(n syntax.Node) bool {
		if _, ok := n.(*syntax.QuantCond); ok {
			return false
		}
		if c, ok := n.(*syntax.FlowChain); ok {
			at = c.Span()
		}
		return true
	})
	return at
}

// never reports a rule that cannot be violated, with the conditions that
// contradict each other as far as two of them do.
func (v *vetting) never(s *solver, f *form) {
	conds := f.rule.Body.Conds
	d := diag.Diagnostic{Code: "P0501", Span: f.rule.Node.VerbAt, Message: "this rule can never be violated"}
	for i, n := range f.body.subs {
		if s.possible(f.weak, goal{n, isTrue}).answer == automata.No {
			d.Notes = []diag.Note{{Span: conds[i].Span(), Text: "this never holds"}}
			break
		}
		for k, m := range f.body.subs[:i] {
			if s.possible(f.weak, goal{n, isTrue}, goal{m, isTrue}).answer == automata.No {
				d.Notes = []diag.Note{{Span: conds[k].Span(), Text: "this"}, {Span: conds[i].Span(), Text: "and this never hold together"}}
				break
			}
		}
		if d.Notes != nil {
			break
		}
	}
	if s.possible(f.weak, goal{f.body, isUnknown}).answer != automata.No {
		d.Help = "it is unknown at most, and blocks where it is"
	}
	v.add(d)
}

// operands reports operands of `or` that add nothing to a rule, since they
// never hold beside its other conditions.
func (v *vetting) operands(_ *reader, s *solver, f *form) {
	for i, c := range f.rule.Body.Conds {
		x, ok := c.(*syntax.ExprCond)
		if !ok {
			continue
		}
		n := f.body.subs[i]
		e := syntax.Unparen(x.X)
		for n.op == opOr && len(n.subs) == 2 {
			b, ok := syntax.Node(e).(*syntax.Binary)
			if !ok || b.Op != syntax.Or {
				break
			}
			v.operand(s, f, n.subs[1], b.Y)
			n, e = n.subs[0], syntax.Unparen(b.X)
			if n.op != opOr {
				v.operand(s, f, n, e)
			}
		}
	}
}

func (v *vetting) operand(s *solver, f *form, n *node, e syntax.Expr) {
	if s.possible(f.weak, goal{f.body, isTrue}, goal{n, isTrue}).answer == automata.No {
		v.report("P0503", e.Span(), "this operand never holds beside the rule's other conditions", "leave it out, or mend what keeps it from holding")
	}
}

// blocks judges the bodies of quantifiers and predicates by themselves.
func (v *vetting) blocks(r *reader, s *solver) {
	for _, file := range v.prog.Files {
		if !v.own(file) {
			continue
		}
		for _, st := range file.Stmts {
			switch st := syntax.Node(st).(type) {
			case *syntax.Predicate:
				if p := v.predicates[st]; p != nil {
					v.body(r, s, p.Body, st.Name.Span(), "this predicate")
				}
				v.quantifiers(r, s, st)
			case *syntax.Rule:
				v.quantifiers(r, s, st)
			}
		}
	}
}

func (v *vetting) quantifiers(r *reader, s *solver, within syntax.Node) {
	syntax.Walk(within, func(n syntax.Node) bool {
		c, ok := n.(*syntax.QuantCond)
		if !ok {
			return true
		}
		if q := v.prog.Quants[c]; q != nil {
			at := c.Span()
			if len(c.Body) > 0 {
				at = c.Body[0].Span()
			}
			v.body(r, s, q.Body, at, "this block")
		}
		return true
	})
}

// body reports a block that never holds. Variables around it are named by
// their place, as far as it mentions any.
func (v *vetting) body(r *reader, s *solver, b *check.Block, at diag.Span, what string) {
	names := map[*check.Var]element{}
	depth := 0
	for o := b; o != nil; o = o.Outer {
		for i, el := range namesOf(o.Vars) {
			if o.Vars[i].Optional {
				return
			}
			el.name = fmt.Sprintf("%s@%d", el.name, depth)
			names[o.Vars[i]] = el
		}
		depth++
	}
	r.weak, r.size = nil, 0
	n := r.block(b.Conds, &scope{vars: names})
	if s.possible(r.weak, goal{n, isTrue}).answer == automata.No {
		v.report("P0503", at, what+" can never hold", "two of its conditions contradict each other, or one of them contradicts itself")
	}
}

// maxPairs bounds how many pairs of rules are looked at.
const maxPairs = 1_000_000

// pairs reports rules that others imply.
func (v *vetting) pairs(r *reader, s *solver, forms []*form) {
	looks := maxPairs
	for i, b := range forms {
		for k, a := range forms {
			if looks--; looks < 0 {
				return
			}
			if i == k || !stronger(a, b) || !mayImply(a, b) {
				continue
			}
			rel := r.implied(s, a, b, true)
			if rel.violated != automata.Yes || rel.unknown != automata.Yes {
				continue
			}
			if k > i && v.mutual(r, s, a, b) {
				continue // the later of two that say the same is the one to go
			}
			v.add(diag.Diagnostic{
				Code: "P0504", Span: b.rule.Node.VerbAt, Message: "whatever violates this rule violates " + ruleName(a.rule) + " too",
				Help:  "leave one of the two out, or say what this one is meant to see that the other does not",
				Notes: []diag.Note{{Span: a.rule.Node.VerbAt, Text: "the rule that says as much"}},
			})
			break
		}
	}
}

// stronger reports whether a does at least what b does, unknown included.
func stronger(a, b *form) bool {
	return a.rule.Node.Verb <= b.rule.Node.Verb && a.rule.OnUnknown == b.rule.OnUnknown
}

// mutual reports whether each of two rules implies the other.
func (v *vetting) mutual(r *reader, s *solver, a, b *form) bool {
	if !stronger(b, a) {
		return false
	}
	rel := r.implied(s, b, a, true)
	return rel.violated == automata.Yes && rel.unknown == automata.Yes
}

// ruleName is how diagnostics name a rule: by its id, or by its line.
func ruleName(r *check.Rule) string {
	if r.Named {
		return fmt.Sprintf("%q", r.ID)
	}
	line, _ := r.Node.VerbAt.Position()
	return fmt.Sprintf("the rule of line %d", line)
}
