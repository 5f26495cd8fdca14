// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package automata_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/automata"
)

const steps = 200_000

func set(t *testing.T, pattern string, anywhere bool) *automata.Set {
	t.Helper()
	s, err := automata.Compile(pattern, automata.Options{Anywhere: anywhere, ASCII: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWithin(t *testing.T) {
	whole := func(p string) *automata.Set { return set(t, `(?:`+p+`)\z`, false) }
	tests := []struct {
		name string
		a, b *automata.Set
		want automata.Answer
	}{
		{"prefix of prefix", automata.Prefix("https://a.example/x"), automata.Prefix("https://a.example"), automata.Yes},
		{"prefix not of longer", automata.Prefix("https://a"), automata.Prefix("https://a.example"), automata.No},
		{"text in prefix", automata.Text("abc"), automata.Prefix("ab"), automata.Yes},
		{"suffix contains", automata.Suffix(".example"), automata.Containing("example"), automata.Yes},
		{"contains is no suffix", automata.Containing("example"), automata.Suffix("example"), automata.No},
		{"digits in words", whole(`\d+`), whole(`\w+`), automata.Yes},
		{"words not in digits", whole(`\w+`), whole(`\d+`), automata.No},
		{"star", whole(`(ab)+`), whole(`a(ba)*b`), automata.Yes},
		{"fold", whole(`(?i)abc`), whole(`[aA][bB][cC]`), automata.Yes},
		{"fold with kelvin", whole(`(?i)k`), whole(`[kK]`), automata.No},
		{"dot and newline", whole(`(?s:.)`), whole(`.`), automata.No},
		{"multiline", set(t, `(?m)^b$`, true), automata.Containing("b"), automata.Yes},
		{"word boundary", set(t, `\bcat\b`, true), automata.Containing("cat"), automata.Yes},
		{"no boundary", automata.Containing("cat"), set(t, `\bcat\b`, true), automata.No},
		{"longer", automata.AtLeast(5), automata.AtLeast(3), automata.Yes},
		{"not longer", automata.AtLeast(3), automata.AtLeast(5), automata.No},
		{"count", whole(`a{3}`), automata.AtLeast(3), automata.Yes},
		{"empty set", set(t, `a\Ab`, false), automata.Text("x"), automata.Yes},
		{"many states", whole(`(?:a|b)*a(?:a|b){7}`), whole(`(?:a|b)*b(?:a|b){6}`), automata.No},
		{"too hard", whole(`(?:a|b)*a(?:a|b){40}c`), whole(`(?:a|b)*a(?:b|a){40}c`), automata.Undecided},
	}
	for _, test := range tests {
		counter, got := automata.Within(test.a, test.b, steps)
		if got != test.want {
			t.Errorf("%s: got %v (%q), want %v", test.name, got, counter, test.want)
		}
		if got == automata.No && (!test.a.Has(counter) || test.b.Has(counter)) {
			t.Errorf("%s: %q is no counter-example", test.name, counter)
		}
	}
}

func TestEverythingAndNothing(t *testing.T) {
	for pattern, want := range map[string]string{
		``: "yes no", `.*`: "yes no", `(?s).*\z`: "yes no", `.*\z`: "no no", `a|`: "yes no", `a\b\Bb`: "no yes", `[^\x{0}-\x{10ffff}]`: "no yes", `x`: "no no",
	} {
		s := set(t, pattern, false)
		if got := fmt.Sprint(automata.Everything(s, steps), " ", automata.Nothing(s, steps)); got != want {
			t.Errorf("%q: got %s, want %s", pattern, got, want)
		}
	}
	if s := set(t, `[\x{d800}-\x{dfff}]`, true); automata.Nothing(s, steps) != automata.Yes {
		t.Error("a surrogate is in a text")
	}
}

func TestShortest(t *testing.T) {
	text, got := automata.Solve([]automata.Literal{
		{Set: automata.Containing("ab")}, {Set: automata.Containing("ba")}, {Set: automata.Prefix("a"), Not: true},
	}, steps)
	if got != automata.Yes || text != "bab" {
		t.Errorf("got %q, %v, want bab", text, got)
	}
}

func TestUnicodeWords(t *testing.T) {
	s, err := automata.Compile(`\bé`, automata.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Has("é") {
		t.Error("é begins no word")
	}
	if s := set(t, `\bé`, false); s.Has("é") {
		t.Error("é is of a word in ASCII")
	}
}

// pieces are what random patterns are made of.
var pieces = []string{
	"a", "b", "c", ".", "[ab]", "[^a]", "^", "$", `\b`, `\B`, `\A`, `\z`, "(?m:^)", "(?m:$)", `\d`, `\w`, `\W`, `\s`, "(?i:k)", "(?s:.)", "é", `\pL`, "(?i:ß)", "1", " ", "\n", "[[:^alpha:]]", "",
}

func randomPattern(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(4) == 0 {
		return pieces[r.IntN(len(pieces))]
	}
	x := func() string { return "(?:" + randomPattern(r, depth-1) + ")" }
	switch r.IntN(6) {
	case 0:
		return x() + "|" + x()
	case 1:
		return x() + []string{"*", "+", "?", "*?", "{2}", "{1,3}", "{2,}"}[r.IntN(7)]
	default:
		return x() + x()
	}
}

var runes = []rune("aabbcAkKſK1 \n_éß.-٣")

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(7) {
		b.WriteRune(runes[r.IntN(len(runes))])
	}
	return b.String()
}

// TestAgainstRegexp compares sets with Go's own matcher.
func TestAgainstRegexp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		agree(t, r)
	}
}

func agree(t *testing.T, r *rand.Rand) {
	t.Helper()
	p, q := randomPattern(r, 3), randomPattern(r, 3)
	start, any, other := set(t, p, false), set(t, p, true), set(t, q, true)
	re, reAny, reOther := regexp.MustCompile(`\A(?:`+p+`)`), regexp.MustCompile(p), regexp.MustCompile(q)
	for range 12 {
		s := randomText(r)
		if got, want := start.Has(s), re.MatchString(s); got != want {
			t.Errorf("%q at the start of %q: got %v, want %v", p, s, got, want)
		}
		if got, want := any.Has(s), reAny.MatchString(s); got != want {
			t.Errorf("%q in %q: got %v, want %v", p, s, got, want)
		}
	}
	for _, not := range []bool{false, true} {
		lits := []automata.Literal{{Set: any}, {Set: other, Not: not}, {Set: start, Not: not}}
		text, answer := automata.Solve(lits, steps)
		holds := func(s string) bool {
			return reAny.MatchString(s) && reOther.MatchString(s) != not && re.MatchString(s) != not
		}
		if answer == automata.Yes && !holds(text) {
			t.Errorf("%q, %q, %v: %q is no solution", p, q, not, text)
		}
		for range 12 {
			if s := randomText(r); answer == automata.No && holds(s) {
				t.Errorf("%q, %q, %v: no solution, but %q", p, q, not, s)
			}
		}
	}
}

// FuzzAgainstRegexp compares sets of any pattern with Go's matcher.
func FuzzAgainstRegexp(f *testing.F) {
	f.Add(`(?i)a.*\bk$`, "a K")
	f.Add(`(?m)^a$|\Bé`, "b\na\n")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 60 || len(text) > 60 || strings.ToValidUTF8(text, "") != text {
			t.Skip()
		}
		if _, err := regexp.Compile(pattern); err != nil {
			t.Skip() // what closes a bracket too many would be another pattern below
		}
		re, err := regexp.Compile(`\A(?:` + pattern + `)`)
		if err != nil {
			t.Skip()
		}
		s, err := automata.Compile(`(?:`+pattern+`)`, automata.Options{ASCII: true})
		if err != nil {
			t.Skip()
		}
		if got, want := s.Has(text), re.MatchString(text); got != want {
			t.Errorf("%q at the start of %q: got %v, want %v", pattern, text, got, want)
		}
	})
}
