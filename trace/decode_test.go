// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

func decode(t testing.TB, src string) *trace.Trace {
	t.Helper()
	tr, err := trace.Decode([]byte(src), nil)
	if err != nil {
		t.Fatalf("Decode(%.200s): %v", src, err)
	}
	return tr
}

// placed decodes a trace and puts it into a log.
func placed(t testing.TB, src string) *trace.Log {
	t.Helper()
	var l trace.Log
	for _, e := range decode(t, src).Events {
		l.Append(e)
	}
	return &l
}

// elements lists the elements of type t in l as "address=value".
func elements(l *trace.Log, t *value.Type) []string {
	var out []string
	for i := range l.Len() {
		trace.Elements(l.At(i), t, func(v *value.Value) bool {
			out = append(out, show(v))
			return true
		})
	}
	return out
}

func show(v *value.Value) string {
	at, _ := value.Address(v)
	switch v.Kind() {
	case value.Unknown:
		return at + "=" + string(v.Causes()[0].Reason)
	case value.Str, value.Int, value.Float, value.Bool, value.Dict, value.List:
		return at + "=" + string(value.AppendJSON(nil, v))
	}
	return at
}

func TestForms(t *testing.T) {
	for _, c := range []struct{ name, src, kinds string }{
		{"list", `[{"role":"user","content":"a"}]`, "Message"},
		{"empty", `[]`, ""},
		{"messages", ` {"messages":[{"role":"user","content":"a"}],"annotations":[],"id":7}`, "Message"},
		{"tools beside", `{"messages":[{"role":"user","content":"a"}],"tools":[{"name":"x"}]}`, "listing Message"},
		{"roles", `[{"role":"system","content":"a"},{"role":"developer","content":"a"},{"role":"assistant","content":"a"},
			{"role":"tool","content":"a"},{"role":"function","content":"a","name":"f"}]`, "Message Message Message ToolOutput ToolOutput"},
		{"top-level call", `[{"id":"1","type":"function","function":{"name":"f","arguments":{}}}]`, "ToolCall"},
		{"listing", `[{"tools":[]}]`, "listing"},
		{
			"dumps of the public analyzer", `[{"metadata":{},"server":null,"role":"user","content":"…","tool_calls":[]},
			{"type":"Message","role":"assistant","content":null},
			{"metadata":{"trace_idx":1},"server":null,"role":"tool","content":"x","tool_call_id":null},
			{"metadata":{},"server":null,"id":null,"type":"function","function":{"name":"f","arguments":{}}}]`,
			"Message Message ToolOutput ToolCall",
		},
	} {
		var kinds []string
		for _, e := range decode(t, c.src).Events {
			kinds = append(kinds, e.Kind().String())
		}
		if got := strings.Join(kinds, " "); got != c.kinds {
			t.Errorf("%s: got %s, want %s", c.name, got, c.kinds)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ args, want, problem string }{
		{`,"arguments":{"a":1}`, `{"a":1}`, ""},
		{`,"arguments":"{\"a\": 1.0}"`, `{"a":1.0}`, ""},
		{`,"arguments":""`, `{}`, ""},
		{`,"arguments":null`, `{}`, ""},
		{``, `{}`, ""},
		{`,"arguments":" "`, `" "`, "the arguments do not parse: want a value, got the end at offset 1"},
		{`,"arguments":"{\"a\":1,\"a\":2}"`, `"{\"a\":1,\"a\":2}"`, `the arguments do not parse: the key "a" comes twice in one object at offset 7`},
		{`,"arguments":"null"`, `"null"`, "the arguments are JSON text of null, want an object"},
		{`,"arguments":"[1]"`, `"[1]"`, "the arguments are JSON text of a list, want an object"},
		{`,"arguments":[1]`, `[1]`, "the arguments are a list, want an object"},
		{`,"arguments":3`, `3`, "the arguments are a number, want an object"},
		{`,"arguments":"\ud800"`, `"\ud800"`, "the arguments are a text with a lone surrogate, want an object"},
	} {
		src := `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f"` + c.args + `}}]}]`
		e := decode(t, src).Events[0]
		call := e.Calls()[0]
		args := call.Field(value.CallArguments)
		if got := string(value.AppendJSON(nil, args)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.args, got, c.want)
		}
		if args != call.Field(value.CallFunction).Field(value.FunctionArguments) {
			t.Errorf("%s: the short form is another value", c.args)
		}
		problems := e.Problems()
		if c.problem == "" {
			if len(problems) != 0 || args.Kind() != value.Dict {
				t.Errorf("%s: %v %v", c.args, args.Kind(), problems)
			}
			continue
		}
		if args.Kind() != value.Unknown || args.Causes()[0].Reason != value.BadArguments || len(problems) == 0 ||
			problems[0].Msg != c.problem || problems[0].Path != "tool_calls.0.function.arguments" {
			t.Errorf("%s: %v %v, want %q", c.args, args.Kind(), problems, c.problem)
		}
	}
}

