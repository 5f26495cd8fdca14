// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"fmt"
	"strconv"
	"strings"
)

// Expressions are made as text of a wanted kind, so that the parser and the
// checker are part of what is tested. Each member leads to that kind more often
// than not; what is missing or of another kind makes unknowns.

var strMembers = map[kind][]string{
	"ToolCall": {
		".name", ".function.name", ".arguments.to", ".arguments.to", ".arguments.path", ".function.arguments.to", `.arguments["to"]`,
		`.arguments.get("to", "a")`, `.arguments.get("path")`, ".id", ".arguments.opt.k", ".server", ".arguments.tags[0]", ".type", ".arguments.zzz",
	},
	"ToolOutput":    {".content", ".content", ".content", ".tool.name", ".tool.arguments.to", ".tool_call_id", ".role", ".server"},
	"Message":       {".content", ".content", ".content", ".role", ".metadata.k"},
	"Event":         {".content", ".role", ".name"},
	"TextChunk":     {".text", ".type"},
	"Image":         {".image_url.url", ".type"},
	"Tool":          {".name", ".description"},
	"ToolParameter": {".name", ".description", ".type", ".items.type"},
	"Function":      {".name", ".arguments.to"},
	listKind:        {"[0]", "[-1]", "[1]"},
	dictKind:        {".k", ".to", `["path"]`, `.get("k")`, `.get("to", "b")`},
}

var numMembers = map[kind][]string{
	"ToolCall":   {".arguments.n", ".arguments.n", `.arguments["n"]`, `.arguments.get("n", 1)`, ".arguments.opt.n", ".timestamp"},
	"ToolOutput": {".tool.arguments.n", ".timestamp"},
	"Event":      {".timestamp"},
	"Message":    {".timestamp"},
	"Function":   {".arguments.n"},
	listKind:     {"[0]"},
	dictKind:     {".n", `.get("n")`, `.get("n", 2)`},
}

var listMembers = map[kind][]string{
	"ToolCall":      {".arguments.tags", ".arguments.tags", `.arguments.get("tags", [])`, ".arguments.opt.l", ".arguments.keys()"},
	"ToolOutput":    {".tool.arguments.tags"},
	"Message":       {".tool_calls"},
	"ToolParameter": {".enum"},
	"Function":      {".arguments.tags"},
	dictKind:        {".tags", ".l", ".values()", ".keys()", ".items()"},
}

var dictMembers = map[kind][]string{
	"ToolCall":   {".arguments", ".arguments", ".function.arguments", ".arguments.opt", ".metadata"},
	"ToolOutput": {".tool.arguments", ".metadata"},
	"Event":      {".metadata"},
	"Message":    {".metadata"},
	"Tool":       {".inputSchema", ".inputSchema.properties"},
	"Function":   {".arguments"},
	dictKind:     {".opt"},
}

// member reads something of the wanted kind from a name, false if no name has
// it.
func (g *gen) member(s *scope, want kind, members map[kind][]string) (string, bool) {
	all := s.all(func(n name) bool { return n.kind == want || n.kind == anyKind || members[n.kind] != nil })
	if len(all) == 0 {
		return "", false
	}
	n := pick(g, all)
	if n.kind == want || n.kind == anyKind {
		return n.text, true
	}
	return n.text + pick(g, members[n.kind]), true
}

func quoted(s string) string { return strconv.Quote(s) }

func (g *gen) literal() string { return quoted(g.word()) }

