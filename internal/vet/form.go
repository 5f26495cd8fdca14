// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"slices"
	"strconv"

	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/check"
)

// A form is a rule as a formula, under names for its variables.
type form struct {
	rule  *check.Rule
	names []element
	from  []string // of each variable what it is drawn from; "" for the trace
	body  *node
	weak  []edge

	needs  []*atom         // of which all must be true
	knows  map[string]bool // the keys of the terms and atoms in it
	models []outcome       // readings that violate it
}

// form makes the formula of a rule under the names given for its variables.
// It returns nil for a rule with optional variables: what it asks depends on
// what else is in the trace.
func (r *reader) form(rule *check.Rule, names []element) *form {
	f := &form{rule: rule, names: names, knows: map[string]bool{}}
	s := &scope{vars: map[*check.Var]element{}}
	for i, v := range rule.Body.Vars {
		if v.Optional {
			return nil
		}
		s.vars[v] = names[i]
	}
	r.weak, r.size = nil, 0
	for i, v := range rule.Body.Vars {
		f.from = append(f.from, "")
		if v.In == nil {
			continue
		}
		f.from[i] = r.key(v.In, s)
		if root, _, ok := r.place(v.In, s); ok {
			r.weak = append(r.weak, edge{root.name, names[i].name, false})
		}
	}
	f.body = r.block(rule.Body.Conds, s)
	f.weak = r.weak
	f.need(f.body)
	f.body.atoms(func(a *atom) { f.knows[a.subject()] = true })
	return f
}

// subject is what an atom is about: its term, or itself.
func (a *atom) subject() string {
	if a.term != nil {
		return a.term.key
	}
	return a.key
}

// need collects the atoms that must be true for n to be.
func (f *form) need(n *node) {
	switch n.op {
	case opAtom:
		f.needs = append(f.needs, n.atom)
	case opAnd:
		for _, s := range n.subs {
			f.need(s)
		}
	case opOr:
		if len(n.subs) == 1 {
			f.need(n.subs[0])
		}
	case opNot, opConst:
	}
}

// namesOf names the variables of a rule by their types, so that the same
// variables of two rules have the same names.
func namesOf(vars []*check.Var) []element {
	count := map[string]int{}
	var out []element
	for _, v := range vars {
		typ := v.Type.Name
		out = append(out, element{typ + "#" + strconv.Itoa(count[typ]), typ})
		count[typ]++
	}
	return out
}

// maxMatchings bounds in how many ways the variables of one rule are looked
// for among those of another.
const maxMatchings = 24

// matchings returns the ways to take variables of b for those of a: lists of
// names for a's variables.
func matchings(a, b *form) [][]element {
	var out [][]element
	var try func(chosen []element)
	try = func(chosen []element) {
		if len(out) >= maxMatchings {
			return
		}
		if len(chosen) == len(a.names) {
			out = append(out, slices.Clone(chosen))
			return
		}
		i := len(chosen)
		for k, el := range b.names {
			drawn := (a.from[i] == "") == (b.from[k] == "")
			if drawn && within(el.typ, a.rule.Body.Vars[i].Type.Name) {
				try(append(chosen, el))
			}
		}
	}
	try(nil)
	return out
}

// within reports whether all elements of one type over the trace are of
// another.
func within(a, b string) bool {
	switch {
	case a == b:
		return true
	case b == "Event":
		return a == "ToolCall" || a == "ToolOutput" || isMessage(a)
	case b == "Message":
		return isMessage(a)
	}
	return a == "dict" && b == "File" || a == "File" && b == "dict"
}

// A relation is what is known of two rules, a and b.
type relation struct {
	violated automata.Answer // wherever b is violated, a is
	unknown  automata.Answer // and wherever b is violated or unknown, a is one of both
	counter  outcome         // a reading under which b is violated and a is not
}

