// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scorer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// kinds is what a scanner finds, with places.
func kinds(t *testing.T, scan detect.Scanner, text, params string) []string {
	t.Helper()
	spans, err := scan(t.Context(), text, params)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range spans {
		out = append(out, s.Kind+" "+text[s.Start:s.End])
	}
	return out
}

func TestModerate(t *testing.T) {
	for _, test := range []struct {
		text, params string
		want         []string
	}{
		{"Hello. I want to kill myself tonight. Bye.", "", []string{"self-harm I want to kill myself tonight"}},
		{"I WILL HURT YOU, é", "", []string{"harassment/threatening I WILL HURT YOU, é"}},
		{"kill the process on port 80.", "", nil},
		{"I want to kill myself", `{"threshold":0.99}`, nil},
		{"I want to kill myself", `{"default_threshold":0.99,"cat_thresholds":{"self-harm":0.2}}`, []string{"self-harm I want to kill myself"}},
		{"moron", `{"threshold":0.1}`, []string{"harassment moron"}},
		{"moron", `{"model":"x","threshold":null}`, nil},
		{"", "", nil},
		{"kill, myself", "", []string{"self-harm kill, myself"}},
		{"kill. Myself", "", nil},
	} {
		if got := kinds(t, Moderate, test.text, test.params); !slices.Equal(got, test.want) {
			t.Errorf("%q %s: got %q, want %q", test.text, test.params, got, test.want)
		}
	}
	for _, params := range []string{"{", `{"threshold":2}`, `{"cat_thresholds":{"spam":0.1}}`, `{"cat_thresholds":{"hate":-1}}`} {
		if _, err := Moderate(t.Context(), "x", params); err == nil {
			t.Errorf("%s is taken", params)
		}
	}
}

func TestTopic(t *testing.T) {
	text := "The bank raised the interest on my mortgage, and the shares fell."
	for _, test := range []struct {
		params string
		want   []string
	}{
		{`{"topics":["finance","cooking"]}`, []string{"finance " + text}},
		{`{"topic":"mortgages"}`, []string{"mortgages " + text}},
		{`{"topics":["interest rates"],"threshold":0.4}`, []string{"interest rates " + text}},
		{`{"topics":["interest rates"],"threshold":0.6}`, nil},
		{`{"topics":{"money":["bank","share"],"food":["bread"]}}`, []string{"money " + text}},
		{`{"topics":[]}`, nil},
	} {
		got, err := Topic(t.Context(), text, test.params)
		if test.params == `{"topics":[]}` {
			if err == nil {
				t.Error("no topic is taken")
			}
			continue
		}
		if told := kinds(t, Topic, text, test.params); err != nil || !slices.Equal(told, test.want) {
			t.Errorf("%s: got %v %v, want %q", test.params, got, err, test.want)
		}
	}
	for _, params := range []string{"", "{", `{"topic":5}`, `{"topic":"x","threshold":-1}`} {
		if _, err := Topic(t.Context(), text, params); err == nil {
			t.Errorf("%s is taken", params)
		}
	}
	if got := kinds(t, Topic, strings.Repeat("nothing of it here ", 2000)+"bank loan", `{"topic":"finance"}`); got != nil {
		t.Errorf("two words make a long text one about finance: %q", got)
	}
}

// TestPhrases: each phrase is found in itself, and what is to be found has a
// weight that is enough to say something.
func TestPhrases(t *testing.T) {
	lexicon := known()
	seen := map[string]bool{}
	for i, l := range lists {
		for line := range strings.Lines(l.phrases) {
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			text := strings.Join(fields[:len(fields)-1], " ")
			if key := l.category + text; seen[key] {
				t.Errorf("%s: %q is there twice", l.category, text)
			} else {
				seen[key] = true
			}
			for _, field := range fields[:len(fields)-1] {
				if words, ok := classes[field]; ok {
					text = strings.Replace(text, field, strings.Fields(words)[0], 1)
				} else if field[0] == '@' {
					t.Errorf("%q: there is no class %s", line, field)
				}
			}
			sums := make([]float64, len(lists))
			for s := range sentences(strings.ReplaceAll(text, "..", "of the")) {
				lexicon.weigh(s.words, sums)
			}
			if sums[i] == 0 {
				t.Errorf("%s: %q is not found in itself", l.category, text)
			}
		}
	}
}

func TestStem(t *testing.T) {
	for _, forms := range []string{"kill kills killed killing", "stab stabs stabbed stabbing", "bomb bombs bombing bombed", "party parties", "smuggle smuggles smuggled smuggling", "church churches"} {
		for word := range strings.FieldsSeq(forms) {
			if first, _, _ := strings.Cut(forms, " "); stem(word) != stem(first) {
				t.Errorf("%s is %s, %s is %s", word, stem(word), first, stem(first))
			}
		}
	}
}

func TestDone(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, params := range []string{`{"topic":"war"}`} {
		if _, err := Topic(gone, "war.", params); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, err := Moderate(gone, strings.Repeat("war. ", 5000), ""); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

func TestHostile(t *testing.T) {
	for _, piece := range []string{"you ", "you are ", "i will ", "kill.", "\xff", "a", ". ", "no jew ", "cut off ", "set set set "} {
		if _, err := Moderate(t.Context(), strings.Repeat(piece, 1<<20/len(piece)), ""); err != nil {
			t.Error(err)
		}
		if _, err := Topic(t.Context(), strings.Repeat(piece, 1<<20/len(piece)), `{"topic":"war"}`); err != nil {
			t.Error(err)
		}
	}
}

func FuzzModerate(f *testing.F) {
	f.Add("You are é an idiot. I will kill you!\n\n- kill myself\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, scan := range []detect.Scanner{Moderate, Topic} {
			d := detect.Plain(Version, scan)
			out, err := d.Detect(t.Context(), []detect.Request{{Text: text, Params: `{"topic":"war","threshold":0}`}})
			if err != nil || out[0].Err != nil {
				t.Fatal(err, out)
			}
			for _, finding := range out[0].Findings {
				if err := finding.Check(len(text)); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

func BenchmarkModerate(b *testing.B) {
	text := strings.Repeat("Some words of a page, which nobody has written before. And you are welcome to read them. ", 10000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if spans, _ := Moderate(b.Context(), text, ""); len(spans) > 0 {
			b.Fatal(fmt.Sprint(spans))
		}
	}
}
