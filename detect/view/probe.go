// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"math/bits"
	"unicode/utf8"
)

// Most texts are plain: ASCII, nothing encoded in them. That they are has to
// be found out at a small part of what a scan of them costs, so these loops
// look at eight bytes at a time. In a word of eight bytes that are ASCII,
// (w | highs) - n*ones has the high bit of each byte that is n or more; no
// byte borrows from the next.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// word returns the first eight bytes of s.
func word(s string) uint64 {
	_ = s[7] // once for all
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// nextHigh returns where the next byte from i on is that is not ASCII.
func nextHigh(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		if m := word(s[i:i+8]) & highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// nextOdd returns where the next byte from i on is that is neither printable
// ASCII nor white space.
func nextOdd(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		w := word(s[i : i+8])
		if (w|(w+ones)|^((w|highs)-' '*ones))&highs == 0 {
			continue // nothing below the blank, nothing above the tilde
		}
		h := w | highs
		m := w | ^(h - '\t'*ones)                  // not ASCII, or below white space
		m |= (h - ('\r'+1)*ones) &^ (h - ' '*ones) // between that and the blank
		m |= ^((w ^ 0x7F*ones | highs) - ones)     // the delete character
		if m &= highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(s) && !isOdd(s[i]) {
		i++
	}
	return i
}

func isOdd(c byte) bool { return c < '\t' || c > '\r' && c < ' ' || c >= 0x7F }

// minEncoded is how long a row of letters and digits has to be to be looked at
// as base64 or hex.
const minEncoded = 8

// nextRow returns the next row of bytes from i on that has minEncoded bytes
// or more, none of them below '+' and none above ASCII: wherever something is
// encoded in letters and digits, it is in such a row. It returns -1 if there
// is none.
func nextRow(s string, i int) (start, end int) {
	row := 0 // how many bytes of a row stand before i
	for ; i+8 <= len(s); i += 8 {
		w := word(s[i : i+8])
		m := (^((w | highs) - '+'*ones) | w) & highs
		if m == 0 {
			row += 8
			continue
		}
		first := bits.TrailingZeros64(m) / 8
		if row+first >= minEncoded {
			return i - row, i + first
		}
		row = bits.LeadingZeros64(m) / 8
	}
	for ; i < len(s); i++ {
		if s[i] >= '+' && s[i] < utf8.RuneSelf {
			row++
			continue
		}
		if row >= minEncoded {
			return i - row, i
		}
		row = 0
	}
	if row >= minEncoded {
		return i - row, i
	}
	return -1, -1
}
