// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

// The scanner cuts a whole source into a slice of tokens before the parser
// starts. It never fails: what it cannot read it reports and leaves out, or
// keeps as a tBad token where something must stand. Lines and their indents
// are noted on tokens; newlines are not tokens, because whether one ends a
// condition depends on brackets, on a trailing operator and on a leading
// and/or, which is the parser's to say. Brackets are paired here, so that the
// parser can look past them in constant time; a line that begins a statement
// closes the account, so that one forgotten bracket spoils one statement only.

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/diag"
)

// scanner holds the state of one scan over src[pos:end].
type scanner struct {
	file     *diag.File
	src      []byte // cut at the end of the scanned range
	pos      int
	toks     []token
	comments []*Comment
	open     []int32 // indexes of brackets that are open
	report   func(diag.Diagnostic)

	// The line that is being scanned.
	fresh  bool // no token yet
	remark bool // it holds a comment
	blank  bool // a blank line stands between it and the last token
	indent indent
}

// scan cuts the bytes [start, end) of a file into tokens, of which the last
// is tEOF.
func scan(file *diag.File, start, end int, report func(diag.Diagnostic)) *scanner {
	s := &scanner{file: file, src: file.Src[:end], pos: start, report: report, fresh: true}
	for s.space() {
		s.next()
	}
	s.add(tEOF, len(s.src))
	return s
}

// space skips white space and comments up to the next token; false at the end.
func (s *scanner) space() bool {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '\n':
			s.newline(1)
		case c == '\r' && s.at(1) == '\n':
			s.newline(2)
		case c == ' ' || c == '\t' || c == '\f':
			if s.fresh {
				s.indent = s.indent.add(c)
			}
			s.pos++
		case c == '#':
			s.comment()
		default:
			return true
		}
	}
	return false
}

// newline begins a line; n is the length of the line end.
func (s *scanner) newline(n int) {
	s.pos += n
	s.blank = s.blank || s.fresh && !s.remark
	s.fresh, s.remark, s.indent = true, false, indent{}
}

// comment reads a comment up to its line end.
func (s *scanner) comment() {
	start := s.pos
	if i := bytes.IndexByte(s.src[start:], '\n'); i >= 0 {
		s.pos = start + i
	} else {
		s.pos = len(s.src)
	}
	end := s.pos
	if end > start && s.src[end-1] == '\r' {
		end--
	}
	s.loneReturn(start, end)
	s.remark = true
	c := &Comment{Text: string(s.src[start+1 : end]), Own: s.fresh}
	c.span = s.span(start, end)
	s.comments = append(s.comments, c)
}

// loneReturn reports carriage returns that end no line: some programs show
// what follows one as a line of its own, others do not.
func (s *scanner) loneReturn(start, end int) {
	for i := start; i < end; i++ {
		if s.src[i] == '\r' && (i+1 == len(s.src) || s.src[i+1] != '\n') {
			s.errorf(i, i+1, codeCharacter, `end lines with a line feed, or with a carriage return and a line feed`, "carriage return that ends no line")
			return
		}
	}
}

// next reads one token. It is called where no white space stands.
func (s *scanner) next() {
	c := s.src[s.pos]
	switch {
	case s.wantsPath(c):
		s.path()
	case c == '"' || c == '\'':
		s.stringLit(s.pos)
	case isDigit(c) || c == '.' && isDigit(s.at(1)):
		s.number()
	case s.word():
	case s.operator():
	default:
		s.unexpected()
	}
}

// add appends the token of the given kind that ends at end.
func (s *scanner) add(k kind, end int) {
	t := token{kind: k, start: int32(s.pos), end: int32(end), match: -1}
	if s.fresh {
		t.first, t.blank, t.indent = true, s.blank, s.indent
		s.fresh, s.blank = false, false
	}
	s.toks = append(s.toks, t)
	s.pos = end
	s.pair(k)
}

// pair keeps account of brackets.
func (s *scanner) pair(k kind) {
	i := int32(len(s.toks) - 1)
	switch {
	case k.isOpen():
		s.open = append(s.open, i)
	case k.isClose():
		for n := len(s.open) - 1; n >= 0; n-- {
			if o := s.open[n]; closer[s.toks[o].kind] == k {
				s.toks[o].match, s.toks[i].match = i, o
				s.open = s.open[:n]
				return
			}
		}
	case s.toks[i].first && (k == tRaise || k == tImport || k == tFrom) && s.peekByte() != ':':
		s.open = s.open[:0]
	}
}

