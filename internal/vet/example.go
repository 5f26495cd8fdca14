// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// example makes a trace of one event, as JSON, of the reading that a question
// was answered with. It fails where the reading is not certain to be one, or
// is of something that no trace states.
func example(el element, got outcome) (string, bool) {
	for a, mask := range got.atoms {
		switch {
		case a.before != "":
			return "", false
		case a.term == nil && !(strings.HasPrefix(a.key, "there ") && mask&isTrue != 0):
			return "", false
		}
	}
	values := map[string]any{}
	terms := slices.SortedFunc(maps.Keys(got.readings), func(a, b *term) int { return strings.Compare(a.key, b.key) })
	for _, t := range terms { // shorter paths first: a key goes behind its beginning
		v, there, ok := got.readings[t].json()
		if !ok || !got.readings[t].certain || t.root != el || len(t.path) == 0 {
			return "", false
		}
		if !put(values, t.path, v, there) {
			return "", false
		}
	}
	tool, _ := values["tool"].(map[string]any)
	if values["name"] == any(absent{}) || tool["name"] == any(absent{}) {
		return "", false // there is no call without a name
	}
	strip(values)
	return event(el.typ, values)
}

// json returns a reading as a value of JSON; there is false for one that is
// absent.
func (v reading) json() (x any, there, ok bool) {
	switch {
	case v.kind == isText:
		return v.text, true, true
	case v.kind == isNumber:
		n, ok := jsonNumber(v.number)
		return n, true, ok
	case v.kind == isBool:
		return v.boolean, true, true
	case v.kind == isNone:
		return nil, true, true
	case v.kind == isMissing:
		return nil, false, true
	case v.kind == isList:
		return []any{}, true, true
	case v.kind == isDict:
		return map[string]any{}, true, true
	}
	return nil, false, false
}

// jsonNumber writes a number exactly, if it is an int or a double.
func jsonNumber(x *big.Rat) (json.Number, bool) {
	if x.IsInt() {
		return json.Number(x.Num().String()), true
	}
	if _, exact := x.Float64(); !exact {
		return "", false
	}
	return json.Number(x.FloatString(60)), true
}

// put puts a value at a path, in dicts that it makes. It fails where something
// else stands on the way.
func put(in map[string]any, path []string, v any, there bool) bool {
	for _, p := range path[:len(path)-1] {
		next, ok := in[p]
		if !ok {
			next = map[string]any{}
			in[p] = next
		}
		dict, ok := next.(map[string]any)
		if !ok {
			return false
		}
		in = dict
	}
	last := path[len(path)-1]
	if _, taken := in[last]; taken {
		return false
	}
	if in[last] = v; !there {
		in[last] = absent{}
	}
	return true
}

// absent stands where a key must not be, until all values are put.
type absent struct{}

// strip takes what is absent away.
func strip(in map[string]any) {
	for key, v := range in {
		switch v := v.(type) {
		case absent:
			delete(in, key)
		case map[string]any:
			strip(v)
		}
	}
}

// event makes a trace of one event of a type, and of what comes with it.
func event(typ string, values map[string]any) (string, bool) {
	var entries []any
	switch typ {
	case "ToolCall":
		call, ok := callOf(values)
		if !ok {
			return "", false
		}
		entries = []any{message("assistant", "", call)}
	case "ToolOutput":
		tool, _ := values["tool"].(map[string]any)
		call, ok := callOf(tool)
		if !ok || !only(values, "tool", "content") {
			return "", false
		}
		output := map[string]any{"role": "tool", "tool_call_id": "1", "content": ""}
		if v, there := values["content"]; there {
			output["content"] = v
		}
		entries = []any{message("assistant", "", call), output}
	case "Message", "UserMessage", "AgentMessage", "SystemMessage":
		role := map[string]string{"AgentMessage": "assistant", "SystemMessage": "system"}[typ]
		if role == "" {
			role = "user"
		}
		if !only(values, "role", "content") {
			return "", false
		}
		m := message(role, "")
		maps.Copy(m, values)
		entries = []any{m}
	default:
		return "", false
	}
	out, err := json.Marshal(entries)
	return string(out), err == nil
}

func message(role string, content any, calls ...any) map[string]any {
	m := map[string]any{"role": role, "content": content}
	if len(calls) > 0 {
		m["tool_calls"] = calls
	}
	return m
}

// callOf makes a call of the values of its members.
func callOf(values map[string]any) (map[string]any, bool) {
	if !only(values, "name", "arguments", "server") {
		return nil, false
	}
	function := map[string]any{"name": "some_tool", "arguments": map[string]any{}}
	for key, v := range values {
		if key != "server" {
			function[key] = v
		}
	}
	if _, ok := function["name"].(string); !ok {
		return nil, false
	}
	if _, ok := function["arguments"].(map[string]any); !ok {
		return nil, false
	}
	call := map[string]any{"id": "1", "type": "function", "function": function}
	if s, there := values["server"]; there {
		call["server"] = s
	}
	return call, true
}

func only(values map[string]any, keys ...string) bool {
	for key := range values {
		if !slices.Contains(keys, key) {
			return false
		}
	}
	return true
}
