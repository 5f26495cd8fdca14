// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// calls makes the calls of the message v and returns its field tool_calls.
func (d *decoder) calls(e *Event, v *value.Value) (*value.Value, *Error) {
	list, legacy := v.Get("tool_calls"), v.Get("function_call")
	var items []*value.Value
	switch {
	case list == nil:
		list = value.EmptyList
	case list.Kind() == value.List:
		items = list.Items()
	case list.Kind() != value.None:
		return nil, d.fail(list, `"tool_calls" is %s, want a list`, describe(list))
	}
	for i, c := range items {
		if err := d.call(c, i, i+1); err != nil {
			return nil, err
		}
	}
	e.parts = items
	if legacy == nil || legacy.Kind() == value.None {
		return list, nil
	}
	if err := d.legacyCall(legacy, len(items)+1); err != nil {
		return nil, err
	}
	e.parts = append(items[:len(items):len(items)], legacy)
	return list, nil
}

// call makes a tool call of v, an entry of its own or item i of a message's
// calls.
func (d *decoder) call(v *value.Value, i, slot int) *Error {
	if v.Kind() != value.Dict {
		return d.fail(v, `a tool call is %s, want an object with "function"`, describe(v))
	}
	if i != none {
		if err := d.variants(v, callKeys); err != nil {
			return err
		}
	}
	fn := v.Get("function")
	if fn == nil || fn.Kind() != value.Dict {
		return d.fail(v, `a tool call without "function", an object with "name" and "arguments"`)
	}
	id := v.Get("id")
	if err := d.optional(id, "id"); err != nil {
		return err
	}
	f := d.json.Fields(len(value.ToolCallType.Fields))
	if err := d.common(v, f, value.CallMetadata, value.CallServer, value.CallTimestamp); err != nil {
		return err
	}
	if i != none {
		if err := d.inherit(v, f); err != nil {
			return err
		}
	}
	ff, err := d.function(fn)
	if err != nil {
		return err
	}
	value.MakeElement(fn, value.Function, ff, 0)
	f[value.CallID], f[value.CallType], f[value.CallFunction] = d.bounded(id), d.bounded(v.Get("type")), fn
	f[value.CallName], f[value.CallArguments] = ff[value.FunctionName], ff[value.FunctionArguments]
	value.MakeElement(v, value.ToolCall, f, slot)
	return nil
}

// inherit gives a call the server and the time of the message it stands in,
// unless it has its own.
func (d *decoder) inherit(v *value.Value, f []*value.Value) *Error {
	message := v
	for message.Kind() != value.Dict || message == v || message.Get("role") == nil {
		message = message.Parent()
	}
	if f[value.CallTimestamp] == value.NoneV {
		if t := d.bounded(message.Get("timestamp")); t != nil {
			f[value.CallTimestamp] = t
		}
	}
	if f[value.CallServer] != nil {
		return nil
	}
	var err *Error
	f[value.CallServer], err = d.server(message)
	return err
}

// legacyCall makes a call of a function_call, which is its own function.
func (d *decoder) legacyCall(v *value.Value, slot int) *Error {
	if v.Kind() != value.Dict {
		return d.fail(v, `"function_call" is %s, want an object with "name" and "arguments"`, describe(v))
	}
	ff, err := d.function(v)
	if err != nil {
		return err
	}
	f := d.json.Fields(len(value.ToolCallType.Fields))
	f[value.CallMetadata], f[value.CallTimestamp] = value.EmptyDict, value.NoneV
	if err := d.inherit(v, f); err != nil {
		return err
	}
	f[value.CallName], f[value.CallArguments] = ff[value.FunctionName], ff[value.FunctionArguments]
	f[value.CallFunction] = value.NewElement(v, value.Function, ff)
	value.MakeElement(v, value.ToolCall, f, slot)
	return nil
}

// function returns the fields of the function that the object v calls.
func (d *decoder) function(v *value.Value) ([]*value.Value, *Error) {
	if err := d.variants(v, functionKeys); err != nil {
		return nil, err
	}
	name := v.Get("name")
	if err := d.text(v, name, "name"); err != nil {
		return nil, err
	}
	f := d.json.Fields(2)
	f[value.FunctionName] = d.bounded(name)
	f[value.FunctionArguments] = d.arguments(v)
	return f, nil
}

// arguments returns the arguments of the function v: an object, whatever form
// they are given in, or an Unknown value.
func (d *decoder) arguments(v *value.Value) *value.Value {
	a := v.Get("arguments")
	if a == nil {
		empty := *value.EmptyDict
		return value.Within(v, &empty)
	}
	if d.bounded(a); a.Kind() == value.Unknown && a.Causes()[0].Reason == value.TooLarge {
		value.MakeOpaque(a)
		return a
	}
	switch {
	case a.Kind() == value.Dict:
		return a
	case a.Kind() == value.None || a.Kind() == value.Str && a.Text() == "":
		value.MakeEmptyDict(a)
		return a
	case a.Kind() == value.Str:
		return d.textArguments(v, a)
	}
	return d.badArguments(a, "the arguments are "+describe(a)+", want an object")
}

// textArguments reads the arguments a, which are text, and puts what they say
// in their place in v.
func (d *decoder) textArguments(v, a *value.Value) *value.Value {
	lim := value.JSONLimits{Depth: d.opts.MaxDepth, Values: max(d.left, 1)}
	args, err := d.inner.Parse(a.Text(), lim)
	d.left = d.inner.Left()
	switch {
	case err != nil:
		return d.badArguments(a, fmt.Sprintf("the arguments do not parse: %v", err))
	case args.Kind() != value.Dict:
		return d.badArguments(a, "the arguments are JSON text of "+describe(args)+", want an object")
	}
	if d.places != nil {
		d.places[args] = d.placeOf(a)
	}
	value.Graft(v, a.Index(), args)
	for _, l := range d.inner.Lone() {
		d.problem(l, value.BadText, "a text with a lone surrogate")
	}
	return args
}

func (d *decoder) badArguments(a *value.Value, msg string) *value.Value {
	value.MakeUnknown(a, value.BadArguments, msg)
	value.MakeOpaque(a)
	d.problem(a, value.BadArguments, msg)
	return a
}
