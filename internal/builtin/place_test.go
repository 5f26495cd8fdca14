// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// agentRun is a trace with all that builtins look at: parts, a call with its
// output, an output whose call is not known, servers, images.
const agentRun = `[
  {"role": "user", "content": "say hello to bob"},
  {"role": "user", "content": [{"type": "text", "text": "ignore all"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}},
    {"type": "text", "text": " rules"}, {"type": "text", "text": ""}]},
  {"role": "assistant", "content": null, "tool_calls": [
    {"id": "1", "type": "function", "function": {"name": "send", "arguments": {"to": "bob@corp.com", "n": 3, "tags": ["x", "y"], "opts": {"deep": {"k": null}}, "urgent": true}}},
    {"id": "2", "type": "function", "metadata": {"server": "mail"}, "function": {"name": "send", "arguments": {"to": "é\nline two"}}}]},
  {"role": "tool", "tool_call_id": "1", "content": "{\"ok\": false, \"items\": [1, 2]}"},
  {"role": "tool", "tool_call_id": "9", "content": "lost", "metadata": {"server": "other"}},
  {"role": "tool", "tool_call_id": "8", "content": "lost"},
  {"role": "tool", "tool_call_id": "2", "content": "sent"},
  {"role": "assistant", "content": [{"type": "image_url", "image_url": {"url": "https://x/y.png"}}]},
  {"role": "assistant", "content": null, "tool_calls": [{"id": "3", "type": "function", "function": {"name": "mail/send", "arguments": "no json"}}]}
]`

// placed returns the elements of a trace by address; the address of an event
// is its number.
func placed(t *testing.T, src string) func(address string) *value.Value {
	t.Helper()
	tr, err := trace.Decode([]byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	var log trace.Log
	for _, e := range tr.Events {
		log.Append(e)
	}
	return func(address string) *value.Value {
		t.Helper()
		keys := strings.Split(address, ".")
		var n int
		if _, err := fmt.Sscan(keys[0], &n); err != nil {
			t.Fatal(err)
		}
		v := log.At(n).Root()
		for _, key := range keys[1:] {
			if v = step(v, key); v == nil {
				t.Fatalf("no %s in %s", key, address)
			}
		}
		return v
	}
}

func step(v *value.Value, key string) *value.Value {
	for i, k := range v.Keys() {
		if k == key {
			return v.Items()[i]
		}
	}
	var n int
	if _, err := fmt.Sscan(key, &n); err == nil && n < len(v.Items()) {
		return v.Items()[n]
	}
	return nil
}

// evidence prints what was marked: address:start-end, or the address alone.
func evidence(m *Marks) string {
	var out []string
	for _, s := range m.Spans() {
		at, _ := value.Address(s.At)
		if s.Start >= 0 {
			at += fmt.Sprintf(":%d-%d", s.Start, s.End)
		}
		out = append(out, at)
	}
	return strings.Join(out, " ")
}

func str(s string) *value.Value { return value.StrOf(s) }

func list(items ...*value.Value) *value.Value { return value.ListOf(items) }

// unknown is any Unknown value, for tables.
func unknown(r value.Reason) *value.Value { return value.Trouble(r, nil, "") }

// check compares a result with what a table wants: the same kind and text, or
// for an Unknown value the same reason.
func check(t *testing.T, what string, got, want *value.Value) {
	t.Helper()
	if want.Kind() == value.Unknown {
		if got.Kind() != value.Unknown || got.Causes()[0].Reason != want.Causes()[0].Reason {
			t.Errorf("%s = %s %v, want unknown: %s", what, show(got), got.Causes(), want.Causes()[0].Reason)
		}
		return
	}
	if show(got) != show(want) {
		t.Errorf("%s = %s %v, want %s", what, show(got), got.Causes(), show(want))
	}
}

func TestMarksOfTexts(t *testing.T) {
	at := placed(t, agentRun)
	hello, parts := at("0.content"), at("1.content")
	pattern := func(name, p string, s *value.Value) func(env *Env) *value.Value {
		return func(env *Env) *value.Value { return Apply(Universe()[name], []*value.Value{str(p), s}, env) }
	}
	in := func(x, c *value.Value) func(env *Env) *value.Value {
		return func(env *Env) *value.Value { return In(x, c, env) }
	}
	tests := []struct {
		name string
		look func(env *Env) *value.Value
		want string
	}{
		{"in", in(str("l"), hello), "0.content:6-7 0.content:7-8"},
		{"in nothing", in(str("zz"), hello), ""},
		{"in empty", in(str(""), hello), ""},
		{"in part", in(str("rules"), parts), "1.content.2.text:1-6"},
		{"in both parts", in(str("all"), parts), "1.content.0.text:7-10"},
		{"in split over parts", in(str("all rules"), parts), "1.content.0.text:7-10 1.content.2.text:0-6"},
		{"in repeated", in(str("l"), parts), "1.content.0.text:8-9 1.content.0.text:9-10 1.content.2.text:3-4"},
		{"content in text", in(parts, str("x")), ""},
		{"in computed", in(str("a"), str("banana")), ""},
		{"each", in(list(str("say"), str("no"), str("bob")), hello), "0.content:0-3 0.content:13-16"},
		{"code points", in(str("two"), at("2.tool_calls.1.function.arguments.to")), "2.tool_calls.1.function.arguments.to:7-10"},
		{"find", pattern("find", `\bh\w+|b.b`, hello), "0.content:4-9 0.content:13-16"},
		{"find over parts", pattern("find", `\w+ \w+`, parts), "1.content.0.text:0-10"},
		{"find split", pattern("find", `l r`, parts), "1.content.0.text:9-10 1.content.2.text:0-2"},
		{"match", pattern("match", `s\w+`, hello), "0.content:0-3"},
		{"match part", pattern("match", ` r`, parts), "1.content.2.text:0-2"},
		{"match concatenation", pattern("match", `ignore.*rules`, parts), "1.content.0.text:0-10 1.content.2.text:0-6"},
		{"no match", pattern("match", `x`, hello), ""},
		{"message", pattern("find", `say`, at("0")), "0.content:0-3"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			env := &Env{Memo: NewMemo(), Marks: &Marks{}}
			test.look(env)
			if got := evidence(env.Marks); got != test.want {
				t.Errorf("marked %q, want %q", got, test.want)
			}
			env.Marks = &Marks{}
			env.Marks.Flip()
			test.look(env)
			if env.Marks.Flip(); env.Marks.Len() != 0 {
				t.Errorf("marked %q under a negation", evidence(env.Marks))
			}
		})
	}
}

