// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import "fmt"

// The vocabularies are small, so that joins hit, and hold what is easily
// mistaken: numbers that are equal and those that only look so, texts that are
// JSON, empty ones, letters of several bytes.
var (
	toolNames = []string{"send", "fetch", "read", "mail/send"}
	argKeys   = []string{"to", "path", "n", "ok", "tags", "opt"}
	words     = []string{"a", "b", "bob", "secret", "send secret to bob", "", "1", "A", "né", "x\ny", "a,b,a", `{"k": "a", "n": 1}`, "aa", "fetch"}
	numbers   = []string{"0", "1", "2", "3", "1.0", "2.5", "-1", "1e2", "9007199254740993"}
)

// word is one of the words, the first ones more often: much has to be equal.
func (g *gen) word() string {
	if g.chance(50) {
		return words[g.IntN(3)]
	}
	return pick(g, words)
}

func (g *gen) number() string {
	if g.chance(35) {
		return "1"
	}
	return pick(g, numbers)
}

func (g *gen) toolName() string { return toolNames[g.weighted(50, 25, 15, 10)] }

// events makes a trace of at most n events.
func (g *gen) events(n int) []*node {
	n = max(g.IntN(n), g.IntN(n)) + 1
	if g.chance(1) {
		n = 0
	}
	out := make([]*node, 0, n)
	for range n {
		e := g.event()
		if g.chance(8) {
			e.with("timestamp", g.leaf())
		}
		if g.chance(8) && !g.has(e, "metadata") {
			e.with("metadata", g.metadata())
		}
		out = append(out, e)
	}
	return out
}

func (g *gen) has(e *node, key string) bool {
	for _, k := range e.keys {
		if k == key {
			return true
		}
	}
	return false
}

func (g *gen) event() *node {
	switch g.weighted(14, 32, 28, 8, 7, 5, 6) {
	case 0:
		return object().with("role", text("user")).with("content", g.content())
	case 1:
		return g.agent()
	case 2:
		return g.output()
	case 3:
		return g.call()
	case 4:
		return g.listing()
	case 5:
		return object().with("role", text(pick(g, []string{"system", "developer"}))).with("content", g.content())
	}
	return object().with("role", text("assistant")).with("content", g.content())
}

// agent is a message with calls, which may stand before the content.
func (g *gen) agent() *node {
	calls := list()
	for range g.weighted(8, 58, 22, 12) {
		calls.add(g.call())
	}
	e := object().with("role", text("assistant"))
	switch g.weighted(60, 25, 10, 5) {
	case 0:
		e.with("content", scalar("null")).with("tool_calls", calls)
	case 1:
		e.with("content", g.content()).with("tool_calls", calls)
	case 2:
		e.with("tool_calls", calls).with("content", g.content())
	case 3:
		fn := object().with("name", text(g.toolName()))
		e.with("content", scalar("null")).with("function_call", fn.with("arguments", g.argumentsText()))
	}
	return e
}

// call is a tool call as it stands in a message or on its own.
func (g *gen) call() *node {
	e := object()
	switch g.weighted(84, 10, 6) {
	case 0:
		g.calls++
		e.with("id", text(fmt.Sprint(g.calls)))
	case 1:
		e.with("id", text(fmt.Sprint(g.IntN(g.calls+1)))) // one that another call has
	}
	if g.chance(50) {
		e.with("type", text("function"))
	}
	fn := object().with("name", text(g.toolName()))
	switch g.weighted(70, 20, 5, 5) {
	case 0:
		fn.with("arguments", g.arguments())
	case 1:
		fn.with("arguments", g.argumentsText())
	case 2:
		fn.with("arguments", pick(g, []*node{text("{not json"), text("[1]"), scalar("null"), text(""), scalar("7"), text(`{"to": 1, "to": 2}`)}).clone())
	}
	e.with("function", fn)
	if g.chance(12) {
		e.with("server", text(pick(g, []string{"mail", "web"})))
	}
	return e
}

func (g *gen) argumentsText() *node { return text(g.arguments().String()) }

