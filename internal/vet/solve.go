// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/automata"
)

// A solver looks for readings. It goes through the cases of a question as one
// would by hand: what must hold is noted at once, alternatives are tried one
// after the other, and a case is given up as soon as what is asked of one term
// cannot be. What it learns of a term it keeps for later questions.
type solver struct {
	learnt map[string]fact
	cases  int // that all questions together may still take
	steps  int
}

// A fact is what some atoms of one term come to.
type fact struct {
	answer automata.Answer
	value  reading
}

// A reading is a value of a term.
type reading struct {
	kind    kinds
	text    string
	number  *big.Rat
	boolean bool
	certain bool // all atoms have the wanted values under it, for sure
}

// The bounds of a question, of one look at automata, and of all of them.
const (
	maxCases = 4_000
	maxSteps = 120_000

	allCases = 1_000_000
	allSteps = 20_000_000
)

func newSolver() *solver {
	return &solver{learnt: map[string]fact{}, cases: allCases, steps: allSteps}
}

// text looks for a text under the bounds.
func (s *solver) text(lits []automata.Literal) (string, automata.Answer) {
	steps := min(maxSteps, s.steps)
	text, answer, left := automata.Spend(lits, steps)
	s.steps -= steps - left
	return text, answer
}

// A search is the state of one question.
type search struct {
	*solver
	cases    int
	weak     []edge // what comes before what in any case
	masks    map[*atom]truths
	terms    map[*term][]*atom
	trail    []undo
	open     bool // a case was left without an answer
	readings map[*term]reading
	chosen   map[*atom]truths
}

type undo struct {
	atom  *atom
	old   truths
	fresh bool
}

// An outcome is the answer to a question, with a reading if it is yes.
type outcome struct {
	answer   automata.Answer
	readings map[*term]reading
	atoms    map[*atom]truths
}

// possible asks whether there is a reading that meets all goals. Yes may be
// wrong, No is not.
func (s *solver) possible(weak []edge, goals ...goal) outcome {
	q := &search{solver: s, cases: min(maxCases, s.cases), weak: weak, masks: map[*atom]truths{}, terms: map[*term][]*atom{}}
	defer func(before int) { s.cases -= before - q.cases }(q.cases)
	switch {
	case q.all(slices.Clone(goals), nil):
		return outcome{automata.Yes, q.readings, q.chosen}
	case q.open || q.cases <= 0:
		return outcome{answer: automata.Undecided}
	}
	return outcome{answer: automata.No}
}

// all meets goals, then one alternative of each of those that wait.
func (q *search) all(goals, waiting []goal) bool {
	if q.cases--; q.cases <= 0 {
		return false
	}
	mark := len(q.trail)
	for len(goals) > 0 {
		g := goals[len(goals)-1]
		goals = goals[:len(goals)-1]
		var ok bool
		if goals, waiting, ok = q.meet(g, goals, waiting); !ok {
			q.back(mark)
			return false
		}
	}
	if len(waiting) == 0 {
		return q.found(mark)
	}
	least := 0
	for i := range waiting {
		if len(waiting[i].node.subs) < len(waiting[least].node.subs) {
			least = i
		}
	}
	g := waiting[least]
	rest := slices.Delete(slices.Clone(waiting), least, least+1)
	for _, sub := range g.node.subs {
		if q.all([]goal{{sub, g.want}}, slices.Clone(rest)) {
			return true
		}
	}
	q.back(mark)
	return false
}

// meet takes one goal apart.
func (q *search) meet(g goal, goals, waiting []goal) ([]goal, []goal, bool) {
	n, want := g.node, g.want
	switch {
	case want == anyTruth:
		return goals, waiting, true
	case want == 0:
		return goals, waiting, false
	}
	switch n.op {
	case opConst:
		return goals, waiting, n.value&want != 0
	case opNot:
		return append(goals, goal{n.subs[0], want.mirrored()}), waiting, true
	case opAtom:
		return goals, waiting, q.assign(n.atom, want)
	case opAnd, opOr:
	}
	return q.junction(n, want, goals, waiting)
}

