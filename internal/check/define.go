// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Constants, bindings and predicates are checked when something first names
// them, whatever the order of their lines.

// binding is what the checker knows of a Binding.
type binding struct {
	scope *scope // where its expression is read
	name  *syntax.Ident
	stmt  syntax.Stmt // of a constant
	phase phase
	typ   *value.Type
}

// A question is what is asked of a name's expression more than once. Without
// a memory, names that use each other twice would cost time exponential in
// their number.
type question struct {
	ask ask
	of  any // *Binding, *Var, *syntax.ListComp
}

type ask uint8

const (
	askTruths ask = iota // a list of truth values?
	askMade              // computed?
	askParts             // all its parts computed?
)

// recall returns the answer to a question, computing it once. While it is
// being computed the answer is no, which ends variables that are taken from
// themselves.
func (c *checker) recall(a ask, of any, compute func() bool) bool {
	q := question{a, of}
	answer, known := c.answers[q]
	if !known {
		c.answers[q] = false
		answer = compute()
		c.answers[q] = answer
	}
	return answer
}

// checked reports whether the expression of b has been checked.
func (c *checker) checked(b *Binding) bool { return c.binds[b].phase == done }

// predicate is what the checker knows of a Predicate.
type predicate struct {
	unit  *unit
	scope *scope // of its parameters
	phase phase
}

// definitions checks the constants and predicates of a file.
func (c *checker) definitions(u *unit) {
	for _, st := range u.file.Stmts {
		switch st := st.(type) {
		case *syntax.Const:
			c.bindingType(c.consts[st], st.Name)
		case *syntax.Predicate:
			c.body(c.predOf[st], st.Name)
		case *syntax.Import, *syntax.RuleImport, *syntax.FromImport, *syntax.Input, *syntax.Rule, *syntax.BadStmt:
		}
	}
}

// signature resolves the parameters of a predicate, which its callers need
// before its body is looked at.
func (c *checker) signature(u *unit, p *Predicate) {
	s := newScope(u.scope, u, nil)
	c.preds[p].scope = s
	for i, n := range p.Node.Params {
		obj := &ParamObj{Name: n.Name.Name, Type: value.AnyType, Index: i, Pred: p}
		p.Params = append(p.Params, obj)
		if _, taken := s.names[n.Name.Name]; taken {
			c.taken(n.Name, s, obj)
			continue
		}
		s.put(n.Name.Name, n.Name.Span(), obj)
	}
}

// paramTypes resolves the types of parameters once all imports are known.
func (c *checker) paramTypes(p *Predicate, u *unit) {
	for i, n := range p.Node.Params {
		if n.Type != nil {
			p.Params[i].Type = c.typeName(n.Type, u.scope)
		}
	}
}

// body checks the body of a predicate when use first names it.
func (c *checker) body(p *Predicate, use *syntax.Ident) {
	st := c.preds[p]
	switch st.phase {
	case active:
		c.cycle(p, use)
		return
	case done:
		return
	case untouched:
	}
	st.phase = active
	defer c.within(p, p.Node)()
	c.paramTypes(p, st.unit)
	s := c.open(p.Node.Body, st.scope)
	p.Body = s.block
	c.close(s, p.Node.Body, p.Node.Name.Span(), "predicate "+p.Name)
	c.unused(p.Body)
	st.phase = done
}

// bindingType checks the expression of a binding when use first names it.
func (c *checker) bindingType(b *Binding, use *syntax.Ident) *value.Type {
	st := c.binds[b]
	switch st.phase {
	case active:
		c.cycle(b, use)
		return value.AnyType
	case done:
		return st.typ
	case untouched:
	}
	st.phase = active
	st.typ = value.AnyType
	var leave func()
	if b.Const {
		leave = c.within(b, st.stmt)
		c.noVariables(b.Value, "a constant")
	} else {
		c.stack = append(c.stack, b)
		leave = func() { c.stack = c.stack[:len(c.stack)-1] }
	}
	st.typ = c.expr(b.Value, st.scope)
	leave()
	st.phase = done
	return st.typ
}

