// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package automata

import (
	"encoding/binary"
	"slices"
)

// A Literal asks that a text lies in a set or, with Not, outside of it.
type Literal struct {
	Set *Set
	Not bool
}

// A walk goes through the product of automata, breadth first.
type walk struct {
	lits    []Literal
	letters *joint
	places  [][]int32
	from    []int32 // the place that a place was first reached from
	by      []rune
	seen    map[string]bool
	key     []byte
}

// Solve looks for a text of which all literals are true: a shortest one, if
// there are any. Steps bounds the work; what it comes to is about a step for
// each place of the product, letter and set.
func Solve(lits []Literal, steps int) (text string, _ Answer) {
	text, answer, _ := Spend(lits, steps)
	return text, answer
}

// Spend is Solve for those who count: it also returns how many steps are left,
// none if they did not suffice.
func Spend(lits []Literal, steps int) (text string, _ Answer, left int) {
	w := &walk{lits: lits, seen: map[string]bool{}}
	alphabets := make([]*alphabet, len(lits))
	for i, l := range lits {
		alphabets[i] = l.Set.letters
	}
	w.letters = join(alphabets)
	for _, a := range alphabets {
		steps -= len(a.starts) / 8
	}
	w.visit(make([]int32, len(lits)), -1, 0)
	for at := 0; at < len(w.places); at++ {
		if w.accepts(w.places[at]) {
			return w.text(at), Yes, max(steps, 0)
		}
		if steps -= len(w.letters.runes) * len(lits); steps < 0 {
			return "", Undecided, 0
		}
		for i, row := range w.letters.letters {
			next := make([]int32, len(lits))
			for k, l := range lits {
				before := len(l.Set.states)
				next[k] = l.Set.step(w.places[at][k], row[k])
				if len(l.Set.states) > before {
					steps -= 8 + len(l.Set.prog.Inst)/4
				}
			}
			w.visit(next, int32(at), w.letters.runes[i])
		}
	}
	return "", No, max(steps, 0)
}

// visit notes a place of the product, if it is new and may lead to an answer.
func (w *walk) visit(place []int32, from int32, by rune) {
	for k, l := range w.lits {
		if st := &l.Set.states[place[k]]; st.dead && !l.Not || st.matched && l.Not {
			return
		}
	}
	w.key = w.key[:0]
	for _, p := range place {
		w.key = binary.BigEndian.AppendUint32(w.key, uint32(p))
	}
	if w.seen[string(w.key)] {
		return
	}
	w.seen[string(w.key)] = true
	w.places, w.from, w.by = append(w.places, place), append(w.from, from), append(w.by, by)
}

func (w *walk) accepts(place []int32) bool {
	for k, l := range w.lits {
		if l.Set.accepts(place[k]) == l.Not {
			return false
		}
	}
	return true
}

// text returns the text that led to a place.
func (w *walk) text(at int) string {
	var runes []rune
	for w.from[at] >= 0 {
		runes = append(runes, w.by[at])
		at = int(w.from[at])
	}
	slices.Reverse(runes)
	return string(runes)
}
