// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

func TestConstructors(t *testing.T) {
	tools, err := trace.ListTools("srv", trace.ToolSpec{Name: "f", Description: "d", InputSchema: map[string]any{"type": "object"}},
		trace.ToolSpec{Name: "g", InputSchema: json.RawMessage(`{"properties":{}}`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		e    *trace.Event
		want string
	}{
		{trace.UserText("a\"b\n"), `{"role":"user","content":"a\"b\n"}`},
		{trace.SystemText(""), `{"role":"system","content":""}`},
		{trace.AssistantText("é"), `{"role":"assistant","content":"é"}`},
		{
			trace.Call("1", "f", map[string]any{"b": []any{1.0, "x", nil}, "a": map[string]any{"n": 3}}),
			`{"id":"1","type":"function","function":{"name":"f","arguments":{"a":{"n":3},"b":[1.0,"x",null]}}}`,
		},
		{trace.Call("", "f", nil), `{"type":"function","function":{"name":"f","arguments":{}}}`},
		{
			trace.Calls("", trace.CallSpec{ID: "1", Name: "f", Arguments: `{"a":1}`}, trace.CallSpec{Name: "g", Arguments: struct{ A int }{1}}),
			`{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":{"a":1}}},` +
				`{"type":"function","function":{"name":"g","arguments":{"A":1}}}]}`,
		},
		{trace.Calls("t"), `{"role":"assistant","content":"t","tool_calls":[]}`},
		{trace.Output("1", "x"), `{"role":"tool","tool_call_id":"1","content":"x"}`},
		{trace.Output("", "x"), `{"role":"tool","content":"x"}`},
		{tools, `{"server":"srv","tools":[{"name":"f","description":"d","inputSchema":{"type":"object"}},` +
			`{"name":"g","description":"","inputSchema":{"properties":{}}}]}`},
	} {
		got, err := json.Marshal(c.e)
		if err != nil || string(got) != c.want {
			t.Errorf("got %s %v, want %s", got, err, c.want)
		}
		if len(c.e.Problems()) != 0 {
			t.Errorf("%s has problems %v", c.want, c.e.Problems())
		}
	}
}

func TestConstructorsWithBadInput(t *testing.T) {
	if m := trace.UserText("a\xffb").Root().Field(value.MessageContent); m.Kind() != value.Unknown || m.Causes()[0].Reason != value.BadText {
		t.Errorf("text that is not UTF-8 is %v", m.Kind())
	}
	deep := any("x")
	for range 200 {
		deep = []any{deep}
	}
	cyclic := map[string]any{}
	cyclic["x"] = []any{cyclic}
	for name, args := range map[string]any{
		"text":    "{",
		"no JSON": map[string]any{"f": func() {}},
		"NaN":     map[string]any{"x": math.NaN()},
		"key":     map[string]any{"\xff": 1},
		"deep":    map[string]any{"x": deep},
		"twice":   json.RawMessage(`{"a":1,"a":2}`),
		"list":    []any{1},
		"cyclic":  cyclic,
	} {
		a := trace.Calls("", trace.CallSpec{Name: "f", Arguments: args}).Calls()[0].Field(value.CallArguments)
		if a.Kind() != value.Unknown || a.Causes()[0].Reason != value.BadArguments {
			t.Errorf("%s: the arguments are %v", name, a.Kind())
		}
	}
	leaf := trace.Call("1", "f", map[string]any{"s": "\xfe"}).Calls()[0].Field(value.CallArguments).Get("s")
	if leaf.Kind() != value.Unknown {
		t.Errorf("an argument that is not UTF-8 is %v", leaf.Kind())
	}
	if _, err := trace.ListTools("", trace.ToolSpec{Name: "f", InputSchema: map[string]any{"Properties": 1}}); err == nil {
		t.Error("a schema with a key in other case is taken")
	}
}

func TestDigest(t *testing.T) {
	a, b := trace.UserText("a"), trace.UserText("b")
	if trace.Digest(a, b) == trace.Digest(b, a) || trace.Digest(a) == trace.Digest(a, a) || trace.Digest() == trace.Digest(a) {
		t.Error("digests do not tell events apart")
	}
	again, err := trace.DecodeEvent([]byte(`{ "role" : "user", "content":"\u0061" }`), nil)
	if err != nil || trace.Digest(again) != trace.Digest(a) {
		t.Error("the same event has another digest")
	}
	one, _ := trace.DecodeEvent([]byte(`{"function":{"name":"f","arguments":{"n":1}}}`), nil)
	float, _ := trace.DecodeEvent([]byte(`{"function":{"name":"f","arguments":{"n":1.0}}}`), nil)
	if trace.Digest(one) == trace.Digest(float) {
		t.Error("1 and 1.0 have the same digest")
	}
}

// FuzzDecode checks that no input makes decoding panic and that what it gives is
// stable: encoded and decoded again it is the same.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		zoo, `[]`, `{"messages":[{"role":"user","content":"\ud800"}],"tools":[{"name":"x","inputSchema":{"items":[{"items":{}}]}}]}`,
		`[{"role":"assistant","function_call":{"name":"f","arguments":"{\"a\":\"\\ud800\"}"}}]`,
		`[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"x"},"id":null}]}]`, "[\n{\"role\":\"x\"}]",
		`[{"role":"tool","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"tool_call_id":""}]`,
		`[{"tools":[{"name":"a","inputSchema":{"properties":{"p":true,"q":3}}}]}]`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		opts := &trace.DecodeOptions{MaxBytes: 1 << 16, MaxElement: 200}
		for tr, err := range trace.DecodeAll(strings.NewReader(src), opts) {
			if err != nil {
				continue
			}
			tr.Problems()
			var l trace.Log
			for _, e := range tr.Events {
				stable(t, e, opts)
				useAll(t, &l, l.Append(e))
			}
			l.Truncate(0)
		}
	})
}

func stable(t *testing.T, e *trace.Event, opts *trace.DecodeOptions) {
	t.Helper()
	text, err := e.MarshalJSON()
	if err != nil || !json.Valid(text) {
		t.Fatalf("%s is no JSON: %v", text, err)
	}
	big := *opts
	big.MaxBytes = 1 << 20
	again, err := trace.DecodeEvent(text, &big)
	if err != nil {
		t.Fatalf("%s does not decode again: %v", text, err)
	}
	if next, _ := again.MarshalJSON(); string(next) != string(text) {
		t.Fatalf("%s becomes %s", text, next)
	}
}

// useAll looks at everything that rules may look at.
func useAll(t *testing.T, l *trace.Log, e *trace.Event) {
	t.Helper()
	for _, typ := range value.NamedTypes() {
		trace.Elements(e, typ, func(v *value.Value) bool {
			if at, ok := value.Address(v); !ok || at == "" {
				t.Errorf("%s without address", typ)
			}
			if _, ok := value.Position(v); !ok {
				t.Errorf("%s without position", typ)
			}
			value.Display(v)
			value.Hash(v)
			value.Truth(v)
			for _, p := range value.Texts(v) {
				p.Spans(0, len(p.Text), func(at *value.Value, _, _ int) bool { return at != nil })
			}
			for _, inner := range []*value.Type{value.StrType, value.ToolCallType, value.AnyType} {
				value.Search(v, inner)
			}
			return true
		})
	}
	var other trace.Log
	copied, _ := other.Append(e).MarshalJSON()
	if text, _ := e.MarshalJSON(); string(copied) != string(text) {
		t.Fatalf("the copy of %s is %s", text, copied)
	}
	_ = l
}
