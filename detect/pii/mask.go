// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

// A mask is the shape of a number: "999-99-9999", "AA~99~99~99~[a-d]". It is
// less than a regular expression on purpose. It is read from left to right,
// takes as much as it can and never goes back, so that matching costs a step
// a byte and a mask can be tried wherever a word begins. Where a shape has
// two readings, it is written as two masks.
//
//	9        a digit
//	A        a letter, in any case
//	X        a letter or a digit
//	_        a white space
//	~        a space or a hyphen, or nothing
//	[…]      one of these, with ranges; letters in any case
//	a-z      that letter, in any case
//	{m,n} ?  after an item: from m to n of it, at most one of it
//
// Every other byte stands for itself.

// A set is a set of bytes.
type set [4]uint64

func (s *set) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *set) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

// addFold adds c and, if it is a letter, its other case.
func (s *set) addFold(c byte) {
	s.add(c)
	if isLetter(c) {
		s.add(c ^ 0x20)
	}
}

func (s *set) addRange(lo, hi byte) {
	for c := int(lo); c <= int(hi); c++ {
		s.addFold(byte(c))
	}
}

// An item is one step of a mask: from min to max bytes of a set.
type item struct {
	set      set
	min, max int
}

// A mask is a shape, ready to be matched.
type mask []item

// newMask reads a mask. It panics on one that is no mask: masks are literals
// of this package, and a test reads them all.
func newMask(src string) mask {
	var m mask
	for i := 0; i < len(src); {
		var it item
		it.min, it.max = 1, 1
		it.set, i = newSet(src, i)
		if src[i-1] == '~' {
			it.min = 0
		}
		if i < len(src) && src[i] == '?' {
			it.min, i = 0, i+1
		}
		if i < len(src) && src[i] == '{' {
			it.min, it.max, i = bounds(src, i+1)
		}
		m = append(m, it)
	}
	return m
}

// newSet reads the set that begins at src[i] and says where it ends.
func newSet(src string, i int) (set, int) {
	var s set
	switch c := src[i]; c {
	case '9':
		s.addRange('0', '9')
	case 'A':
		s.addRange('a', 'z')
	case 'X':
		s.addRange('0', '9')
		s.addRange('a', 'z')
	case '_':
		for _, c := range []byte(" \t\n\v\f\r") {
			s.add(c)
		}
	case '~':
		s.add(' ')
		s.add('-')
	case '[':
		i++
		for ; src[i] != ']'; i++ {
			if src[i+1] == '-' && src[i+2] != ']' {
				s.addRange(src[i], src[i+2])
				i += 2
			} else {
				s.addFold(src[i])
			}
		}
	default:
		s.addFold(c)
	}
	return s, i + 1
}

// bounds reads "n}" or "m,n}".
func bounds(src string, i int) (lo, hi, next int) {
	for ; src[i] != '}'; i++ {
		if src[i] == ',' {
			lo, hi = hi, 0
			for i++; src[i] != '}'; i++ {
				hi = hi*10 + int(src[i]-'0')
			}
			return lo, hi, i + 1
		}
		hi = hi*10 + int(src[i]-'0')
	}
	return hi, hi, i + 1
}

// match says where m ends in text if it begins at i, and -1 if it does not.
func (m mask) match(text string, i int) int {
	for k := range m {
		it := &m[k]
		n := 0
		for n < it.max && i < len(text) && it.set.has(text[i]) {
			i++
			n++
		}
		if n < it.min {
			return -1
		}
	}
	return i
}

// longest is the length of the longest run that is told apart from a longer
// one by runs.
const longest = 31

// A run is what a word begins with: so many digits, or so many letters.
type run struct {
	letters bool
	n       int
}

// runAt measures the run of ASCII digits or letters at text[i]; a run of more
// than longest bytes counts as one of longest.
func runAt(text string, i int) run {
	if i >= len(text) {
		return run{}
	}
	if isLetter(text[i]) {
		n := 1
		for n < longest && i+n < len(text) && isLetter(text[i+n]) {
			n++
		}
		return run{true, n}
	}
	n := 0
	for n < longest && i+n < len(text) && isDigit(text[i+n]) {
		n++
	}
	return run{false, n}
}

