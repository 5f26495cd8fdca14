// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package automata

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
)

// A state of the automaton is the set of instructions that the runes read so
// far lead to, before those are followed that take no rune: which of these let
// pass depends on the rune that comes next. A match ends the matter: whatever
// follows, the text lies in the set.
type state struct {
	kernel  []uint32
	context context
	matched bool
	dead    bool    // no text leads to a match from here
	next    []int32 // by letter; 0: not known yet, else the state plus one
	final   int8    // whether the text may end here: 0 not known, 1 yes, -1 no
}

// A context is what stands before a place.
type context struct{ begin, newline, word bool }

// enter returns the number of a state, a new one if need be.
func (s *Set) enter(kernel []uint32, c context, matched bool) int32 {
	key := make([]byte, 1, 1+4*len(kernel))
	key[0] = bit(c.begin) | bit(c.newline)<<1 | bit(c.word)<<2 | bit(matched)<<3
	for _, pc := range kernel {
		key = binary.BigEndian.AppendUint32(key, pc)
	}
	if id, ok := s.index[string(key)]; ok {
		return id
	}
	id := int32(len(s.states))
	s.index[string(key)] = id
	s.states = append(s.states, state{
		kernel: kernel, context: c, matched: matched,
		dead: !matched && !c.begin && !s.anywhere && len(kernel) == 0,
		next: make([]int32, len(s.letters.runes)),
	})
	return id
}

// step returns the state that a letter leads to.
func (s *Set) step(at int32, letter uint16) int32 {
	st := &s.states[at]
	if st.matched {
		return at
	}
	if to := st.next[letter]; to > 0 {
		return to - 1
	}
	newline, word := s.letters.newline[letter], s.letters.wordy[letter]
	reached, matched := s.follow(st, flags(st.context, false, newline, word))
	var kernel []uint32
	if !matched {
		r := s.letters.runes[letter]
		for _, pc := range reached {
			if inst := &s.prog.Inst[pc]; takes(inst, r) {
				kernel = append(kernel, inst.Out)
			}
		}
		slices.Sort(kernel)
		kernel = slices.Compact(kernel)
	}
	to := s.enter(kernel, s.after(newline, word, matched), matched)
	s.states[at].next[letter] = to + 1
	return to
}

// after is the context behind a rune, as far as the pattern asks for it.
func (s *Set) after(newline, word, matched bool) context {
	if matched {
		return context{}
	}
	looks := s.letters.looks
	return context{
		newline: newline && looks&(syntax.EmptyBeginLine|syntax.EmptyEndLine) != 0,
		word:    word && looks&wordOps != 0,
	}
}

func takes(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return inst.MatchRune(r)
	case syntax.InstAlt, syntax.InstAltMatch, syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstMatch, syntax.InstFail, syntax.InstNop:
	}
	return false
}

// flags says what holds at a place between what stands before it and the rune
// behind it, or the end.
func flags(before context, end, newline, word bool) syntax.EmptyOp {
	var ops syntax.EmptyOp
	if before.begin {
		ops |= syntax.EmptyBeginText
	}
	if before.begin || before.newline {
		ops |= syntax.EmptyBeginLine
	}
	if end {
		ops |= syntax.EmptyEndText
	}
	if end || newline {
		ops |= syntax.EmptyEndLine
	}
	if before.word != (word && !end) {
		return ops | syntax.EmptyWordBoundary
	}
	return ops | syntax.EmptyNoWordBoundary
}

// follow returns the instructions that a state leads to without a rune, and
// whether a match is among them.
func (s *Set) follow(st *state, ops syntax.EmptyOp) (reached []uint32, matched bool) {
	work := slices.Clone(st.kernel)
	if s.anywhere || st.context.begin {
		work = append(work, uint32(s.prog.Start))
	}
	seen := make(map[uint32]bool, 2*len(work))
	for len(work) > 0 {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		inst := &s.prog.Inst[pc]
		switch inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			work = append(work, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			work = append(work, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^ops == 0 {
				work = append(work, inst.Out)
			}
		case syntax.InstMatch:
			return nil, true
		case syntax.InstFail:
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			reached = append(reached, pc)
		}
	}
	return reached, false
}

// accepts reports whether a text that ends in a state lies in the set.
func (s *Set) accepts(at int32) bool {
	st := &s.states[at]
	if st.final == 0 {
		_, matched := s.follow(st, flags(st.context, true, false, false))
		st.final = -1
		if matched || st.matched {
			st.final = 1
		}
	}
	return st.final > 0
}
