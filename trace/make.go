// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// The constructors build the event that decoding its JSON would, so that an
// event means the same however it came to be. Text that is no UTF-8, and
// arguments that JSON cannot express, are unknown to every rule that reads them.

// UserText returns a message of the user.
func UserText(text string) *Event { return message("user", text) }

// SystemText returns a message of the system.
func SystemText(text string) *Event { return message("system", text) }

// AssistantText returns a message of the assistant without calls.
func AssistantText(text string) *Event { return message("assistant", text) }

// A CallSpec is a tool call of an assistant's message. Arguments are a
// map[string]any or another value that encodes as a JSON object, or JSON text
// as a string, []byte or json.RawMessage; nil means none.
type CallSpec struct {
	ID, Name  string
	Arguments any
}

// Calls returns a message of the assistant with tool calls; without text, its
// content is null.
func Calls(text string, calls ...CallSpec) *Event {
	b := []byte(`{"role":"assistant","content":`)
	if text == "" {
		b = append(b, "null"...)
	} else {
		b = value.AppendQuoted(b, text)
	}
	b = append(b, `,"tool_calls":[`...)
	for i, c := range calls {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendCall(b, c)
	}
	return made(append(b, "]}"...))
}

// Call returns a tool call that stands alone.
func Call(id, name string, args map[string]any) *Event {
	var a any
	if args != nil {
		a = args
	}
	return made(appendCall(nil, CallSpec{id, name, a}))
}

// Output returns what the call with the given id gave back.
func Output(id, text string) *Event {
	b := []byte(`{"role":"tool"`)
	if id != "" {
		b = value.AppendQuoted(append(b, `,"tool_call_id":`...), id)
	}
	b = value.AppendQuoted(append(b, `,"content":`...), text)
	return made(append(b, '}'))
}

// A ToolSpec is a tool of a listing. InputSchema is JSON Schema, as a value that
// encodes as JSON or as JSON text; nil means none.
type ToolSpec struct {
	Name, Description string
	InputSchema       any
}

// ListTools returns the listing of a server's tools; server may be "". A schema
// that DecodeEvent would refuse is an error.
func ListTools(server string, tools ...ToolSpec) (*Event, error) {
	b := []byte(`{`)
	if server != "" {
		b = value.AppendQuoted(append(b, `"server":`...), server)
		b = append(b, ',')
	}
	b = append(b, `"tools":[`...)
	for i, t := range tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = value.AppendQuoted(append(b, `{"name":`...), t.Name)
		b = value.AppendQuoted(append(b, `,"description":`...), t.Description)
		if t.InputSchema != nil {
			b = appendAny(append(b, `,"inputSchema":`...), t.InputSchema)
		}
		b = append(b, '}')
	}
	return DecodeEvent(append(b, "]}"...), unbounded)
}

func message(role, text string) *Event {
	b := append([]byte(`{"role":"`), role...)
	b = value.AppendQuoted(append(b, `","content":`...), text)
	return made(append(b, '}'))
}

func appendCall(b []byte, c CallSpec) []byte {
	b = append(b, '{')
	if c.ID != "" {
		b = value.AppendQuoted(append(b, `"id":`...), c.ID)
		b = append(b, ',')
	}
	b = value.AppendQuoted(append(b, `"type":"function","function":{"name":`...), c.Name)
	b = append(b, `,"arguments":`...)
	switch a := c.Arguments.(type) {
	case nil:
		b = append(b, "{}"...)
	case string:
		b = value.AppendQuoted(b, a)
	case []byte:
		b = value.AppendQuoted(b, string(a))
	default:
		b = appendAny(b, a)
	}
	return append(b, "}}"...)
}

// appendAny appends x as a string that holds its JSON text if x is JSON text or
// has some that the strict parser refuses, so that it is unknown and not an
// error; otherwise as JSON.
func appendAny(b []byte, x any) []byte {
	switch t := x.(type) {
	case json.RawMessage:
		return appendText(b, t)
	case []byte:
		return appendText(b, t)
	case string:
		return appendText(b, []byte(t))
	}
	text, err := appendGo(nil, x, DefaultMaxDepth)
	if err != nil {
		return value.AppendQuoted(b, "not expressed in JSON: "+err.Error())
	}
	return appendText(b, text)
}

// appendGo appends the Go value x, nested at most depth deep, as JSON. The kinds
// that decoded JSON consists of are written here, because encoding/json replaces
// what is no UTF-8 by another text.
func appendGo(b []byte, x any, depth int) ([]byte, error) {
	if depth < 0 {
		return nil, fmt.Errorf("nested deeper than %d", DefaultMaxDepth)
	}
	switch t := x.(type) {
	case string:
		return value.AppendQuoted(b, t), nil
	case float64:
		v := value.FloatOf(t)
		if v.Kind() == value.Unknown {
			return nil, fmt.Errorf("the number %v", t)
		}
		return value.AppendJSON(b, v), nil
	case []any:
		return appendGoList(b, t, depth-1)
	case map[string]any:
		return appendGoMap(b, t, depth-1)
	}
	text, err := json.Marshal(x)
	return append(b, text...), err
}

func appendGoList(b []byte, list []any, depth int) ([]byte, error) {
	b = append(b, '[')
	for i, x := range list {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendGo(b, x, depth); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// appendGoMap writes the keys in their order, so that the same map gives the
// same event.
func appendGoMap(b []byte, m map[string]any, depth int) ([]byte, error) {
	b = append(b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(value.AppendQuoted(b, k), ':')
		var err error
		if b, err = appendGo(b, m[k], depth); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// unbounded is for what an embedder makes in memory. The size of elements and
// depth stay bounded.
var unbounded = &DecodeOptions{MaxBytes: math.MaxInt, MaxValues: math.MaxInt}

// made decodes what a constructor wrote, which cannot be refused.
func made(src []byte) *Event {
	e, err := DecodeEvent(src, unbounded)
	if err != nil {
		panic("trace: a constructor wrote an event that does not decode: " + err.Error())
	}
	return e
}

// Digest returns the SHA-256 of events as they are encoded by MarshalJSON, each
// with its length before it. It is what an approval of pending events is bound
// to.
func Digest(events ...*Event) [sha256.Size]byte {
	h := sha256.New()
	for _, e := range events {
		text := value.AppendJSON(nil, e.root)
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write(text)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func appendText(b, text []byte) []byte {
	if _, err := value.ParseJSON(string(text), value.JSONLimits{Depth: DefaultMaxDepth - 8}); err != nil {
		return value.AppendQuoted(b, string(text))
	}
	return append(b, text...)
}
