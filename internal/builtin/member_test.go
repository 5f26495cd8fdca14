// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

func TestMember(t *testing.T) {
	at := placed(t, agentRun)
	issue := value.RecordOf(CodeIssueType, str("bad"), str("error"))
	tests := []struct {
		what string
		x    *value.Value
		name string
		want *value.Value
	}{
		{"dict", at("2.tool_calls.0.function.arguments"), "n", value.IntOf(3)},
		{"dict", at("2.tool_calls.0.function.arguments"), "zz", unknown(value.Missing)},
		{"None", value.NoneV, "x", value.NoneV},
		{"JSON text", at("3.content"), "ok", value.FalseV},
		{"JSON text", at("3.content"), "zz", unknown(value.Missing)},
		{"text", at("0.content"), "ok", unknown(value.BadText)},
		{"list text", str("[1]"), "ok", unknown(value.TypeError)},
		{"null text", str("null"), "ok", value.NoneV},
		{"content", at("1.content"), "ok", unknown(value.BadText)},
		{"number", value.IntOf(1), "ok", unknown(value.TypeError)},
		{"list", list(), "ok", unknown(value.TypeError)},
		{"bool", value.TrueV, "ok", unknown(value.TypeError)},
		{"message", at("0"), "role", str("user")},
		{"message", at("0"), "timestamp", value.NoneV},
		{"message", at("0"), "nothing", unknown(value.Missing)},
		{"call", at("2.tool_calls.0"), "name", str("send")},
		{"call", at("2.tool_calls.0"), "id", str("1")},
		{"call", at("2.tool_calls.0"), "server", value.NoneV},
		{"call", at("2.tool_calls.1"), "server", str("mail")},
		{"output", at("3"), "server", value.NoneV},
		{"output", at("6"), "server", str("mail")},
		{"output without its call", at("4"), "server", str("other")},
		{"output without its call", at("5"), "server", unknown(value.NoLink)},
		{"output without its call", at("5"), "tool", unknown(value.NoLink)},
		{"record", issue, "severity", str("error")},
		{"record", issue, "nothing", unknown(value.Missing)},
	}
	for _, test := range tests {
		env := &Env{Memo: NewMemo()}
		check(t, test.what+"."+test.name, Member(test.x, test.name, env), test.want)
		check(t, test.what+"."+test.name+" without memo", Member(test.x, test.name, nil), test.want)
	}
	if got := Member(at("3"), "tool", nil); got != at("2.tool_calls.0") {
		t.Errorf("output.tool = %s, want the call", show(got))
	}
	if got := FieldOf(at("3"), value.OutputTool, nil); got != at("2.tool_calls.0") {
		t.Errorf("output.tool = %s, want the call", show(got))
	}
	check(t, "arguments", Member(at("8.tool_calls.0"), "arguments", nil), unknown(value.BadArguments))
}

func TestIndexOf(t *testing.T) {
	at := placed(t, agentRun)
	tests := []struct {
		what string
		x, i *value.Value
		want *value.Value
	}{
		{"None", value.NoneV, value.IntOf(0), value.NoneV},
		{"JSON text by key", at("3.content"), str("items"), list(value.IntOf(1), value.IntOf(2))},
		{"JSON text by number", at("3.content"), value.IntOf(0), str("{")},
		{"content", at("1.content"), value.IntOf(-1), str("s")},
		{"content beyond", at("1.content"), value.IntOf(16), unknown(value.Missing)},
		{"message", at("0"), str("role"), str("user")},
		{"bool", list(str("a")), value.FalseV, unknown(value.TypeError)},
		{"number", value.IntOf(5), value.IntOf(0), unknown(value.TypeError)},
		{"dict by number", value.EmptyDict, value.IntOf(0), unknown(value.Missing)},
	}
	for _, test := range tests {
		check(t, test.what, IndexOf(test.x, test.i, &Env{Memo: NewMemo()}), test.want)
	}
	check(t, "slice of a content", SliceOf(at("1.content"), value.IntOf(7), value.IntOf(12)), str("all r"))
	check(t, "slice of None", SliceOf(value.NoneV, nil, nil), value.NoneV)
	check(t, "slice of a dict", SliceOf(value.EmptyDict, nil, nil), unknown(value.TypeError))
	check(t, "slice by a text", SliceOf(str("abc"), str("a"), nil), unknown(value.TypeError))
}

