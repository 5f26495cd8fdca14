// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"fmt"
	"strings"
)

// A predicate is one that the policy defines.
type predicate struct {
	name   string
	params []kind
}

// libSource is the file that some policies import from.
const libSource = `# Whom the rules are about.
input people: list[str] = ["bob"]
input least: float = 1

WHO := ["bob", "a"]
sends(c: ToolCall) := c is tool:send

# id: to-people
raise "to people" if:
    (o: ToolOutput) -> (c: ToolCall)
    c.arguments.to in input.people
    any([p in o.content for p in input.people])

warn "at least" if:
    (c: ToolCall)
    (n: int) in c.arguments
    n >= input.least
    exists:
        (d: ToolCall) -> c
        sends(d)
`

// policy makes a policy of one to three rules.
func (g *gen) policy() string {
	top := &scope{}
	var b strings.Builder
	b.WriteString("import json\n")
	if g.chance(8) {
		b.WriteString(pick(g, []string{"from invariant import Message, any as some\n", "from invariant.detectors import pii as personal, secrets\n"}))
	}
	if g.lib = g.chance(6); g.lib {
		b.WriteString("from ./lib import sends, WHO as NAMES\n")
		top.add(name{text: "NAMES", kind: listKind})
	}
	for range g.weighted(95, 4, 1) {
		b.WriteString(g.ruleImport())
	}
	if g.chance(15) {
		b.WriteString(g.declarations())
	}
	for range g.weighted(70, 25, 5) {
		b.WriteString(g.constant(top))
	}
	for range g.weighted(68, 26, 6) {
		b.WriteString(g.predicate(top))
	}
	for range g.weighted(0, 72, 22, 6) {
		b.WriteString("\n" + g.rule(top))
	}
	if g.chance(3) {
		b.WriteString(g.twins(top))
	}
	return b.String()
}

// ruleImport brings the rules of the file that policies import from, with values
// for its parameters or without.
func (g *gen) ruleImport() string {
	var args []string
	if g.chance(60) {
		args = append(args, "people="+g.literals())
	}
	if g.chance(40) {
		args = append(args, "least="+pick(g, []string{"0", "2", "-1", "1.5", "1 + 1"}))
	}
	bound := ""
	if len(args) > 0 || g.chance(30) {
		bound = "(" + strings.Join(args, ", ") + ")"
	}
	return `import "./lib"` + bound + pick(g, []string{"", "", " as other"}) + "\n"
}

// declarations declares all parameters that rules read, with defaults, so that
// a monitor starts without any.
func (g *gen) declarations() string {
	return "input who: str = " + g.literal() + "\ninput limit: float = " + pick(g, []string{"2", "0", "1.5", "-1"}) +
		"\ninput flag: bool = " + pick(g, []string{"True", "False"}) + "\ninput none: dict = {to: 1}\n"
}

func (g *gen) constant(s *scope) string {
	n := strings.ToUpper(g.fresh("k"))
	k, x := strKind, g.literal()
	switch g.weighted(40, 30, 20, 10) {
	case 1:
		k, x = listKind, g.literals()
	case 2:
		k, x = numKind, pick(g, []string{"1", "2", "0", "2.5"})
	case 3:
		k, x = dictKind, `{"k": "a", to: "bob", n: 1}`
	}
	s.add(name{text: n, kind: k})
	return n + " := " + x + "\n"
}