// junction splits a goal on `and` or `or` into goals on its parts. The values
// are ordered: `and` is the least of its parts, `or` the greatest.
func (q *search) junction(n *node, want truths, goals, waiting []goal) ([]goal, []goal, bool) {
	low, high := isFalse, isTrue // of `and`: all parts above low, or one at most
	if n.op == opOr {
		low, high = isTrue, isFalse
	}
	switch {
	case want == high || want == high|isUnknown: // every part is so
		for _, s := range n.subs {
			goals = append(goals, goal{s, want})
		}
		return goals, waiting, true
	case want == low || want == low|isUnknown: // one part is so
		return goals, append(waiting, g1(n, want)), len(n.subs) > 0
	case want == isUnknown: // all not low, one not high
		for _, s := range n.subs {
			goals = append(goals, goal{s, high | isUnknown})
		}
		return goals, append(waiting, g1(n, low|isUnknown)), len(n.subs) > 0
	}
	// True or false, not unknown: nobody asks for that of a junction; taking
	// less of it than is wanted only adds readings.
	return goals, waiting, true
}

func g1(n *node, want truths) goal { return goal{n, want} }

// assign notes what is wanted of an atom and looks whether its term can be so.
func (q *search) assign(a *atom, want truths) bool {
	old, there := q.masks[a]
	if !there {
		old = a.may
	}
	mask := old & want
	if mask == 0 {
		return false
	}
	if there && mask == old {
		return true
	}
	q.trail = append(q.trail, undo{a, old, !there})
	q.masks[a] = mask
	if a.before != "" {
		return q.ordered()
	}
	if a.term == nil {
		return true
	}
	if !there {
		q.terms[a.term] = append(q.terms[a.term], a)
	}
	if q.ask(a.term).answer == automata.No {
		return false
	}
	for t, atoms := range q.terms { // what a dict cannot be, its keys cannot be in
		if t.dict == a.term && len(atoms) > 0 && q.ask(t).answer == automata.No {
			return false
		}
	}
	return true
}

// back takes back what was noted after a mark.
func (q *search) back(mark int) {
	for len(q.trail) > mark {
		u := q.trail[len(q.trail)-1]
		q.trail = q.trail[:len(q.trail)-1]
		if !u.fresh {
			q.masks[u.atom] = u.old
			continue
		}
		delete(q.masks, u.atom)
		if t := u.atom.term; t != nil {
			list := q.terms[t]
			q.terms[t] = slices.DeleteFunc(list, func(a *atom) bool { return a == u.atom })
		}
	}
}

// found notes the reading of a case in which all goals are met. A case in
// which a term was too hard is no reading, but no proof either.
func (q *search) found(mark int) bool {
	readings := map[*term]reading{}
	for t, atoms := range q.terms {
		if len(atoms) == 0 {
			continue
		}
		f := q.ask(t)
		if f.answer != automata.Yes {
			q.open = true
			q.back(mark)
			return false
		}
		readings[t] = f.value
	}
	q.readings = readings
	q.chosen = map[*atom]truths{}
	for a, m := range q.masks {
		q.chosen[a] = m
	}
	return true
}

// ask looks whether a term can be what its atoms want.
func (q *search) ask(t *term) fact {
	atoms := q.terms[t]
	slices.SortFunc(atoms, func(a, b *atom) int { return a.id - b.id })
	loose := t.dict != nil && len(q.terms[t.dict]) > 0 && q.solveKind(t.dict, q.terms[t.dict], isDict).answer == automata.No
	key := make([]byte, 1, 1+5*len(atoms))
	key[0] = t.looseness(loose)
	for _, a := range atoms {
		key = append(binary.BigEndian.AppendUint32(key, uint32(a.id)), byte(q.masks[a]))
	}
	if f, ok := q.learnt[string(key)]; ok {
		return f
	}
	f := q.solve(t, atoms, loose)
	q.learnt[string(key)] = f
	return f
}

