// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

// Literals. The scanner finds where a literal ends; its value is read when
// the parser reaches it, so a mistake inside one is reported once and in order.

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/diag"
)

// smartQuotes are the quotes that word processors make of plain ones.
const smartQuotes = "“”„‟«»‘’‚‛`´"

// maxIntBits bounds whole numbers, in a policy as in what it computes.
const maxIntBits = 4096

// checkPrefix reports letters before a quote that are no string prefix.
func (s *scanner) checkPrefix(text string, end int) {
	switch strings.ToLower(text) {
	case "r", "f", "rf", "fr":
	default:
		s.errorf(s.pos, end, codeString, "", "unknown string prefix %q, want r, f or both", text)
	}
}

// stringLit reads a string whose opening quote stands at quote; the token
// begins at pos, with the prefix.
func (s *scanner) stringLit(quote int) {
	q := s.src[quote]
	if s.byteAt(quote+1) == q && s.byteAt(quote+2) == q {
		s.tripleString(quote, s.src[quote:quote+3])
		return
	}
	for i := quote + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case q:
			s.loneReturn(s.pos, i)
			s.add(tString, i+1)
			return
		case '\\':
			i += s.escapedLen(i)
		case '\n':
			s.openString(quote, s.lineEnd(i))
			return
		}
	}
	s.openString(quote, len(s.src))
}

// escapedLen is how many bytes after the backslash at i cannot end the string:
// a line end may be escaped, and one of two bytes is one.
func (s *scanner) escapedLen(i int) int {
	if s.byteAt(i+1) == '\r' && s.byteAt(i+2) == '\n' {
		return 2
	}
	return 1
}

// lineEnd steps back over the carriage return before the line feed at i.
func (s *scanner) lineEnd(i int) int {
	if s.byteAt(i-1) == '\r' {
		return i - 1
	}
	return i
}

// openString reports a string without its closing quote and takes what there
// is, up to the line's end, as the string.
func (s *scanner) openString(quote, end int) {
	s.errorf(s.pos, end, codeString, `a string of several lines stands in """`, "string is not closed, want %s at its end", showQuote(s.src[quote:quote+1]))
	s.add(tString, end)
}

// tripleString reads a string that three quotes open and close.
func (s *scanner) tripleString(quote int, quotes []byte) {
	for i := quote + 3; i < len(s.src); i++ {
		switch {
		case s.src[i] == '\\':
			i++
		case bytes.HasPrefix(s.src[i:], quotes):
			s.loneReturn(s.pos, i)
			s.add(tString, i+3)
			return
		}
	}
	s.errorf(s.pos, quote+3, codeString, "", "string is not closed, want %s at its end", showQuote(quotes))
	s.add(tString, len(s.src))
}

// showQuote puts a quote between the other kind of quotes.
func showQuote(q []byte) string {
	if q[0] == '"' {
		return "'" + string(q) + "'"
	}
	return `"` + string(q) + `"`
}

// smartString reports a typographic quote and reads the string it opens, so
// that the text inside is not taken for policy.
func (s *scanner) smartString(r rune, n int) {
	s.errorf(s.pos, s.pos+n, codeCharacter, `write a plain quote: " or '`, "typographic quote %s", showRune(r))
	rest := s.src[s.pos+n:]
	i := bytes.IndexAny(rest, smartQuotes+"\n")
	if i < 0 || rest[i] == '\n' {
		s.add(tBad, s.pos+n)
		return
	}
	_, m := utf8.DecodeRune(rest[i:])
	s.add(tBad, s.pos+n+i+m)
}

// number reads a number. Letters and digits that stick to it belong to it, so
// that a mistake is one token.
func (s *scanner) number() {
	i, float := s.pos, false
	for i < len(s.src) {
		c := s.src[i]
		switch {
		case isDigit(c) || c == '_':
		case c == '.' && !float && !s.prefixed() && !s.wordAfterDot(i):
			float = true
		case (c == '+' || c == '-') && !s.prefixed() && isExponent(s.src[i-1]) && isDigit(s.byteAt(i+1)):
		case s.wordEnd(i) > i:
			float = float || isExponent(c) && !s.prefixed()
			i = s.wordEnd(i)
			continue
		default:
			s.addNumber(i, float)
			return
		}
		i++
	}
	s.addNumber(i, float)
}

// wordAfterDot reports whether the dot at i is followed by a member's name, as
// in `1.real`, rather than by decimals.
func (s *scanner) wordAfterDot(i int) bool {
	c := s.byteAt(i + 1)
	return c != 'e' && c != 'E' && s.wordEnd(i+1) > i+1
}

// prefixed reports whether the number at pos begins with 0x, 0o or 0b.
func (s *scanner) prefixed() bool {
	return s.at(0) == '0' && strings.ContainsRune("xXoObB", rune(s.at(1))) && s.at(1) != 0
}

// isExponent reports whether c begins an exponent.
func isExponent(c byte) bool { return c == 'e' || c == 'E' }