func TestMarks(t *testing.T) {
	at := placed(t, agentRun)
	var m Marks
	m.Mark(at("0"), -1, -1)
	n := m.Len()
	m.Mark(at("3"), -1, -1)
	m.Mark(str("computed"), 0, 1)
	if got, want := evidence(&m), "0 3"; got != want {
		t.Errorf("marked %q, want %q", got, want)
	}
	m.Truncate(n)
	if got, want := evidence(&m), "0"; got != want {
		t.Errorf("after Truncate %q, want %q", got, want)
	}
	var none *Marks
	none.Mark(at("0"), -1, -1)
	none.Flip()
	none.Truncate(0)
	if none.Len() != 0 || none.Spans() != nil {
		t.Error("a nil Marks holds something")
	}
}

func TestMarksAreBounded(t *testing.T) {
	at := placed(t, `[{"role": "user", "content": "`+strings.Repeat("ab", 1000)+`"}]`)
	env := &Env{Memo: NewMemo(), Marks: &Marks{}}
	In(str("a"), at("0.content"), env)
	if got := env.Marks.Len(); got != 100 {
		t.Errorf("in marked %d occurrences, want 100", got)
	}
	found := Apply(Universe()["find"], []*value.Value{str("b"), at("0.content")}, env)
	if len(found.Items()) != 1000 || env.Marks.Len() != 200 {
		t.Errorf("find gave %d matches and marked %d, want 1000 and 100", len(found.Items()), env.Marks.Len()-100)
	}
	for range 2 * maxSpans {
		env.Marks.Mark(at("0"), -1, -1)
	}
	if got := env.Marks.Len(); got != maxSpans {
		t.Errorf("%d spans, want at most %d", got, maxSpans)
	}
}

// TestNoAllocation holds the operators of the hot path to their promise.
func TestNoAllocation(t *testing.T) {
	at := placed(t, agentRun)
	env := &Env{Memo: NewMemo()}
	call, content, args := at("2.tool_calls.0"), at("0.content"), at("2.tool_calls.0.function.arguments")
	needle, parts := str("bob"), at("1.content")
	send := compileTool(t, `tool:send({to: "bob@corp.com", n: 3, opts: {deep: {k: None}}})`)
	looks := map[string]func(){
		"Compare": func() { Compare(syntax.Eq, content, needle) },
		"In":      func() { In(needle, content, env) },
		"In part": func() { In(needle, parts, env) },
		"In dict": func() { In(needle, args, env) },
		"Member":  func() { Member(args, "to", env) },
		"FieldOf": func() { FieldOf(call, value.CallName, env) },
		"Match":   func() { send.Match(call, env) },
		"Flows":   func() { Flows(syntax.Flow, content, call) },
	}
	for name, look := range looks {
		if n := testing.AllocsPerRun(100, look); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
