// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package scorer judges texts by the words in them: whether they are what a
// moderator takes out, and what they are about. It is small, knows English only
// and is meant for where no model is at hand: what it finds and what it gets
// wrong is in docs/detectors.md. No default set has it.
package scorer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version names what the answers depend on.
const Version = "1"

// usual is the least score of a finding if none is asked for.
const usual = 0.5

// Categories returns the categories of Moderate, sorted. They are some of those
// of OpenAI's moderation.
func Categories() []string {
	var out []string
	for _, l := range lists {
		out = append(out, l.category)
	}
	slices.Sort(out)
	return out
}

// Moderate is the scanner of the function moderated: for each category that a
// sentence of the text belongs to, a span of the sentence that does most, with
// the category as its kind and a score. Parameters are threshold or
// default_threshold, cat_thresholds, an object of thresholds by category, and
// model, which is not looked at.
func Moderate(ctx context.Context, text, params string) ([]detect.Span, error) {
	least, err := thresholds(params)
	if err != nil {
		return nil, err
	}
	lexicon := known()
	best := make([]detect.Span, len(lists))
	sums := make([]float64, len(lists))
	n := 0
	for s := range sentences(text) {
		if n++; n%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		clear(sums)
		lexicon.weigh(s.words, sums)
		for i, sum := range sums {
			if score := certainty(sum); score > best[i].Score {
				best[i] = detect.Span{Kind: lists[i].category, Start: s.start, End: s.end, Score: score}
			}
		}
	}
	best = slices.DeleteFunc(best, func(s detect.Span) bool { return s.Kind == "" || s.Score < least(s.Kind) })
	slices.SortFunc(best, func(a, b detect.Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Kind, b.Kind)) })
	return best, ctx.Err()
}

// certainty is a sum of weights as a score: a half at 1, nothing at 0.
func certainty(sum float64) float64 {
	if sum <= 0 {
		return 0
	}
	return 1 - math.Exp2(-sum*sum)
}

// thresholds reads the parameters: the least score of each category.
func thresholds(params string) (func(category string) float64, error) {
	var given struct {
		Threshold  *float64
		Default    *float64           `json:"default_threshold"`
		Categories map[string]float64 `json:"cat_thresholds"`
	}
	if params != "" {
		if err := json.Unmarshal([]byte(params), &given); err != nil {
			return nil, fmt.Errorf("reading the parameters of moderated: %w", err)
		}
	}
	least := usual
	for _, asked := range []*float64{given.Default, given.Threshold} {
		if asked != nil {
			least = *asked
		}
	}
	for category, asked := range given.Categories {
		if !slices.Contains(Categories(), category) {
			return nil, fmt.Errorf("the local scorer has no category %q", category)
		}
		if !(asked >= 0 && asked <= 1) {
			return nil, fmt.Errorf("the threshold %v is not between 0 and 1", asked)
		}
	}
	if !(least >= 0 && least <= 1) {
		return nil, fmt.Errorf("the threshold %v is not between 0 and 1", least)
	}
	return func(category string) float64 {
		if asked, ok := given.Categories[category]; ok {
			return asked
		}
		return least
	}, nil
}

// A phrase is words in a row that speak for a category.
type phrase struct {
	words    []element
	category int
	weight   float64
}

// An element of a phrase is a word, one of a class, or a gap.
type element struct {
	stem  string
	class map[string]bool
	gap   bool
}

func (e *element) is(stem string) bool { return e.stem == stem || e.class[stem] }

// A lexicon is the phrases by the stem that they begin with.
type lexicon map[string][]phrase

// known is made when it is first asked for.
var known = sync.OnceValue(func() lexicon {
	sets := map[string]map[string]bool{}
	for name, words := range classes {
		sets[name] = map[string]bool{}
		for word := range strings.FieldsSeq(words) {
			sets[name][stem(word)] = true
		}
	}
	out := lexicon{}
	for i, l := range lists {
		for line := range strings.Lines(l.phrases) {
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			p := phrase{category: i}
			if _, err := fmt.Sscan(fields[len(fields)-1], &p.weight); err != nil {
				panic(fmt.Sprintf("the phrase %q has no weight", line))
			}
			for _, word := range fields[:len(fields)-1] {
				p.words = append(p.words, element{stem(word), sets[word], word == ".."})
			}
			out.put(p)
		}
	}
	return out
})

func (l lexicon) put(p phrase) {
	if p.words[0].class == nil {
		l[p.words[0].stem] = append(l[p.words[0].stem], p)
	}
	for word := range p.words[0].class {
		l[word] = append(l[word], p)
	}
}

// weigh adds the weights of a sentence, each phrase once.
func (l lexicon) weigh(words []string, sums []float64) {
	var said map[*phrase]bool
	for i, word := range words {
		phrases := l[word]
		for j := range phrases {
			p := &phrases[j]
			if said[p] || !follows(p.words[1:], words[i+1:]) {
				continue
			}
			if said == nil {
				said = map[*phrase]bool{}
			}
			said[p] = true
			sums[p.category] += p.weight
		}
	}
}

// maxGap is how many words a gap may be.
const maxGap = 3

// follows reports whether words begin with the elements.
func follows(want []element, words []string) bool {
	for i := range want {
		if want[i].gap {
			for n := 0; n <= min(maxGap, len(words)); n++ {
				if follows(want[i+1:], words[n:]) {
					return true
				}
			}
			return false
		}
		if len(words) == 0 || !want[i].is(words[0]) {
			return false
		}
		words = words[1:]
	}
	return true
}
