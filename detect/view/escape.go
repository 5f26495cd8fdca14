// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Escapes have marks of their own and stand each for one character or byte:
// percent escapes of URLs, HTML entities, the escapes of programming languages
// (\x41, \u0041, \u{41}), lists of bytes (0x41, 0x42; 41 42). They are decoded where
// they stand, whatever they come to. None grows by it.

// findEscapes finds what is escaped, each kind in the order of the text.
func findEscapes(text string) []region {
	var out []region
	out = findPercents(out, text)
	out = findEntities(out, text)
	out = findBackslashes(out, text)
	out = findLists(out, text)
	return findDumps(out, text)
}

// next returns where sub is next in text from i on; len(text) if it is not.
func next(text string, i int, sub byte) int {
	if at := strings.IndexByte(text[i:], sub); at >= 0 {
		return i + at
	}
	return len(text)
}

// hexAt returns the value of so many hex digits at i.
func hexAt(text string, i, digits int) (rune, bool) {
	if i+digits > len(text) {
		return 0, false
	}
	value := rune(0)
	for _, c := range []byte(text[i : i+digits]) {
		v := nibble[c]
		if v == none {
			return 0, false
		}
		value = value<<4 | rune(v)
	}
	return value, true
}

// A series collects escapes of one size that follow on one another and stand
// for a byte each, as one region.
type series struct {
	size int
	at   int
	out  []byte
}

func (s *series) add(regions []region, at int, c byte) []region {
	if at != s.at+s.size*len(s.out) {
		regions = s.flush(regions)
	}
	if len(s.out) == 0 {
		s.at = at
	}
	s.out = append(s.out, c)
	return regions
}

func (s *series) flush(regions []region) []region {
	if len(s.out) > 0 {
		end := s.at + s.size*len(s.out)
		regions = append(regions, region{span: span{s.at, end}, text: string(s.out), each: s.size})
	}
	s.out = s.out[:0]
	return regions
}

// findPercents finds %41 and %u0041.
func findPercents(out []region, text string) []region {
	s := series{size: len("%41")}
	for i := next(text, 0, '%'); i < len(text) && !tooMany(out); i = next(text, i, '%') {
		if c, ok := hexAt(text, i+1, 2); ok {
			out = s.add(out, i, byte(c))
			i += s.size
			continue
		}
		if r, ok := hexAt(text, i+2, 4); ok && text[i+1]|0x20 == 'u' {
			out = append(s.flush(out), region{span: span{i, i + 6}, text: string(r)})
			i += 6
			continue
		}
		i++
	}
	return s.flush(out)
}

// findPluses finds what may be a blank in a form that was sent: + among
// percent escapes, and among words, two at least.
func findPluses(text string) []region {
	out := findPlusesAmongWords(nil, text)
	behind := 0 // up to where has been looked
	for i := next(text, 0, '%'); i < len(text) && !tooMany(out); i = next(text, max(i+1, behind), '%') {
		if _, ok := hexAt(text, i+1, 2); ok {
			start, end := around(text, i, behind)
			out, behind = plusesAsBlanks(out, text, start, end), end
		}
	}
	return out
}

// around returns the part of text without white space and quotes round i, not
// before low.
func around(text string, i, low int) (start, end int) {
	for start = i; start > low && !isBreak(text[start-1]); start-- {
	}
	for end = i; end < len(text) && !isBreak(text[end]); end++ {
	}
	return start, end
}

