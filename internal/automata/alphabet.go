// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package automata

import (
	"regexp/syntax"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An alphabet maps runes to letters: runes that a pattern does not tell apart
// have the same one. Surrogates are no runes of a text and have none.
type alphabet struct {
	starts  []rune   // of ranges, sorted; the first is 0
	letter  []uint16 // of each range; none for surrogates
	runes   []rune   // one of each letter
	word    func(rune) bool
	looks   syntax.EmptyOp // what the pattern asks about places
	newline []bool         // by letter
	wordy   []bool
}

const (
	none         = ^uint16(0)
	surrogateMin = 0xD800
	surrogateMax = 0xDFFF
)

const wordOps = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary

// newAlphabet makes the alphabet of a program.
func newAlphabet(prog *syntax.Prog, ascii bool) *alphabet {
	a := &alphabet{word: func(r rune) bool { return isWord(r, ascii) }}
	cuts := map[rune]bool{0: true, surrogateMin: true, surrogateMax + 1: true}
	cut := func(lo, hi rune) { cuts[lo], cuts[hi+1] = true, true }
	var tells []*syntax.Inst
	seen := map[string]bool{}
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		switch inst.Op {
		case syntax.InstEmptyWidth:
			a.looks |= syntax.EmptyOp(inst.Arg)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAnyNotNL:
			if key := string(rune(inst.Op)) + string(rune(inst.Arg)) + runesKey(inst.Rune); !seen[key] || inst.Op == syntax.InstRuneAnyNotNL {
				seen[key] = true
				tells = append(tells, inst)
				cutRunes(inst, cut)
			}
		case syntax.InstRuneAny, syntax.InstAlt, syntax.InstAltMatch, syntax.InstCapture, syntax.InstMatch, syntax.InstFail, syntax.InstNop:
		}
	}
	if a.looks&(syntax.EmptyBeginLine|syntax.EmptyEndLine) != 0 {
		cut('\n', '\n')
	}
	if a.looks&wordOps != 0 {
		cutWords(ascii, cut)
	}
	for r := range cuts {
		if r <= unicode.MaxRune {
			a.starts = append(a.starts, r)
		}
	}
	slices.Sort(a.starts)
	a.assign(tells)
	return a
}

// runesKey tells lists of runes apart; surrogates among them, too.
func runesKey(rs []rune) string {
	var b strings.Builder
	for _, r := range rs {
		b.Write([]byte{byte(r >> 16), byte(r >> 8), byte(r)})
	}
	return b.String()
}

// cutRunes cuts at the borders of what an instruction takes.
func cutRunes(inst *syntax.Inst, cut func(lo, hi rune)) {
	switch {
	case inst.Op == syntax.InstRuneAnyNotNL:
		cut('\n', '\n')
	case len(inst.Rune) == 1:
		cut(inst.Rune[0], inst.Rune[0])
		if inst.Op == syntax.InstRune && syntax.Flags(inst.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(inst.Rune[0]); r != inst.Rune[0]; r = unicode.SimpleFold(r) {
				cut(r, r)
			}
		}
	default:
		for i := 0; i+1 < len(inst.Rune); i += 2 {
			cut(inst.Rune[i], inst.Rune[i+1])
		}
	}
}

// cutWords cuts at the borders of the runes that words are made of.
func cutWords(ascii bool, cut func(lo, hi rune)) {
	for _, b := range [][2]rune{{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}} {
		cut(b[0], b[1])
	}
	if ascii {
		return
	}
	for _, table := range []*unicode.RangeTable{unicode.Letter, unicode.Number} {
		for _, r := range table.R16 {
			cutStride(rune(r.Lo), rune(r.Hi), rune(r.Stride), cut)
		}
		for _, r := range table.R32 {
			cutStride(rune(r.Lo), rune(r.Hi), rune(r.Stride), cut)
		}
	}
}

func cutStride(lo, hi, stride rune, cut func(lo, hi rune)) {
	if stride == 1 {
		cut(lo, hi)
		return
	}
	for r := lo; r <= hi; r += stride {
		cut(r, r)
	}
}

// isWord is what Python's \w takes.
func isWord(r rune, ascii bool) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return !ascii && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// assign gives ranges the same letter that all instructions treat alike.
func (a *alphabet) assign(tells []*syntax.Inst) {
	byLook := map[string]uint16{}
	a.letter = make([]uint16, len(a.starts))
	look := make([]byte, len(tells)+2)
	for i, r := range a.starts {
		if surrogateMin <= r && r <= surrogateMax {
			a.letter[i] = none
			continue
		}
		for j, inst := range tells {
			look[j] = bit(inst.MatchRune(r))
		}
		look[len(tells)] = bit(a.looks&(syntax.EmptyBeginLine|syntax.EmptyEndLine) != 0 && r == '\n')
		look[len(tells)+1] = bit(a.looks&wordOps != 0 && a.word(r))
		id, ok := byLook[string(look)]
		if !ok {
			id = uint16(len(a.runes))
			byLook[string(look)] = id
			a.runes = append(a.runes, r)
			a.newline = append(a.newline, r == '\n')
			a.wordy = append(a.wordy, a.word(r))
		}
		a.letter[i] = id
	}
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// of returns the letter of a rune.
func (a *alphabet) of(r rune) uint16 {
	return a.letter[sort.Search(len(a.starts), func(i int) bool { return a.starts[i] > r })-1]
}

// A joint alphabet is that of several sets together: for each of its letters
// the letter of each set, and a rune that people can read if there is one.
type joint struct {
	letters [][]uint16
	runes   []rune
}

// liked are the runes that stand for their letter before others do.
const liked = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ ./:@-_,;!#$%&()*+<=>?[]^{|}~'\"\\`\n\t"

// join makes the common alphabet of sets.
func join(alphabets []*alphabet) *joint {
	j := &joint{}
	seen := map[string]bool{}
	key := make([]byte, 2*len(alphabets))
	add := func(r rune) {
		row := make([]uint16, len(alphabets))
		for i, a := range alphabets {
			row[i] = a.of(r)
			key[2*i], key[2*i+1] = byte(row[i]>>8), byte(row[i])
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			j.letters, j.runes = append(j.letters, row), append(j.runes, r)
		}
	}
	for _, r := range liked {
		add(r)
	}
	for _, a := range alphabets {
		for i, r := range a.starts {
			if a.letter[i] != none {
				add(r)
			}
		}
	}
	return j
}
