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
		if holds(before, w) {
			return min(1, max(near, score+boost))
		}
	}
	return score
}

// before returns what stands before the match at start, in lower case with a
// space where a capital begins a word inside a name (passportNo), so that
// words can be looked for. It ends at a line that is far enough up. The slice
// is good until the next call.
func (s *scan) before(start int) []byte {
	const reach = len(s.window) * 3 / 4
	from := max(0, start-reach)
	out := s.window[:0]
	for i := from; i < start && len(out) < len(s.window)-1; i++ {
		c := s.text[i]
		if c-'A' < 26 {
			if i > from && s.text[i-1]-'a' < 26 {
				out = append(out, ' ')
			}
			c |= 0x20
		}
		if c == '_' || c == '-' {
			c = ' '
		}
		out = append(out, c)
	}
	return out
}

// holds reports whether a word begins in text; a word of three letters must
// end there, too.
func holds(text, word []byte) bool {
	for from := 0; ; {
		i := bytes.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if !(i > 0 && isLetter(text[i-1]) && isLetter(word[0])) && (len(word) > 3 || end >= len(text) || !isLetter(text[end])) {
			return true
		}
		from = i + 1
	}
}
