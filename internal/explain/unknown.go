// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// doubts lists what can make a rule unknown, in the order of its text. Budgets
// of the evaluation are the same for all rules and are left out.
func doubts(prog *check.Program, plan *compile.Rule) []*Doubt {
	d := &doubting{w: &writer{prog: prog}, prog: prog, open: openCalls(prog, plan)}
	d.params = map[*check.ParamObj][]syntax.Expr{}
	reach(prog, plan.Check.Body.Conds, func(n syntax.Node) {
		if c, ok := n.(*syntax.Call); ok && prog.Calls[c].Pred != nil {
			for i, p := range prog.Calls[c].Pred.Params {
				d.params[p] = append(d.params[p], prog.Calls[c].Args[i])
			}
		}
	})
	reach(prog, plan.Check.Body.Conds, func(n syntax.Node) { d.node(n) })
	slices.SortStableFunc(d.out, func(a, b *Doubt) int { return a.Line - b.Line })
	return d.out
}

// reach visits what a block's conditions are made of, and the predicates and
// bindings that they name, each once. Names of functions are passed by.
func reach(prog *check.Program, conds []syntax.Cond, visit func(syntax.Node)) {
	seen := map[any]bool{}
	var walk func(n syntax.Node)
	each := func(conds []syntax.Cond) {
		for _, c := range conds {
			walk(c)
		}
	}
	walk = func(n syntax.Node) {
		syntax.Walk(n, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.BindCond:
				return false // where it is used
			case *syntax.Ident:
				if b, ok := prog.Uses[n].(*check.Binding); ok && !seen[b] {
					seen[b] = true
					walk(b.Value)
				}
			case *syntax.Call:
				c := prog.Calls[n]
				if c == nil {
					return false
				}
				visit(n)
				if c.Recv != nil {
					walk(c.Recv)
				}
				for _, a := range n.Args {
					walk(a.Value)
				}
				if c.Pred != nil && !seen[c.Pred] {
					seen[c.Pred] = true
					each(c.Pred.Node.Body)
				}
				return false
			}
			visit(n)
			return true
		})
	}
	each(conds)
}

// openCalls are the variables for calls of which no condition says what their
// tool is.
func openCalls(prog *check.Program, plan *compile.Rule) map[string]bool {
	open := map[string]bool{}
	for _, g := range plan.Block.Groups {
		if v := plan.Block.Vars[g.Base].Check; g.Type == value.ToolCallType && g.Tools == nil {
			open[v.Name] = true
		}
	}
	reach(prog, plan.Check.Body.Conds, func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.Member:
			if n.Name.Name == "name" || n.Name.Name == "tool" {
				clear(open)
			}
		case *syntax.ToolPattern:
			clear(open)
		}
	})
	return open
}

type doubting struct {
	w    *writer
	prog *check.Program
	open map[string]bool
	out  []*Doubt

	params map[*check.ParamObj][]syntax.Expr // what the rule gives for them
}

func (d *doubting) add(n syntax.Node, reason value.Reason, text string) {
	if !slices.ContainsFunc(d.out, func(x *Doubt) bool { return x.Text == text }) {
		d.out = append(d.out, &Doubt{Reason: string(reason), Text: text, Line: lineOf(n)})
	}
}

func (d *doubting) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Member:
		d.member(n)
	case *syntax.Index:
		d.add(n, value.Missing, d.w.noun(n)+" is not there")
	case *syntax.Binary:
		d.binary(n)
	case *syntax.Call:
		d.call(n)
	case *syntax.ToolPattern:
		d.pattern(n)
	case *syntax.Unary:
		if n.Op != syntax.Not && !d.numeric(n.X) {
			d.add(n, value.TypeError, d.w.noun(n.X)+" is no number")
		}
	case *syntax.Slice:
		if t := d.typeOf(n.X, 0); t != value.StrType && t != value.ListType {
			d.add(n, value.TypeError, d.w.noun(n.X)+" is no text or list")
		}
	}
}

// pattern doubts the arguments of a tool pattern.
func (d *doubting) pattern(n *syntax.ToolPattern) {
	if n.Args == nil {
		return
	}
	d.add(n, value.BadArguments, "the arguments of a call of `"+n.Name+"` are no JSON object")
	var walk func(key string, v syntax.Expr)
	walk = func(key string, v syntax.Expr) {
		switch v := syntax.Unparen(v).(type) { //nolint:gochecksumtype // the others are compared by value
		case *syntax.StringLit:
			d.add(v, value.TypeError, "the argument `"+key+"` is a list or an object")
		case *syntax.ValueClass:
			if name := builtin.ClassDetector(v.Name); name != "" {
				d.detector(v, name)
			}
		case *syntax.ListLit:
			for _, it := range v.Items {
				walk(key, it)
			}
		case *syntax.DictLit:
			for i, k := range v.Keys {
				if lit, ok := syntax.Unparen(k).(*syntax.StringLit); ok {
					walk(key+"."+lit.Value, v.Values[i])
				}
			}
		}
	}
	for i, k := range n.Args.Keys {
		if lit, ok := syntax.Unparen(k).(*syntax.StringLit); ok {
			walk(lit.Value, n.Args.Values[i])
		}
	}
}

