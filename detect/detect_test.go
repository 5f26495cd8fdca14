// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detect_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

func finds(findings ...detect.Finding) detect.Detector {
	return detect.Func(func(context.Context, string) ([]detect.Finding, error) { return findings, nil })
}

func TestChain(t *testing.T) {
	a := detect.Finding{Kind: "A", Start: 2, End: 3, Score: 1}
	b := detect.Finding{Kind: "B", Start: 0, End: 3, Score: 0.5}
	c := detect.Finding{Kind: "A", Start: 2, End: 3, Score: 0.5}
	got, err := detect.Chain{finds(c, a), finds(b), finds()}.Detect(t.Context(), "text")
	if want := []detect.Finding{b, a, c}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v %v, want %v", got, err, want)
	}
	gone := errors.New("gone")
	broken := detect.Func(func(context.Context, string) ([]detect.Finding, error) { return nil, gone })
	if got, err := (detect.Chain{finds(a), broken}).Detect(t.Context(), "text"); got != nil || !errors.Is(err, gone) {
		t.Errorf("a chain with a broken detector gives %v %v", got, err)
	}
	if got, err := (detect.Chain{}).Detect(t.Context(), "text"); len(got) != 0 || err != nil {
		t.Errorf("an empty chain gives %v %v", got, err)
	}
}

func TestFindingCheck(t *testing.T) {
	for _, f := range []detect.Finding{{Start: 0, End: 4}, {Start: 4, End: 4}, {Start: 1, End: 2}} {
		if err := f.Check("text"); err != nil {
			t.Error(err)
		}
	}
	for _, f := range []detect.Finding{{Start: -1, End: 1}, {Start: 3, End: 2}, {Start: 0, End: 5}} {
		if f.Check("text") == nil {
			t.Errorf("%v is taken", f)
		}
	}
}
