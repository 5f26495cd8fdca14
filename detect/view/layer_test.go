// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A piece is a part of a raw text and what a fold makes of it.
type piece struct{ raw, folded string }

// pieces are parts that do not touch one another's folding.
var pieces = []piece{
	{"plain", "plain"},
	{" ", " "},
	{"\n", "\n"},
	{"\uff21", "A"},
	{"\ufb03", "ffi"},
	{"\u200b", ""},
	{"\u00ad\u2060", ""},
	{"\U000E0041\U000E0042", ""},
	{"\u0430", "a"},
	{"\u00e9", "e"},
	{"e\u0301", "e"},
	{"x\u0336\u0332", "x"},
	{"\u0430\u0301", "a"},
	{"\U0001D41A", "a"},
	{"\u0664", "4"},
	{"\u00bd", "1/2"},
	{"\u3042", "\u3042"},
	{"\U0001F600", "\U0001F600"},
	{"\u05d0\u05b8", "\u05d0\u05b8"}, // Hebrew points stay
	{"\xff", "\xff"},
	{"\xf0\x9f", "\xf0\x9f"},
	{"\x00", ""},
	{"\u2028", "\n"},
	{"\u01c6", "dz"},
	{"\ufdfa", "\ufdfa"}, // would be a sentence
}

// TestWayBack folds texts made of known pieces, and asks of each piece of the
// fold where it comes from.
func TestWayBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for range 2000 {
		var raw, folded strings.Builder
		type place struct{ raw, folded span }
		var places []place
		for range r.IntN(40) {
			p := pieces[r.IntN(len(pieces))]
			places = append(places, place{
				span{raw.Len(), raw.Len() + len(p.raw)},
				span{folded.Len(), folded.Len() + len(p.folded)},
			})
			raw.WriteString(p.raw)
			folded.WriteString(p.folded)
		}
		l := newFold(root(raw.String())).skeleton
		if l.text != folded.String() {
			t.Fatalf("%+q folds to %+q, want %+q", raw.String(), l.text, folded.String())
		}
		for i, p := range places {
			if p.folded.start == p.folded.end {
				continue
			}
			if got := l.raw(p.folded); got != p.raw {
				t.Fatalf("%+q: %+q at %v comes from %v, want %v", raw.String(), l.text, p.folded, got, p.raw)
			}
			q := places[i+r.IntN(len(places)-i)]
			if q.folded.start == q.folded.end {
				continue
			}
			if got, want := l.raw(span{p.folded.start, q.folded.end}), (span{p.raw.start, q.raw.end}); got != want {
				t.Fatalf("%+q: %+q from %v to %v comes from %v, want %v", raw.String(), l.text, p.folded, q.folded, got, want)
			}
		}
	}
}

// TestNormalize compares with the library's own way.
func TestNormalize(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	for range 5000 {
		text := randomText(r, r.IntN(30))
		if strings.ContainsAny(text, "\ufdfa\ufdfb") {
			continue
		}
		if got, want := normalize(root(text)).text, norm.NFKC.String(text); got != want {
			t.Fatalf("%+q: got %+q, want %+q", text, got, want)
		}
	}
}

// randomText is made of code points of all kinds, and of bytes that are none.
func randomText(r *rand.Rand, n int) string {
	var out strings.Builder
	for range n {
		switch r.IntN(8) {
		case 0:
			out.WriteByte(byte(r.IntN(256)))
		case 1:
			out.WriteRune(0x300 + rune(r.IntN(0x70)))
		case 2:
			out.WriteRune(0xAC00 + rune(r.IntN(11172)))
		case 3:
			out.WriteRune(0x1100 + rune(r.IntN(0x100)))
		case 4:
			out.WriteRune(rune(r.IntN(0x3000)))
		case 5:
			out.WriteRune(rune(r.IntN(utf8.MaxRune)))
		default:
			out.WriteByte('a' + byte(r.IntN(26)))
		}
	}
	return out.String()
}

// TestRunsStayFew holds the cost of the way back down where all of a text is
// disguised in the same manner.
func TestRunsStayFew(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("\uff41", 10000),
		strings.Repeat("\u0430", 10000),
		strings.Repeat("\U0001D41A", 10000),
		strings.Repeat("plain text ", 1000) + "\u200b" + strings.Repeat("plain text ", 1000),
	} {
		if l := newFold(root(text)).skeleton; len(l.runs) > 2 {
			t.Errorf("%.20q: %d runs", text, len(l.runs))
		}
	}
}

// TestProbes holds the loops over words of eight bytes to loops over bytes.
func TestProbes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	alphabet := "abcdefghijklmnopqrstuvwxyzABC0123/+-_=.,:; \t\n\r\x00\x08\x0e\x1f\x7f\x80\xc3\xff*+,"
	for range 20000 {
		text := make([]byte, r.IntN(40))
		for i := range text {
			text[i] = alphabet[r.IntN(min(len(alphabet), 20+r.IntN(60)))]
		}
		s, from := string(text), r.IntN(len(text)+1)
		checkProbe(t, s, from, nextOdd(s, from), isOdd)
		checkProbe(t, s, from, nextHigh(s, from), func(c byte) bool { return c >= utf8.RuneSelf })
		start, end := nextRow(s, from)
		wantStart, wantEnd := nextRowSlowly(s, from)
		if start != wantStart || end != wantEnd {
			t.Fatalf("the row in %q from %d: got %d to %d, want %d to %d", s, from, start, end, wantStart, wantEnd)
		}
	}
}

func checkProbe(t *testing.T, s string, from, got int, is func(byte) bool) {
	t.Helper()
	want := from
	for want < len(s) && !is(s[want]) {
		want++
	}
	if got != want {
		t.Fatalf("%q from %d: got %d, want %d", s, from, got, want)
	}
}

func nextRowSlowly(s string, i int) (start, end int) {
	for start = i; start < len(s); start = end + 1 {
		for end = start; end < len(s) && s[end] >= '+' && s[end] < utf8.RuneSelf; end++ {
		}
		if end-start >= minEncoded {
			return start, end
		}
	}
	return -1, -1
}

// TestLikenesses looks at the table.
func TestLikenesses(t *testing.T) {
	seen := map[rune]bool{}
	for _, like := range likenesses {
		if like.ascii == "" || nextHigh(like.ascii, 0) < len(like.ascii) {
			t.Errorf("%+q is no ASCII text", like.ascii)
		}
		for _, r := range like.runes {
			if r < utf8.RuneSelf || seen[r] {
				t.Errorf("%+q looks like %q, and is ASCII or looks like something else too", r, like.ascii)
			}
			seen[r] = true
		}
	}
	if len(seen) < 2500 {
		t.Errorf("%d code points", len(seen))
	}
}
