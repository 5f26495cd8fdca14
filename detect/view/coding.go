// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// What base64 and hex stand for is of interest if it is text. Short rows of
// letters and digits have to decode to nothing but text, otherwise every
// second word would; of long ones three quarters have to be.

// strict is how many decoded bytes have to be text without exception.
const strict = 48

// short is how many decoded bytes have to be of one kind.
const short = 18

// block is after how many bytes a decoder asks whether it is worth going on.
const block = 1024

// sextet holds the value of each byte in base64, of both alphabets.
var sextet = func() (t [256]byte) {
	for i := range t {
		t[i] = none
	}
	for i, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		t[c] = byte(i)
	}
	t['-'], t['_'] = 62, 63
	return t
}()

// nibble holds the value of each byte in hex.
var nibble = func() (t [256]byte) {
	for i := range t {
		t[i] = none
	}
	for i, c := range "0123456789abcdef" {
		t[c] = byte(i)
	}
	for i, c := range "ABCDEF" {
		t[c] = byte(10 + i)
	}
	return t
}()

const none = 0xFF

// opens reports whether a text can begin with what the first eight bytes of
// base64 stand for: nearly all words and names fail here, and of those nearly
// all at the first three bytes.
func opens(s string) bool {
	b0, b1, b2, ok := quad(s[:4])
	switch {
	case !ok:
		return true // a row that is interrupted so early is for the decoder
	case b0 >= utf8.RuneSelf:
		ok = b0 >= 0xC2 && b1&0xC0 == 0x80 || b0 >= 0xFE
	case b1 >= utf8.RuneSelf:
		ok = isText(b0) && b1 >= 0xC2 && b2&0xC0 == 0x80
	default:
		ok = isText(b0) && (b1 == 0 || isText(b1) && (isText(b2) || b2 >= 0xC2))
	}
	return ok && opensSlowly([...]byte{b0, b1, b2}, s[4:8])
}

func opensSlowly(start [3]byte, next string) bool {
	b3, b4, b5, ok := quad(next)
	b := [...]byte{start[0], start[1], start[2], b3, b4, b5}
	if !ok || b[0] >= 0xFE || isWide(b[:4]) {
		return true // UTF-16, with a byte order mark or without
	}
	for rest := b[:]; len(rest) > 0 && utf8.FullRune(rest); {
		size := textAt(rest)
		if size == 0 {
			return false
		}
		rest = rest[size:]
	}
	return true
}

// quad decodes four bytes of base64.
func quad(s string) (b0, b1, b2 byte, ok bool) {
	v0, v1, v2, v3 := sextet[s[0]], sextet[s[1]], sextet[s[2]], sextet[s[3]]
	return v0<<2 | v1>>4, v1<<4 | v2>>2, v2<<6 | v3, v0|v1|v2|v3 != none
}

func isText(c byte) bool { return c-' ' < 0x7F-' ' || c-'\t' <= '\r'-'\t' }

// textAt returns how many bytes the character has that b begins with, 0 if it
// is none that texts have.
func textAt(b []byte) int {
	switch {
	case isText(b[0]):
		return 1
	case b[0] < 0xC2 || len(b) == 1 || b[1]&0xC0 != 0x80:
		return 0
	}
	r, size := utf8.DecodeRune(b)
	if r < 0xA0 || r == utf8.RuneError && size == 1 || !unicode.IsGraphic(r) && classOf(r)&isInvisible == 0 {
		return 0
	}
	return size
}

