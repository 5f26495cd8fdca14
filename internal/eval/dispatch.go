// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// A target is a group that some elements have to be shown to.
type target struct {
	block *compile.Block
	group *compile.Group
}

// A dispatch says which groups of one depth care for an element.
type dispatch struct {
	messages []target
	tools    []target
	calls    byTool
	outputs  byTool
	nested   []target // elements below events: parts, strings, numbers, …
}

// byTool splits targets by the name of the tool they are about.
type byTool struct {
	any   []target
	named map[string][]target
}

func (t *byTool) add(x target) {
	if x.group.Tools == nil {
		t.any = append(t.any, x)
		return
	}
	if t.named == nil {
		t.named = map[string][]target{}
	}
	seen := map[string]bool{}
	for _, name := range x.group.Tools {
		if !seen[name] {
			seen[name] = true
			t.named[name] = append(t.named[name], x)
		}
	}
}

// dispatches builds the tables for the blocks of a program with the given ids,
// all if there are none.
func dispatches(p *compile.Program, ids []int) []*dispatch {
	levels := make([]*dispatch, p.Depth+1)
	for i := range levels {
		levels[i] = &dispatch{}
	}
	for _, b := range p.Blocks {
		if ids != nil && !slices.Contains(ids, b.ID) {
			continue
		}
		for _, g := range b.Groups {
			levels[b.Depth].add(target{b, g})
		}
	}
	return levels
}

func (d *dispatch) add(t target) {
	switch ty := t.group.Type; {
	case ty == value.EventType:
		d.messages = append(d.messages, t)
		d.calls.add(t)
		d.outputs.add(t)
	case ty.Kind == value.Message:
		d.messages = append(d.messages, t)
	case ty.Kind == value.ToolCall:
		d.calls.add(t)
	case ty.Kind == value.ToolOutput:
		d.outputs.add(t)
	case ty.Kind == value.Tool:
		d.tools = append(d.tools, t)
	default:
		d.nested = append(d.nested, t)
	}
}

// insert shows an event to every group of one depth that may care for it.
func (s *State) insert(d *dispatch, e *trace.Event) {
	switch root := e.Root(); root.Kind() {
	case value.Message:
		s.offer(d.messages, root)
		s.offerCalls(d, e)
	case value.ToolCall:
		s.offerTool(&d.calls, root, root)
	case value.ToolOutput:
		s.offerTool(&d.outputs, root, s.linkOf(root))
	case value.Listing:
		if len(d.tools) > 0 {
			trace.Elements(e, value.ToolType, func(el *value.Value) bool {
				s.offer(d.tools, el)
				return true
			})
		}
	}
	for _, t := range d.nested {
		trace.Elements(e, t.group.Type, func(el *value.Value) bool {
			s.consider(t, el, t.group.Guards)
			return true
		})
	}
}

// linkOf returns the call that an output answers, nil if it is not known.
func (s *State) linkOf(out *value.Value) *value.Value {
	if compile.Faulty(compile.FaultStaleLink) {
		for i := out.Index() - 1; i >= 0; i-- {
			if calls := s.log.At(i).Calls(); len(calls) > 0 {
				return calls[len(calls)-1]
			}
		}
	}
	return out.Link()
}

func (s *State) offerCalls(d *dispatch, e *trace.Event) {
	if d.calls.any == nil && d.calls.named == nil {
		return
	}
	trace.Elements(e, value.ToolCallType, func(el *value.Value) bool {
		s.offerTool(&d.calls, el, el)
		return true
	})
}

func (s *State) offer(ts []target, el *value.Value) {
	for _, t := range ts {
		s.consider(t, el, t.group.Guards)
	}
}

// offerTool shows a call or output to the groups that its tool concerns; all
// of them when the tool is not known.
func (s *State) offerTool(b *byTool, el, call *value.Value) {
	s.offer(b.any, el)
	if b.named == nil {
		return
	}
	name, known := toolName(call)
	if known {
		for _, t := range b.named[name] {
			s.consider(t, el, t.group.Named)
		}
		return
	}
	if compile.Faulty(compile.FaultNoLink) {
		return
	}
	shown := map[target]bool{}
	for _, ts := range b.named {
		for _, t := range ts {
			if !shown[t] {
				shown[t] = true
				s.consider(t, el, t.group.Guards)
			}
		}
	}
}

var functionField, nameField = value.ToolCallType.Field("function"), value.FunctionType.Field("name")

// toolName returns the name of the tool that a call calls.
func toolName(call *value.Value) (string, bool) {
	if call == nil {
		return "", false
	}
	f := call.Field(functionField)
	if f == nil || f.Kind() != value.Function {
		return "", false
	}
	n := f.Field(nameField)
	if n == nil || n.Kind() != value.Str {
		return "", false
	}
	return n.Text(), true
}
