// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"math"
	"regexp"
	"strings"
	"sync"
)

// A Rule is one kind of secret: what it looks like, and what looks like it and
// is none. Rules are data; the zero values of their fields ask for nothing.
type Rule struct {
	ID          string // the Kind of its findings
	Description string
	Match       []string // texts in which the rule finds something; rules of our own have them
	NoMatch     []string // texts that only look as if

	pattern  string   // what stands in the text; "" for a rule about paths alone
	path     string   // where: a pattern of the path, which must be known
	keywords []string // one of them, in any case, is in every text that the rule looks at
	entropy  float64  // the secret has more than this, in bits a byte; 0 for any
	group    int      // of the pattern: the secret; 0 for the first that is not empty, or all
	allowed  []allowance
	generic  bool              // yields to a finding that says what the secret is
	own      bool              // of ours: yields to a specific rule of gitleaks on the same place
	name     bool              // a public name, which stands beside the rules that know better
	accept   func(string) bool // of rules of our own: whether the secret is one after all
}

// An allowance is what a rule does not report although its pattern matches.
type allowance struct {
	pattern string // of the target
	path    string
	words   string // one a line, in lower case; one of them in the secret is enough
	target  target
	all     bool // all that is given has to hold, not just one
}

// A target is what the pattern of an allowance is about.
type target uint8

const (
	inSecret target = iota
	inMatch
	inLine
)

// A lazy pattern is compiled when it is first asked for.
type lazy struct {
	pattern string
	once    sync.Once
	re      *regexp.Regexp
}

func (l *lazy) get() *regexp.Regexp {
	l.once.Do(func() {
		l.re = regexp.MustCompile(l.pattern)
	})
	return l.re
}

// A live rule is a rule with what is made of it on the way.
type live struct {
	*Rule
	pat     lazy // the pattern
	inner   lazy // the pattern behind one character, whose place in the text is known
	where   lazy // the path
	allow   []guard
	shaping sync.Once
	shape   *shape
}

// A guard is an allowance with what is made of it on the way.
type guard struct {
	*allowance
	pat, where lazy
	listing    sync.Once
	list       *automaton
}

func newLive(r *Rule) *live {
	l := &live{Rule: r}
	l.pat.pattern = r.pattern
	// The lazy .* makes the leftmost match behind the first character; the
	// alternative, to look from there on, would not see that character, and
	// \b and ^ would take the place for the beginning of the text.
	l.inner.pattern = `\A(?s:.)(?s:.*?)(` + r.pattern + `)`
	l.where.pattern = r.path
	l.allow = guards(r.allowed)
	return l
}

func guards(allowed []allowance) []guard {
	out := make([]guard, len(allowed))
	for i := range allowed {
		out[i].allowance = &allowed[i]
		out[i].pat.pattern = allowed[i].pattern
		out[i].where.pattern = allowed[i].path
	}
	return out
}

// shaped returns the rule's shape, which is made when a text first holds one
// of its keywords.
func (l *live) shaped() *shape {
	l.shaping.Do(func() { l.shape = newShape(l.pattern, l.keywords) })
	return l.shape
}

// at reports whether the rule is about this path at all.
func (l *live) at(path string) bool {
	if l.path != "" && (path == "" || !l.where.get().MatchString(path)) {
		return false
	}
	return !allowedAt(l.allow, path)
}

// allowedAt reports whether an allowance takes everything at the path.
func allowedAt(list []guard, path string) bool {
	if path == "" {
		return false
	}
	for i := range list {
		g := &list[i]
		more := g.pattern != "" || g.words != ""
		if g.path != "" && !(g.all && more) && g.where.get().MatchString(path) {
			return true
		}
	}
	return false
}

// takes reports whether the allowance takes the finding. One of several
// conditions is enough unless all are wanted; a path counts only among all,
// since by itself it has been asked before.
func (s *scan) takes(g *guard, f *found) bool {
	secret := s.text[f.start:f.end]
	hit := func() bool {
		switch g.target {
		case inMatch:
			return f.from < f.to && g.pat.get().MatchString(s.text[f.from:f.to])
		case inLine:
			return s.lineHit(g, f)
		case inSecret:
		}
		return secret != "" && g.pat.get().MatchString(secret)
	}
	if g.all {
		return (g.path == "" || s.path != "" && g.where.get().MatchString(s.path)) &&
			(g.pattern == "" || hit()) && (g.words == "" || g.names(secret))
	}
	return g.pattern != "" && hit() || g.words != "" && g.names(secret)
}

// A lineVerdict is what a pattern says about the lines from one place to
// another.
type lineVerdict struct {
	from, to int
	hit      bool
}

// lineHit runs the pattern on the lines that the match stands in. Findings in
// the same lines ask once: a line may be long, and they many.
func (s *scan) lineHit(g *guard, f *found) bool {
	from, to := s.line(f.from, f.to)
	if v, ok := s.verdicts[g]; ok && v.from == from && v.to == to {
		return v.hit
	}
	if s.verdicts == nil {
		s.verdicts = map[*guard]lineVerdict{}
	}
	s.looked += to - from
	v := lineVerdict{from, to, from < to && g.pat.get().MatchString(s.text[from:to])}
	s.verdicts[g] = v
	return v.hit
}

// line returns the lines that a part of the text stands in. The next part is
// often in the same one.
func (s *scan) line(from, to int) (int, int) {
	if l := s.lastLine; l.to > 0 && l.from <= from && to <= l.to {
		return l.from, l.to
	}
	start, end := strings.LastIndexByte(s.text[:from], '\n')+1, len(s.text)
	if i := strings.IndexByte(s.text[to:], '\n'); i >= 0 {
		end = to + i
	}
	if !strings.Contains(s.text[start:end], "\n") {
		s.lastLine = interval{start, end}
	}
	return start, end
}

// names reports whether one of the words is in the secret.
func (g *guard) names(secret string) bool {
	g.listing.Do(func() { g.list = newAutomaton(strings.Split(g.words, "\n")) })
	return g.list.any(strings.ToLower(secret))
}

// entropyOf is Shannon's entropy of the characters of s in bits, with their
// frequency taken a byte, as gitleaks has it.
func entropyOf(s string) float64 {
	var ascii [128]int
	var wide map[rune]int
	for _, r := range s {
		if r < 128 {
			ascii[r]++
			continue
		}
		if wide == nil {
			wide = map[rune]int{}
		}
		wide[r]++
	}
	var bits float64
	add := func(n int) {
		if n > 0 {
			share := float64(n) / float64(len(s))
			bits -= share * math.Log2(share)
		}
	}
	for _, n := range ascii {
		add(n)
	}
	for _, n := range wide {
		add(n)
	}
	return bits
}
