// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package toolset_test

import (
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/toolset"
)

func TestLayouts(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"a list", `[{"name": "a", "description": "d", "inputSchema": {"type": "object"}}]`, `a: d {"type": "object"}`},
		{"mcp", `{"tools": [{"name": "a"}, {"name": "b", "annotations": {"readOnlyHint": true}}]}`, "a: ;b: "},
		{"mcp message", `{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a"}]}}`, "a: "},
		{"openai", `{"model": "m", "tools": [{"type": "function", "function": {"name": "a", "parameters": {}}}]}`, "a:  {}"},
		{"openai responses", `[{"type": "function", "name": "a", "parameters": null}]`, "a: "},
		{"a boolean schema", `[{"name": "a", "inputSchema": true}]`, "a: "},
		{"anthropic", `[{"name": "a", "input_schema": {"x": 1}}]`, `a:  {"x": 1}`},
		{
			"kits", `[{"toolkit": "Mail", "tools": [{"name": "Send", "summary": "s", "parameters": [{"name": "to", "type": "string", "required": true}], "returns": [{"name": "ok"}]}]}]`,
			`MailSend: s {"type":"object","properties":{"to":{"type":"string"}},"required":["to"]} ok`,
		},
		{"lines", "{\"Tool Name\": \"a\", \"Description\": \"d\"}\n{\"Attacker Tool\": \"b\", \"Description\": \"e\"}\n", "a: d;b: e"},
		{"one line", `{"Tool Name": "a", "Description": "d"}`, "a: d"},
		{"none", `[]`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tools, err := toolset.Read([]byte(tt.src))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, one := range tools {
				line := one.Name + ": " + one.Description
				for _, more := range append([]string{string(one.Arguments)}, one.Results...) {
					if more != "" {
						line += " " + more
					}
				}
				got = append(got, line)
			}
			if s := strings.Join(got, ";"); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for src, want := range map[string]string{
		"":                                "unexpected EOF",
		"{":                               "unexpected EOF",
		`{"x": 1}`:                        "want a list of tools",
		`[{"description": "d"}]`:          "tool 0 has no name",
		`[{"name": "a"}, {"name": 1}]`:    "tool 1: ",
		`[{"name": "a"}, 2]`:              "tool 1: ",
		`[{"name":"a","parameters":[1]}]`: `tool 0: the schema of "a": `,
	} {
		if _, err := toolset.Read([]byte(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", src, err, want)
		}
	}
}
