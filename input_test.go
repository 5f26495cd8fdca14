// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

const withInputs = `
# Where mail may go.
# All of them.
input domains: list[str]
input limit: float = 1
input names: dict = {a: [1, None]}
raise "stranger" if:
    (c: ToolCall)
    not c.arguments.to in input.domains
raise "much" if:
    (c: ToolCall)
    c.arguments.n / 2 > input.limit
    "a" in input.names
`

func TestInputs(t *testing.T) {
	p := compileAll(t, nil, policyFile("mail.gr", withInputs))
	want := []holdfast.Input{
		{Name: "domains", Type: "list[str]", Declared: true, Required: true, Doc: "Where mail may go.\nAll of them."},
		{Name: "limit", Type: "float", Declared: true, Default: 1.0},
		{Name: "names", Type: "dict", Declared: true, Default: map[string]any{"a": []any{int64(1), nil}}},
	}
	if got := p.Inputs(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// What a policy declares is checked when a monitor starts.
func TestMonitorChecksInputs(t *testing.T) {
	p := compileAll(t, nil, policyFile("mail.gr", withInputs))
	for _, test := range []struct {
		input map[string]any
		want  string
	}{
		{nil, `parameter "domains" is not given, and has no default: want list[str]`},
		{map[string]any{"domains": "corp.com"}, `parameter "domains": got a str, want list[str]`},
		{map[string]any{"domains": []any{"a", nil}}, `got a list whose item 2 is None, want list[str]`},
		{map[string]any{"domains": []any{}, "limit": true}, `parameter "limit": got a bool, want float`},
		{map[string]any{"domains": []any{}, "limit": nil}, `parameter "limit": got None, want float`},
		{map[string]any{"domains": []any{}, "domain": []any{}}, `the policy declares no parameter "domain", did you mean "domains"?`},
		{map[string]any{"domains": []any{"a"}, "limit": 3, "names": map[string]any{}}, ""},
	} {
		_, err := p.Monitor(&holdfast.MonitorOptions{Input: test.input})
		_, also := p.Analyze(t.Context(), &trace.Trace{}, &holdfast.MonitorOptions{Input: test.input})
		switch {
		case test.want == "" && (err != nil || also != nil):
			t.Errorf("%v: got %v, %v", test.input, err, also)
		case test.want != "" && (err == nil || also == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%v: got %v, want %s", test.input, err, test.want)
		}
	}
}

// A parameter that bounds a count is fixed, in all files that are loaded
// together.
func TestFixedInputs(t *testing.T) {
	const counts = "raise \"x\" if:\n    count(min=input.n):\n        (c: ToolCall)\n"
	one, other := policyFile("a.gr", "input n: int = 2\n"+counts), policyFile("b.gr", "input n: int = 3\nwarn \"y\" if:\n    (c: ToolCall)\n    len(c.name) > input.n\n")
	for _, p := range []*holdfast.Policy{compileAll(t, nil, one), compileAll(t, nil, one, other), compileAll(t, nil, other, one)} {
		if _, err := p.Monitor(&holdfast.MonitorOptions{Input: map[string]any{"n": 3}}); err == nil || !strings.Contains(err.Error(), "fixed when the policy loads") {
			t.Errorf("another value: got %v", err)
		}
		for _, input := range []map[string]any{nil, {"n": 2}} {
			if _, err := p.Monitor(&holdfast.MonitorOptions{Input: input}); err != nil {
				t.Errorf("%v: %v", input, err)
			}
		}
	}
	given := compileAll(t, &holdfast.Options{Input: map[string]any{"n": 3, "other": "x"}}, one)
	if in := given.Inputs(); !in[0].Fixed || in[0].Default != int64(3) {
		t.Errorf("a value that is known at load: got %+v", in)
	}
	_, err := holdfast.CompileAll([]holdfast.Source{one, policyFile("c.gr", "input n: int = 3\n"+counts)}, nil)
	if err == nil || !strings.Contains(err.Error(), "has two defaults") {
		t.Errorf("two defaults: got %v", err)
	}
	for _, sources := range [][]holdfast.Source{{one, policyFile("d.gr", "input n: int\n")}, {policyFile("d.gr", "input n: int\n"), one}} {
		if _, err := holdfast.CompileAll(sources, nil); err == nil || !strings.Contains(err.Error(), "has no default in another") {
			t.Errorf("no default: got %v", err)
		}
	}
}

// Files that are loaded together share their parameters, and what they import
// does not clash.
func TestCompileAllWithInputs(t *testing.T) {
	lib := fstest.MapFS{"mail.gr": {Data: []byte("# id: mail\nraise \"mail\" if:\n    (c: ToolCall)\n    c.name == input.tool\n")}}
	source := func(name, text string) holdfast.Source {
		return holdfast.Source{Name: name, Text: []byte(text), Files: lib}
	}
	p := compileAll(t, nil,
		source("a/x.gr", "input tool: str\nimport \"./mail\"\nimport exfil(domains=[])\n"),
		source("b/x.gr", "input tool: str = \"send\"\nimport \"./mail\"\nwarn \"a\" if:\n    (c: ToolCall)\n    c.name == \"b\"\n"),
		source("c/x.gr", "warn \"a\" if:\n    (c: ToolCall)\n    c.name == input.tool\n"))
	var ids []string
	for _, r := range p.Rules() {
		ids = append(ids, r.ID)
	}
	if want := []string{"mail", "exfiltration/image", "exfiltration/preview", "mail-2", "x/a", "x/a-2"}; !slices.Equal(ids, want) {
		t.Errorf("got ids %q, want %q", ids, want)
	}
	if in := p.Inputs(); len(in) != 1 || in[0].Name != "tool" || !in[0].Required {
		t.Errorf("got inputs %+v", in)
	}
	if name := p.Rules()[3].Policy; name != "b/mail.gr" || p.Line(name, 2) != `raise "mail" if:` {
		t.Errorf("the imported rule stands in %s: %q", name, p.Line(name, 2))
	}
	_, err := holdfast.CompileAll([]holdfast.Source{source("a.gr", "input n: int\n"), source("b.gr", "input n: float\n")}, nil)
	if err == nil || !strings.Contains(err.Error(), "P0235") {
		t.Errorf("two types of one parameter: got %v", err)
	}
}
