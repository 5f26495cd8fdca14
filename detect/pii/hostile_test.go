// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile are texts that make a careless scanner slow, to be repeated.
var hostile = map[string]string{
	"digits":    "4",
	"letters":   "a",
	"at":        "a@",
	"mailboxes": strings.Repeat("a.", 40) + "@" + strings.Repeat("b-", 40),
	"dots":      "a.",
	"urls":      "http://a.co/",
	"schemes":   "http://",
	"colons":    "f:",
	"brackets":  "((((",
	"plus":      "+1",
	"words":     "1 ",
	"groups":    "12-",
	"cards":     "4111 1111 1111 1111 ",
	"phones":    "+1 415 555 0132 ",
	"ibans":     "DE89370400440532013000 ",
	"months":    "May 3 May ",
	"dates":     "2024-05-15T10:00:00.0",
	"hex":       "deadbeef0:",
	"mac":       "aa-",
	"unicode":   "é1여",
	"broken":    "\xff1\xc3",
	"context":   "ssn 1",
	"mixed":     "a1",
	"under":     "_1",
	"capitals":  "Aa Bb. ",
	"given":     "John ",
	"base58":    "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
}

// TestWorkIsLinear counts steps instead of time: a text of half a mebibyte costs
// a bounded number of them a byte, and twice the text twice the steps.
func TestWorkIsLinear(t *testing.T) {
	work := func(text string, kinds []string) int {
		s := newScan(text, kinds)
		s.run()
		return s.work
	}
	for name, piece := range hostile {
		t.Run(name, func(t *testing.T) {
			for _, kinds := range [][]string{nil, Kinds()} {
				once := work(strings.Repeat(piece, 1<<18/len(piece)), kinds)
				twice := work(strings.Repeat(piece, 1<<19/len(piece)), kinds)
				if twice > 30<<20 || float64(twice) > 2.1*float64(once)+5000 {
					t.Errorf("%d steps for a quarter of a mebibyte, %d for half", once, twice)
				}
			}
		})
	}
}

// TestQuestions: the library is asked a bounded number of times about a text.
func TestQuestions(t *testing.T) {
	var text strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		text.WriteString("+1 415 555 ")
		for range 4 {
			text.WriteByte(byte('0' + rng.IntN(10)))
		}
		text.WriteString("\n")
	}
	s := newScan(text.String(), nil)
	s.run()
	if n := len(s.phones.asked); n > questions {
		t.Errorf("%d questions", n)
	}
	if n := len(s.result()); n != 5000 {
		t.Errorf("%d telephone numbers, want 5000: past the questions the form decides", n)
	}
}

// TestTenMebibytes goes through, broken UTF-8 and all.
func TestTenMebibytes(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	text := strings.Repeat("x\xff4111 1111 1111 1111\xc3 a@b.com\x00", 10<<20/33)
	if n := len(Find(text, []string{"EMAIL_ADDRESS"})); n != 10<<20/33 {
		t.Errorf("%d addresses", n)
	}
}

func TestEmpty(t *testing.T) {
	for _, text := range []string{"", "x", "4", "@", ":", ".", "-", "\xff"} {
		if found := Find(text, nil); found != nil {
			t.Errorf("%q: %v", text, found)
		}
	}
	if found := Find("a@b.com", []string{"NO_SUCH_KIND"}); found != nil {
		t.Errorf("of an unknown kind: %v", found)
	}
}

// FuzzFind: whatever the text, spans lie in it at borders of characters, in
// order, and those of a kind do not overlap.
func FuzzFind(f *testing.F) {
	for _, text := range ownTexts() {
		f.Add(text)
	}
	for _, piece := range hostile {
		f.Add(strings.Repeat(piece, 5))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, kinds := range [][]string{nil, Kinds()} {
			ends, last := map[string]int{}, 0
			for _, s := range Find(text, kinds) {
				if s.Start < last || s.Start >= s.End || s.End > len(text) || s.Start < ends[s.Kind] || s.Score <= 0 || s.Score > 1 {
					t.Fatalf("%+v after %v", s, ends)
				}
				if utf8.ValidString(text) && !(utf8.RuneStart(text[s.Start]) && (s.End == len(text) || utf8.RuneStart(text[s.End]))) {
					t.Fatalf("%+v cuts a character", s)
				}
				ends[s.Kind], last = s.End, s.Start
			}
		}
	})
}

// TestConcurrent lets several callers use Find at once.
func TestConcurrent(t *testing.T) {
	texts := ownTexts()
	done := make(chan int)
	for range 4 {
		go func() {
			n := 0
			for _, text := range texts {
				n += len(Find(text, nil))
			}
			done <- n
		}()
	}
	first := <-done
	for range 3 {
		if n := <-done; n != first {
			t.Errorf("%d and %d findings", first, n)
		}
	}
}
