// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/vet"
)

var randomPairs = flag.Int("vet.pairs", 400, "how many random pairs of rules to compare")

// TestRandomPairs compares random rules, and holds every claim to the real
// evaluation: implications to samples, their contraries to their traces, rules
// that can never be violated to samples, too.
func TestRandomPairs(t *testing.T) {
	answers := map[automata.Answer]int{}
	never := 0
	for seed := range *randomPairs {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 3))}
		src := g.pair()
		policy, prog := compile(t, src)
		got := vet.Compare(prog, prog.Rules[0], prog.Rules[1])
		answers[got.Implied]++
		place := fmt.Sprintf("seed %d", seed)
		agrees(t, place, src, policy, prog, got, 60)
		dead := map[int]bool{}
		always := map[int]bool{}
		for _, d := range vet.Vet(prog, nil) {
			line, _ := d.Span.Position()
			for i, r := range prog.Rules {
				if at, _ := r.Node.VerbAt.Position(); at == line && d.Code == "P0501" {
					dead[i] = true
				} else if at == line && d.Code == "P0502" {
					always[i] = true
				}
			}
		}
		if len(dead)+len(always) == 0 {
			continue
		}
		never++
		for _, tr := range vet.Samples(prog, prog.Rules, 60) {
			violated, unknown := judged(t, policy, tr)
			for i := range prog.Rules {
				if dead[i] && violated[i] || always[i] && !violated[i] && !unknown[i] {
					t.Errorf("%s: rule %d: never %v, always %v, but\n%s\n%s", place, i, dead[i], always[i], src, tr)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("answers %v, never or always %d", answers, never)
}

var xName = regexp.MustCompile(`\bx\b`)

type generator struct{ *rand.Rand }

func (g *generator) pick(from ...string) string { return from[g.IntN(len(from))] }

// pair makes two rules about one event. The second is often the first with
// more conditions, or with conditions a little changed.
func (g *generator) pair() string {
	typ := g.pick("ToolCall", "ToolCall", "ToolCall", "ToolCall", "ToolOutput", "Message", "UserMessage")
	conds := func(n int) []string {
		var out []string
		for range n {
			out = append(out, g.cond(typ, 2))
		}
		return out
	}
	first := conds(1 + g.IntN(2))
	second := conds(g.IntN(3))
	for _, c := range first {
		if g.IntN(4) > 0 {
			second = append(second, c)
		}
	}
	if len(second) == 0 {
		second = conds(1)
	}
	rule := func(name string, conds []string) string {
		return "raise \"" + name + "\" if:\n    (x: " + typ + ")\n    " + strings.Join(conds, "\n    ") + "\n"
	}
	return rule("first", first) + rule("second", second)
}

func (g *generator) cond(typ string, depth int) string {
	if depth > 0 {
		switch g.IntN(7) {
		case 0:
			return "(" + g.cond(typ, depth-1) + " or " + g.cond(typ, depth-1) + ")"
		case 1:
			return "(" + g.cond(typ, depth-1) + " and " + g.cond(typ, depth-1) + ")"
		case 2:
			return "not (" + g.cond(typ, depth-1) + ")"
		case 3:
			return g.pick("any", "all") + "([" + g.cond(typ, depth-1) + ", " + g.cond(typ, depth-1) + "])"
		}
	}
	return g.atom(typ)
}

func (g *generator) atom(typ string) string {
	text := "x.content"
	switch typ {
	case "ToolCall":
		switch g.IntN(6) {
		case 0:
			return "x is tool:" + g.pick("a", "b", `"s/a"`) + g.argPattern()
		case 1:
			return g.about("x.name")
		case 2:
			return g.pick(`"k"`, `"n"`, `"o"`) + " in x.arguments"
		case 3:
			return g.number(g.pick("x.arguments.n", "x.arguments.n", `x.arguments.get("n")`, `x.arguments.get("n", 3)`, "x.arguments.k"))
		case 4:
			return g.pick("x.arguments.k", "x.arguments.n", `x.arguments.get("k")`, "x.arguments.o.k", "not x.arguments.k", "x.arguments.k is None", "x.arguments.k == True", "x.arguments.o == None")
		}
		text = g.pick("x.arguments.k", "x.arguments.k", "x.arguments.o.k", `x.arguments["k"]`, `x.arguments.get("k", "ab")`, "x.function.arguments.k", "x.arguments.n")
	case "ToolOutput":
		switch g.IntN(4) {
		case 0:
			return "x is tool:" + g.pick("a", "b") + g.argPattern()
		case 1:
			return g.about("x.tool.name")
		case 2:
			return g.about("x.tool.arguments.k")
		}
	default:
		if g.IntN(4) == 0 {
			return "x.role " + g.pick("==", "!=") + " " + g.pick(`"user"`, `"assistant"`, `"system"`)
		}
	}
	if g.IntN(8) == 0 && typ != "ToolCall" {
		return g.pick("match", "find") + "(" + g.regex() + ", x)"
	}
	return g.about(text)
}

func (g *generator) argPattern() string {
	switch g.IntN(5) {
	case 0:
		return "({k: " + g.pick(`"a.*"`, `"ab"`, `"a|b"`, "*", `"^(?!a).*"`, "None", "True", `".*"`) + "})"
	case 1:
		return "({n: " + g.pick("1", "2.0", "*", `"1"`) + "})"
	case 2:
		return "({o: {k: " + g.pick(`"a"`, "*", "1") + "}})"
	}
	return ""
}

func (g *generator) regex() string {
	return g.pick(`"a"`, `"ab"`, `"[a-b]+"`, `"^a$"`, `".*b"`, `"(?i)AB"`, `r"\ba"`, `r"a\b"`, `"a|b"`, `"^(?!a)b"`, `".*"`, `r"\w+$"`, `"a.b"`, `"(?m)^b"`)
}

func (g *generator) word() string { return g.pick(`"a"`, `"b"`, `"ab"`, `"abc"`, `""`, `"A"`) }

func (g *generator) about(text string) string {
	switch g.IntN(9) {
	case 0:
		return text + g.pick(" == ", " != ") + g.word()
	case 1:
		return g.word() + g.pick(" in ", " not in ") + text
	case 2:
		return text + g.pick(".startswith(", ".endswith(") + g.word() + ")"
	case 3:
		return g.pick("any(", "not any(", "empty(", "not empty(") + "find(" + g.regex() + ", " + text + "))"
	case 4:
		return g.pick("match", "find") + "(" + g.regex() + ", " + text + ")"
	case 5:
		return "len(" + text + ") " + g.pick("<", "<=", ">", ">=", "==", "!=") + " " + g.pick("0", "1", "2", "3", "2.5")
	case 6:
		return text + g.pick(" in ", " not in ") + "[" + g.word() + ", " + g.pick(g.word(), "1", "None", "True") + "]"
	case 7:
		return g.word() + " in " + text + g.pick(".lower()", ".upper()")
	}
	return text + g.pick(" < ", " >= ") + g.word()
}

func (g *generator) number(x string) string {
	n := g.pick("0", "1", "2", "2.5", "3", "-1")
	op := g.pick("<", "<=", ">", ">=", "==", "!=")
	if g.IntN(4) == 0 {
		return n + " " + op + " " + x
	}
	return x + " " + op + " " + n
}

// TestRandomFlows compares random rules about two or three events, and holds
// implications to random traces.
func TestRandomFlows(t *testing.T) {
	answers := map[automata.Answer]int{}
	for seed := range *randomPairs {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 5))}
		src := g.flowPair()
		policy, prog := compile(t, src)
		got := vet.Compare(prog, prog.Rules[0], prog.Rules[1])
		answers[got.Implied]++
		all := claims(t, policy)
		if got.Implied != automata.Yes && len(all) == 0 {
			continue
		}
		for range 40 {
			tr := g.trace()
			violated, unknown := judged(t, policy, tr)
			if got.Implied == automata.Yes && violated[1] && !violated[0] {
				t.Fatalf("seed %d: claimed to be implied, but\n%s\n%s", seed, src, tr)
			}
			if got.Unknown == automata.Yes && unknown[1] && !violated[0] && !unknown[0] {
				t.Fatalf("seed %d: claimed to be unknown with the other, but\n%s\n%s", seed, src, tr)
			}
			for _, c := range all {
				if !c.holds(violated, unknown) {
					t.Fatalf("seed %d: %+v, but\n%s\n%s", seed, c, src, tr)
				}
			}
		}
	}
	t.Logf("answers %v", answers)
}

