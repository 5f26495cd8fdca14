// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import "strings"

// maxNested bounds f-strings inside the fields of f-strings.
const maxNested = 150

// An fstring is one that is being read.
type fstring struct {
	quote       byte
	triple, raw bool
	start       int
	base        int // brackets open around it
	fields      []field
}

// A field is {…} inside an f-string; its specification is literal text again.
type field struct {
	depth int // brackets open inside it, itself included
	spec  bool
}

// inLiteral reports whether the text at hand is literal text of an f-string.
func (s *scanner) inLiteral() bool {
	if len(s.fs) == 0 {
		return false
	}
	f := &s.fs[len(s.fs)-1]
	if len(f.fields) == 0 {
		return true
	}
	top := f.fields[len(f.fields)-1]
	return top.spec && len(s.open) == top.depth
}

// field returns the field whose expression the text at hand belongs to,
// outside of inner brackets.
func (s *scanner) field() *field {
	if len(s.fs) == 0 {
		return nil
	}
	f := &s.fs[len(s.fs)-1]
	if n := len(f.fields); n > 0 && f.fields[n-1].depth == len(s.open) {
		return &f.fields[n-1]
	}
	return nil
}

func (s *scanner) endField() {
	f := &s.fs[len(s.fs)-1]
	f.fields = f.fields[:len(f.fields)-1]
}

// isPrefix reports whether a string can begin so.
func isPrefix(word string) bool {
	switch strings.ToLower(word) {
	case "", "r", "u", "b", "f", "br", "rb", "fr", "rf", "ur":
		return true
	}
	return false
}

// quotes returns the quote at i, and whether there are three.
func quotes(text string, i int) (byte, bool) {
	q := text[i]
	return q, i+2 < len(text) && text[i+1] == q && text[i+2] == q
}

// str reads a string whose prefix begins at start and whose quote is here.
func (s *scanner) str(start int) {
	quote, triple := quotes(s.text, s.pos)
	prefix := s.text[start:s.pos]
	s.pos++
	if triple {
		s.pos += 2
		if s.triple < 0 {
			s.triple = int32(s.pos)
		}
	}
	if strings.EqualFold(prefix, "ur") {
		s.errs.old(start, "invalid syntax")
	}
	if strings.ContainsAny(prefix, "fF") {
		if len(s.fs) < maxNested {
			s.fs = append(s.fs, fstring{quote, triple, strings.ContainsAny(prefix, "rR"), start, len(s.open), nil})
			s.emit(kFStart, start)
			return
		}
		s.fail(start, "too many nested f-strings")
	}
	s.plain(quote, triple, start)
	s.emit(kString, start)
}

// plain passes the rest of a string and its quotes.
func (s *scanner) plain(quote byte, triple bool, start int) {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\\':
			s.pos++
			if s.pos < len(s.text) {
				s.skipChar()
			}
		case c == quote && !triple:
			s.pos++
			return
		case c == quote && s.at(s.pos+1) == quote && s.at(s.pos+2) == quote:
			s.pos += 3
			return
		case (c == '\n' || c == '\r') && !triple:
			s.fail(start, "unterminated string literal (detected at line %d)", s.lineOf(start))
			return
		default:
			s.pos++
		}
	}
	if !triple {
		s.fail(start, "unterminated string literal (detected at line %d)", s.lineOf(start))
		return
	}
	s.fail(start, "unterminated triple-quoted string literal (detected at line %d)", s.lineOf(len(s.text)-1))
}

// skipChar passes a character, or a line end of two.
func (s *scanner) skipChar() {
	if c := s.text[s.pos]; c == '\r' || c == '\n' {
		s.skipNewline()
		return
	}
	s.pos++
}

// lineOf counts lines; mistakes alone ask for it, and few of them are kept.
func (s *scanner) lineOf(at int) int {
	if s.errs.full() {
		return 0
	}
	return lineOf(s.text, at)
}

// literal reads literal text of an f-string, and what ends it.
func (s *scanner) literal() {
	f := &s.fs[len(s.fs)-1]
	start, spec := s.pos, len(f.fields) > 0
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\\':
			s.escape(f.raw)
		case c == '{' && s.at(s.pos+1) == '{' && !spec, c == '}' && s.at(s.pos+1) == '}' && !spec:
			s.pos += 2
		case c == '{':
			s.beginField(start, f)
			return
		case c == '}' && spec:
			s.middle(start)
			s.pos++
			s.closeBracket(s.pos - 1)
			s.emit(kRBrace, s.pos-1)
			return
		case c == '}':
			s.fail(s.pos, "f-string: single '}' is not allowed")
			s.pos++
		case c == f.quote && (!f.triple || s.at(s.pos+1) == c && s.at(s.pos+2) == c):
			s.endString(start, f)
			return
		case (c == '\n' || c == '\r') && !f.triple:
			s.fail(f.start, "unterminated f-string literal (detected at line %d)", s.lineOf(f.start))
			s.middle(start)
			s.leave(f)
			return
		default:
			s.pos++
		}
	}
	s.middle(start)
}

func (s *scanner) middle(start int) {
	if s.pos > start {
		s.emit(kFMiddle, start)
	}
}

