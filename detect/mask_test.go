// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detect_test

import (
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

func TestMask(t *testing.T) {
	at := func(kind string, start, end int) detect.Finding {
		return detect.Finding{Kind: kind, Start: start, End: end, Score: 1}
	}
	for _, c := range []struct {
		name, text string
		findings   []detect.Finding
		want       string
	}{
		{"nothing", "ünïcode", nil, "ünïcode"},
		{"one", "to ëve now", []detect.Finding{at("PERSON", 3, 6)}, "to <PERSON> now"},
		{"two, out of order", "ab cd", []detect.Finding{at("B", 3, 5), at("A", 0, 2)}, "<A> <B>"},
		{"side by side", "abcd", []detect.Finding{at("A", 0, 2), at("B", 2, 4)}, "<A><B>"},
		{"overlapping: the longest", "abcdef", []detect.Finding{at("A", 0, 2), at("B", 1, 5)}, "<B>f"},
		{"one in another", "abcdef", []detect.Finding{at("A", 0, 6), at("B", 1, 5)}, "<A>"},
		{"a chain", "abcdef", []detect.Finding{at("A", 0, 2), at("B", 1, 3), at("C", 2, 6)}, "<C>"},
		{"empty", "abc", []detect.Finding{at("A", 1, 1)}, "abc"},
		{"beyond the end", "abc", []detect.Finding{at("A", 2, 9), at("B", 20, 21)}, "ab<A>"},
		{"before the beginning", "abc", []detect.Finding{at("A", -1, 2)}, "abc"},
		{"a kind that quotes", "key k", []detect.Finding{at("key=k", 4, 5)}, "key <hidden>"},
	} {
		if got := detect.Mask(c.text, c.findings).Text; got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMaskedSpan(t *testing.T) {
	m := detect.Mask("to eve at home", []detect.Finding{{Kind: "PERSON", Start: 3, End: 6}, {Kind: "X", Start: 10, End: 14}})
	if m.Text != "to <PERSON> at <X>" {
		t.Fatalf("got %q", m.Text)
	}
	for _, c := range []struct {
		start, end int
		want       string
	}{
		{0, 2, "to"},
		{3, 6, "<PERSON>"},
		{4, 5, "<PERSON>"},
		{0, 4, "to <PERSON>"},
		{5, 9, "<PERSON> at"},
		{7, 9, "at"},
		{7, 12, "at <X>"},
		{0, 14, "to <PERSON> at <X>"},
		{14, 14, ""},
		{3, 3, ""},
		{6, 6, ""},
	} {
		from, to := m.Span(c.start, c.end)
		if got := string([]rune(m.Text)[from:to]); got != c.want {
			t.Errorf("%d-%d: got %q, want %q", c.start, c.end, got, c.want)
		}
	}
}

// FuzzMask: nothing of what a finding is about remains at its place, and all
// else does.
func FuzzMask(f *testing.F) {
	f.Add("a secret here", 2, 8, 9, 10)
	f.Add("äöü", 0, 2, 1, 3)
	f.Fuzz(func(t *testing.T, text string, a, b, c, d int) {
		text = strings.ToValidUTF8(text, "?")
		n := len([]rune(text))
		fit := func(x int) int { return min(max(x, 0), n) }
		findings := []detect.Finding{{Kind: "A", Start: fit(a), End: fit(b)}, {Kind: "B", Start: fit(c), End: fit(d)}}
		m := detect.Mask(text, findings)
		hidden := func(i int) bool {
			for _, f := range findings {
				if i >= f.Start && i < f.End {
					return true
				}
			}
			return false
		}
		for i, r := range []rune(text) {
			from, to := m.Span(i, i+1)
			shown := string([]rune(m.Text)[from:to])
			if hidden(i) != (shown == "<A>" || shown == "<B>") || !hidden(i) && shown != string(r) {
				t.Fatalf("%q with %v is %q: character %d is shown as %q", text, findings, m.Text, i, shown)
			}
		}
	})
}
