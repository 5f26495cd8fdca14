// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package regex reads patterns in the syntax of Python's re module and runs
// them in time linear in the text.
//
// A pattern is parsed by Python's rules and handed to Go's regexp, whose
// matches are the same leftmost-first ones. Where Go has another meaning
// (Unicode classes and word boundaries, what findall does after an empty
// match) this package keeps Python's. What a linear matcher cannot do, such
// as back-references and look-around, is refused with a way to write it
// otherwise; a negative look-ahead at the start of a pattern is not, since
// "B and not A" says the same.
//
// Three differences to Python are on purpose: `$` is the end of the text
// only, case is folded rune by rune, and groups are not reported.
package regex

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"
)

// An Error says why a pattern is refused.
type Error struct {
	Offset int    // in the pattern, bytes
	Msg    string // "nothing to repeat"
	Hint   string // how to write it otherwise; may be empty
}

// Error returns the message without the hint.
func (e *Error) Error() string { return e.Msg }

// A Regexp is a compiled pattern. It is immutable and may be used by several
// goroutines.
type Regexp struct {
	pattern  string
	search   *look // at the start or anywhere
	full     *look // the whole text, `.` crossing newlines
	literals []Literal
	plain    form
}

// A look is one way to run a pattern: its body, and what must not match where
// the body starts.
type look struct {
	body *program
	nots []*program
}

// A program is a tree made ready for Go's matcher and for this package's own,
// which is for what Go's cannot do.
type program struct {
	text  string // in RE2's syntax
	prog  *syntax.Prog
	first *[256]bool            // see firstBytes
	std   func() *regexp.Regexp // anchored at the start
	some  func() *regexp.Regexp // anywhere
	word  bool                  // looks at Unicode word boundaries
	looks bool                  // looks at what stands around a position
	ascii bool
}

// Compile reads a pattern. The error is an *Error.
func Compile(pattern string) (*Regexp, error) {
	p := &parser{src: pattern}
	root, err := p.pattern()
	if err != nil {
		return nil, err
	}
	if root.size() > maxSize || root.listed() > maxListed {
		return nil, tooLarge(nil)
	}
	nots, body, err := splitNots(root)
	if err != nil {
		return nil, err
	}
	re := &Regexp{pattern: pattern}
	if re.search, err = newLook(body, nots, p.ascii, false, ""); err != nil {
		return nil, err
	}
	if re.full, err = newLook(body, nots, p.ascii, true, `\z`); err != nil {
		return nil, err
	}
	re.literals = literals(body)
	if len(nots) == 0 {
		re.plain = plainForm(body)
	}
	return re, nil
}

// newLook compiles a pattern for one use; end is put behind its body.
func newLook(body *node, nots []*node, ascii, dotAll bool, end string) (*look, error) {
	l := &look{}
	var err error
	if l.body, err = newProgram(body, ascii, dotAll, end); err != nil {
		return nil, err
	}
	for _, n := range nots {
		not, err := newProgram(n, ascii, dotAll, "")
		if err != nil {
			return nil, err
		}
		l.nots = append(l.nots, not)
	}
	return l, nil
}

// newProgram compiles a tree, refusing what Go finds too large.
func newProgram(n *node, ascii, dotAll bool, end string) (*program, error) {
	text := "(?:" + emit(n, dotAll) + ")" + end
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, tooLarge(err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, tooLarge(err)
	}
	return &program{
		text: text, prog: prog, first: firstBytes(prog), looks: looksAround(prog), word: !ascii && hasWord(n), ascii: ascii,
		std: once(`\A` + text), some: once(text),
	}, nil
}

