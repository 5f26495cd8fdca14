// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package classify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/holdfast-dev/holdfast/detect"
)

// The bounds of what is compared.
const (
	maxCompared      = 256 << 10
	similarityWindow = 4000 // code points
	maxTargets       = 100
	embeddedAtOnce   = 64
)

// Similarity answers for embedding_similarity and is_similar by the endpoint
// /embeddings. There is a finding for each target, whose kind is the index of
// the target and whose score is the cosine of the angle between the two, 0 if
// they point apart; of a long text that of the piece that is nearest. With
// the parameter threshold there are those above it only.
func Similarity(o *Options) (detect.Detector, error) {
	return with(detector{name: "embedding_similarity", standard: "text-embedding-3-large", look: compare}, o)
}

// thresholds are those that policies give by name.
var thresholds = map[string]float64{"might_resemble": 0.2, "same_topic": 0.5, "very_similar": 0.8}

type similarityParams struct {
	Target    json.RawMessage `json:"target"`
	Threshold json.RawMessage `json:"threshold"`
	Mode      string          `json:"mode"` // for who asked
	Model     string          `json:"model"`
}

type (
	embeddingQuestion struct {
		Model  string   `json:"model"`
		Input  []string `json:"input"`
		Format string   `json:"encoding_format"`
	}
	embeddingAnswer struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"`
	}
)

func compare(ctx context.Context, d *detector, r detect.Request) ([]detect.Finding, error) {
	var p similarityParams
	if err := readParams(r.Params, &p); err != nil {
		return nil, err
	}
	targets, err := texts(p.Target)
	if err != nil {
		return nil, fmt.Errorf("reading the target: %w", err)
	}
	limit, err := p.limit()
	if err != nil {
		return nil, err
	}
	if err := notLonger(r.Text, maxCompared); err != nil {
		return nil, err
	}
	pieces := windows(r.Text, similarityWindow, 0)
	if len(pieces) == 0 { // an empty text resembles nothing
		return nil, nil
	}
	vectors, err := d.embed(ctx, p.Model, pieces, targets)
	if err != nil {
		return nil, err
	}
	var out []detect.Finding
	for i := range targets {
		f := nearest(pieces, vectors, vectors[len(pieces)+i])
		if f.Kind = strconv.Itoa(i); f.Score > limit {
			out = append(out, f)
		}
	}
	return out, nil
}

// nearest is a finding of the piece that is nearest to a target.
func nearest(pieces []window, vectors [][]float64, target []float64) detect.Finding {
	var best detect.Finding
	for i, w := range pieces {
		score := cosine(vectors[i], target)
		if i == 0 || score > best.Score {
			best = detect.Finding{Start: w.start, End: w.end, Score: score}
		}
	}
	return best
}

// texts reads a text or a list of texts, none of them empty.
func texts(given json.RawMessage) ([]string, error) {
	var list []string
	var one string
	if json.Unmarshal(given, &one) == nil {
		list = []string{one}
	} else if err := json.Unmarshal(given, &list); err != nil {
		return nil, errors.New("want a text or a list of texts")
	}
	if len(list) == 0 || len(list) > maxTargets || slices.Contains(list, "") {
		return nil, fmt.Errorf("want 1 to %d texts, none of them empty", maxTargets)
	}
	return list, notLonger(slices.MaxFunc(list, func(a, b string) int { return len(a) - len(b) }), maxCompared/8)
}

// limit is what a score has to be over: below all of them if nothing is said.
func (p similarityParams) limit() (float64, error) {
	var name string
	switch {
	case len(p.Threshold) == 0 || string(p.Threshold) == "null":
		return -1, nil
	case json.Unmarshal(p.Threshold, &name) == nil:
		if limit, ok := thresholds[name]; ok {
			return limit, nil
		}
		return 0, fmt.Errorf("got the threshold %.40q, want might_resemble, same_topic, very_similar or a number", name)
	}
	var number float64
	if err := json.Unmarshal(p.Threshold, &number); err != nil {
		return 0, errors.New("the threshold is neither a name nor a number")
	}
	return threshold(&number)
}

// embed returns the vectors of pieces and of targets behind them.
func (d *detector) embed(ctx context.Context, model string, pieces []window, targets []string) ([][]float64, error) {
	var all []string
	for _, w := range pieces {
		all = append(all, w.text)
	}
	all = append(all, targets...)
	var out [][]float64
	for some := range slices.Chunk(all, embeddedAtOnce) {
		vectors, err := d.vectors(ctx, model, some)
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
	}
	for _, v := range out {
		if len(v) != len(out[0]) {
			return nil, errors.New("got vectors of different lengths")
		}
	}
	return out, nil
}

// vectors asks for the vectors of some texts, of length 1.
func (d *detector) vectors(ctx context.Context, model string, some []string) ([][]float64, error) {
	var answer embeddingAnswer
	question := embeddingQuestion{Model: d.model(model), Input: some, Format: "float"}
	if err := d.ask(ctx, "/embeddings", question, &answer); err != nil {
		return nil, err
	}
	if len(answer.Data) != len(some) {
		return nil, fmt.Errorf("got %d vectors, want %d", len(answer.Data), len(some))
	}
	out := make([][]float64, len(some))
	for i, item := range answer.Data {
		if item.Index != nil {
			i = *item.Index
		}
		if i < 0 || i >= len(out) || out[i] != nil {
			return nil, errors.New("got a vector of no text, or two of one")
		}
		length := math.Sqrt(dot(item.Embedding, item.Embedding))
		if !(length > 0) || math.IsInf(length, 0) {
			return nil, errors.New("got a vector without a length")
		}
		for j := range item.Embedding {
			item.Embedding[j] /= length
		}
		out[i] = item.Embedding
	}
	return out, nil
}

// cosine is that of the angle between two vectors of length 1, from 0 to 1.
func cosine(a, b []float64) float64 { return min(max(dot(a, b), 0), 1) }

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
