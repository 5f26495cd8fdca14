// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Scanning a text takes three passes, each over less than the one before.
//
// One automaton finds the keywords of all rules. At each of them the shapes of
// the rules that have it say whether a match is possible there and which part
// of the text it would touch: a window. The windows of a rule that overlap are
// joined, and its pattern finds in them what it would find in the whole text,
// in the same order: each window holds all of every match that begins in it,
// with one character on either side for the assertions.
//
// What a pattern finds is then judged by entropy and allowances.

// rules is all rules with the automaton of their keywords. It is made by the
// first scan and never changes.
type rules struct {
	live    []*live
	words   *automaton
	word    []string
	owners  [][]int // by word: the rules that have it
	general []guard // the allowances of gitleaks for all its rules
}

var all = sync.OnceValue(newRules)

func newRules() *rules {
	s := &rules{general: guards([]allowance{gitleaksAllowed})}
	for _, list := range [][]Rule{gitleaksRules, ownRules} {
		for i := range list {
			s.live = append(s.live, newLive(&list[i]))
		}
	}
	for _, l := range s.live {
		s.word = append(s.word, l.keywords...)
	}
	s.word = distinct(s.word)
	s.owners = make([][]int, len(s.word))
	for i, l := range s.live {
		for _, k := range distinct(l.keywords) {
			n, _ := slices.BinarySearch(s.word, k)
			s.owners[n] = append(s.owners[n], i)
		}
	}
	s.words = newAutomaton(s.word)
	return s
}

// A window is a part of the text that a rule's pattern is run on.
type window struct {
	rule   int
	lo, hi int
}

// found is a match that has been judged.
type found struct {
	rule       int
	start, end int // the secret
	from, to   int // the match, without line ends around it
}

// A scan is one call of Find.
type scan struct {
	*rules
	walker
	path    string
	chosen  []bool // by rule; nil for all
	judged  []int8 // by rule, whether it is about the path: 0 not asked, 1 yes, -1 no
	windows []window
	whole   []bool // by rule: all of its windows are known
	tidy    int    // how many windows there may be before they are joined
	looked  int    // bytes that patterns were run on
}

// run finds what is in the text.
func (s *scan) run() []found {
	s.tidy = 4096
	f := fold(s.text)
	s.words.each(f.text, func(words []int32, end int) {
		for _, n := range words {
			p := f.origin(end - len(s.word[n]))
			for _, r := range s.owners[n] {
				s.candidate(r, s.word[n], p)
			}
		}
	})
	if len(s.windows) == 0 {
		return nil
	}
	s.join()
	var out []found
	last := 0 // the end of the rule's last match
	for i, w := range s.windows {
		if i == 0 || s.windows[i-1].rule != w.rule {
			last = 0
		}
		out, last = s.matches(out, w, last)
	}
	return out
}

// candidate notes the window of a keyword.
func (s *scan) candidate(r int, word string, p int) {
	l := s.live[r]
	if s.chosen != nil && !s.chosen[r] || (l.path != "" || s.path != "") && !s.about(r) {
		return
	}
	if s.whole != nil && s.whole[r] {
		return
	}
	sh := l.shaped()
	switch {
	case !sh.loose:
		s.weigh(r, sh.splits[word], p)
	case len(sh.splits) == 0:
		s.note(r, 0, len(s.text), true)
	default:
		s.once(r)
		for i := 0; i < len(s.text); i++ {
			if c := s.text[i]; c < 128 && sh.signs[c] {
				s.weigh(r, sh.splits[""], i)
			}
		}
	}
}

// weigh notes the windows of the splits whose keyword, or sign, is at p.
func (s *scan) weigh(r int, splits []split, p int) {
	for i := range splits {
		lo, hi, open, ok := s.around(&splits[i], p)
		if ok && open && s.lacks(splits[i].later, p) {
			ok = false
			if len(splits) == 1 && len(s.live[r].shaped().splits) == 1 {
				s.once(r) // what is not behind p is not behind what comes later
			}
		}
		if ok {
			s.note(r, lo, hi, open)
		}
	}
}

// lacks reports whether none of the words stands behind p, if there are any.
func (s *scan) lacks(words []string, p int) bool {
	for _, w := range words {
		if s.looked += len(s.text) - p; strings.Contains(s.text[p:], w) {
			return false
		}
	}
	return len(words) > 0
}

