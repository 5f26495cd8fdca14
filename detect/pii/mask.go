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

// runs says which runs a text that m matches can begin with: bit n of the
// first word for n digits, of the second for n letters. It is what the scan
// asks before it tries m, so it may say too much and never too little. A mask
// that is open may be followed by more of the run.
func (m mask) runs(open bool) (digits, letters uint32) {
	return m.runsOf('0', '9', open), m.runsOf('a', 'z', open)
}

// runsOf returns the lengths that the run of bytes between lo and hi at the
// beginning of a match can have.
func (m mask) runsOf(lo, hi byte, more bool) uint32 {
	var ends uint32 // lengths at which the run may be over
	open := uint32(1)
	for k := range m {
		it := &m[k]
		inside, outside := it.split(lo, hi)
		next := uint32(0)
		for n := 0; n <= it.max; n++ {
			if n >= it.min {
				next |= shift(open, n)
			}
			if n < it.max && outside { // after n of the run, another byte ends it
				ends |= shift(open, n)
			}
			if !inside {
				break
			}
		}
		if open = next; open == 0 {
			return ends &^ 1
		}
	}
	ends |= open
	if more {
		ends |= -(open & -open) // the shortest, and all that are longer
	}
	return ends &^ 1
}

// split says whether the set has bytes of the run from lo to hi, and others.
func (it *item) split(lo, hi byte) (inside, outside bool) {
	for c := range 256 {
		if it.set.has(byte(c)) {
			b := byte(c)
			if lo == 'a' {
				b |= 0x20
			}
			if isLetter(byte(c)) == (lo == 'a') && b >= lo && b <= hi {
				inside = true
			} else {
				outside = true
			}
		}
	}
	return inside, outside
}

// shift moves the lengths in s up by n, those over longest to longest.
func shift(s uint32, n int) uint32 {
	if n == 0 {
		return s
	}
	moved := s << n
	if n > longest || s>>(longest+1-n) != 0 {
		moved |= 1 << longest
	}
	return moved
}

func isDigit(c byte) bool  { return c-'0' < 10 }
func isLetter(c byte) bool { return c|0x20-'a' < 26 }
func isHex(c byte) bool    { return isDigit(c) || c|0x20-'a' < 6 }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) }
func isSpace(c byte) bool  { return c == ' ' || c-'\t' < 5 }