// flowPair makes two rules with flows. The second has what the first has, in
// other names and with more beside it, as often as not.
func (g *generator) flowPair() string {
	var shared []string
	for range 1 + g.IntN(2) {
		shared = append(shared, g.flowCond("A", "B"))
	}
	first := "raise \"first\" if:\n    " + g.flowHead("a", "b") + "\n"
	second := "raise \"second\" if:\n    " + g.flowHead("p", "q") + "\n"
	named := func(c, a, b string) string { return "    " + strings.NewReplacer("A", a, "B", b).Replace(c) + "\n" }
	for _, c := range shared {
		first += named(c, "a", "b")
		if g.IntN(5) > 0 {
			second += named(c, "p", "q")
		}
	}
	for range g.IntN(3) {
		second += named(g.flowCond("A", "B"), "p", "q")
	}
	return first + second
}

func (g *generator) flowHead(a, b string) string {
	return "(" + a + ": " + g.pick("ToolCall", "ToolCall", "Event", "ToolOutput") + ")" + g.pick(" -> ", " -> ", " ~> ", "\n    ") + "(" + b + ": ToolCall)"
}

func (g *generator) flowCond(a, b string) string {
	switch g.IntN(9) {
	case 0:
		return a + g.pick(" -> ", " ~> ") + b
	case 1:
		return g.pick("not (", "(") + b + " -> " + a + ")"
	case 2:
		return g.pick("not ", "") + "exists:\n        (x: ToolCall) -> " + b + "\n        x is tool:" + g.pick("a", "b")
	case 3:
		return a + ".metadata == " + b + ".metadata"
	case 4:
		return "may_precede(" + a + ", " + b + ")"
	case 5:
		return g.pick("not ", "") + b + " is tool:" + g.pick("a", "b")
	}
	return xName.ReplaceAllString(g.cond("ToolCall", 1), b)
}

