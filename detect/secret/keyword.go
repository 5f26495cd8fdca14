// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"slices"
	"sort"
	"strings"
)

// An automaton finds all of a set of words in one pass, whatever their case
// (Aho and Corasick, 1975), as a table of states by classes of bytes. All
// words together touch some forty different bytes; the rest are one class.
//
// The states in which a word ends have the highest numbers: one comparison a
// byte tells whether there is anything to report. Numbers in the table are
// multiplied by the number of classes beforehand.
type automaton struct {
	class  [256]uint8
	stride uint32
	next   []uint32
	ending uint32    // states from here on end words
	ends   [][]int32 // of those states, in order: the words that end there
	length []int     // of each word
}

// newAutomaton makes an automaton of words, which are in lower case.
func newAutomaton(words []string) *automaton {
	a := &automaton{length: make([]int, len(words))}
	for i, w := range words {
		a.length[i] = len(w)
	}
	a.classes(words)
	t := grow(words, &a.class, int(a.stride))
	t.link()
	a.number(t)
	return a
}

// classes gives every byte of the words a class of its own, which upper-case
// letters share with their lower case.
func (a *automaton) classes(words []string) {
	n := uint8(1)
	for _, w := range words {
		for i := range len(w) {
			if a.class[w[i]] == 0 {
				a.class[w[i]] = n
				n++
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		a.class[c] = a.class[c+'a'-'A']
	}
	a.stride = uint32(n)
}

// A trie is the automaton while it is built.
type trie struct {
	next [][]int32 // by state and class; before link, 0 is none
	ends [][]int32
}

func grow(words []string, class *[256]uint8, classes int) *trie {
	t := &trie{}
	add := func() int32 {
		t.next = append(t.next, make([]int32, classes))
		t.ends = append(t.ends, nil)
		return int32(len(t.next) - 1)
	}
	add()
	for i, w := range words {
		at := int32(0)
		for j := range len(w) {
			c := class[w[j]]
			if t.next[at][c] == 0 {
				t.next[at][c] = add()
			}
			at = t.next[at][c]
		}
		t.ends[at] = append(t.ends[at], int32(i))
	}
	return t
}

// link completes the table, breadth first: a state does what the longest
// proper suffix of its word does, where it does nothing of its own.
func (t *trie) link() {
	fail := make([]int32, len(t.next))
	var queue []int32
	for _, to := range t.next[0] {
		if to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		t.ends[at] = append(t.ends[at], t.ends[fail[at]]...)
		for c, to := range t.next[at] {
			if to == 0 {
				t.next[at][c] = t.next[fail[at]][c]
				continue
			}
			fail[to] = t.next[fail[at]][c]
			queue = append(queue, to)
		}
	}
}

// number writes the table with the ending states last.
func (a *automaton) number(t *trie) {
	order := make([]int32, 0, len(t.next))
	for pass := range 2 {
		for s := range t.next {
			if (len(t.ends[s]) > 0) == (pass == 1) {
				order = append(order, int32(s))
			}
		}
	}
	place := make([]uint32, len(order))
	for i, s := range order {
		place[s] = uint32(i) * a.stride
	}
	a.next = make([]uint32, 0, len(order)*int(a.stride))
	for i, s := range order {
		for _, to := range t.next[s] {
			a.next = append(a.next, place[to])
		}
		if len(t.ends[s]) == 0 {
			a.ending = uint32(i+1) * a.stride
			continue
		}
		a.ends = append(a.ends, t.ends[s])
	}
}

// each calls found with the words that end before byte end of the text, in the
// order of end. State 0 is the root: it ends no word.
func (a *automaton) each(text string, found func(words []int32, end int)) {
	state, next, ending := uint32(0), a.next, a.ending
	for i := 0; i < len(text); i++ {
		state = next[state+uint32(a.class[text[i]])]
		if state >= ending {
			found(a.ends[(state-ending)/a.stride], i+1)
		}
	}
}

// any reports whether one of the words is in the text.
func (a *automaton) any(text string) bool {
	state := uint32(0)
	for i := 0; i < len(text); i++ {
		state = a.next[state+uint32(a.class[text[i]])]
		if state >= a.ending {
			return true
		}
	}
	return false
}

// The long s and the Kelvin sign are the two letters beyond ASCII whose other
// case is an ASCII letter: (?i)s and (?i)k match them.
const (
	longS  = "ſ"
	kelvin = "\u212a"
)

// folded is a text in which these two stand as their ASCII letter, so that an
// automaton of bytes sees words spelt with them, and the way back.
type folded struct {
	text string
	at   []int // offsets in text behind each letter that was replaced
	back []int // the same places in the original
}

// fold returns the text itself if it has neither letter, as nearly all do.
func fold(text string) folded {
	if !strings.Contains(text, longS) && !strings.Contains(text, kelvin) {
		return folded{text: text}
	}
	f := folded{}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], longS):
			b.WriteByte('s')
			i += len(longS)
		case strings.HasPrefix(text[i:], kelvin):
			b.WriteByte('k')
			i += len(kelvin)
		default:
			b.WriteByte(text[i])
			i++
			continue
		}
		f.at, f.back = append(f.at, b.Len()), append(f.back, i)
	}
	f.text = b.String()
	return f
}

// origin returns where offset i of the folded text is in the original. Inside
// a replaced letter there is nothing to ask for.
func (f *folded) origin(i int) int {
	n := sort.Search(len(f.at), func(j int) bool { return f.at[j] > i })
	if n == 0 {
		return i
	}
	return f.back[n-1] + i - f.at[n-1]
}

// distinct returns the words without repetition, sorted.
func distinct(words []string) []string {
	out := slices.Clone(words)
	slices.Sort(out)
	return slices.Compact(out)
}
