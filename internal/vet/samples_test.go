// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/check"
)

// Samples returns traces of one event, as JSON, that rules of one variable
// could tell apart: every value that they compare with, texts that lie in some
// of their patterns and outside of others, numbers around their bounds, values
// of other kinds, and what is not there. At most n of them, chosen at random.
func Samples(prog *check.Program, rules []*check.Rule, n int) []string {
	r := newReader(prog)
	var el element
	atoms := map[*term][]*atom{}
	var models []outcome
	solver := newSolver()
	for _, rule := range rules {
		f := r.form(rule, namesOf(rule.Body.Vars))
		if f == nil || len(f.names) != 1 {
			return nil
		}
		el = f.names[0]
		for _, want := range []truths{isTrue, isUnknown, isFalse | isUnknown} {
			if got := solver.possible(f.weak, goal{f.body, want}); got.answer == automata.Yes {
				models = append(models, got)
			}
		}
		f.body.atoms(func(a *atom) {
			if a.term != nil && !slices.Contains(atoms[a.term], a) {
				atoms[a.term] = append(atoms[a.term], a)
			}
		})
	}
	var terms []*term
	var values [][]sample
	for t, as := range atoms {
		if t.root == el && len(t.path) > 0 {
			terms = append(terms, t)
		}
		_ = as
	}
	slices.SortFunc(terms, func(a, b *term) int { return strings.Compare(a.key, b.key) })
	rnd := rand.New(rand.NewPCG(uint64(len(terms)), 7))
	for _, t := range terms {
		values = append(values, samplesOf(t, atoms[t], rnd))
	}
	var out []string
	seen := map[string]bool{}
	for tries := 0; tries < 4*n && len(out) < n; tries++ {
		in := map[string]any{}
		ok := true
		var base map[*term]reading
		if len(models) > 0 && rnd.IntN(4) > 0 {
			base = models[rnd.IntN(len(models))].readings
		}
		for i, t := range terms {
			s := values[i][rnd.IntN(len(values[i]))]
			if v, known := base[t]; known && rnd.IntN(5) > 0 {
				if x, there, ok := v.json(); ok {
					s = sample{x, there}
				}
			}
			if len(t.path) == 1 && t.path[0] == "arguments" {
				continue // made by its keys
			}
			ok = ok && overlay(in, t.path, s)
		}
		if trace, made := event(el.typ, in); ok && made && !seen[trace] {
			seen[trace] = true
			out = append(out, trace)
		}
	}
	return out
}

// A sample is a value or nothing.
type sample struct {
	value any
	there bool
}

// overlay is put, but what stands on the way stays.
func overlay(in map[string]any, path []string, s sample) bool {
	for _, p := range path[:len(path)-1] {
		next, ok := in[p]
		if !ok {
			next = map[string]any{}
			in[p] = next
		}
		dict, ok := next.(map[string]any)
		if !ok {
			return true
		}
		in = dict
	}
	last := path[len(path)-1]
	if _, taken := in[last]; !taken && s.there {
		in[last] = s.value
	}
	return true
}

func samplesOf(t *term, atoms []*atom, rnd *rand.Rand) []sample {
	var out []sample
	if t.kinds&isText != 0 {
		for _, a := range atoms {
			if a.text == nil {
				continue
			}
			lits := []automata.Literal{{Set: a.text}}
			if t.within != nil {
				lits = append(lits, automata.Literal{Set: t.within})
			}
			if s, ok := automata.Solve(lits, maxSteps); ok == automata.Yes {
				for range 6 {
					out = append(out, sample{s, true})
				}
			}
		}
		for range 12 {
			var lits []automata.Literal
			if t.within != nil {
				lits = append(lits, automata.Literal{Set: t.within})
			}
			for _, a := range atoms {
				if a.text != nil && rnd.IntN(3) > 0 {
					lits = append(lits, automata.Literal{Set: a.text, Not: rnd.IntN(2) == 0})
				}
			}
			if s, ok := automata.Solve(lits, maxSteps); ok == automata.Yes {
				out = append(out, sample{s, true})
				if rnd.IntN(4) == 0 {
					out = append(out, sample{s + "x", true}, sample{"x" + s, true})
				}
			}
		}
		out = append(out, sample{"", true}, sample{"zz\nz", true})
	}
	if len(t.path) == 1 && (t.path[0] == "name" || t.path[0] == "role" || t.path[0] == "server") {
		return slices.DeleteFunc(out, func(s sample) bool {
			return t.path[0] == "role" && !slices.Contains([]any{"user", "assistant", "system", "developer"}, s.value)
		})
	}
	if t.kinds&isParts != 0 {
		parts := []any{}
		for _, s := range out[:min(len(out), 2)] {
			parts = append(parts, map[string]any{"type": "text", "text": s.value})
		}
		return append(out, sample{nil, true}, sample{parts, true}, sample{slices.Clone(parts[:1]), true})
	}
	if t.kinds&isNumber != 0 {
		for _, a := range atoms {
			if a.number == nil {
				continue
			}
			for _, d := range []int64{-2, -1, 0, 1, 2} {
				x := new(big.Rat).Add(a.number.than, big.NewRat(d, 2))
				if n, ok := jsonNumber(x); ok {
					out = append(out, sample{n, true}, sample{n, true})
				}
			}
		}
		out = append(out, sample{json.Number("0"), true}, sample{json.Number("7"), true})
	}
	out = append(out, sample{true, true}, sample{false, true}, sample{nil, true}, sample{nil, false}, sample{nil, false}, sample{[]any{"a"}, true}, sample{map[string]any{"a": 1}, true})
	return out
}
