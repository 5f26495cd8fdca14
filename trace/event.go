// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package trace holds the events of an agent run: what was said, which tools
// were called, what they gave back and which tools there are.
//
// Whoever has recorded a run reads it with Decode or DecodeAll; whoever runs an
// agent makes events one by one, with DecodeEvent or the constructors (UserText,
// Calls, Output, …). A Log puts events in order: it gives each its place and
// links outputs to the calls they answer.
//
// An event is a tree of values, the JSON it was read from, parts of which are
// elements: messages, calls, outputs, tools. Addresses are paths in the input.
package trace

import (
	"sync/atomic"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// An Event is one entry of a trace: a message with its calls, a tool call that
// stands alone, a tool output, or a listing of tools. It does not change once
// it is made, but for its place: the first Log that it is appended to keeps it,
// any other one works on a copy.
type Event struct {
	root     *value.Value
	parts    []*value.Value // the calls of a message, the tools of a listing, a call itself
	problems []Problem
	size     int

	owner    atomic.Pointer[Log]
	standing bool // in its owner, who alone reads and writes this
}

// A Trace is the events of one run in their order.
type Trace struct{ Events []*Event }

// A Problem is something in an event that can be loaded but not relied on: what
// it concerns is unknown to every rule that reads it, and DecodeOptions.Strict
// refuses it.
type Problem struct {
	Path   string       // in the event, "tool_calls.0.function.arguments"
	Reason value.Reason // stable word
	Msg    string       // a sentence for people

	at *value.Value
}

// Root returns the event as a value: a Message, ToolCall, ToolOutput or Listing.
func (e *Event) Root() *value.Value { return e.root }

// Kind returns the kind of the event's root.
func (e *Event) Kind() value.Kind { return e.root.Kind() }

// Problems returns what Strict would refuse the event for, the first 100. That
// an output answers no call is known to its Trace only.
func (e *Event) Problems() []Problem { return e.problems }

// Calls returns the tool calls of the event: those in a message by their order,
// or the event itself. The caller must not change the slice.
func (e *Event) Calls() []*value.Value {
	if e.Kind() == value.Listing {
		return nil
	}
	return e.parts
}

// Tools returns the tools of a listing.
func (e *Event) Tools() []*value.Value {
	if e.Kind() != value.Listing {
		return nil
	}
	return e.parts
}

// slots returns how many slots of the trace's order the event takes up.
func (e *Event) slots() uint32 {
	switch e.Kind() {
	case value.Message:
		return 1 + uint32(len(e.parts))
	case value.Listing:
		return uint32(len(e.parts))
	}
	return 1
}

// MarshalJSON returns the event as JSON that decodes to an equal event. What was
// loaded as unknown is written as it was read; arguments that came as JSON text
// are written as the object they are.
func (e *Event) MarshalJSON() ([]byte, error) {
	return value.AppendJSON(nil, e.root), nil
}

// copy returns an event that is equal to e and stands nowhere.
func (e *Event) copy() *Event {
	var c value.Copier
	n := &Event{root: c.Copy(e.root), size: e.size}
	for _, p := range e.parts {
		n.parts = append(n.parts, c.Copy(p))
	}
	for _, p := range e.problems {
		p.at = c.Copy(p.at)
		n.problems = append(n.problems, p)
	}
	return n
}
