// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// The scan reads the text once. It runs over letters and spaces eight at a
// time; it stops at a digit and at the four
// signs that a datum without digits has inside (@ : . -). At a digit it takes
// the word around it, and tries the rules at the beginnings that belong to
// the word: its own, those of two short words before it ("HRB 1234",
// "B AB 1234"), a sign before it ("+90 …") and runs of digits inside it. The
// rules to try are those whose shape can begin with a run of that length and
// what stands behind it.

type class byte

const (
	plain class = iota
	digit
	at
	colon
	dot
	hyphen
)

var classes = func() (t [256]class) {
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	t['@'], t[':'], t['.'], t['-'] = at, colon, dot, hyphen
	return t
}()

// A scan is one pass over a text.
type scan struct {
	text   string
	tables *tables
	index  *index // nil before the first digit
	named  bool   // the caller named kinds
	wanted []bool // by kind
	found  []hit

	word int // the end of the last word that was looked at
	v6   int // the end of the last run of hex digits and colons
	host int // the end of the last host name
	call int // the end of the last telephone number, or what might have been one

	work   int // steps so far: rules tried, bytes gone over besides the scan's own
	phones phoneBook
	code   [64]byte // the letters and digits of the match in hand
	window [72]byte // what stands before seen, in small letters
	seen   int
}

// newScan prepares a pass over text.
func newScan(text string, kinds []string) *scan {
	t := load()
	s := &scan{text: text, tables: t, named: len(kinds) > 0, wanted: t.unasked, seen: -1}
	if !s.named {
		return s
	}
	s.wanted = make([]bool, len(t.kinds))
	for _, kind := range kinds {
		if id, ok := t.ids[kind]; ok {
			s.wanted[id] = true
		}
	}
	return s
}

// The places of signKinds.
const (
	email = iota
	ip
	mac
	url
	phone
	person
	location
)

func (s *scan) run() {
	text := s.text
	for i := nextSign(text, 0); i < len(text); i = nextSign(text, i) {
		switch classes[text[i]] {
		case plain: // a slash
			i++
		case digit:
			i = s.digitsAt(i)
		case at:
			s.mailAt(i)
			i++
		case colon:
			s.colonAt(i)
			i++
		case dot:
			s.dotAt(i)
			i++
		case hyphen:
			s.hyphenAt(i)
			i++
		}
	}
	if s.named {
		s.names()
	}
}