// once compiles RE2 text that newProgram has accepted, when it is first
// needed.
func once(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func tooLarge(err error) error {
	msg, hint := "the pattern is too large", "shorten it, or split it into several patterns"
	if err != nil && strings.Contains(err.Error(), "repeat") {
		msg, hint = "repeats inside repeats come to more than 1000", "use * or +, or smaller counts"
	}
	return &Error{Msg: msg, Hint: hint}
}

// String returns the pattern as it was written.
func (re *Regexp) String() string { return re.pattern }

// Cost bounds the steps that one look of re at s takes. Callers compare it
// with their budget before they match.
func (re *Regexp) Cost(s string) int {
	size := len(re.full.body.prog.Inst)
	for _, n := range re.full.nots {
		size += len(n.prog.Inst)
	}
	return size * (len(s) + 1)
}

// MatchStart matches at the start of s, as Python's re.match does. The
// result is a range of bytes.
func (re *Regexp) MatchStart(s string) (start, end int, ok bool) {
	if re.plain.kind == plainPrefix {
		return 0, len(re.plain.text), strings.HasPrefix(s, re.plain.text)
	}
	end, ok = re.search.match(s)
	return 0, end, ok
}

// MatchWhole reports whether the whole of s matches, with `.` matching
// newlines too.
func (re *Regexp) MatchWhole(s string) bool {
	if done, ok := re.plain.whole(s); done {
		return ok
	}
	_, ok := re.full.match(s)
	return ok
}

// match runs l at the start of s and returns the end of the match.
func (l *look) match(s string) (end int, ok bool) {
	for _, n := range l.nots {
		if _, found := n.match(s); found {
			return 0, false
		}
	}
	return l.body.match(s)
}

// match runs p at the start of s and returns the end of the match.
func (p *program) match(s string) (end int, ok bool) {
	if p.word && !isASCII(s) {
		_, end, ok = newMachine(p).find(s, 0, true, false)
		return end, ok
	}
	loc := p.std().FindStringIndex(s)
	if loc == nil {
		return 0, false
	}
	return loc[1], true
}

// isASCII reports whether s has only ASCII: Go's word boundaries are
// Python's there.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// FindAll returns the non-overlapping matches of re in s, left to right, as
// ranges of bytes: those of Python's re.finditer. It stops after limit
// matches (none if limit is negative), and reports false when it took more
// than budget steps; the matches are of no use then.
func (re *Regexp) FindAll(s string, limit, budget int) (found [][2]int, ok bool) {
	if limit == 0 || !re.MayMatch(s) {
		return nil, true
	}
	body := re.search.body
	if !body.word || isASCII(s) {
		// Go's matcher is the quicker one to see that there is nothing.
		if !body.some().MatchString(s) {
			return nil, true
		}
	}
	m := newMachine(body)
	m.budget = budget
	nots := make([]*machine, len(re.search.nots))
	for i, n := range re.search.nots {
		nots[i] = newMachine(n)
	}
	pos, advance := 0, false
	for pos <= len(s) && (limit < 0 || len(found) < limit) {
		start, end, ok := m.find(s, pos, false, advance)
		if !ok {
			break
		}
		if blocked(nots, s, start, &m.budget) {
			_, w := utf8.DecodeRuneInString(s[start:])
			pos, advance = start+max(w, 1), false
			continue
		}
		found = append(found, [2]int{start, end})
		pos, advance = end, start == end
	}
	return found, m.budget >= 0
}

// blocked reports whether a look-ahead forbids a match at pos. What it takes
// comes off the budget.
func blocked(nots []*machine, s string, pos int, budget *int) bool {
	for _, m := range nots {
		m.budget = *budget
		_, _, found := m.find(s, pos, true, false)
		*budget = m.budget
		if found {
			return true
		}
	}
	return false
}

// MayMatch reports whether s has the text that every match of re needs. True
// says nothing.
func (re *Regexp) MayMatch(s string) bool {
	if len(re.literals) == 0 {
		return true
	}
	for _, l := range re.literals {
		if l.In(s) {
			return true
		}
	}
	return false
}

// Literals returns texts of three bytes or more of which every text that
// matches anywhere has at least one; nil if no such set is known. The caller
// must not change them.
func (re *Regexp) Literals() []Literal { return re.literals }
