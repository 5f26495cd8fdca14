// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// strings reads literals that stand side by side, which are one.
func (p *parser) strings() *Node {
	start := p.start()
	var parts []*Node
	formatted, bytes, text := false, 0, 0
	for p.at(kString) || p.at(kFStart) {
		if p.at(kFStart) {
			formatted = true
			text++
			parts = append(parts, p.fstring()...)
			continue
		}
		n := p.plainString()
		if n.Flags&Bytes != 0 {
			bytes++
		} else {
			text++
		}
		parts = append(parts, n)
	}
	if bytes > 0 && text > 0 {
		p.failf(start, "cannot mix bytes and nonbytes literals")
	}
	if formatted {
		return p.node(FString, start, parts...)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	var all strings.Builder
	for _, n := range parts {
		all.WriteString(n.Name)
	}
	n := p.named(String, start, all.String())
	n.Flags |= parts[0].Flags
	return n
}

// plainString reads one literal without fields.
func (p *parser) plainString() *Node {
	start := p.start()
	prefix, body, at := unquote(p.next(), start)
	bytes, raw := strings.ContainsAny(prefix, "bB"), strings.ContainsAny(prefix, "rR")
	if bytes && !ascii(body) {
		p.failf(start, "bytes can only contain ASCII literal characters")
	}
	if !raw {
		body = p.decode(body, at, bytes)
	}
	n := p.named(String, start, body)
	if bytes {
		n.Flags |= Bytes
	}
	return n
}

// unquote takes prefix and quotes off a literal, as far as they are there, and
// says where the body begins.
func unquote(literal string, start int) (prefix, body string, at int) {
	i := strings.IndexAny(literal, `"'`)
	if i < 0 || i > 2 {
		return "", literal, start // the end of a string that was cut
	}
	quote, triple := quotes(literal, i)
	n := 1
	if triple {
		n = 3
	}
	body = literal[i+n:]
	closing := strings.Repeat(string(rune(quote)), n)
	return literal[:i], strings.TrimSuffix(body, closing), start + i + n
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// decode returns what a literal with escapes stands for.
func (p *parser) decode(body string, at int, bytes bool) string {
	if !strings.ContainsAny(body, "\\\r") {
		return body
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); {
		switch c := body[i]; {
		case c == '\r':
			out = append(out, '\n')
			if i++; i < len(body) && body[i] == '\n' {
				i++
			}
		case c == '\\' && i+1 < len(body):
			var n int
			out, n = p.escape(out, body[i:], at+i, bytes)
			i += n
		default:
			out = append(out, c)
			i++
		}
	}
	return string(out)
}

const simpleEscapes = `\\''""a` + "\a" + `b` + "\b" + `f` + "\f" + `n` + "\n" + `r` + "\r" + `t` + "\t" + `v` + "\v"

// escape appends what the escape at the beginning of s means, and says how
// long it is.
func (p *parser) escape(out []byte, s string, at int, bytes bool) ([]byte, int) {
	c := s[1]
	switch c {
	case '\n':
		return out, 2
	case '\r':
		return out, 2 + len(s[2:min(len(s), 3)]) - len(strings.TrimPrefix(s[2:min(len(s), 3)], "\n"))
	case 'x':
		return p.hexEscape(out, s, at, 2, bytes)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := 2
		for n < 4 && n < len(s) && '0' <= s[n] && s[n] <= '7' {
			n++
		}
		v, _ := strconv.ParseUint(s[1:n], 8, 32)
		if bytes {
			return append(out, byte(v)), n
		}
		return utf8.AppendRune(out, rune(v)), n
	}
	if !bytes {
		switch c {
		case 'u':
			return p.hexEscape(out, s, at, 4, bytes)
		case 'U':
			return p.hexEscape(out, s, at, 8, bytes)
		case 'N':
			return p.namedEscape(out, s, at)
		}
	}
	for i := 0; i < len(simpleEscapes); i += 2 {
		if simpleEscapes[i] == c {
			return append(out, simpleEscapes[i+1]), 2
		}
	}
	return append(out, '\\'), 1 // no escape: the backslash stands for itself
}

func (p *parser) hexEscape(out []byte, s string, at, digits int, bytes bool) ([]byte, int) {
	n := 2
	for n < len(s) && n < 2+digits && digit(s[n]) < 16 {
		n++
	}
	v, _ := strconv.ParseUint(s[2:n], 16, 64)
	switch {
	case n < 2+digits && bytes:
		p.failf(at, "(value error) invalid \\x escape at position %d", 0)
	case n < 2+digits:
		p.failf(at, "(unicode error) 'unicodeescape' codec can't decode bytes: truncated \\%s escape",
			string(rune(s[1]))+strings.Repeat("X", digits))
	case v > utf8.MaxRune:
		p.failf(at, "(unicode error) 'unicodeescape' codec can't decode bytes: illegal Unicode character")
	}
	if bytes {
		return append(out, byte(v)), n
	}
	return utf8.AppendRune(out, rune(min(v, utf8.MaxRune+1))), n
}

// namedEscape passes \N{NAME}. Which names there are is for CPython to know:
// the character is left as it was written.
func (p *parser) namedEscape(out []byte, s string, at int) ([]byte, int) {
	end := strings.IndexByte(s[:min(len(s), 200)], '}')
	if len(s) < 4 || s[2] != '{' || end < 4 {
		p.failf(at, "(unicode error) 'unicodeescape' codec can't decode bytes: malformed \\N character escape")
		return append(out, s[:2]...), 2
	}
	return append(out, s[:end+1]...), end + 1
}

// fstring reads an f-string: its literal parts and fields.
func (p *parser) fstring() []*Node {
	if !p.enter() {
		p.leave()
		p.next()
		return nil
	}
	defer p.leave()
	raw := strings.ContainsAny(p.next(), "rR")
	parts := p.pieces(raw, kFEnd)
	p.accept(kFEnd)
	return parts
}

// pieces reads literal text and fields, up to the end of the f-string or of a
// specification.
func (p *parser) pieces(raw bool, until kind) []*Node {
	var out []*Node
	for {
		switch start := p.start(); p.kind() {
		case kFMiddle:
			body := p.next()
			if until == kFEnd {
				body = strings.ReplaceAll(strings.ReplaceAll(body, "{{", "{"), "}}", "}")
			}
			if !raw {
				body = p.decode(body, start, false)
			}
			out = append(out, p.named(String, start, body))
		case kLBrace:
			out = append(out, p.field(start, raw))
		default:
			return out
		}
	}
}

// field reads {expression=!r:specification}.
func (p *parser) field(start int, raw bool) *Node {
	p.next()
	var kids []*Node
	conversion := ""
	if startsExpression(p.kind()) && !p.at(kDoubleStar) {
		kids = append(kids, p.yieldOrStars())
	} else {
		p.fail("f-string: valid expression required before " + p.found())
	}
	p.accept(kAssign)
	if p.accept(kExclam) {
		if p.at(kName) {
			conversion = p.next()
		}
		if conversion != "r" && conversion != "s" && conversion != "a" {
			p.fail(fmt.Sprintf("f-string: invalid conversion character %q: expected 's', 'r', or 'a'", conversion))
		}
	}
	if at := p.start(); p.accept(kColon) {
		if n := len(kids); n > 0 && kids[n-1].Kind == Lambda {
			p.failf(at, "f-string: lambda expressions are not allowed without parentheses")
		}
		kids = append(kids, p.node(Spec, at, p.pieces(raw, kRBrace)...))
	}
	if !p.at(kRBrace) {
		p.fail("f-string: expecting '}'")
		kids = p.fieldRest(kids)
	}
	p.accept(kRBrace)
	return p.named(Field, start, conversion, kids...)
}

// fieldRest passes what should not be in a field.
func (p *parser) fieldRest(kids []*Node) []*Node {
	for {
		switch k := p.kind(); {
		case k == kRBrace, k == kFEnd, k == kNewline, k == kEOF, k == kIndent, k == kDedent:
			return kids
		case startsExpression(k):
			before := p.i
			kids = append(kids, p.anyExpressions())
			if p.i == before {
				p.next()
			}
		default:
			p.next()
		}
	}
}

func (p *parser) found() string {
	switch p.kind() {
	case kNewline, kEOF, kFEnd:
		return "'}'"
	}
	return "'" + p.word(p.i) + "'"
}
