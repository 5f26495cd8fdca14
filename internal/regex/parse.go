// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// flags are the inline flags that change how a pattern is read.
type flags struct{ fold, multi, dotAll, verbose bool }

// maxDepth bounds how deep groups nest, as RE2 does.
const maxDepth = 200

// maxRepeat is the largest count RE2 takes.
const maxRepeat = 1000

// A parser reads a pattern by the rules of Python's re._parser.
type parser struct {
	src      string
	pos      int
	flags    flags
	ascii    bool
	depth    int
	branched bool // a top-level | was read
	names    map[string]bool
}

func (p *parser) fail(at int, msg, hint string) error {
	return &Error{Offset: at, Msg: msg, Hint: hint}
}

func (p *parser) more() bool { return p.pos < len(p.src) }

// peek returns the next rune, -1 at the end.
func (p *parser) peek() rune {
	if !p.more() {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.pos:])
	return r
}

func (p *parser) next() rune {
	r, w := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += w
	return r
}

// take consumes s if it comes next.
func (p *parser) take(s string) bool {
	if strings.HasPrefix(p.src[p.pos:], s) {
		p.pos += len(s)
		return true
	}
	return false
}

// pattern reads all of the source.
func (p *parser) pattern() (*node, error) {
	if !utf8.ValidString(p.src) {
		return nil, p.fail(0, "the pattern is not valid UTF-8", "")
	}
	n, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if p.more() {
		return nil, p.fail(p.pos, "unbalanced parenthesis", `write \) for the character`)
	}
	return n, nil
}

// alternatives reads `A|B|…` up to a closing parenthesis or the end.
func (p *parser) alternatives() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.pos, "groups nest too deep", "")
	}
	defer func() { p.depth-- }()
	at := p.pos
	var subs []*node
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		subs = append(subs, n)
		if !p.take("|") {
			break
		}
		p.branched = true
	}
	if len(subs) == 1 {
		return subs[0], nil
	}
	return &node{op: opAlt, at: at, subs: subs}, nil
}

// sequence reads items up to `|`, `)` or the end. As in Python, a quantifier
// belongs to the item before it, comments and blanks between them aside.
func (p *parser) sequence() (*node, error) {
	at := p.pos
	var items []*node
	for {
		if p.flags.verbose {
			p.skipBlank()
		}
		if r := p.peek(); r < 0 || r == '|' || r == ')' {
			return concat(at, items), nil
		}
		if done, err := p.quantified(items); err != nil {
			return nil, err
		} else if done {
			continue
		}
		n, err := p.item(p.depth == 1 && len(items) == 0)
		if err != nil {
			return nil, err
		}
		if n != nil { // nil: a comment or flags
			items = append(items, n)
		}
	}
}

// skipBlank skips what a verbose pattern does not count.
func (p *parser) skipBlank() {
	for p.more() {
		switch c := p.src[p.pos]; {
		case strings.IndexByte(" \t\n\r\v\f", c) >= 0:
			p.pos++
		case c == '#':
			if i := strings.IndexByte(p.src[p.pos:], '\n'); i >= 0 {
				p.pos += i
			} else {
				p.pos = len(p.src)
			}
		default:
			return
		}
	}
}

// item reads one item; nil for one that matches nothing of its own. First
// says that nothing stands before it, so that it may be flags for all of the
// pattern.
func (p *parser) item(first bool) (*node, error) {
	at := p.pos
	switch r := p.next(); r {
	case '\\':
		return p.escape(at)
	case '.':
		return p.either(at, p.flags.dotAll, opAnyNL, opAny), nil
	case '^':
		return p.either(at, p.flags.multi, opBeginLine, opBegin), nil
	case '$':
		return p.either(at, p.flags.multi, opEndLine, opEnd), nil
	case '[':
		return p.class(at)
	case '(':
		return p.group(at, first && !p.branched)
	default:
		return p.literal(at, r), nil
	}
}

func (p *parser) either(at int, flag bool, yes, no op) *node {
	if flag {
		return &node{op: yes, at: at}
	}
	return &node{op: no, at: at}
}

// literal returns a node for one rune. ASCII patterns fold ASCII letters only,
// which is no folding of RE2's.
func (p *parser) literal(at int, r rune) *node {
	if !p.flags.fold || unicode.SimpleFold(r) == r {
		return &node{op: opLit, at: at, r: r}
	}
	if p.ascii {
		return &node{op: opClass, at: at, set: &class{fold: true, ascii: true, ranges: []span{{r, r}}}}
	}
	return &node{op: opLit, at: at, r: r, fold: true}
}

// quantified reads a quantifier, if one comes next, and puts the last item
// under it.
func (p *parser) quantified(items []*node) (done bool, err error) {
	at := p.pos
	lo, hi, ok, err := p.quantifier()
	if !ok || err != nil {
		return false, err
	}
	if len(items) == 0 {
		return false, p.fail(at, "nothing to repeat", `write \`+p.src[at:at+1]+" for the character")
	}
	last := items[len(items)-1]
	switch {
	case last.op >= opBegin && last.op <= opNotWord:
		return false, p.fail(at, "nothing to repeat", "an anchor matches no text; take the quantifier away")
	case last.op == opRepeat:
		return false, p.fail(at, "multiple repeat", "put the first one in a group: (?:a*)*")
	case last.op == opNot:
		return false, lookAround(last.at)
	}
	rep := &node{op: opRepeat, at: last.at, subs: []*node{last}, min: lo, max: hi, lazy: p.take("?")}
	if !rep.lazy && p.take("+") {
		return false, p.fail(at, "possessive quantifiers are not supported", "take the last + away; matching is linear in the text without it")
	}
	items[len(items)-1] = rep
	return true, nil
}

// quantifier reads `*`, `+`, `?` or `{…}`.
func (p *parser) quantifier() (lo, hi int, ok bool, err error) {
	switch {
	case p.take("*"):
		return 0, -1, true, nil
	case p.take("+"):
		return 1, -1, true, nil
	case p.take("?"):
		return 0, 1, true, nil
	}
	return p.counts()
}

// counts reads `{m}`, `{m,}`, `{,n}` or `{m,n}`; anything else in braces is
// text.
func (p *parser) counts() (lo, hi int, ok bool, err error) {
	at := p.pos
	if !p.take("{") || p.peek() == '}' {
		p.pos = at
		return 0, 0, false, nil
	}
	first := p.digits()
	second := first
	if p.take(",") {
		second = p.digits()
	}
	if !p.take("}") {
		p.pos = at
		return 0, 0, false, nil
	}
	lo, hi = 0, -1
	if first != "" {
		lo = count(first)
	}
	if second != "" {
		hi = count(second)
	}
	if lo > maxRepeat || hi > maxRepeat {
		return 0, 0, false, p.fail(at, "a repeat of more than 1000", "use * or +, or a smaller count and a condition on len(…)")
	}
	if hi >= 0 && hi < lo {
		return 0, 0, false, p.fail(at, "min repeat greater than max repeat", "")
	}
	return lo, hi, true, nil
}

func (p *parser) digits() string {
	start := p.pos
	for p.more() && '0' <= p.src[p.pos] && p.src[p.pos] <= '9' {
		p.pos++
	}
	return p.src[start:p.pos]
}

// count reads a number; one that is too large for an int is too large anyway.
func count(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return maxRepeat + 1
	}
	return n
}
