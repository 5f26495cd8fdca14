// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// CPython's own bounds.
const (
	maxIndents  = 100
	maxBrackets = 200
)

// A scanner cuts a text into tokens. It never gives up: what is wrong is noted
// and the rest read all the same.
type scanner struct {
	text    string
	pos     int
	out     []token
	open    []bracket
	excess  int // brackets open beyond those
	fs      []fstring
	indents []indent
	errs    errors
	ipython bool
	base    int // IPython takes the first line's indentation off all lines
	prompt  bool
	lineAt  bool  // at the beginning of a logical line
	triple  int32 // where the text of the first triple-quoted string begins; -1: there is none
}

type bracket struct {
	close byte
	at    int32
	field bool // the { of an f-string's field
}

type indent struct{ col, alt int }

func scan(text string, from int, ipython bool) *scanner {
	s := &scanner{text: text, pos: from, ipython: ipython, base: -1, triple: -1, lineAt: true, indents: []indent{{}}}
	s.out = make([]token, 0, len(text)/5+16)
	if from > 0 {
		s.emit(kString, 0)
		s.lineAt, s.triple = false, int32(from)
	} else if strings.HasPrefix(text, "\ufeff") {
		s.pos = 3
	}
	for s.pos < len(s.text) {
		s.step()
	}
	s.finish()
	return s
}

func (s *scanner) emit(k kind, start int) {
	s.out = append(s.out, token{k, int32(start), int32(s.pos)})
}

func (s *scanner) fail(at int, format string, args ...any) {
	s.errs.add(at, fmt.Sprintf(format, args...))
}

// finish closes what the end of the text leaves open.
func (s *scanner) finish() {
	for i := len(s.fs) - 1; i >= 0; i-- {
		s.failUnclosed(s.fs[i])
	}
	if n := len(s.open); n > 0 && len(s.fs) == 0 {
		s.failOpen(s.open[n-1])
	}
	if n := len(s.out); n > 0 && s.out[n-1].kind != kNewline && s.out[n-1].kind != kDedent {
		s.emit(kNewline, s.pos)
	}
	for range s.indents[1:] {
		s.emit(kDedent, s.pos)
	}
	s.emit(kEOF, s.pos)
}

func (s *scanner) failOpen(b bracket) {
	s.fail(int(b.at), "'%c'"+neverClosed, s.text[b.at])
}

// mismatch notes that a bracket closes another than the one it should.
func (s *scanner) mismatch(closing, opening int) {
	line, where := s.lineOf(opening), ""
	if line != s.lineOf(closing) {
		where = fmt.Sprintf(" on line %d", line)
	}
	s.fail(closing, "closing parenthesis '%c' does not match opening parenthesis '%c'%s", s.text[closing], s.text[opening], where)
}

// step reads one token, or the space before it.
func (s *scanner) step() {
	if s.lineAt {
		s.lineAt = false
		s.line()
		return
	}
	if s.inLiteral() {
		s.literal()
		return
	}
	start := s.pos
	switch c := s.text[start]; {
	case c == ' ' || c == '\t' || c == '\f':
		s.pos++
	case c == '\n' || c == '\r':
		s.newline()
	case c == '#':
		s.comment()
	case c == '\\':
		s.backslash()
	case isIdentStart(c):
		s.word()
	case '0' <= c && c <= '9' || c == '.' && s.digitAt(start+1):
		s.number()
	case c == '"' || c == '\'':
		s.str(start)
	default:
		s.operator()
	}
}

func isIdentStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

func isIdent(c byte) bool { return isIdentStart(c) || '0' <= c && c <= '9' }

func (s *scanner) digitAt(i int) bool { return i < len(s.text) && s.text[i] >= '0' && s.text[i] <= '9' }

func (s *scanner) at(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// skipNewline passes one line end of any kind.
func (s *scanner) skipNewline() {
	if s.text[s.pos] == '\r' && s.at(s.pos+1) == '\n' {
		s.pos++
	}
	s.pos++
}

func (s *scanner) lineEnd(from int) int {
	if i := strings.IndexAny(s.text[from:], "\n\r"); i >= 0 {
		return from + i
	}
	return len(s.text)
}

func (s *scanner) comment() { s.pos = s.lineEnd(s.pos) }

func (s *scanner) newline() {
	start := s.pos
	s.skipNewline()
	if len(s.open) > 0 {
		s.leftOpen()
		return
	}
	s.out = append(s.out, token{kNewline, int32(start), int32(s.pos)})
	s.lineAt = true
}

// leftOpen looks, on a new line inside brackets, for a keyword that cannot
// stand there: then the brackets were left open.
func (s *scanner) leftOpen() {
	i := s.pos
	for i < len(s.text) && (s.text[i] == ' ' || s.text[i] == '\t') {
		i++
	}
	end := i
	for end < len(s.text) && end < i+9 && 'a' <= s.text[end] && s.text[end] <= 'z' {
		end++
	}
	if end == i || end < len(s.text) && isIdent(s.text[end]) || !keyword(s.text[i:end]).opensStatement() {
		return
	}
	s.failOpen(s.open[len(s.open)-1])
	s.open, s.fs, s.excess = s.open[:0], s.fs[:0], 0
	s.emit(kNewline, s.pos)
	s.lineAt = true
}

func (s *scanner) backslash() {
	start := s.pos
	s.pos++
	switch c := s.at(s.pos); {
	case s.pos >= len(s.text):
		s.fail(start, "unexpected EOF while parsing")
	case c == '\n' || c == '\r':
		s.skipNewline()
		if s.pos >= len(s.text) {
			s.fail(start, "unexpected EOF while parsing")
		}
	default:
		s.fail(start, "unexpected character after line continuation character")
	}
}

// line measures the indentation of a logical line; lines without code do not
// count.
func (s *scanner) line() {
	start := s.pos
	if s.ipython {
		s.skipPrompt()
	}
	var in indent
	for ; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case ' ':
			in.col, in.alt = in.col+1, in.alt+1
			continue
		case '\t':
			in.col, in.alt = in.col/8*8+8, in.alt+1
			continue
		case '\f':
			in = indent{}
			continue
		}
		break
	}
	switch s.at(s.pos) {
	case '\n', '\r':
		if s.pos < len(s.text) {
			s.skipNewline()
			s.lineAt = true
		}
		return
	case '#':
		s.comment()
		s.lineAt = s.pos < len(s.text)
		if s.lineAt {
			s.skipNewline()
		}
		return
	}
	if s.pos >= len(s.text) {
		return
	}
	if s.ipython {
		in = s.dedent(in)
	}
	s.indent(in, start)
	if s.ipython {
		s.magic()
	}
}

