// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const namedHint = `write the character itself or \uXXXX`

// escape reads what follows a backslash outside a class.
func (p *parser) escape(at int) (*node, error) {
	if !p.more() {
		return nil, p.fail(at, "bad escape (end of pattern)", `write \\ for a backslash`)
	}
	c := p.src[p.pos]
	switch c {
	case 'A':
		p.pos++
		return &node{op: opBegin, at: at}, nil
	case 'Z':
		p.pos++
		return &node{op: opEnd, at: at}, nil
	case 'b':
		p.pos++
		return &node{op: opWord, at: at}, nil
	case 'B':
		p.pos++
		return &node{op: opNotWord, at: at}, nil
	case 'd', 'D', 's', 'S', 'w', 'W':
		p.pos++
		return &node{op: opClass, at: at, set: &class{cats: []byte{c}, ascii: p.ascii}}, nil
	}
	if '1' <= c && c <= '9' {
		return p.octalOrReference(at)
	}
	r, err := p.character(at)
	if err != nil {
		return nil, err
	}
	return p.literal(at, r), nil
}

// octalOrReference reads `\123`, a character, or refuses `\1`.
func (p *parser) octalOrReference(at int) (*node, error) {
	if s := p.src[p.pos:]; len(s) >= 3 && octal(s[0]) && octal(s[1]) && octal(s[2]) {
		p.pos += 3
		r, err := p.octalRune(at, s[:3])
		if err != nil {
			return nil, err
		}
		return p.literal(at, r), nil
	}
	return nil, p.fail(at, "back-references are not supported", "match the parts on their own and compare them with ==")
}

func octal(c byte) bool { return '0' <= c && c <= '7' }

func (p *parser) octalRune(at int, digits string) (rune, error) {
	n, err := strconv.ParseInt(digits, 8, 32)
	if err != nil || n > 0o377 {
		return 0, p.fail(at, `octal escape outside of range 0-0o377`, `write \uXXXX`)
	}
	return rune(n), nil
}

// character reads an escape that stands for one character, inside or outside
// a class; the position is behind the backslash.
func (p *parser) character(at int) (rune, error) {
	switch r := p.next(); r {
	case 'a':
		return '\a', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'v':
		return '\v', nil
	case '0':
		return p.octalRune(at, "0"+p.octals(2))
	case 'x':
		return p.hex(at, 2)
	case 'u':
		return p.hex(at, 4)
	case 'U':
		return p.hex(at, 8)
	case 'N':
		return 0, p.fail(at, "character names are not supported", namedHint)
	default:
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return 0, p.fail(at, "bad escape \\"+string(r), escapeHint(r))
		}
		return r, nil
	}
}

// escapeHint tells users of other dialects what to write.
func escapeHint(r rune) string {
	switch r {
	case 'z':
		return `write \Z or $ for the end of the text`
	case 'p', 'P':
		return `there are no Unicode properties; \w, \d and \s are Unicode classes`
	case 'Q', 'E':
		return "escape each character on its own"
	}
	return "write the letter without the backslash"
}

// octals consumes up to n octal digits.
func (p *parser) octals(n int) string {
	start := p.pos
	for p.more() && p.pos-start < n && octal(p.src[p.pos]) {
		p.pos++
	}
	return p.src[start:p.pos]
}

// hex reads exactly n hexadecimal digits.
func (p *parser) hex(at, n int) (rune, error) {
	s := p.src[p.pos:min(p.pos+n, len(p.src))]
	v, err := strconv.ParseUint(s, 16, 32)
	if len(s) < n || err != nil {
		return 0, p.fail(at, "incomplete escape", "it takes "+strconv.Itoa(n)+" hexadecimal digits")
	}
	if v > unicode.MaxRune || 0xd800 <= v && v < 0xe000 {
		return 0, p.fail(at, "the escape names no character", "")
	}
	p.pos += n
	return rune(v), nil
}

// class reads `[…]`; the position is behind the opening bracket.
func (p *parser) class(at int) (*node, error) {
	c := &class{fold: p.flags.fold, ascii: p.ascii}
	c.negate = p.take("^")
	for first := true; ; first = false {
		if !p.more() {
			return nil, p.fail(at, "unterminated character set", `write \[ for the character`)
		}
		if !first && p.take("]") {
			return &node{op: opClass, at: at, set: c}, nil
		}
		if err := p.classItem(at, c); err != nil {
			return nil, err
		}
	}
}

// classItem reads one character, category or range.
func (p *parser) classItem(class int, c *class) error {
	at := p.pos
	lo, cat, err := p.classRune()
	if err != nil {
		return err
	}
	if cat != 0 {
		c.cats = append(c.cats, cat)
	}
	if !strings.HasPrefix(p.src[p.pos:], "-") || strings.HasPrefix(p.src[p.pos:], "-]") {
		if cat == 0 {
			c.ranges = append(c.ranges, span{lo, lo})
		}
		return nil
	}
	p.pos++
	if !p.more() {
		return p.fail(class, "unterminated character set", `write \[ for the character`)
	}
	hi, cat2, err := p.classRune()
	if err != nil {
		return err
	}
	if cat != 0 || cat2 != 0 || hi < lo {
		return p.fail(at, "bad character range "+p.src[at:p.pos], `put a plain - at the end of the set, or write \-`)
	}
	c.ranges = append(c.ranges, span{lo, hi})
	return nil
}

// classRune reads one character or category of a class.
func (p *parser) classRune() (r rune, cat byte, err error) {
	at := p.pos
	if r = p.next(); r != '\\' {
		return r, 0, nil
	}
	if !p.more() {
		return 0, 0, p.fail(at, "bad escape (end of pattern)", `write \\ for a backslash`)
	}
	switch c := p.src[p.pos]; {
	case strings.IndexByte("dDsSwW", c) >= 0:
		p.pos++
		return 0, c, nil
	case c == 'b':
		p.pos++
		return '\b', 0, nil
	case octal(c):
		r, err = p.octalRune(at, p.octals(3))
		return r, 0, err
	}
	r, err = p.character(at)
	return r, 0, err
}
