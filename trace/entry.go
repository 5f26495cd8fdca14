// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// event makes the event e of the object v. It makes elements of parts of v in
// place.
func (d *decoder) event(e *Event, v *value.Value) *Error {
	const want = `want an event: an object with "role" (a message or a tool output), "function" (a tool call) or "tools" (a listing of tools)`
	if v.Kind() != value.Dict {
		return d.fail(v, want+"; got %s", describe(v))
	}
	if err := d.variants(v, entryKeys); err != nil {
		return err
	}
	d.problems, d.root, e.root = nil, v, v
	var err *Error
	switch {
	case v.Get("role") != nil:
		err = d.spoken(e, v)
	case v.Get("function") != nil:
		err = d.call(v, none, 0)
		e.parts = d.one(v)
	case v.Get("tools") != nil:
		err = d.listing(e, v)
	default:
		err = d.fail(v, want)
	}
	if err != nil {
		return err
	}
	d.noteLone(v)
	if e.Kind() == value.Listing {
		d.noteLone(v.Get("tools"))
	}
	e.problems = d.problems
	e.size = sizeOf(e.root)
	return d.strict(e)
}

// strict returns the event's first problem as an error if problems are refused.
func (d *decoder) strict(e *Event) *Error {
	if !d.opts.Strict || len(e.problems) == 0 {
		return nil
	}
	p := e.problems[0]
	return d.fail(p.at, "%s", p.Msg)
}

// maxProblems bounds what is kept of an event's problems.
const maxProblems = 100

// problem notes a problem at v, a part of the event being made.
func (d *decoder) problem(v *value.Value, r value.Reason, msg string) {
	if len(d.problems) >= maxProblems {
		return
	}
	d.problems = append(d.problems, Problem{Path: value.PathFrom(d.root, v), Reason: r, Msg: msg, at: v})
}

// noteLone notes the lone surrogates of the entry as problems of the event.
func (d *decoder) noteLone(entry *value.Value) {
	for _, v := range d.lone[entry] {
		d.problem(v, value.BadText, "a text with a lone surrogate")
	}
}

func (d *decoder) one(v *value.Value) []*value.Value {
	p := d.json.Fields(1)
	p[0] = v
	return p
}

// spoken makes a message or a tool output.
func (d *decoder) spoken(e *Event, v *value.Value) *Error {
	role := v.Get("role")
	if role.Kind() != value.Str || !slices.Contains(roles, role.Text()) {
		got := describe(role)
		if role.Kind() == value.Str {
			got = quoted(role.Text())
		}
		return d.fail(role, "the role is %s, want one of system, developer, user, assistant, tool, function", got)
	}
	for _, other := range []string{"function", "tools"} {
		if o := v.Get(other); o != nil && value.Truth(o) == value.True {
			return d.fail(o, "%q beside \"role\": an event is a message, a tool call or a listing of tools", other)
		}
	}
	if r := role.Text(); r == "tool" || r == "function" {
		return d.output(v)
	}
	return d.message(e, v)
}

func (d *decoder) output(v *value.Value) *Error {
	for _, key := range []string{"tool_calls", "function_call"} {
		if c := v.Get(key); c != nil && value.Truth(c) == value.True {
			return d.fail(c, "%q in a tool output", key)
		}
	}
	id := v.Get("tool_call_id")
	if err := d.optional(id, "tool_call_id"); err != nil {
		return err
	}
	f := d.json.Fields(len(value.ToolOutputType.Fields))
	if err := d.common(v, f, value.OutputMetadata, value.OutputServer, value.OutputTimestamp); err != nil {
		return err
	}
	var err *Error
	if f[value.OutputContent], err = d.content(v); err != nil {
		return err
	}
	f[value.OutputRole] = v.Get("role")
	f[value.OutputCallID] = d.bounded(id)
	value.MakeElement(v, value.ToolOutput, f, 0)
	return nil
}

func (d *decoder) message(e *Event, v *value.Value) *Error {
	f := d.json.Fields(len(value.MessageType.Fields))
	if err := d.common(v, f, value.MessageMetadata, none, value.MessageTimestamp); err != nil {
		return err
	}
	var err *Error
	if f[value.MessageContent], err = d.content(v); err != nil {
		return err
	}
	if f[value.MessageCalls], err = d.calls(e, v); err != nil {
		return err
	}
	f[value.MessageRole] = v.Get("role")
	value.MakeElement(v, value.Message, f, 0)
	return nil
}

// common fills the fields that all events have: metadata (without any: empty),
// the server if it is known, the time.
func (d *decoder) common(v *value.Value, f []*value.Value, metadata, server, timestamp int) *Error {
	m := d.bounded(v.Get("metadata"))
	if m == nil {
		m = value.EmptyDict
	}
	f[metadata] = m
	f[timestamp] = d.bounded(v.Get("timestamp"))
	if f[timestamp] == nil {
		f[timestamp] = value.NoneV
	}
	s, err := d.server(v)
	if server != none {
		f[server] = s
	}
	return err
}

// server returns the server that v names, in its metadata if not itself; nil if
// it names none.
func (d *decoder) server(v *value.Value) (*value.Value, *Error) {
	s := v.Get("server")
	if s == nil || s.Kind() == value.None {
		m := v.Get("metadata")
		if m == nil || m.Kind() != value.Dict {
			return nil, nil
		}
		if s = m.Get("server"); s == nil || s.Kind() != value.Str {
			return nil, nil
		}
	}
	if err := d.optional(s, "server"); err != nil {
		return nil, err
	}
	return d.bounded(s), nil
}

// optional refuses v, the value of key, unless it is a text, null or absent.
func (d *decoder) optional(v *value.Value, key string) *Error {
	if v == nil {
		return nil
	}
	switch v.Kind() {
	case value.Str, value.None, value.Unknown:
		return nil
	}
	return d.fail(v, "%q is %s, want a string or null", key, describe(v))
}

// text refuses v, the value of key in owner, unless it is a text.
func (d *decoder) text(owner, v *value.Value, key string) *Error {
	switch {
	case v == nil:
		return d.fail(owner, "want %q, a string", key)
	case v.Kind() != value.Str && v.Kind() != value.Unknown:
		return d.fail(v, "%q is %s, want a string", key, describe(v))
	}
	return nil
}

// bounded returns v, made Unknown if it is longer than an element may be.
func (d *decoder) bounded(v *value.Value) *value.Value {
	if d.sized && v != nil && v.Kind() != value.Unknown && value.TextSize(v) > d.opts.MaxElement {
		msg := fmt.Sprintf("longer than %d bytes", d.opts.MaxElement)
		value.MakeUnknown(v, value.TooLarge, msg)
		d.problem(v, value.TooLarge, msg)
	}
	return v
}
