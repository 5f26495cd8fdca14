// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/automata"
)

// values lists what may stand at a place instead of what does.
func (s *search) values(path []string, t *tree) {
	root := slices.ContainsFunc(s.roots, func(r []string) bool { return slices.Equal(r, path) })
	switch {
	case root && t.kind != '{':
		s.add(path, t, &tree{kind: '{'}) // arguments that cannot be read
	case t.kind == '{':
		s.put(path, t)
	case t.kind == '[':
		s.lists(path, t)
	case t.kind == '"':
		s.texts(path, t)
	case t.number():
		s.numbers(path, t)
	case t.text == "null":
		s.add(path, t, textTree(""))
		s.add(path, t, plainTree("0"))
	default:
		s.add(path, t, plainTree(strconv.FormatBool(t.text != "true")))
	}
}

// put lists keys that rules name and an object does not have.
func (s *search) put(path []string, t *tree) {
	for _, key := range s.pool.keys {
		if t.find(key) >= 0 {
			continue
		}
		at := append(slices.Clone(path), key)
		for _, to := range []*tree{textTree(""), plainTree("0"), plainTree("true"), plainTree("false")} {
			s.add(at, nil, to)
		}
		for _, n := range s.pool.numbers[:min(len(s.pool.numbers), 8)] {
			for _, to := range around(n) {
				s.add(at, nil, plainTree(to))
			}
		}
		for _, text := range s.pool.texts[:min(len(s.pool.texts), 12)] {
			s.add(at, nil, textTree(text))
		}
		for _, set := range s.pool.sets[:min(len(s.pool.sets), 12)] {
			if text, ok := automata.Solve([]automata.Literal{{Set: set}}, maxSteps); ok == automata.Yes {
				s.add(at, nil, textTree(text))
			}
		}
	}
}

func (s *search) lists(path []string, t *tree) {
	s.add(path, t, &tree{kind: '['})
	for _, n := range s.pool.numbers {
		k, err := strconv.Atoi(n)
		if err != nil || k < 0 {
			continue
		}
		for _, k := range []int{k - 1, k} {
			if k > 0 && k < len(t.items) {
				s.add(path, t, &tree{kind: '[', items: t.items[:k]})
			}
		}
	}
}

func (s *search) numbers(path []string, t *tree) {
	s.add(path, t, plainTree("0"))
	s.add(path, t, plainTree("1"))
	s.add(path, t, textTree(t.text))
	for _, n := range s.pool.numbers {
		for _, to := range around(n) {
			s.add(path, t, plainTree(to))
		}
	}
	for _, n := range around(t.text) {
		s.add(path, t, plainTree(n))
	}
	if n, ok := new(big.Int).SetString(t.text, 10); ok && len(t.text) > 1 && n.Sign() > 0 {
		s.add(path, t, plainTree(t.text[:len(t.text)-1]))
	}
}

// The bounds of what is made of one text.
const (
	maxSteps  = 150_000 // of one walk through automata
	maxText   = 400     // code points of a text that is walked
	maxFlips  = 10      // sets of which one is changed while the others stay
	maxMarked = 8
)

func (s *search) texts(path []string, t *tree) {
	add := func(to string) { s.add(path, t, textTree(to)) }
	add("")
	for _, text := range slices.Concat(s.pool.texts, s.words) {
		add(text)
		if strings.Contains(t.text, text) && text != "" {
			add(strings.ReplaceAll(t.text, text, ""))
		}
	}
	for _, n := range s.pool.numbers {
		for _, to := range around(n) {
			s.add(path, t, plainTree(to))
		}
	}
	if n, err := strconv.ParseFloat(t.text, 64); err == nil && n == n && !strings.ContainsAny(t.text, "xXpP_nN ") && t.text[0] != '+' && t.text[0] != '.' {
		s.add(path, t, plainTree(t.text))
	}
	s.unmarked(path, t)
	if length(t.text) <= maxText {
		s.near(t.text, add)
	}
	for _, n := range s.pool.numbers {
		k, err := strconv.Atoi(n)
		for _, k := range []int{k - 1, k} {
			if runes := []rune(t.text); err == nil && k >= 0 && k < len(runes) {
				add(string(runes[:k]))
			}
		}
	}
}

// unmarked leaves out what is evidence of a violation.
func (s *search) unmarked(path []string, t *tree) {
	spans := s.marked[strings.Join(path, ".")]
	if len(spans) == 0 {
		return
	}
	runes := []rune(t.text)
	without := func(spans ...[2]int) string {
		var out []rune
		for i, r := range runes {
			if !slices.ContainsFunc(spans, func(s [2]int) bool { return s[0] <= i && i < s[1] }) {
				out = append(out, r)
			}
		}
		return string(out)
	}
	s.add(path, t, textTree(without(spans...)))
	for _, span := range spans[:min(len(spans), maxMarked)] {
		s.add(path, t, textTree(without(span)))
	}
}

// near adds the nearest texts that patterns and literals of the rules see
// otherwise than this one: one of them, the others as they are or as they come,
// two of them, and all of those that it lies in.
func (s *search) near(text string, add func(string)) {
	nearest := func(lits []automata.Literal) {
		if to, ok := automata.Nearest(lits, text, maxSteps); ok == automata.Yes {
			add(to)
		}
	}
	var has, stays []automata.Literal
	for _, set := range s.pool.sets {
		in := set.Has(text)
		if len(stays) < maxFlips {
			stays = append(stays, automata.Literal{Set: set, Not: !in})
		}
		if in && len(has) < maxFlips {
			has = append(has, automata.Literal{Set: set, Not: true})
		}
		nearest([]automata.Literal{{Set: set, Not: in}})
	}
	for _, set := range s.pool.lengths[:min(len(s.pool.lengths), maxFlips)] {
		nearest([]automata.Literal{{Set: set, Not: set.Has(text)}})
	}
	for i := range stays {
		flipped := slices.Clone(stays)
		flipped[i].Not = !flipped[i].Not
		nearest(flipped)
	}
	for i := range stays {
		for j := range i {
			nearest([]automata.Literal{turned(stays[j]), turned(stays[i])})
		}
	}
	if len(has) > 2 {
		nearest(has)
	}
}

func turned(l automata.Literal) automata.Literal { return automata.Literal{Set: l.Set, Not: !l.Not} }
