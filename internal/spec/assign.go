// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// An Assignment gives each variable of a block an element, in the order of
// Block.Vars, and the place of the element among those that the variable ranges
// over. Nil: an optional variable that has no element. An Unknown value: what
// the variable ranges over, or a part of it, is not known.
type Assignment struct {
	Vars []*value.Value
	Draw []int
}

// Key is the identity of the assignment within its block. An element of the
// trace is identified by where it stands; one that was computed by its place in
// what it was drawn from, given the elements before it.
func (a Assignment) Key() (key string) {
	for i, v := range a.Vars {
		switch {
		case v == nil:
			key += "- "
		case value.Placed(v):
			key += fmt.Sprintf("%p ", v)
		default:
			key += fmt.Sprintf("#%d ", a.Draw[i])
		}
	}
	return key
}

// A scope says what one name means; the scope around it says it of others.
type scope struct {
	up   *scope
	name check.Object
	val  val         // of a variable or the target of a comprehension
	arg  syntax.Expr // of a parameter: the argument it stands for
	in   *scope      // and the scope to read it in
}

func (s *scope) find(name check.Object) *scope {
	for s.name != name {
		s = s.up
	}
	return s
}

// assignments yields every assignment of the variables of b that begins with a,
// in lexicographic order. A block without variables has one, which is empty.
func (e *evaluator) assignments(s *scope, b *check.Block, a Assignment, yield func(*scope, Assignment)) {
	i := len(a.Vars)
	switch {
	case i < len(b.Vars):
		for j, v := range e.domain(s, b.Vars[i]) {
			next := Assignment{append(a.Vars[:i:i], v), append(a.Draw[:i:i], j)}
			e.assignments(&scope{up: s, name: b.Vars[i], val: v}, b, next, yield)
		}
	case e.limit == 0:
		e.cut = true
	default:
		e.limit--
		yield(s, a)
	}
}

// domain is what a variable ranges over: the elements of its type in the trace,
// or in what it is drawn from, each once. An Unknown value among them stands for
// any number of elements. An optional variable over nothing has the element nil.
func (e *evaluator) domain(s *scope, v *check.Var) (all []val) {
	seen := map[val]bool{}
	add := func(x val) bool {
		if !seen[x] || !value.Placed(x) {
			all = append(all, x)
		}
		seen[x] = true
		return true
	}
	switch {
	case v.In == nil:
		for _, ev := range e.events {
			trace.Elements(ev, v.Type, add)
		}
	case !e.absent(s, v.In):
		marks := e.env.Marks
		e.env.Marks = nil // finding the elements is no evidence
		found, unknown := value.Search(e.value(s, v.In), v.Type)
		e.env.Marks = marks
		for _, x := range found {
			add(x)
		}
		if unknown != nil {
			add(unknown)
		}
	}
	if len(all) == 0 && v.Optional {
		return []val{nil}
	}
	return all
}

// element is what a variable stands for: nil if it has no element, an Unknown
// value if it is not known.
func (e *evaluator) element(s *scope, v *check.Var) val {
	if x := s.find(v).val; x != nil {
		return x.WithSrc(v.Decl)
	}
	return nil
}

// absent reports whether the condition n is false because it uses an optional
// variable that has no element.
func (e *evaluator) absent(s *scope, n syntax.Node) bool {
	for ; s != nil; s = s.up {
		if v, ok := s.name.(*check.Var); ok && s.val == nil && e.uses(n, v) {
			return true
		}
	}
	return false
}

// uses reports whether n mentions v, through bindings too. An `or` that declares
// v does not count: without an element, only its operand is false.
func (e *evaluator) uses(n syntax.Node, v *check.Var) (found bool) {
	decl := v.Decl.Span()
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TypedVar:
			found = found || e.prog.Vars[n] == v
		case *syntax.Ident:
			b, ok := e.prog.Uses[n].(*check.Binding)
			found = found || e.prog.Uses[n] == check.Object(v) || ok && e.uses(b.Value, v)
		case *syntax.Binary:
			at := n.Span()
			return n.Op != syntax.Or || at.File != decl.File || decl.Start < at.Start || at.End < decl.End
		}
		return true
	})
	return found
}