// trace makes a short trace of calls, some of which are answered.
func (g *generator) trace() string {
	var entries []string
	id := 0
	for range 1 + g.IntN(4) {
		var calls []string
		first := id
		for range 1 + g.IntN(2) {
			calls = append(calls, fmt.Sprintf(`{"id": "%d", "type": "function", "function": {"name": %s, "arguments": {%s}}}`, id, g.pick(`"a"`, `"a"`, `"b"`, `"s/a"`, `"ab"`), g.arguments()))
			id++
		}
		entries = append(entries, `{"role": "assistant", "content": `+g.pick(`""`, "null", `"ab"`)+`, "tool_calls": [`+strings.Join(calls, ", ")+"]}")
		for i := first; i < id; i++ {
			if g.IntN(2) == 0 {
				entries = append(entries, fmt.Sprintf(`{"role": "tool", "tool_call_id": "%d", "content": %s}`, i, g.pick(`""`, `"ab"`, "null")))
			}
		}
	}
	return "[" + strings.Join(entries, ",\n") + "]"
}

func (g *generator) arguments() string {
	var out []string
	if g.IntN(3) > 0 {
		out = append(out, `"k": `+g.pick(`"a"`, `"ab"`, `"b"`, `""`, "null", "true", "3", `["a"]`, `{"k": "a"}`))
	}
	if g.IntN(3) > 0 {
		out = append(out, `"n": `+g.pick("0", "1", "2", "2.5", "3", `"a"`, "null"))
	}
	if g.IntN(3) == 0 {
		out = append(out, `"o": `+g.pick(`{"k": "a"}`, "{}", "null", `"a"`))
	}
	return strings.Join(out, ", ")
}
