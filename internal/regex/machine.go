// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"math"
	"regexp/syntax"
	"unicode/utf8"
)

// A machine runs a program of Go's over a text, all threads in step. It does
// three things that Go's matcher does not: word boundaries of Unicode words,
// a search that starts inside a text and sees what stands before, and a bound
// on its steps.
type machine struct {
	prog   *syntax.Prog
	ascii  bool // word boundaries of ASCII words
	looks  bool // at what stands around a position
	first  *[256]bool
	budget int // steps left; negative: they ran out
	run    queue
	next   queue
}

// A queue is a sparse set of threads in order of priority.
type queue struct {
	sparse []uint32
	dense  []thread
}

// A thread is at an instruction; its match began at start.
type thread struct {
	pc    uint32
	start int
}

func newMachine(p *program) *machine {
	n := len(p.prog.Inst)
	m := &machine{prog: p.prog, ascii: p.ascii, looks: p.looks, budget: math.MaxInt, first: p.first}
	m.run = queue{sparse: make([]uint32, n), dense: make([]thread, 0, n)}
	m.next = queue{sparse: make([]uint32, n), dense: make([]thread, 0, n)}
	return m
}

func (q *queue) has(pc uint32) bool {
	j := q.sparse[pc]
	return j < uint32(len(q.dense)) && q.dense[j].pc == pc
}

func (q *queue) add(t thread) {
	q.sparse[t.pc] = uint32(len(q.dense))
	q.dense = append(q.dense, t)
}

// find returns the leftmost match in s that begins at from or later, or
// exactly there if it is anchored. Of those that begin at one place it is the
// one a backtracking matcher finds first. With advance, a match at from must
// not be empty. It fails when the budget runs out.
func (m *machine) find(s string, from int, anchored, advance bool) (start, end int, ok bool) {
	m.run.dense, m.next.dense = m.run.dense[:0], m.next.dense[:0]
	before := rune(-1)
	if from > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:from])
	}
	for pos := from; ; {
		if len(m.run.dense) == 0 {
			if ok || anchored && pos > from {
				return start, end, ok
			}
			if skipped := m.skip(s, pos); skipped > pos && !anchored {
				pos = skipped
				before, _ = utf8.DecodeLastRuneInString(s[:pos])
			}
		}
		r, w := rune(-1), 0
		if pos < len(s) {
			r, w = utf8.DecodeRuneInString(s[pos:])
		}
		if !ok && (!anchored || pos == from) {
			m.follow(&m.run, uint32(m.prog.Start), pos, m.context(before, r))
		}
		if m.budget -= 1 + len(m.run.dense); m.budget < 0 {
			return 0, 0, false
		}
		after := rune(-1)
		if pos+w < len(s) {
			after, _ = utf8.DecodeRuneInString(s[pos+w:])
		}
		if st, found := m.step(r, pos, m.context(r, after), advance, from); found {
			start, end, ok = st, pos, true
		}
		if w == 0 {
			return start, end, ok
		}
		m.run, m.next = m.next, m.run
		m.next.dense = m.next.dense[:0]
		pos += w
		before = r
	}
}

// skip returns the next place at or behind pos where a match may begin.
func (m *machine) skip(s string, pos int) int {
	if m.first == nil {
		return pos
	}
	for pos < len(s) && !m.first[s[pos]] {
		pos++
	}
	return pos
}

// step moves every thread over r, which stands at pos. It reports the match
// with the highest priority that ends before r.
func (m *machine) step(r rune, pos int, cond syntax.EmptyOp, advance bool, from int) (start int, found bool) {
	for _, t := range m.run.dense {
		inst := &m.prog.Inst[t.pc]
		switch inst.Op {
		case syntax.InstMatch:
			if advance && pos == from {
				continue // empty, and one such was found already
			}
			return t.start, true // what comes behind has a lower priority
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if r >= 0 && inst.MatchRune(r) {
				m.follow(&m.next, inst.Out, t.start, cond)
			}
		case syntax.InstAlt, syntax.InstAltMatch, syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstFail, syntax.InstNop:
			// follow went through them
		}
	}
	return 0, false
}

// follow adds the thread at pc to q, through everything that takes no rune.
func (m *machine) follow(q *queue, pc uint32, start int, cond syntax.EmptyOp) {
	if q.has(pc) {
		return
	}
	q.add(thread{pc, start})
	inst := &m.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		m.follow(q, inst.Out, start, cond)
		m.follow(q, inst.Arg, start, cond)
	case syntax.InstCapture, syntax.InstNop:
		m.follow(q, inst.Out, start, cond)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(inst.Arg)&^cond == 0 {
			m.follow(q, inst.Out, start, cond)
		}
	case syntax.InstMatch, syntax.InstFail, syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		// they wait for step
	}
}

// context returns what holds between two runes, -1 being none.
func (m *machine) context(before, after rune) syntax.EmptyOp {
	if !m.looks {
		return 0
	}
	cond := syntax.EmptyOpContext(before, after) &^ (syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary)
	if m.isWord(before) != m.isWord(after) {
		return cond | syntax.EmptyWordBoundary
	}
	return cond | syntax.EmptyNoWordBoundary
}

func (m *machine) isWord(r rune) bool { return r >= 0 && isWord(r, m.ascii) }

// firstBytes returns the bytes with which a match can begin, nil if one can
// be empty.
func firstBytes(prog *syntax.Prog) *[256]bool {
	var first [256]bool
	seen := make([]bool, len(prog.Inst))
	var walk func(pc uint32) bool
	walk = func(pc uint32) bool {
		if seen[pc] {
			return true
		}
		seen[pc] = true
		inst := &prog.Inst[pc]
		switch inst.Op {
		case syntax.InstMatch:
			return false
		case syntax.InstAlt, syntax.InstAltMatch:
			return walk(inst.Out) && walk(inst.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			return walk(inst.Out)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			for b := range rune(utf8.RuneSelf) {
				first[b] = first[b] || inst.MatchRune(b)
			}
			for b := utf8.RuneSelf; b < 256; b++ {
				first[b] = true
			}
		case syntax.InstFail:
		}
		return true
	}
	if !walk(uint32(prog.Start)) {
		return nil
	}
	return &first
}

// looksAround reports whether a program has anchors or word boundaries.
func looksAround(prog *syntax.Prog) bool {
	for i := range prog.Inst {
		if prog.Inst[i].Op == syntax.InstEmptyWidth {
			return true
		}
	}
	return false
}