// TestDetailsQuoteNoTrace: keys that come from a trace stay out of messages.
func TestDetailsQuoteNoTrace(t *testing.T) {
	secret := str("hunter2")
	for what, v := range map[string]*value.Value{
		"dict":        IndexOf(value.EmptyDict, secret, nil),
		"JSON":        IndexOf(str(`{"a": 1}`), secret, nil),
		"JSON list":   IndexOf(str(`[]`), secret, nil),
		"record":      IndexOf(value.RecordOf(CodeIssueType, str("a"), str("b")), secret, nil),
		"bad JSON":    Apply(Universe()["json_loads"], []*value.Value{str(`{"hunter2": hunter2}`)}, nil),
		"bad pattern": Apply(Universe()["match"], []*value.Value{str(`hunter2[`), str("")}, nil),
		"int":         Apply(Universe()["int"], []*value.Value{secret}, nil),
		"format":      LookupMethod("format").Call(str("{0[hunter2]}"), []*value.Value{list(value.EmptyDict)}, nil),
	} {
		if v.Kind() != value.Unknown {
			t.Errorf("%s is %s, want unknown", what, show(v))
			continue
		}
		if d := v.Causes()[0].Detail; d == "" || strings.Contains(d, "hunter2") {
			t.Errorf("%s: the detail is %q", what, d)
		}
	}
}

func TestFlows(t *testing.T) {
	at := placed(t, agentRun)
	tests := []struct {
		a, b                 string
		flow, direct, may    bool
		flowBack, directBack bool
	}{
		{a: "0", b: "1", flow: true, direct: true, may: true},
		{a: "0", b: "2", flow: true, may: true},
		{a: "2", b: "2.tool_calls.0", flow: true, direct: true, may: true},
		{a: "2.tool_calls.0", b: "2.tool_calls.1", flow: true, direct: true, may: true},
		{a: "2.tool_calls.1", b: "3", flow: true, direct: true, may: true},
		{a: "2.tool_calls.0", b: "3", flow: true, may: true},
		{a: "1", b: "1.content.0", flow: true, direct: true, may: true},
		{a: "1.content.0", b: "1.content.2", flow: true, may: true},
		{a: "0", b: "1.content.0", flow: true, may: true},
		{a: "0", b: "0"},
		{a: "2.tool_calls.0", b: "2.tool_calls.0.function.arguments.to"},
		{a: "0", b: "2.tool_calls.1.function.arguments.to", flow: true, may: true},
	}
	for _, test := range tests {
		a, b := at(test.a), at(test.b)
		check(t, test.a+" -> "+test.b, Flows(syntax.Flow, a, b), value.BoolOf(test.flow))
		check(t, test.a+" ~> "+test.b, Flows(syntax.DirectFlow, a, b), value.BoolOf(test.direct))
		check(t, test.b+" -> "+test.a, Flows(syntax.Flow, b, a), value.BoolOf(test.flowBack))
		check(t, test.b+" ~> "+test.a, Flows(syntax.DirectFlow, b, a), value.BoolOf(test.directBack))
		check(t, "may_precede("+test.a+", "+test.b+")", Apply(Universe()["may_precede"], []*value.Value{a, b}, nil), value.BoolOf(test.may))
	}
	// The calls of one message may run in any order.
	check(t, "may_precede back", Apply(Universe()["may_precede"], []*value.Value{at("2.tool_calls.1"), at("2.tool_calls.0")}, nil), value.TrueV)
	check(t, "computed", Flows(syntax.Flow, str("a"), at("0")), unknown(value.TypeError))
	check(t, "computed", Flows(syntax.Flow, at("0"), str("a")), unknown(value.TypeError))
}