func isBreak(c byte) bool { return c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' }

func plusesAsBlanks(out []region, text string, start, end int) []region {
	for i := next(text[:end], start, '+'); i < end && !tooMany(out); i = next(text[:end], i+1, '+') {
		out = append(out, region{span: span{i, i + 1}, text: " ", kind: plus})
	}
	return out
}

// longestWord is how long words are between which + may stand for a blank.
const longestWord = 20

func findPlusesAmongWords(out []region, text string) []region {
	for i := next(text, 0, '+'); i < len(text) && !tooMany(out); i = next(text, i, '+') {
		before := len(out)
		for wordBefore(text, i) && i < len(text) && text[i] == '+' && wordAfter(text, i+1) > 0 && !tooMany(out) {
			out = append(out, region{span: span{i, i + 1}, text: " ", kind: plus})
			i += 1 + wordAfter(text, i+1)
		}
		if len(out) == before+1 {
			out = out[:before]
		}
		if i < len(text) && text[i] == '+' {
			i++
		}
	}
	return out
}

func wordBefore(text string, i int) bool {
	n := 0
	for i-n > 0 && n <= longestWord && isWordly(text[i-n-1]) {
		n++
	}
	return n > 0 && n <= longestWord
}

func wordAfter(text string, i int) int {
	n := 0
	for i+n < len(text) && n <= longestWord && isWordly(text[i+n]) {
		n++
	}
	if n > longestWord {
		return 0
	}
	return n
}

func isWordly(c byte) bool { return isLetter(c) || isDigit(c) }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// longestEntity is how long a named entity can be.
const longestEntity = 33

// findEntities finds &#65; &#x41; (both with and without the semicolon) and
// &amp;.
func findEntities(out []region, text string) []region {
	for i := next(text, 0, '&'); i < len(text) && !tooMany(out); i = next(text, i, '&') {
		end := entityEnd(text, i)
		if end < 0 {
			i++
			continue
		}
		entity := text[i:end]
		if s := unescape(entity); s != entity {
			out = append(out, region{span: span{i, end}, text: s})
		}
		i = end
	}
	return out
}

// unescape is html.UnescapeString, at once for the entities that most texts
// have.
func unescape(entity string) string {
	switch entity {
	case "&amp;":
		return "&"
	case "&lt;":
		return "<"
	case "&gt;":
		return ">"
	case "&quot;":
		return "\""
	}
	return html.UnescapeString(entity)
}

// entityEnd returns where an entity at i would end, -1 if there is none.
func entityEnd(text string, i int) int {
	end := i + 1
	number := end < len(text) && text[end] == '#'
	if number {
		end++
	}
	hex := number && end < len(text) && text[end]|0x20 == 'x'
	if hex {
		end++
	}
	digits := end
	for end < len(text) && end-i < longestEntity && (!number && isLetter(text[end]) || !hex && isDigit(text[end]) || hex && nibble[text[end]] != none) {
		end++
	}
	switch {
	case end == digits:
		return -1
	case end < len(text) && text[end] == ';':
		return end + 1
	case number:
		return end
	}
	return -1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// findBackslashes finds \x41, \u0041, \u{41} and \U00000041. Texts that were
// quoted twice have more than one backslash in front.
func findBackslashes(out []region, text string) []region {
	s := series{size: len(`\x41`)}
	for i := next(text, 0, '\\'); i+3 < len(text) && !tooMany(out); i = next(text, i, '\\') {
		start := i
		for i+1 < len(text) && text[i+1] == '\\' {
			i++
		}
		c, ok := hexAt(text, i+2, 2)
		switch {
		case ok && text[i+1] == 'x' && i == start:
			out = s.add(out, i, byte(c))
			i += s.size
			continue
		case ok && text[i+1] == 'x':
			out = append(s.flush(out), region{span: span{start, i + s.size}, text: string([]byte{byte(c)})})
			i += s.size
			continue
		}
		r, end := unicodeEscape(text, i)
		if end == 0 {
			i++
			continue
		}
		out = append(s.flush(out), region{span: span{start, end}, text: string(r)})
		i = end
	}
	return s.flush(out)
}

// unicodeEscape reads the escape at i, two of UTF-16 if they belong together,
// and returns where it ends, 0 if there is none.
func unicodeEscape(text string, i int) (rune, int) {
	if i+3 >= len(text) {
		return 0, 0
	}
	switch text[i+1] {
	case 'U':
		if r, ok := hexAt(text, i+2, 8); ok && utf8.ValidRune(r) {
			return r, i + 10
		}
	case 'u':
		if text[i+2] == '{' {
			return bracedEscape(text, i+3)
		}
		r, ok := hexAt(text, i+2, 4)
		if !ok {
			return 0, 0
		}
		if low, ok := hexAt(text, i+8, 4); ok && text[i+6:i+8] == `\u` {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, i + 12
			}
		}
		return r, i + 6
	}
	return 0, 0
}

func bracedEscape(text string, i int) (rune, int) {
	for digits := 1; digits <= 6 && i+digits < len(text); digits++ {
		if text[i+digits] == '}' {
			if r, ok := hexAt(text, i, digits); ok && utf8.ValidRune(r) {
				return r, i + digits + 1
			}
		}
	}
	return 0, 0
}

// shortestList is how many bytes a list has at least.
const shortestList = 4

// findLists finds bytes in a row: 0x41, 0x42 …
func findLists(out []region, text string) []region {
	for i := 0; !tooMany(out); {
		at := strings.Index(text[i:], "0x")
		if at < 0 {
			break
		}
		start := i + at
		bytes, end := listAt(text, start)
		if len(bytes) >= shortestList && allText(bytes) {
			out = append(out, region{span: span{start, end}, text: string(bytes)})
		}
		i = max(end, start+2)
	}
	return out
}

func allText(bytes []byte) bool {
	d := decoder{out: bytes}
	d.look(len(bytes))
	return d.bad == 0
}

func listAt(text string, i int) (bytes []byte, end int) {
	for i+4 <= len(text) && text[i] == '0' && text[i+1] == 'x' {
		c, ok := hexAt(text, i+2, 2)
		if !ok || i+4 < len(text) && nibble[text[i+4]] != none {
			break
		}
		bytes = append(bytes, byte(c))
		i += 4
		end = i
		for n := 0; n < 8 && i < len(text) && (text[i] == ',' || text[i] == ';' || text[i] <= ' '); n++ {
			i++
		}
	}
	return bytes, end
}

// findSpelled finds the characters that show nothing and spell something: tag
// characters, one for each of ASCII, and variation selectors, one for each
// byte. The text is plain as far as odd.
func findSpelled(text string, odd int) []region {
	if strings.IndexByte(text[odd:], 0xF3) < 0 && !strings.Contains(text[odd:], "\xEF\xB8") {
		return nil // none of the bytes that they begin with
	}
	var out []region
	s := series{size: 4}
	for i := nextHigh(text, odd); i < len(text) && !tooMany(out); i = nextHigh(text, i) {
		if text[i] != 0xF3 && text[i] != 0xEF {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r >= 0xE0020 && r < 0xE007F:
			out = s.add(out, i, byte(r))
		case isSelector(r):
			out = s.flush(out)
			bytes, end := selected(text, i)
			if len(bytes) >= shortestList && allText(bytes) {
				out = append(out, region{span: span{i, end}, text: string(bytes)})
			}
			size = end - i
		}
		i += size
	}
	return s.flush(out)
}

func isSelector(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF }

// selected returns the bytes that the variation selectors at i stand for: the
// sixteen old ones for the first, the others for the rest.
func selected(text string, i int) (bytes []byte, end int) {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isSelector(r) {
			break
		}
		if r >= 0xE0100 {
			r -= 0xE0100 - 16
		}
		bytes = append(bytes, byte(r))
		i += size
	}
	return bytes, i
}
