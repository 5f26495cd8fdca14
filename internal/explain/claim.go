// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// maxDepth bounds how deep an expression is put into words: deeper parts are
// quoted.
const maxDepth = 12

// claim says that an expression is true or, with holds false, that it is not.
func (w *writer) claim(x syntax.Expr, holds bool) string {
	if w.depth++; w.depth > maxDepth {
		w.depth--
		return w.plain(x, holds)
	}
	defer func() { w.depth-- }()
	switch x := syntax.Unparen(x).(type) { //nolint:gochecksumtype // the others are quoted
	case *syntax.TypedVar:
		return pick(holds, "there is "+w.one(w.prog.Vars[x]), "there is no "+typeWord(w.prog.Vars[x].Type))
	case *syntax.ConstLit:
		return pick((x.Kind == syntax.TrueConst) == holds, "always", "never")
	case *syntax.Unary:
		if x.Op == syntax.Not {
			return w.claim(x.X, !holds)
		}
	case *syntax.FlowChain:
		return w.flow(x, holds)
	case *syntax.Binary:
		return w.relation(x, holds)
	case *syntax.Call:
		return w.called(x, holds)
	}
	return w.plain(x, holds)
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// plain is for a truth that has no words of its own.
func (w *writer) plain(x syntax.Expr, holds bool) string {
	s := w.noun(x)
	if t := w.prog.Types[syntax.Unparen(x)]; t != nil {
		switch t.Kind {
		case value.Str, value.List, value.Dict:
			return s + pick(holds, " is not empty", " is empty")
		case value.Bool:
			return s + pick(holds, " is true", " is false")
		}
	}
	return s + pick(holds, " counts as true", " counts as false")
}

func (w *writer) flow(x *syntax.FlowChain, holds bool) string {
	var all []string
	for i, op := range x.Ops {
		words := pick(holds || len(x.Ops) > 1, " comes before ", " does not come before ")
		if op == syntax.DirectFlow {
			words = pick(holds || len(x.Ops) > 1, " comes directly before ", " does not come directly before ")
		}
		all = append(all, w.end(x.Xs[i])+words+w.end(x.Xs[i+1]))
	}
	s := enumerate(all, "and")
	if !holds && len(x.Ops) > 1 {
		return "it is not so that " + s
	}
	return s
}

// end is one end of a flow.
func (w *writer) end(x syntax.Expr) string {
	if v, ok := syntax.Unparen(x).(*syntax.TypedVar); ok {
		return "`" + v.Name.Name + "`"
	}
	return w.noun(x)
}

// relations are the words of operators: true, false.
var relations = map[syntax.Op][2]string{
	syntax.Eq: {" equals ", " differs from "}, syntax.Ne: {" differs from ", " equals "},
	syntax.Lt: {" is less than ", " is not less than "}, syntax.Le: {" is at most ", " is not at most "},
	syntax.Gt: {" is more than ", " is not more than "}, syntax.Ge: {" is at least ", " is not at least "},
	syntax.In: {" is in ", " is not in "}, syntax.Is: {" is ", " is not "},
}

func (w *writer) relation(x *syntax.Binary, holds bool) string {
	switch op := x.Op; op {
	case syntax.And, syntax.Or:
		return w.chain(x, op, holds)
	case syntax.NotIn, syntax.IsNot:
		flipped := syntax.In
		if op == syntax.IsNot {
			flipped = syntax.Is
		}
		return w.related(x, flipped, !holds)
	case syntax.ContainsOnly:
		return pick(holds, "every item of ", "not every item of ") + w.noun(x.X) + " is in " + w.noun(x.Y)
	default:
		if _, ok := relations[op]; ok {
			return w.related(x, op, holds)
		}
	}
	return w.plain(x, holds)
}

func (w *writer) related(x *syntax.Binary, op syntax.Op, holds bool) string {
	left, right := syntax.Unparen(x.X), syntax.Unparen(x.Y)
	if p, ok := right.(*syntax.ToolPattern); ok {
		return w.tool(left, p, holds)
	}
	if v, ok := left.(*syntax.TypedVar); ok && op == syntax.In {
		return pick(holds, "there is ", "there is not ") + w.one(w.prog.Vars[v])
	}
	words := relations[op]
	if list, ok := right.(*syntax.ListLit); ok && op == syntax.In && w.prog.Types[left] != value.ListType && len(list.Items) > 0 {
		var all []string
		for _, it := range list.Items {
			all = append(all, w.noun(it))
		}
		s := enumerate(all, "or")
		if len(all) == 1 {
			return w.noun(left) + pick(holds, " equals ", " differs from ") + s
		}
		return w.noun(left) + pick(holds, " is one of ", " is none of ") + s
	}
	return w.noun(left) + pick(holds, words[0], words[1]) + w.noun(right)
}

// chain is several claims joined by one operator.
func (w *writer) chain(x syntax.Expr, op syntax.Op, holds bool) string {
	var all []string
	for _, o := range operands(x, op) {
		s := w.claim(o, true)
		if b, ok := syntax.Unparen(o).(*syntax.Binary); ok && (b.Op == syntax.And || b.Op == syntax.Or) {
			s = "(" + s + ")"
		}
		all = append(all, s)
	}
	s := strings.Join(all, pick(op == syntax.And, " and ", " or "))
	if holds {
		return s
	}
	return "it is not so that (" + s + ")"
}

// tool is `x is tool:…`.
func (w *writer) tool(x syntax.Expr, p *syntax.ToolPattern, holds bool) string {
	s := w.end(x)
	name := "`" + p.Name + "`"
	if p.Args != nil && len(p.Args.Keys) > 0 {
		name += " with " + w.pattern(p.Args)
	}
	switch t := w.prog.Types[x]; {
	case t == value.ToolCallType:
		return s + pick(holds, " calls ", " does not call ") + name
	case t == value.ToolOutputType:
		return s + pick(holds, " is an output of ", " is no output of ") + name
	}
	return s + pick(holds, " is about the tool ", " is not about the tool ") + name
}

// pattern is an argument pattern: `to` matching "…".
func (w *writer) pattern(p *syntax.DictLit) string {
	var all []string
	for i, k := range p.Keys {
		key := w.source(k)
		if lit, ok := syntax.Unparen(k).(*syntax.StringLit); ok {
			key = "`" + lit.Value + "`"
		}
		all = append(all, key+" "+w.wanted(p.Values[i]))
	}
	return enumerate(all, "and")
}

// wanted says what a value of an argument pattern has to be.
func (w *writer) wanted(v syntax.Expr) string {
	switch v := syntax.Unparen(v).(type) { //nolint:gochecksumtype // the others are compared
	case *syntax.Wildcard:
		return "given"
	case *syntax.ValueClass:
		return "of the class <" + v.Name + ">"
	case *syntax.StringLit:
		if plainPattern(v.Value) {
			return "being " + quote(v.Value)
		}
		return "being or matching " + quote(v.Value) + " as a whole"
	case *syntax.DictLit:
		if len(v.Keys) == 0 {
			return "being an object"
		}
		return "with (" + w.pattern(v) + ")"
	case *syntax.ListLit:
		var all []string
		for _, it := range v.Items {
			all = append(all, "one "+w.wanted(it))
		}
		return "being a list of (" + strings.Join(all, ", ") + ")"
	}
	return "being " + w.noun(v)
}

func plainPattern(s string) bool { return !strings.ContainsAny(s, `\.+*?()|[]{}^$`) }

// called is a call where a truth is wanted.
func (w *writer) called(x *syntax.Call, holds bool) string {
	c := w.prog.Calls[x]
	switch {
	case c == nil:
	case c.Pred != nil:
		return w.noun(x) + pick(holds, " holds", " does not hold")
	case c.Method != nil:
		words := map[string][2]string{"startswith": {" begins with ", " does not begin with "}, "endswith": {" ends with ", " does not end with "}}[c.Method.Name]
		if words[0] != "" && len(c.Args) > 0 && c.Args[0] != nil {
			return w.noun(c.Recv) + pick(holds, words[0], words[1]) + w.noun(c.Args[0])
		}
	case c.Func.Kind == builtin.Detector || c.Func.Asks != "":
		return w.detected(x, holds)
	case c.Func.Module == "" || c.Func.Name == "match" || c.Func.Name == "find":
		if s := w.universal(x, holds); s != "" {
			return s
		}
	}
	return w.plain(x, holds)
}

// universal has words for functions that need no import.
func (w *writer) universal(x *syntax.Call, holds bool) string {
	c := w.prog.Calls[x]
	arg := func(i int) string { return w.noun(c.Args[i]) }
	switch name := c.Func.Name; {
	case name == "match" && len(c.Args) >= 2 && c.Args[0] != nil && c.Args[1] != nil:
		return arg(1) + pick(holds, " begins with a match of ", " does not begin with a match of ") + arg(0)
	case name == "find" && len(c.Args) >= 2 && c.Args[0] != nil && c.Args[1] != nil:
		return arg(0) + pick(holds, " matches somewhere in ", " matches nowhere in ") + arg(1)
	case name == "empty" && len(c.Args) == 1:
		return arg(0) + pick(holds, " is empty", " is not empty")
	case (name == "any" || name == "all") && len(c.Args) == 1 && c.Args[0] != nil:
		return w.each(name, c.Args[0], holds)
	}
	return ""
}

// each is any or all of a list.
func (w *writer) each(name string, arg syntax.Expr, holds bool) string {
	not := pick(holds, "", "not ")
	switch x := syntax.Unparen(arg).(type) { //nolint:gochecksumtype // the others are quoted
	case *syntax.ListComp:
		s := pick(name == "any", pick(holds, "for some ", "for no "), not+"for every ") + w.turn(x)
		return s + ", " + w.claim(x.Elt, true)
	case *syntax.ListLit:
		var all []string
		for _, it := range x.Items {
			all = append(all, w.claim(it, true))
		}
		return pick(name == "any", pick(holds, "one of these holds: ", "none of these holds: "), pick(holds, "all of these hold: ", "not all of these hold: ")) + strings.Join(all, "; ")
	case *syntax.Binary:
		if x.Op == syntax.In {
			return pick(name == "any", pick(holds, "some of ", "none of "), pick(holds, "each of ", "not each of ")) + w.noun(x.X) + " is in " + w.noun(x.Y)
		}
	}
	return pick(name == "any", pick(holds, "something in ", "nothing in "), pick(holds, "everything in ", "not everything in ")) + w.noun(arg) + " counts as true"
}

// turn is what a comprehension goes through.
func (w *writer) turn(x *syntax.ListComp) string {
	var names []string
	for _, t := range x.Targets {
		names = append(names, "`"+t.Name+"`")
	}
	s := strings.Join(names, ", ") + " in " + w.noun(x.In)
	for _, c := range x.Ifs {
		s += " for which " + w.claim(c, true)
	}
	return s
}

// detected is the call of a detector where a truth is wanted.
func (w *writer) detected(x *syntax.Call, holds bool) string {
	c := w.prog.Calls[x]
	if len(c.Args) == 0 || c.Args[0] == nil {
		return w.plain(x, holds)
	}
	more := ""
	for i := 1; i < len(c.Args) && i < len(c.Func.Params); i++ {
		if c.Args[i] != nil {
			more += ", " + c.Func.Params[i].Name + " " + w.noun(c.Args[i])
		}
	}
	for _, r := range c.Rest {
		more += ", " + w.noun(r)
	}
	if more != "" {
		more = " (" + strings.TrimPrefix(more, ", ") + ")"
	}
	if c.Func.Result == value.BoolType {
		return "`" + c.Func.Name + "`" + more + pick(holds, " says yes to ", " says no to ") + w.noun(c.Args[0])
	}
	return "`" + c.Func.Name + "`" + more + pick(holds, " finds something in ", " finds nothing in ") + w.noun(c.Args[0])
}
