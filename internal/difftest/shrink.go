// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"errors"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Shrinking tries one small cut after the other and keeps those after which
// the case still fails, until none is left: events, parts of events, lines of
// the policy with what is indented below them, and expressions, which are
// replaced by one of their operands or by a literal. A cut that makes the
// policy or the trace unreadable is no failure, so nothing has to know what is
// allowed where.

// Shrink makes a failing case smaller, as long as it fails.
func Shrink(c *Case) *Case {
	s := &shrinker{best: c.clone()}
	for s.round() {
	}
	return s.best
}

type shrinker struct{ best *Case }

// tries is how many ways of cutting the trace into steps are tried.
const tries = 6

// keep makes c the best case if it still fails.
func (s *shrinker) keep(c *Case) bool {
	for i := range uint64(tries) {
		if i > 0 {
			c.steps = i
		}
		if err := Run(c).Err; err != nil && !errors.Is(err, errTrace) {
			s.best = c
			return true
		}
	}
	return false
}

// round tries every cut once; it reports whether one was kept.
func (s *shrinker) round() bool {
	kept := s.events()
	kept = s.lines() || kept
	kept = s.expressions() || kept
	return s.parts() || kept
}

func (s *shrinker) events() bool {
	kept := false
	for i := len(s.best.events) - 1; i >= 0; i-- {
		c := s.best.clone()
		c.events = slices.Delete(c.events, i, i+1)
		kept = s.keep(c) || kept
	}
	return kept
}

// parts takes the events and parameters apart, from the end, so that what was
// kept does not move what is still to be tried.
func (s *shrinker) parts() bool {
	kept := false
	for i := s.count() - 1; i >= 0; i-- {
		for _, cut := range []func(*node, int) bool{remove, simplify} {
			c := s.best.clone()
			tree := c.tree()
			done := cut(tree, i)
			if c.events = tree.items[1].items; done && s.keep(c) {
				kept = true
				break
			}
		}
	}
	return kept
}

// tree is all JSON of the case.
func (c *Case) tree() *node { return list(c.input, &node{list: true, items: c.events}) }

func (s *shrinker) count() int {
	n := 0
	s.best.tree().visit(func(*node, int) bool {
		n++
		return true
	})
	return n
}

// visit calls f for every item of every node below n, until f returns false.
func (n *node) visit(f func(of *node, i int) bool) bool {
	for i, it := range n.items {
		if !f(n, i) || !it.visit(f) {
			return false
		}
	}
	return true
}

// at calls f for the k-th item.
func (n *node) at(k int, f func(of *node, i int)) {
	n.visit(func(of *node, i int) bool {
		if k == 0 {
			f(of, i)
		}
		k--
		return k >= 0
	})
}

func remove(tree *node, k int) bool {
	done := false
	tree.at(k, func(of *node, i int) {
		if of == tree {
			return
		}
		done = true
		of.items = slices.Delete(of.items, i, i+1)
		if of.isObject() {
			of.keys = slices.Delete(of.keys, i, i+1)
		}
	})
	return done
}

// simplify makes the shortest text of a longer one.
func simplify(tree *node, k int) bool {
	done := false
	tree.at(k, func(of *node, i int) {
		if it := of.items[i]; len(it.scalar) > 3 && it.scalar[0] == '"' {
			of.items[i], done = scalar(`"a"`), true
		}
	})
	return done
}

// lines drops lines with everything that is indented deeper below them.
func (s *shrinker) lines() bool {
	kept := false
	for i := len(strings.Split(s.best.Policy, "\n")) - 1; i >= 0; i-- {
		lines := strings.Split(s.best.Policy, "\n")
		if i >= len(lines) {
			continue
		}
		end := i + 1
		for end < len(lines) && depth(lines[end]) > depth(lines[i]) {
			end++
		}
		c := s.best.clone()
		c.Policy = strings.Join(slices.Delete(lines, i, end), "\n")
		kept = s.keep(c) || kept
	}
	return kept
}

func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// expressions replaces expressions by shorter ones.
func (s *shrinker) expressions() bool {
	kept := false
	for again := true; again; {
		again = false
		for _, x := range s.exprs() {
			if s.replace(x) {
				kept, again = true, true
				break
			}
		}
	}
	return kept
}

func (s *shrinker) exprs() (all []syntax.Expr) {
	file, _ := syntax.Parse(diag.NewFile("policy", []byte(s.best.Policy)))
	syntax.Walk(file, func(n syntax.Node) bool {
		if x, ok := n.(syntax.Expr); ok {
			all = append(all, x)
		}
		return true
	})
	return all
}

// replace puts an operand of x, or a literal, in its place.
func (s *shrinker) replace(x syntax.Expr) bool {
	short := []string{"1", `"a"`, "[]", "True", "False"}
	syntax.Walk(x, func(n syntax.Node) bool {
		if e, ok := n.(syntax.Expr); ok && n != syntax.Node(x) {
			short = append(short, e.Span().Text())
			return false
		}
		return true
	})
	at := x.Span()
	for _, text := range short {
		if len(text) >= at.End-at.Start {
			continue
		}
		c := s.best.clone()
		c.Policy = c.Policy[:at.Start] + text + c.Policy[at.End:]
		if s.keep(c) {
			return true
		}
	}
	return false
}