func (d *doubting) detector(n syntax.Node, name string) {
	d.add(n, value.Failed, "the detector `"+name+"` is not there, fails or takes too long")
}

// container doubts that something can be looked for in something.
func (d *doubting) container(n *syntax.Binary) {
	t := d.typeOf(n.Y, 0)
	_, drawn := syntax.Unparen(n.X).(*syntax.TypedVar)
	switch {
	case t == nil:
		d.add(n, value.TypeError, d.w.noun(n.Y)+" is nothing that can be looked into")
	case t == value.StrType && !drawn && d.typeOf(n.X, 0) == nil:
		d.add(n, value.TypeError, d.w.noun(n.X)+" is no text")
	}
}

func (d *doubting) member(n *syntax.Member) {
	m := d.prog.Members[n]
	t := d.typeOf(n.X, 0)
	known := m != nil && m.Field >= 0 || t != nil && t.Field(n.Name.Name) >= 0
	switch {
	case m != nil && m.Input != nil:
		if !m.Input.Declared {
			d.add(n, value.NoParameter, "the parameter `"+m.Input.Name+"` is not given")
		}
	case t == value.ToolOutputType && (n.Name.Name == "tool" || n.Name.Name == "server"):
		d.add(n, value.NoLink, "it is not known which call "+d.w.noun(n.X)+" answers")
	case known:
		if t == value.ToolCallType && n.Name.Name == "arguments" {
			d.add(n, value.BadArguments, d.w.noun(n)+" are no JSON object")
		}
	default:
		text := d.w.noun(n) + " is missing"
		if v := d.callOf(n); d.open[v] {
			text += ", as it may be for calls of other tools: no line asks for the tool of `" + v + "`"
		}
		d.add(n, value.Missing, text)
	}
}

// callOf is the variable of which a member is an argument, "" if it is none.
func (d *doubting) callOf(n *syntax.Member) string {
	x, ok := syntax.Unparen(n.X).(*syntax.Member)
	if !ok || x.Name.Name != "arguments" {
		return ""
	}
	of := syntax.Unparen(x.X)
	if f, ok := of.(*syntax.Member); ok && f.Name.Name == "function" {
		of = syntax.Unparen(f.X)
	}
	if id, ok := of.(*syntax.Ident); ok {
		return id.Name
	}
	return ""
}

// typeOf is the type of an expression, of a predicate's parameter that of what
// the rule gives for it; nil if that is not one type.
func (d *doubting) typeOf(x syntax.Expr, depth int) *value.Type {
	x = syntax.Unparen(x)
	if id, ok := x.(*syntax.Ident); ok && depth < maxDepth {
		switch o := d.prog.Uses[id].(type) { //nolint:gochecksumtype // the others have their types
		case *check.Binding:
			return d.typeOf(o.Value, depth+1)
		case *check.ParamObj:
			var t *value.Type
			for _, a := range d.params[o] {
				given := d.typeOf(a, depth+1)
				if given == nil || t != nil && given != t {
					return nil
				}
				t = given
			}
			return t
		}
	}
	if d.texts(x, depth+1) {
		return value.StrType
	}
	if t := d.prog.Types[x]; t != value.AnyType {
		return t
	}
	return nil
}

// texts reports whether an expression is a text, or None, whatever the trace.
func (d *doubting) texts(x syntax.Expr, depth int) bool {
	x = syntax.Unparen(x)
	if d.prog.Types[x] == value.StrType {
		return true
	}
	if depth > maxDepth {
		return false
	}
	switch x := x.(type) { //nolint:gochecksumtype // of the others nothing is known
	case *syntax.Member:
		m := d.prog.Members[x]
		t := d.typeOf(x.X, depth+1)
		if t == nil || m != nil && m.Input != nil {
			return false
		}
		i := t.Field(x.Name.Name)
		return i >= 0 && (x.Name.Name == "content" || t.Fields[i].Type == value.StrType)
	case *syntax.Index:
		return d.list(x.X, depth+1)
	case *syntax.Call:
		c := d.prog.Calls[x]
		return c != nil && c.Method != nil && c.Method.Result == value.StrType
	case *syntax.Ident:
		switch o := d.prog.Uses[x].(type) { //nolint:gochecksumtype // the others have their types
		case *check.Binding:
			return d.texts(o.Value, depth+1)
		case *check.Local:
			return len(o.Comp.Targets) == 1 && d.list(o.Comp.In, depth+1)
		case *check.ParamObj:
			return d.given(o, func(a syntax.Expr) bool { return d.texts(a, depth+1) })
		}
	}
	return false
}

