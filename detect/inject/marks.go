// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import "strings"

// A mark is a piece of text that is not made of words: a token of a chat
// template, the markup of a call.
type mark struct {
	rule int
	text string // in small letters
	line bool   // only where a line begins
}

// marked adds what the rules about marks see.
func (b *rulebook) marked(out []signal, text string) []signal {
	for i := range len(text) {
		list := b.byByte[text[i]]
		if list == nil || i+1 == len(text) || !b.seconds[text[i]][text[i+1]] || isASCIILetter(text[i]) && !lineBegins(text, i) {
			continue
		}
		for _, n := range list {
			m := &b.marks[n]
			if len(text)-i >= len(m.text) && same(m.text, text[i:i+len(m.text)]) && (!m.line || lineBegins(text, i)) {
				out = append(out, signal{m.rule, i, i + len(m.text), b.rules[m.rule].Weight})
			}
		}
		if text[i] == '{' {
			if end := callAt(text, i); end > 0 {
				out = append(out, signal{b.toolJSON, i, end, b.rules[b.toolJSON].Weight})
			}
		}
	}
	return out
}

// lineBegins reports whether only blanks and signs of quoting stand before i
// on its line. The line may be one of a text that is quoted in another.
func lineBegins(text string, i int) bool {
	for n := 0; i > 0 && n < 16; n++ {
		i--
		switch c := text[i]; c {
		case ' ', '\t', '>', '*', '#', '"', '\'', '-', '[', '(':
		case '\n':
			return true
		case 'n', 'r':
			return i > 0 && text[i-1] == '\\'
		default:
			return false
		}
	}
	return true
}

// callReach is how far behind the brace of a call its second key may be.
const callReach = 200

// callAt returns where the beginning of a call ends that is spelled in JSON at
// i: {"name": "…", "arguments": {. It is 0 if there is none.
func callAt(text string, i int) int {
	piece := text[i:min(len(text), i+callReach)]
	rest := strings.TrimLeft(piece[1:], " \t\r\n\\")
	var key string
	for _, k := range [...]string{`"name`, `'name`, `"tool`, `'tool`, `"function`, `'function`, `"tool_name`, `"action`} {
		if strings.HasPrefix(rest, k) && len(rest) > len(k) && strings.IndexByte("\"'\\", rest[len(k)]) >= 0 {
			key = k
		}
	}
	if key == "" {
		return 0
	}
	for _, k := range [...]string{`arguments`, `parameters`, `tool_input`, `action_input`} {
		if n := strings.Index(rest, k); n > 0 && strings.IndexByte("\"'", rest[n-1]) >= 0 {
			behind := strings.TrimLeft(rest[n+len(k):], "\"'\\ :\t\r\n")
			if strings.HasPrefix(behind, "{") {
				return i + len(piece) - len(behind) + 1
			}
		}
	}
	return 0
}
