// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// The keys that mean something in each kind of object. Others are ignored,
// unless they differ from one of these in case alone: such a key is a mistake
// or an attempt to hide something from a rule.
var (
	traceKeys = []string{"messages", "tools"}
	callKeys  = []string{"id", "type", "function", "metadata", "server", "timestamp"}
	entryKeys = []string{
		"role", "content", "tool_calls", "function_call", "tool_call_id", "metadata", "server", "timestamp",
		"id", "type", "function", "tools",
	}
	functionKeys = []string{"name", "arguments"}
	partKeys     = []string{"type", "text", "image_url"}
	imageKeys    = []string{"url"}
	toolKeys     = []string{"name", "description", "inputSchema", "type", "function", "server"}
	specKeys     = []string{"name", "description", "parameters"}
	schemaKeys   = []string{"type", "description", "properties", "required", "items", "enum"}
)

var roles = []string{"system", "developer", "user", "assistant", "tool", "function"}

// variants refuses a key of the object v that is a known one in other case.
func (d *decoder) variants(v *value.Value, known []string) *Error {
	for i, k := range v.Keys() {
		if slices.Contains(known, k) {
			continue
		}
		for _, want := range known {
			if foldEqual(k, want) {
				return d.fail(v.Items()[i], "the key %q, want %q", k, want)
			}
		}
	}
	return nil
}

// foldEqual is strings.EqualFold, which most keys fail at their first byte.
func foldEqual(k, known string) bool {
	if k == "" || k[0] < utf8.RuneSelf && k[0]|0x20 != known[0]|0x20 {
		return false
	}
	return strings.EqualFold(k, known)
}

// describe says in a few words what v is, for messages.
func describe(v *value.Value) string {
	switch v.Kind() {
	case value.None:
		return "null"
	case value.Bool:
		return "a boolean"
	case value.Int, value.Float:
		return "a number"
	case value.Str:
		return "a string"
	case value.List, value.Content:
		return "a list"
	case value.Dict:
		return "an object"
	case value.Unknown:
		return "a text with a lone surrogate"
	}
	return "an element"
}

// quoted shortens and quotes a text for a message.
func quoted(s string) string {
	const most = 40
	if len(s) > most {
		end := most
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + "…"
	}
	return strings.Map(printable, string(value.AppendQuoted(nil, s)))
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return unicode.ReplacementChar
}
