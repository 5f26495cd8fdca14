// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package automata

import (
	"regexp/syntax"
	"slices"
	"sort"
	"strings"
	"sync"
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
	cuts := []rune{0, surrogateMin, surrogateMax + 1}
	cut := func(lo, hi rune) { cuts = append(cuts, lo, hi+1) }
	var tells []*syntax.Inst
	seen := map[string]bool{}
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		switch inst.Op {
		case syntax.InstEmptyWidth:
			a.looks |= syntax.EmptyOp(inst.Arg)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAnyNotNL:
			if key := string(rune(inst.Op)) + string(rune(inst.Arg)) + runesKey(inst.Rune); !seen[key] {
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
		cuts = append(cuts, wordCuts(ascii)...)
	}
	slices.Sort(cuts)
	a.starts = slices.DeleteFunc(slices.Compact(cuts), func(r rune) bool { return r > unicode.MaxRune })
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

// wordCuts returns the borders of the runes that words are made of.
func wordCuts(ascii bool) []rune {
	if ascii {
		return []rune{'a', 'z' + 1, 'A', 'Z' + 1, '0', '9' + 1, '_', '_' + 1}
	}
	return unicodeWordCuts()
}

var unicodeWordCuts = sync.OnceValue(func() []rune {
	out := []rune{'_', '_' + 1}
	for _, table := range []*unicode.RangeTable{unicode.Letter, unicode.Number} {
		for _, r := range table.R16 {
			out = appendStride(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			out = appendStride(out, rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	slices.Sort(out)
	// Where one range ends and the next begins there is no border.
	return slices.DeleteFunc(slices.Compact(out), func(r rune) bool { return isWord(r, false) == isWord(r-1, false) })
})

func appendStride(to []rune, lo, hi, stride rune) []rune {
	if stride == 1 {
		return append(to, lo, hi+1)
	}
	for r := lo; r <= hi; r += stride {
		to = append(to, r, r+1)
	}
	return to
}

// isWord is what Python's \w takes.
func isWord(r rune, ascii bool) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return !ascii && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// A sweep asks an instruction about runes in rising order.
type sweep struct {
	*syntax.Inst
	at int // in Rune, of the range that may hold the next rune
}

func (w *sweep) takes(r rune) bool {
	if w.Op == syntax.InstRuneAnyNotNL || len(w.Rune) < 2 {
		return w.MatchRune(r)
	}
	for w.at+1 < len(w.Rune) && w.Rune[w.at+1] < r {
		w.at += 2
	}
	return w.at+1 < len(w.Rune) && w.Rune[w.at] <= r
}

// assign gives ranges the same letter that all instructions treat alike.
func (a *alphabet) assign(tells []*syntax.Inst) {
	byLook := map[string]uint16{}
	a.letter = make([]uint16, len(a.starts))
	look := make([]byte, len(tells)+2)
	sweeps := make([]sweep, len(tells))
	for j, inst := range tells {
		sweeps[j].Inst = inst
	}
	for i, r := range a.starts {
		if surrogateMin <= r && r <= surrogateMax {
			a.letter[i] = none
			continue
		}
		for j := range sweeps {
			look[j] = bit(sweeps[j].takes(r))
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
	row := make([]uint16, len(alphabets))
	add := func(r rune) {
		for i, letter := range row {
			key[2*i], key[2*i+1] = byte(letter>>8), byte(letter)
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			j.letters, j.runes = append(j.letters, slices.Clone(row)), append(j.runes, r)
		}
	}
	for _, r := range liked {
		for i, a := range alphabets {
			row[i] = a.of(r)
		}
		add(r)
	}
	at := make([]int, len(alphabets)) // the range of each that holds r
	for r := rune(0); ; {
		next := rune(-1)
		for i, a := range alphabets {
			row[i] = a.letter[at[i]]
			if k := at[i] + 1; k < len(a.starts) && (next < 0 || a.starts[k] < next) {
				next = a.starts[k]
			}
		}
		if len(row) == 0 || row[0] != none {
			add(r)
		}
		if next < 0 {
			return j
		}
		for i, a := range alphabets {
			if k := at[i] + 1; k < len(a.starts) && a.starts[k] == next {
				at[i] = k
			}
		}
		r = next
	}
}
