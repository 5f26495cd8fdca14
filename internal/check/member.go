// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A fieldUse is a member of a known type, whose field number may be used once
// it is sure that the value has that type, see settle.
type fieldUse struct {
	at    *syntax.Member
	field int
}

// member checks `x.name`: a policy parameter, a field of a known type, or a
// key to look up at run time.
func (c *checker) member(e *syntax.Member, s *scope) *value.Type {
	if id, ok := syntax.Unparen(e.X).(*syntax.Ident); ok {
		if obj, ok := s.lookup(id.Name).(*InputObj); ok {
			c.use(id, obj)
			return c.input(e, s)
		}
	}
	if path, ok := c.moduleOf(e.X, s); ok {
		c.moduleValue(e, path)
		return value.AnyType
	}
	t := c.expr(e.X, s)
	m := &Member{Field: -1}
	c.prog.Members[e] = m
	c.notCalled(e, t)
	return c.field(e, t)
}

// notCalled warns of a method of texts that is written without its parentheses,
// which reads a key of that name.
func (c *checker) notCalled(e *syntax.Member, t *value.Type) {
	name := e.Name.Name
	content, ok := bare(e.X).(*syntax.Member)
	if t != value.StrType && !(ok && content.Name.Name == "content") || !contains("lower upper strip split splitlines startswith endswith", name) {
		return
	}
	c.warn("P0229", e.Name.Span(), fmt.Sprintf("this is the key %q, not the method", name), "call the method: ."+name+"()")
}

// moduleOf returns the module that e names, if it does.
func (c *checker) moduleOf(e syntax.Expr, s *scope) (string, bool) {
	switch e := bare(e).(type) {
	case *syntax.Ident:
		if m, ok := s.lookup(e.Name).(*ModuleObj); ok {
			c.use(e, m)
			return m.Path, true
		}
	case *syntax.Member:
		if path, ok := c.moduleOf(e.X, s); ok {
			if path += "." + e.Name.Name; moduleExists(path) {
				return path, true
			}
		}
	}
	return "", false
}

// moduleValue reports a member of a module that is used as a value: modules
// hold functions and types, which are none.
func (c *checker) moduleValue(e *syntax.Member, path string) {
	obj := c.moduleName(path, e.Name.Name)
	if obj == nil {
		c.unknownImport(path, e.Name)
		return
	}
	c.fail("P0213", e.Span(), fmt.Sprintf("%q is %s, not a value", path+"."+e.Name.Name, describe(obj)), valueHelp(path+"."+e.Name.Name, obj))
}

// field checks a member of a value of type t.
func (c *checker) field(e *syntax.Member, t *value.Type) *value.Type {
	name := e.Name.Name
	switch {
	case t == value.EventType:
		return c.eventField(e)
	case t == value.ListType || noMembers(t):
		c.fail("P0203", e.Name.Span(), fmt.Sprintf("type %s has no field %q", t, name), noFieldsHelp(t))
		return value.AnyType
	case t.Fields == nil:
		if t == value.NoneType {
			return value.NoneType
		}
		return value.AnyType
	}
	i := t.Field(name)
	if i < 0 {
		c.fail("P0203", e.Name.Span(), fmt.Sprintf("type %s has no field %q", t, name), fieldHelp(t, name))
		return value.AnyType
	}
	c.fields = append(c.fields, fieldUse{e, i})
	return t.Fields[i].Type
}

func noFieldsHelp(t *value.Type) string {
	if t == value.ListType {
		return "take an element, [0], or range over the elements: (x: dict) in …"
	}
	return "it has no members at all"
}

func fieldHelp(t *value.Type, name string) string {
	var names []string
	for _, f := range t.Fields {
		names = append(names, f.Name)
	}
	if help := adviceOnField(t, name); help != "" {
		return help
	}
	if help := didYouMean(name, names); help != "" {
		return help
	}
	if t == value.ToolCallType || t == value.FunctionType {
		return fmt.Sprintf("arguments of the call are read as .arguments.%s", name)
	}
	return "it has " + strings.Join(names, ", ")
}

// eventField checks a member of an Event, which has those of every kind of
// event; which ones a value has shows at run time.
func (c *checker) eventField(e *syntax.Member) *value.Type {
	var typ *value.Type
	var names []string
	for _, t := range [...]*value.Type{value.MessageType, value.ToolCallType, value.ToolOutputType} {
		for _, f := range t.Fields {
			names = append(names, f.Name)
		}
		i := t.Field(e.Name.Name)
		switch {
		case i < 0:
		case typ == nil:
			typ = t.Fields[i].Type
		case typ != t.Fields[i].Type:
			typ = value.AnyType
		}
	}
	if typ == nil {
		slices.Sort(names)
		names = slices.Compact(names)
		help := didYouMean(e.Name.Name, names)
		if help == "" {
			help = "an event has " + strings.Join(names, ", ")
		}
		c.fail("P0203", e.Name.Span(), fmt.Sprintf("type Event has no field %q", e.Name.Name), help)
		return value.AnyType
	}
	return typ
}
