// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"fmt"
	"math/rand/v2"
)

// A gen makes one case. Everything it does follows from its source, so a case
// is known by its seed and number.
type gen struct {
	*rand.Rand
	calls  int // ids given to calls of the trace
	names  int // names given to variables, bindings and predicates
	preds  []predicate
	weight int // about how many assignments the heaviest rule has, for short traces
	lib    bool
}

func newGen(seed, number uint64) *gen { return &gen{Rand: rand.New(rand.NewPCG(seed, number))} }

// chance is true n times in a hundred.
func (g *gen) chance(n int) bool { return g.IntN(100) < n }

// weighted picks an index, each as often as its weight says.
func (g *gen) weighted(weights ...int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := g.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	return len(weights) - 1
}

func pick[T any](g *gen, of []T) T { return of[g.IntN(len(of))] }

// fresh makes a name that nothing else has.
func (g *gen) fresh(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// A kind says what a name or expression is good for: the name of an element
// type, or one of these.
type kind string

const (
	strKind  kind = "str"
	numKind  kind = "num"
	boolKind kind = "bool"
	listKind kind = "list"
	dictKind kind = "dict"
	anyKind  kind = "any"
)

// kindOf tells what a variable of a type is good for.
func kindOf(typ string) kind {
	switch typ {
	case "int", "float":
		return numKind
	case "File", "dict":
		return dictKind
	case "UserMessage", "AgentMessage", "SystemMessage":
		return "Message"
	}
	return kind(typ)
}

// A name is something that an expression can mention.
type name struct {
	text     string
	kind     kind
	variable bool
	placed   bool // stands in the trace, so that a flow may hold it
}

// A scope is the names of a block and those around it.
type scope struct {
	up    *scope
	names []name
}

func (s *scope) add(n name) { s.names = append(s.names, n) }

// all returns the names that fit.
func (s *scope) all(fits func(name) bool) (out []name) {
	for ; s != nil; s = s.up {
		for _, n := range s.names {
			if fits(n) {
				out = append(out, n)
			}
		}
	}
	return out
}

func (s *scope) variables() []name { return s.all(func(n name) bool { return n.variable }) }

func (s *scope) placed() []name { return s.all(func(n name) bool { return n.placed }) }

// of picks a name of a kind, false if there is none.
func (g *gen) of(s *scope, kinds ...kind) (name, bool) {
	all := s.all(func(n name) bool {
		for _, k := range kinds {
			if n.kind == k {
				return true
			}
		}
		return false
	})
	if len(all) == 0 {
		return name{}, false
	}
	return pick(g, all), true
}
