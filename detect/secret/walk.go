// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A walker follows shapes through a text, forwards and backwards. Where it can
// be after a step is a list of intervals of byte offsets, both ends included:
// for a step that takes 10 to 150 characters of a set, from a given place,
// they are one interval, found by looking at each character once.
type walker struct {
	text  string
	arena []interval
	open  bool // a run was longer than maxRun, or a step is without bound
	steps int  // bytes looked at
}

type interval struct{ from, to int }

// maxRun is how far a step without bound is followed. Beyond it the pattern
// itself looks at the rest of the text, once.
const maxRun = 1024

// around returns the part of the text that a match with the keyword at p can
// touch, if there can be one. open means that the part has no known end.
func (w *walker) around(sp *split, p int) (lo, hi int, open, ok bool) {
	if sp.border != nil && !w.holds(sp.border.look, p) {
		return 0, 0, false, false
	}
	q, ok := w.fixed(sp.after[:sp.fixed], p)
	if !ok {
		return 0, 0, false, false
	}
	w.arena, w.open = append(w.arena[:0], interval{q, q}), false
	ends := w.forward(sp.after[sp.fixed:], w.arena)
	if len(ends) == 0 && !w.open {
		return 0, 0, false, false
	}
	hi, open = len(w.text), w.open
	if !open {
		hi = ends[len(ends)-1].to
	}
	w.arena, w.open = append(w.arena[:0], interval{p, p}), false
	starts := w.backward(sp.before, w.arena)
	switch {
	case w.open:
		return 0, len(w.text), true, true
	case len(starts) == 0:
		return 0, 0, false, false
	}
	lo = starts[0].from
	for lo > 0 && lo < len(w.text) && !utf8.RuneStart(w.text[lo]) {
		lo--
	}
	return lo, hi, open, true
}

// fixed goes over steps of one character each.
func (w *walker) fixed(seq []elem, p int) (int, bool) {
	for i := range seq {
		if p >= len(w.text) {
			return 0, false
		}
		w.steps++
		if c := w.text[p]; c < utf8.RuneSelf {
			if !seq[i].set.ascii[c] {
				return 0, false
			}
			p++
			continue
		}
		r, size := utf8.DecodeRuneInString(w.text[p:])
		if !seq[i].set.hasWide(r) {
			return 0, false
		}
		p += size
	}
	return p, true
}

// forward returns where the steps can end that begin somewhere in at. Once
// w.open is set the answer is of no use.
func (w *walker) forward(seq []elem, at []interval) []interval {
	for i := range seq {
		e := &seq[i]
		switch e.kind {
		case one:
			if e.max < 0 && e.set.broad {
				w.open = true
				return nil
			}
			at = w.take(e, at)
		case assert:
			at = w.hold(e.look, at)
		case either:
			at = w.branch(e, at, w.forward)
		}
		if len(at) == 0 || w.open {
			return nil
		}
	}
	return at
}

// backward returns where the steps can begin that end somewhere in at.
func (w *walker) backward(seq []elem, at []interval) []interval {
	for i := len(seq) - 1; i >= 0; i-- {
		e := &seq[i]
		switch e.kind {
		case one:
			at = w.takeBack(e, at)
		case assert:
			at = w.hold(e.look, at)
		case either:
			at = w.branch(e, at, w.backward)
		}
		if len(at) == 0 || w.open {
			return nil
		}
	}
	return at
}

// branch unites what the branches of e come to.
func (w *walker) branch(e *elem, at []interval, walk func([]elem, []interval) []interval) []interval {
	var few [16]interval
	all := few[:0]
	for _, seq := range e.branches {
		all = append(all, walk(seq, at)...)
		if w.open {
			return nil
		}
	}
	mark := len(w.arena)
	w.arena = append(w.arena, united(all)...)
	return w.arena[mark:]
}

// united sorts intervals and joins those that touch.
func united(in []interval) []interval {
	if len(in) < 2 {
		return in
	}
	slices.SortFunc(in, func(a, b interval) int { return a.from - b.from })
	out := in[:1]
	for _, iv := range in[1:] {
		if last := &out[len(out)-1]; iv.from <= last.to+1 {
			last.to = max(last.to, iv.to)
		} else {
			out = append(out, iv)
		}
	}
	return out
}

// add appends an interval to those behind mark, which are in order.
func (w *walker) add(mark int, iv interval) {
	if n := len(w.arena); n > mark && iv.from <= w.arena[n-1].to+1 {
		last := &w.arena[n-1]
		last.from, last.to = min(last.from, iv.from), max(last.to, iv.to)
		return
	}
	w.arena = append(w.arena, iv)
}