// escape passes a backslash and what it takes with it. A brace after it opens
// a field all the same, save that of a named character.
func (s *scanner) escape(raw bool) {
	s.pos++
	switch c := s.at(s.pos); {
	case s.pos >= len(s.text) || c == '{' || c == '}':
	case !raw && c == 'N' && s.at(s.pos+1) == '{':
		if i := strings.IndexAny(s.text[s.pos:min(len(s.text), s.pos+200)], "}\n"); i > 0 && s.text[s.pos+i] == '}' {
			s.pos += i
		}
		s.pos++
	default:
		s.skipChar()
	}
}

func (s *scanner) beginField(start int, f *fstring) {
	s.middle(start)
	open := s.pos
	s.pos++
	s.openBracket(open, true)
	if len(f.fields) == 2 {
		s.fail(open, "f-string: expressions nested too deeply")
	}
	f.fields = append(f.fields, field{depth: len(s.open)})
	s.emit(kLBrace, open)
}

func (s *scanner) endString(start int, f *fstring) {
	if len(f.fields) > 0 {
		s.fail(s.pos, "f-string: expecting '}'")
	}
	s.middle(start)
	start = s.pos
	s.pos++
	if f.triple {
		s.pos += 2
	}
	s.leaveAt(start, f)
}

func (s *scanner) leave(f *fstring) { s.leaveAt(s.pos, f) }

func (s *scanner) leaveAt(start int, f *fstring) {
	s.open = s.open[:min(len(s.open), f.base)]
	s.fs = s.fs[:len(s.fs)-1]
	s.emit(kFEnd, start)
}

func (s *scanner) failUnclosed(f fstring) {
	if f.triple {
		s.fail(f.start, "unterminated triple-quoted f-string literal (detected at line %d)", s.lineOf(len(s.text)-1))
		return
	}
	s.fail(f.start, "unterminated f-string literal (detected at line %d)", s.lineOf(f.start))
}

// number reads a number, of Python 2 too.
func (s *scanner) number() {
	start := s.pos
	if s.text[start] == '0' && start+1 < len(s.text) {
		switch s.text[start+1] | 0x20 {
		case 'x':
			s.based(start, "hexadecimal", 16)
			return
		case 'o':
			s.based(start, "octal", 8)
			return
		case 'b':
			s.based(start, "binary", 2)
			return
		}
	}
	s.decimal(start)
}

func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 99
}

func (s *scanner) based(start int, name string, base int) {
	s.pos += 2
	for {
		if s.at(s.pos) == '_' {
			s.pos++
		}
		if digit(s.at(s.pos)) >= base {
			break
		}
		for digit(s.at(s.pos)) < base {
			s.pos++
		}
		if s.at(s.pos) != '_' {
			s.endNumber(start, name)
			return
		}
	}
	if s.digitAt(s.pos) {
		s.fail(s.pos, "invalid digit '%c' in %s literal", s.text[s.pos], name)
	} else {
		s.fail(start, "invalid %s literal", name)
	}
	s.restOfNumber()
	s.emit(kNumber, start)
}

// digits passes a run of digits; false if underscores stand wrong in it.
func (s *scanner) digits() bool {
	for {
		for s.digitAt(s.pos) {
			s.pos++
		}
		if s.at(s.pos) != '_' {
			return true
		}
		s.pos++
		if !s.digitAt(s.pos) {
			return false
		}
	}
}

func (s *scanner) decimal(start int) {
	ok, whole := s.digits(), true
	integer := s.text[start:s.pos]
	if ok && s.at(s.pos) == '.' {
		whole = false
		s.pos++
		if s.digitAt(s.pos) {
			ok = s.digits()
		}
	}
	if c := s.at(s.pos) | 0x20; ok && c == 'e' {
		i := s.pos + 1
		if s.at(i) == '+' || s.at(i) == '-' {
			i++
		}
		if s.digitAt(i) {
			s.pos, whole = i, false
			ok = s.digits()
		}
	}
	if c := s.at(s.pos) | 0x20; ok && c == 'j' {
		s.pos++
		whole = false
	}
	if !ok {
		s.fail(start, "invalid decimal literal")
		s.restOfNumber()
		s.emit(kNumber, start)
		return
	}
	if whole {
		s.integer(start, integer)
	}
	s.endNumber(start, "decimal")
}

// integer refuses what is a whole number to Python 2 alone, and what is too
// long for CPython.
func (s *scanner) integer(start int, digits string) {
	if digits[0] == '0' && strings.Trim(digits, "0_") != "" {
		s.errs.old(start, "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
	}
	if len(digits) > 4300 && len(digits)-strings.Count(digits, "_") > 4300 {
		s.fail(start, "Exceeds the limit (4300 digits) for integer string conversion - Consider hexadecimal for huge integer literals to avoid decimal conversion limits")
	}
}

// endNumber looks at what follows a number: a keyword may, another letter may
// not.
func (s *scanner) endNumber(start int, name string) {
	if !isIdent(s.at(s.pos)) || s.pos >= len(s.text) {
		s.emit(kNumber, start)
		return
	}
	if rest := s.text[s.pos:min(len(s.text), s.pos+4)]; hasAnyPrefix(rest, "and", "else", "for", "if", "in", "is", "or", "not") {
		s.emit(kNumber, start)
		return
	}
	if c := s.at(s.pos) | 0x20; c == 'l' && !isIdent(s.at(s.pos+1)) {
		s.errs.old(start, "invalid "+name+" literal")
	} else {
		s.fail(start, "invalid %s literal", name)
	}
	s.restOfNumber()
	s.emit(kNumber, start)
}

func (s *scanner) restOfNumber() {
	for s.pos < len(s.text) && isIdent(s.text[s.pos]) {
		s.pos++
	}
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
