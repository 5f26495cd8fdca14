// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A variable has the type it is declared with, because it ranges over
// elements of that type. A parameter has it only if every caller sees to it.
// Fields are read by number where the type is sure, by name elsewhere: settle
// finds out which parameters are sure, which can only be told when every call
// has been seen.

// A pass is an argument given to a predicate's parameter.
type pass struct {
	param *ParamObj
	arg   syntax.Expr
}

func (c *checker) settle() {
	loose := map[*ParamObj]bool{}
	for changed := true; changed; {
		changed = false
		sure := &certainty{c: c, loose: loose, binds: map[*Binding]bool{}}
		for _, p := range c.passes {
			if !loose[p.param] && !(sure.of(p.arg) && fit(c.prog.Types[p.arg], p.param.Type) == always) {
				loose[p.param], changed = true, true
			}
		}
	}
	sure := &certainty{c: c, loose: loose, binds: map[*Binding]bool{}}
	for _, f := range c.fields {
		if sure.of(f.at.X) {
			c.prog.Members[f.at].Field = f.field
		}
	}
}

// certainty tells for which expressions the static type is the type of every
// value.
type certainty struct {
	c     *checker
	loose map[*ParamObj]bool
	binds map[*Binding]bool
}

func (s *certainty) of(e syntax.Expr) bool {
	switch e := bare(e).(type) {
	case *syntax.TypedVar:
		return true
	case *syntax.Ident:
		return s.name(e)
	case *syntax.Member:
		// The fields that hold elements are made with them; all others may
		// be whatever the input says.
		return isElement(s.c.prog.Types[e]) && s.of(e.X)
	case *syntax.Call:
		call := s.c.prog.Calls[e]
		return call.Func != nil && !s.c.foreign[call.Func] && hasFields(call.Func.Result)
	}
	return false
}

func (s *certainty) name(id *syntax.Ident) bool {
	switch obj := s.c.prog.Uses[id].(type) {
	case *Var:
		return true
	case *ParamObj:
		return !s.loose[obj]
	case *Binding:
		sure, ok := s.binds[obj]
		if !ok {
			sure = s.of(obj.Value)
			s.binds[obj] = sure
		}
		return sure
	case *Local, *Predicate, *FuncObj, *ModuleObj, *InputObj:
	}
	return false
}

func hasFields(t *value.Type) bool { return t != nil && t.Fields != nil }
