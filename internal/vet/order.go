// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

// An edge says that one element does not come after another or, if strict,
// comes before it.
type edge struct {
	from, to string
	strict   bool
}

// ordered reports whether the flows that are to hold can hold together:
// positions are numbers, so what comes before itself cannot be. A flow that is
// not to hold must not follow from those that do.
func (q *search) ordered() bool {
	next := map[string][]edge{}
	for _, e := range q.weak {
		next[e.from] = append(next[e.from], e)
	}
	firm := map[string][]edge{} // of flows alone, whose ends have a place
	for a, m := range q.masks {
		if a.before != "" && m == isTrue {
			e := edge{a.before, a.after, true}
			next[e.from] = append(next[e.from], e)
			firm[e.from] = append(firm[e.from], e)
		}
	}
	for a, m := range q.masks {
		switch {
		case a.before == "":
		case m == isTrue && reaches(next, a.after, a.before, false):
			return false
		case m&isTrue == 0 && !a.direct && reaches(firm, a.before, a.after, true):
			return false
		}
	}
	return true
}

// reaches reports whether edges lead from one element to another; with strict
// one of them must be strict, which those of flows are.
func reaches(next map[string][]edge, from, to string, strict bool) bool {
	if from == to && !strict {
		return true
	}
	seen := map[string]bool{from: true}
	work := []string{from}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range next[at] {
			if e.to == to {
				return true
			}
			if !seen[e.to] {
				seen[e.to] = true
				work = append(work, e.to)
			}
		}
	}
	return false
}
