// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// parseTool reads one tool pattern.
func parseTool(t *testing.T, src string) *syntax.ToolPattern {
	t.Helper()
	policy := "raise \"x\" if:\n    (c: ToolCall)\n    c is " + src + "\n"
	file, diags := syntax.Parse(diag.NewFile("test.gr", []byte(policy)))
	if err := diags.Err(); err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	var found *syntax.ToolPattern
	syntax.Walk(file, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.ToolPattern); ok {
			found = p
		}
		return true
	})
	return found
}

func compileTool(t *testing.T, src string) *ToolMatcher {
	t.Helper()
	m, diags := CompileTool(parseTool(t, src))
	if len(diags) > 0 {
		t.Fatalf("%s: %v", src, diags)
	}
	return m
}

func TestToolMatch(t *testing.T) {
	at := placed(t, agentRun)
	first, second, out := "2.tool_calls.0", "2.tool_calls.1", "3"
	yes, no := value.TrueV, value.FalseV
	tests := []struct {
		pattern, at string
		want        *value.Value
	}{
		{`tool:send`, first, yes},
		{`tool:sen`, first, no},
		{`tool:Send`, first, no},
		{`tool:"sen."`, first, no},
		{`tool:send`, out, yes},
		{`tool:send({to: "bob@corp.com"})`, out, yes},
		{`tool:send`, "4", unknown(value.NoLink)},

		// Texts: equal, or the whole value as a pattern.
		{`tool:send({to: "bob@corp.com"})`, first, yes},
		{`tool:send({to: "bob"})`, first, no},
		{`tool:send({to: ".*@corp.com"})`, first, yes},
		{`tool:send({to: ".*@corp"})`, first, no},
		{`tool:send({to: "bob|x@corp.com"})`, first, no},
		{`tool:send({to: "^(?!bob).*$"})`, first, no},
		{`tool:send({to: "^(?!alice).*$"})`, first, yes},
		{`tool:send({to: ".*two"})`, second, yes},
		{`tool:send({to: "(?i)BOB@CORP.COM"})`, first, yes},
		{`tool:send({n: "3"})`, first, no},
		{`tool:send({urgent: ".*"})`, first, no},
		{`tool:send({tags: "x"})`, first, unknown(value.TypeError)},
		{`tool:send({opts: ".*"})`, first, unknown(value.TypeError)},

		// Numbers, booleans, None.
		{`tool:send({n: 3})`, first, yes},
		{`tool:send({n: 3.0})`, first, yes},
		{`tool:send({n: -3})`, first, no},
		{`tool:send({n: True})`, first, no},
		{`tool:send({urgent: True})`, first, yes},
		{`tool:send({urgent: 1})`, first, no},
		{`tool:send({opts: {deep: {k: None}}})`, first, yes},
		{`tool:send({n: None})`, first, no},

		// Dicts, lists, wildcards.
		{`tool:send({opts: {deep: {}}})`, first, yes},
		{`tool:send({opts: {deep: {z: *}}})`, first, no},
		{`tool:send({n: {}})`, first, no},
		{`tool:send({})`, first, yes},
		{`tool:send({zz: *})`, first, no},
		{`tool:send({to: *})`, first, yes},
		{`tool:send({tags: ["x", "y"]})`, first, yes},
		{`tool:send({tags: ["x"]})`, first, no},
		{`tool:send({tags: [*, "y"]})`, first, yes},
		{`tool:send({tags: ["y", *]})`, first, no},
		{`tool:send({to: ["x"]})`, first, no},
		{`tool:send({"to": "bob.*", n: 3})`, first, yes},
		{`tool:send({"to": "bob.*", n: 4})`, first, no},

		// Value classes wait for their detectors; a false key beside decides.
		{`tool:send({to: <EMAIL_ADDRESS>})`, first, unknown(value.NotProvided)},
		{`tool:send({to: <EMAIL_ADDRESS>, n: 4})`, first, no},
		{`tool:send({n: 4, to: <EMAIL_ADDRESS>})`, first, no},
		{`tool:send({zz: <EMAIL_ADDRESS>})`, first, no},
		{`tool:send({urgent: <PERSON>})`, first, no},
		{`tool:other({to: <EMAIL_ADDRESS>})`, first, no},

		// Arguments that cannot be read.
		{`tool:"mail/send"({to: "x"})`, "8.tool_calls.0", unknown(value.BadArguments)},
		{`tool:x({to: "x"})`, "8.tool_calls.0", no},

		// Servers.
		{`tool:"mail/send"`, first, unknown(value.NoServer)},
		{`tool:"mail/send"({n: 4})`, first, no},
		{`tool:"mail/send"`, second, yes},
		{`tool:"post/send"`, second, no},
		{`tool:"mail/read"`, second, no},
		{`tool:"mail/send"`, "8.tool_calls.0", yes},
		{`tool:"other/send"`, "8.tool_calls.0", no},
	}
	for _, test := range tests {
		m := compileTool(t, test.pattern)
		check(t, test.at+" is "+test.pattern, m.Match(at(test.at), &Env{Memo: NewMemo()}), test.want)
	}
	m := compileTool(t, "tool:send")
	check(t, "None", m.Match(value.NoneV, nil), value.FalseV)
	check(t, "a message", m.Match(at("0"), nil), unknown(value.TypeError))
	check(t, "a text", m.Match(str("send"), nil), unknown(value.TypeError))
}

