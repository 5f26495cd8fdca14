// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// name resolves a name that is used as a value.
func (c *checker) name(id *syntax.Ident, s *scope) *value.Type {
	obj := s.lookup(id.Name)
	if obj != nil {
		c.use(id, obj)
	}
	switch obj := obj.(type) {
	case nil:
		c.unboundName(id, s, isValue)
	case *Var:
		return obj.Type
	case *ParamObj:
		return obj.Type
	case *Local:
		return c.locals[obj]
	case *Binding:
		return c.bindingType(obj, id)
	case *badObj:
	default:
		c.fail("P0213", id.Span(), fmt.Sprintf("%q is %s, not a value", id.Name, describe(obj)), valueHelp(id.Name, obj))
	}
	return value.AnyType
}

// use records what a name stands for.
func (c *checker) use(id *syntax.Ident, obj meaning) {
	switch obj := obj.(type) {
	case *Var:
		c.used[obj] = true
	case *badObj:
		c.bad[id] = true
	}
	if obj, ok := obj.(Object); ok {
		c.prog.Uses[id] = obj
	}
}

// valueHelp says how to use a name that is no value.
func valueHelp(name string, obj meaning) string {
	switch obj := obj.(type) {
	case *FuncObj:
		return "call it: " + name + "(…)"
	case *Predicate:
		return "call it: " + name + "(" + joinParams(obj.Params) + ")"
	case *ModuleObj:
		return "call one of its functions: " + name + ".name(…)"
	case *InputObj:
		return "read one of them: input.name"
	case *typeObj:
		return "declare a variable: (x: " + name + ")"
	case *quantObj:
		return "it begins a block of its own: " + quantForm(name)
	case *violationObj:
		return "raise " + name + "(\"message\", key=value) if:"
	}
	return ""
}

func quantForm(name string) string {
	if name == "count" {
		return "count(min=2):"
	}
	return name + ":"
}

// unboundKey makes every further use of an unbound name in one statement part
// of the first diagnostic.
type unboundKey struct {
	stmt syntax.Stmt
	name string
}

const (
	maxNotes  = 4   // further places that an unbound name is shown at
	maxHelped = 100 // diagnostics before the nearest name is no longer looked for
)

// unboundName reports a name that stands for nothing. want says what would do
// in its place.
func (c *checker) unboundName(id *syntax.Ident, s *scope, want func(meaning) bool) {
	key := unboundKey{c.stmt, id.Name}
	if i, ok := c.unbound[key]; ok {
		d := &c.diags[i]
		if len(d.Notes) < maxNotes {
			d.Notes = append(d.Notes, diag.Note{Span: id.Span(), Text: "used here too"})
		}
		return
	}
	c.unbound[key] = len(c.diags)
	help := ""
	if len(c.diags) < maxHelped {
		help = didYouMean(id.Name, s.visible(want))
	}
	if home := homeOf(id.Name); home != "" {
		help = "import it: from " + home + " import " + id.Name
	}
	value := want(&Var{})
	within := ""
	if value && len(c.diags) < maxHelped {
		within = c.declaredWithin(id.Name)
	}
	if help == "" && value && strings.HasPrefix(id.Name, "in") {
		help = didYouMean(id.Name, []string{"input"})
	}
	if within != "" {
		help = within
	}
	if advice := adviceOnFunction(id.Name); !value && advice != "" {
		help = advice
	}
	switch {
	case help != "":
	case value:
		help = c.declareHelp(id)
	default:
		help = fmt.Sprintf("define it as a predicate, %s(x) := …, or import it", id.Name)
	}
	c.fail("P0201", id.Span(), fmt.Sprintf("%q is not defined", id.Name), help)
}

// declareHelp says where a name of a value could come from.
func (c *checker) declareHelp(id *syntax.Ident) string {
	name := id.Name
	if p, ok := c.stmt.(*syntax.Predicate); ok && len(p.Params) > 0 {
		return fmt.Sprintf("predicate %s sees its own variables and %s", p.Name.Name, joinParams(c.predOf[p].Params))
	}
	if _, ok := c.stmt.(*syntax.Const); ok {
		return "a constant sees other constants and functions"
	}
	typ, at := likelyType(name), id.Span()
	member := at.End < len(at.File.Src) && at.File.Src[at.End] == '.'
	switch {
	case member && typ == nil:
		typ = value.ToolCallType
	case name == strings.ToUpper(name) && len(name) > 1:
		return fmt.Sprintf("define it above the rule: %s := …", name)
	case typ == nil:
		return fmt.Sprintf("declare it: (%s: Type), or write %s for a text", name, quote(name))
	}
	return fmt.Sprintf("declare it: (%s: %s), or another type", name, typ)
}

// likelyType guesses the type of a variable from its name; nil if it tells
// nothing.
func likelyType(name string) *value.Type {
	low := strings.ToLower(name)
	switch {
	case low == "o", strings.Contains(low, "out"), strings.Contains(low, "result"):
		return value.ToolOutputType
	case low == "m", strings.Contains(low, "msg"), strings.Contains(low, "message"):
		return value.MessageType
	case len(name) == 1, strings.Contains(low, "call"), strings.Contains(low, "tool"):
		return value.ToolCallType
	}
	return nil
}
