// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package starter

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/toolset"
)

// A runBuilder writes the trace of a case and what the policy makes of it.
type runBuilder struct {
	*lists
	events []string
	read   []string // the indices of answers of sources
	names  []string // of these sources
	want   []string
}

// unlisted is the name of a tool that the agent does not have.
func (l *lists) unlisted() string {
	name := "a_tool_that_is_in_no_list"
	for slices.ContainsFunc(l.all, func(it item) bool { return it.tool.Name == name }) {
		name += "_"
	}
	return name
}

// tests writes the cases of the policy: for each rule one that violates it, and
// near misses.
func (l *lists) tests() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "What the policy for %s stops, and what it lets through.\n-- policy %s --\n", plural(len(l.all), "tool"), PolicyName)
	for _, c := range []struct {
		name  string
		items []item
	}{
		{"something is taken away", l.destructive},
		{"the user is bound", l.approval},
		{"a tool that nobody has judged", l.unjudged},
		{"a tool that may be called at any time", l.harmless},
		{"a source alone", l.sources},
		{"a sink before anything was read", l.sinks},
	} {
		if len(c.items) > 0 {
			l.write(&b, c.name, func(r *runBuilder) { r.call(c.items[0].tool) })
		}
	}
	l.write(&b, "a tool that is in no list", func(r *runBuilder) { r.call(&toolset.Tool{Name: l.unlisted()}) })
	if l.flows() {
		l.flowTests(&b)
	}
	return b.Bytes()
}

// flowTests writes the cases of what is handed on.
func (l *lists) flowTests(b *bytes.Buffer) {
	source, sink := l.sources[0].tool, l.sinks[0].tool
	for _, it := range l.sinks { // one that no other rule asks about, as there is
		if !within([]item{it}, l.destructive) && !within([]item{it}, l.approval) {
			sink = it.tool
			break
		}
	}
	l.write(b, "a text of others is handed on", func(r *runBuilder) {
		r.call(source)
		r.call(sink)
	})
	l.write(b, "handed on two steps later", func(r *runBuilder) {
		r.call(source)
		if len(l.harmless) > 0 {
			r.call(l.harmless[0].tool)
		}
		r.event(map[string]any{"role": "user", "content": "Go on."})
		r.call(sink)
	})
	l.write(b, "read and nothing handed on", func(r *runBuilder) {
		r.call(source)
		r.call(l.sources[len(l.sources)-1].tool)
	})
	l.write(b, "sent first and read after", func(r *runBuilder) {
		r.call(sink)
		r.call(source)
	})
	l.write(b, "an answer of nobody knows which call", func(r *runBuilder) {
		r.event(map[string]any{"role": "tool", "tool_call_id": "lost", "content": "x"})
		r.call(sink)
		r.want = append([]string{"unknown ask at 1: link (out=0 call=1)"}, r.want...)
	})
}

// write writes a case.
func (l *lists) write(b *bytes.Buffer, name string, steps func(*runBuilder)) {
	r := &runBuilder{lists: l}
	steps(r)
	if len(r.want) == 0 {
		r.want = []string{"allow"}
	}
	fmt.Fprintf(b, "-- case %s --\n-- trace --\n[%s]\n-- want --\n%s\n", name, strings.Join(r.events, ",\n "), strings.Join(r.want, "\n"))
}

func (r *runBuilder) event(e map[string]any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(e) // texts, numbers and what a schema had
	r.events = append(r.events, strings.TrimSpace(b.String()))
}

// call writes a call and its answer, and what the rules say of them.
func (r *runBuilder) call(t *toolset.Tool) {
	at := len(r.events)
	id := fmt.Sprintf("c%d", at)
	one := []item{{tool: t}}
	if r.flows() && within(one, r.sinks) {
		for i, read := range r.read {
			r.verdict(at, fmt.Sprintf("%s may hand on what %s answered, or do what that asks for (out=%s call=%d)", t.Name, r.names[i], read, at))
		}
	}
	switch {
	case within(one, r.destructive):
		r.verdict(at, fmt.Sprintf("%s takes something away (call=%d)", t.Name, at))
	case within(one, r.approval):
		r.verdict(at, fmt.Sprintf("%s binds the user (call=%d)", t.Name, at))
	case within(one, r.unjudged):
		r.verdict(at, fmt.Sprintf("nobody has said what %s does (call=%d)", t.Name, at))
	case t.Name == r.unlisted():
		r.verdict(at, fmt.Sprintf("%s is in no list of this policy (call=%d)", t.Name, at))
	}
	if within(one, r.sources) {
		r.read, r.names = append(r.read, strconv.Itoa(at+1)), append(r.names, t.Name)
	}
	r.event(map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
		"id": id, "type": "function", "function": map[string]any{"name": t.Name, "arguments": sample(t)},
	}}})
	r.event(map[string]any{"role": "tool", "tool_call_id": id, "content": "x"})
}

func (r *runBuilder) verdict(at int, text string) {
	r.want = append(r.want, fmt.Sprintf("ask at %d: %s", at, text))
}

// property is what a schema says of an argument.
type property struct {
	Type any               `json:"type"`
	Enum []json.RawMessage `json:"enum"`
}

// sample makes arguments that a schema asks for.
func sample(t *toolset.Tool) map[string]any {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	out := map[string]any{}
	if json.Unmarshal(t.Arguments, &schema) != nil {
		return out
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if slices.Contains(schema.Required, name) {
			var p property
			_ = json.Unmarshal(schema.Properties[name], &p) // a schema of another form says nothing
			out[name] = p.sample()
		}
	}
	return out
}

func (p *property) sample() any {
	if len(p.Enum) > 0 {
		return p.Enum[0]
	}
	switch p.Type {
	case "integer", "number":
		return 1
	case "boolean":
		return true
	case "array":
		return []any{}
	case "object":
		return map[string]any{}
	}
	return "x"
}
