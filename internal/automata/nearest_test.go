// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package automata

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	mail := mustCompile(`[a-z]+@corp\.com\z`, Options{})
	for _, c := range []struct {
		lits []Literal
		text string
		want string
	}{
		{[]Literal{{Set: mail}}, "bob@corp.com", "bob@corp.com"},
		{[]Literal{{Set: mail}}, "bob@corp.co", "bob@corp.com"},
		{[]Literal{{Set: mail}}, "bob@evil.com", "bob@corp.com"},
		{[]Literal{{Set: mail, Not: true}, {Set: Prefix("bob")}}, "bob@corp.com", ""},
		{[]Literal{{Set: Containing("rm -rf"), Not: true}}, "sudo rm -rf /", ""},
		{[]Literal{{Set: Suffix(".txt")}}, "a", ""},
		{[]Literal{{Set: AtLeast(3), Not: true}}, "abcde", ""},
	} {
		got, ok := Nearest(c.lits, c.text, 1_000_000)
		if ok != Yes || c.want != "" && got != c.want {
			t.Errorf("%q: got %q, %s, want %q", c.text, got, ok, c.want)
		}
		for _, l := range c.lits {
			if l.Set.Has(got) == l.Not {
				t.Errorf("%q: %q is not what was asked for", c.text, got)
			}
		}
	}
	if got, ok := Nearest([]Literal{{Set: Text("a")}, {Set: Text("b")}}, "a", 100_000); ok != No {
		t.Errorf("got %q, %s of nothing", got, ok)
	}
}

// TestNearestIsNearest tries all texts that are as near.
func TestNearestIsNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	patterns := []string{`a*b\z`, `(ab)+\z`, `a?c{2}`, `[^a]b*\z`, `b|ca\z`}
	for range 300 {
		p := patterns[r.IntN(len(patterns))]
		set, not := mustCompile(p, Options{}), r.IntN(2) == 0
		re := regexp.MustCompile(`\A(?:` + p + `)`)
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteByte("abc"[r.IntN(3)])
		}
		got, ok := Nearest([]Literal{{Set: set, Not: not}}, b.String(), 1_000_000)
		best := -1
		for _, s := range words(5) {
			if d := distance(s, b.String()); re.MatchString(s) != not && (best < 0 || d < best) {
				best = d
			}
		}
		if ok != Yes || distance(got, b.String()) != best {
			t.Errorf("%s (not: %t), %q: got %q, %s, want one %d away", p, not, b.String(), got, ok, best)
		}
	}
}

func words(n int) []string {
	out := []string{""}
	for i := 0; i < len(out); i++ {
		if len(out[i]) < n {
			out = append(out, out[i]+"a", out[i]+"b", out[i]+"c")
		}
	}
	return out
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := last
			if a[i] != b[j] {
				d++
			}
			last = row[j+1]
			row[j+1] = min(d, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