func TestToolNames(t *testing.T) {
	for src, want := range map[string]string{
		`tool:send`:          "send  send [send]",
		`tool:"a/b"`:         "a/b a b [a/b b]",
		`tool:"a/b/c"`:       "a/b/c a b/c [a/b/c b/c]",
		`tool:"/b"`:          "/b  /b [/b]",
		`tool:"two words"`:   "two words  two words [two words]",
		`tool:send({to: *})`: "send  send [send]",
	} {
		m := compileTool(t, src)
		if got := fmt.Sprintf("%s %s %s %v", m.Name, m.Server, m.Tool, m.Names()); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
		if (m.Args != nil) != strings.Contains(src, "{") {
			t.Errorf("%s: Args is %v", src, m.Args)
		}
	}
}

func TestToolErrors(t *testing.T) {
	tests := []struct{ pattern, code, at, message, help string }{
		{`tool:a({x: "("})`, "P0224", `"("`, "missing ), unterminated subpattern", `write \( for the character`},
		{`tool:a({x: [{y: "(a)\\1"}]})`, "P0224", `"(a)\\1"`, "back-references", "compare them with =="},
		{`tool:a({x: <E_MAIL_ADDRESS>})`, "P0223", "<E_MAIL_ADDRESS>", "no value class <E_MAIL_ADDRESS>", "did you mean <EMAIL_ADDRESS>?"},
		{`tool:a({x: <NOPE>})`, "P0223", "<NOPE>", "no value class <NOPE>", "<PERSON>"},
		{`tool:a({x: 1 + 2})`, "P0228", "1 + 2", "literals only", "condition of its own"},
		{`tool:a({x: c.name})`, "P0228", "c.name", "literals only", "condition of its own"},
		{`tool:a({x: 1, x: 2})`, "P0228", "x", "twice", ""},
	}
	for _, test := range tests {
		_, diags := CompileTool(parseTool(t, test.pattern))
		if len(diags) != 1 {
			t.Errorf("%s: %v, want one diagnostic", test.pattern, diags)
			continue
		}
		d := diags[0]
		if d.Code != test.code || d.Span.Text() != test.at || !strings.Contains(d.Message, test.message) || !strings.Contains(d.Help, test.help) {
			t.Errorf("%s: %s at %q: %s (%s)", test.pattern, d.Code, d.Span.Text(), d.Message, d.Help)
		}
		if _, ok := diag.Lookup(d.Code); !ok {
			t.Errorf("%s: code %s has no page", test.pattern, d.Code)
		}
	}
}

func TestValueClassesLoad(t *testing.T) {
	names := ValueClasses()
	if !slices.IsSorted(names) {
		t.Error("ValueClasses is not sorted")
	}
	for _, name := range names {
		compileTool(t, "tool:a({x: <"+name+">})")
	}
}

func TestArgPatternEach(t *testing.T) {
	m := compileTool(t, `tool:a({to: "x.*", n: 1, opts: {deep: "y"}, l: ["z"]})`)
	var got []string
	m.Args.Each(func(key, text string, re *Regexp) { got = append(got, key+"="+text+"/"+re.String()) })
	if want := []string{"to=x.*/x.*", "opts.deep=y/y"}; !slices.Equal(got, want) {
		t.Errorf("Each gives %q, want %q", got, want)
	}
	var none *ArgPattern
	none.Each(func(string, string, *Regexp) { t.Error("a nil pattern has keys") })
}
