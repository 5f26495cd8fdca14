// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"slices"
	"strconv"
	"strings"
)

// A pattern is what a rule looks for in the words of a sentence:
//
//	ignore|forget    one of some words
//	@orders          a word of a set
//	mode?            a word that may be missing
//	~3               up to three words, whatever they are
//	^                where a sentence may begin
//
// Capitals, punctuation and the ends of lines do not count.
type pattern struct {
	rule  int
	start bool
	parts []part
}

// A part is one element of a pattern.
type part struct {
	words    []uint16
	sets     uint64
	optional bool
	gap      int // any words, up to so many
}

// newPattern reads a pattern and adds its words to the lexicon.
func newPattern(rule int, text string, x *lexicon) pattern {
	p := pattern{rule: rule}
	for _, field := range strings.Fields(text) {
		var e part
		switch {
		case field == "^":
			p.start = true
			continue
		case field[0] == '~':
			n, err := strconv.Atoi(field[1:])
			if err != nil {
				panic("inject: the gap of a pattern is " + field)
			}
			e.gap = n
		default:
			field, e.optional = strings.CutSuffix(field, "?")
			for _, word := range strings.Split(field, "|") {
				if name, ok := strings.CutPrefix(word, "@"); ok {
					e.sets |= x.set(name)
				} else {
					e.words = append(e.words, x.add(word))
				}
			}
		}
		p.parts = append(p.parts, e)
	}
	return p
}

// first returns the words that a match begins with.
func (p *pattern) first(x *lexicon) []uint16 {
	var out []uint16
	for i := range p.parts {
		e := &p.parts[i]
		out = append(out, e.words...)
		for n, mask := range x.masks {
			if mask&e.sets != 0 {
				out = append(out, uint16(n))
			}
		}
		if !e.optional {
			break
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// match returns how many tokens from number i on the pattern takes, 0 if it
// does not match there. It tries at most as many ways as its gaps allow, so
// that the time of all of them together is linear in the text.
func (p *pattern) match(x *lexicon, tokens []token, i int) int {
	if p.start && !tokens[i].start {
		return 0
	}
	return max(0, matchParts(x, p.parts, tokens, i)-i)
}

// matchParts returns where the match ends, -1 if there is none.
func matchParts(x *lexicon, parts []part, tokens []token, i int) int {
	for len(parts) > 0 {
		e := &parts[0]
		if e.gap > 0 {
			for skip := 0; skip <= e.gap && i+skip <= len(tokens); skip++ {
				if end := matchParts(x, parts[1:], tokens, i+skip); end >= 0 {
					return end
				}
			}
			return -1
		}
		if i < len(tokens) && e.has(x, tokens[i].word) {
			if e.optional {
				if end := matchParts(x, parts[1:], tokens, i+1); end >= 0 {
					return end
				}
			} else {
				i++
			}
		} else if !e.optional {
			return -1
		}
		parts = parts[1:]
	}
	return i
}

// has reports whether a word is one that the part takes.
func (e *part) has(x *lexicon, word uint16) bool {
	return word != 0 && (x.masks[word]&e.sets != 0 || slices.Contains(e.words, word))
}