// once sees to it that the keywords of a rule are not looked at any more.
func (s *scan) once(r int) {
	if s.whole == nil {
		s.whole = make([]bool, len(s.live))
	}
	s.whole[r] = true
}

// note adds a window, to the last if they overlap and are of one rule. A
// window without end that is not the whole text begins at its keyword: all
// later windows of the rule are in it.
func (s *scan) note(r, lo, hi int, open bool) {
	if open {
		s.once(r)
		if lo > 0 && len(s.live[r].shaped().splits) != 1 {
			lo = 0
		}
	}
	s.windows = append(s.windows, window{r, lo, hi})
	if len(s.windows) > s.tidy {
		s.join()
		s.tidy = max(s.tidy, 2*len(s.windows))
	}
}

// join sorts the windows by rule and place and makes one of those that touch.
func (s *scan) join() {
	slices.SortFunc(s.windows, func(a, b window) int {
		return cmp.Or(a.rule-b.rule, a.lo-b.lo)
	})
	out := s.windows[:1]
	for _, w := range s.windows[1:] {
		if last := &out[len(out)-1]; w.rule == last.rule && w.lo <= last.hi {
			last.hi = max(last.hi, w.hi)
		} else {
			out = append(out, w)
		}
	}
	s.windows = out
}

// about reports whether the rule is about the path.
func (s *scan) about(r int) bool {
	if s.judged == nil {
		s.judged = make([]int8, len(s.live))
	}
	if s.judged[r] == 0 {
		s.judged[r] = -1
		if s.live[r].at(s.path) {
			s.judged[r] = 1
		}
	}
	return s.judged[r] > 0
}

// matches appends what the window's rule finds in it behind last, and returns
// where its last match ends.
func (s *scan) matches(out []found, w window, last int) ([]found, int) {
	l := s.live[w.rule]
	for from := max(w.lo, last); from < w.hi; {
		start, end, ok := s.next(l, from, w.hi)
		if !ok {
			break
		}
		from, last = end, end
		if f, ok := s.judge(w.rule, start, end); ok {
			out = append(out, f)
		}
	}
	return out, last
}

// margin is how much text behind a window a pattern sees.
const margin = 8

// next returns the first match that begins at from or later, and before hi.
func (s *scan) next(l *live, from, hi int) (start, end int, ok bool) {
	base := max(from-1, 0)
	for stop := min(hi+margin, len(s.text)); ; {
		part := s.text[base:stop]
		s.looked += len(part)
		loc := l.pat.get().FindStringIndex(part)
		if loc != nil && loc[0] == 0 && from > 0 {
			loc = nil // it begins with the character before from
			s.looked += len(part)
			if m := l.inner.get().FindStringSubmatchIndex(part); m != nil {
				loc = m[2:4]
			}
		}
		if loc == nil {
			return 0, 0, false
		}
		if base+loc[1] < stop || stop == len(s.text) {
			return base + loc[0], base + loc[1], loc[1] > loc[0]
		}
		// What ends with the part may owe that to where the part ends.
		stop = min(stop+len(part)+margin, len(s.text))
	}
}

// judge makes a finding of a match, or nothing of it.
func (s *scan) judge(r, start, end int) (found, bool) {
	l := s.live[r]
	match := strings.Trim(s.text[start:end], "\n")
	start += strings.Index(s.text[start:end], match)
	f := found{rule: r, start: start, end: start + len(match), from: start, to: start + len(match)}
	s.looked += len(match)
	if m := l.pat.get().FindStringSubmatchIndex(match); m != nil {
		for g := 1; 2*g < len(m); g++ {
			if m[2*g+1] > m[2*g] && (l.group == 0 || l.group == g) || l.group == g && g > 0 {
				f.start, f.end = start+max(m[2*g], 0), start+max(m[2*g+1], 0)
				break
			}
		}
	}
	secret := s.text[f.start:f.end]
	if l.entropy != 0 && entropyOf(secret) <= l.entropy {
		return f, false
	}
	if l.accept != nil && !l.accept(secret) {
		return f, false
	}
	if !l.own {
		for i := range s.general {
			if s.general[i].takes(&f, s.text, s.path) {
				return f, false
			}
		}
	}
	for i := range l.allow {
		if l.allow[i].takes(&f, s.text, s.path) {
			return f, false
		}
	}
	return f, true
}
