// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
	maxRestarts = 8    // behind templates that nobody closes
	maxRegExp   = 4096 // bytes of a regular expression
)

// tokens takes a text apart. What is left open to the end, as in code that
// begins in the middle of a text, is a sign like others.
func tokens(text string) []token {
	if len(text) > maxSize {
		text = text[:maxSize]
	}
	s := &scan{text: text, out: make([]token, 0, len(text)/6)}
	for from := 0; from < len(text); s.restarts++ {
		from = s.run(from)
	}
	return s.out
}

// A scan drives the lexer. What would be an error to it is passed by: an error
// is dear, as it counts lines from the beginning.
type scan struct {
	text     string
	out      []token
	line     bool // a line break was passed
	restarts int

	in      *parse.Input
	base    int  // of the input, in the text
	open    bool // a comment is never closed
	noRegex int  // up to where no slash begins a regular expression
}

func (s *scan) add(kind js.TokenType, start, end int) {
	s.out = append(s.out, token{kind, s.line, int32(start), int32(end)})
	s.line = false
}

// run appends the tokens of a text from a place on. It returns where to go on,
// behind a template that nobody closes.
func (s *scan) run(from int) int {
	raw := []byte(s.text[from:])
	s.in, s.base, s.line = parse.NewInputBytes(raw), from, true
	l := js.NewLexer(s.in)
	for {
		at := from + s.in.Offset()
		if at >= len(s.text) {
			return len(s.text)
		}
		if n := s.own(at); n > 0 {
			s.in.Move(n)
			s.in.Skip()
			continue
		}
		kind, part := l.Next()
		end := from + s.in.Offset()
		start := end - len(part)
		switch kind {
		case js.WhitespaceToken, js.CommentToken:
			continue
		case js.LineTerminatorToken, js.CommentLineTerminatorToken:
			s.line = true
			continue
		case js.ErrorToken:
			if end >= len(s.text) && len(part) > 0 && s.restarts < maxRestarts {
				return start + 1
			}
			if end == at {
				s.in.Move(1)
			}
			s.in.Skip()
			continue
		case js.DivToken, js.DivEqToken:
			if start >= s.noRegex && expression(s.out) {
				if !closed(raw[start-from:]) {
					s.noRegex = start + maxRegExp
					break
				}
				kind, _ = l.RegExp()
				end = from + s.in.Offset()
				if kind == js.ErrorToken {
					s.in.Skip()
					continue
				}
			}
		}
		s.add(kind, start, end)
	}
}

// own reads what the lexer would make an error of, or a comment that is none.
// It returns how many bytes that is, 0 if the lexer may go on.
func (s *scan) own(at int) int {
	t := s.text[at:]
	switch c := t[0]; {
	case c == '\'' || c == '"':
		n := quoted(t)
		s.add(js.StringToken, at, at+n)
		return n
	case c >= '0' && c <= '9' || c == '.' && len(t) > 1 && t[1] >= '0' && t[1] <= '9':
		n := 1
		for n < len(t) && (t[n] == '_' || t[n] == '.' && !strings.HasPrefix(t[n:], "..") || t[n] >= '0' && t[n] <= '9' || t[n]|0x20 >= 'a' && t[n]|0x20 <= 'z') {
			n++
		}
		s.add(js.DecimalToken, at, at+n)
		return n
	case c == '/' && len(t) > 1 && t[1] == '*':
		if !s.open {
			if n := strings.Index(t[2:], "*/"); n >= 0 {
				s.line = s.line || strings.Contains(t[:n+2], "\n")
				return n + 4
			}
			s.open = true
		}
		return 2
	case c == '<' && strings.HasPrefix(t, "<!--"): // no comment in a module
		s.add(js.LtToken, at, at+1)
		return 1
	case c == '-' && strings.HasPrefix(t, "-->"):
		s.add(js.DecrToken, at, at+2)
		return 2
	case c == '`' && s.restarts >= maxRestarts:
		return 1
	case c == '#' || c == '\\':
		if c == '#' && len(t) > 1 && t[1] != '\\' && js.IsIdentifierStart([]byte(t[1:min(len(t), 5)])) || c == '\\' && escape(t) {
			return 0
		}
		return 1
	case c == '@' || c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\v' && c != '\f' || c == 0x7f:
		return 1
	case c >= 0x80:
		if r, n := utf8.DecodeRuneInString(t); !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) {
			s.line = s.line || r == '\u2028' || r == '\u2029'
			return n
		}
	}
	return 0
}

// quoted returns the length of a text in quotes, which ends with its line.
func quoted(t string) int {
	for i := 1; i < len(t); i++ {
		switch t[i] {
		case t[0]:
			return i + 1
		case '\\':
			i++
		case '\n', '\r':
			return i
		}
	}
	return len(t)
}

// escape reports whether a letter is written by its number.
func escape(t string) bool {
	if len(t) < 6 || t[1] != 'u' {
		return false
	}
	if t[2] == '{' {
		end := strings.IndexByte(t[:min(len(t), 12)], '}')
		if end < 4 {
			return false
		}
		_, ok := hexadecimal(t, 3, end-3)
		return ok
	}
	_, ok := hexadecimal(t, 2, 4)
	return ok
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
