// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"slices"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

const zoo = `[
	{"role":"system","content":"s"},
	{"role":"developer","content":"d"},
	{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:x"}},{"type":"audio","data":"zz"},{"type":"text","text":"\ud800"}]},
	{"role":"assistant","tool_calls":[
		{"id":"1","function":{"name":"f","arguments":{"s":"x","n":[1,1.0,true,null],"d":{"b":"y"}}}},
		{"id":"2","function":{"name":"g","arguments":"{\"q\":2}"}},
		{"id":"3","function":{"name":"h","arguments":"oops"}}],"content":"c"},
	{"role":"tool","tool_call_id":"2","content":"o"},
	{"type":"function","id":"4","function":{"name":"k","arguments":{"z":"t"}}},
	{"tools":[
		{"name":"t1","description":"D1","inputSchema":{"type":"object","required":["p"],"properties":{
			"p":{"type":"object","description":"P","properties":{"in":{"type":"string"}}},
			"arr":{"type":"array","items":{"type":"object","properties":{"e":true}}}},
			"anyOf":[{"properties":{"alt":{"type":"string"}}}]}},
		{"type":"function","function":{"name":"t2","description":"D2","parameters":{"properties":{"u":{"required":true}}}}},
		{"name":"t3","inputSchema":[{"name":"l","type":"string"}]}]}]`

func TestElements(t *testing.T) {
	l := placed(t, zoo)
	for _, c := range []struct {
		t    *value.Type
		want []string
	}{
		{value.MessageType, []string{"0", "1", "2", "3"}},
		{value.SystemMessageType, []string{"0", "1"}},
		{value.UserMessageType, []string{"2"}},
		{value.AgentMessageType, []string{"3"}},
		{value.ToolOutputType, []string{"4"}},
		{value.ToolCallType, []string{"3.tool_calls.0", "3.tool_calls.1", "3.tool_calls.2", "5"}},
		{value.EventType, []string{"0", "1", "2", "3", "3.tool_calls.0", "3.tool_calls.1", "3.tool_calls.2", "4", "5"}},
		{value.FunctionType, []string{"3.tool_calls.0.function", "3.tool_calls.1.function", "3.tool_calls.2.function", "5.function"}},
		{value.TextChunkType, []string{"2.content.0", "2.content.3"}},
		{value.ImageType, []string{"2.content.1"}},
		{value.ToolType, []string{"6.tools.0", "6.tools.1", "6.tools.2"}},
		{value.ToolParameterType, []string{
			"6.tools.0.inputSchema.properties.p", "6.tools.0.inputSchema.properties.p.properties.in",
			"6.tools.0.inputSchema.properties.arr", "6.tools.0.inputSchema.properties.arr.items",
			"6.tools.0.inputSchema.properties.arr.items.properties.e", "6.tools.0.inputSchema.anyOf.0.properties.alt",
			"6.tools.1.function.parameters.properties.u", "6.tools.2.inputSchema.0",
		}},
		{value.StrType, []string{
			`0.content="s"`, `1.content="d"`, `2.content.0.text="a"`, "2.content.3.text=text", `3.content="c"`,
			`3.tool_calls.0.function.arguments.s="x"`, `3.tool_calls.0.function.arguments.d.b="y"`,
			"3.tool_calls.2.function.arguments=arguments", `4.content="o"`, `5.function.arguments.z="t"`,
			`6.tools.0.description="D1"`, `6.tools.1.function.description="D2"`,
		}},
		{value.IntType, []string{
			"3.tool_calls.0.function.arguments.n.0=1", "3.tool_calls.1.function.arguments.q=2", "3.tool_calls.2.function.arguments=arguments",
		}},
		{value.FloatType, []string{"3.tool_calls.0.function.arguments.n.1=1.0", "3.tool_calls.2.function.arguments=arguments"}},
		{value.BoolType, []string{"3.tool_calls.0.function.arguments.n.2=true", "3.tool_calls.2.function.arguments=arguments"}},
		{value.ListType, []string{"3.tool_calls.0.function.arguments.n=[1,1.0,true,null]", "3.tool_calls.2.function.arguments=arguments"}},
		{value.DictType, []string{
			`3.tool_calls.0.function.arguments={"s":"x","n":[1,1.0,true,null],"d":{"b":"y"}}`,
			`3.tool_calls.0.function.arguments.d={"b":"y"}`, `3.tool_calls.1.function.arguments={"q":2}`,
			"3.tool_calls.2.function.arguments=arguments", `5.function.arguments={"z":"t"}`,
		}},
		{&value.Type{Name: "CodeIssue", Kind: value.Record}, nil},
	} {
		if got := elements(l, c.t); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.t, got, c.want)
		}
	}
}

func TestElementsStop(t *testing.T) {
	l := placed(t, zoo)
	for _, typ := range value.NamedTypes() {
		for i := range l.Len() {
			n := 0
			trace.Elements(l.At(i), typ, func(*value.Value) bool { n++; return false })
			if n > 1 {
				t.Errorf("%s in event %d goes on after the end", typ, i)
			}
		}
	}
}

func TestElementOrder(t *testing.T) {
	l := placed(t, zoo)
	for _, typ := range value.NamedTypes() {
		last := uint64(0)
		for i := range l.Len() {
			trace.Elements(l.At(i), typ, func(v *value.Value) bool {
				p, ok := value.Position(v)
				if !ok || p < last {
					t.Errorf("%s: %s at %x after %x", typ, show(v), p, last)
				}
				last = p
				return true
			})
		}
	}
}

func TestParameters(t *testing.T) {
	l := placed(t, zoo)
	var got []string
	trace.Elements(l.At(6), value.ToolParameterType, func(v *value.Value) bool {
		s := v.Field(value.ParamName).Text()
		if v.Field(value.ParamRequired).Bool() {
			s += "!"
		}
		if ty := v.Field(value.ParamType); ty != nil {
			s += ":" + ty.Text()
		}
		got = append(got, s)
		return true
	})
	want := []string{"p!:object", "in:string", "arr:array", "arr:object", "e", "alt:string", "u!", "l:string"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p := l.At(6).Tools()[0].Field(value.ToolSchema).Get("properties").Get("p")
	if at, ok := value.Address(p.Field(value.ParamName)); at != "6.tools.0.inputSchema.properties.p" || !ok {
		t.Errorf("the name stands at %s", at)
	}
	found, unknown := value.Search(l.At(6).Tools()[0].Field(value.ToolSchema), value.ToolParameterType)
	if len(found) != 6 || unknown != nil {
		t.Errorf("search finds %d parameters", len(found))
	}
}
