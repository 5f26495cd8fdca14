// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func compile(t *testing.T, pattern string) *Regexp {
	t.Helper()
	re, err := Compile(pattern)
	if err != nil {
		t.Fatalf("Compile(%q): %v", pattern, err)
	}
	return re
}

// TestErrors: what is refused comes with a place, a reason and, where the
// pattern could be written otherwise, a hint. That CPython refuses the same is
// held by its table in internal/builtin.
func TestErrors(t *testing.T) {
	tests := []struct {
		pattern   string
		offset    int
		msg, hint string
	}{
		{`(a)\1`, 3, "back-references are not supported", "compare them with =="},
		{`(?P<n>a)(?P=n)`, 8, "back-references are not supported", "compare them with =="},
		{`a(?=b)`, 1, "look-around is not supported here", "two conditions"},
		{`a(?!b)c`, 1, "look-around is not supported here", `"^(?!A)B"`},
		{`(?<=a)b`, 0, "look-around is not supported here", "two conditions"},
		{`(?<!a)b`, 0, "look-around is not supported here", "two conditions"},
		{`(?!a)b|c`, 0, "look-around is not supported here", "two conditions"},
		{`^(?:(?!a).)*$`, 4, "look-around is not supported here", "two conditions"},
		{`(?!a(?!b))c`, 4, "look-around is not supported here", "two conditions"},
		{`(?!a)*b`, 0, "look-around is not supported here", "two conditions"},
		{`(?>a)b`, 0, "atomic groups are not supported", "(?:…)"},
		{`a++`, 1, "possessive quantifiers are not supported", "take the last + away"},
		{`a{2}+`, 1, "possessive quantifiers are not supported", "take the last + away"},
		{`(a)?(?(1)b|c)`, 4, "conditional groups are not supported", "A|B"},
		{`a{1001}`, 1, "a repeat of more than 1000", "* or +"},
		{`a{99999999999999999999}`, 1, "a repeat of more than 1000", "* or +"},
		{`(?:a{100}){11}`, 0, "repeats inside repeats come to more than 1000", "* or +"},
		{`[[:alpha:]`, -1, "", ""},
		{`\z`, 0, `bad escape \z`, `\Z`},
		{`\p{L}`, 0, `bad escape \p`, `\w`},
		{`\Qa\E`, 0, `bad escape \Q`, "each character"},
		{`\N{BULLET}`, 0, "character names are not supported", `\uXXXX`},
		{`\ud800`, 0, "the escape names no character", ""},
		{`[z-a]`, 1, "bad character range z-a", `\-`},
		{`*a`, 0, "nothing to repeat", `write \*`},
		{`^*`, 1, "nothing to repeat", "anchor"},
		{`a**`, 2, "multiple repeat", "(?:a*)*"},
		{`(a`, 0, "missing ), unterminated subpattern", `\(`},
		{`a)`, 1, "unbalanced parenthesis", `\)`},
		{`[a`, 0, "unterminated character set", `\[`},
		{`(?<n>a)`, 0, "unknown extension ?<", "(?P<name>…)"},
		{`a(?i)`, 1, "global flags not at the start of the expression", "(?i:…)"},
		{`(?a:\w)`, 0, "the flags a and u are for all of a pattern only", "[0-9]"},
		{`(?P<n>a)(?P<n>b)`, 8, "redefinition of group name n", ""},
		{"a\xff", 0, "the pattern is not valid UTF-8", ""},
		{strings.Repeat("(", 300) + strings.Repeat(")", 300), 200, "groups nest too deep", ""},
	}
	for _, test := range tests {
		_, err := Compile(test.pattern)
		if test.offset < 0 {
			if err != nil {
				t.Errorf("Compile(%q): %v", test.pattern, err)
			}
			continue
		}
		var bad *Error
		if !errors.As(err, &bad) {
			t.Errorf("Compile(%q): %v, want an *Error", test.pattern, err)
			continue
		}
		if bad.Offset != test.offset || bad.Msg != test.msg || !strings.Contains(bad.Hint, test.hint) || (bad.Hint == "") != (test.hint == "") {
			t.Errorf("Compile(%q): at %d: %s (%s), want at %d: %s (%s)", test.pattern, bad.Offset, bad.Msg, bad.Hint, test.offset, test.msg, test.hint)
		}
	}
}