func (g *gen) arguments() *node {
	o := object()
	for _, k := range argKeys {
		if g.chance(48) {
			o.with(k, g.argument(k))
		}
	}
	return o
}

func (g *gen) argument(key string) *node {
	if g.chance(8) {
		return g.leaf()
	}
	switch key {
	case "n", "ok":
		if g.chance(36) {
			return text(pick(g, []string{"1", "1", "True"})) // looks like another kind
		}
	}
	switch key {
	case "n":
		return scalar(g.number())
	case "ok":
		return scalar(pick(g, []string{"true", "false"}))
	case "tags":
		l := list()
		for range g.IntN(4) {
			l.add(g.leaf())
		}
		return l
	case "opt":
		o := object().with("k", text(g.word()))
		if g.chance(40) {
			o.with("n", scalar(g.number()))
		}
		if g.chance(25) {
			o.with("l", list(g.leaf(), object().with("k", g.leaf())))
		}
		return o
	}
	return text(g.word())
}

// leaf is a scalar of any kind.
func (g *gen) leaf() *node {
	switch g.weighted(55, 22, 12, 6, 3, 2) {
	case 0:
		return text(g.word())
	case 1:
		return scalar(g.number())
	case 2:
		return scalar(pick(g, []string{"true", "false"}))
	case 3:
		return scalar("null")
	case 4:
		return list(text(g.word()), scalar(g.number()))
	}
	return scalar(`"a\ud800"`)
}

func (g *gen) metadata() *node {
	o := object().with("k", g.leaf())
	if g.chance(30) {
		o.with("server", text("mail"))
	}
	return o
}

func (g *gen) content() *node {
	switch g.weighted(62, 8, 30) {
	case 0:
		return text(g.word())
	case 1:
		return scalar("null")
	}
	parts := list()
	for range g.IntN(4) {
		switch g.weighted(82, 14, 4) {
		case 0:
			parts.add(object().with("type", text("text")).with("text", text(g.word())))
		case 1:
			url := object().with("url", text("http://"+g.word()))
			parts.add(object().with("type", text("image_url")).with("image_url", url))
		case 2:
			parts.add(object().with("type", text("audio")).with("k", g.leaf()))
		}
	}
	return parts
}

func (g *gen) output() *node {
	e := object().with("role", text("tool"))
	switch g.weighted(70, 15, 10, 5) {
	case 0:
		if g.calls > 0 {
			e.with("tool_call_id", text(fmt.Sprint(1+g.IntN(g.calls))))
		}
	case 2:
		e.with("tool_call_id", pick(g, []*node{scalar("null"), text("")}).clone())
	case 3:
		e.with("tool_call_id", text("99"))
	}
	return e.with("content", g.content())
}

func (g *gen) listing() *node {
	tools := list()
	for range 1 + g.IntN(2) {
		name := text(g.toolName())
		schema := g.schema(2)
		desc := text(g.word())
		switch g.weighted(60, 40) {
		case 0:
			tools.add(object().with("name", name).with("description", desc).with("inputSchema", schema))
		case 1:
			fn := object().with("name", name).with("description", desc).with("parameters", schema)
			tools.add(object().with("type", text("function")).with("function", fn))
		}
	}
	return object().with("tools", tools)
}

// schema is an object's, with nested properties and items.
func (g *gen) schema(depth int) *node {
	props := object()
	required := list()
	for _, k := range argKeys[:1+g.IntN(3)] {
		p := object().with("type", text(pick(g, []string{"string", "integer", "object"})))
		if g.chance(50) {
			p.with("description", text(g.word()))
		}
		if g.chance(20) {
			p.with("enum", list(g.leaf(), g.leaf()))
		}
		if depth > 0 && g.chance(25) {
			p.with("properties", object().with("k", object().with("type", text("string"))))
		}
		if depth > 0 && g.chance(15) {
			p.with("items", object().with("type", text("string")))
		}
		if g.chance(40) {
			required.add(text(k))
		}
		props.with(k, p)
	}
	return object().with("type", text("object")).with("properties", props).with("required", required)
}
