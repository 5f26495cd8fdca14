// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import "fmt"

// Some ways of keeping a rule up to date are for rules of one form only, which
// chance would seldom make.

// shaped makes the body of a rule of such a form, with conditions of any kind
// on its variables.
func (g *gen) shaped(s *scope) []string {
	switch g.weighted(40, 42, 18) {
	case 0:
		return g.openCount(s)
	case 1:
		return g.sameKey(s)
	}
	return g.textInText(s)
}

// openCount asks for a number of later elements, with the same key or not.
func (g *gen) openCount(s *scope) []string {
	a, lines := g.variable(s, pick(g, []string{"ToolCall", "ToolCall", "ToolCall", "ToolOutput", "Message", "Event", "Tool"}))
	lines = append(lines, g.maybe(s, a)...)
	in := &scope{up: s}
	b, decl := g.variable(in, pick(g, []string{"ToolCall", "ToolCall", "ToolCall", "ToolOutput", "Message", "Event"}))
	lines = append(lines, pick(g, []string{"exists:", "count(min=1):", "count(min=2):", "count(min=3):"}))
	body := []string{a.text + " -> " + decl[0]}
	if g.chance(40) {
		body = append(body, g.str(&scope{names: []name{b}}, 0)+" == "+g.str(&scope{names: []name{a}}, 0))
	}
	for _, l := range append(body, g.maybe(in, b)...) {
		lines = append(lines, "    "+l)
	}
	g.weight = max(g.weight, 50)
	return lines
}

// sameKey orders calls that have the same key.
func (g *gen) sameKey(s *scope) []string {
	path := pick(g, []string{".arguments.to", ".arguments.to", ".arguments.path", ".arguments.n", ".arguments.n", ".arguments.n", ".arguments.ok", ".arguments.ok", ".name", ".arguments.tags"})
	var lines []string
	var calls []name
	for i := range 2 + g.weighted(70, 30) {
		c, decl := g.variable(s, "ToolCall")
		calls = append(calls, c)
		lines = append(append(lines, decl...), g.maybe(s, c)...)
		if i > 0 {
			lines = append(lines, fmt.Sprintf("%s%s == %s%s", calls[i-1].text, path, c.text, path))
			switch g.weighted(50, 20, 30) {
			case 0:
				lines = append(lines, calls[i-1].text+" -> "+c.text)
			case 1:
				lines = append(lines, fmt.Sprintf("not %s -> %s", calls[i-1].text, c.text))
			}
		}
	}
	g.weight = max(g.weight, 500)
	return lines
}

// twins are two rules that draw elements of different types from one place.
func (g *gen) twins(top *scope) string {
	from := pick(g, []string{"arguments", "arguments", "function", "arguments.opt"})
	types := g.Perm(5)
	out := ""
	for _, i := range types[:2] {
		s := &scope{up: top}
		c, lines := g.variable(s, "ToolCall")
		v := name{text: g.fresh("x"), variable: true, placed: true}
		typ := []string{"str", "int", "bool", "list", "dict"}[i]
		v.kind = kindOf(typ)
		s.add(v)
		lines = append(lines, fmt.Sprintf("(%s: %s) in %s.%s", v.text, typ, c.text, from))
		out += "\nwarn \"found\" if:\n" + indent(append(lines, g.maybe(s, v)...))
	}
	return out
}

// textInText looks for the text of one element in that of another.
func (g *gen) textInText(s *scope) []string {
	a, lines := g.variable(s, pick(g, []string{"ToolOutput", "Message", "ToolCall", "str"}))
	b, more := g.variable(s, pick(g, []string{"ToolCall", "ToolOutput", "Message"}))
	lines = append(lines, more...)
	if g.chance(60) {
		lines = append(lines, a.text+" -> "+b.text)
	}
	lines = append(lines, g.str(&scope{names: []name{a}}, 0)+" in "+g.str(&scope{names: []name{b}}, 0))
	g.weight = max(g.weight, 200)
	return append(append(lines, g.maybe(s, a)...), g.maybe(s, b)...)
}

// variable declares one over the trace.
func (g *gen) variable(s *scope, typ string) (name, []string) {
	v := name{text: g.fresh("x"), kind: kindOf(typ), variable: true, placed: true}
	s.add(v)
	return v, []string{"(" + v.text + ": " + typ + ")"}
}

// maybe is a condition on v, or none.
func (g *gen) maybe(s *scope, v name) []string {
	switch g.weighted(60, 30, 10) {
	case 1:
		return []string{g.truth(&scope{names: []name{v}}, 1)}
	case 2:
		return []string{g.truth(s, 1)}
	}
	return nil
}
