// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"fmt"
	"math/bits"
	"strings"
)

// loneValues is how many values a text with a lone surrogate counts as.
const loneValues = 8

func (p *JSONParser) stringValue(v *Value) bool {
	at := p.pos
	s, ok := p.text()
	if !ok {
		return false
	}
	v.kind, v.str = Str, s
	if p.broken {
		v.kind, v.str = literal, p.src[at:p.pos]
		MakeUnknown(v, BadText, "a text with a lone surrogate")
		p.lone = append(p.lone, v)
		p.left -= loneValues - 1
	}
	return true
}

// text reads the string that begins at the current position.
func (p *JSONParser) text() (string, bool) {
	p.broken = false
	start := p.pos + 1
	end := scanString(p.src, start)
	if end < len(p.src) && p.src[end] == '"' {
		return p.checked(p.src[start:end], end)
	}
	return p.escaped(start, end)
}

// checked ends a string whose closing quote is at end: its bytes must be UTF-8.
func (p *JSONParser) checked(s string, end int) (string, bool) {
	if p.bad < end {
		p.failAt(p.bad, "a byte that is not UTF-8")
		return "", false
	}
	p.pos = end + 1
	return s, true
}

// escaped reads a string from its first byte that is not plain, at.
func (p *JSONParser) escaped(start, at int) (string, bool) {
	p.makeRoom(len(p.src) - start)
	from := p.texts.Len()
	for {
		p.texts.WriteString(p.src[start:at])
		if at >= len(p.src) {
			p.failAt(at, "a string that does not end")
			return "", false
		}
		switch c := p.src[at]; {
		case c == '"':
			return p.checked(p.texts.String()[from:], at)
		case c < 0x20:
			p.failAt(at, "a control character in a string, want "+fmt.Sprintf(`\u%04x`, c))
			return "", false
		}
		if at = p.escape(at); at < 0 {
			return "", false
		}
		start = at
		at = scanString(p.src, at)
	}
}

// escapes are the escapes of one character, by that character.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// makeRoom makes room for the next string with escapes, of which left bytes of
// the source are left at most. Such strings stand in few large texts, as those
// without escapes stand in the source.
func (p *JSONParser) makeRoom(left int) {
	const enough, most = 4 << 10, 64 << 10
	if free := p.texts.Cap() - p.texts.Len(); free < min(left, enough) {
		p.texts.Reset()
		p.texts.Grow(min(left, most))
	}
}

// escape writes down what the escape at the offset at stands for and returns the
// offset behind it, negative after an error.
func (p *JSONParser) escape(at int) int {
	if at+1 >= len(p.src) {
		p.failAt(len(p.src), "a string that does not end")
		return -1
	}
	c := p.src[at+1]
	if e := escapes[c]; e != 0 {
		p.texts.WriteByte(e)
		return at + 2
	}
	if c != 'u' {
		p.failAt(at, `an escape that JSON does not have, want one of \" \\ \/ \b \f \n \r \t \u`)
		return -1
	}
	r, ok := p.hex4(at + 2)
	if !ok {
		return -1
	}
	at += 6
	if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(p.src[at:], `\u`) {
		low, ok := p.hex4(at + 2)
		if !ok {
			return -1
		}
		if low >= 0xdc00 && low < 0xe000 {
			p.texts.WriteRune((r-0xd800)<<10 + (low - 0xdc00) + 0x10000)
			return at + 6
		}
	}
	if r >= 0xd800 && r < 0xe000 {
		p.broken = true
	}
	p.texts.WriteRune(r)
	return at
}

func (p *JSONParser) hex4(at int) (rune, bool) {
	var r rune
	for i := at; i < at+4; i++ {
		if i >= len(p.src) {
			p.failAt(len(p.src), "a string that does not end")
			return 0, false
		}
		d := hexDigit(p.src[i])
		if d < 0 {
			p.failAt(i, `want four hexadecimal digits after \u`)
			return 0, false
		}
		r = r<<4 | d
	}
	return r, true
}

func hexDigit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

// scanString returns the offset of the first byte from i on that ends a plain
// run of a string: a quote, a backslash or a control character; len(s) if there
// is none. It looks at eight bytes at a time; each of the three tests may set
// bits above the first byte it finds, never below.
func scanString(s string, i int) int {
	const (
		low  = 0x0101010101010101
		high = 0x8080808080808080
	)
	for ; i+8 <= len(s); i += 8 {
		w := load64(s, i)
		q := w ^ low*'"'
		b := w ^ low*'\\'
		m := ((q-low)&^q | (b-low)&^b | (w-low*0x20)&^w) & high
		if m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c == '"' || c == '\\' || c < 0x20 {
			return i
		}
	}
	return len(s)
}

// load64 reads eight bytes; the compiler makes one load of it.
func load64(s string, i int) uint64 {
	t := s[i : i+8]
	return uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
		uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
}