// predicate has up to two parameters, some of them typed, and may have
// variables of its own.
func (g *gen) predicate(top *scope) string {
	p := predicate{name: g.fresh("p")}
	s := &scope{up: top}
	var params []string
	for range g.weighted(10, 65, 25) {
		k := pick(g, []kind{"ToolCall", "ToolCall", "ToolCall", "ToolOutput", "Message", strKind, numKind})
		n := g.fresh("a")
		p.params = append(p.params, k)
		s.add(name{text: n, kind: k, placed: k != strKind && k != numKind})
		if (k != strKind && k != numKind) && g.chance(75) {
			n += ": " + string(k)
		}
		params = append(params, n)
	}
	head := p.name + "(" + strings.Join(params, ", ") + ") :="
	weight := g.weight
	lines := g.block(s, blockShape{vars: g.weighted(50, 42, 8), conds: 1 + g.weighted(60, 30, 10), nested: true})
	g.weight = max(weight, 4*g.weight)
	g.preds = append(g.preds, p)
	if len(lines) == 1 && !strings.Contains(lines[0], ":=") && !strings.HasSuffix(lines[0], ":") {
		return head + " " + lines[0] + "\n"
	}
	return head + "\n" + indent(lines)
}

func indent(lines []string) string { return "    " + strings.Join(lines, "\n    ") + "\n" }

func (g *gen) rule(top *scope) string {
	s := &scope{up: top}
	shape := blockShape{vars: g.weighted(4, 44, 38, 14), conds: g.weighted(30, 40, 22, 8)}
	var lines []string
	if g.chance(12) {
		lines = g.shaped(s)
	} else {
		lines = g.block(s, shape)
	}
	if g.chance(25) {
		g.Shuffle(len(lines), func(i, j int) {
			if !nested(lines[i]) && !nested(lines[j]) { // a header keeps its body
				lines[i], lines[j] = lines[j], lines[i]
			}
		})
	}
	verb := pick(g, []string{"raise", "raise", "raise", "ask", "warn"})
	out := ""
	if g.chance(20) {
		out = "# id: " + g.fresh("rule-") + "\n"
	}
	return out + verb + " " + g.message(s) + " if:\n" + indent(lines)
}

// nested reports whether a line belongs to a quantifier.
func nested(line string) bool { return line[0] == ' ' || strings.HasSuffix(line, ":") }

func (g *gen) message(s *scope) string {
	switch g.weighted(50, 20, 18, 6, 6) {
	case 1:
		return g.fstring(s)
	case 2:
		return `PolicyViolation("v", ` + g.anything(s, 0) + ", k=" + g.anything(s, 1) + ")"
	case 3:
		return `"a " + ` + "str(" + g.anything(s, 0) + ")"
	case 4:
		return `"a {}".format(` + g.anything(s, 0) + ")"
	}
	return `"found"`
}

// A blockShape says what goes into a block.
type blockShape struct {
	vars, conds int
	nested      bool   // a quantifier's or predicate's
	forall      bool   // a forall's, which minds what is not known more than others
	depth       int    // of quantifiers around it
	outer       []name // variables of the block around it that flows may tie to
}

// block makes the lines of a block and enters its names into s.
func (g *gen) block(s *scope, shape blockShape) []string {
	var lines []string
	weight := 1
	for range shape.vars {
		line, size := g.declare(s, shape)
		lines = append(lines, line)
		weight *= size
	}
	if len(lines) > 0 && g.chance(18) {
		lines = append(lines, g.binding(s))
	}
	conds := 0
	for range shape.conds {
		if shape.depth < 2 && g.chance(20) {
			w := g.weight
			g.weight = 0
			lines = append(lines, g.quantifier(s, shape.depth)...)
			weight, g.weight = max(weight, weight*g.weight), w
		} else {
			lines = append(lines, g.truth(s, 2))
		}
		conds++
	}
	if shape.vars+conds == 0 {
		lines = append(lines, g.quantifier(s, shape.depth)...)
	}
	g.weight = max(g.weight, weight)
	return lines
}

func (g *gen) binding(s *scope) string {
	n := g.fresh("b")
	k := pick(g, []kind{strKind, numKind, listKind, dictKind, boolKind})
	x := ""
	switch k {
	case strKind:
		x = g.str(s, 1)
	case numKind:
		x = g.num(s, 1)
	case listKind:
		x = g.list(s, 1)
	case dictKind:
		x = g.dict(s, 1)
	default:
		x = g.truth(s, 1)
	}
	s.add(name{text: n, kind: k})
	return n + " := " + x
}

