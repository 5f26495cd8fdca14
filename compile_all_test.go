// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/script"
	"github.com/holdfast-dev/holdfast/trace"
)

func policyFile(name, text string) holdfast.Source {
	return holdfast.Source{Name: name, Text: []byte(text)}
}

func compileAll(t *testing.T, opts *holdfast.Options, sources ...holdfast.Source) *holdfast.Policy {
	t.Helper()
	p, err := holdfast.CompileAll(sources, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Files keep their own names; rules, inputs and warnings come together.
func TestCompileAll(t *testing.T) {
	p := compileAll(t, nil,
		policyFile("a.gr", `
name := "send"
# id: sends
raise "a sends" if:
    (c: ToolCall)
    c.name == name
warn "both" if:
    (c: ToolCall)
    c.name == input.tool
`),
		policyFile("b.gr", `
name := "read"
ask "b reads" if:
    (c: ToolCall)
    c.name == name
    not c.name == input.other
warn "both" if:
    (c: ToolCall)
    c.name == input.tool
`))
	var got []string
	ids := map[string]bool{}
	for i, r := range p.Rules() {
		if r.Index != i {
			t.Errorf("rule %d has index %d", i, r.Index)
		}
		ids[r.ID] = true
		got = append(got, r.Policy+" "+r.Action+" "+r.Message)
	}
	want := []string{"a.gr deny a sends", "a.gr warn both", "b.gr ask b reads", "b.gr warn both"}
	if !slices.Equal(got, want) || len(ids) != 4 {
		t.Errorf("got rules %q with %d ids, want %q", got, len(ids), want)
	}
	if a, b := p.Rules()[1].ID, p.Rules()[3].ID; a != "a/both" || b != "b/both" {
		t.Errorf("the rules with one text have the ids %q and %q", a, b)
	}
	if in := p.Inputs(); len(in) != 2 || in[0].Name != "other" || in[1].Name != "tool" {
		t.Errorf("inputs %+v", in)
	}
	verdict, err := p.Analyze(t.Context(), &trace.Trace{Events: []*trace.Event{
		trace.Call("1", "read", nil), trace.Call("2", "send", nil),
	}}, &holdfast.MonitorOptions{Input: map[string]any{"tool": "send", "other": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	var fired []string
	for _, c := range verdict.Counts() {
		fired = append(fired, c.Rule.Policy+" "+c.Rule.Message)
	}
	if want := []string{"a.gr a sends", "a.gr both", "b.gr b reads", "b.gr both"}; !slices.Equal(fired, want) {
		t.Errorf("fired %q, want %q", fired, want)
	}
}

// All files are checked, whatever is wrong with the first.
func TestCompileAllReportsEveryFile(t *testing.T) {
	_, err := holdfast.CompileAll([]holdfast.Source{
		policyFile("a.gr", "raise \"x\" if:\n    (c: ToolCal)\n"),
		policyFile("b.gr", "raise \"x\" if\n    (c: ToolCall)\n"),
		policyFile("c.gr", "raise \"x\" if:\n    (c: ToolCall)\n"),
	}, nil)
	var list diag.List
	if !errors.As(err, &list) {
		t.Fatalf("got %v, want diagnostics", err)
	}
	files := map[string]bool{}
	for _, d := range list {
		files[d.Span.File.Name] = true
	}
	if !files["a.gr"] || !files["b.gr"] || files["c.gr"] {
		t.Errorf("diagnostics of %v", files)
	}
}

func TestCompileAllRefuses(t *testing.T) {
	if _, err := holdfast.CompileAll(nil, nil); err == nil {
		t.Error("no file at all compiles")
	}
	rule := "# id: one\nraise \"x\" if:\n    (c: ToolCall)\n"
	_, err := holdfast.CompileAll([]holdfast.Source{policyFile("a.gr", rule), policyFile("b.gr", "\n"+rule)}, nil)
	var list diag.List
	if !errors.As(err, &list) || len(list) != 1 || list[0].Code != "P0312" || len(list[0].Notes) != 1 {
		t.Fatalf("two rules with one id: %v", err)
	}
	if a, b := list[0].Notes[0].Span.File.Name, list[0].Span.File.Name; a != "a.gr" || b != "b.gr" {
		t.Errorf("the first is said to be in %s, the second in %s", a, b)
	}
}

// An id that a comment gives is that rule's, even where the hash of another
// comes out the same.
func TestCompileAllNamedIDsHold(t *testing.T) {
	text := "raise \"x\" if:\n    (c: ToolCall)\n"
	hash := compileAll(t, nil, policyFile("a.gr", text)).Rules()[0].ID
	p := compileAll(t, nil, policyFile("a.gr", text), policyFile("b.gr", "# id: "+hash+"\nraise \"y\" if:\n    (c: ToolOutput)\n"))
	if a, b := p.Rules()[0].ID, p.Rules()[1].ID; a == b || b != hash {
		t.Errorf("ids %q and %q, want the second to be %q", a, b, hash)
	}
}

// Each file imports from its own folder, and scripts of the same name in two
// folders are two scripts.
func TestCompileAllFolders(t *testing.T) {
	main := "from ./lib import limit\nfrom ./names import forbidden\n" +
		"raise \"too much\" if:\n    (c: ToolCall)\n    c.arguments.n > limit\nraise \"name\" if:\n    (c: ToolCall)\n    forbidden(c.name)\n"
	folder := func(name, limit, word string) holdfast.Source {
		return holdfast.Source{Name: name, Text: []byte(main), Files: fstest.MapFS{
			"lib.gr":     {Data: []byte("limit := " + limit + "\n")},
			"names.star": {Data: []byte("def forbidden(name):\n    return name == \"" + word + "\"\n")},
		}}
	}
	p := compileAll(t, &holdfast.Options{Scripts: script.Load}, folder("a/p.gr", "10", "pay"), folder("b/p.gr", "100", "send"))
	for _, test := range []struct {
		tool string
		n    int
		want string
	}{
		{"pay", 5, "a/p.gr name"},
		{"send", 50, "a/p.gr too much, b/p.gr name"},
		{"send", 500, "a/p.gr too much, b/p.gr too much, b/p.gr name"},
	} {
		v, err := p.Analyze(context.Background(), &trace.Trace{Events: []*trace.Event{
			trace.Call("1", test.tool, map[string]any{"n": test.n}),
		}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range v.Counts() {
			got = append(got, c.Rule.Policy+" "+c.Rule.Message)
		}
		if got := strings.Join(got, ", "); got != test.want || len(v.Unknowns()) > 0 {
			t.Errorf("%s of %d: got %s (unknown: %v), want %s", test.tool, test.n, got, v.Unknowns(), test.want)
		}
	}
}

// An embedder's effectful function is asked once, whichever file asks.
func TestCompileAllSharesFunctions(t *testing.T) {
	asked := 0
	opts := &holdfast.Options{Functions: []holdfast.Function{{
		Name: "blocked", Params: []holdfast.Param{{Name: "x", Type: "str"}}, Result: "bool", Effect: true,
		Call: func(context.Context, []any) (any, error) { asked++; return true, nil },
	}}}
	rule := "raise \"x\" if:\n    (c: ToolCall)\n    blocked(c.name)\n"
	p := compileAll(t, opts, policyFile("a.gr", rule), policyFile("b.gr", rule))
	v, err := p.Analyze(t.Context(), &trace.Trace{Events: []*trace.Event{trace.Call("1", "pay", nil)}}, nil)
	if err != nil || len(v.Violations()) != 2 || asked != 1 {
		t.Errorf("%d violations after %d questions, %v", len(v.Violations()), asked, err)
	}
}
