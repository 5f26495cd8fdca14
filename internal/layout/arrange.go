// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// misfit says that v does not fit the mapping.
func misfit(v *value.Value, format string, args ...any) *trace.Misfit {
	return &trace.Misfit{At: v, Msg: fmt.Sprintf(format, args...)}
}

// arrange brings a trace into our shape. Where the mapping moves nothing, what
// is wrong with the document is left for the trace package to say.
func (m *Mapping) arrange(doc *value.Value) (*value.Value, *trace.Misfit) {
	list, bad := m.list(doc)
	if bad != nil || list == nil || list.Kind() != value.List {
		return doc, bad
	}
	for _, it := range list.Items() {
		if bad := m.entry(it); bad != nil {
			return nil, bad
		}
	}
	if bad := m.lost(list); bad != nil {
		return nil, bad
	}
	if m.byOrder {
		pair(list)
	}
	return m.around(doc, list)
}

// list returns the messages of a trace.
func (m *Mapping) list(doc *value.Value) (*value.Value, *trace.Misfit) {
	if doc.Kind() == value.List && (!m.messages.set || len(m.messages.path) == 0) {
		return doc, nil
	}
	list := find(doc, m.messages.path)
	switch {
	case !m.messages.set:
		return list, nil
	case list == nil:
		return nil, misfit(doc, "no messages at %q", m.messages.text)
	case list.Kind() != value.List:
		return nil, misfit(list, "what stands at %q is no list of messages", m.messages.text)
	}
	return list, nil
}

// find returns what a path leads to from v, nil if that is nothing.
func find(v *value.Value, path []string) *value.Value {
	for _, step := range path {
		switch v.Kind() {
		case value.Dict:
			v = v.Get(step)
		case value.List:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v.Items()) || strconv.Itoa(i) != step {
				return nil
			}
			v = v.Items()[i]
		default:
			return nil
		}
		if v == nil {
			return nil
		}
	}
	return v
}

// around puts the list of messages, and the tools beside it, where a trace has
// them.
func (m *Mapping) around(doc, list *value.Value) (*value.Value, *trace.Misfit) {
	if doc.Kind() != value.Dict || m.messages.text == "/messages" && m.tools.text == "/tools" {
		return doc, nil
	}
	keys, items := []string{"messages"}, []*value.Value{list}
	tools := find(doc, m.tools.path)
	if tools != nil {
		keys, items = append(keys, "tools"), append(items, tools)
	}
	for i, k := range doc.Keys() {
		for _, ours := range []string{"messages", "tools"} {
			if it := doc.Items()[i]; strings.EqualFold(k, ours) && it != list && it != tools && !m.ignored[join(nil, k)] {
				return nil, misfit(it, "%q stands beside %s and %s, which the mapping takes instead; map it or ignore it", k, m.messages.text, m.tools.text)
			}
		}
	}
	value.Rearrange(doc, keys, items)
	return doc, nil
}

// entry arranges one message or output.
func (m *Mapping) entry(v *value.Value) *trace.Misfit {
	role := m.message.get("role")
	if v.Kind() != value.Dict || !role.set && v.Get("role") == nil && (v.Get("function") != nil || v.Get("tools") != nil) {
		return nil // our own call or listing, or a mistake
	}
	if m.message.moved {
		if bad := m.take(v, &m.message); bad != nil {
			return bad
		}
	}
	if bad := m.spoken(v); bad != nil {
		return bad
	}
	m.rename(v)
	if bad := m.contents(v); bad != nil {
		return bad
	}
	return m.calls(v)
}

// spoken refuses a message in which the mapping has found neither content nor
// calls: more likely than not, it looks in the wrong place.
func (m *Mapping) spoken(v *value.Value) *trace.Misfit {
	content, calls := m.message.get("content"), m.message.get("tool_calls")
	if !content.set || v.Get("content") != nil || v.Get("tool_calls") != nil {
		return nil
	}
	return misfit(v, "a message without content at %q and without calls at %q", content.text, calls.text)
}

// rename gives a message our name of its role.
func (m *Mapping) rename(v *value.Value) {
	role := v.Get("role")
	if role == nil || role.Kind() != value.Str {
		return
	}
	if ours, ok := m.roles[role.Text()]; ok {
		value.Graft(v, role.Index(), value.StrOf(ours))
	}
}

// contents arranges the parts of a content.
func (m *Mapping) contents(v *value.Value) *trace.Misfit {
	content := v.Get("content")
	if !m.part.moved || content == nil || content.Kind() != value.List {
		return nil
	}
	for _, p := range content.Items() {
		if p.Kind() != value.Dict {
			continue
		}
		if t := p.Get("type"); t == nil || t.Text() != "text" {
			continue
		}
		if bad := m.take(p, &m.part); bad != nil {
			return bad
		}
	}
	return nil
}

// calls arranges the calls of a message.
func (m *Mapping) calls(v *value.Value) *trace.Misfit {
	list := v.Get("tool_calls")
	if list == nil || !m.call.moved {
		return nil
	}
	if list.Kind() == value.Dict {
		one := value.ListOf([]*value.Value{list})
		value.Graft(v, list.Index(), one)
		value.Graft(one, 0, list)
		list = one
	}
	if list.Kind() != value.List {
		return nil
	}
	for _, c := range list.Items() {
		if c.Kind() != value.Dict {
			return misfit(c, "a call that is no object")
		}
		if bad := m.take(c, &m.call); bad != nil {
			return bad
		}
	}
	return nil
}

// lost refuses a trace in which the mapping has found outputs but no call at
// all, where it says that calls are to be found.
func (m *Mapping) lost(list *value.Value) *trace.Misfit {
	where := m.message.get("tool_calls")
	if !where.set {
		return nil
	}
	var output *value.Value
	for _, it := range list.Items() {
		if len(callsOf(it)) > 0 {
			return nil
		}
		if output == nil && isOutput(it) {
			output = it
		}
	}
	if output == nil {
		return nil
	}
	return misfit(output, "an output of a tool, but no call at %q in the whole trace", where.text)
}

// join writes the JSON pointer of a step below others.
func join(path []string, step string) string {
	var b strings.Builder
	for _, s := range append(slices.Clip(path), step) {
		b.WriteString("/" + strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1"))
	}
	return b.String()
}
