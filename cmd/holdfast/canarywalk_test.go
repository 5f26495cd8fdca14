// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A canary is something that no report may show.
type canary struct {
	name string
	text string   // as it stands in a trace
	bare []string // what of it gives it away, in any case
}

// walkKey is a key over several lines.
const walkKey = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0buxZWaLd0gLZ9pGR2ShbIWk7ZwUHv\n" +
	"q3ZrTn0lJQ2dJfL2ZrXwHk9c5TzQm8Yb1uVxK4aNsG7eRtPoWd3iFhCj6yLqMvBn\n-----END RSA PRIVATE KEY-----"

// canaries are what the walk is about.
var canaries = []canary{
	{"a token", canarySecret, []string{canarySecret[4:16], canarySecret[20:32]}},
	{"a pair of keys", "aws_access_key_id = AKIAQ3EGRSOX7LMN5TUV\naws_secret_access_key = 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", []string{"Q3EGRSOX7LMN5", "XUtnFEMI7MDENG", "z4k9QpLm2sTv"}},
	{"a web token", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkV2ZSJ9.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", []string{"SflKxwRJSMeKK", "f36POk6yJV_ad", "zdWIiOiIxMjM0NT"}},
	{"a private key", walkKey, []string{"MIIEpAIBAAKC", "bIWk7ZwUHv", "q3ZrTn0lJQ2d", "oWd3iFhCj6yLq"}},
	{"a connection string", "postgres://admin:S3cr3tPa55w0rdX9@db.example.com:5432/app", []string{"S3cr3tPa55", "Pa55w0rdX9"}},
	{"a password", `{"user": "eve", "password": "Tr0ub4dor-Xy9-qLm"}`, []string{"Tr0ub4dor", "dor-Xy9-qL"}},
	{"an assignment", `api_key = "q7Hs9dKx2mZp4vTn8wRb3cYf6gLj5aEu"`, []string{"q7Hs9dKx2mZ", "8wRb3cYf6gL"}},
	{"a mail", canaryDatum, []string{"eve.canary@", "canary@example"}},
	{"a card", "4012 8888 8888 1881", []string{"4012 8888", "8888 1881", "88888888"}},
	{"a card's number", "4012888888881881", []string{"40128888", "88881881"}},
	{"an account", "DE89 3704 0044 0532 0130 00", []string{"3704 0044", "0532 0130", "DE89 3704"}},
	{"a telephone", "+44 20 7946 0958", []string{"7946 0958", "20 7946"}},
	{"a social security number", "her SSN is 536-90-4399", []string{"536-90-4", "90-4399"}},
}

// fields are where a text may stand in a trace; %s is the text as JSON.
var fields = map[string]string{
	"content":           `[{"role":"user","content":%s},CALL,OUT]`,
	"system":            `[{"role":"system","content":%s},CALL,OUT]`,
	"part":              `[{"role":"user","content":[{"type":"text","text":%s},{"type":"text","text":"and more"}]},CALL,OUT]`,
	"image":             `[{"role":"user","content":[{"type":"image_url","image_url":{"url":%s}}]},CALL,OUT]`,
	"part type":         `[{"role":"user","content":[{"type":%s,"text":"a"}]},CALL,OUT]`,
	"call name":         `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":%s,"arguments":{"to":"x"}}}]},{"role":"tool","tool_call_id":"1","content":"fine"}]`,
	"argument":          `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":{"to":%s}}}]},{"role":"tool","tool_call_id":"1","content":"fine"}]`,
	"key":               `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":{%s:"x"}}}]},{"role":"tool","tool_call_id":"1","content":"fine"}]`,
	"nested key":        `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":{"to":{"a":[{%s:1}]}}}}]},{"role":"tool","tool_call_id":"1","content":"fine"}]`,
	"nested value":      `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":{"to":{"a":[{"b":%s}]}}}}]},{"role":"tool","tool_call_id":"1","content":"fine"}]`,
	"value of password": `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":{"password":%s}}}]},{"role":"tool","tool_call_id":"1","content":"fine"}]`,
	"arguments":         `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":%s}}]},{"role":"tool","tool_call_id":"1","content":"fine"}]`,
	"arguments in text": `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":INNER}}]},{"role":"tool","tool_call_id":"1","content":"fine"}]`,
	"id":                `[{"role":"assistant","content":null,"tool_calls":[{"id":%[1]s,"type":"function","function":{"name":"send","arguments":{"to":"x"}}}]},{"role":"tool","tool_call_id":%[1]s,"content":"fine"}]`,
	"lost id":           `[{"role":"tool","tool_call_id":%s,"content":"fine"},CALL,OUT]`,
	"two ids":           `[{"role":"assistant","content":null,"tool_calls":[{"id":%[1]s,"type":"function","function":{"name":"send","arguments":{"to":"x"}}},{"id":%[1]s,"type":"function","function":{"name":"send","arguments":{"to":"x"}}}]},{"role":"tool","tool_call_id":%[1]s,"content":"fine"}]`,
	"output":            `[CALL,{"role":"tool","tool_call_id":"1","content":%s}]`,
	"metadata":          `[{"role":"user","content":"a","metadata":{"note":%s}},CALL,OUT]`,
	"metadata key":      `[{"role":"user","content":"a","metadata":{%s:1}},CALL,OUT]`,
	"timestamp":         `[{"role":"user","content":"a","timestamp":%s},CALL,OUT]`,
	"name":              `[{"role":"user","name":%s,"content":"a"},CALL,OUT]`,
	"unknown key":       `[{"role":"user",%s:"x","content":"a"},CALL,OUT]`,
	"unknown value":     `[{"role":"user","extra":%s,"content":"a"},CALL,OUT]`,
	"tool name":         `[{"tools":[{"name":%s,"description":"d","inputSchema":{"type":"object","properties":{}}}]},CALL,OUT]`,
	"description":       `[{"tools":[{"name":"send","description":%s,"inputSchema":{"type":"object","properties":{}}}]},CALL,OUT]`,
	"schema":            `[{"tools":[{"name":"send","description":"d","inputSchema":{"type":"object","properties":{%[1]s:{"type":"string","description":%[1]s}}}}]},CALL,OUT]`,
	"server":            `[{"tools":[{"name":"send","description":"d","inputSchema":{}}],"server":%s},CALL,OUT]`,
	"role":              `[{"role":%s,"content":"a"},CALL,OUT]`,
	"twice":             `[{"role":"user","content":"a",%[1]s:1,%[1]s:2},CALL,OUT]`,
	"broken behind":     `[{"role":"user","content":%s},CALL,OUT`,
	"broken before":     `[{"role":"user" "content":%s},CALL,OUT]`,
	"no event":          `[%s]`,
	"no trace":          `%s`,
	"tool type":         `[{"role":"assistant","content":null,"tool_calls":[%s]}]`,
	"tool kind":         `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":%s,"function":{"name":"send","arguments":{"to":"x"}}}]}]`,
	"long":              `[{"role":"user","content":LONG},CALL,OUT]`,
	"at a cut":          `[{"role":"user","content":CUT},CALL,OUT]`,
	"two parts":         `[{"role":"user","content":[{"type":"text","text":HALF1},{"type":"text","text":HALF2}]},CALL,OUT]`,
	"base64":            `[{"role":"user","content":BASE64},CALL,OUT]`,
	"escaped":           `[{"role":"user","content":ESCAPED},CALL,OUT]`,
	"zero width":        `[{"role":"user","content":ZERO},CALL,OUT]`,
	"JSON in a text":    `[{"role":"user","content":INJSON},CALL,OUT]`,
	"wide":              `[{"role":"user","content":WIDE},CALL,OUT]`,
}

// walkCall is a call that fields put beside an event.
const walkCall = `{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"send","arguments":{"to":"x"}}}]}`

// asJSON quotes a text.
func asJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// placed returns a trace with a text in a field.
func placed(field, form, text string) string {
	wide := strings.Map(func(r rune) rune {
		if r > ' ' && r <= '~' {
			return r + 0xfee0
		}
		return r
	}, text)
	var escaped strings.Builder
	for _, r := range text {
		fmt.Fprintf(&escaped, `\u%04x`, r)
	}
	h := len(text) / 2
	out := strings.NewReplacer("CALL", walkCall, "OUT", `{"role":"tool","tool_call_id":"1","content":"fine"}`,
		"INNER", asJSON(`{"to":`+asJSON(text)+`,`+asJSON(text)+`:1}`), "LONG", asJSON(strings.Repeat("word ", 30000)+text+strings.Repeat(" word", 30000)),
		"CUT", asJSON(strings.Repeat("word ", 196)+text+" more"), "HALF1", asJSON(text[:h]), "HALF2", asJSON(text[h:]),
		"BASE64", asJSON(base64.StdEncoding.EncodeToString([]byte("see "+text))), "ESCAPED", `"`+escaped.String()+`"`,
		"ZERO", asJSON(strings.Join(strings.Split(text, ""), "\u200b")), "INJSON", asJSON(asJSON(asJSON(text))), "WIDE", asJSON(wide)).Replace(form)
	if strings.Contains(out, "%") {
		out = fmt.Sprintf(out, asJSON(text))
	}
	return out
}

// walkPolicy shows of an event what can be shown of it: whole, cut, taken apart
// and in what could not be decided.
const walkPolicy = `from holdfast.detectors import pii, secrets
from holdfast import match
raise f"{m.content} was said" if:
    (m: Message)
raise PolicyViolation("more", first=m.content[5:25], end=m.content[-20:], words=m.content.split("_"), of=m, low=m.content.lower(), up=m.content.upper(), len=len(m.content)) if:
    (m: Message)
    print(m.content)
raise PolicyViolation("join", a="".join([m.content[:12], m.content[12:]]), b=[x for x in m.content.split(" ")], c={m.content: 1}, d=m.content.replace("e", "E"), e=[m.content[0:12], m.content[12:24], m.content[24:36]], f=str(m), g=m.metadata) if:
    (m: Message)
raise PolicyViolation(c.function.name, a=c.function.arguments, b=str(c.function.arguments), c=c.id, d=[k for k in c.function.arguments]) if:
    (c: ToolCall)
raise f"{c}" if:
    (c: ToolCall)
warn f"{o}" if:
    (o: ToolOutput)
ask PolicyViolation("tool", t=t, d=t.description, s=t.inputSchema, n=t.name) if:
    (t: Tool)
warn "a text" if:
    (s: str)
    len(s) > 3
raise "not told" if:
    (m: Message)
    any(secrets(m, views=["sideways"]))
raise "no number" if:
    (m: Message)
    int(m.content) > 3
raise "no match" if:
    (m: Message)
    match(m.content, m.content)
raise "no key" if:
    (m: Message)
    {"a": 1}[m.content] == 1
raise "no attribute" if:
    (c: ToolCall)
    c.function.arguments[c.function.name] == 1
raise "no sum" if:
    (c: ToolCall)
    c.function.arguments.to + 1 == 2
raise "too deep" if:
    (c: ToolCall)
    c.function.arguments.to.a.b.c == 2
raise "timestamp" if:
    (m: Message)
    m.timestamp > m.content
warn "an argument nobody has" if:
    (c: ToolCall)
    c.arguments.to.nobody == m.content
    (m: UserMessage)
`

// walks are the commands that say something about traces.
var walks = []string{
	"check --format text", "check --format text --online", "check --format json", "check --format github", "check --format junit", "check --format sarif",
	"check --strict --format jsonl", "scan --stats --format text", "diff --format text --show 10000", "diff --format json", "diff --format sarif", "diff --format github", "detect",
	"explain --format text", "explain --format json",
}

// TestCanaryWalk puts each canary into each field, and walks what the commands
// write about all of these traces, with a policy that takes them apart.
func TestCanaryWalk(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	policy := write("p.gr", walkPolicy)
	old := write("old.gr", "raise \"x\" if:\n    (c: ToolCall)\n    c is tool:nobody\n")
	var traces strings.Builder
	n := 0
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		for _, c := range canaries {
			if n++; raceEnabled && n%5 != 0 {
				continue
			}
			traces.WriteString(placed(field, fields[field], c.text) + "\n")
		}
	}
	runs := write("t.jsonl", traces.String())
	for _, test := range walks {
		args := strings.Fields(test)
		switch args[0] {
		case "diff":
			args = append(args, old, policy, runs)
		case "detect":
			args = append(args, runs)
		default:
			args = append(args, policy, runs)
		}
		var stdout, stderr strings.Builder
		if code := run(args, strings.NewReader(""), &stdout, &stderr); code == exitUsage {
			t.Fatalf("%s: %s", test, &stderr)
		}
		all := stdout.String() + "\n" + stderr.String()
		small := strings.ToLower(all)
		for _, c := range canaries {
			for _, piece := range c.bare {
				if i := strings.Index(small, strings.ToLower(piece)); i >= 0 {
					t.Errorf("%s shows %q of %s: …%.200q", test, piece, c.name, all[max(0, i-100):])
					break
				}
			}
		}
	}
}
