// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

// Hex is printed byte by byte, too, as dumps and fingerprints are: 67 68 70,
// 67:68:70 or 67-68-70. Such a row is a region if it comes to text.

// shortestDump is how many bytes a row has at least. Addresses of network
// cards have as many; they are no text.
const shortestDump = 6

// pair is how many characters a byte takes with the sign behind it.
const pair = 3

// stride is how far apart the places are that findDumps looks at: in every row
// there is one with the sign that follows on it in the row, too.
const stride = pair * (shortestDump / 2)

// dumped holds what each byte is in a row. Of the sums of three only that of
// two digits and a sign is theirs.
var dumped = func() (t [256]byte) {
	for c, v := range nibble {
		t[c] = noPart
		if v != none {
			t[c] = digit
		}
	}
	t[' '], t[':'], t['-'] = between, between, between
	return t
}()

const (
	digit   byte = 1
	between byte = 8
	noPart  byte = 64
)

// findDumps finds hex with its bytes apart. It looks at one place in so many
// that no row is passed over.
func findDumps(out []region, text string) []region {
	behind := 0 // up to where has been looked
	for i := 0; i+pair < len(text) && !tooMany(out); i = max(i+stride, behind) {
		a, b, c := dumped[text[i]], dumped[text[i+1]], dumped[text[i+2]]
		if a+b+c != digit+digit+between { // one question, which nearly all places answer alike
			continue
		}
		at := i + 2
		switch between {
		case a:
			at = i
		case b:
			at = i + 1
		}
		if at < behind+2 || !joins(text, at) {
			continue
		}
		row := dumpAround(text, at, behind)
		behind = row.end
		if decoded, part, ok := undump(text, row); ok {
			out = append(out, region{span: part, text: decoded})
		}
	}
	return out
}

// joins reports whether what stands at i is a sign between two bytes.
func joins(text string, i int) bool {
	return i >= 2 && i+2 < len(text) && dumped[text[i]] == between &&
		nibble[text[i+1]]|nibble[text[i+2]]|nibble[text[i-1]]|nibble[text[i-2]] != none
}

// dumpAround returns the row of bytes round the sign at i, not before low. All
// its signs are the same.
func dumpAround(text string, i, low int) span {
	first, last := i, i
	for first-pair >= low+2 && text[first-pair] == text[i] && joins(text, first-pair) {
		first -= pair
	}
	for last+pair < len(text) && text[last+pair] == text[i] && joins(text, last+pair) {
		last += pair
	}
	return span{first - 2, last + pair}
}

// trimmed takes from the ends of a row what is part of a word ("made 67 68")
// and what no text begins with, such as a word of two letters.
func trimmed(text string, row span) span {
	if isWordlyAt(text, row.start-1) {
		row.start += pair
	}
	if isWordlyAt(text, row.end) {
		row.end -= pair
	}
	for row.start < row.end {
		if c := byteAt(text, row.start); isText(c) || c >= 0xC2 {
			break
		}
		row.start += pair
	}
	return row
}

// undump decodes a row of bytes, if it is long enough and comes to text. The
// last may be a word of two letters.
func undump(text string, row span) (decoded string, _ span, ok bool) {
	row = trimmed(text, row)
	for range 2 {
		n := (row.end - row.start + 1) / pair
		if n < shortestDump {
			break
		}
		d := newDecoder(n)
		for i := row.start; i < row.end; i += pair {
			d.out = append(d.out, byteAt(text, i))
		}
		if decoded, bad, ok := d.text(); ok && bad == 0 {
			return decoded, row, true
		}
		row.end -= pair
	}
	return "", row, false
}

func byteAt(text string, i int) byte { return nibble[text[i]]<<4 | nibble[text[i+1]] }

func isWordlyAt(text string, i int) bool { return i >= 0 && i < len(text) && isWordly(text[i]) }
