// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scorer

import (
	"iter"
	"strings"
)

// A sentence is the stems of its words, and its place.
type sentence struct {
	words      []string
	start, end int
}

// maxWords is how long a sentence may be; what is longer is several.
const maxWords = 60

// sentences goes through those of a text. The words are good until the next.
func sentences(text string) iter.Seq[sentence] {
	return func(yield func(sentence) bool) {
		s := sentence{start: -1}
		for at := 0; at <= len(text); {
			end := wordEnd(text, at)
			if end > at {
				if s.start < 0 {
					s.start = at
				}
				s.words, s.end = append(s.words, stem(strings.ToLower(text[at:end]))), end
				at = end
			}
			if len(s.words) > 0 && (at == len(text) || len(s.words) == maxWords || ends(text, at)) {
				if !yield(s) {
					return
				}
				s = sentence{start: -1, words: s.words[:0]}
			}
			at++
		}
	}
}

// ends reports whether a sentence ends at the place: behind a point that is not
// one of a number or a name, or with its paragraph.
func ends(text string, at int) bool {
	switch text[at] {
	case '.', '!', '?', ';':
		return at+1 == len(text) || text[at+1] <= ' ' || strings.IndexByte(".!?\"')", text[at+1]) >= 0
	case '\n':
		return at+1 < len(text) && (text[at+1] == '\n' || text[at+1] == '-' || text[at+1] == '*')
	}
	return false
}

func wordEnd(text string, at int) int {
	for at < len(text) && ('a' <= text[at]|0x20 && text[at]|0x20 <= 'z' || '0' <= text[at] && text[at] <= '9' || text[at] >= 0x80) {
		at++
	}
	return at
}

// stem is a word without the endings of its forms. What it leaves need be no
// word: forms of one word leave the same.
func stem(word string) string {
	n := len(word)
	switch {
	case n > 5 && strings.HasSuffix(word, "ing"):
		return undouble(word[:n-3])
	case n > 5 && strings.HasSuffix(word, "ies"):
		return word[:n-3] + "y"
	case n > 4 && strings.HasSuffix(word, "ied"):
		return word[:n-3] + "y"
	case n > 4 && strings.HasSuffix(word, "ed"):
		return undouble(word[:n-2])
	case n > 4 && (strings.HasSuffix(word, "ches") || strings.HasSuffix(word, "shes") || strings.HasSuffix(word, "sses") || strings.HasSuffix(word, "xes")):
		return word[:n-2]
	case n > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is"):
		return strings.TrimSuffix(word[:n-1], "e")
	case n > 3 && strings.HasSuffix(word, "e"):
		return word[:n-1]
	}
	return word
}

// undouble takes the letter away that an ending doubles, and a silent e.
func undouble(word string) string {
	if n := len(word); n > 2 && word[n-1] == word[n-2] && strings.IndexByte("bdgmnprt", word[n-1]) >= 0 {
		return word[:n-1]
	}
	return strings.TrimSuffix(word, "e")
}
