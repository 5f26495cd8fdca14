// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package code

import (
	"slices"
	"strings"
)

// The shapes of lines, for texts that nobody says the language of. They are
// wide: to read a text in a language that it is not in costs time, and finds
// little; not to read it finds nothing.

// maxShapeLine is how much of a line is looked at.
const maxShapeLine = 500

// shapes returns the languages that some line of a text has the shape of.
func shapes(text string) []*language {
	var out []*language
	var seen [len(languages)]bool
	for line := range strings.Lines(text) {
		l := shapeOf(line)
		for i := range languages {
			if !seen[i] && l.text != "" && languages[i].looks(&l) {
				seen[i] = true
				out = append(out, &languages[i])
			}
		}
		if len(out) == len(languages) {
			break
		}
	}
	return out
}

// A line is one of a text, and what can be seen of it at once.
type line struct {
	text    string
	first   string // the word that it begins with, in small letters
	calls   bool   // there is a parenthesis right behind a name or a bracket
	assigns bool   // it begins as an assignment
	signs   bool   // there is a sign that shells read
}

func shapeOf(whole string) line {
	l := line{text: strings.TrimSpace(whole[:min(len(whole), maxShapeLine)])}
	l.text = strings.TrimSpace(strings.TrimPrefix(l.text, ">>>"))
	n := 0
	for n < len(l.text) && isWord(l.text[n]) {
		n++
	}
	l.first = strings.ToLower(l.text[:n])
	left := true // what has been read so far may be assigned to
	for i := range len(l.text) {
		switch c := l.text[i]; c {
		case '(':
			l.calls = l.calls || i > 0 && (isWord(l.text[i-1]) || l.text[i-1] == ')' || l.text[i-1] == ']' || l.text[i-1] == '`')
			left = false
		case '=':
			l.assigns = l.assigns || left && i > 0 && (i+1 == len(l.text) || l.text[i+1] != '=')
			left = false
		case '|', '>', '<', '$', '&', ';', '`', '~':
			l.signs = true
		default:
			left = left && (isWord(c) || strings.IndexByte(" .,:[]'\"-+*/", c) >= 0)
		}
	}
	return l
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c >= 0x80
}

// Words that lines begin with.
var (
	pythonWords = strings.Fields("import from def class async await if elif for while with try except else finally lambda print exec raise assert return yield del global match case")
	jsWords     = strings.Fields("const let var function class import export async await return new if for while throw switch case try delete eval")
	sqlWords    = strings.Fields("select insert update delete drop truncate alter create grant revoke exec execute union with merge replace call declare begin copy attach set use or and load do")
)

func looksPython(l *line) bool {
	return l.calls || l.assigns || l.text[0] == '@' || slices.Contains(pythonWords, l.first)
}

// looksShell leaves out sentences: they begin with a capital letter, and have
// no sign.
func looksShell(l *line) bool {
	c := l.text[0]
	return l.signs || l.assigns || c == '#' || c == '.' || c == '/' || c == '%' || 'a' <= c && c <= 'z' && len(l.first) > 0
}

func looksJavaScript(l *line) bool {
	return l.calls || l.assigns || slices.Contains(jsWords, l.first) || strings.Contains(l.text, "=>") || strings.Contains(l.text, "<script") || strings.Contains(l.text, "javascript:")
}

// looksSQL takes a statement, or what injection puts behind a quote.
func looksSQL(l *line) bool {
	return slices.Contains(sqlWords, l.first) || strings.Contains(l.text, "--") || strings.Contains(l.text, "/*") || strings.IndexByte(l.text, ';') >= 0 ||
		strings.ContainsAny(l.text, `'")`) && hasSQLWord(l.text)
}

// hasSQLWord reports whether one of the words of injection stands inside a
// text.
func hasSQLWord(text string) bool {
	for word := range strings.FieldsSeq(text) {
		switch strings.ToLower(strings.Trim(word, `'"()`)) {
		case "or", "and", "union", "select", "where", "having", "like", "||", "&&":
			return true
		}
	}
	return strings.Contains(text, "||")
}
