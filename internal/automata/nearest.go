// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package automata

// Nearest looks for a text of which all literals are true and that as few edits
// as possible make of a given one: runes put in, left out or replaced. Steps
// bounds the work as they do for Solve. Among several it is always the same one.
//
// It walks the product of the automata and the given text by Dijkstra's
// algorithm with costs of nothing and one: a rune that is kept costs nothing.
func Nearest(lits []Literal, text string, steps int) (string, Answer) {
	n := &nearest{walk: walk{lits: lits, seen: map[string]bool{}}, runes: []rune(text), ids: map[string]int32{}, done: map[spot]bool{}}
	alphabets := make([]*alphabet, len(lits))
	for i, l := range lits {
		alphabets[i] = l.Set.letters
	}
	n.letters = join(alphabets)
	n.enter(make([]int32, len(lits)), trail{from: -1}, 0)
	for len(n.now)+len(n.next) > 0 {
		if len(n.now) == 0 {
			n.now, n.next = n.next, n.now[:0]
		}
		at := n.now[len(n.now)-1]
		n.now = n.now[:len(n.now)-1]
		tr := n.trails[at]
		if n.done[tr.spot] {
			continue
		}
		n.done[tr.spot] = true
		if tr.at == int32(len(n.runes)) && n.accepts(n.places[tr.place]) {
			return n.text(at), Yes
		}
		if steps -= (2*len(n.letters.runes) + 2) * (len(lits) + 1); steps < 0 {
			return "", Undecided
		}
		n.edits(at, tr)
	}
	return "", No
}

// A spot is a place of the product and how much of the given text is used up.
type spot struct{ place, at int32 }

// A trail is how a spot was reached.
type trail struct {
	spot
	from int32
	by   rune // what was added to the text; -1: nothing
}

type nearest struct {
	walk
	runes     []rune
	ids       map[string]int32 // of places
	trails    []trail
	now, next []int32 // trails of this cost, and of one more
	done      map[spot]bool
}

// edits follows what can be done at a spot. Of one cost the last that is
// entered is looked at first, so what is preferred comes last.
func (n *nearest) edits(id int32, tr trail) {
	place, left := n.places[tr.place], tr.at < int32(len(n.runes))
	reached := make([][]int32, len(n.letters.letters))
	for i, row := range n.letters.letters {
		reached[i] = make([]int32, len(n.lits))
		for k, l := range n.lits {
			reached[i][k] = l.Set.step(place[k], row[k])
		}
	}
	for i, next := range reached {
		if left {
			n.enter(next, trail{spot{0, tr.at + 1}, id, n.letters.runes[i]}, 1)
		}
	}
	for i, next := range reached {
		n.enter(next, trail{spot{0, tr.at}, id, n.letters.runes[i]}, 1)
	}
	if left {
		n.enter(place, trail{spot{0, tr.at + 1}, id, -1}, 1)
	}
	if left {
		r := n.runes[tr.at]
		next := make([]int32, len(n.lits))
		for k, l := range n.lits {
			next[k] = l.Set.step(place[k], l.Set.letters.of(r))
		}
		n.enter(next, trail{spot{0, tr.at + 1}, id, r}, 0)
	}
}

// enter notes that a spot can be reached, unless nothing can come of it.
func (n *nearest) enter(place []int32, tr trail, cost int) {
	for k, l := range n.lits {
		if st := &l.Set.states[place[k]]; st.dead && !l.Not || st.matched && l.Not {
			return
		}
	}
	n.visit(place, 0, 0)
	id, ok := n.ids[string(n.key)]
	if !ok {
		id = int32(len(n.places) - 1)
		n.ids[string(n.key)] = id
	}
	tr.place = id
	if n.done[tr.spot] {
		return
	}
	n.trails = append(n.trails, tr)
	if cost == 0 {
		n.now = append(n.now, int32(len(n.trails)-1))
	} else {
		n.next = append(n.next, int32(len(n.trails)-1))
	}
}

func (n *nearest) text(at int32) string {
	var out []rune
	for ; at >= 0; at = n.trails[at].from {
		if n.trails[at].by >= 0 && n.trails[at].from >= 0 {
			out = append(out, n.trails[at].by)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return string(out)
}
