// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/holdfast-dev/holdfast/detect"
)

// Injection finds instructions to an assistant in a text. Params may hold
// threshold, or default_threshold, from 0 to 1: the score that a finding
// needs; and cat_thresholds, which gives kinds one of their own: one of 1
// leaves a kind out. A model is refused: that would be another detector.
//
// A finding is one sign of an injection. Its score is that of all signs around
// it together, so that one of several in a place has the same as the others.
//
// It keeps no state and is safe for concurrent use. Time is linear in the
// text, and so is memory.
func Injection(ctx context.Context, text, params string) ([]detect.Span, error) {
	s, err := readSettings(params)
	if err != nil {
		return nil, err
	}
	signals, err := book().read(ctx, text)
	if err != nil || len(signals) == 0 {
		return nil, err
	}
	out := judge(Rules(), signals, s)
	slices.SortFunc(out, func(a, b detect.Span) int {
		return cmp.Or(a.Start-b.Start, a.End-b.End, cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Score, a.Score))
	})
	return slices.Compact(out), nil
}

// rulebook is the rules, ready for use. It is made by the first text and never
// changes.
type rulebook struct {
	words    *lexicon
	patterns []pattern
	firsts   [][]uint16 // by word: the patterns that may begin with it
	marks    []mark
	byByte   [256][]uint16  // by their first byte: the marks
	seconds  [256][256]bool // by their first byte: whether some mark has a second one
	request  request
	hidden   int // the rule
	spelled  int
	toolJSON int
	rules    []Rule
}

var book = sync.OnceValue(newRulebook)

func newRulebook() *rulebook {
	b := &rulebook{words: newLexicon(wordSets), rules: Rules()}
	for i, r := range b.rules {
		for _, p := range r.Patterns {
			b.patterns = append(b.patterns, newPattern(i, p, b.words))
		}
		for _, m := range r.Marks {
			for _, c := range []byte{m[0], m[0] &^ 0x20} {
				if c == m[0] || isASCIILetter(c) {
					b.byByte[c] = append(b.byByte[c], uint16(len(b.marks)))
					b.seconds[c][m[1]], b.seconds[c][upper(m[1])] = true, true
				}
			}
			b.marks = append(b.marks, mark{rule: i, text: m, line: r.Line})
		}
	}
	b.byByte['{'] = []uint16{} // not nil: calls begin there
	for c := range b.seconds['{'] {
		b.seconds['{'][c] = true
	}
	b.firsts = make([][]uint16, len(b.words.masks))
	for n := range b.patterns {
		for _, w := range b.patterns[n].first(b.words) {
			b.firsts[w] = append(b.firsts[w], uint16(n))
		}
	}
	b.request = newRequest(b.words, b.rule("request"))
	b.hidden, b.spelled, b.toolJSON = b.rule("hidden-words"), b.rule("spelled-invisibly"), b.rule("call-json")
	return b
}

// rule returns the number of a rule.
func (b *rulebook) rule(id string) int {
	i := slices.IndexFunc(b.rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		panic("inject: no rule " + id)
	}
	return i
}

// read returns what the rules see in a text.
func (b *rulebook) read(ctx context.Context, text string) ([]signal, error) {
	var out []signal
	l := &lexer{text: text, words: b.words, fresh: true, tokens: make([]token, 0, 32)}
	for n := 0; ; n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		tokens := l.next()
		if tokens == nil {
			break
		}
		out = b.sentence(out, text, tokens)
	}
	out = b.marked(out, text)
	return b.unseen(out, text), nil
}

// sentence adds what the rules about words see in a sentence.
func (b *rulebook) sentence(out []signal, text string, tokens []token) []signal {
	for i := range tokens {
		w := tokens[i].word
		if w != 0 {
			for _, n := range b.firsts[w] {
				p := &b.patterns[n]
				if size := p.match(b.words, tokens, i); size > 0 {
					out = append(out, signal{p.rule, tokens[i].begin, tokens[i+size-1].end, b.rules[p.rule].Weight})
				}
			}
		}
		if tokens[i].start || tokens[i].comma {
			if s, ok := b.request.read(b.words, text, tokens[i:]); ok {
				out = append(out, s)
			}
		}
	}
	return out
}
