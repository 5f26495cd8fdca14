// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"fmt"
	"strings"
)

// truth is an expression that is a condition. With no depth left it has no
// logic in it.
func (g *gen) truth(s *scope, depth int) string {
	if depth > 0 && g.chance(34) {
		return g.logic(s, depth)
	}
	if g.chance(22) {
		if x, ok := g.relation(s); ok {
			return x
		}
	}
	switch g.weighted(22, 20, 14, 10, 8, 7, 6, 4, 3, 6, 3) {
	case 0:
		if n, ok := g.of(s, "ToolCall", "ToolOutput", "Event"); ok {
			return n.text + pick(g, []string{" is ", " is ", " is ", " is not "}) + g.toolPattern()
		}
		return g.str(s, depth) + " == " + g.literal()
	case 1:
		return g.equality(s, depth)
	case 2:
		return g.containment(s, depth)
	case 3:
		return fmt.Sprintf("%s %s %s", g.num(s, depth), pick(g, []string{"<", "<=", ">", ">=", "==", "!="}), g.num(s, depth))
	case 4:
		return "match(" + g.pattern() + ", " + g.str(s, depth) + ")"
	case 5:
		return atom(g.str(s, depth)) + pick(g, []string{".startswith(", ".endswith("}) + quoted(pick(g, []string{"a", "s", "", "b"})) + ")"
	case 6:
		return g.anything(s, depth) + pick(g, []string{" is None", " is not None", " == None", " is True"})
	case 7:
		return g.list(s, depth) + " contains_only " + g.literals()
	case 8:
		return pick(g, []string{"is_pii(", "is_secret(", "print(", "empty(", "bool(", "any(", "all("}) + g.list(s, depth) + ")"
	case 9:
		return g.anyAll(s, depth)
	}
	switch g.weighted(4, 3, 3, 2) {
	case 0:
		return atom(g.str(s, depth)) // its truth, as in Python
	case 1:
		return "find(" + g.pattern() + ", " + g.str(s, depth) + ")"
	case 2:
		return pick(g, []string{"True", "False", "true", "input.flag"})
	}
	return g.num(s, depth)
}

func (g *gen) logic(s *scope, depth int) string {
	x, y := g.truth(s, depth-1), g.truth(s, depth-1)
	switch g.weighted(30, 28, 24, 12, 6) {
	case 0:
		return "(" + x + " and " + y + ")"
	case 1:
		return "(" + x + " or " + y + ")"
	case 2:
		return "(not " + x + ")"
	case 4: // what is found is evidence or not, depending on what is around it
		return fmt.Sprintf("(not (%s in %s and %s))", g.literal(), g.str(s, 0), x)
	}
	return fmt.Sprintf("(%s if %s else %s)", x, g.truth(s, 0), y)
}

func (g *gen) equality(s *scope, depth int) string {
	x := g.str(s, depth)
	switch g.weighted(40, 20, 15, 10, 15) {
	case 0:
		return x + pick(g, []string{" == ", " == ", " != "}) + g.literal()
	case 1:
		return x + " == " + g.str(s, depth)
	case 2:
		return g.num(s, 0) + " == " + g.anything(s, 0)
	case 3:
		return g.anything(s, 0) + " != " + g.anything(s, 0)
	}
	return x + pick(g, []string{" in ", " not in "}) + g.literals()
}

func (g *gen) containment(s *scope, depth int) string {
	op := pick(g, []string{" in ", " in ", " not in "})
	switch g.weighted(40, 25, 15, 20) {
	case 0:
		return g.literal() + op + g.str(s, depth)
	case 1:
		return quoted(pick(g, argKeys)) + op + g.dict(s, 0)
	case 2:
		return g.str(s, 0) + op + g.str(s, depth)
	}
	return g.str(s, 0) + op + g.list(s, depth)
}

func (g *gen) anyAll(s *scope, depth int) string {
	f := pick(g, []string{"any", "all"})
	switch g.weighted(50, 25, 25) {
	case 0:
		return f + "(" + g.comprehension(s, depth-1, func(s *scope) string { return g.truth(s, 0) }) + ")"
	case 1:
		return f + "([" + g.truth(s, 0) + ", " + g.truth(s, 0) + "])"
	}
	return f + "(" + g.literals() + pick(g, []string{" in ", " not in "}) + g.sized(s, depth-1) + ")"
}

// relation joins two names, mostly variables, false if there are not enough.
func (g *gen) relation(s *scope) (string, bool) {
	if g.chance(25) {
		if x, ok := g.predicateCall(s); ok {
			return x, true
		}
	}
	placed := s.placed()
	if len(placed) < 2 {
		return "", false
	}
	a, b := pick(g, placed), pick(g, placed)
	switch g.weighted(28, 12, 10, 6, 4, 40) {
	case 0:
		return a.text + " -> " + b.text, true
	case 1:
		return a.text + " ~> " + b.text, true
	case 2:
		return "not " + a.text + " -> " + b.text, true
	case 3:
		return strings.Join([]string{a.text, b.text, pick(g, placed).text}, pick(g, []string{" -> ", " ~> "})), true
	case 4:
		return "may_precede(" + a.text + ", " + b.text + ")", true
	}
	return g.join(a, b), true
}

// join compares parts of two names.
func (g *gen) join(a, b name) string {
	sa, sb := &scope{names: []name{a}}, &scope{names: []name{b}}
	switch g.weighted(40, 18, 18, 8, 8, 8) {
	case 0:
		path := pick(g, []string{".arguments.to", ".arguments.path", ".name", ".arguments.n", ".arguments.tags", ".arguments", ".id"})
		if a.kind == "ToolCall" && b.kind == "ToolCall" {
			return a.text + path + " == " + b.text + path
		}
		return g.str(sa, 0) + " == " + g.str(sb, 0)
	case 1:
		return g.str(sa, 0) + " == " + g.str(sb, 0)
	case 2:
		return g.str(sa, 0) + " in " + g.str(sb, 0)
	case 3:
		return g.str(sa, 0) + " in " + g.list(sb, 0)
	case 4:
		return g.num(sa, 0) + pick(g, []string{" < ", " >= ", " == "}) + g.num(sb, 0)
	}
	return g.str(sa, 0) + " != " + g.str(sb, 0)
}

// predicateCall calls a predicate whose parameters can be served.
func (g *gen) predicateCall(s *scope) (string, bool) {
	if g.lib && g.chance(40) {
		if n, ok := g.of(s, "ToolCall"); ok {
			return "sends(" + n.text + ")", true
		}
	}
	if len(g.preds) == 0 {
		return "", false
	}
	p := pick(g, g.preds)
	var args []string
	for _, k := range p.params {
		switch k {
		case strKind:
			args = append(args, g.str(s, 0))
		case numKind:
			args = append(args, g.num(s, 0))
		default:
			n, ok := g.of(s, k)
			if !ok {
				return "", false
			}
			args = append(args, n.text)
		}
	}
	return p.name + "(" + strings.Join(args, ", ") + ")", true
}