// within makes obj, a definition of the file, the one under check and returns
// what undoes that.
func (c *checker) within(obj meaning, st syntax.Stmt) func() {
	stmt, depth, vars := c.stmt, c.depth, c.vars
	c.stmt, c.depth, c.vars = st, 0, 0
	c.stack = append(c.stack, obj)
	return func() {
		c.stack = c.stack[:len(c.stack)-1]
		c.stmt, c.depth, c.vars = stmt, depth, vars
	}
}

// cycle reports that obj, which is half checked, is named by its own
// definition.
func (c *checker) cycle(obj meaning, use *syntax.Ident) {
	loop := c.stack[slices.Index(c.stack, obj):]
	var path []string
	recursive := false
	for _, o := range loop {
		path = append(path, objectName(o))
		_, pred := o.(*Predicate)
		recursive = recursive || pred
	}
	path = append(path, objectName(obj))
	code, what, help := "P0211", "is defined by itself", "a name stands for its expression, so the expression cannot use it"
	if recursive {
		code, what, help = "P0212", "calls itself", "predicates cannot be recursive; use a quantifier or a typed variable to look at many elements"
	} else if outer := c.shadowed(obj); outer != nil {
		help = fmt.Sprintf("%q names the binding here, not %s; give the binding another name", use.Name, describe(outer))
	}
	message := quote(path[0]) + " " + what
	if len(loop) > 1 {
		message += ": " + strings.Join(path, " -> ")
	}
	c.fail(code, use.Span(), message, help)
}

// shadowed returns what the name of a binding would stand for without it.
func (c *checker) shadowed(obj meaning) meaning {
	b, ok := obj.(*Binding)
	if !ok {
		return nil
	}
	_, in := c.binds[b].scope.find(b.Name)
	if in == nil || in.up == nil {
		return nil
	}
	return in.up.lookup(b.Name)
}

func objectName(o meaning) string {
	switch o := o.(type) {
	case *Binding:
		return o.Name
	case *Predicate:
		return o.Name
	case *Var:
		return o.Name
	}
	return ""
}

// taken reports that a variable, binding or parameter takes a name that its
// surroundings use already.
func (c *checker) taken(id *syntax.Ident, in *scope, obj meaning) {
	message := quote(id.Name) + " is bound twice"
	help := "give it another name"
	if _, ok := obj.(*Binding); ok {
		help = "a binding is not an assignment: each name stands for one expression; give it another name"
	}
	c.report(diag.Diagnostic{
		Code: "P0210", Span: id.Span(), Message: message, Help: help,
		Notes: []diag.Note{{Span: in.at[id.Name], Text: "the first " + strings.TrimPrefix(strings.TrimPrefix(describe(in.names[id.Name]), "a "), "the ")}},
	})
}

// typeName resolves the name of a type.
func (c *checker) typeName(id *syntax.Ident, s *scope) *value.Type {
	if t := s.unit.types[id.Name]; t != nil {
		return t
	}
	if t := value.TypeNamed(id.Name); t != nil {
		return t
	}
	if _, bad := s.unit.scope.names[id.Name].(*badObj); bad {
		return value.AnyType
	}
	names := slices.Collect(maps.Keys(s.unit.types))
	for _, t := range value.NamedTypes() {
		names = append(names, t.Name)
	}
	help := ""
	switch near, home := adviceOnType(id.Name), typeHome(id.Name); {
	case home != "":
		help = "import it: from " + home + " import " + id.Name
	case near != "":
		help = "did you mean " + quote(near) + "?"
	default:
		help = didYouMean(id.Name, names)
	}
	if help == "" {
		help = "events are Message, ToolCall and ToolOutput; an import can bring record types"
	}
	c.fail("P0202", id.Span(), "unknown type "+quote(id.Name), help)
	return value.AnyType
}

func sortedKeys(m map[string]meaning) []string { return slices.Sorted(maps.Keys(m)) }