// rangeTypes are the types a variable over the trace may have, as often as
// they stand here.
var rangeTypes = strings.Fields(strings.Repeat("ToolCall ", 30) + strings.Repeat("ToolOutput ", 14) + strings.Repeat("Message ", 8) +
	"UserMessage UserMessage AgentMessage AgentMessage SystemMessage SystemMessage Event Event Event TextChunk TextChunk TextChunk " +
	"str str str str str int int int float float bool bool list list dict dict File File Image Image " +
	"Tool Tool Tool ToolParameter ToolParameter ToolParameter Function Function")

// sizes is about how many elements of a type a trace of twelve events has.
var sizes = map[string]int{"str": 20, "dict": 7, "Event": 12, "ToolCall": 7, "ToolOutput": 4, "Message": 7, "Function": 7, "TextChunk": 5, "int": 5}

// declare makes a line that declares a variable, and enters it.
func (g *gen) declare(s *scope, shape blockShape) (line string, size int) {
	v := name{text: g.fresh("x"), variable: true, placed: true}
	if g.chance(24) || shape.forall && g.chance(40) {
		if line, ok := g.derived(s, &v); ok {
			if g.chance(10) {
				line = g.optional(s, line)
			}
			s.add(v)
			return line, 3
		}
	}
	typ := pick(g, rangeTypes)
	v.kind = kindOf(typ)
	decl := "(" + v.text + ": " + typ + ")"
	line = decl
	before := s.placed()
	alone := &scope{names: []name{v}}
	switch {
	case !shape.nested && g.chance(9) || shape.nested && g.chance(3):
		line = g.optional(s, g.mention(alone, decl, v.text))
	case shape.nested && len(shape.outer) > 0 && g.chance(66):
		line = g.anchor(decl, g.place(pick(g, shape.outer)))
	case len(before) > 0 && g.chance(50):
		line = g.anchor(decl, pick(g, before).text)
	case g.chance(30):
		line = g.mention(alone, decl, v.text)
	}
	s.add(v)
	if n := sizes[typ]; n > 0 {
		return line, n
	}
	return line, 4
}

// mention is a condition on the variable that declares it too.
func (g *gen) mention(alone *scope, decl, text string) string {
	for range 3 {
		x := g.truth(alone, 0)
		if !strings.Contains(x, " for ") && !strings.Contains(x, "any(") && !strings.Contains(x, "all(") &&
			!strings.Contains(x, "not ") && !strings.Contains(x, `f"`) && strings.Contains(x, text) {
			return strings.Replace(x, text, decl, 1)
		}
	}
	return decl
}

// optional puts a declaring condition under an `or`.
func (g *gen) optional(s *scope, line string) string {
	other := g.truth(s, 1)
	if g.chance(30) {
		line = "(" + line + " and " + g.truth(s, 0) + ")"
	}
	if g.chance(50) {
		return "(" + line + ") or " + other
	}
	return other + " or (" + line + ")"
}

// anchor orders a new variable and one that is there: mostly before it.
func (g *gen) anchor(decl, other string) string {
	switch g.weighted(46, 26, 10, 6, 6, 6) {
	case 0:
		return decl + " -> " + other
	case 1:
		return other + " -> " + decl
	case 2:
		return decl + " ~> " + other
	case 3:
		return other + " ~> " + decl
	case 4:
		return fmt.Sprintf("(%s -> %s)", decl, other)
	}
	return decl + " -> " + other + " and True"
}

// place is a name or, now and then, something that it leads to.
func (g *gen) place(n name) string {
	if more := places[n.kind]; more != "" && g.chance(12) {
		return fmt.Sprintf(more, n.text)
	}
	return n.text
}

