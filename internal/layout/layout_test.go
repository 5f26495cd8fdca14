// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package layout_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/trace"
)

func read(t testing.TB, src string) *layout.Mapping {
	t.Helper()
	m, err := layout.Read("m.json", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func open(t testing.TB, name string) *layout.Mapping {
	t.Helper()
	m, err := layout.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// decoded returns the events of src as JSON, or the error.
func decoded(src string, l *trace.Layout) string {
	tr, err := trace.Decode([]byte(src), &trace.DecodeOptions{Layout: l})
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, e := range tr.Events {
		text, err := e.MarshalJSON()
		if err != nil {
			return err.Error()
		}
		out = append(out, string(text))
	}
	return strings.Join(out, "\n")
}

const run = `{"suite_name":"s","pipeline_name":"p","user_task_id":"u","messages":[%s]}`

func TestAgentDojo(t *testing.T) {
	for _, c := range []struct{ name, messages, want string }{
		{
			"calls and outputs",
			`{"role":"assistant","content":null,"tool_calls":[{"function":"f","args":{"a":1},"id":"x"}]},
			 {"role":"tool","content":"ok","tool_call_id":"x","tool_call":{"function":"f","args":{"a":1},"id":"x"},"error":null}`,
			`{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"f","arguments":{"a":1}},"id":"x"}]}
{"role":"tool","content":"ok","tool_call_id":"x","tool_call":{"function":"f","args":{"a":1},"id":"x"},"error":null}`,
		},
		{
			"content in parts",
			`{"role":"user","content":[{"type":"text","content":"a"},{"type":"other","x":1}]}`,
			`{"role":"user","content":[{"type":"text","text":"a"},{"type":"other","x":1}]}`,
		},
		{
			"no ids, parallel calls",
			`{"role":"assistant","tool_calls":[{"function":"f","args":{}},{"function":"g","args":{},"id":""},{"function":"h","args":null,"id":null}]},
			 {"role":"tool","content":"1","tool_call_id":null},{"role":"tool","content":"2"},{"role":"tool","content":"3","tool_call_id":""},
			 {"role":"tool","content":"too many","tool_call_id":""}`,
			`{"role":"assistant","tool_calls":[{"id":"c0","function":{"name":"f","arguments":{}}},{"function":{"name":"g","arguments":{}},"id":"c1"},{"function":{"name":"h","arguments":{}},"id":"c2"}]}
{"role":"tool","content":"1","tool_call_id":"c0"}
{"tool_call_id":"c1","role":"tool","content":"2"}
{"role":"tool","content":"3","tool_call_id":"c2"}
{"role":"tool","content":"too many","tool_call_id":""}`,
		},
		{
			"ids that repeat, beside one that does not",
			`{"role":"assistant","tool_calls":[{"function":"f","args":{},"id":"x"},{"function":"g","args":{},"id":"c0"},{"function":"h","args":{},"id":"x"}]},
			 {"role":"tool","content":"f","tool_call_id":"x"},{"role":"tool","content":"h","tool_call_id":"x"},{"role":"tool","content":"h again","tool_call_id":"x"},
			 {"role":"tool","content":"g","tool_call_id":"c0"},{"role":"tool","content":"nobody's","tool_call_id":"y"}`,
			`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}},"id":"c0_"},{"function":{"name":"g","arguments":{}},"id":"c0"},{"function":{"name":"h","arguments":{}},"id":"c2"}]}
{"role":"tool","content":"f","tool_call_id":"c0_"}
{"role":"tool","content":"h","tool_call_id":"c2"}
{"role":"tool","content":"h again","tool_call_id":"c2"}
{"role":"tool","content":"g","tool_call_id":"c0"}
{"role":"tool","content":"nobody's","tool_call_id":"y"}`,
		},
		{"no arguments", `{"role":"assistant","tool_calls":[{"function":"f","id":"x"}]}`, `line 1, offset 103, messages.0.tool_calls.0: no arguments at "/args"`},
		{"no name", `{"role":"assistant","tool_calls":[{"args":{},"id":"x"}]}`, `line 1, offset 103, messages.0.tool_calls.0: no name at "/function"`},
		{"other letters", `{"role":"assistant","tool_calls":[{"function":"f","args":{},"Args":{}}]}`, `line 1, offset 136, messages.0.tool_calls.0.Args: the key "Args", want "args"`},
		{"a bad role", `{"role":"x"}`, `line 1, offset 77, messages.0.role: the role is "x", want one of system, developer, user, assistant, tool, function`},
		{"a bad name", `{"role":"user"},{"role":"assistant","tool_calls":[{"args":{},"function":7}]}`, `line 1, offset 141, messages.1.tool_calls.0.function: "name" is a number, want a string`},
		{"an id that is a number", `{"role":"assistant","tool_calls":[{"args":{},"function":"f","id":1}]}`, `line 1, offset 134, messages.0.tool_calls.0.id: "id" is a number, want a string or null`},
		{"a call that is none", `{"role":"assistant","tool_calls":[7]}`, `line 1, offset 103, messages.0.tool_calls.0: a call that is no object`},
		{"calls that are none", `{"role":"assistant","tool_calls":7}`, `line 1, offset 102, messages.0.tool_calls: "tool_calls" is a number, want a list`},
		{"no message", `7`, `line 1, offset 69, messages.0: want an event: an object with "role" (a message or a tool output), "function" (a tool call) or "tools" (a listing of tools); got a number`},
	} {
		if got := decoded(fmt.Sprintf(run, c.messages), layout.Recognised()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if got, want := decoded(fmt.Sprintf(run, c.messages), open(t, "agentdojo").Layout()), c.want; got != want {
			t.Errorf("%s, named:\n got %s\nwant %s", c.name, got, want)
		}
	}
}

// TestOwnLayout makes sure that what is not recognised is read as ever.
func TestOwnLayout(t *testing.T) {
	for _, src := range []string{
		`[{"role":"user","content":"a"}]`,
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"a\":1}"}}]}],"suite_name":"x"}`,
		`[{"function":{"name":"f","arguments":{}}},{"tools":[{"name":"f"}]}]`,
		`{"messages":7}`, `{}`, `7`, `[7]`, `[{"role":"x"}]`, `[{"role":"user","Content":""}]`, `{"messages":[],"Messages":[]}`,
	} {
		want := decoded(src, nil)
		for name, l := range map[string]*trace.Layout{"recognised": layout.Recognised(), "openai": open(t, "openai").Layout()} {
			if got := decoded(src, l); got != want {
				t.Errorf("%s, %s:\n got %s\nwant %s", src, name, got, want)
			}
		}
	}
}

// TestMapping reads one trace in several shapes.
func TestMapping(t *testing.T) {
	for _, c := range []struct{ name, mapping, src, want string }{
		{
			"roles, content and calls in a nested object", `{
				"messages": "/run/steps",
				"message": {"role": "/from", "content": "/body/text", "tool_calls": "/body/actions", "tool_call_id": "/re", "timestamp": "/at"},
				"call": {"id": "/no", "name": "/tool", "arguments": "/with/input"},
				"roles": {"human": "user", "ai": "assistant", "result": "tool"}}`,
			`{"run":{"steps":[
				{"from":"human","body":{"text":"hi","lang":"en"},"at":5},
				{"from":"ai","body":{"text":null,"actions":[{"no":"1","tool":"f","with":{"input":{"a":{"b":1}}},"type":"x"}]}},
				{"from":"result","re":"1","body":{"text":"ok"},"usage":{"n":1}}]}}`,
			`{"role":"user","content":"hi","timestamp":5}
{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a":{"b":1}}},"type":"x"}]}
{"role":"tool","tool_call_id":"1","content":"ok","usage":{"n":1}}`,
		},
		{
			"the trace itself is the list, one call is no list", `{"messages": "", "message": {"tool_calls": "/action"}, "call": {"name": "/name", "arguments": "/params"}}`,
			`[{"role":"assistant","action":{"name":"f","params":{"a":[1]}}}]`,
			`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"a":[1]}}}]}`,
		},
		{
			"tools elsewhere", `{"messages": "/log", "tools": "/meta/tools"}`,
			`{"log":[{"role":"user","content":"a"}],"meta":{"tools":[{"name":"f"}]}}`,
			`{"tools":[{"name":"f"}]}` + "\n" + `{"role":"user","content":"a"}`,
		},
		{
			"what is ignored", `{"message": {"content": "/text"}, "ignore": ["/content"]}`,
			`[{"role":"user","text":"a","content":"b"}]`, `{"role":"user","content":"a"}`,
		},
		{
			"escapes in a pointer, an index", `{"message": {"content": "/a~1b~0/1"}}`,
			`[{"role":"user","a/b~":["x","y"]}]`, `{"role":"user","content":"y"}`,
		},
		{
			"arguments as text", `{"call": {"name": "/n", "arguments": "/a"}}`,
			`[{"role":"assistant","tool_calls":[{"n":"f","a":"{\"x\":1}"}]}]`,
			`{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}}]}`,
		},
		{"no role", `{"message": {"role": "/from"}}`, `[{"role":"user","content":""}]`, `line 1, offset 1, 0: no role at "/from"`},
		{"no messages", `{"messages": "/traj"}`, `{"messages":[]}`, `line 1, offset 0: no messages at "/traj"`},
		{"no list of messages", `{"messages": "/traj"}`, `{"traj":{}}`, `line 1, offset 8, traj: what stands at "/traj" is no list of messages`},
		{"messages twice", `{"messages": "/traj"}`, `{"traj":[],"Messages":[]}`, `line 1, offset 22, Messages: "Messages" stands beside /traj and /tools, which the mapping takes instead; map it or ignore it`},
		{"content twice", `{"message": {"content": "/text"}}`, `[{"role":"user","text":"a","content":"b"}]`, `line 1, offset 37, 0.content: "content" stands beside /text, which the mapping takes for the content; map it or ignore it`},
		{"neither content nor calls", `{"message": {"content": "/text"}}`, "[\n{\"role\":\"user\",\"txt\":\"a\"}]", `line 2, offset 2, 0: a message without content at "/text" and without calls at "/tool_calls"`},
		{
			"outputs without any call", `{"message": {"tool_calls": "/acts"}}`, `[{"role":"assistant","act":[]},{"role":"tool","content":"a"}]`,
			`line 1, offset 31, 1: an output of a tool, but no call at "/acts" in the whole trace`,
		},
		{
			"calls that nobody maps", `{"message": {"role": "/m/role", "content": "/m/content"}}`, `[{"m":{"role":"user","content":"a","tool_calls":[]}}]`,
			`line 1, offset 48, 0.m.tool_calls: "/m/tool_calls" stands beside what the mapping takes, but nothing says what it is; map it or ignore it`,
		},
		{"a role in other letters", `{"message": {"role": "/from"}}`, `[{"from":"user","From":"tool","content":""}]`, `line 1, offset 23, 0.From: the key "From", want "from"`},
		{"a part without text", `{"part": {"text": "/content"}}`, `[{"role":"user","content":[{"type":"text","text":"a"}]}]`, `line 1, offset 27, 0.content.0: no text at "/content"`},
		{"a role that nobody knows", `{"roles": {"human": "user"}}`, `[{"role":"humans"}]`, `line 1, offset 9, 0.role: the role is "humans", want one of system, developer, user, assistant, tool, function`},
	} {
		if got := decoded(c.src, read(t, c.mapping).Layout()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestMappingErrors(t *testing.T) {
	for src, want := range map[string]string{
		`{`:                               `line 1: want a key in double quotes, got the end`,
		"{\n\"ids\":\"order\",,}":         `line 2: want a key in double quotes, got ','`,
		`{"ids":"given","ids":""}`:        `line 1: the key "ids" comes twice in one object`,
		`[]`:                              `want an object whose values are JSON pointers`,
		`{"mesages":"/a"}`:                `unknown key "mesages", did you mean "messages"?`,
		`{"Messages":"/a"}`:               `unknown key "Messages", did you mean "messages"?`,
		`{"xyz":"/a"}`:                    `unknown key "xyz", want one of traces, messages, tools, message, call, part, roles, ids, ignore`,
		`{"messages":7}`:                  `"messages" is no JSON pointer: want a string`,
		`{"messages":"traj"}`:             `"messages": the JSON pointer "traj" does not begin with a slash; did you mean "/traj"?`,
		`{"messages":"/a~2b"}`:            `"messages": in the JSON pointer "/a~2b", a ~ is not followed by 0 or 1: ~ itself is written ~0, / is written ~1`,
		`{"tools":""}`:                    `"tools": the pointer "" is to the whole, want one to a part of it`,
		`{"messages":"/tools/messages"}`:  `messages (/tools/messages) and tools (/tools) are in one another`,
		`{"traces":""}`:                   `"traces": the pointer "" is to the whole document; a document that is a list of traces needs no "traces"`,
		`{"message":"/a"}`:                `"message": want an object whose values are JSON pointers`,
		`{"message":{"rol":"/a"}}`:        `unknown key "rol" in "message", did you mean "role"?`,
		`{"message":{"id":"/a"}}`:         `unknown key "id" in "message", want one of role, content, tool_calls, tool_call_id, timestamp, metadata, server`,
		`{"call":{"name":null}}`:          `"call.name" is no JSON pointer: want a string`,
		`{"call":{"name":""}}`:            `"call.name": the pointer "" is to the whole, want one to a part of it`,
		`{"call":{"name":"/function"}}`:   `"call": name (/function) and arguments (/function/arguments) are in one another`,
		`{"message":{"role":"/content"}}`: `"message": role (/content) and content (/content) are in one another`,
		`{"roles":{"human":"person"}}`:    `"roles": "human" is to be "person", want one of system, developer, user, assistant, tool, function`,
		`{"roles":["user"]}`:              `"roles": want an object that names our role for each of theirs`,
		`{"ids":"ordered"}`:               `"ids": want "given" (an output answers the call it names) or "order" (without a useful id, the call that has waited longest)`,
		`{"ignore":"/a"}`:                 `"ignore": want a list of JSON pointers`,
		`{"ignore":["a"]}`:                `"ignore.0": the JSON pointer "a" does not begin with a slash; did you mean "/a"?`,
	} {
		_, err := layout.Read("m.json", []byte(src))
		if err == nil {
			t.Errorf("%s: no error, want %s", src, want)
		} else if got := strings.TrimPrefix(err.Error(), "mapping m.json: "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", src, got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "map.json")
	if err := os.WriteFile(path, []byte(`{"messages":"/traj"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := decoded(`{"traj":[{"role":"user"}]}`, open(t, path).Layout()); got != `{"role":"user"}` {
		t.Error(got)
	}
	for _, name := range []string{filepath.Dir(path), path + "x"} {
		if _, err := layout.Open(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPositions finds the parts of arranged traces in the file they come from.
func TestPositions(t *testing.T) {
	src := strings.Replace(fmt.Sprintf(run, `
  {"role": "user", "content": [{"type": "text", "content": "é"}]},
  {"role": "assistant", "content": null, "tool_calls": [
    {"function": "f", "args": {"to": "x", "n": {"a.b": [1, 2]}}, "id": ""},
    {"function": "g", "args": "{\"to\": 1}", "id": ""}]},
  {"role": "tool", "content": "ok"}
`), "\n\n", "\n", 1)
	rec := trace.Record{Text: src, Line: 10, Column: 3}
	opts := &trace.DecodeOptions{Layout: layout.Recognised()}
	for address, want := range map[string][2]int{
		"0":                                    {11, 3},
		"0.content.0.text":                     {11, 60},
		"1.tool_calls.0":                       {13, 5},
		"1.tool_calls.0.id":                    {13, 5},
		"1.tool_calls.0.function.name":         {13, 18},
		"1.tool_calls.0.function.arguments.to": {13, 38},
		`1.tool_calls.0.function.arguments.n."a.b".1`: {13, 60},
		"1.tool_calls.1.function":                     {14, 5},
		"1.tool_calls.1.function.arguments.to":        {14, 31},
		"2.content:1-2":                               {15, 33},
		"2.nothing":                                   {15, 3},
		"7":                                           {10, 3},
		"":                                            {10, 3},
	} {
		if line, column := rec.Position(address, opts); line != want[0] || column != want[1] {
			t.Errorf("%s is at %d:%d, want %d:%d", address, line, column, want[0], want[1])
		}
	}
}

// TestArrangedAgain makes sure that an arranged event is one of our own: what
// it is written as decodes to the same without the layout.
func TestArrangedAgain(t *testing.T) {
	got := decoded(fmt.Sprintf(run, `{"role":"assistant","tool_calls":[{"function":"f","args":{"a":1}}]},{"role":"tool","content":[{"type":"text","content":"x"}]}`), layout.Recognised())
	again := decoded("["+strings.ReplaceAll(got, "\n", ",")+"]", nil)
	if got != again {
		t.Errorf("got %s, then %s", got, again)
	}
	if !json.Valid([]byte(strings.Split(got, "\n")[0])) {
		t.Errorf("%s is no JSON", got)
	}
}