// TestLookAhead: "B and not A", A at the place where B begins.
func TestLookAhead(t *testing.T) {
	tests := []struct {
		pattern, text string
		start, whole  bool
		found         string
	}{
		{`^(?!Peter$).*$`, "Peter", false, false, ""},
		{`^(?!Peter$).*$`, "Peter Pan", true, true, "Peter Pan"},
		{`^(?!.*@corp\.com$).*$`, "a@corp.com", false, false, ""},
		{`^(?!.*@corp\.com$).*$`, "a@corp.com.evil", true, true, "a@corp.com.evil"},
		{`^(?!.*evil).*`, "a\nevil", true, false, "a"}, // `.` crosses newlines in a whole match only
		{`(?!b)\w`, "abc", true, false, "a c"},
		{`(?!a)(?!b)\w+`, "abcab", false, false, "cab"},
		{`(?i)^(?!ADMIN)\w+`, "admin1", false, false, ""},
		{`(?m)^(?!#).+$`, "#a\nb\n#c\nd", false, false, "b d"},
		{`(?!\bé)\w`, "éa", false, false, "a"},
		{`(?!)a`, "a", false, false, ""},
	}
	for _, test := range tests {
		re := compile(t, test.pattern)
		if _, _, ok := re.MatchStart(test.text); ok != test.start {
			t.Errorf("%q matches %q at the start: %t", test.pattern, test.text, ok)
		}
		if ok := re.MatchWhole(test.text); ok != test.whole {
			t.Errorf("%q matches all of %q: %t", test.pattern, test.text, ok)
		}
		spans, ok := re.FindAll(test.text, -1, 1<<30)
		var found []string
		for _, s := range spans {
			found = append(found, test.text[s[0]:s[1]])
		}
		if got := strings.Join(found, " "); !ok || got != test.found {
			t.Errorf("%q finds %q in %q, want %q", test.pattern, got, test.text, test.found)
		}
	}
}

func TestLiterals(t *testing.T) {
	tests := []struct{ pattern, want string }{
		{`abc`, "abc"},
		{`ab`, ""},
		{`.*password.*`, "password"},
		{`^rm -rf`, "rm -rf"},
		{`foo|barbaz`, "barbaz foo"},
		{`foo|ba`, ""},
		{`foo|.*`, ""},
		{`https?://`, "http:// https://"},
		{`(?:foo)?bar`, "bar foobar"},
		{`(?:foo)*bar`, "bar"},
		{`(?:foo)+`, "foo"},
		{`(?:ab){2}`, "abab"},
		{`(?:ab){2,}c`, ""},
		{`\bsecret\b`, "secret"},
		{`a\d+bcd`, "bcd"},
		{`sk-[A-Za-z0-9]{20}`, "sk-"},
		{`[ab]cd`, "acd bcd"},
		{`[^a]cde`, "cde"},
		{`(?i)Ignore previous`, "i:ignore previou"}, // s has a case beyond ASCII
		{`(?i)KEYS`, ""},                            // and so has k
		{`(?i)ñandu`, "i:andu"},
		{`(?i)[ab]cd`, "i:acd i:bcd"},
		{`(?i:ab)Cde`, "i:abcde"},
		{`(?i:k)Key`, "Key"},
		{`abc.def|ghi`, "abc ghi"},
		{`^(?!abc)defg`, "defg"},
		{`caf\u00e9`, "café"},
		{`é`, ""},
		{`日`, "日"},
		{`a{0}bcd`, "bcd"},
		{strings.Repeat("x", 100), strings.Repeat("x", 64)},
	}
	for _, test := range tests {
		var got []string
		for _, l := range compile(t, test.pattern).Literals() {
			if l.Fold {
				l.Text = "i:" + l.Text
			}
			got = append(got, l.Text)
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%q needs %q, want %q", test.pattern, s, test.want)
		}
	}
}

