// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"github.com/holdfast-dev/holdfast/trace"
)

// A Mapping says where the parts of a trace stand in documents of one shape. It
// does not change and is safe for concurrent use.
type Mapping struct {
	name string

	traces   pointer // to the list of traces in a document; unset: a document is a trace
	messages pointer // in a trace
	tools    pointer
	message  parts // of a message or output
	call     parts
	part     parts             // of a content
	roles    map[string]string // to ours
	byOrder  bool              // outputs without a useful id answer the calls that wait, in order
	ignored  map[string]bool   // pointers to what may be passed over
}

// A pointer is a JSON pointer, RFC 6901, taken apart.
type pointer struct {
	set  bool     // the mapping names it
	text string   // as it is written
	path []string // its reference tokens; none: the whole
}

// A part is one thing that a mapping finds in an object.
type part struct {
	name string // what a trace calls it
	pointer
	required bool
}

// parts are what a mapping finds in one kind of object.
type parts struct {
	list  []part
	known []string // keys that mean something in a trace, in this kind of object
	moved bool     // some part stands elsewhere than in a trace
}

// get returns the part with a name.
func (p *parts) get(name string) *part {
	for i := range p.list {
		if p.list[i].name == name {
			return &p.list[i]
		}
	}
	return nil
}

// The parts of each kind of object, where a trace has them, and the keys
// beside them that mean something there.
func messageParts() parts {
	return parts{
		list: []part{
			{name: "role", required: true},
			{name: "content"},
			{name: "tool_calls"},
			{name: "tool_call_id"},
			{name: "timestamp"},
			{name: "metadata"},
			{name: "server"},
		},
		known: []string{"function_call", "function", "tools"},
	}
}

func callParts() parts {
	return parts{
		list: []part{
			{name: "id"},
			{name: "name", required: true, pointer: pointer{text: "/function/name", path: []string{"function", "name"}}},
			{name: "arguments", pointer: pointer{text: "/function/arguments", path: []string{"function", "arguments"}}},
			{name: "timestamp"},
			{name: "metadata"},
			{name: "server"},
		},
		known: []string{"type", "function"},
	}
}

func partParts() parts {
	return parts{list: []part{{name: "text", required: true}}}
}

// fill gives parts without a pointer their own name.
func (p *parts) fill() {
	for i := range p.list {
		it := &p.list[i]
		if it.path == nil {
			it.pointer = pointer{set: it.set, text: "/" + it.name, path: []string{it.name}}
		}
		if !it.set {
			continue
		}
		it.required = it.required || it.name == "arguments"
	}
}

// Name returns what the mapping is called, or the file that it was read from.
func (m *Mapping) Name() string { return m.name }

// Layout returns the mapping as package trace uses it.
func (m *Mapping) Layout() *trace.Layout {
	l := &trace.Layout{Arrange: m.arrange, Levels: max(2, len(m.messages.path)+1)}
	if m.traces.set {
		l.Traces = m.traces.path
	}
	if len(m.messages.path) > 0 {
		l.Key = m.messages.path[0]
	}
	return l
}

// agentDojo is how AgentDojo logs its runs.
var agentDojo = builtin("agentdojo", `{
	"messages": "/messages",
	"call": {"id": "/id", "name": "/function", "arguments": "/args"},
	"part": {"text": "/content"},
	"ids": "order"
}`)

// openAI is the shape that a trace has anyway.
var openAI = builtin("openai", `{}`)

func builtin(name, src string) *Mapping {
	m, err := Read(name, []byte(src))
	if err != nil {
		panic("layout: a built-in mapping does not load: " + err.Error())
	}
	return m
}
