// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import "strings"

// Base64 and hex have no marks of their own; they are found by trying. Every
// row of letters and digits that is long enough is decoded, and is a region
// if it comes to text. Rows that stand on lines of one length are one. Where
// something that is no part of it adjoins (a folder of a URL, a word before a
// hyphen), what stands between the signs is tried.

// A region is a part of a text that stands for another.
type region struct {
	span
	text string
	each int  // if not 0: every byte of text stands for so many of the part
	kind byte // of those below
}

// The kinds of regions that are treated in their own way.
const (
	escape byte = iota
	tried       // a row: what it comes to is counted
	plus        // a blank, or a plus after all
)

// rows finds base64 and hex.
type rows struct {
	text   string
	out    []region
	behind int // where the last region ends
	joined int // where the last of the lines begins that were tried together
}

func findRows(text string) []region {
	f := rows{text: text}
	for start, end := nextRow(text, 0); start >= 0 && !tooMany(f.out); start, end = nextRow(text, max(end, f.behind)) {
		if !isWord(text[start:end]) {
			f.look(start, end)
		}
	}
	return f.out
}

// isWord reports whether a row is one word in small letters but for the first,
// with a sign behind it or without. Nearly all rows of prose are, and no text
// is that in base64: the first letter of every four would have to be one of
// six. It does not try with long ones.
func isWord(row string) bool {
	n := len(row)
	if c := row[n-1]; c == ',' || c == '.' {
		n--
	}
	if n < 8 || n > 16 {
		return false
	}
	return isSmall(word(row[:8])|' ') && (n == 8 || isSmall(word(row[n-8:])))
}

// isSmall reports whether eight bytes of ASCII are small letters.
func isSmall(w uint64) bool {
	return ((w|highs)-'a'*ones)&^((w|highs)-('z'+1)*ones)&highs == highs
}

// look tries the parts of a row that consist of base64's alphabet.
func (f *rows) look(start, end int) {
	text := f.text
	for i := start; i < end && !tooMany(f.out); i++ {
		from, all := i, byte(0)
		for i < end && letters[text[i]] != 0 {
			all |= letters[text[i]]
			i++
		}
		if i-from < minEncoded-2 {
			continue
		}
		to := i
		for i < end && text[i] == '=' && i-to < 2 {
			i++
		}
		if row := text[from:i]; len(row) >= minEncoded && (all&sign != 0 || len(row) >= long || begins[row[0]] && (opens(row) || opensHex(row))) {
			f.try(from, i)
			i = max(i, f.behind)
		}
		i-- // it may be that of the next
	}
}

// letters holds what each byte is in base64: 0 for none of its alphabet.
var letters = func() (t [256]byte) {
	for c, v := range sextet {
		if v != none {
			t[c] = letter
		}
	}
	t['/'], t['-'], t['_'], t['+'] = sign, sign, sign, sign
	return t
}()

const (
	letter byte = 1 << iota
	sign
)

// begins holds whether what is encoded can begin with each byte: in base64 the
// first six bits are those that characters begin with, in hex the first four.
var begins = func() (t [256]bool) {
	for c, v := range sextet {
		t[c] = v == '\t'>>2 || v == '\r'>>2 || v >= ' '>>2 && v < 0x80>>2 || v >= 0xC0>>2 && v != none
	}
	t['E'], t['F'] = true, true
	return t
}()

// try looks at the row from start to end, padding included.
func (f *rows) try(start, end int) {
	if f.tryLines(start, end) || f.tryWhole(start, end) {
		return
	}
	row := f.text[start:end]
	n := 0
	for i := 0; i < len(row) && n < maxSigns; i++ { // something adjoins in front
		if letters[row[i]]&sign != 0 {
			n++
			if len(row)-i > minEncoded && opens(row[i+1:]) && f.tryWhole(start+i+1, end) {
				return
			}
		}
	}
	if n > 0 {
		f.tryPieces(start, end)
	}
}

// maxSigns is how many adjoining parts are taken away one by one.
const maxSigns = 8

// tryPieces looks at what stands between the signs of a row.
func (f *rows) tryPieces(start, end int) {
	from := start
	for i := start; i <= end && !tooMany(f.out); i++ {
		if i == end || letters[f.text[i]]&sign != 0 {
			if i-from >= minEncoded && opens(f.text[from:i]) {
				f.tryWhole(from, i)
			}
			from = i + 1
		}
	}
}

