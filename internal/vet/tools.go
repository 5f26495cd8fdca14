// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/regex"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// tools compares a policy with the tools that the agent has: names, arguments
// and values that do not exist there, and tools that no rule names.
func (v *vetting) tools() {
	if v.opts.Tools == nil {
		return
	}
	w := &toolWalk{vetting: v, reader: v.reader, tools: v.opts.Tools, mentioned: map[string]bool{}}
	for _, f := range v.prog.Files {
		syntax.Walk(f, w.node)
	}
	for _, b := range v.bodies() {
		w.arguments(b)
	}
	for _, name := range w.tools.names {
		if !w.mentioned[name] {
			v.report("P0523", w.tools.byKey[name].at, fmt.Sprintf("no rule names the tool %q", name), "write a rule for it, or suppress this by --ignore P0523 if rules over all calls are enough")
		}
	}
}

type toolWalk struct {
	*vetting
	*reader
	tools     *Tools
	mentioned map[string]bool
}

func (w *toolWalk) node(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.ToolPattern:
		w.name(n.Name, n.NameAt)
		if one := w.tools.get(n.Name); one != nil && n.Args != nil {
			w.pattern(one, one.arguments, n.Args, one.closed)
		}
	case *syntax.Binary:
		w.compared(n)
	case *syntax.Call:
		w.matched(n)
	}
	return true
}

// name notes a tool that is named, and reports one that does not exist.
func (w *toolWalk) name(name string, at diag.Span) {
	if one := w.tools.get(name); one != nil {
		w.mentioned[one.name] = true
		return
	}
	help := ""
	if near := diag.Nearest(name, w.tools.names); near != "" {
		help = fmt.Sprintf("did you mean %q?", near)
	}
	w.report("P0520", at, fmt.Sprintf("there is no tool %q", name), help)
}

// compared looks at `call.name == "x"` and `call.name in ["x", "y"]`.
func (w *toolWalk) compared(n *syntax.Binary) {
	switch n.Op {
	case syntax.Eq, syntax.Ne:
		if w.isName(n.X) {
			w.literal(n.Y)
		}
		if w.isName(n.Y) {
			w.literal(n.X)
		}
	case syntax.In, syntax.NotIn:
		if !w.isName(n.X) {
			return
		}
		list, _ := w.resolve(n.Y, nil)
		if items, ok := itemsOf(list); ok {
			for _, it := range items {
				w.literal(it)
			}
		}
	}
}

func (w *toolWalk) literal(e syntax.Expr) {
	x, _ := w.resolve(e, nil)
	if lit, ok := x.(*syntax.StringLit); ok {
		w.name(lit.Value, lit.Span())
	}
}

// isName reports whether an expression is the name of a call.
func (w *toolWalk) isName(e syntax.Expr) bool {
	m, ok := syntax.Unparen(e).(*syntax.Member)
	if !ok || m.Name.Name != "name" {
		return false
	}
	if f, ok := syntax.Unparen(m.X).(*syntax.Member); ok && f.Name.Name == "function" {
		m = f
	}
	t := w.typeOf(syntax.Unparen(m.X))
	return t == value.ToolCallType || t == value.FunctionType
}

// matched looks at patterns that names of tools are compared with.
func (w *toolWalk) matched(n *syntax.Call) {
	c := w.vetting.prog.Calls[n]
	if c == nil {
		return
	}
	var takes func(string) bool
	switch {
	case c.Func != nil && (c.Func == builtin.Universe()["match"] || c.Func == builtin.Universe()["find"]) && len(c.Args) > 1 && w.isName(c.Args[1]):
		p, ok := w.constant(c.Args[0], nil)
		re, err := regex.Compile(p.text)
		if !ok || err != nil {
			return
		}
		src := re.Source(false)
		set, err := automata.Compile(src.Body, automata.Options{Anywhere: c.Func.Name == "find", ASCII: src.ASCII})
		if err != nil {
			return
		}
		takes = set.Has
	case c.Method != nil && c.Recv != nil && w.isName(c.Recv) && len(c.Args) > 0:
		p, ok := w.constant(c.Args[0], nil)
		if !ok || p.kind != isText {
			return
		}
		switch c.Method.Name {
		case "startswith":
			takes = func(s string) bool { return strings.HasPrefix(s, p.text) }
		case "endswith":
			takes = func(s string) bool { return strings.HasSuffix(s, p.text) }
		}
	}
	if takes == nil {
		return
	}
	for _, name := range w.tools.names {
		if takes(name) {
			w.mentioned[name] = true
		}
	}
}

// pattern compares an argument pattern with a schema.
func (w *toolWalk) pattern(one *tool, known map[string]*property, p *syntax.DictLit, closed bool) {
	for i, k := range p.Keys {
		key, ok := w.constant(k, nil)
		if !ok || known == nil {
			continue
		}
		prop, there := known[key.text]
		if !there {
			if closed {
				w.noArgument(one, key.text, k.Span())
			}
			continue
		}
		switch x := syntax.Node(syntax.Unparen(p.Values[i])).(type) {
		case *syntax.DictLit:
			if prop != nil {
				w.pattern(one, prop.Properties, x, false)
			}
		case syntax.Expr:
			if c, ok := w.constant(x, nil); ok {
				w.value(one, key.text, prop, c, x.Span(), true)
			}
		}
	}
}