// str is an expression that is a text as a rule.
func (g *gen) str(s *scope, depth int) string {
	if m, ok := g.member(s, strKind, strMembers); ok && (depth <= 0 || g.chance(72)) {
		return m
	}
	if depth <= 0 || g.chance(35) {
		if g.chance(12) {
			return "input." + pick(g, []string{"who", "none", "limit"})
		}
		return g.literal()
	}
	x := g.str(s, depth-1)
	switch g.weighted(10, 10, 8, 8, 8, 8, 8, 8, 6, 6, 8, 4, 4) {
	case 0:
		return atom(x) + pick(g, []string{".lower()", ".upper()", ".strip()", ".strip(\"a\")"})
	case 1:
		return atom(x) + `.replace("a", ` + g.literal() + ")"
	case 2:
		return quoted(pick(g, []string{",", " ", ""})) + ".join(" + g.list(s, depth-1) + ")"
	case 3:
		return `"<{}>".format(` + g.anything(s, depth-1) + ")"
	case 4:
		return atom(x) + pick(g, []string{"[0]", "[1:]", "[:2]", "[-1]", "[0:1]"})
	case 5:
		return "(" + x + " + " + g.str(s, depth-1) + ")"
	case 6:
		return "str(" + g.anything(s, depth-1) + ")"
	case 7:
		return g.fstring(s)
	case 8:
		return fmt.Sprintf("(%s if %s else %s)", x, g.truth(s, depth-1), g.str(s, depth-1))
	case 9:
		return "(" + g.literal() + " * " + strconv.Itoa(g.IntN(3)) + ")"
	case 10:
		return atom(x)
	case 11:
		return "json.dumps(" + g.anything(s, depth-1) + ")"
	}
	return "min(" + x + ", " + g.literal() + ")"
}

// atom puts x into parentheses where a member could not follow it.
func atom(x string) string {
	if strings.ContainsAny(x, " -") && x[0] != '(' {
		return "(" + x + ")"
	}
	return x
}

// fstring holds names and members without quotes: those of an f-string would
// have to differ from its own.
func (g *gen) fstring(s *scope) string {
	part := ""
	if all := s.all(func(n name) bool { return true }); len(all) > 0 {
		n := pick(g, all)
		part = n.text
		if m := strMembers[n.kind]; m != nil && g.chance(70) {
			part += pick(g, m)
		}
	}
	if part == "" || strings.ContainsAny(part, `"{`) {
		part = "1 + 1"
	}
	return `f"v={` + part + pick(g, []string{"", "", ":>4", ":s"}) + `}!"`
}

// num is an expression that is a number as a rule.
func (g *gen) num(s *scope, depth int) string {
	if m, ok := g.member(s, numKind, numMembers); ok && (depth <= 0 && g.chance(55) || g.chance(38)) {
		return m
	}
	if depth <= 0 || g.chance(26) {
		return pick(g, []string{"0", "1", "2", "3", "1.0", "2.5", "input.limit"})
	}
	switch g.weighted(24, 66, 16, 6, 8, 6) {
	case 0:
		return "len(" + g.sized(s, depth-1) + ")"
	case 1:
		return fmt.Sprintf("(%s %s %s)", g.num(s, depth-1), pick(g, []string{"+", "-", "-", "-", "*", "/", "/", "/", "//", "//", "//", "%", "%", "%", "**", "**", "**"}), g.num(s, 0))
	case 2:
		return pick(g, []string{"-", "+"}) + atom(g.num(s, 0))
	case 3:
		return pick(g, []string{"int", "float"}) + "(" + g.str(s, depth-1) + ")"
	case 4:
		return pick(g, []string{"min", "max"}) + "(" + g.num(s, depth-1) + ", " + g.num(s, depth-1) + ")"
	}
	return "sum(" + g.list(s, depth-1) + ")"
}

func (g *gen) sized(s *scope, depth int) string {
	switch g.weighted(45, 35, 20) {
	case 0:
		return g.str(s, depth)
	case 1:
		return g.list(s, depth)
	}
	return g.dict(s, depth)
}

// list is an expression that is a list as a rule.
func (g *gen) list(s *scope, depth int) string {
	if m, ok := g.member(s, listKind, listMembers); ok && g.chance(60) {
		return m
	}
	if depth <= 0 || g.chance(30) {
		return g.literals()
	}
	switch g.weighted(15, 8, 25, 12, 5, 8, 8, 12, 5) {
	case 0:
		return atom(g.str(s, 0)) + pick(g, []string{`.split(",")`, ".split()", `.split(",", 1)`})
	case 1:
		return atom(g.str(s, 0)) + ".splitlines()"
	case 2:
		return g.comprehension(s, depth-1, func(s *scope) string { return g.str(s, 0) })
	case 3:
		return "find(" + g.pattern() + ", " + g.str(s, depth-1) + ")"
	case 4:
		return "list(" + g.dict(s, 0) + ")"
	case 5:
		return "tuple(" + g.list(s, depth-1) + ")"
	case 6:
		return "[" + g.str(s, depth-1) + ", " + g.str(s, 0) + "]"
	case 7:
		return "(" + g.str(s, depth-1) + ", " + g.num(s, 0) + ")"
	}
	return "text(" + g.anything(s, 0) + ")"
}

