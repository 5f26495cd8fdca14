// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package licence

import (
	"unicode"
	"unicode/utf8"
)

const (
	shingle = 5 // words of a fingerprint
	window  = 4 // of so many in a row, one is kept

	offset, prime = 14695981039346656037, 1099511628211 // of FNV-1a

	signHash = 1 // stands for the sign ©, which is no word
)

// words calls f with each word of a text: a hash of it in lower case, and its
// place. A word is letters and digits.
func words(text string, f func(hash uint64, start, end int)) {
	for at := 0; at < len(text); {
		c := text[at]
		if class[c] == 0 && c < utf8.RuneSelf {
			at++
			continue
		}
		start, hash := at, uint64(offset)
		for at < len(text) {
			if b := class[text[at]]; b != 0 {
				hash = (hash ^ uint64(b)) * prime
				at++
				continue
			}
			if text[at] < utf8.RuneSelf {
				break
			}
			r, n := utf8.DecodeRuneInString(text[at:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			hash = (hash ^ uint64(unicode.ToLower(r))) * prime
			at += n
		}
		if at > start {
			f(hash, start, at)
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if r == '©' {
			f(signHash, at, at+n)
		}
		at += n
	}
}

// class is a letter or digit in lower case, 0 for other bytes.
var class = func() (out [256]byte) {
	for c := '0'; c <= '9'; c++ {
		out[c] = byte(c)
	}
	for c := 'a'; c <= 'z'; c++ {
		out[c], out[c-'a'+'A'] = byte(c), byte(c)
	}
	return out
}()

// hashOf is the hash of a word.
func hashOf(word string) (out uint64) {
	words(word, func(hash uint64, _, _ int) { out = hash })
	return out
}

// A rolling hashes the last words together.
type rolling struct {
	last [shingle]uint64
	n    int
	sum  uint64
}

const (
	factor = 0x9e3779b97f4a7c15
	power  = factor * factor % (1 << 64) * factor % (1 << 64) * factor % (1 << 64) // of the oldest word
)

// add takes the next word and returns the fingerprint of the last ones.
func (r *rolling) add(hash uint64) uint32 {
	slot := &r.last[r.n%shingle]
	old := *slot
	*slot = hash
	r.n++
	r.sum = (r.sum-old*power)*factor + hash
	mixed := r.sum
	mixed ^= mixed >> 32
	mixed *= 0xd6e8feb86659fd93
	return uint32(mixed >> 32)
}

// prints are the fingerprints of a text, each once, in order: of every window
// the least, the last of equal ones.
func prints(text string) []uint32 {
	var all []uint32
	var roll rolling
	words(text, func(hash uint64, _, _ int) {
		if hash == signHash {
			return
		}
		if print := roll.add(hash); roll.n >= shingle {
			all = append(all, print)
		}
	})
	var out []uint32
	seen := map[uint32]bool{}
	for i := 0; i+window <= len(all); i++ {
		least := all[i]
		for _, print := range all[i+1 : i+window] {
			least = min(least, print)
		}
		if !seen[least] {
			seen[least] = true
			out = append(out, least)
		}
	}
	return out
}