// peekByte returns the next byte that is no blank.
func (s *scanner) peekByte() byte {
	for i := s.pos; i < len(s.src); i++ {
		if s.src[i] != ' ' && s.src[i] != '\t' {
			return s.src[i]
		}
	}
	return 0
}

// word reads a name, a word of the language, or a string with a prefix.
func (s *scanner) word() bool {
	end := s.wordEnd(s.pos)
	if end == s.pos {
		return false
	}
	text := string(s.src[s.pos:end])
	k, ok := words[text]
	if q := s.byteAt(end); !ok && (q == '"' || q == '\'') && len(text) <= 2 {
		s.checkPrefix(text, end)
		s.stringLit(end)
		return true
	}
	if !ok {
		k = tName
	}
	s.add(k, end)
	return true
}

// wordEnd returns where the word at i ends: i, if none begins there.
func (s *scanner) wordEnd(i int) int {
	start := i
	for i < len(s.src) {
		r, n := utf8.DecodeRune(s.src[i:])
		if !isWordRune(r, i == start) || r == utf8.RuneError && n <= 1 {
			break
		}
		i += n
	}
	return i
}

// isWordRune reports whether r may stand in a name.
func isWordRune(r rune, first bool) bool {
	if r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return true
	}
	if r < utf8.RuneSelf {
		return !first && '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || !first && (unicode.IsDigit(r) || unicode.IsMark(r))
}

// wantsPath reports whether a path may begin at pos: after a `from` that is
// the first word of its line.
func (s *scanner) wantsPath(c byte) bool {
	if (c != '.' && c != '/') || s.fresh || len(s.toks) == 0 {
		return false
	}
	last := &s.toks[len(s.toks)-1]
	return last.kind == tFrom && last.first
}

// path reads the path of a policy file up to the next white space.
func (s *scanner) path() {
	end := s.pos
	for end < len(s.src) && !strings.ContainsRune(" \t\r\n\f", rune(s.src[end])) {
		end++
	}
	s.add(tPath, end)
}

// operator reads the longest operator that stands at pos.
func (s *scanner) operator() bool {
	rest := s.src[s.pos:]
	for _, o := range operators {
		if len(rest) >= len(o.text) && string(rest[:len(o.text)]) == o.text {
			s.add(o.kind, s.pos+len(o.text))
			return true
		}
	}
	return false
}

// unexpected reports a character that begins no token and leaves a tBad token
// for it, unless it looks like white space. Bytes that are no UTF-8 were
// reported for the whole file.
func (s *scanner) unexpected() {
	r, n := utf8.DecodeRune(s.src[s.pos:])
	switch {
	case r == utf8.RuneError && n == 1:
	case r == '\r':
		s.loneReturn(s.pos, s.pos+1)
		s.pos += n
		return
	case strings.ContainsRune(smartQuotes, r):
		s.smartString(r, n)
		return
	default:
		s.errorf(s.pos, s.pos+n, codeCharacter, characterHelp[r], "unexpected character %s", showRune(r))
		if !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			s.pos += n
			return
		}
	}
	s.add(tBad, s.pos+n)
}

// characterHelp is what to do about characters that have a use elsewhere.
var characterHelp = map[rune]string{
	'\\':     `a line goes on inside brackets, after a binary operator, or when the next one begins with "and" or "or"`,
	';':      "write each condition on a line of its own",
	'&':      `write "and"`,
	'|':      `write "or"`,
	'~':      `a direct flow is written "~>"`,
	'?':      `a choice is written "a if c else b"`,
	'\u00A0': "this is a no-break space; write a plain one",
	'\uFEFF': "a byte order mark may stand only at the beginning of a file",
}

// showRune names a character: as it is if it can be seen, else by its number.
func showRune(r rune) string {
	if unicode.IsGraphic(r) && !unicode.IsSpace(r) {
		return `"` + string(r) + `"`
	}
	return fmt.Sprintf("%U", r)
}

// at returns the byte n after pos, or 0.
func (s *scanner) at(n int) byte { return s.byteAt(s.pos + n) }

// byteAt returns the byte at i, or 0 outside the scanned range.
func (s *scanner) byteAt(i int) byte {
	if i < 0 || i >= len(s.src) {
		return 0
	}
	return s.src[i]
}

// span makes a span of the scanned file.
func (s *scanner) span(start, end int) diag.Span {
	return diag.Span{File: s.file, Start: start, End: end}
}

// errorf reports an error.
func (s *scanner) errorf(start, end int, code, help, format string, args ...any) {
	s.report(diag.Diagnostic{Code: code, Span: s.span(start, end), Message: fmt.Sprintf(format, args...), Help: help})
}

// isDigit reports whether c is a decimal digit.
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
