// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// Scanning a text takes three passes, each over less than the one before.
//
// One automaton finds the keywords of all rules. At each of them the shapes of
// the rules that have it say whether a match is possible there and which part
// of the text it would touch: a window. In its windows a pattern finds what it
// would find in the whole text, in the same order: together they hold all of
// every match, with a character on either side for the assertions.
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
	line       int // where the match begins; known once all are
}

// A scan is one call of Find.
type scan struct {
	*rules
	walker
	ctx     context.Context
	err     error // ctx's, once it is done
	ticks   int
	path    string
	chosen  []bool // by rule; nil for all
	judged  []int8 // by rule, whether it is about the path: 0 not asked, 1 yes, -1 no
	windows []window
	whole   []bool // by rule: all of its windows are known
	looked  int    // bytes that patterns were run on

	verdicts map[*guard]lineVerdict // the last of each
	lastLine interval
}

// run finds what is in the text.
func (s *scan) run() []found {
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
	slices.SortFunc(s.windows, func(a, b window) int {
		return cmp.Or(a.rule-b.rule, a.lo-b.lo)
	})
	var out []found
	for ws := s.windows; len(ws) > 0; {
		n := 1
		for n < len(ws) && ws[n].rule == ws[0].rule {
			n++
		}
		out = s.matches(out, ws[:n])
		ws = ws[n:]
	}
	return out
}

// done reports whether to give up. It asks now and then.
func (s *scan) done() bool {
	if s.ticks++; s.ticks%64 == 0 && s.err == nil && s.ctx != nil {
		s.err = s.ctx.Err()
	}
	return s.err != nil
}

// candidate notes the window of a keyword.
func (s *scan) candidate(r int, word string, p int) {
	l := s.live[r]
	if s.done() || s.chosen != nil && !s.chosen[r] || (l.path != "" || s.path != "") && !s.about(r) {
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
		i := strings.Index(s.text[p:], w)
		if i >= 0 {
			s.looked += i
			return false
		}
		s.looked += len(s.text) - p
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

// note adds a window. One without end holds all later ones of its rule, so
// these need not be looked for; unless matches can begin before their keyword:
// then it has to be the whole text.
func (s *scan) note(r, lo, hi int, open bool) {
	if open {
		s.once(r)
		if !s.live[r].shaped().headed {
			lo = 0
		}
	}
	if n := len(s.windows); n > 0 {
		if last := &s.windows[n-1]; last.rule == r && last.lo <= lo && last.hi >= hi {
			return
		}
	}
	s.windows = append(s.windows, window{r, lo, hi})
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

// matches appends what the rule of the windows finds in them, which are in the
// order of where they begin. It finds what the pattern would find in the whole
// text: a match that begins at p lies within the windows that hold p, so the
// pattern is run up to the end of the windows that begin before a match, and
// again if the match turns out to begin in more of them.
func (s *scan) matches(out []found, ws []window) []found {
	for i := 1; i < len(ws); i++ {
		ws[i].hi = max(ws[i].hi, ws[i-1].hi)
	}
	l := s.live[ws[0].rule]
	from := 0
	for i := 0; i < len(ws) && !s.done(); {
		from = max(from, ws[i].lo)
		if from >= ws[i].hi {
			i++
			continue
		}
		start, end, ok := s.next(l, from, ws[i].hi)
		if !ok || beginsIn(ws[i:], start) {
			i++ // nothing begins before the next window
			continue
		}
		from = end
		if f, ok := s.judge(ws[0].rule, start, end); ok {
			out = append(out, f)
		}
	}
	return out
}

// beginsIn reports whether p is in a window that reaches beyond the first.
func beginsIn(ws []window, p int) bool {
	for _, w := range ws[1:] {
		if w.lo > p {
			return false
		}
		if w.hi > ws[0].hi {
			return true
		}
	}
	return false
}

// margin is how much text behind a window a pattern sees.
const margin = 8

// next returns the first match that begins at from or later, and before hi.
func (s *scan) next(l *live, from, hi int) (start, end int, ok bool) {
	base := max(from-1, 0)
	for stop := min(hi+margin, len(s.text)); ; {
		part := s.text[base:stop]
		loc := l.pat.get().FindStringIndex(part)
		if loc != nil && loc[0] == 0 && from > 0 {
			s.looked += loc[1]
			loc = nil // it begins with the character before from
			if m := l.inner.get().FindStringSubmatchIndex(part); m != nil {
				loc = m[2:4]
			}
		}
		if loc == nil {
			s.looked += len(part)
			return 0, 0, false
		}
		s.looked += loc[1]
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
			if s.takes(&s.general[i], &f) {
				return f, false
			}
		}
	}
	for i := range l.allow {
		if s.takes(&l.allow[i], &f) {
			return f, false
		}
	}
	return f, true
}
