// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
)

// related are words of topics that are often asked for.
var related = map[string]string{
	"politics":    "government election vote voter parliament senate president minister party policy congress democrat republican campaign senator law candidate",
	"religion":    "church god prayer faith bible quran mosque priest worship temple holy islam christian jewish buddhist",
	"sports":      "football soccer match team player goal coach tournament league basketball tennis championship stadium score olympic",
	"finance":     "bank loan invest investment stock share bond interest mortgage credit portfolio dividend fund money market transfer",
	"health":      "doctor patient disease symptom hospital treatment medicine diagnosis therapy vaccine dose clinic illness pain medication",
	"law":         "court judge lawyer lawsuit legal contract attorney statute verdict defendant plaintiff trial regulation",
	"weather":     "rain snow sun temperature forecast wind storm cloud degree humidity sunny cloudy",
	"travel":      "flight hotel airport passport trip tourist vacation luggage train visa itinerary beach booking",
	"programming": "code function variable compiler bug software python javascript golang api library debug repository algorithm class",
	"cooking":     "recipe oven bake boil ingredient sugar salt flour kitchen dish sauce pan stir",
	"music":       "song album band guitar concert singer melody piano lyrics orchestra tune",
	"education":   "school teacher student university exam lesson homework class course degree college",
	"war":         "soldier army battle troops invasion missile front ceasefire tank weapon enemy",
	"crime":       "police murder theft robbery arrest suspect prison criminal burglary fraud victim",
	"gambling":    "casino bet poker roulette lottery jackpot wager odds slot blackjack",
}

// What words are worth to a topic.
const (
	ownWord     = 1.0
	relatedWord = 0.3
	sparse      = 100 // words of text of which one at least is to be of the topic
)

// Topic is the scanner of the function topic: a span of the whole text for each
// of the topics that it is about, which is its kind, with a score: the share of
// the topic's words that are in the text, and something for each word that is
// related to it. Parameters are topics, a list or an object of lists of words by
// topic, or topic, one of them, and threshold.
func Topic(ctx context.Context, text, params string) ([]detect.Span, error) {
	topics, least, err := asked(params)
	if err != nil {
		return nil, err
	}
	count, n := map[string]int{}, 0
	for s := range sentences(text) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, word := range s.words {
			count[word]++
			n++
		}
	}
	var out []detect.Span
	for _, t := range topics {
		if score := t.score(count, n); score >= least && score > 0 {
			out = append(out, detect.Span{Kind: t.name, Start: 0, End: len(text), Score: score})
		}
	}
	return out, ctx.Err()
}

// A subject is a topic and words that stand for it.
type subject struct {
	name         string
	own, related []string
}

func (s *subject) score(count map[string]int, words int) float64 {
	have, all, sum := 0, 0, 0.0
	for _, word := range s.own {
		if count[word] > 0 {
			have++
			all += count[word]
		}
	}
	if len(s.own) > 0 {
		sum = ownWord * float64(have) / float64(len(s.own))
	}
	for _, word := range s.related {
		if count[word] > 0 {
			sum += relatedWord
			all += count[word]
		}
	}
	// A long text says every word once.
	return min(1, sum) * min(1, sparse*float64(all)/float64(max(words, 1)))
}

// asked reads the parameters.
func asked(params string) ([]subject, float64, error) {
	var given struct {
		Topics, Topic json.RawMessage
		Threshold     *float64
	}
	if params != "" {
		if err := json.Unmarshal([]byte(params), &given); err != nil {
			return nil, 0, fmt.Errorf("reading the parameters of topic: %w", err)
		}
	}
	least := usual
	if given.Threshold != nil {
		least = *given.Threshold
	}
	if !(least >= 0 && least <= 1) {
		return nil, 0, fmt.Errorf("the threshold %v is not between 0 and 1", least)
	}
	var out []subject
	for _, raw := range []json.RawMessage{given.Topics, given.Topic} {
		some, err := subjects(raw)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, some...)
	}
	if out == nil {
		return nil, 0, errors.New("no topic is asked for")
	}
	return out, least, nil
}

// subjects reads a topic, a list of topics, or words by topic.
func subjects(raw json.RawMessage) ([]subject, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var one string
	var several []string
	var named map[string][]string
	switch {
	case json.Unmarshal(raw, &one) == nil:
		several = []string{one}
	case json.Unmarshal(raw, &several) == nil:
	case json.Unmarshal(raw, &named) == nil:
		for name := range named {
			several = append(several, name)
		}
		slices.Sort(several)
	default:
		return nil, errors.New("topics are a text, a list of texts or an object of lists of words")
	}
	var out []subject
	for _, name := range several {
		s := subject{name: name, own: stems(name), related: stems(related[strings.ToLower(strings.TrimSpace(name))])}
		s.related = append(s.related, stems(strings.Join(named[name], " "))...)
		out = append(out, s)
	}
	return out, nil
}

// little are words that are no word of a topic.
const little = " a an the of and or in on to for about with advice topic "

// stems are those of the words of a text, each once.
func stems(text string) []string {
	var out []string
	for s := range sentences(text) {
		for _, word := range s.words {
			if !slices.Contains(out, word) && !strings.Contains(little, " "+word+" ") {
				out = append(out, word)
			}
		}
	}
	return out
}