// given reports whether all that the rule gives for a parameter is so.
func (d *doubting) given(p *check.ParamObj, is func(syntax.Expr) bool) bool {
	for _, a := range d.params[p] {
		if a == nil || !is(a) {
			return false
		}
	}
	return len(d.params[p]) > 0
}

// list reports whether the items of an expression are texts.
func (d *doubting) list(x syntax.Expr, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch x := syntax.Unparen(x).(type) { //nolint:gochecksumtype // of the others nothing is known
	case *syntax.ListLit:
		for _, it := range x.Items {
			if !d.texts(it, depth+1) {
				return false
			}
		}
		return true
	case *syntax.Member:
		m := d.prog.Members[x]
		return m != nil && m.Input != nil && m.Input.Elem == value.StrType
	case *syntax.Call:
		c := d.prog.Calls[x]
		if c != nil && c.Method != nil {
			return slices.Contains([]string{"keys", "split", "splitlines"}, c.Method.Name)
		}
		return c != nil && c.Func != nil && (c.Func.Name == "find" || c.Func.Name == "links")
	case *syntax.Ident:
		switch o := d.prog.Uses[x].(type) { //nolint:gochecksumtype // the others are no lists
		case *check.Binding:
			return d.list(o.Value, depth+1)
		case *check.ParamObj:
			return d.given(o, func(a syntax.Expr) bool { return d.list(a, depth+1) })
		}
	}
	return false
}

func (d *doubting) numeric(x syntax.Expr) bool {
	t := d.typeOf(x, 0)
	return t == value.IntType || t == value.FloatType
}

func (d *doubting) binary(n *syntax.Binary) {
	switch n.Op {
	case syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge:
		for _, x := range []syntax.Expr{n.X, n.Y} {
			if !d.numeric(x) {
				other := n.X
				if x == n.X {
					other = n.Y
				}
				d.add(n, value.Ordering, d.w.noun(x)+" has no order with "+d.w.noun(other))
				return
			}
		}
	case syntax.Div, syntax.FloorDiv, syntax.Mod:
		d.add(n, value.Arithmetic, d.w.source(n)+" has no result: a divisor is zero, or something is no number")
	case syntax.In, syntax.NotIn, syntax.ContainsOnly:
		d.container(n)
	case syntax.Add:
		if t := d.typeOf(n.X, 0); t == nil || t != d.typeOf(n.Y, 0) && !(d.numeric(n.X) && d.numeric(n.Y)) {
			d.add(n, value.TypeError, d.w.source(n)+" has no result: the two are not of one kind")
		}
	case syntax.Sub, syntax.Mul, syntax.Pow:
		if !d.numeric(n.X) || !d.numeric(n.Y) {
			d.add(n, value.TypeError, d.w.source(n)+" has no result: something is no number")
		}
	case syntax.Is, syntax.IsNot:
		p, ok := syntax.Unparen(n.Y).(*syntax.ToolPattern)
		if !ok {
			return
		}
		if t := d.prog.Types[syntax.Unparen(n.X)]; t == value.ToolOutputType {
			d.add(n, value.NoLink, "it is not known which call "+d.w.end(n.X)+" answers")
		}
		if m := d.prog.Patterns[p]; m != nil && m.Server != "" {
			d.add(n, value.NoServer, "the server of "+d.w.end(n.X)+" is not known")
		}
	}
}

func (d *doubting) call(n *syntax.Call) {
	c := d.prog.Calls[n]
	switch {
	case c.Method != nil:
		if d.typeOf(c.Recv, 0) != c.Method.Recv {
			d.add(n, value.TypeError, d.w.noun(c.Recv)+" is no "+typeWord(c.Method.Recv))
		}
	case c.Func == nil:
	case c.Func.Kind == builtin.Detector || c.Func.Asks != "":
		name := c.Func.Asks
		if name == "" {
			name = c.Func.Name
		}
		d.detector(n, name)
	case c.Func.Kind == builtin.Effect:
		d.add(n, value.Failed, "the function `"+c.Func.Name+"` fails")
	case strings.HasSuffix(c.Func.Name, "loads") && len(c.Args) > 0 && c.Args[0] != nil:
		d.add(n, value.BadText, d.w.noun(c.Args[0])+" is no JSON")
	default:
		for i, a := range c.Args {
			if a == nil || i >= len(c.Func.Params) {
				continue
			}
			want := c.Func.Params[i].Type
			if text := (c.Func.Name == "match" || c.Func.Name == "find") && i == 1; text {
				want = value.StrType
			}
			if want != nil && want != value.AnyType && d.typeOf(a, 0) == nil {
				d.add(n, value.TypeError, d.w.noun(a)+" is no "+typeWord(want))
			}
		}
	}
}