func TestLiteralIn(t *testing.T) {
	for _, test := range []struct {
		l    Literal
		s    string
		want bool
	}{
		{Literal{"abc", false}, "xabcx", true},
		{Literal{"abc", false}, "ABC", false},
		{Literal{"abc", true}, "xAbCx", true},
		{Literal{"abc", true}, "ab", false},
		{Literal{"a[b", true}, "A[B", true},
		{Literal{"a[b", true}, "A{B", false},
	} {
		if got := test.l.In(test.s); got != test.want {
			t.Errorf("%v in %q: %t", test.l, test.s, got)
		}
	}
}

// TestPlainForms: patterns that need no matcher answer as the matcher does.
func TestPlainForms(t *testing.T) {
	texts := []string{"", "abc", "xabc", "abcx", "xabcx", "a\nabc\n", "ABC", "ab"}
	for _, pattern := range []string{`abc`, `^abc$`, `.*abc`, `abc.*`, `.*abc.*`, `.*`, `^.*?abc$`, `abc.*?$`, ``, `^`, `$`, `^$`, `\Aabc\Z`, `(?s).*abc`, `.*.*`, `abc$`} {
		re := compile(t, pattern)
		if re.plain.kind == plainNone && pattern != `.*.*` {
			t.Errorf("%q is plain and was not recognised", pattern)
		}
		matcher := *re
		matcher.plain = form{}
		for _, s := range texts {
			_, end, ok := re.MatchStart(s)
			_, wantEnd, wantOK := matcher.MatchStart(s)
			if ok != wantOK || ok && end != wantEnd {
				t.Errorf("%q at the start of %q: %d, %t, want %d, %t", pattern, s, end, ok, wantEnd, wantOK)
			}
			if got, want := re.MatchWhole(s), matcher.MatchWhole(s); got != want {
				t.Errorf("%q matches all of %q: %t, want %t", pattern, s, got, want)
			}
		}
	}
}

// TestBudget: a search that costs too much ends, and says so.
func TestBudget(t *testing.T) {
	text := strings.Repeat("a", 1<<16)
	for _, pattern := range []string{`a(?:.*b)?`, `(?:a?){100}b|a`, `(?!(?:a?)*b)[ac]`} {
		re := compile(t, pattern)
		if spans, ok := re.FindAll(text, -1, 1_000_000); ok {
			t.Errorf("%q found %d matches within the budget", pattern, len(spans))
		}
	}
	re := compile(t, `a`)
	if spans, ok := re.FindAll(text, -1, 1_000_000); !ok || len(spans) != len(text) {
		t.Errorf("a: %d matches, %t", len(spans), ok)
	}
	if spans, ok := re.FindAll(text, 10, 1_000_000); !ok || len(spans) != 10 {
		t.Errorf("a: %d matches of 10, %t", len(spans), ok)
	}
	if got := re.Cost("12345"); got < 6 || got > 100 {
		t.Errorf("the cost of a on five bytes is %d", got)
	}
}

// TestFolded: a folded class has the other cases of all its runes.
func TestFolded(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		f := unicode.SimpleFold(r)
		if f == r {
			continue
		}
		if !slices.ContainsFunc(folded([]span{{r, r}}), func(s span) bool { return s.lo <= f && f <= s.hi }) {
			t.Errorf("%U is not folded to %U", r, f)
		}
	}
}

// TestTooLarge: patterns that would take long to compile, or to run, are
// refused before they are.
func TestTooLarge(t *testing.T) {
	for _, pattern := range []string{
		strings.Repeat("a{1000}", 100), strings.Repeat(`(?:b|a{500})`, 100), strings.Repeat(`[\W_]`, 1000), strings.Repeat(`[^\S_]`, 1000),
		`(?:(?:(?:(?:a{9}){9}){9}){9}){9}`, strings.Repeat("(?:", 150) + "a" + strings.Repeat("{2})", 150),
	} {
		if _, err := Compile(pattern); err == nil {
			t.Errorf("Compile(%.30q…) accepts the pattern", pattern)
		}
	}
	compile(t, `\w{1,1000}\W{1,1000}`)
	compile(t, `(?i)`+strings.Repeat(`[\x00-\U0010ffff]`, 500))
}