// tryWhole decodes one row. A short one has to begin with text.
func (f *rows) tryWhole(start, end int) bool {
	row := f.text[start:end]
	text, ok := "", false
	if opensHex(row) && isHex(row) {
		text, _, ok = unhex(strings.TrimPrefix(row, "0x"))
	}
	if !ok && (len(row) >= long || opens(row)) {
		text, _, ok = unbase64(row)
	}
	if ok {
		f.add(start, end, text)
	}
	return ok
}

// long is how many characters a row has to have to be decoded whatever it
// begins with.
const long = 256

// minHex is how many hex digits are looked at: shorter ones are numbers.
const minHex = 12

// opensHex reports whether s begins as a text does in hex, with 0x before it
// or without.
func opensHex(s string) bool {
	v := nibble[s[0]]
	if s[1] == 'x' && v == 0 {
		s = s[2:]
		v = nibble[s[0]]
	}
	ok := v >= 2 && v <= 7 || v == 0 || v >= 0xC && v < none || len(s) >= long
	return ok && len(s) >= minHex && nibble[s[1]]|nibble[s[2]]|nibble[s[3]]|nibble[s[4]] != none
}

// isHex reports whether s is an even number of hex digits, with 0x before it or
// without.
func isHex(s string) bool {
	s = strings.TrimPrefix(s, "0x")
	for i := range len(s) {
		if nibble[s[i]] == none {
			return false
		}
	}
	return len(s)%2 == 0
}

func (f *rows) add(start, end int, text string) {
	f.out = append(f.out, region{span: span{start, end}, text: text, kind: tried})
	f.behind = end
}

// minLine is how long the lines of encoded text are at least.
const minLine = 16

// tryLines decodes a row together with the lines that follow. If that comes
// to nothing, the last line may be no part of it, or the first.
func (f *rows) tryLines(start, end int) bool {
	if end-start < minLine || f.text[end-1] == '=' || start < f.joined {
		return false
	}
	if row := f.text[start:end]; !opens(row) && !opensHex(row) {
		return false
	}
	lines := f.lines(end)
	if len(lines) == 0 {
		return false
	}
	last := lines[len(lines)-1]
	f.joined = last.start
	best, text, bad := span{}, "", -1
	for _, part := range []span{{start, last.end}, {start, before(lines, end)}, {lines[0].start, last.end}} {
		if part.end-part.start < minLine {
			continue
		}
		if t, n, ok := decodeLines(f.text[part.start:part.end]); ok && (bad < 0 || n < bad) {
			best, text, bad = part, t, n
		}
		if bad == 0 {
			break
		}
	}
	if bad < 0 {
		return false
	}
	f.add(best.start, best.end, text)
	return true
}

// before returns where the lines but the last end, or the row before them.
func before(lines []span, end int) int {
	if len(lines) > 1 {
		return lines[len(lines)-2].end
	}
	return end
}

func decodeLines(s string) (text string, bad int, ok bool) {
	if nibble[s[0]]|nibble[s[1]]|nibble[s[2]]|nibble[s[3]] != none {
		if text, bad, ok = unhex(s); ok {
			return text, bad, true
		}
	}
	return unbase64(s)
}

// lines returns the rows that follow line by line on a row that ends at end:
// all of one length, save the last, which may be shorter.
func (f *rows) lines(end int) []span {
	var out []span
	for {
		start := afterBreak(f.text, end)
		if start < 0 {
			return out
		}
		for end = start; end < len(f.text) && sextet[f.text[end]] != none; end++ {
		}
		size := end - start
		for end < len(f.text) && f.text[end] == '=' && end-start-size < 2 {
			end++
		}
		if size == 0 || len(out) > 0 && size > out[0].end-out[0].start {
			return out
		}
		out = append(out, span{start, end})
		if len(out) > 1 && size < out[0].end-out[0].start || f.text[end-1] == '=' {
			return out
		}
	}
}

// afterBreak returns where the line begins that follows on a line break at i,
// plain or escaped, with white space round it; -1 if there is no break.
func afterBreak(s string, i int) int {
	broken := false
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\n' || s[i] == '\r':
			broken = true
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == 'n' || s[i+1] == 'r'):
			broken = true
			i++
		case s[i] == ' ' || s[i] == '\t':
		default:
			if broken {
				return i
			}
			return -1
		}
	}
	return -1
}
