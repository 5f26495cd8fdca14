// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package classify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
)

// The bounds of moderation: models judge short texts better than long ones.
const (
	maxModerated     = 256 << 10
	moderationWindow = 2000 // code points
	moderationShared = 200  // of a piece and the next
	moderatedAtOnce  = 32
)

// Moderation answers for moderated and is_moderated by the endpoint
// /moderations. A kind is a category of the server; a long text is judged in
// pieces, and a finding is the piece that is over the threshold: that of the
// category in cat_thresholds, else threshold, else default_threshold, else one half.
func Moderation(o *Options) (detect.Detector, error) {
	return with(detector{name: "moderated", standard: "omni-moderation-latest", look: moderate}, o)
}

type moderationParams struct {
	Model            string             `json:"model"`
	Threshold        *float64           `json:"threshold"`
	DefaultThreshold *float64           `json:"default_threshold"`
	CatThresholds    map[string]float64 `json:"cat_thresholds"`
}

type (
	moderationQuestion struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	moderationAnswer struct {
		Results []struct {
			Scores map[string]*float64 `json:"category_scores"`
		} `json:"results"`
	}
)

func moderate(ctx context.Context, d *detector, r detect.Request) ([]detect.Finding, error) {
	var p moderationParams
	if err := readParams(r.Params, &p); err != nil {
		return nil, err
	}
	limits, err := p.limits()
	if err != nil {
		return nil, err
	}
	if err := notLonger(r.Text, maxModerated); err != nil {
		return nil, err
	}
	if p.Model == "OpenAI" { // the public name of whatever OpenAI has
		p.Model = ""
	}
	var out []detect.Finding
	for some := range slices.Chunk(windows(r.Text, moderationWindow, moderationShared), moderatedAtOnce) {
		scores, err := d.moderationScores(ctx, p.Model, some)
		if err != nil {
			return nil, err
		}
		for i, w := range some {
			found, err := limits.over(w, scores[i])
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
	}
	return out, nil
}

// moderationScores asks for the scores of some pieces.
func (d *detector) moderationScores(ctx context.Context, model string, some []window) ([]map[string]*float64, error) {
	question := moderationQuestion{Model: d.model(model)}
	for _, w := range some {
		question.Input = append(question.Input, w.text)
	}
	var answer moderationAnswer
	if err := d.ask(ctx, "/moderations", question, &answer); err != nil {
		return nil, err
	}
	if len(answer.Results) != len(some) {
		return nil, fmt.Errorf("got %d results, want %d", len(answer.Results), len(some))
	}
	out := make([]map[string]*float64, len(some))
	for i, r := range answer.Results {
		if len(r.Scores) == 0 {
			return nil, fmt.Errorf("got no scores in result %d", i)
		}
		out[i] = r.Scores
	}
	return out, nil
}

// limits are thresholds by category.
type limits struct {
	standard float64
	byKind   map[string]float64 // as category writes them
}

// category writes the name of a category in one way: self_harm is self-harm.
func category(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

func (p moderationParams) limits() (limits, error) {
	standard, err := threshold(p.Threshold, p.DefaultThreshold)
	l := limits{standard: standard, byKind: map[string]float64{}}
	for _, name := range slices.Sorted(maps.Keys(p.CatThresholds)) {
		limit := p.CatThresholds[name]
		if err == nil {
			l.byKind[category(name)], err = threshold(&limit)
		}
	}
	return l, err
}

// over returns what of the scores of a piece is over its threshold. A category
// that the policy names and the server does not have is an error: it would
// never be found.
func (l limits) over(w window, scores map[string]*float64) ([]detect.Finding, error) {
	var out []detect.Finding
	known := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		if scores[name] == nil {
			return nil, fmt.Errorf("got no score of %.40q", name)
		}
		score := *scores[name]
		if err := checkScore(score); err != nil {
			return nil, err
		}
		limit, own := l.byKind[category(name)]
		if !own {
			limit = l.standard
		}
		if score > limit {
			out = append(out, detect.Finding{Kind: name, Start: w.start, End: w.end, Score: score})
		}
		known[category(name)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(l.byKind)) {
		if !known[name] {
			return nil, fmt.Errorf("the server has no category %.40q", name)
		}
	}
	return out, nil
}
