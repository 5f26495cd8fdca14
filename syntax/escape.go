// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/diag"
)

// unescape reads the text between a literal's quotes. Escapes are Python's; an
// unknown one keeps its backslash, so that patterns work without r. Line ends
// become line feeds.
func (p *parser) unescape(seg segment, from, to int) string {
	text := strings.ReplaceAll(string(p.file.Src[from:to]), "\r\n", "\n")
	if seg.raw || !strings.Contains(text, `\`) {
		return text
	}
	// Offsets count in the source, so escapes are read from there.
	u := unescaper{p: p, src: p.file.Src[from:to], base: from}
	for u.i < len(u.src) {
		u.next()
	}
	return u.out.String()
}

// unescaper reads the escapes of one piece of a literal.
type unescaper struct {
	p    *parser
	src  []byte
	base int // offset of src in the file
	i    int
	out  strings.Builder
}

// simpleEscapes are the escapes of one letter.
var simpleEscapes = map[byte]string{
	'\n': "", '\\': `\`, '\'': "'", '"': `"`,
	'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// next reads one character or escape.
func (u *unescaper) next() {
	c := u.src[u.i]
	if c == '\r' && u.at(1) == '\n' {
		u.i++
		return
	}
	if c != '\\' || u.i+1 == len(u.src) {
		u.out.WriteByte(c)
		u.i++
		return
	}
	u.escape(u.src[u.i+1])
}

// escape reads the escape at i, whose letter is c.
func (u *unescaper) escape(c byte) {
	if s, ok := simpleEscapes[c]; ok {
		u.out.WriteString(s)
		u.i += 2
		return
	}
	switch {
	case c == '\r' && u.at(2) == '\n':
		u.i += 3
	case '0' <= c && c <= '7':
		u.octal()
	case c == 'x':
		u.hex(2)
	case c == 'u':
		u.hex(4)
	case c == 'U':
		u.hex(8)
	case c == 'N' && u.at(2) == '{':
		u.bad(3, `write the character itself, or its number: "\u2014"`, "characters cannot be escaped by name")
	default:
		u.out.WriteByte('\\')
		u.i++
	}
}

// octal reads one to three octal digits.
func (u *unescaper) octal() {
	v := rune(0)
	u.i++
	for n := 0; n < 3 && '0' <= u.at(0) && u.at(0) <= '7'; n++ {
		v = v*8 + rune(u.at(0)-'0')
		u.i++
	}
	u.out.WriteRune(v)
}

// hex reads exactly n hexadecimal digits.
func (u *unescaper) hex(n int) {
	end := min(u.i+2+n, len(u.src))
	v, err := strconv.ParseUint(string(u.src[u.i+2:end]), 16, 32)
	switch {
	case end < u.i+2+n || err != nil:
		u.bad(2, "", `\%c wants %d hexadecimal digits`, u.at(1), n)
	case !utf8.ValidRune(rune(v)) || v > utf8.MaxRune:
		u.bad(2+n, "", "%s is no character", u.src[u.i:end])
	default:
		u.out.WriteRune(rune(v))
		u.i = end
	}
}

// bad reports the escape at i, of n bytes, and keeps it as it is written.
func (u *unescaper) bad(n int, help, format string, args ...any) {
	end := min(u.i+n, len(u.src))
	span := diag.Span{File: u.p.file, Start: u.base + u.i, End: u.base + end}
	u.p.soft(span, codeEscape, help, format, args...)
	u.out.Write(u.src[u.i:end])
	u.i = end
}

// at returns the byte n after i, or 0.
func (u *unescaper) at(n int) byte {
	if u.i+n >= len(u.src) {
		return 0
	}
	return u.src[u.i+n]
}
