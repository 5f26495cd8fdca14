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

// long is how many characters base64 has to have to be decoded whatever it
// begins with.
const long = 256

// opens reports whether a text can begin with what the four bytes of base64
// stand for: most words and names fail here.
func opens(s string) bool {
	v0, v1, v2, v3 := sextet[s[0]], sextet[s[1]], sextet[s[2]], sextet[s[3]]
	if v0|v1|v2|v3 == none {
		return true // a row that is interrupted so early is for the decoder
	}
	b0, b1, b2 := v0<<2|v1>>4, v1<<4|v2>>2, v2<<6|v3
	switch {
	case b0 == 0xFF || b0 == 0xFE || b0 >= 0xC2 && b1&0xC0 == 0x80:
		return true // a byte order mark, a character of several bytes
	case !isText(b0):
		return false
	}
	return b1 == 0 && b2 != 0 || isText(b1) && (isText(b2) || b2 >= 0xC2) || b1 >= 0xC2 && b2&0xC0 == 0x80
}

func isText(c byte) bool { return c >= ' ' && c < 0x7F || c >= '\t' && c <= '\r' }

// unbase64 decodes base64 of either alphabet, padded or not, with whatever
// else stands in between; the text it stands for, if it is
// one, and how many bytes of it are not.
func unbase64(s string) (text string, bad int, ok bool) {
	if len(s) < 4 || len(s) < long && !opens(s) {
		return "", 0, false
	}
	d := decoder{size: len(s) / 4 * 3}
	acc, n := uint32(0), 0
	for i := 0; i < len(s); i++ {
		v := sextet[s[i]]
		if v == none {
			if s[i] == '\\' {
				i++ // an escaped line break
			}
			continue
		}
		acc, n = acc<<6|uint32(v), n+1
		if n == 4 {
			if !d.add(byte(acc>>16), byte(acc>>8), byte(acc)) {
				return "", 0, false
			}
			acc, n = 0, 0
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

// unhex decodes hex digits, with whatever else stands in between.
func unhex(s string) (text string, bad int, ok bool) {
	d := decoder{size: len(s) / 2}
	high := byte(none)
	for i := range len(s) {
		v := nibble[s[i]]
		switch {
		case v == none:
		case high == none:
			high = v
		case !d.add(high<<4 | v):
			return "", 0, false
		default:
			high = none
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
	seen int // how many have been looked at
	bad  int // how many of those are no part of a text
}

// add reports whether it is worth going on.
func (d *decoder) add(bytes ...byte) bool {
	if d.out == nil {
		d.out = make([]byte, 0, min(d.size+4, block+utf8.UTFMax))
	}
	d.out = append(d.out, bytes...)
	if len(d.out)-d.seen < block+utf8.UTFMax || isWide(d.out[:block]) {
		return true
	}
	d.look(len(d.out) - utf8.UTFMax) // the last character may not be complete
	return d.bad <= d.size/4
}

// look counts what is no text up to end.
func (d *decoder) look(end int) {
	for d.seen < end {
		if isText(d.out[d.seen]) {
			d.seen++
			continue
		}
		r, size := utf8.DecodeRune(d.out[d.seen:])
		if r < 0xA0 || r == utf8.RuneError && size == 1 || !unicode.IsGraphic(r) && !isInvisible(r) {
			d.bad += size
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
	if d.bad > len(d.out)/4 || d.bad > 0 && len(d.out) < strict {
		return "", 0, false
	}
	return string(d.out), d.bad, len(d.out) > 0
}

// isWide reports whether b is text in UTF-16, least byte first, as Windows'
// shells want it: for the most part ASCII.
func isWide(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	zeros := 0
	for i := 1; i < len(b); i += 2 {
		if b[i] == 0 && (isText(b[i-1])) {
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
