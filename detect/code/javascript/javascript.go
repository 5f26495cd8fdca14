// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package javascript finds what is dangerous in JavaScript and TypeScript,
// whole or cut, modules and JSX included.
//
// There is no tree: the tokens are tdewolff's, and what they mean is read from
// the tokens around. A name is followed to the module that it was imported
// from; a value is constant if it is made of literals and constants alone.
package javascript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version changes with the findings.
const Version = "1"

// Find returns what is dangerous in the text, in the order of where it begins.
// The error is always nil: any text can be read.
func Find(text string) ([]detect.Span, error) {
	r := &reader{text: text, names: map[string]string{}, constants: map[string]string{}, seen: map[detect.Span]bool{}}
	r.tokens = tokens(text)
	r.match()
	r.declarations()
	for i := range r.tokens {
		r.token(i)
	}
	r.headers()
	slices.SortFunc(r.found, func(a, b detect.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind))
	})
	return r.found, nil
}

// A reader reads one text.
type reader struct {
	text   string
	tokens []token
	pairs  []int32 // of an opening bracket: where it is closed, or the number of tokens

	names     map[string]string // what an imported name stands for: "child_process.exec"
	constants map[string]string // the names of texts that do not change
	sockets   bool              // the module net is in use

	anyOrigin, withCredentials int // places of headers of CORS, 1 up

	found []detect.Span
	seen  map[detect.Span]bool
}

func (r *reader) report(id string, from, to int) {
	if len(r.tokens) == 0 {
		return
	}
	from = min(max(from, 0), len(r.tokens)-1) // cut code may begin at a dot
	to = min(max(to, from+1), len(r.tokens))
	rule := ruleOf(id)
	s := detect.Span{
		Kind: id, Start: int(r.tokens[from].start), End: int(r.tokens[to-1].end), Score: 1, Text: rule.Description, Severity: rule.Severity,
	}
	if !r.seen[s] {
		r.seen[s] = true
		r.found = append(r.found, s)
	}
}

// match finds the closing bracket of each opening one.
func (r *reader) match() {
	n := int32(len(r.tokens))
	r.pairs = make([]int32, n)
	var open []int32
	for i := range n {
		r.pairs[i] = n
		switch r.tokens[i].kind {
		case js.OpenBraceToken, js.OpenParenToken, js.OpenBracketToken, js.TemplateStartToken:
			open = append(open, i)
		case js.TemplateMiddleToken:
			if len(open) > 0 {
				r.pairs[open[len(open)-1]] = i
				open[len(open)-1] = i
			}
		case js.CloseBraceToken, js.CloseParenToken, js.CloseBracketToken, js.TemplateEndToken:
			// One that closes nothing of its kind is the end of what was cut.
			for k := len(open) - 1; k >= 0 && k >= len(open)-4; k-- {
				if closes(r.tokens[open[k]].kind, r.tokens[i].kind) {
					r.pairs[open[k]] = i
					open = open[:k]
					break
				}
			}
		}
	}
}

func closes(open, closing js.TokenType) bool {
	switch closing {
	case js.CloseBraceToken:
		return open == js.OpenBraceToken
	case js.CloseParenToken:
		return open == js.OpenParenToken
	case js.CloseBracketToken:
		return open == js.OpenBracketToken
	}
	return open == js.TemplateStartToken || open == js.TemplateMiddleToken
}

// kind returns the kind of a token, that of an error behind the ends.
func (r *reader) kind(i int) js.TokenType {
	if i < 0 || i >= len(r.tokens) {
		return js.ErrorToken
	}
	return r.tokens[i].kind
}

// at returns the text of a token.
func (r *reader) at(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.text[r.tokens[i].start:r.tokens[i].end]
}

// named reports whether a token is a name, or a keyword in the place of one.
func (r *reader) named(i int) bool {
	k := r.kind(i)
	return js.IsIdentifierName(k) || k == js.PrivateIdentifierToken
}

// literal returns the content of a text without substitutions.
func (r *reader) literal(i int) (string, bool) {
	switch r.kind(i) {
	case js.StringToken, js.TemplateToken:
		s := r.at(i)
		if len(s) < 2 || s[len(s)-1] != s[0] {
			return strings.TrimLeft(s, "'\"`"), true
		}
		return unescaped(s[1 : len(s)-1]), true
	}
	return "", false
}

// unescaped reads the escapes of letters by number, which only hide them.
func unescaped(s string) string {
	if !strings.Contains(s, `\x`) && !strings.Contains(s, `\u`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		n := 0
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case 'x':
				n = 2
			case 'u':
				n = 4
			}
		}
		if n == 4 && i+2 < len(s) && s[i+2] == '{' {
			if end := strings.IndexByte(s[i:min(len(s), i+12)], '}'); end > 3 {
				if c, ok := hexadecimal(s, i+3, end-3); ok {
					b.WriteRune(c)
					i += end
					continue
				}
			}
		}
		if c, ok := hexadecimal(s, i+2, n); ok {
			b.WriteRune(c)
			i += 1 + n
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hexadecimal(s string, at, n int) (rune, bool) {
	if n == 0 || at+n > len(s) {
		return 0, false
	}
	var c rune
	for _, d := range []byte(s[at : at+n]) {
		switch {
		case d >= '0' && d <= '9':
			c = c<<4 | rune(d-'0')
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			c = c<<4 | rune(d|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return c, true
}