// TestMachineAgreesWithGo: where Go's matcher has the same meaning, this
// package's finds the same.
func TestMachineAgreesWithGo(t *testing.T) {
	patterns := []string{`a`, `a|ab`, `ab|a`, `a+b`, `(?i)ab+`, `[a-c]+`, `\bab\b`, `(?m)^b`, `(?m)a$`, `x?ab`, `.+`, `\w+@\w+`, `(a|b)+c`, `a.*b`, `a.*?b`}
	texts := []string{"", "ab", "aab abc", "x\nab\nb", "AB ab", "a@b cc@dd", "cab", strings.Repeat("ab", 50)}
	for _, pattern := range patterns {
		re := compile(t, pattern)
		for _, s := range texts {
			spans, _ := re.FindAll(s, -1, 1<<30)
			var want [][2]int
			for _, loc := range re.search.body.some().FindAllStringIndex(s, -1) {
				want = append(want, [2]int{loc[0], loc[1]})
			}
			if fmt.Sprint(spans) != fmt.Sprint(want) {
				t.Errorf("%q in %q: %v, Go has %v", pattern, s, spans, want)
			}
		}
	}
}

// FuzzRegexp: translation never panics, and a pattern agrees with itself.
func FuzzRegexp(f *testing.F) {
	for _, pattern := range []string{
		``, `a`, `(?i)a[b-d]+\b`, `^(?!a)b*$`, `(?x) a # c`, `[^\W\d_]{2,3}?`, `(?P<n>a|b)*`, `\x41\u00e9\101`, `(?m)^x$|y`, `a{,3}`, `[]a-]`, `(?ai)k\w`,
		`https?://(?:[-\w.]|(?:%[\da-fA-F]{2}))+`, `(|a)+`, `\B\Z`, `(?i)stra(ß|SS)e`, `((?:a?){9}){9}b`,
	} {
		for _, text := range []string{"", "abc", "caf\u00e9 K\u212a\u017f", "a\nb", "https://x.y/%20"} {
			f.Add(pattern, text)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		re, err := Compile(pattern)
		if err != nil {
			var bad *Error
			if !errors.As(err, &bad) || bad.Msg == "" || bad.Offset < 0 || bad.Offset > len(pattern) {
				t.Fatalf("Compile(%q): %#v", pattern, err)
			}
			return
		}
		if len(text) > 1000 || !utf8.ValidString(text) || re.Cost(text) > 10_000_000 {
			return
		}
		agree(t, re, text)
	})
}

// agree holds the looks of one pattern against each other.
func agree(t *testing.T, re *Regexp, text string) {
	_, end, start := re.MatchStart(text)
	whole := re.MatchWhole(text)
	if start && (end < 0 || end > len(text) || !utf8.ValidString(text[:end])) {
		t.Fatalf("%q matches %q up to %d", re, text, end)
	}
	// Without newlines, `.` has one meaning, so a whole match is one at the start.
	if whole && !start && !strings.Contains(text, "\n") {
		t.Fatalf("%q matches all of %q but not its start", re, text)
	}
	spans, ok := re.FindAll(text, -1, 100_000_000)
	if !ok {
		return
	}
	last := 0
	for i, s := range spans {
		if s[0] < last || s[1] < s[0] || s[1] > len(text) {
			t.Fatalf("%q in %q: %v", re, text, spans)
		}
		if i > 0 && s == spans[i-1] {
			t.Fatalf("%q in %q finds %v twice", re, text, s)
		}
		last = s[1]
	}
	if start != (len(spans) > 0 && spans[0][0] == 0) || start && spans[0][1] != end {
		t.Fatalf("%q at the start of %q: %d, %t; found %v", re, text, end, start, spans)
	}
	if (start || len(spans) > 0 || whole) && !re.MayMatch(text) {
		t.Fatalf("%q matches in %q, where %v do not occur", re, text, re.Literals())
	}
	for _, l := range re.Literals() {
		if len(l.Text) < minLiteral || l.Fold && l.Text != lowerASCII(l.Text) {
			t.Fatalf("%q has the literal %v", re, l)
		}
	}
}
