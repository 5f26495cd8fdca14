// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// everywhere finds what the rules of the kinds find if each is tried at every
// byte of the text, and the readers of signs at every sign: what Find would
// return if nothing told it where to look.
func everywhere(text string, kinds []string) []detect.Span {
	s := newScan(text, kinds)
	var entries []*entry
	for _, x := range []*bucket{&allRules().digits, &allRules().letters, &allRules().inside} {
		for _, runs := range x {
			for _, filed := range runs {
				entries = append(entries, filed...)
			}
		}
	}
	entries = append(entries, allRules().signs...)
	slices.SortFunc(entries, func(a, b *entry) int { return a.order - b.order })
	entries = slices.Compact(entries)
	for i := range len(text) {
		s.try(entries, i)
		s.word, s.v6, s.host, s.call = 0, 0, 0, 0
		s.signsAt(i)
	}
	s.names()
	return s.result()
}

// signsAt tries what is found by a sign at i, whatever stood there before.
func (s *scan) signsAt(i int) {
	switch s.text[i] {
	case '@':
		s.mailAt(i)
	case ':':
		s.colonAt(i)
	case '-':
		s.hyphenAt(i)
	case '.':
		s.dotAt(i)
	default:
		if !isDigit(s.text[i]) || i > 0 && isDigit(s.text[i-1]) {
			return
		}
		if s.wanted[ip] {
			s.v4At(i)
		}
	}
}

// structured are the kinds that the test compares: telephone numbers go by
// what was found before them and are tested by themselves.
func structured() []string {
	return slices.DeleteFunc(Kinds(), func(k string) bool { return k == "PHONE_NUMBER" || k == "PERSON" || k == "LOCATION" })
}

func compare(t *testing.T, text string) {
	t.Helper()
	got, want := Find(text, structured()), everywhere(text, structured())
	if !slices.Equal(got, want) {
		for _, f := range want {
			if !slices.Contains(got, f) {
				t.Errorf("in %q the scan passes by %s %q", text, f.Kind, text[f.Start:f.End])
			}
		}
		for _, f := range got {
			if !slices.Contains(want, f) {
				t.Errorf("in %q only the scan finds %s %q", text, f.Kind, text[f.Start:f.End])
			}
		}
	}
}

// ownTexts are the texts of the rules, hits and misses.
func ownTexts() []string {
	var out []string
	for _, r := range rules() {
		for marked := range strings.SplitSeq(r.hits+"|"+r.misses, "|") {
			out = append(out, strings.NewReplacer("‹", "", "›", "").Replace(marked))
		}
	}
	return out
}

// TestNothingIsPassedBy: the scan finds what every rule finds on the whole
// text: on the rules' own texts, on Presidio's, and on mixes of their pieces.
func TestNothingIsPassedBy(t *testing.T) {
	texts := ownTexts()
	for _, text := range texts {
		compare(t, text)
	}
	rng := rand.New(rand.NewPCG(17, 4))
	glue := []string{" ", "-", ".", ":", "/", "@", "_", "", "\n", ", ", "(", ")", "+", "é", "여", "\xff", "::", "0", "a"}
	for range 2000 {
		var mix strings.Builder
		for range 1 + rng.IntN(4) {
			piece := texts[rng.IntN(len(texts))]
			if rng.IntN(3) == 0 && len(piece) > 2 { // a part of it, perhaps changed
				cut := rng.IntN(len(piece))
				piece = piece[cut:]
			}
			mix.WriteString(piece)
			mix.WriteString(glue[rng.IntN(len(glue))])
		}
		compare(t, mix.String())
		if t.Failed() {
			return
		}
	}
}

func TestNothingIsPassedByInCases(t *testing.T) {
	for _, c := range readCases(t) {
		if w, ok := c.read(t); ok {
			compare(t, w.text)
		}
	}
}

// TestDefaultIsTheUpperPart: without kinds Find returns what it returns for
// all of them, from Threshold on.
func TestDefaultIsTheUpperPart(t *testing.T) {
	kinds := append(structured(), "PHONE_NUMBER")
	for _, text := range ownTexts() {
		want := slices.DeleteFunc(Find(text, kinds), func(f detect.Span) bool { return f.Score < Threshold })
		if got := Find(text, nil); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestMasksAreReadLate: a text without a digit reads no mask.
func TestMasksAreReadLate(t *testing.T) {
	s := newScan("No digits: kim@nordwind.example, www.nordwind.com, abcd::ef.", nil)
	s.run()
	if s.index != nil {
		t.Error("the rules were made ready for a text that has no use for them")
	}
	if len(s.result()) == 0 {
		t.Error("nothing is found")
	}
}

// TestParts: a number that is a part of something longer counts less than one
// that stands for itself, in a table as in a sentence.
func TestParts(t *testing.T) {
	for text, want := range map[string]bool{
		"1,219-47-8302,5": true, "row:12:219-47-8302": true, `{"id":"219-47-8302"}`: true, "SSN:219-47-8302": true, "(219-47-8302)": true, "219-47-8302.": true,
		"INV-219-47-8302": false, "219-47-8302-77": false, "/a/219-47-8302/b": false, "1.219-47-8302": false,
	} {
		found := slices.ContainsFunc(Find(text, nil), func(f detect.Span) bool { return f.Kind == "US_SSN" })
		if found != want {
			t.Errorf("%q: %v, want %v", text, found, want)
		}
	}
	if found := Find("2024-05-15/2024-05-16", nil); len(found) != 2 {
		t.Errorf("a span of days: %v", found)
	}
}
