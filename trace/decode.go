// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"fmt"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// The defaults of DecodeOptions.
const (
	DefaultMaxBytes   = 64 << 20
	DefaultMaxEvents  = 1 << 20
	DefaultMaxDepth   = value.DefaultDepth
	DefaultMaxValues  = value.DefaultValues
	DefaultMaxElement = 1 << 20
)

// DecodeOptions bound what is decoded. Nil and zero fields mean the defaults.
type DecodeOptions struct {
	Strict     bool // refuse what has a Problem
	MaxBytes   int  // of one trace, or of one event that is decoded alone
	MaxEvents  int  // of one trace
	MaxDepth   int  // of objects and lists in an event, itself included
	MaxValues  int  // JSON values of one trace, which bounds the memory it takes
	MaxElement int  // bytes of a text, of the arguments of a call and the like; more is unknown

	Layout *Layout // of the traces; nil: as Decode says
}

func (o *DecodeOptions) filled() DecodeOptions {
	var f DecodeOptions
	if o != nil {
		f = *o
	}
	for _, d := range []struct {
		limit    *int
		standard int
	}{
		{&f.MaxBytes, DefaultMaxBytes},
		{&f.MaxEvents, DefaultMaxEvents},
		{&f.MaxDepth, DefaultMaxDepth},
		{&f.MaxValues, DefaultMaxValues},
		{&f.MaxElement, DefaultMaxElement},
	} {
		if *d.limit <= 0 {
			*d.limit = d.standard
		}
	}
	return f
}

// An Error says why an input is no trace, and where.
type Error struct {
	Line   int    // of the input, from 1
	Path   string // in the JSON value that was read, "messages.3.role"; "" for all of it
	Offset int64  // in bytes, from the beginning of the input
	Msg    string
}

// Error returns the message with its place.
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("line %d, offset %d: %s", e.Line, e.Offset, e.Msg)
	}
	return fmt.Sprintf("line %d, offset %d, %s: %s", e.Line, e.Offset, e.Path, e.Msg)
}

// Decode reads one trace: a list of events or {"messages": […]}. If a listing
// stands beside the messages, as "tools", it is the first event of the trace. An
// error is an *Error.
func Decode(src []byte, opts *DecodeOptions) (*Trace, error) {
	d := decoder{opts: opts.filled(), line: 1}
	if len(src) > d.opts.MaxBytes {
		return nil, d.tooLong()
	}
	t, err := d.trace(string(src))
	if err != nil {
		return nil, err
	}
	return t, nil
}

// DecodeEvent reads one event. An error is an *Error.
func DecodeEvent(src []byte, opts *DecodeOptions) (*Event, error) {
	d := decoder{opts: opts.filled(), line: 1}
	if len(src) > d.opts.MaxBytes {
		return nil, d.tooLong()
	}
	e := new(Event)
	if err := d.single(e, string(src)); err != nil {
		return nil, err
	}
	return e, nil
}

// decoder reads traces one after the other.
type decoder struct {
	opts  DecodeOptions
	json  value.JSONParser
	inner value.JSONParser // for arguments that are given as text

	line int   // of the text being read, in the input
	base int64 // its offset in the input
	src  string

	// Where each value of the text stands, if a second reading notes it: what a
	// layout has arranged does not say that itself.
	places map[*value.Value]int

	lone     map[*value.Value][]*value.Value // lone surrogates by the entry they are in
	root     *value.Value                    // of the event being made
	problems []Problem                       // of the event being made
	left     int                             // values that arguments given as text may hold
	sized    bool                            // the text is so long that elements may be too large
}

func (d *decoder) tooLong() *Error {
	return &Error{Line: d.line, Offset: d.base, Msg: fmt.Sprintf("a trace longer than %d bytes", d.opts.MaxBytes)}
}

// parse reads src, in which events stand below so many levels.
func (d *decoder) parse(src string, levels int) (*value.Value, *Error) {
	d.src = src
	d.json.Places = d.places
	d.sized = len(src) > d.opts.MaxElement
	v, err := d.json.Parse(src, value.JSONLimits{Depth: d.opts.MaxDepth + levels, Values: d.opts.MaxValues})
	if err != nil {
		return nil, d.jsonError(err)
	}
	d.lone, d.left = nil, d.json.Left()
	return v, nil
}

func (d *decoder) jsonError(err error) *Error {
	e := err.(*value.JSONError) //nolint:errorlint // Parse documents its type
	return d.at(e.Offset, e.Path, e.Msg)
}

func (d *decoder) at(offset int, path, msg string) *Error {
	line := d.line + strings.Count(d.src[:offset], "\n")
	return &Error{Line: line, Path: path, Offset: d.base + int64(offset), Msg: msg}
}

// fail returns the error msg about v, which is part of what parse returned.
func (d *decoder) fail(v *value.Value, format string, args ...any) *Error {
	msg := fmt.Sprintf(format, args...)
	if d.places != nil {
		at := d.placeOf(v)
		return d.at(at, value.PathAt(d.src, at), msg)
	}
	return d.at(value.Locate(d.src, v), value.Path(v), msg)
}

// single reads a text that is one event.
func (d *decoder) single(e *Event, src string) *Error {
	v, err := d.parse(src, 0)
	if err != nil {
		return err
	}
	d.sortLone(nil, nil)
	return d.event(e, v)
}

