// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package secret finds credentials in texts: keys, tokens, passwords,
// connection strings. Policies ask it through the function secrets.
//
// Its rules are those of gitleaks, turned into a Go literal by go generate,
// and some of our own; the scanner is ours. The rules of gitleaks find what
// gitleaks finds with them, apart from the differences that
// testdata/differences.txt names. Nothing is compiled before a text holds
// something that could be a secret.
package secret

//go:generate go -C gen run . ../gitleaks.go ../LICENSE-gitleaks

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version names the rules and the scanner. Equal versions find the same.
const Version = "1+gitleaks." + gitleaksVersion

// Options say what to look for. Nil stands for all kinds in a text of which
// nothing else is known.
type Options struct {
	// Path is where the text comes from, with slashes. Some rules are about
	// files of one name only, and some files hold no secrets for any rule.
	Path string
	// Kinds are the rules to use, by their ID; nil for all. Unknown ones find
	// nothing.
	Kinds []string
}

// Find returns the secrets in the text from left to right, those of one place
// by the name of their kind. Spans are in bytes, of the secret itself, not of
// what gives it away. The text need not be valid UTF-8. It keeps no state and
// is safe for concurrent use.
//
// Where several rules find the same secret, the ones that say what it is have
// precedence over the generic ones. A finding about the path, not the text, is
// empty and at the beginning.
//
// The time it takes grows linearly with the text, whatever is in it.
func Find(text string, opts *Options) []detect.Span {
	found, err := FindContext(context.Background(), text, opts)
	if err != nil {
		panic("secret: " + err.Error()) // the background is never done
	}
	return found
}

// FindContext is Find with an end: it returns soon after ctx is done, with
// ctx's error and no findings.
func FindContext(ctx context.Context, text string, opts *Options) ([]detect.Span, error) {
	if opts == nil {
		opts = &Options{}
	}
	s := scan{rules: all(), walker: walker{text: text}, ctx: ctx, path: opts.Path}
	if s.path != "" && allowedAt(s.general, s.path) {
		return nil, nil
	}
	if opts.Kinds != nil {
		s.choose(opts.Kinds)
	}
	found := s.run()
	if s.err != nil {
		return nil, s.err
	}
	out := s.paths()
	for _, f := range settle(s.rules, text, found) {
		out = append(out, detect.Span{Kind: s.live[f.rule].ID, Start: f.start, End: f.end, Score: s.live[f.rule].score()})
	}
	slices.SortFunc(out, func(a, b detect.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind))
	})
	return slices.Compact(out), nil
}

// Rules returns all rules, those of gitleaks first. Their texts are shared and
// not to be changed.
func Rules() []Rule {
	return slices.Concat(gitleaksRules, ownRules)
}

func (s *scan) choose(kinds []string) {
	s.chosen = make([]bool, len(s.live))
	for i, l := range s.live {
		s.chosen[i] = slices.Contains(kinds, l.ID)
	}
}

// paths returns the findings of the rules that are about paths alone.
func (s *scan) paths() []detect.Span {
	if s.path == "" {
		return nil
	}
	var out []detect.Span
	for i, l := range s.live {
		if l.pattern == "" && (s.chosen == nil || s.chosen[i]) && l.at(s.path) {
			out = append(out, detect.Span{Kind: l.ID, Score: l.score()})
		}
	}
	return out
}

// score is how much a rule is to be believed.
func (r *Rule) score() float64 {
	if r.generic {
		return 0.6
	}
	return 0.9
}

// settle decides between several rules on one secret. A generic finding
// yields to a specific one on the same line whose secret holds its own, as
// gitleaks has it; what our own rules find yields to any other finding on the
// same place, unless it is a public name, which stands beside the rest.
func settle(s *rules, text string, in []found) []found {
	if len(in) < 2 {
		return in
	}
	slices.SortStableFunc(in, func(a, b found) int { return cmp.Compare(a.from, b.from) })
	line, at := 0, 0
	for i := range in {
		line += strings.Count(text[at:min(in[i].from+1, len(text))], "\n")
		in[i].line, at = line, min(in[i].from+1, len(text))
	}
	var out []found
	for i, f := range in {
		if !slices.ContainsFunc(near(in, i), func(g found) bool { return yields(s, text, f, g) }) {
			out = append(out, f)
		}
	}
	return out
}

// near returns the findings around number i of a list sorted by place, the
// 64 before it and the 64 behind. A text with more on one line than that is
// made of secrets, and one generic name too many does no harm there.
func near(in []found, i int) []found {
	const reach = 64
	return in[max(0, i-reach):min(len(in), i+reach+1)]
}

// yields reports whether finding f gives way to g.
func yields(s *rules, text string, f, g found) bool {
	rf, rg := s.live[f.rule], s.live[g.rule]
	if f.rule == g.rule || rf.name {
		return false
	}
	if rf.generic && !rg.generic && f.line == g.line &&
		strings.Contains(text[g.start:g.end], text[f.start:f.end]) {
		return true
	}
	before := rank(rg) < rank(rf) || rank(rg) == rank(rf) && g.rule < f.rule
	return rf.own && before && f.start < g.end && g.start < f.end
}

// rank orders rules by how much they say about what they find.
func rank(l *live) int {
	switch {
	case l.own && l.generic:
		return 3
	case l.generic:
		return 2
	case l.own && !l.name:
		return 1
	}
	return 0
}
