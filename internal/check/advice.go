// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// What people write who know other languages or other names for the same
// things, and what it is here. A table row never refuses anything: it only
// helps where a name was refused already.

// adviceOnField says what a field that t does not have is called here, "" if
// nothing is known.
func adviceOnField(t *value.Type, name string) string {
	key := strings.ToLower(name)
	for _, row := range fieldRows {
		if row.of == t.Kind && contains(row.names, key) {
			return row.help
		}
	}
	return ""
}

var fieldRows = []struct {
	of    value.Kind
	names string
	help  string
}{
	{value.ToolCall, "args argument params parameters input inputs kwargs", "the arguments are .arguments"},
	{value.ToolCall, "tool tool_name toolname function_name", "the name of the tool is .name"},
	{value.ToolCall, "tool_call_id call_id", "a call's own id is .id"},
	{value.ToolCall, "output result response content", "what a call gave is an event of its own: (out: ToolOutput) with out.tool == call"},
	{value.Function, "args argument params parameters input inputs kwargs", "the arguments are .arguments"},
	{value.ToolOutput, "output result text response value data", "what the tool gave is .content"},
	{value.ToolOutput, "name tool_name function", "the call that it answers is .tool, and its name .tool.name"},
	{value.ToolOutput, "arguments args", "the call that it answers is .tool, with .tool.arguments"},
	{value.ToolOutput, "id call_id", "the id of the call that it answers is .tool_call_id"},
	{value.Message, "text body message value", "what a message says is .content"},
	{value.Message, "calls toolcalls tools", "the calls of a message are .tool_calls"},
	{value.Message, "sender from author speaker user", "who says it is .role"},
	{value.Message, "function arguments tool name", "a message holds calls: (call: ToolCall) in message.tool_calls"},
	{value.Tool, "parameters params schema input_schema arguments", "what a tool takes is .inputSchema: (p: ToolParameter) in tool.inputSchema"},
	{value.TextChunk, "content value", "what it says is .text"},
	{value.Image, "url", "the address of an image is .image_url.url"},
}

// adviceOnType returns the type that name is elsewhere the name of, "" if
// nothing is known.
func adviceOnType(name string) string {
	plain := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	for _, t := range value.NamedTypes() {
		if strings.ToLower(t.Name) == plain {
			return t.Name
		}
	}
	for typ, names := range typeRows {
		if contains(names, plain) {
			return typ
		}
	}
	return ""
}

var typeRows = map[string]string{
	"ToolOutput":    "toolresult toolresponse toolmessage functionoutput functionresult output result",
	"ToolCall":      "call functioncall tooluse",
	"AgentMessage":  "assistant assistantmessage aimessage agent",
	"UserMessage":   "user humanmessage human",
	"SystemMessage": "system developermessage",
	"ToolParameter": "parameter param argument",
	"TextChunk":     "text textcontent textpart",
	"Image":         "imagecontent imagechunk imagepart",
	"str":           "string",
	"int":           "integer number long",
	"float":         "double decimal real",
	"bool":          "boolean",
	"dict":          "object map mapping record json",
	"list":          "array sequence",
}

// adviceOnFunction says what to write for a function that does not exist.
func adviceOnFunction(name string) string {
	if builtin.LookupMethod(name) != nil {
		return "it is a method: write x." + name + "(…)"
	}
	return row(functionRows, name)
}

var functionRows = []adviceRow{
	{"isinstance type typeof", "a variable says its type where it is declared: (x: Message)"},
	{"contains includes has", `write "word" in text`},
	{"regex search test re findall fullmatch matches regex_match", "match(pattern, text) looks at the start, find(pattern, text) gives all matches"},
	{"length size", "write len(…)"},
	{"some", "write any([…])"},
	{"every", "write all([…])"},
	{"map filter", "write a comprehension: [… for x in … if …]"},
	{"range sorted set zip enumerate reversed abs round", "this function is not part of the language"},
	{"now time date today", "policies know no clock; compare timestamps, or pass the time as input.now"},
	{"lambda eval exec open getattr", "policies have no effects and no code in them"},
}

// adviceOnMethod says what to write for a method that does not exist.
func adviceOnMethod(name string) string { return row(methodRows, name) }

var methodRows = []adviceRow{
	{"contains includes has haskey has_key __contains__", `write "word" in text, "key" in dict`},
	{"length size", "write len(…)"},
	{"count", "write len(find(pattern, text))"},
	{"search findall test matches fullmatch", "write match(pattern, text) or find(pattern, text)"},
	{"find index indexof", `write "word" in text, or find(pattern, text) for all matches`},
	{"trim lstrip rstrip", "write .strip()"},
	{"tolowercase casefold", "write .lower()"},
	{"touppercase", "write .upper()"},
	{"substring substr slice", "write text[from:to]"},
	{"append push add extend concat", "values never change; write a + b"},
	{"isdigit isalpha isalnum isnumeric", `write match("[0-9]+$", text), or another pattern`},
	{"some any", "write any([…])"},
	{"every all", "write all([…])"},
	{"map filter foreach", "write a comprehension: [… for x in … if …]"},
	{"pop update clear remove sort", "values never change"},
}

// An adviceRow gives one help for several names, which are in lower case.
type adviceRow struct{ names, help string }

func row(rows []adviceRow, name string) string {
	for _, r := range rows {
		if contains(r.names, strings.ToLower(name)) {
			return r.help
		}
	}
	return ""
}

// contains reports whether word is one of the words of a list.
func contains(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// declaredWithin says where the rule or predicate under check declares a name
// that cannot be used where it is, "" if it does not.
func (c *checker) declaredWithin(name string) string {
	help := ""
	syntax.Walk(c.stmt, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TypedVar:
			if n.Name.Name == name {
				help = quote(name) + " is a variable of an inner block; use it there"
			}
		case *syntax.BindCond:
			if n.Name.Name == name {
				help = quote(name) + " is bound in an inner block; use it there"
			}
		case *syntax.ListComp:
			for _, t := range n.Targets {
				if t.Name == name {
					help = quote(name) + " is known inside its comprehension only"
				}
			}
		}
		return help == ""
	})
	return help
}
