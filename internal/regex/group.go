// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"strings"
	"unicode"
)

// group reads what an opening parenthesis begins; nil for a comment and for
// flags. First says that flags for all of the pattern may stand here.
func (p *parser) group(at int, first bool) (*node, error) {
	switch {
	case !p.take("?"):
		return p.rest(at, p.flags)
	case p.take(":"):
		return p.rest(at, p.flags)
	case p.take("P"):
		return p.named(at)
	case p.take("#"):
		return nil, p.comment(at)
	case p.take("!"):
		n, err := p.rest(at, p.flags)
		return &node{op: opNot, at: at, subs: []*node{n}}, err
	case p.take("="), p.take("<="), p.take("<!"):
		return nil, lookAround(at)
	case p.take(">"):
		return nil, p.fail(at, "atomic groups are not supported", "write (?:…); matching is linear in the text without them")
	case p.take("("):
		return nil, p.fail(at, "conditional groups are not supported", "write the two cases as alternatives: A|B")
	case p.take("<"):
		return nil, p.fail(at, "unknown extension ?<", "a named group is (?P<name>…)")
	}
	return p.inlineFlags(at, first)
}

// rest reads a group's alternatives up to its closing parenthesis. The flags
// hold inside it.
func (p *parser) rest(at int, inside flags) (*node, error) {
	outside := p.flags
	p.flags = inside
	n, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	p.flags = outside
	if !p.take(")") {
		return nil, p.fail(at, "missing ), unterminated subpattern", `write \( for the character`)
	}
	if n.op == opRepeat || n.op == opConcat || n.op >= opBegin && n.op <= opNotWord || n.op == opNot {
		// A group is one item, whatever it holds: (?:a*)* is no multiple repeat.
		n = &node{op: opAlt, at: at, subs: []*node{n}}
	}
	return n, nil
}

// named reads the rest of `(?P…`.
func (p *parser) named(at int) (*node, error) {
	if p.take("=") {
		return nil, p.fail(at, "back-references are not supported", "match the parts on their own and compare them with ==")
	}
	if !p.take("<") {
		return nil, p.fail(at, "unknown extension ?P", "a named group is (?P<name>…)")
	}
	end := strings.IndexByte(p.src[p.pos:], '>')
	if end < 0 {
		return nil, p.fail(at, "missing >, unterminated name", "")
	}
	name := p.src[p.pos : p.pos+end]
	p.pos += end + 1
	if !identifier(name) {
		return nil, p.fail(at, "bad character in group name", "a name has letters, digits and _, no digit first")
	}
	if p.names[name] {
		return nil, p.fail(at, "redefinition of group name "+name, "")
	}
	if p.names == nil {
		p.names = map[string]bool{}
	}
	p.names[name] = true
	return p.rest(at, p.flags)
}

func identifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// comment skips `(?#…)`.
func (p *parser) comment(at int) error {
	end := strings.IndexByte(p.src[p.pos:], ')')
	if end < 0 {
		return p.fail(at, "missing ), unterminated comment", "")
	}
	p.pos += end + 1
	return nil
}

// inlineFlags reads `(?aimsux)` or `(?imsx-imsx:…)`; the position is behind
// the question mark.
func (p *parser) inlineFlags(at int, first bool) (*node, error) {
	inside, seen, err := p.flagLetters(at, p.flags, true)
	if err != nil {
		return nil, err
	}
	if seen != "" && p.take(")") {
		if !first {
			return nil, p.fail(at, "global flags not at the start of the expression", "write (?i:…) for a part")
		}
		p.ascii = p.ascii || strings.Contains(seen, "a")
		p.flags = inside
		return nil, nil
	}
	if strings.ContainsAny(seen, "au") {
		return nil, p.fail(at, "the flags a and u are for all of a pattern only", "write the class out, as in [0-9]")
	}
	if p.take("-") {
		off, cleared, err := p.flagLetters(at, inside, false)
		if err != nil {
			return nil, err
		}
		if cleared == "" || strings.ContainsAny(cleared, "au"+seen) {
			return nil, p.fail(at, "bad inline flags", "")
		}
		inside, seen = off, cleared
	}
	if seen == "" || !p.take(":") {
		return nil, p.fail(at, "unknown extension after (?", "a group without a number is (?:…)")
	}
	return p.rest(at, inside)
}

// flagLetters reads flag letters and sets or clears them in f.
func (p *parser) flagLetters(at int, f flags, on bool) (flags, string, error) {
	start := p.pos
	for p.more() {
		switch p.src[p.pos] {
		case 'i':
			f.fold = on
		case 'm':
			f.multi = on
		case 's':
			f.dotAll = on
		case 'x':
			f.verbose = on
		case 'a', 'u', 't':
			// a: the caller's; u: the default; t: a Python relic without a meaning
		case 'L':
			return f, "", p.fail(at, "the flag L is for bytes only", "take it away")
		default:
			seen := p.src[start:p.pos]
			if strings.Contains(seen, "a") && strings.Contains(seen, "u") {
				return f, "", p.fail(at, "the flags a and u exclude each other", "")
			}
			return f, seen, nil
		}
		p.pos++
	}
	return f, "", p.fail(at, "missing -, : or )", "")
}