func TestRefused(t *testing.T) {
	deep := `[{"role":"user","content":"x","metadata":` + strings.Repeat(`[`, 64) + strings.Repeat(`]`, 64) + `}]`
	for _, c := range []struct{ src, path, msg string }{
		{`3`, "", `want a list of events or an object with "messages", got a number`},
		{`{"role":"user","content":"a"}`, "", `this is one event, put it into a list`},
		{`{"metadata":{}}`, "", `want a list of events or an object with "messages"`},
		{`{"messages":3}`, "messages", `"messages" is a number, want a list of events`},
		{`{"Messages":[]}`, "Messages", `the key "Messages", want "messages"`},
		{`[3]`, "0", `want an event: an object with "role"`},
		{`[{}]`, "0", `want an event: an object with "role"`},
		{`[{"role":"user","content":"a"},{"role":"bot","content":"a"}]`, "1.role", `the role is "bot", want one of system, developer,`},
		{`{"messages":[{"role":7}]}`, "messages.0.role", `the role is a number, want one of`},
		{`[{"role":null}]`, "0.role", "the role is null"},
		{`[{"role":"user","Content":"a"}]`, "0.Content", `the key "Content", want "content"`},
		{`[{"role":"assistant","tool_callſ":[]}]`, "0.tool_callſ", `want "tool_calls"`},
		{`[{"\u212AX":1,"role":"user","ROLE":"user"}]`, "0.ROLE", `want "role"`},
		{`[{"role":"user","content":"a","TOOLS":1}]`, "0.TOOLS", `want "tools"`},
		{`[{"role":"user","content":3}]`, "0.content", `"content" is a number, want a string, null or a list of parts`},
		{`[{"role":"tool","content":{}}]`, "0.content", `"content" is an object`},
		{`[{"role":"user","content":["a"]}]`, "0.content.0", `a part of the content is a string`},
		{`[{"role":"user","content":[{"text":"a"}]}]`, "0.content.0", `without "type"`},
		{`[{"role":"user","content":[{"type":"text"}]}]`, "0.content.0", `want "text", a string`},
		{`[{"role":"user","content":[{"type":"text","text":null}]}]`, "0.content.0.text", `"text" is null, want a string`},
		{`[{"role":"user","content":[{"type":"text","text":"a","Text":"b"}]}]`, "0.content.0.Text", `want "text"`},
		{`[{"role":"user","content":[{"type":"image_url"}]}]`, "0.content.0", `want "image_url"`},
		{`[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]`, "0.content.0.image_url", `want "url"`},
		{`[{"role":"user","content":[{"type":"image_url","image_url":3}]}]`, "0.content.0.image_url", `"image_url" is a number`},
		{`[{"role":"user","server":3}]`, "0.server", `"server" is a number, want a string or null`},
		{`[{"role":"tool","tool_call_id":3}]`, "0.tool_call_id", `"tool_call_id" is a number`},
		{`[{"role":"tool","tool_calls":[{}]}]`, "0.tool_calls", `"tool_calls" in a tool output`},
		{`[{"role":"user","function":{"name":"f"}}]`, "0.function", `"function" beside "role"`},
		{`[{"role":"user","tools":[{"name":"f"}]}]`, "0.tools", `"tools" beside "role"`},
		{`[{"role":"assistant","tool_calls":3}]`, "0.tool_calls", `"tool_calls" is a number, want a list`},
		{`[{"role":"assistant","tool_calls":[3]}]`, "0.tool_calls.0", `a tool call is a number`},
		{`[{"role":"assistant","tool_calls":[{"id":"1"}]}]`, "0.tool_calls.0", `a tool call without "function"`},
		{`[{"role":"assistant","tool_calls":[{"id":1,"function":{"name":"f"}}]}]`, "0.tool_calls.0.id", `"id" is a number`},
		{`[{"role":"assistant","tool_calls":[{"function":{"name":3}}]}]`, "0.tool_calls.0.function.name", `"name" is a number`},
		{`[{"role":"assistant","tool_calls":[{"function":{}}]}]`, "0.tool_calls.0.function", `want "name", a string`},
		{`[{"role":"assistant","tool_calls":[{"Function":{}}]}]`, "0.tool_calls.0.Function", `want "function"`},
		{`[{"role":"assistant","tool_calls":[{"function":{"name":"f","argumentſ":{}}}]}]`, "0.tool_calls.0.function.argumentſ", `want "arguments"`},
		{`[{"role":"assistant","function_call":3}]`, "0.function_call", `"function_call" is a number`},
		{`[{"function":"f"}]`, "0", `a tool call without "function", an object`},
		{`[{"tools":3}]`, "0.tools", `"tools" is a number, want a list of tools`},
		{`[{"tools":["x"]}]`, "0.tools.0", `a tool is a string`},
		{`[{"tools":[{"description":"x"}]}]`, "0.tools.0", `want "name", a string`},
		{`[{"tools":[{"name":"f","InputSchema":{}}]}]`, "0.tools.0.InputSchema", `want "inputSchema"`},
		{`[{"tools":[{"type":"function","function":{"name":"f","Parameters":{}}}]}]`, "0.tools.0.function.Parameters", `want "parameters"`},
		{
			`[{"tools":[{"name":"f","inputSchema":{"properties":{"Type":{"Description":"x"}}}}]}]`,
			"0.tools.0.inputSchema.properties.Type.Description", `want "description"`,
		},
		{`{"messages":[],"tools":[{"name":3}]}`, "tools.0.name", `"name" is a number`},
		{`[{"role":"user","content":"a","content":"b"}]`, "0", `the key "content" comes twice in one object`},
		{`[{"role":"user","content":{"a":[{"x":1,"x":2}]}}]`, "0.content.a.0", `the key "x" comes twice in one object`},
		{"[{\"role\":\"user\",\"content\":\"\xff\"}]", "0.content", `a byte that is not UTF-8`},
		{`[{"role":"user"}] x`, "", `want the end after the value, got 'x'`},
		{`[{"role":"user"`, "0", `want a comma or the end of the object, got the end`},
		{deep, "0.metadata" + strings.Repeat(".0", 63), "nested deeper than the limit allows"},
	} {
		_, err := trace.Decode([]byte(c.src), nil)
		var e *trace.Error
		if !errors.As(err, &e) {
			t.Errorf("%.80s: got %v, want an error", c.src, err)
			continue
		}
		if e.Path != c.path || !strings.Contains(e.Msg, c.msg) || e.Line != 1 {
			t.Errorf("%.80s: got %v, want %q at %q", c.src, e, c.msg, c.path)
		}
	}
}

