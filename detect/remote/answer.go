// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package remote

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/endpoint"
)

// The types below are an answer as it is read: a field that must be there is a
// pointer, since nothing and zero differ. Fields that are not named are passed
// over, so that the contract may grow.
type (
	wireAnswer struct {
		Version *string       `json:"version"`
		Results *[]wireResult `json:"results"`
	}
	wireResult struct {
		Findings *[]wireFinding `json:"findings"`
		Error    *string        `json:"error"`
	}
	wireFinding struct {
		Kind     *string  `json:"kind"`
		Start    *int     `json:"start"`
		End      *int     `json:"end"`
		Score    *float64 `json:"score"`
		View     string   `json:"view"`
		Text     string   `json:"text"`
		Severity string   `json:"severity"`
	}
)

// The bounds of an answer, beside its length in bytes.
const (
	maxVersion  = 200
	maxKind     = 200
	maxFindings = 100_000 // of one text
	maxReason   = 500
)

// readAnswer reads the answer to requests. The error quotes little of it.
func readAnswer(body []byte, requests []detect.Request) (version string, results []detect.Result, err error) {
	var a wireAnswer
	if err := endpoint.Decode(body, &a); err != nil {
		return "", nil, err
	}
	switch {
	case a.Version == nil || *a.Version == "" || longer(*a.Version, maxVersion):
		return "", nil, fmt.Errorf("got no version, want one of at most %d characters", maxVersion)
	case a.Results == nil:
		return "", nil, errors.New("got no results")
	case len(*a.Results) != len(requests):
		return "", nil, fmt.Errorf("got %d results, want %d", len(*a.Results), len(requests))
	}
	out := make([]detect.Result, len(requests))
	for i, r := range *a.Results {
		if out[i], err = r.result(requests[i]); err != nil {
			return "", nil, fmt.Errorf("result %d: %w", i, err)
		}
	}
	return *a.Version, out, nil
}

// result reads one result. The error is that of the whole answer: who answers
// one request wrongly does not know what he does.
func (r wireResult) result(request detect.Request) (detect.Result, error) {
	switch {
	case (r.Findings == nil) == (r.Error == nil):
		return detect.Result{}, errors.New("want findings or an error, one of the two")
	case r.Error != nil && (*r.Error == "" || longer(*r.Error, maxReason)):
		return detect.Result{}, fmt.Errorf("got an error without words, or of more than %d characters", maxReason)
	case r.Error != nil:
		return detect.Result{Err: fmt.Errorf("the server says %q", *r.Error)}, nil
	case len(*r.Findings) > maxFindings:
		return detect.Result{}, fmt.Errorf("got %d findings, want at most %d", len(*r.Findings), maxFindings)
	}
	length := utf8.RuneCountInString(request.Text)
	out := make([]detect.Finding, len(*r.Findings))
	for i, w := range *r.Findings {
		f, err := w.finding(request.Views)
		if err == nil {
			err = f.Check(length)
		}
		if err != nil {
			return detect.Result{}, fmt.Errorf("finding %d: %w", i, err)
		}
		out[i] = f
	}
	detect.Sort(out)
	return detect.Result{Findings: slices.Clip(out)}, nil
}

// longer reports whether a text has more code points than so many.
func longer(text string, than int) bool { return utf8.RuneCountInString(text) > than }

// finding reads one finding. A score that is not said is 1.
func (w wireFinding) finding(views []string) (detect.Finding, error) {
	switch {
	case w.Kind == nil || *w.Kind == "" || longer(*w.Kind, maxKind):
		return detect.Finding{}, fmt.Errorf("got no kind, want one of at most %d characters", maxKind)
	case w.Start == nil || w.End == nil:
		return detect.Finding{}, errors.New("got no start or no end")
	case !slices.Contains([]string{"", "error", "warning", "info"}, w.Severity):
		return detect.Finding{}, errors.New("got another severity than error, warning or info")
	}
	f := detect.Finding{Kind: *w.Kind, Start: *w.Start, End: *w.End, Score: 1, View: w.View, Text: w.Text, Severity: w.Severity}
	if w.Score != nil {
		f.Score = *w.Score
	}
	if f.View == "" {
		f.View = detect.Raw
	}
	// The text as it stands is always looked at; what is seen in other views
	// must not count where they were not asked for.
	if views != nil && f.View != detect.Raw && !slices.Contains(views, f.View) {
		return detect.Finding{}, fmt.Errorf("got a finding in the view %.40q, which was not asked for", f.View)
	}
	return f, nil
}