// unbase64 decodes base64 of either alphabet, padded or not, with whatever
// else stands in between; the text it stands for, if it is one, and how many
// bytes of it are none.
func unbase64(s string) (text string, bad int, ok bool) {
	d := newDecoder(len(s) / 4 * 3)
	acc, n := uint32(0), 0
	for i := 0; i < len(s); i++ {
		if n == 0 && i+4 <= len(s) {
			v0, v1, v2, v3 := sextet[s[i]], sextet[s[i+1]], sextet[s[i+2]], sextet[s[i+3]]
			if v0|v1|v2|v3 != none {
				d.out = append(d.out, v0<<2|v1>>4, v1<<4|v2>>2, v2<<6|v3)
				if len(d.out) >= d.due && !d.hopeful() {
					return "", 0, false
				}
				i += 3
				continue
			}
		}
		v := sextet[s[i]]
		if v == none {
			if s[i] == '\\' {
				i++ // an escaped line break
			}
			continue
		}
		if acc, n = acc<<6|uint32(v), n+1; n == 4 {
			d.out = append(d.out, byte(acc>>16), byte(acc>>8), byte(acc))
			n = 0
		}
	}
	switch n {
	case 1:
		return "", 0, false
	case 2:
		d.out = append(d.out, byte(acc>>4))
	case 3:
		d.out = append(d.out, byte(acc>>10), byte(acc>>2))
	}
	return d.text()
}

// unhex decodes hex digits, with line breaks and white space in between.
func unhex(s string) (text string, bad int, ok bool) {
	d := newDecoder(len(s) / 2)
	high := byte(none)
	for i := 0; i < len(s); i++ {
		v := nibble[s[i]]
		switch {
		case s[i] == '\\':
			i++ // an escaped line break
		case s[i] <= ' ':
		case v == none:
			return "", 0, false
		case high == none:
			high = v
		default:
			d.out = append(d.out, high<<4|v)
			high = none
			if len(d.out) >= d.due && !d.hopeful() {
				return "", 0, false
			}
		}
	}
	if high != none {
		return "", 0, false
	}
	return d.text()
}

// A decoder collects decoded bytes as long as they may be a text.
type decoder struct {
	out  []byte
	size int // about how many there will be
	due  int // with how many to ask whether it is worth going on
	seen int // how many have been looked at
	bad  int // how many of those are no part of a text
}

func newDecoder(size int) decoder {
	return decoder{size: size, due: block, out: make([]byte, 0, min(size+4, block+8))}
}

// hopeful reports whether it is worth going on.
func (d *decoder) hopeful() bool {
	d.due += block
	if !isWide(d.out[:block]) {
		d.look(len(d.out) - utf8.UTFMax) // the last character may not be complete
	}
	return d.bad <= d.size/4
}

// look counts what is no text up to end.
func (d *decoder) look(end int) {
	for d.seen < end {
		size := textAt(d.out[d.seen:])
		if size == 0 {
			d.bad++
			size = 1
		}
		d.seen += size
	}
}

// text returns what has been decoded, if it is a text, and how much of it is
// none all the same.
func (d *decoder) text() (text string, bad int, ok bool) {
	if isWide(d.out) {
		return narrow(d.out), 0, true
	}
	d.look(len(d.out))
	if d.bad > len(d.out)/4 || d.bad > 0 && len(d.out) < strict || len(d.out) < short && isMixed(d.out) {
		return "", 0, false
	}
	return string(d.out), d.bad, len(d.out) > 0
}

// isMixed reports whether a text is ASCII for the most part, with characters
// among it that do not belong there: what names come to by chance looks like
// that. Accents, dashes and the like, and pictures belong.
func isMixed(b []byte) bool {
	ascii, strange, n := 0, 0, 0
	for _, r := range string(b) {
		n++
		switch {
		case r < utf8.RuneSelf:
			ascii++
		case r > 0x17F && r < 0x2010 || r > 0x20BF && r < 0x1F000:
			strange++
		}
	}
	return strange > 0 && 2*ascii > n
}

// isWide reports whether b is text in UTF-16, least byte first, as Windows'
// shells want it: for the most part ASCII.
func isWide(b []byte) bool {
	if len(b) < 4 || b[1] != 0 && b[3] != 0 {
		return false
	}
	zeros := 0
	for i := 1; i < len(b); i += 2 {
		if b[i] == 0 && isText(b[i-1]) {
			zeros++
		}
	}
	return zeros > len(b)/2*3/4
}

// narrow turns UTF-16 into UTF-8.
func narrow(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return string(utf16.Decode(units))
}