// A follower is a class of bytes that can come behind the run at the beginning
// of a match. The end of a text counts as a sign.
type follower = byte

const (
	bySign follower = iota // any other sign
	byDigit
	byLetter
	byUnderscore
	byBlank
	byBreak // other white space
	byHyphen
	byDot
	bySlash
	byWide // no ASCII
	followerCount
)

// anyFollower and afterWord are sets of classes: all there are, and those that
// can come behind a word.
const (
	anyFollower = 1<<followerCount - 1
	afterWord   = anyFollower &^ (1<<byDigit | 1<<byLetter | 1<<byUnderscore)
)

var followers = func() (t [256]follower) {
	for c := range t {
		switch b := byte(c); {
		case isDigit(b):
			t[c] = byDigit
		case isLetter(b):
			t[c] = byLetter
		case b >= 0x80:
			t[c] = byWide
		case b != ' ' && isSpace(b):
			t[c] = byBreak
		}
	}
	t['_'], t[' '], t['-'], t['.'], t['/'] = byUnderscore, byBlank, byHyphen, byDot, bySlash
	return t
}()

// classes returns the set of the classes that bytes of the set belong to.
func (s *set) classes() (out uint16) {
	for c := range 256 {
		if s.has(byte(c)) {
			out |= 1 << followers[c]
		}
	}
	return out
}

// A steps is a mask written out: one step a byte, some of which may be left
// out. State n of a match is that the next step is n.
type steps struct {
	classes  []uint16 // of the bytes that a step takes
	optional []bool
}

func (m mask) steps() (s steps) {
	for k := range m {
		classes := m[k].set.classes()
		for n := range m[k].max {
			s.classes = append(s.classes, classes)
			s.optional = append(s.optional, n >= m[k].min)
		}
	}
	if len(s.classes) > 63 {
		panic("a mask of more than 63 bytes")
	}
	return s
}

// skip adds the states that are reached by leaving out steps.
func (s *steps) skip(states uint64) uint64 {
	for i, ok := range s.optional {
		if ok && states>>i&1 != 0 {
			states |= 1 << (i + 1)
		}
	}
	return states
}

// after says which classes of bytes can come next in one of the states, behind
// a match those of the set given.
func (s *steps) after(states uint64, behind uint16) (out uint16) {
	for i, classes := range s.classes {
		if states>>i&1 != 0 {
			out |= classes
		}
	}
	if states>>len(s.classes)&1 != 0 {
		out |= behind
	}
	return out
}

// take goes on from states by a byte of a class. A match that is open takes
// more of it.
func (s *steps) take(states uint64, class follower, open bool) (out uint64) {
	for i, classes := range s.classes {
		if states>>i&1 != 0 && classes>>class&1 != 0 {
			out |= 1 << (i + 1)
		}
	}
	if open {
		out |= states & (1 << len(s.classes))
	}
	return s.skip(out)
}

// follows says which texts m can match by what they begin with: for each
// length of a run of a class, of digits or of letters, the set of the classes of
// what can come behind the run; 0 for lengths that no match begins with. It is
// what the scan asks before it tries m, so it may say too much and never too
// little. A mask that is open may be followed by more of the run.
func (m mask) follows(class follower, open bool) (out [longest + 1]uint16) {
	s := m.steps()
	behind := uint16(afterWord)
	if open {
		behind = anyFollower
	}
	states := s.skip(1)
	for n := 1; n <= longest; n++ {
		states = s.take(states, class, open)
		out[n] = s.after(states, behind) &^ (1 << class)
	}
	if states != 0 {
		out[longest] = anyFollower // of a longer run, more of it
	}
	return out
}

func isDigit(c byte) bool  { return c-'0' < 10 }
func isLetter(c byte) bool { return c|0x20-'a' < 26 }
func isHex(c byte) bool    { return isDigit(c) || c|0x20-'a' < 6 }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) }
func isSpace(c byte) bool  { return c == ' ' || c-'\t' < 5 }
