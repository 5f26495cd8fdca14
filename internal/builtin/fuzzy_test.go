// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// nearest is the least number of edits between a word and any piece of a text,
// by the table that textbooks have.
func nearest(word, text []rune) int {
	column := make([]int, len(word)+1)
	for i := range column {
		column[i] = i
	}
	best := column[len(word)]
	for _, r := range text {
		diagonal := column[0]
		for i, w := range word {
			cost := diagonal
			if w != r {
				cost = 1 + min(diagonal, column[i], column[i+1])
			}
			diagonal, column[i+1] = column[i+1], cost
		}
		best = min(best, column[len(word)])
	}
	return best
}

func randomText(rng *rand.Rand, n int) []rune {
	out := make([]rune, n)
	for i := range out {
		out[i] = []rune("abcdé日")[rng.IntN(6)]
	}
	return out
}

// TestWordIn holds the bit-parallel search to the table, in words of one block
// and of several.
func TestWordIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		word := randomText(rng, 1+rng.IntN([]int{6, 64, 200}[rng.IntN(3)]))
		text := randomText(rng, rng.IntN(60))
		if rng.IntN(2) == 0 { // with the word in it, nearly
			near := append([]rune{}, word...)
			for range rng.IntN(4) {
				near[rng.IntN(len(near))] = 'x'
			}
			text = append(append(randomText(rng, rng.IntN(40)), near...), text...)
		}
		k := rng.IntN(8)
		start, end, ok := newWord(word).in(text, k)
		want := nearest(word, text) <= k
		if ok != want {
			t.Fatalf("%q in %q with %d edits: %v, want %v", string(word), string(text), k, ok, want)
		}
		if !ok {
			continue
		}
		if start < 0 || end > len(text) || start > end || nearest(text[start:end], word) > k+len(word) {
			t.Fatalf("%q in %q: [%d, %d)", string(word), string(text), start, end)
		}
		if got := nearest(word, text[start:end]); got > k {
			t.Errorf("%q in %q: %q is %d edits away, want %d", string(word), string(text), string(text[start:end]), got, k)
		}
	}
}

func TestWordInPlaces(t *testing.T) {
	for _, test := range []struct {
		word, text string
		k          int
		want       string
	}{
		{"password", "my password is", 0, "password"},
		{"password", "my pasword is", 1, "pasword"},
		{"password", "my passsword is", 1, "passsword"},
		{"password", "my passwürd is", 1, "passwürd"},
		{"system prompt", "your sysem promt?", 2, "sysem promt"},
		{"ab", "", 2, ""},
	} {
		start, end, ok := newWord([]rune(test.word)).in([]rune(test.text), test.k)
		if got := string([]rune(test.text)[start:end]); !ok || got != test.want {
			t.Errorf("%q in %q: %v %q, want %q", test.word, test.text, ok, got, test.want)
		}
	}
}

func BenchmarkFuzzyContains(b *testing.B) {
	text := []rune(strings.Repeat("nothing of the kind is written here, ", 30_000))
	for _, word := range []string{"ignore previous instructions", strings.Repeat("ignore previous instructions ", 20)} {
		b.Run(string([]rune(word)[:6]), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				newWord([]rune(word)).in(text, 5)
			}
		})
	}
}
