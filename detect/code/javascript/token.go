// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import (
	"bytes"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// A token is a part of the text that is neither blank nor a comment.
type token struct {
	kind       js.TokenType
	line       bool // the first of its line
	start, end int32
}

const (
	maxSize     = 1 << 30
	maxRestarts = 16   // behind texts and comments that nobody closes
	maxRegExp   = 4096 // bytes of a regular expression
)

// tokens takes a text apart. What is left open to the end, as in code that
// begins in the middle of a text, is a sign like others.
func tokens(text string) []token {
	if len(text) > maxSize {
		text = text[:maxSize]
	}
	out := make([]token, 0, len(text)/6)
	for from, restarts := 0, 0; from < len(text); restarts++ {
		next := len(text)
		out, next = lex(out, text, from)
		if restarts >= maxRestarts {
			break
		}
		from = next
	}
	return out
}

// lex appends the tokens of a text from a place on. It returns where to go on,
// behind a quote that nobody closes.
func lex(out []token, text string, from int) ([]token, int) {
	raw := []byte(text[from:])
	in := parse.NewInputBytes(raw)
	l := js.NewLexer(in)
	line := true
	for {
		kind, part := l.Next()
		end := in.Offset()
		start := end - len(part)
		switch kind {
		case js.WhitespaceToken:
			continue
		case js.LineTerminatorToken, js.CommentLineTerminatorToken:
			line = true
			continue
		case js.CommentToken:
			if len(part) > 0 && (part[0] == '<' || part[0] == '-') {
				return out, from + start + 3 // <!-- is no comment in a module
			}
			continue
		case js.ErrorToken:
			if end >= len(raw) && len(part) == 0 {
				if at := lastOpen(raw, out, from); at >= 0 {
					return out, at
				}
				return out, len(text)
			}
			switch {
			case len(part) == 0:
				in.Move(1)
				in.Skip()
				continue
			case part[0] == '\'' || part[0] == '"':
				kind = js.StringToken
			case part[0] == '`' || part[0] == '}' && len(part) > 1:
				return out, from + start + 1
			case part[0] >= '0' && part[0] <= '9':
				kind = js.IntegerToken
			default:
				continue
			}
		case js.DivToken, js.DivEqToken:
			if expression(out) && closed(raw[start:]) {
				kind, part = l.RegExp()
				end = in.Offset()
				if kind == js.ErrorToken {
					in.Skip()
					continue
				}
			}
		}
		out = append(out, token{kind, line, int32(from + start), int32(from + end)})
		line = false
	}
}

// lastOpen returns where to go on behind a comment that nobody closes, -1 if
// the text just ends.
func lastOpen(raw []byte, out []token, from int) int {
	at := 0
	if len(out) > 0 {
		at = max(int(out[len(out)-1].end)-from, 0)
	}
	if i := bytes.Index(raw[at:], []byte("/*")); i >= 0 && !bytes.Contains(raw[at+i:], []byte("*/")) {
		return from + at + i + 2
	}
	return -1
}

// closed reports whether what begins with a slash is a regular expression to
// its end, on its line.
func closed(s []byte) bool {
	if len(s) > maxRegExp {
		s = s[:maxRegExp]
	}
	class := false
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\n', '\r':
			return false
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i > 1
			}
		}
	}
	return false
}

// expression reports whether a value may begin behind the tokens, so that a
// slash begins a regular expression.
func expression(out []token) bool {
	if len(out) == 0 {
		return true
	}
	switch k := out[len(out)-1].kind; k {
	case js.CloseBracketToken, js.StringToken, js.TemplateToken, js.TemplateEndToken, js.RegExpToken, js.IncrToken, js.DecrToken,
		js.ThisToken, js.SuperToken, js.NullToken, js.TrueToken, js.FalseToken, js.PrivateIdentifierToken,
		js.LtToken: // </tag>
		return false
	case js.CloseBraceToken:
		return false
	case js.CloseParenToken:
		return afterCondition(out)
	default:
		return !js.IsIdentifier(k) && !js.IsNumeric(k)
	}
}

// afterCondition reports whether the bracket that closes last holds the
// condition of a statement.
func afterCondition(out []token) bool {
	depth := 0
	for i := len(out) - 1; i >= max(0, len(out)-64); i-- {
		switch out[i].kind {
		case js.CloseParenToken:
			depth++
		case js.OpenParenToken:
			if depth--; depth == 0 {
				if i == 0 {
					return false
				}
				k := out[i-1].kind
				return k == js.IfToken || k == js.WhileToken || k == js.ForToken || k == js.WithToken
			}
		}
	}
	return false
}
