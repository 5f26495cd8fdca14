// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"maps"
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Scopes form a chain: the universe, the file, then blocks, predicates'
// parameters and comprehensions. The names of a block are all there before
// any of its lines is looked at, because lines may stand in any order.

// A scope holds the names of one place.
type scope struct {
	up    *scope
	unit  *unit  // the file it belongs to; nil for the universe
	block *Block // the block it belongs to; nil for the others
	names map[string]meaning
	at    map[string]diag.Span // where each name was given
}

func newScope(up *scope, u *unit, b *Block) *scope {
	return &scope{up: up, unit: u, block: b, names: map[string]meaning{}, at: map[string]diag.Span{}}
}

// put enters a name that is known to be free.
func (s *scope) put(name string, at diag.Span, obj meaning) {
	s.names[name] = obj
	s.at[name] = at
}

// lookup returns what a name stands for, nil if nothing.
func (s *scope) lookup(name string) meaning {
	obj, _ := s.find(name)
	return obj
}

// find is lookup; it also returns the scope that holds the name.
func (s *scope) find(name string) (meaning, *scope) {
	for ; s != nil; s = s.up {
		if obj, ok := s.names[name]; ok {
			return obj, s
		}
	}
	return nil, nil
}

// file returns the file that a scope below the universe belongs to.
func (s *scope) file() *unit { return s.unit }

// local is find without the file and the universe: the names that a rule or
// predicate gives itself.
func (s *scope) local(name string) (meaning, *scope) {
	obj, in := s.find(name)
	if in == nil || in.up == nil || in == in.unit.scope {
		return nil, nil
	}
	return obj, in
}

// visible returns every name that can be used in s for which keep holds,
// sorted.
func (s *scope) visible(keep func(meaning) bool) []string {
	all := map[string]bool{}
	for ; s != nil; s = s.up {
		for name, obj := range s.names {
			if keep(obj) {
				all[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// A unit is one policy file under check.
type unit struct {
	location
	edition *edition
	file    *syntax.File
	scope   *scope
	types   map[string]*value.Type // imported, under the name given here
	exports map[string]meaning     // its own constants and predicates
	phase   phase

	declares bool // parameters, and so all that it reads
}

// phase is how far something has been checked; meeting something active again
// is a cycle.
type phase uint8

const (
	untouched phase = iota
	active
	done
)

// A meaning is what a name stands for in a scope: an Object, or a word that is
// none because it never stands for a value. Where such a word may stand it is
// resolved at once, so no Program holds one.
type meaning interface{ meaning() }

type (
	typeObj      struct{ typ *value.Type }
	violationObj struct{ name string } // Violation and its other names
	quantObj     struct{ name string } // count, forall, exists
	badObj       struct{}              // its definition was reported already
)

func (*Var) meaning()       {}
func (*ParamObj) meaning()  {}
func (*Binding) meaning()   {}
func (*Local) meaning()     {}
func (*Predicate) meaning() {}
func (*FuncObj) meaning()   {}
func (*ModuleObj) meaning() {}
func (*InputObj) meaning()  {}

func (*typeObj) meaning()      {}
func (*violationObj) meaning() {}
func (*quantObj) meaning()     {}
func (*badObj) meaning()       {}

// isValue reports whether a name of this kind may be used as a value.
func isValue(obj meaning) bool {
	switch obj.(type) {
	case *Var, *ParamObj, *Binding, *Local:
		return true
	}
	return false
}

// isRaisable reports whether a name of this kind may be called to raise.
func isRaisable(obj meaning) bool {
	_, ok := obj.(*violationObj)
	return ok || isCallable(obj)
}

// isCallable reports whether a name of this kind may be called.
func isCallable(obj meaning) bool {
	switch obj.(type) {
	case *FuncObj, *Predicate:
		return true
	}
	return false
}

// describe says in the author's words what a name stands for.
func describe(obj meaning) string {
	switch obj := obj.(type) {
	case *Var:
		return "a variable"
	case *ParamObj:
		return "a parameter"
	case *Binding:
		if obj.Const {
			return "a constant"
		}
		return "a binding"
	case *Local:
		return "the variable of a comprehension"
	case *Predicate:
		return "a predicate"
	case *FuncObj:
		return "a function"
	case *ModuleObj:
		return "a module"
	case *InputObj:
		return "the policy's parameters"
	case *typeObj:
		return "a type"
	case *violationObj:
		return "a word of raise"
	case *quantObj:
		return "a quantifier"
	}
	return "a name"
}

// universe returns the scope that every file stands in.
func (c *checker) universe() *scope {
	s := newScope(nil, nil, nil)
	for _, t := range value.NamedTypes() {
		s.names[t.Name] = &typeObj{t}
	}
	for _, name := range [...]string{"count", "forall", "exists"} {
		s.names[name] = &quantObj{name}
	}
	for _, name := range [...]string{"Violation", "PolicyViolation"} {
		s.names[name] = &violationObj{name}
	}
	s.names["input"] = &InputObj{}
	for name, f := range builtin.Universe() {
		s.names[name] = c.function(f)
	}
	for name, f := range c.cfg.Funcs {
		s.names[name] = c.function(f)
		c.foreign[f] = true
	}
	return s
}

// function returns the one object of f.
func (c *checker) function(f *builtin.Func) *FuncObj {
	if c.funcs[f] == nil {
		c.funcs[f] = &FuncObj{f}
	}
	return c.funcs[f]
}