// take goes over between e.min and e.max characters of e.set. All starts in
// one run of the set share the run's end, so a run is looked at once: starts i
// to top reach i+min to top+max, cut off at the end of the run.
func (w *walker) take(e *elem, at []interval) []interval {
	mark := len(w.arena)
	for _, iv := range at {
		for i := iv.from; i <= iv.to; {
			limit := maxRun
			if e.max >= 0 {
				limit = iv.to - i + e.max
			}
			end, wide := w.run(e.set, i, limit)
			if e.max < 0 && end-i >= maxRun {
				w.open = true
				return nil
			}
			top := min(end, iv.to)
			hi := end
			if e.max >= 0 && !wide {
				hi = min(end, top+e.max)
			}
			if i+e.min <= hi {
				w.add(mark, interval{i + e.min, hi})
			}
			i = end + 1
		}
	}
	return w.arena[mark:]
}

// run returns the end of the characters of s that begin at i, and whether
// some of them are beyond ASCII. It stops behind limit characters.
func (w *walker) run(s *set, i, limit int) (end int, wide bool) {
	text := w.text
	for ; limit > 0 && i < len(text); limit-- {
		w.steps++
		if c := text[i]; c < utf8.RuneSelf {
			if !s.ascii[c] {
				break
			}
			i++
			continue
		}
		if len(s.wide) == 0 {
			break
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !s.hasWide(r) {
			break
		}
		wide = true
		i += size
	}
	return i, wide
}

// takeBack is take from right to left.
func (w *walker) takeBack(e *elem, at []interval) []interval {
	mark := len(w.arena)
	for k := len(at) - 1; k >= 0; k-- {
		iv := at[k]
		for i := iv.to; i >= iv.from; {
			limit := maxRun
			if e.max >= 0 {
				limit = i - iv.from + e.max
			}
			end, wide := w.runBack(e.set, i, limit)
			if e.max < 0 && i-end >= maxRun {
				w.open = true
				return nil
			}
			bottom := max(end, iv.from)
			lo := end
			if e.max >= 0 && !wide {
				lo = max(end, bottom-e.max)
			}
			if i-e.min >= lo {
				w.addBack(mark, interval{lo, i - e.min})
			}
			i = end - 1
		}
	}
	slices.Reverse(w.arena[mark:])
	return w.arena[mark:]
}

// addBack is add for intervals that come in falling order.
func (w *walker) addBack(mark int, iv interval) {
	if n := len(w.arena); n > mark && iv.to >= w.arena[n-1].from-1 {
		last := &w.arena[n-1]
		last.from, last.to = min(last.from, iv.from), max(last.to, iv.to)
		return
	}
	w.arena = append(w.arena, iv)
}

// runBack is run from right to left.
func (w *walker) runBack(s *set, i, limit int) (end int, wide bool) {
	text := w.text
	for ; limit > 0 && i > 0; limit-- {
		w.steps++
		if c := text[i-1]; c < utf8.RuneSelf {
			if !s.ascii[c] {
				break
			}
			i--
			continue
		}
		if len(s.wide) == 0 {
			break
		}
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !s.hasWide(r) {
			break
		}
		wide = true
		i -= size
	}
	return i, wide
}

// hold keeps the places at which the assertion holds.
func (w *walker) hold(look syntax.EmptyOp, at []interval) []interval {
	mark := len(w.arena)
	for _, iv := range at {
		for i := iv.from; i <= iv.to; i++ {
			w.steps++
			if w.holds(look, i) {
				w.add(mark, interval{i, i})
			}
		}
	}
	return w.arena[mark:]
}

func (w *walker) holds(look syntax.EmptyOp, i int) bool {
	switch look {
	case syntax.EmptyBeginText:
		return i == 0
	case syntax.EmptyEndText:
		return i == len(w.text)
	case syntax.EmptyBeginLine:
		return i == 0 || w.text[i-1] == '\n'
	case syntax.EmptyEndLine:
		return i == len(w.text) || w.text[i] == '\n'
	case syntax.EmptyWordBoundary:
		return w.inWord(i-1) != w.inWord(i)
	case syntax.EmptyNoWordBoundary:
	}
	return w.inWord(i-1) == w.inWord(i)
}

func (w *walker) inWord(i int) bool {
	if i < 0 || i >= len(w.text) {
		return false
	}
	c := w.text[i]
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
