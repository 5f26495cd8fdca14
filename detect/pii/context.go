// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "bytes"

// besides returns the score of a match, raised if one of the words stands
// before it: "routing number is: …", "ssn": "…".
func (s *scan) besides(score, near float64, words [][]byte, start int) float64 {
	if len(words) == 0 || score >= 1 {
		return score
	}
	before := s.before(start)
	for _, w := range words {
		if holds(before, s.text[start-len(before):start], w) {
			return min(1, max(near, score+boost))
		}
	}
	return score
}

// before returns what stands before the match at start, in small letters and
// with spaces for the signs that join words. The slice is good until the next
// call.
func (s *scan) before(start int) []byte {
	out := s.window[:min(start, len(s.window))]
	if s.seen == start {
		return out
	}
	s.seen = start
	from := start - len(out)
	for i := range out {
		c := s.text[from+i]
		switch {
		case c-'A' < 26:
			c |= 0x20
		case c == '_' || c == '-':
			c = ' '
		}
		out[i] = c
	}
	return out
}

// holds reports whether a word begins in text, where no letter stands before
// it or a capital begins a word inside a name (userSSN), as raw shows. A word
// of three letters must end there, too, but for the s of many.
func holds(text []byte, raw string, word []byte) bool {
	for from := 0; ; {
		i := bytes.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		inside := i > 0 && isLetter(text[i-1]) && isLetter(word[0]) && (raw[i] >= 'a' || raw[i-1] < 'a')
		if !inside && (len(word) > 3 || ends(text, i+len(word))) {
			return true
		}
		from = i + 1
	}
}

// ends reports whether a word may end at i.
func ends(text []byte, i int) bool {
	if i < len(text) && text[i] == 's' {
		i++
	}
	return i >= len(text) || !isLetter(text[i])
}
