// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import "github.com/holdfast-dev/holdfast/internal/value"

// Elements yields the elements of type t in the event e, in the order of the
// document, until yield returns false. A type that no element has (a record of
// the standard library) has none here.
//
// Where something could not be read, an Unknown value is yielded in its place
// for every type that it may be of: whatever reads it is unknown.
func Elements(e *Event, t *value.Type, yield func(*value.Value) bool) {
	if value.HasType(e.root, t) && t != value.AnyType && !yield(e.root) {
		return
	}
	switch t.Kind {
	case value.Invalid:
		if t == value.EventType {
			innerCalls(e, yield)
		}
	case value.ToolCall:
		innerCalls(e, yield)
	case value.Tool:
		each(e.Tools(), yield)
	case value.Function:
		functions(e, yield)
	case value.ToolParameter:
		parameters(e, yield)
	case value.TextChunk, value.Image:
		chunks(e, t, yield)
	case value.Str:
		texts(e, yield)
	case value.Int, value.Float, value.Bool, value.List, value.Dict:
		arguments(e, t, yield)
	}
}

func each(vs []*value.Value, yield func(*value.Value) bool) bool {
	for _, v := range vs {
		if !yield(v) {
			return false
		}
	}
	return true
}

// innerCalls yields the calls inside a message.
func innerCalls(e *Event, yield func(*value.Value) bool) {
	if e.Kind() == value.Message {
		each(e.parts, yield)
	}
}

func functions(e *Event, yield func(*value.Value) bool) {
	for _, c := range e.Calls() {
		if !yield(c.Field(value.CallFunction)) {
			return
		}
	}
}

func parameters(e *Event, yield func(*value.Value) bool) {
	for _, tool := range e.Tools() {
		s := tool.Field(value.ToolSchema)
		if s != nil && !value.Descend(s, value.ToolParameterType, yield) {
			return
		}
	}
}

// content returns the content of a message or output as it was read, nil for
// other events. Parts are elements even if the content as a whole is unknown.
func content(e *Event) *value.Value {
	switch e.Kind() {
	case value.Message, value.ToolOutput:
		return e.root.Get("content")
	}
	return nil
}

func chunks(e *Event, t *value.Type, yield func(*value.Value) bool) {
	c := content(e)
	if c == nil || c.Kind() != value.Content {
		return
	}
	for _, p := range c.Items() {
		if p.Kind() == t.Kind && !yield(p) {
			return
		}
	}
}

// texts yields what `str` ranges over: content, the texts of its parts, the
// strings in arguments, descriptions of tools.
func texts(e *Event, yield func(*value.Value) bool) {
	if !contentTexts(e, yield) {
		return
	}
	if !arguments(e, value.StrType, yield) {
		return
	}
	for _, tool := range e.Tools() {
		d := tool.Field(value.ToolDescription)
		if d != nil && !value.Descend(d, value.StrType, yield) {
			return
		}
	}
}

// contentTexts yields the text of a content, or those of its text parts; what
// other parts hold is no text of the conversation.
func contentTexts(e *Event, yield func(*value.Value) bool) bool {
	c := content(e)
	switch {
	case c == nil:
		return true
	case c.Kind() != value.Content:
		return value.Descend(c, value.StrType, yield)
	}
	for _, p := range c.Items() {
		if p.Kind() == value.TextChunk && !value.Descend(p, value.StrType, yield) {
			return false
		}
	}
	return true
}

// arguments yields the elements of type t in the arguments of the event's calls.
func arguments(e *Event, t *value.Type, yield func(*value.Value) bool) bool {
	for _, c := range e.Calls() {
		if !value.Descend(c.Field(value.CallArguments), t, yield) {
			return false
		}
	}
	return true
}
