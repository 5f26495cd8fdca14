// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// labelled takes the marks out of a sentence: [ ] for people, { } for places.
func labelled(line string) (text string, want []detect.Span) {
	var plain strings.Builder
	start := 0
	for _, c := range line {
		switch c {
		case '[', '{':
			start = plain.Len()
		case ']':
			want = append(want, detect.Span{Kind: "PERSON", Start: start, End: plain.Len()})
		case '}':
			want = append(want, detect.Span{Kind: "LOCATION", Start: start, End: plain.Len()})
		default:
			plain.WriteRune(c)
		}
	}
	return plain.String(), want
}

// TestNames measures people and places on sentences of our own. A finding
// counts if it has a label's kind and lies in it or holds it: titles may be
// left out, as some label them and some do not. The figures are stated, not
// promised; the test only says when they fall.
func TestNames(t *testing.T) {
	src, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	type tally struct{ found, right, labels int }
	tallies := map[string]*tally{"PERSON": {}, "LOCATION": {}}
	sentences := 0
	for line := range strings.Lines(string(src)) {
		if line[0] == '#' {
			continue
		}
		sentences++
		text, want := labelled(strings.TrimSpace(line))
		for _, w := range want {
			tallies[w.Kind].labels++
		}
		for _, f := range Find(text, []string{"PERSON", "LOCATION"}) {
			tallies[f.Kind].found++
			if slices.ContainsFunc(want, func(w detect.Span) bool {
				return f.Kind == w.Kind && (f.Start >= w.Start && f.End == w.End || f.Start <= w.Start && f.End >= w.End)
			}) {
				tallies[f.Kind].right++
			} else {
				t.Logf("%q: %s %q", text, f.Kind, text[f.Start:f.End])
			}
		}
	}
	for kind, floor := range map[string][2]float64{"PERSON": {.9, .6}, "LOCATION": {.9, .7}} {
		n := tallies[kind]
		precision, recall := float64(n.right)/float64(n.found), float64(n.right)/float64(n.labels)
		t.Logf("%s in %d sentences: precision %.2f (%d of %d), recall %.2f (of %d)", kind, sentences, precision, n.right, n.found, recall, n.labels)
		if precision < floor[0] || recall < floor[1] {
			t.Errorf("%s: precision %.2f, recall %.2f", kind, precision, recall)
		}
	}
}

// TestNamesAreAskedFor: people and places are not looked for unless named.
func TestNamesAreAskedFor(t *testing.T) {
	const text = "Mr. John Miller of Paris"
	if found := Find(text, nil); len(found) != 0 {
		t.Errorf("unasked: %v", found)
	}
	if found := Find(text, []string{"PERSON"}); len(found) != 1 || text[found[0].Start:found[0].End] != "John Miller" {
		t.Errorf("asked: %v", found)
	}
}
