// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// settings are the arguments of prompt_injection.
type settings struct {
	threshold float64
	kinds     map[string]float64 // thresholds of kinds that have one of their own
}

// of returns the score that a finding of the kind needs.
func (s *settings) of(kind string) float64 {
	if t, ok := s.kinds[kind]; ok {
		return t
	}
	return s.threshold
}

// readSettings reads the parameters of prompt_injection. What is None there is
// as if it were not given. A model would be another detector's, so naming one
// here is an error: a policy that asks for a model must not be answered by
// rules.
func readSettings(params string) (*settings, error) {
	var given struct {
		Threshold        *float64           `json:"threshold"`
		DefaultThreshold *float64           `json:"default_threshold"`
		CatThresholds    map[string]float64 `json:"cat_thresholds"`
		Model            *string            `json:"model"`
	}
	if err := readParams(params, &given); err != nil {
		return nil, fmt.Errorf("reading the parameters of prompt_injection: %w", err)
	}
	out := &settings{threshold: Threshold, kinds: given.CatThresholds}
	switch {
	case given.Model != nil && *given.Model != "":
		return nil, fmt.Errorf("prompt_injection has no model %q: no classifier is configured", *given.Model)
	case given.Threshold != nil && given.DefaultThreshold != nil:
		return nil, errors.New("prompt_injection takes threshold or default_threshold, not both")
	case given.Threshold != nil:
		out.threshold = *given.Threshold
	case given.DefaultThreshold != nil:
		out.threshold = *given.DefaultThreshold
	}
	if err := between(out.threshold); err != nil {
		return nil, err
	}
	for _, kind := range slices.Sorted(maps.Keys(out.kinds)) {
		if !slices.Contains(injectionKinds, kind) {
			return nil, fmt.Errorf("prompt_injection has no kind %q, want one of %q", kind, injectionKinds)
		}
		if err := between(out.kinds[kind]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func between(threshold float64) error {
	if !(threshold >= 0 && threshold <= 1) { // not a number is neither
		return fmt.Errorf("the threshold %v of prompt_injection is not between 0 and 1", threshold)
	}
	return nil
}

// readParams reads a JSON object, "" as an empty one.
func readParams(params string, to any) error {
	if params == "" {
		return nil
	}
	return json.Unmarshal([]byte(params), to)
}

// readCategories reads the parameter of unicode: the categories to report, nil
// for all.
func readCategories(params string) ([]string, error) {
	var given struct{ Categories []string }
	if err := readParams(params, &given); err != nil {
		return nil, fmt.Errorf("reading the parameters of unicode: %w", err)
	}
	for _, c := range given.Categories {
		if !slices.Contains(Categories(), c) {
			return nil, fmt.Errorf("unicode has no category %q, want one of %q", c, Categories())
		}
	}
	return given.Categories, nil
}
