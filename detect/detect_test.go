// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detect_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// words finds each word "key" and, as "é", each é.
func words(_ context.Context, text, params string) ([]detect.Span, error) {
	if strings.Contains(text, "broken") {
		return nil, errors.New("broken")
	}
	var out []detect.Span
	for _, word := range []string{"key", "é"} {
		for at := 0; ; {
			i := strings.Index(text[at:], word)
			if i < 0 {
				break
			}
			out = append(out, detect.Span{Kind: word + params, Start: at + i, End: at + i + len(word), Score: 1})
			at += i + len(word)
		}
	}
	return out, nil
}

func TestPlain(t *testing.T) {
	d := detect.Plain("1", words)
	got, err := d.Detect(t.Context(), []detect.Request{{Text: "é key é"}, {Text: "broken"}, {Text: "a key", Params: "!"}, {}})
	if err != nil || len(got) != 4 {
		t.Fatal(got, err)
	}
	want := []detect.Finding{
		{Kind: "é", Start: 0, End: 1, Score: 1, View: detect.Raw},
		{Kind: "key", Start: 2, End: 5, Score: 1, View: detect.Raw},
		{Kind: "é", Start: 6, End: 7, Score: 1, View: detect.Raw},
	}
	if !slices.Equal(got[0].Findings, want) || got[0].Err != nil {
		t.Errorf("got %v, want %v", got[0], want)
	}
	if got[1].Err == nil {
		t.Error("a scanner's error is lost")
	}
	if got[2].Findings[0].Kind != "key!" || got[3].Findings != nil {
		t.Errorf("got %v and %v", got[2], got[3])
	}
	if d.Version() != "1" {
		t.Error("another version")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Detect(gone, []detect.Request{{Text: "key"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// A scanner that is wrong about its own text is an error, not a crash.
func TestPlainRefusesSpans(t *testing.T) {
	for _, s := range []detect.Span{{Start: -1, End: 1}, {Start: 3, End: 2}, {Start: 0, End: 5}} {
		d := detect.Plain("", func(context.Context, string, string) ([]detect.Span, error) { return []detect.Span{s}, nil })
		if got, err := d.Detect(t.Context(), []detect.Request{{Text: "text"}}); err != nil || got[0].Err == nil {
			t.Errorf("%v is taken: %v %v", s, got, err)
		}
	}
}

func TestFindingCheck(t *testing.T) {
	for _, f := range []detect.Finding{{Start: 0, End: 4}, {Start: 4, End: 4}, {Start: 1, End: 2, Score: 1}} {
		if err := f.Check(4); err != nil {
			t.Error(err)
		}
	}
	for _, f := range []detect.Finding{
		{Start: -1, End: 1}, {Start: 3, End: 2}, {Start: 0, End: 5}, {Score: -1}, {Score: 1.1}, {Score: math.NaN()},
	} {
		if f.Check(4) == nil {
			t.Errorf("%v is taken", f)
		}
	}
}

func TestSort(t *testing.T) {
	a := detect.Finding{Kind: "A", Start: 2, End: 3, Score: 1}
	b := detect.Finding{Kind: "B", Start: 0, End: 3, Score: 0.5}
	c := detect.Finding{Kind: "A", Start: 2, End: 3, Score: 0.5}
	d := detect.Finding{Kind: "A", Start: 2, End: 3, Score: 0.5, View: "stripped"}
	got := []detect.Finding{d, c, a, b}
	detect.Sort(got)
	if want := []detect.Finding{b, a, c, d}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