func TestErrorPlace(t *testing.T) {
	src := "\n[\n {\"role\": \"user\", \"content\": \"a\"},\n {\"content\": [\"}\\\"]\", {}],\n  \"role\": \"bot\"}\n]"
	_, err := trace.Decode([]byte(src), nil)
	var e *trace.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if want := int64(strings.Index(src, `"bot"`)); e.Line != 5 || e.Offset != want {
		t.Errorf("got line %d offset %d, want line 5 offset %d", e.Line, e.Offset, want)
	}
}

func TestDepth(t *testing.T) {
	event := func(n int) string {
		return `{"role":"user","content":"x","metadata":` + strings.Repeat(`[`, n-1) + strings.Repeat(`]`, n-1) + `}`
	}
	for name, wrap := range map[string]string{"list": "[%s]", "messages": `{"messages":[%s]}`} {
		if _, err := trace.Decode(fmt.Appendf(nil, wrap, event(64)), nil); err != nil {
			t.Errorf("%s: depth 64 is refused: %v", name, err)
		}
		if _, err := trace.Decode(fmt.Appendf(nil, wrap, event(65)), nil); err == nil {
			t.Errorf("%s: depth 65 is taken", name)
		}
	}
	if _, err := trace.DecodeEvent([]byte(event(64)), nil); err != nil {
		t.Error(err)
	}
	if _, err := trace.DecodeEvent([]byte(event(65)), nil); err == nil {
		t.Error("an event of depth 65 is taken")
	}
	if _, err := trace.DecodeEvent([]byte(event(4)), &trace.DecodeOptions{MaxDepth: 3}); err == nil {
		t.Error("MaxDepth is not kept")
	}
}