// indent compares the indentation of a line with those around it.
func (s *scanner) indent(in indent, start int) {
	top := s.indents[len(s.indents)-1]
	switch {
	case in.col == top.col:
	case in.col > top.col:
		if len(s.indents) >= maxIndents {
			s.fail(s.pos, tooIndented)
			return
		}
		s.indents = append(s.indents, in)
		s.emit(kIndent, start)
	default:
		for in.col < s.indents[len(s.indents)-1].col {
			s.indents = s.indents[:len(s.indents)-1]
			s.emit(kDedent, s.pos)
		}
		if top = s.indents[len(s.indents)-1]; in.col != top.col {
			s.fail(start, unindent)
			s.indents = append(s.indents, in)
			s.emit(kIndent, start)
			return
		}
	}
	if in.col == top.col && in.alt != top.alt || in.col > top.col && in.alt <= top.alt {
		s.fail(s.pos, inconsistent)
	}
}

// word reads a name, a keyword or the prefix of a string.
func (s *scanner) word() {
	start := s.pos
	for s.pos < len(s.text) && isIdent(s.text[s.pos]) {
		if s.text[s.pos] >= utf8.RuneSelf {
			s.foreign(start)
			return
		}
		s.pos++
	}
	word := s.text[start:s.pos]
	if c := s.at(s.pos); (c == '"' || c == '\'') && len(word) <= 3 && isPrefix(word) {
		s.str(start)
		return
	}
	s.emit(keyword(word), start)
}

// foreign reads a name with letters beyond ASCII: as far as they are letters.
func (s *scanner) foreign(start int) {
	s.pos = start
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if !identRune(r, s.pos == start) || r == utf8.RuneError {
			break
		}
		s.pos += n
	}
	if s.pos > start {
		s.emit(keyword(s.text[start:s.pos]), start)
		return
	}
	r, n := utf8.DecodeRuneInString(s.text[start:])
	s.pos += n
	if r == utf8.RuneError {
		s.fail(start, "invalid non-printable character U+FFFD")
	} else {
		s.fail(start, "%s", badRune(r))
	}
	s.emit(kBad, start)
}

// operator reads an operator or a bracket, and whatever else there is.
func (s *scanner) operator() {
	start := s.pos
	k, n := operator(s.text[start:])
	if f := s.field(); f != nil {
		if k == kWalrus {
			k, n = kColon, 1
		}
		if s.text[start] == '!' && k != kNe {
			k, n = kExclam, 1
		}
		f.spec = k == kColon
	}
	s.pos += max(n, 1)
	switch k {
	case kLPar, kLSqb, kLBrace:
		s.openBracket(start, false)
	case kRPar, kRSqb, kRBrace:
		s.closeBracket(start)
	case kBad:
		s.strange(start)
		return
	}
	s.emit(k, start)
	if s.ipython && k == kAssign && len(s.open) == 0 {
		s.assignedMagic()
	}
}

func (s *scanner) strange(start int) {
	switch c := s.text[start]; {
	case c == '?' && s.ipython && len(s.open) == 0:
		if s.at(s.pos) == '?' {
			s.pos++
		}
		s.emit(kHelp, start)
		return
	case c == 0:
		s.fail(start, "source code string cannot contain null bytes")
	case c < ' ' || c == 0x7f:
		s.fail(start, "invalid non-printable character U+%04X", c)
	default:
		s.fail(start, "invalid syntax")
	}
	s.emit(kBad, start)
}

func (s *scanner) openBracket(start int, field bool) {
	if len(s.open) == maxBrackets && !field {
		s.fail(start, "too many nested parentheses")
		s.excess++
		return
	}
	s.open = append(s.open, bracket{"([{)]}"[strings.IndexByte("([{", s.text[start])+3], int32(start), field})
}

func (s *scanner) closeBracket(start int) {
	c := s.text[start]
	n := len(s.open)
	if s.excess > 0 {
		s.excess--
		return
	}
	if n == 0 {
		s.fail(start, "unmatched '%c'", c)
		return
	}
	if top := s.open[n-1]; top.close != c {
		s.mismatch(start, int(top.at))
		// Someone left one open, if this one closes another further out.
		if n < 2 || s.open[n-2].close != c || top.field || s.open[n-2].field {
			return
		}
		n--
	}
	if s.open[n-1].field {
		s.endField()
	}
	s.open = s.open[:n-1]
}