var places = map[kind]string{
	"ToolOutput": "%s.tool", "ToolCall": "%s.function", "Message": "%s.tool_calls[0]", "Event": "%s.metadata", dictKind: "%s.opt",
}

// derived makes a membership, false if there is nothing to draw from.
func (g *gen) derived(s *scope, v *name) (string, bool) {
	var typ, from string
	if len(s.placed()) == 0 || g.chance(25) {
		typ, from, v.placed = g.computed(s)
	} else {
		typ, from = g.within(s)
		v.placed = !strings.ContainsAny(strings.TrimSuffix(from, ".values()"), `("[{`)
	}
	v.kind = kindOf(typ)
	return "(" + v.text + ": " + typ + ") in " + from, true
}

// computed draws from what stands nowhere.
func (g *gen) computed(s *scope) (typ, from string, placed bool) {
	switch g.weighted(30, 20, 20, 12, 10, 8) {
	case 0:
		return "str", g.literals(), false
	case 1:
		return "str", atom(g.str(s, 0)) + `.split(",")`, false
	case 2:
		return "str", atom(g.str(s, 0)) + ".splitlines()", false
	case 3:
		return "int", "[1, 2, 3]", false
	case 4:
		return pick(g, []string{"str", "int"}), "json_loads(" + g.str(s, 0) + ")", false
	}
	return "str", "find(" + g.pattern() + ", " + g.str(s, 0) + ")", false
}

// within draws from elements of the trace.
func (g *gen) within(s *scope) (typ, from string) {
	if n, ok := g.of(s, "Message"); ok && g.chance(30) {
		return pick(g, []string{"ToolCall", "ToolCall", "Function"}), n.text + ".tool_calls"
	}
	if n, ok := g.of(s, "Message", "ToolOutput"); ok && g.chance(30) {
		return pick(g, []string{"TextChunk", "str", "Image"}), n.text + pick(g, []string{".content", ".content", ""})
	}
	if n, ok := g.of(s, "Tool"); ok && g.chance(50) {
		return pick(g, []string{"ToolParameter", "str"}), n.text + pick(g, []string{"", ".inputSchema"})
	}
	switch g.weighted(55, 30, 15) {
	case 0:
		return pick(g, []string{"str", "str", "int", "dict", "list", "bool", "float"}), g.dict(s, 0)
	case 1:
		return pick(g, []string{"str", "str", "int", "dict"}), g.list(s, 0)
	}
	return "str", g.str(s, 0)
}

// quantifier makes a block in the scope s.
func (g *gen) quantifier(s *scope, depth int) []string {
	head := ""
	switch g.weighted(30, 22, 16, 8, 24) {
	case 0:
		head = "exists:"
	case 1:
		head = "forall:"
	case 2:
		head = fmt.Sprintf("count(min=%d):", 1+g.IntN(3))
	case 3:
		least := g.IntN(3)
		head = fmt.Sprintf("count(min=%d, max=%d):", least, least+g.IntN(2))
	case 4:
		head = fmt.Sprintf("count(max=%d):", g.IntN(3))
	}
	if g.chance(30) {
		head = "not " + head
	}
	in := &scope{up: s}
	body := g.block(in, blockShape{
		vars: g.weighted(6, 74, 20), conds: g.weighted(40, 44, 16), nested: true, forall: head == "forall:" || head == "not forall:",
		depth: depth + 1, outer: s.placed(),
	})
	if len(body) == 0 {
		body = []string{g.truth(in, 1)}
	}
	out := []string{head}
	for _, l := range body {
		out = append(out, "    "+l)
	}
	return out
}

// input makes the parameters of the policy; some are not given.
func (g *gen) input() *node {
	o := object()
	if g.chance(70) {
		o.with("who", text(g.word()))
	}
	if g.chance(70) {
		o.with("limit", scalar(g.number()))
	}
	if g.chance(50) {
		o.with("flag", scalar(pick(g, []string{"true", "false"})))
	}
	return o
}