// sortLone sorts the lone surrogates of the text by the entry of list that they
// are in; those within tools are under tools, all others under the root.
func (d *decoder) sortLone(list, tools *value.Value) {
	if len(d.json.Lone()) == 0 {
		return
	}
	d.lone = make(map[*value.Value][]*value.Value)
	for _, l := range d.json.Lone() {
		entry := l
		for p := l.Parent(); p != nil && p != list && entry != tools; p = p.Parent() {
			entry = p
		}
		d.lone[entry] = append(d.lone[entry], l)
	}
}

// trace reads a text that is one trace.
func (d *decoder) trace(src string) (*Trace, *Error) {
	t, err := d.once(src)
	if err == nil || d.opts.Layout == nil || d.places != nil {
		return t, err
	}
	d.places = make(map[*value.Value]int)
	_, err = d.once(src)
	d.places = nil
	return nil, err
}

// once is one reading of trace.
func (d *decoder) once(src string) (*Trace, *Error) {
	levels := 1
	if strings.HasPrefix(strings.TrimLeft(src, " \t\r\n"), "{") {
		levels = d.opts.Layout.levels()
	}
	v, err := d.parse(src, levels)
	if err != nil {
		return nil, err
	}
	if v, err = d.arrange(v); err != nil {
		return nil, err
	}
	list, tools, err := d.entries(v)
	if err != nil {
		return nil, err
	}
	d.sortLone(list, tools)
	entries := list.Items()
	if n := len(entries); n > d.opts.MaxEvents {
		return nil, d.fail(entries[d.opts.MaxEvents], "more than %d events", d.opts.MaxEvents)
	}
	return d.events(entries, tools)
}

// entries returns the list of events as it stands in v, and the list of tools
// that stands beside it, nil if there is none.
func (d *decoder) entries(v *value.Value) (list, tools *value.Value, err *Error) {
	const want = `want a list of events or an object with "messages"`
	switch v.Kind() {
	case value.List:
		return v, nil, nil
	case value.Dict:
	default:
		return nil, nil, d.fail(v, want+", got %s", describe(v))
	}
	if err := d.variants(v, traceKeys); err != nil {
		return nil, nil, err
	}
	list = v.Get("messages")
	switch {
	case list == nil && isEvent(v):
		return nil, nil, d.fail(v, want+"; this is one event, put it into a list")
	case list == nil:
		return nil, nil, d.fail(v, want)
	case list.Kind() != value.List:
		return nil, nil, d.fail(list, `"messages" is %s, want a list of events`, describe(list))
	}
	if t := v.Get("tools"); t != nil && t.Kind() != value.None {
		tools = t
	}
	return list, tools, nil
}

// isEvent reports whether the object v looks like an event.
func isEvent(v *value.Value) bool {
	return v.Get("role") != nil || v.Get("function") != nil || v.Get("tools") != nil
}

func (d *decoder) events(entries []*value.Value, tools *value.Value) (*Trace, *Error) {
	n := len(entries)
	if tools != nil {
		n++
	}
	events := make([]Event, n)
	t := &Trace{Events: make([]*Event, 0, n)}
	for i, v := range entries {
		e := &events[n-len(entries)+i]
		if err := d.event(e, v); err != nil {
			return nil, err
		}
		t.Events = append(t.Events, e)
	}
	if tools != nil {
		if err := d.beside(&events[0], tools); err != nil {
			return nil, err
		}
		t.Events = append([]*Event{&events[0]}, t.Events...)
	}
	if d.opts.Strict {
		if err := d.orphan(t); err != nil {
			return nil, err
		}
	}
	d.release(t)
	return t, nil
}

// release makes the events trees of their own. Until then they are part of the
// text that was read, which is where errors point.
func (d *decoder) release(t *Trace) {
	for _, e := range t.Events {
		value.Detach(e.root)
	}
}

// beside makes the event of a listing that stands beside the messages.
func (d *decoder) beside(e *Event, tools *value.Value) *Error {
	listing := value.DictOf([]string{"tools"}, []*value.Value{tools})
	if err := d.event(e, listing); err != nil {
		return err
	}
	value.Graft(listing, 0, tools)
	return nil
}

// orphan returns an error for the first output of t that answers no call.
func (d *decoder) orphan(t *Trace) *Error {
	for _, p := range t.orphans() {
		return d.fail(p.at, "%s", p.Msg)
	}
	return nil
}

// Problems returns the problems of all events, with paths in the trace, those
// of outputs without their call included.
func (t *Trace) Problems() []Problem {
	var all []Problem
	orphans := t.orphans()
	for i, e := range t.Events {
		for _, p := range e.problems {
			p.Path = fmt.Sprintf("%d.%s", i, p.Path)
			all = append(all, p)
		}
		if len(orphans) > 0 && orphans[0].at == e.root {
			all = append(all, orphans[0])
			orphans = orphans[1:]
		}
	}
	return all
}

// orphans returns a problem for each output that answers no known call. It
// links by the rules of Log, without moving the events.
func (t *Trace) orphans() []Problem {
	var l Log
	var found []Problem
	for i, e := range t.Events {
		if e.Kind() == value.ToolOutput && l.answer(e.root) == none {
			found = append(found, Problem{
				Path: fmt.Sprint(i), Reason: value.NoLink, at: e.root, Msg: "an output whose call is not in the trace",
			})
		}
		for _, c := range e.Calls() {
			l.addCall(c)
		}
	}
	return found
}