// nextSign returns where the next byte from i on is that is a digit, one of the
// signs, or a slash. In a word of eight bytes without their high bits,
// (w | highs) - n*ones has the high bit of each byte that is n or more.
func nextSign(text string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(text); i += 8 {
		t := text[i : i+8]
		w := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		h := w | highs
		m := (h - '-'*ones) &^ (h - (':'+1)*ones) // - . / digits :
		m |= ^((w ^ '@'*ones | highs) - ones)
		if m &= ^w & highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(text) && classes[text[i]] == plain {
		i++
	}
	return i
}

// digitsAt looks at the word around the digit at i and returns where the scan
// goes on.
func (s *scan) digitsAt(i int) int {
	if s.index == nil {
		s.index = defaultRules()
		if s.named {
			s.index = allRules()
		}
	}
	start, end := s.wordAround(i)
	s.work += end - start
	s.word = end
	s.tryWord(start)
	for p := start; p+1 < end; p++ { // rules with the edge latin begin after an underscore and letters that are not Latin
		if !isAlnum(s.text[p]) && isAlnum(s.text[p+1]) {
			s.tryWord(p + 1)
		}
	}
	s.tryBefore(start)
	for p := start; p < end; {
		if !isDigit(s.text[p]) {
			p++
			continue
		}
		r := runAt(s.text, p)
		s.try(s.index.inside.at(s.text, p, r), p)
		for p < end && isDigit(s.text[p]) {
			p++
		}
	}
	if s.wanted[phone] && start >= s.call {
		s.phoneAt(start)
	}
	if s.wanted[ip] && end < len(s.text) && s.text[end] == '.' && end-start <= 3 {
		s.v4At(start)
	}
	return end
}

// tryWord tries the rules that a word at start can begin, and those for a
// sign before it.
func (s *scan) tryWord(start int) {
	r := runAt(s.text, start)
	if r.letters {
		s.try(s.index.letters.at(s.text, start, r), start)
	} else {
		s.try(s.index.digits.at(s.text, start, r), start)
	}
	for k := 1; k <= 2 && start >= k && (s.text[start-k] == '(' || s.text[start-k] == '+'); k++ {
		s.try(s.index.signs, start-k)
	}
}

// reach is the longest word of letters that a datum may begin with before the
// word that has its first digit: "September 3".
const reach = 9

// tryBefore tries the beginnings at the one or two words of letters before
// the word at start.
func (s *scan) tryBefore(start int) {
	for range 2 {
		gap := start
		for gap > 0 && start-gap < 3 && (isSpace(s.text[gap-1]) || s.text[gap-1] == '-' || s.text[gap-1] == '.') {
			gap--
		}
		p := gap
		for gap-p < reach {
			n := wordByteBefore(s.text, p)
			if n == 0 || isDigit(s.text[p-1]) || s.text[p-1] == '_' {
				break
			}
			p -= n
		}
		if gap == start || p == gap || wordBefore(s.text, p) {
			return
		}
		if r := runAt(s.text, p); r.n > 0 {
			s.try(s.index.letters.at(s.text, p, r), p)
		} else {
			s.try(s.index.signs, p)
		}
		start = p
	}
}

// try tries rules at start.
func (s *scan) try(entries []*entry, start int) {
	for _, e := range entries {
		if s.wanted[e.id] {
			s.tryEntry(e, start)
		}
	}
}

// tryEntry adds what e finds at start.
func (s *scan) tryEntry(e *entry, start int) {
	s.work++
	end := e.mask.match(s.text, start)
	if end < 0 {
		return
	}
	score := e.score
	if e.find != nil {
		if end, score = e.find(s.text, start); end < 0 {
			return
		}
	}
	if !s.edges(e.edge, start, end) {
		return
	}
	if e.check != nil {
		switch e.check(s.compact(start, end), s.text[start:end]) {
		case no:
			return
		case yes:
			score = e.sure
		case maybe:
		}
	}
	if score < .9 && !e.inside && s.glued(start, end) {
		score = min(score, .45)
	}
	if s.named || score >= Threshold || max(score+boost, e.near) >= Threshold {
		s.add(e.id, start, end, s.besides(score, e.near, e.words, start))
	}
}

// add notes a finding.
func (s *scan) add(id, start, end int, score float64) {
	if s.named || score >= Threshold {
		if s.found == nil {
			s.found = make([]hit, 0, 16)
		}
		s.found = append(s.found, hit{id, start, end, score})
	}
}

// compact returns the ASCII letters and digits of the text from start to end,
// in upper case. The slice is good until the next call.
func (s *scan) compact(start, end int) []byte {
	code := s.code[:0]
	for i := start; i < end && len(code) < len(s.code); i++ {
		switch c := s.text[i]; {
		case isDigit(c):
			code = append(code, c)
		case isLetter(c):
			code = append(code, c&^0x20)
		}
	}
	return code
}

// edges reports whether a match from start to end stands free.
func (s *scan) edges(e edge, start, end int) bool {
	switch e {
	case digits:
		return !(start > 0 && isDigit(s.text[start-1])) && !(end < len(s.text) && isDigit(s.text[end]))
	case latin:
		return !(start > 0 && isAlnum(s.text[start-1])) && !(end < len(s.text) && isDigit(s.text[end]))
	case apart:
		if start > 0 && s.text[start-1] == '-' {
			return false
		}
	case words:
	}
	return !wordBefore(s.text, start) && !wordAfter(s.text, end)
}

// glued reports whether a match is a part of something longer: of a group of
// numbers, a path, a number with a fraction.
func (s *scan) glued(start, end int) bool {
	text := s.text
	if start > 1 {
		before := text[start-2]
		switch text[start-1] {
		case '-', '/', '+':
			if isAlnum(before) {
				return true
			}
		case '.':
			if isDigit(before) {
				return true
			}
		}
	}
	if end+1 < len(text) {
		switch text[end] {
		case '-', '/':
			return isAlnum(text[end+1])
		case '.':
			return isDigit(text[end+1])
		}
	}
	return false
}

// wordAround returns the word that the byte at i belongs to. A word is a run
// of letters, digits and underscores, as \w has them in Python.
func (s *scan) wordAround(i int) (start, end int) {
	start, end = i, i+1
	for start > s.word {
		n := wordByteBefore(s.text, start)
		if n == 0 {
			break
		}
		start -= n
	}
	for end < len(s.text) {
		n := wordByteAfter(s.text, end)
		if n == 0 {
			break
		}
		end += n
	}
	return start, end
}

func wordBefore(text string, i int) bool { return wordByteBefore(text, i) > 0 }
func wordAfter(text string, i int) bool  { return wordByteAfter(text, i) > 0 }

// wordByteBefore returns the length of the word character that ends at i, 0
// if there is none.
func wordByteBefore(text string, i int) int {
	if i == 0 {
		return 0
	}
	if c := text[i-1]; c < utf8.RuneSelf {
		if isAlnum(c) || c == '_' {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeLastRuneInString(text[max(0, i-utf8.UTFMax):i])
	if isWord(r) {
		return n
	}
	return 0
}

// wordByteAfter returns the length of the word character that begins at i, 0
// if there is none.
func wordByteAfter(text string, i int) int {
	if i >= len(text) {
		return 0
	}
	if c := text[i]; c < utf8.RuneSelf {
		if isAlnum(c) || c == '_' {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	if isWord(r) {
		return n
	}
	return 0
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r)) }