// implied says whether rule a is violated wherever rule b is. With quick it
// gives up where a reading that violates b shows that it is not.
func (r *reader) implied(s *solver, a, b *form, quick bool) relation {
	rel := relation{violated: automata.No}
	for _, names := range matchings(a, b) {
		f := a
		if !slices.Equal(names, a.names) {
			f = r.form(a.rule, names)
		}
		if quick && slices.ContainsFunc(b.models, func(m outcome) bool { return m.truth(f.body)&isTrue == 0 }) {
			rel.violated = automata.Undecided
			continue
		}
		if !sameSources(f, b) {
			rel.violated = automata.Undecided
			continue
		}
		weak := slices.Concat(f.weak, b.weak)
		got := s.possible(weak, append(r.real(b), goal{b.body, isTrue}, goal{f.body, isFalse | isUnknown})...)
		switch got.answer {
		case automata.No:
			either := s.possible(weak, goal{b.body, isTrue | isUnknown}, goal{f.body, isFalse})
			return relation{violated: automata.Yes, unknown: opposite(either.answer)}
		case automata.Undecided:
			rel.violated = automata.Undecided
		case automata.Yes:
			rel.counter = got
		}
	}
	return rel
}

// truth is what a formula can be under a reading. What the reading leaves open
// is taken not to be true, unless nothing but that it could be unknown stands
// against it.
func (o outcome) truth(n *node) truths {
	switch n.op {
	case opConst:
		return n.value
	case opAtom:
		return o.truthOf(n.atom)
	case opNot:
		return o.truth(n.subs[0]).mirrored()
	case opAnd, opOr:
	}
	low, high, sum := isFalse, isTrue, truths(0)
	if n.op == opOr {
		low, high = isTrue, isFalse
	}
	all := high
	for _, s := range n.subs {
		t := o.truth(s)
		sum |= t
		all &= t
	}
	out := all
	if sum&low != 0 {
		out |= low
	}
	if sum&isUnknown != 0 {
		out |= isUnknown
	}
	return out
}

func (o outcome) truthOf(n *atom) truths {
	if mask, ok := o.atoms[n]; ok {
		return mask
	}
	if n.before != "" {
		return anyTruth // it may follow from others
	}
	v, ok := o.readings[n.term]
	if n.term == nil || !ok {
		if n.may&isFalse == 0 {
			return n.may
		}
		return isFalse | isUnknown | o.loose(n)
	}
	out := n.out[v.kind.index()]
	switch {
	case out != theory:
		return out
	case v.kind == isText:
		return known(n.text.Has(v.text))
	case v.kind == isNumber:
		return known(n.number.holds(v.number))
	case v.kind == isBool && v.boolean:
		return n.boolean[1]
	case v.kind == isBool:
		return n.boolean[0]
	}
	return anyTruth
}

// loose is whether a question about a term that the reading says nothing of is
// true of everything: only then it can follow.
func (o outcome) loose(n *atom) truths {
	if n.term == nil {
		return 0
	}
	for i := range n.out {
		if n.term.kinds&(1<<i) != 0 && n.out[i]&isTrue == 0 {
			return 0
		}
	}
	return isTrue
}

// without returns goals under which what is not understood in a reading is not
// true.
func (o outcome) without() []goal {
	var out []goal
	for a, mask := range o.atoms {
		if a.term == nil && a.before == "" && mask == isTrue && a.may&isFalse != 0 {
			out = append(out, goal{leaf(a), isFalse | isUnknown})
		}
	}
	return out
}

// real says of the variables of a rule what a violation shows of them: they
// stand for elements that can be read, and a message has a role.
func (r *reader) real(f *form) []goal {
	var out []goal
	for _, el := range f.names {
		out = append(out, goal{r.there(el), isTrue})
		if isMessage(el.typ) {
			out = append(out, goal{r.about(r.termAt(el, []string{"role"}), "read", func(a *atom) {
				a.set(anyKind, isTrue)
				a.set(isMissing|isUnread, isUnknown)
			}), isTrue})
		}
	}
	return out
}

// sameSources reports whether what variables are drawn from is the same.
func sameSources(a, b *form) bool {
	for i, el := range a.names {
		if k := slices.Index(b.names, el); k < 0 || a.from[i] != b.from[k] {
			return false
		}
	}
	return true
}

// mayImply reports whether it is worth to look: whatever must be true for a
// has to be known to b, since it holds of nothing else by chance.
func mayImply(a, b *form) bool {
	if len(a.names) != 1 || len(b.names) != 1 || a.names[0] != b.names[0] {
		return len(matchings(a, b)) > 0
	}
	return !slices.ContainsFunc(a.needs, func(n *atom) bool { return !b.knows[n.subject()] })
}

func opposite(a automata.Answer) automata.Answer {
	return [...]automata.Answer{automata.Undecided, automata.No, automata.Yes}[a]
}