// addNumber adds a number's token.
func (s *scanner) addNumber(end int, float bool) {
	if float {
		s.add(tFloat, end)
	} else {
		s.add(tInt, end)
	}
}

// intLit reads an int token.
func (p *parser) intLit() Expr {
	t := p.tok
	text := p.text(t)
	p.advance()
	v, ok := readInt(text)
	switch {
	case !ok:
		p.badNumber(t, text)
		return &BadExpr{extent: p.leaf(t)}
	case v == nil:
		p.soft(t.span(p), codeNumber, "", "whole number is longer than %d bits", maxIntBits)
		return &BadExpr{extent: p.leaf(t)}
	}
	return &IntLit{extent: p.leaf(t), Value: v}
}

// readInt reads a whole number as Python does. The number is nil if it is too
// large.
func readInt(text string) (v *big.Int, ok bool) {
	digits, base := text, 10
	if len(text) > 2 && text[0] == '0' {
		if b, ok := intBases[text[1]|0x20]; ok {
			digits, base = strings.TrimPrefix(text[2:], "_"), b
		}
	}
	digits, ok = dropUnderscores(digits)
	if !ok || base == 10 && len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0") != "" {
		return nil, false
	}
	for _, c := range digits {
		if _, err := strconv.ParseUint(string(c), base, 8); err != nil {
			return nil, false
		}
	}
	if len(strings.TrimLeft(digits, "0")) > maxIntBits {
		return nil, true
	}
	v, ok = new(big.Int).SetString(digits, base)
	if ok && v.BitLen() > maxIntBits {
		return nil, true
	}
	return v, ok
}

// intBases are the prefixes of whole numbers, by their lower-case letter.
var intBases = map[byte]int{'x': 16, 'o': 8, 'b': 2}

// dropUnderscores removes the underscores between digits; false if one stands
// elsewhere.
func dropUnderscores(digits string) (string, bool) {
	bad := digits == "" || digits[0] == '_' || digits[len(digits)-1] == '_' || strings.Contains(digits, "__")
	return strings.ReplaceAll(digits, "_", ""), !bad
}

// floatLit reads a float token.
func (p *parser) floatLit() Expr {
	t := p.tok
	text := p.text(t)
	p.advance()
	digits, ok := plainFloat(text)
	if !ok {
		p.badNumber(t, text)
		return &BadExpr{extent: p.leaf(t)}
	}
	v, err := strconv.ParseFloat(digits, 64)
	if math.IsInf(v, 0) {
		p.soft(t.span(p), codeNumber, "", "decimal number is too large")
		return &BadExpr{extent: p.leaf(t)}
	}
	if err != nil {
		p.badNumber(t, text)
		return &BadExpr{extent: p.leaf(t)}
	}
	return &FloatLit{extent: p.leaf(t), Value: v, Text: text}
}

// plainFloat removes the underscores of a decimal number; false if it holds
// anything but digits, one dot and an exponent.
func plainFloat(text string) (string, bool) {
	for i := range len(text) {
		c := text[i]
		if c == '_' && (i == 0 || i+1 == len(text) || !isDigit(text[i-1]) || !isDigit(text[i+1])) {
			return "", false
		}
		if !isDigit(c) && !strings.ContainsRune("_.eE+-", rune(c)) {
			return "", false
		}
	}
	return strings.ReplaceAll(text, "_", ""), true
}

// badNumber reports a number that cannot be read.
func (p *parser) badNumber(t token, text string) {
	help := ""
	if len(text) > 1 && text[0] == '0' && strings.Trim(text, "0123456789") == "" {
		help = `octal numbers begin with "0o"`
	}
	p.soft(t.span(p), codeNumber, help, "malformed number %q", clip(text))
}

// clip shortens text for a message.
func clip(text string) string {
	const most = 40
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// A segment is a piece of a string literal between its quotes.
type segment struct {
	span diag.Span // without prefix and quotes
	raw  bool
	fstr bool
}

// stringSegment takes a string token apart.
func (p *parser) stringSegment(t token) segment {
	text := p.text(t)
	i := strings.IndexAny(text, `"'`)
	prefix := strings.ToLower(text[:i])
	quotes := text[i : i+1]
	if strings.HasPrefix(text[i:], strings.Repeat(quotes, 3)) {
		quotes = strings.Repeat(quotes, 3)
	}
	body := diag.Span{File: p.file, Start: int(t.start) + i + len(quotes), End: int(t.end)}
	if p.closed(body, quotes) {
		body.End -= len(quotes)
	}
	return segment{span: body, raw: strings.Contains(prefix, "r"), fstr: strings.Contains(prefix, "f")}
}

// closed reports whether a literal's body still has its closing quotes. One
// that the scanner found open has none, and was cut at a line's or file's end.
func (p *parser) closed(body diag.Span, quotes string) bool {
	text := body.Text()
	if !strings.HasSuffix(text, quotes) {
		return false
	}
	backslashes := 0
	for i := len(text) - len(quotes) - 1; i >= 0 && text[i] == '\\'; i-- {
		backslashes++
	}
	return backslashes%2 == 0
}