func TestLimits(t *testing.T) {
	src := []byte(`[{"role":"user","content":"abcdef"},{"role":"user","content":"abcdef"}]`)
	for _, c := range []struct {
		opts trace.DecodeOptions
		msg  string
	}{
		{trace.DecodeOptions{MaxBytes: len(src), MaxEvents: 2, MaxValues: 7}, ""},
		{trace.DecodeOptions{MaxBytes: len(src) - 1}, "a trace longer than 70 bytes"},
		{trace.DecodeOptions{MaxEvents: 1}, "more than 1 events"},
		{trace.DecodeOptions{MaxValues: 6}, "more values than the limit allows"},
	} {
		_, err := trace.Decode(src, &c.opts)
		if c.msg == "" && err != nil || c.msg != "" && (err == nil || !strings.Contains(err.Error(), c.msg)) {
			t.Errorf("%+v: got %v, want %q", c.opts, err, c.msg)
		}
	}
	if _, err := trace.DecodeEvent(src, &trace.DecodeOptions{MaxBytes: 10}); err == nil {
		t.Error("MaxBytes is not kept for an event")
	}
}

func TestTooLarge(t *testing.T) {
	big := strings.Repeat("x", 1<<20+1)
	src := `[{"role":"user","content":"` + big + `"},
		{"role":"user","content":[{"type":"text","text":"` + big + `"},{"type":"text","text":"b"}]},
		{"role":"user","content":[{"type":"text","text":"` + big[:1<<19+1] + `"},{"type":"text","text":"` + big[:1<<19] + `"}]},
		{"role":"user","content":[{"type":"image_url","image_url":{"url":"` + big + `"}},{"type":"text","text":"ok"}]},
		{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a":"` + big + `"}}},
			{"id":"2","function":{"name":"f","arguments":"{\"a\":\"` + big + `\"}"}},{"function":{"name":"` + big + `"}}]},
		{"tools":[{"name":"t","description":"` + big + `","inputSchema":{"properties":{"p":{"description":"` + big + `"}}}}]},
		{"role":"user","content":"` + big[1:] + `"}]`
	l := placed(t, src)
	known := func(v *value.Value) string {
		if v.Kind() == value.Unknown {
			return string(v.Causes()[0].Reason)
		}
		return v.Kind().String()
	}
	var got []string
	for _, i := range []int{0, 1, 2, 3, 6} {
		got = append(got, known(l.At(i).Root().Field(value.MessageContent)))
	}
	calls, tool := l.At(4).Calls(), l.At(5).Tools()[0]
	got = append(got, known(calls[0].Field(value.CallArguments)), known(calls[1].Field(value.CallArguments)),
		known(calls[2].Field(value.CallName)), known(tool.Field(value.ToolDescription)), known(tool.Field(value.ToolSchema)))
	want := []string{"too large", "too large", "too large", "content", "str", "too large", "too large", "too large", "too large", "too large"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := elements(l, value.TextChunkType); len(got) != 5 {
		t.Errorf("text chunks: %q", got)
	}
	if got := elements(l, value.ToolParameterType); len(got) != 1 || got[0] != "5.tools.0.inputSchema=too large" {
		t.Errorf("parameters: %q", got)
	}
	if got := elements(l, value.IntType); len(got) != 2 {
		t.Errorf("ints: %q", got)
	}
	if n := len(decode(t, src).Problems()); n != 8 {
		t.Errorf("%d problems, want 8", n)
	}
	again, err := json.Marshal(l.At(0))
	if err != nil || !strings.Contains(string(again), big) {
		t.Error("an event with an unknown text is not written as it was read")
	}
}

func TestStrict(t *testing.T) {
	for _, c := range []struct{ src, path, msg string }{
		{
			`[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"x"}}]}]`,
			"0.tool_calls.0.function.arguments", "the arguments do not parse",
		},
		{`{"messages":[{"role":"user","content":"a"},{"role":"user","content":"\ud800"}]}`, "messages.1.content", "lone surrogate"},
		{
			`[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{\"a\":\"\\ud800\"}"}}]}]`,
			"0.tool_calls.0.function.arguments.a", "lone surrogate",
		},
		{`[{"role":"user"},{"role":"tool","tool_call_id":"1","content":"x"}]`, "1", "an output whose call is not in the trace"},
		{`[{"role":"tool","content":"x"}]`, "0", "an output whose call is not in the trace"},
		{`{"tools":[{"name":"a\udc00"}],"messages":[]}`, "tools.0.name", "lone surrogate"},
	} {
		tr := decode(t, c.src)
		if p := tr.Problems(); len(p) != 1 || !strings.Contains(p[0].Msg, c.msg) {
			t.Errorf("%s: problems %v", c.src, p)
		}
		_, err := trace.Decode([]byte(c.src), &trace.DecodeOptions{Strict: true})
		var e *trace.Error
		if !errors.As(err, &e) || e.Path != c.path || !strings.Contains(e.Msg, c.msg) {
			t.Errorf("%s: strict gives %v, want %q at %s", c.src, err, c.msg, c.path)
		}
	}
	const good = `[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","content":"x"}]`
	if _, err := trace.Decode([]byte(good), &trace.DecodeOptions{Strict: true}); err != nil {
		t.Errorf("strict refuses a good trace: %v", err)
	}
}

func TestFields(t *testing.T) {
	l := placed(t, `[{"role":"assistant","server":"s","timestamp":7,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":{}}},
		{"function":{"name":"g"},"server":"own","timestamp":8}],"function_call":{"name":"h","arguments":"{\"a\":1}"}},
		{"role":"tool","content":"x","metadata":{"server":"m"}},{"role":"user"}]`)
	calls := l.At(0).Calls()
	var got []string
	for _, c := range calls {
		for _, i := range []int{value.CallID, value.CallType, value.CallName, value.CallArguments, value.CallServer, value.CallTimestamp, value.CallMetadata} {
			if f := c.Field(i); f == nil {
				got = append(got, "-")
			} else {
				got = append(got, string(value.AppendJSON(nil, f)))
			}
		}
		at, _ := value.Address(c)
		fn, _ := value.Address(c.Field(value.CallFunction))
		pos, _ := value.Position(c)
		got = append(got, at, fn, fmt.Sprint(pos>>32))
	}
	want := []string{
		`"1"`, `"function"`, `"f"`, `{}`, `"s"`, `7`, `{}`, "0.tool_calls.0", "0.tool_calls.0.function", "1",
		"-", "-", `"g"`, `{}`, `"own"`, `8`, `{}`, "0.tool_calls.1", "0.tool_calls.1.function", "2",
		"-", "-", `"h"`, `{"a":1}`, `"s"`, `7`, `{}`, "0.function_call", "0.function_call", "3",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if s := l.At(1).Root().Field(value.OutputServer); s.Text() != "m" {
		t.Errorf("server of the output is %v", s)
	}
	m := l.At(2).Root()
	if m.Field(value.MessageContent).Kind() != value.None || m.Field(value.MessageTimestamp).Kind() != value.None ||
		m.Field(value.MessageCalls).Len() != 0 {
		t.Error("absent fields of a message")
	}
	if a, _ := value.Address(calls[2].Field(value.CallArguments).Get("a")); a != "0.function_call.arguments.a" {
		t.Errorf("address in legacy arguments is %s", a)
	}
}

func TestPositions(t *testing.T) {
	l := placed(t, zoo)
	for at, want := range map[string]uint64{
		"2": 2 << 32, "2.content.0": 2<<32 | 1, "2.content.0.text": 2<<32 | 1, "2.content.3": 2<<32 | 4, "3": 3 << 32, "3.content": 3 << 32,
		"3.tool_calls.1": 5 << 32, "3.tool_calls.1.function.arguments.q": 5 << 32, "4": 7 << 32, "5.function": 8 << 32,
		"6.tools.0": 9 << 32, "6.tools.2": 11 << 32, "6.tools.1.function.parameters.properties.u": 10 << 32,
	} {
		v := walk(l, at)
		if got, ok := value.Position(v); !ok || got != want {
			t.Errorf("%s is at %x, want %x", at, got, want)
		}
		if got, _ := value.Address(v); got != at {
			t.Errorf("%s has the address %s", at, got)
		}
	}
	a, b := walk(l, "3.tool_calls.0.function.arguments.s"), walk(l, "3.tool_calls.1")
	if !value.SameMessage(a, b) || value.SameMessage(a, a) || value.SameMessage(a, walk(l, "3.content")) || value.SameMessage(b, walk(l, "5")) {
		t.Error("SameMessage")
	}
}

// walk follows an address.
func walk(l *trace.Log, at string) *value.Value {
	steps := strings.Split(at, ".")
	i, _ := strconv.Atoi(steps[0])
	v := l.At(i).Root()
	for _, s := range steps[1:] {
		if n, err := strconv.Atoi(s); err == nil {
			v = v.Items()[n]
		} else {
			v = v.Get(s)
		}
	}
	return v
}

// TestHostileSizes checks that what is kept for messages does not grow with the
// product of two things that an input makes large.
func TestHostileSizes(t *testing.T) {
	key := strings.Repeat("k", 1<<20)
	src := `[{"role":"user","metadata":{"` + key + `":[` + strings.Repeat(`"\ud800",`, 5000) + `0]}}]`
	problems := decode(t, src).Problems()
	if len(problems) > 101 || len(problems[0].Path) > 200 {
		t.Errorf("%d problems, a path of %d bytes", len(problems), len(problems[0].Path))
	}
	args := strings.Repeat(`,{"function":{"name":"f","arguments":"{\"a\":[1,1,1,1,1,1,1,1,1,1]}"}}`, 10)
	src = `[{"role":"assistant","tool_calls":[` + args[1:] + `]}]`
	tr, err := trace.Decode([]byte(src), &trace.DecodeOptions{MaxValues: 100})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range tr.Events[0].Calls() {
		if c.Field(value.CallArguments).Kind() == value.Dict {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d arguments were read, want 4: the limit holds for all of them together", n)
	}
}
