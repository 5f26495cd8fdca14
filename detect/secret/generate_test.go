// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// A maker makes strings that a pattern matches, as its tree says. Assertions
// are not looked at: what stands around the string decides about them.
type maker struct {
	*rand.Rand
	b strings.Builder
}

func (m *maker) make(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 {
				for range m.IntN(3) {
					r = unicode.SimpleFold(r)
				}
			}
			m.b.WriteRune(r)
		}
	case syntax.OpCharClass:
		m.b.WriteRune(m.one(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.b.WriteRune(m.one([]rune{' ', '~', 'é', 'é', '猫', '猫'}))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			m.make(sub)
		}
	case syntax.OpAlternate:
		m.make(re.Sub[m.IntN(len(re.Sub))])
	case syntax.OpStar:
		m.times(re, 0, 12)
	case syntax.OpPlus:
		m.times(re, 1, 12)
	case syntax.OpQuest:
		m.times(re, 0, 1)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 {
			high = re.Min + 20
		}
		m.times(re, re.Min, high)
	}
}

// times makes between low and high copies, more often few or the most.
func (m *maker) times(re *syntax.Regexp, low, high int) {
	n := low + m.IntN(high-low+1)
	if m.IntN(3) > 0 {
		n = low + min(m.IntN(4), high-low)
	}
	for range n {
		m.make(re.Sub[0])
	}
}

// one picks a character of a class, an ASCII one most of the time.
func (m *maker) one(pairs []rune) rune {
	for range 20 {
		i := 2 * m.IntN(len(pairs)/2)
		lo, hi := pairs[i], min(pairs[i+1], 0x3000)
		if lo < 128 && m.IntN(10) > 0 {
			hi = min(hi, 127)
		}
		if lo <= hi && (lo < 128 || m.IntN(10) == 0) {
			return lo + m.Int32N(hi-lo+1)
		}
	}
	return pairs[0]
}

// made returns a text that the pattern matches, if its surroundings agree.
func made(r *rand.Rand, re *syntax.Regexp) string {
	m := maker{Rand: r}
	m.make(re)
	return m.b.String()
}

// mutated returns the text with one change in it.
func mutated(r *rand.Rand, text string) string {
	if text == "" {
		return text
	}
	i := r.IntN(len(text))
	with := []string{"", "x", " ", "=", "\"", "\n", "-", "é", "\xff", text[i:min(i+9, len(text))], longS, kelvin}
	return text[:i] + with[r.IntN(len(with))] + text[i+1:]
}

// around puts something before and behind a text.
func around(r *rand.Rand, text string) string {
	edge := []string{"", "", " ", "\n", "x", "9", "_", "'", "é", "\xff", "猫 ", "; ", "key=", strings.Repeat("lorem ipsum ", 40), strings.Repeat("a.b-", 30), strings.Repeat("\\n", 3)}
	return edge[r.IntN(len(edge))] + text + edge[r.IntN(len(edge))]
}

// TestGenerated: for every rule, texts made from its pattern, whole, with one
// change, and between all kinds of neighbours, are found in as the pattern
// alone finds in them.
func TestGenerated(t *testing.T) {
	n := 6
	if testing.Short() {
		n = 2
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i, l := range all().live {
		if l.pattern == "" {
			continue
		}
		re, err := syntax.Parse(l.pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		matches := 0
		for range n {
			text := made(r, re)
			if l.pat.get().MatchString(text) {
				matches++
			}
			path := "a.yaml"
			if l.path != "" {
				path = "" // any that the rule is about will do; about is told so below
			}
			for _, variant := range []string{text, around(r, text), around(r, mutated(r, text)), around(r, text+"\n"+mutated(r, text)+text)} {
				checkRule(t, i, variant, path)
			}
		}
		if matches == 0 && !testing.Short() {
			t.Errorf("%s: no text that was made from the pattern matches it", l.ID)
		}
	}
}

// checkRule compares the scanner with the pattern of one rule, wherever the
// text may come from.
func checkRule(t *testing.T, r int, text, path string) {
	t.Helper()
	set := all()
	s := &scan{rules: set, walker: walker{text: text}, path: path, chosen: make([]bool, len(set.live)), judged: make([]int8, len(set.live))}
	s.chosen[r], s.judged[r] = true, 1
	got := s.run()
	var want []found
	l := set.live[r]
	if low := strings.ToLower(fold(text).text); containsAny(low, l.keywords) {
		for _, loc := range l.pat.get().FindAllStringIndex(text, -1) {
			if f, ok := s.judge(r, loc[0], loc[1]); ok {
				want = append(want, f)
			}
		}
	}
	if s.show(got) != s.show(want) {
		t.Errorf("%s in %s\nscanner %s\npattern %s", l.ID, brief(text), s.show(got), s.show(want))
	}
}

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// pieces are what mixed texts consist of: keywords, signs, runs, and cuts of
// texts that rules match.
func pieces(r *rand.Rand) []string {
	out := []string{
		" ", "\n", "\r\n", "=", ":", "'", "\"", "`", ";", ",", "=>", "-----", "é", "\xff\xfe", longS, kelvin, "猫", "\\n", "{", "(", "@", "://", "%", "|",
		"0123456789", "deadbeef", "AbCdEf0123", strings.Repeat("a", 40), strings.Repeat("0", 33), strings.Repeat("Zz9", 70), strings.Repeat(" ", 60),
	}
	out = append(out, all().word...)
	for _, l := range all().live {
		if l.pattern == "" {
			continue
		}
		if re, err := syntax.Parse(l.pattern, syntax.Perl); err == nil {
			text := made(r, re)
			at := r.IntN(len(text) + 1)
			out = append(out, text, text[:at], text[at:])
		}
	}
	return out
}

// TestMixed: whatever stands next to whatever, the scanner finds what the
// patterns find.
func TestMixed(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 40
	}
	r := rand.New(rand.NewPCG(3, 4))
	parts := pieces(r)
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(60) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		path := []string{"", "", "x/a.yml", "main.tf", "index.php", "nuget.config"}[r.IntN(6)]
		same(t, b.String(), path, every)
	}
}

// TestLong: a vector is found in the middle of a long text as in a short one.
func TestLong(t *testing.T) {
	vs := vectors(t)
	r := rand.New(rand.NewPCG(5, 6))
	n := 30
	if testing.Short() {
		n = 4
	}
	for range n {
		var b strings.Builder
		for b.Len() < 20_000 {
			b.WriteString(vs[r.IntN(len(vs))].Text)
			b.WriteString([]string{"\n", " ", "\n\n", "", "é", " the key to the token is the secret of the api.\n"}[r.IntN(6)])
			for range r.IntN(20) {
				b.WriteString("They ask for access to all of these. ")
			}
		}
		same(t, b.String(), "", every)
	}
}

func FuzzFind(f *testing.F) {
	for i := range ownRules {
		for _, text := range ownRules[i].Match {
			f.Add(text, "")
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for _, piece := range pieces(r) {
		f.Add(piece, "a.yaml")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		if len(text) > 4096 {
			return
		}
		same(t, text, path, every)
		found := Find(text, &Options{Path: path})
		if _, err := detect.Findings(text, found); err != nil {
			t.Errorf("%v in %q: %v", found, text, err)
		}
		for _, f := range found {
			if utf8.ValidString(text) && !utf8.ValidString(text[f.Start:f.End]) {
				t.Errorf("%v in %q cuts a character", f, text)
			}
		}
	})
}