func (w *toolWalk) noArgument(one *tool, name string, at diag.Span) {
	help := ""
	if names := one.argumentNames(); len(names) > 0 {
		help = "it has " + strings.Join(names, ", ")
		if near := diag.Nearest(name, names); near != "" {
			help = fmt.Sprintf("did you mean %q?", near)
		}
	}
	w.report("P0521", at, fmt.Sprintf("the tool %q has no argument %q", one.name, name), help)
}

// value reports a literal that an argument can never be. In an argument
// pattern a text is a pattern, too.
func (w *toolWalk) value(one *tool, name string, prop *property, c literal, at diag.Span, pattern bool) {
	ok, want := prop.takes(c)
	if ok || pattern && c.kind == isText && w.matchesEnum(prop, c.text) {
		return
	}
	w.report("P0522", at, fmt.Sprintf("the argument %q of %q is never %s", name, one.name, c.key()), "its schema wants "+want)
}

// matchesEnum reports whether a pattern takes one of the values of a text
// argument.
func (w *toolWalk) matchesEnum(prop *property, p string) bool {
	re, err := regex.Compile(p)
	if err != nil {
		return true
	}
	if len(prop.Enum) == 0 {
		return slices.Contains(typesOf(prop.Type), "string")
	}
	return slices.ContainsFunc(prop.Enum, func(e any) bool {
		s, ok := e.(string)
		return ok && re.MatchWhole(s)
	})
}

// arguments compares what the conditions of a block read of calls with the
// schemas of the tools that the block names for them.
func (w *toolWalk) arguments(b *check.Block) {
	names := map[*check.Var]element{}
	for i, el := range namesOf(b.Vars) {
		names[b.Vars[i]] = el
	}
	s := &scope{vars: names}
	w.weak, w.size = nil, 0
	body := w.block(b.Conds, s)
	solver := w.solver
	for _, c := range b.Conds {
		x, ok := c.(*syntax.ExprCond)
		if !ok {
			continue
		}
		syntax.Walk(x.X, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Member:
				if a, ok := w.argumentRead(n, s); ok {
					w.argument(solver, body, a, nil, false)
				}
			case *syntax.Binary:
				w.argumentCompared(solver, body, n, s)
			}
			return true
		})
	}
}

// argumentCompared looks at `call.arguments.x == "value"` and membership in a
// list that is written out.
func (w *toolWalk) argumentCompared(solver *solver, body *node, n *syntax.Binary, s *scope) {
	m, ok := syntax.Unparen(n.X).(*syntax.Member)
	if !ok {
		return
	}
	a, ok := w.argumentRead(m, s)
	if !ok {
		return
	}
	switch n.Op {
	case syntax.Eq, syntax.Ne:
		if c, ok := w.constant(n.Y, s); ok {
			w.argument(solver, body, a, []literal{c}, true)
		}
	case syntax.In, syntax.NotIn:
		if list, ok := w.literals(n.Y, s); ok {
			w.argument(solver, body, a, list, true)
		}
	}
}

// argument judges one argument against all tools that the call can be of if
// the block is to hold. It is wrong if it is with each of them.
func (w *toolWalk) argument(solver *solver, body *node, a argumentRead, values []literal, compared bool) {
	can := w.canBe(solver, body, a)
	if len(can) == 0 || len(can) == len(w.tools.names) {
		return
	}
	name := a.key()
	has := slices.DeleteFunc(slices.Clone(can), func(one *tool) bool {
		_, there := one.arguments[name]
		return !there && one.arguments != nil && one.closed
	})
	if len(has) == 0 {
		if !compared {
			w.noArgument(can[0], name, a.at.Name.Span())
		}
		return
	}
	for _, c := range values {
		if !slices.ContainsFunc(has, func(one *tool) bool { ok, _ := one.arguments[name].takes(c); return ok }) {
			w.value(has[0], name, has[0].arguments[name], c, a.at.Span(), false)
		}
	}
}

// canBe returns the tools that a call can be of if a block is to hold; none if
// it can be of tools that are not known.
func (w *toolWalk) canBe(s *solver, body *node, a argumentRead) []*tool {
	t := w.termAt(a.root, under(a.call, "name"))
	var names []goal
	body.atoms(func(at *atom) {
		if at.term == t && at.text != nil {
			names = append(names, goal{leaf(at), isFalse | isUnknown})
		}
	})
	if len(names) == 0 || s.possible(nil, append(names, goal{body, isTrue})...).answer != automata.No {
		return nil
	}
	var out []*tool
	for _, name := range w.tools.names {
		if s.possible(nil, goal{w.named(a.root, a.call, name), isTrue}, goal{body, isTrue}).answer != automata.No {
			out = append(out, w.tools.byKey[name])
		}
	}
	return out
}