func (g *gen) literals() string {
	var out []string
	for range 1 + g.IntN(3) {
		if g.chance(80) {
			out = append(out, g.literal())
		} else {
			out = append(out, pick(g, []string{"1", "2.5", "True", "None"}))
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// comprehension goes through a list, or the pairs of a dict; elt is made in
// its scope.
func (g *gen) comprehension(s *scope, depth int, elt func(*scope) string) string {
	in := &scope{up: s}
	target := g.fresh("e")
	over := g.list(s, depth)
	if g.chance(15) {
		second := g.fresh("e")
		in.add(name{text: target, kind: strKind})
		in.add(name{text: second, kind: anyKind})
		target, over = target+", "+second, g.dict(s, 0)+".items()"
	} else {
		in.add(name{text: target, kind: pick(g, []kind{strKind, strKind, anyKind, numKind})})
	}
	out := elt(in) + " for " + target + " in " + over
	for range g.weighted(55, 40, 5) {
		out += " if " + g.truth(in, 0)
	}
	return "[" + out + "]"
}

// dict is an expression that is a dict as a rule.
func (g *gen) dict(s *scope, depth int) string {
	if m, ok := g.member(s, dictKind, dictMembers); ok && g.chance(85) {
		return m
	}
	switch g.weighted(60, 20, 20) {
	case 0:
		return `{"k": ` + g.str(s, depth-1) + `, n: ` + g.num(s, depth-1) + "}"
	case 1:
		return "json_loads(" + g.str(s, depth-1) + ")"
	}
	return "json.loads(" + g.str(s, depth-1) + ")"
}

// anything is an expression of any kind.
func (g *gen) anything(s *scope, depth int) string {
	switch g.weighted(35, 20, 12, 12, 12, 9) {
	case 0:
		return g.str(s, depth)
	case 1:
		return g.num(s, depth)
	case 2:
		return g.list(s, depth)
	case 3:
		return g.dict(s, depth)
	case 4:
		if vs := s.variables(); len(vs) > 0 {
			return pick(g, vs).text
		}
		return "None"
	}
	return pick(g, []string{"None", "True", "False", "null", "true"})
}

func (g *gen) pattern() string {
	return pick(g, []string{`"a"`, `"[a-z]+"`, `r"\w+"`, `"sec.*bob"`, `"^a$"`, `"(?i)SECRET"`, `"bob|secret"`, `"^(?!send)s"`, `r"\d"`})
}

// toolPattern has arguments now and then.
func (g *gen) toolPattern() string {
	out := "tool:" + []string{"send", "fetch", "read", `"mail/send"`}[g.weighted(50, 25, 15, 10)]
	if g.chance(70) {
		return out
	}
	var args []string
	keys := g.Perm(len(argKeys))
	for _, k := range keys[:1+g.IntN(2)] {
		args = append(args, argKeys[k]+": "+g.argPattern(argKeys[k]))
	}
	return out + "({" + strings.Join(args, ", ") + "})"
}

func (g *gen) argPattern(key string) string {
	switch {
	case g.chance(15):
		return "*"
	case g.chance(10):
		return pick(g, []string{"<EMAIL_ADDRESS>", "<PHONE_NUMBER>"})
	case key == "n":
		return pick(g, []string{"1", "2", "1.0"})
	case key == "ok":
		return pick(g, []string{"True", "False"})
	case key == "tags":
		return pick(g, []string{`["a", *]`, `["a"]`, "[*]", "[]"})
	case key == "opt":
		return pick(g, []string{`{k: "a"}`, `{k: *, n: 1}`, "{}"})
	}
	return pick(g, []string{`"a"`, `".*bob"`, `"a.*"`, `"[a-z]+"`, `""`})
}