// order is in which order kinds are tried: first those that make the plainest
// example.
var order = [...]kinds{isText, isNumber, isBool, isDict, isNone, isMissing, isList, isUnread, isParts, isOther}

// looseness tells questions about a key apart by whether its dict is one.
func (t *term) looseness(loose bool) byte {
	if loose {
		return 1
	}
	return 0
}

// solve looks for a value. With loose there is no dict that the term could be
// a key of.
func (q *search) solve(t *term, atoms []*atom, loose bool) fact {
	best := fact{answer: automata.No}
	for _, k := range order {
		if t.kinds&k == 0 || loose && k&(isMissing|isUnread|isNone) == 0 {
			continue
		}
		f := q.solveKind(t, atoms, k)
		switch {
		case f.answer == automata.Yes && f.value.certain:
			return f
		case f.answer == automata.Yes && best.answer != automata.Yes, f.answer == automata.Undecided && best.answer == automata.No:
			best = f
		}
	}
	return best
}

// An asked is an atom that a kind leaves to its theory, and what is wanted.
type asked struct {
	*atom
	not bool
}

// solveKind looks for a value of one kind.
func (q *search) solveKind(t *term, atoms []*atom, k kinds) fact {
	certain := true
	var open []asked
	for _, a := range atoms {
		out, mask := a.out[k.index()], q.masks[a]
		switch {
		case out != theory:
			if out&mask == 0 {
				return fact{answer: automata.No}
			}
			certain = certain && out&^mask == 0
		case mask&(isTrue|isFalse) == 0:
			return fact{answer: automata.No}
		case mask&(isTrue|isFalse) != isTrue|isFalse:
			open = append(open, asked{a, mask&isFalse != 0})
		}
	}
	f := fact{automata.Yes, reading{kind: k, certain: certain}}
	switch {
	case k == isText:
		f.value.text, f.answer = q.solveText(t, open)
	case k == isParts:
		f.answer, f.value.certain = q.solveParts(t, open), false
	case k == isNumber:
		var ok bool
		if f.value.number, ok = solveNumber(t, open); !ok {
			f.answer = automata.No
		}
	case k == isBool:
		f.value.boolean, f.answer = solveBool(q.masks, atoms)
	}
	return f
}

// solveText looks for a text that lies in the sets wanted.
func (s *solver) solveText(t *term, open []asked) (string, automata.Answer) {
	var lits []automata.Literal
	if t.within != nil {
		lits = append(lits, automata.Literal{Set: t.within})
	}
	for _, a := range open {
		lits = append(lits, automata.Literal{Set: a.text, Not: a.not})
	}
	return s.text(lits)
}

// solveParts is about a content in parts. Of all texts in it, its parts and
// these joined, one lies in each set of which one is wanted; none in those of
// which none is; and what is asked of the whole is asked of the joined text,
// which is one of them.
func (s *solver) solveParts(t *term, open []asked) automata.Answer {
	var whole, each []asked
	var never []asked
	for _, a := range open {
		switch {
		case !a.each:
			whole = append(whole, a)
		case a.not:
			never = append(never, a)
		default:
			each = append(each, a)
		}
	}
	_, answer := s.solveText(t, append(whole, never...))
	for _, a := range each {
		if _, one := s.solveText(t, append([]asked{a}, never...)); one == automata.No || answer == automata.Yes {
			answer = one
		}
		if answer == automata.No {
			return automata.No
		}
	}
	return answer
}

func solveNumber(t *term, open []asked) (*big.Rat, bool) {
	var limits []limit
	for _, a := range open {
		limits = append(limits, limit{*a.number, a.not})
	}
	return numberWithin(limits, t.whole)
}

func solveBool(masks map[*atom]truths, atoms []*atom) (bool, automata.Answer) {
	for i, b := range [...]bool{false, true} {
		if !slices.ContainsFunc(atoms, func(a *atom) bool {
			out := a.out[isBool.index()]
			return out == theory && a.boolean[i]&masks[a] == 0
		}) {
			return b, automata.Yes
		}
	}
	return false, automata.No
}
