// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shared is where the corpora are, which are no part of this repository.
const shared = "../../../shared/data"

// flagged returns the categories of our own that a text has, sorted.
func flagged(t *testing.T, text string) []string {
	t.Helper()
	spans, err := Unicode(t.Context(), text, "")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range spans {
		if slices.Contains(ownCategories, s.Kind) {
			out = append(out, s.Kind)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestOwnCategories(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"plain text,\r\n\twith a tab", ""},
		{"a\u200bb", catInvisible},
		{"pass\u00adword", catInvisible},
		{"a\u2060b", catInvisible},
		{"\ufefffirst", ""},
		{"not first\ufeff", catInvisible},
		{"a\u200db", catInvisible},
		{"ภาษา\u200bไทย", ""},
		{"می\u200cخواهم", ""},
		{"می\u200c\u200cخواهم", catInvisible},
		{"क्\u200dष and क्\u200cष", ""},
		{"ශ්\u200dරී ලංකා", ""},
		{"നന്\u200d", ""},
		{"שלח הודעת טקסט, סִמֵּס, מִסְרֵר", ""},
		{"بِسْمِ اللّٰهِ", ""},
		{"\U000e0041\U000e0042", catTag},
		{"\U0001F3F4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", ""},
		{"\U0001F3F4\U000e0068\U000e0069\U000e0064\U000e0065\U000e007f", catTag},
		{"a\u202eb", catBidi},
		{"a\u2066b\u2069", catBidi},
		{"a\u200fb", catBidi},
		{"שלום\u200f, all", ""},
		{"\u2764\ufe0f", ""},
		{"1\ufe0f\u20e3", ""},
		{"a\ufe0f", catVariation},
		{"\u2764\ufe0f\ufe0e", catVariation},
		{"\U0001F600\U000e0130\U000e0140", catVariation},
		{"葛\U000e0101", ""},
		{"葛\U000e0101\U000e0102", catVariation},
		{"a\u3164b", catFiller},
		{"⠁⠀⠃", ""},
		{"a\u2800b", catFiller},
		{"a\ue000b", catPrivate},
		{"a\x1b[31m", catControl},
		{"a\x00", catControl},
		{"e\u0301\u0323", ""},
		{"z\u0301\u0301\u0301\u0301", catMarks},
	} {
		if got := strings.Join(flagged(t, test.text), ","); got != test.want {
			t.Errorf("%+q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestConfusables(t *testing.T) {
	for _, test := range []struct {
		text  string
		alike string // the characters found, "" for none
	}{
		{"pаypal", "а"}, // Cyrillic
		{"Мoсква", "o"}, // Latin
		{"the рау is good", "рау"},
		{"Он сказал: а", ""},
		{"SMSка и IT-компания", ""},
		{"tест", "t"},
		{"wοrd", "ο"}, // Greek
		{"payкал", "кал"},
		{"paypaк пay", "кп"},
		{"5 μm, kΩ, Δt, π", ""},
		{"α-helix and αβ", ""},
		{"teΛst", "Λ"},
		{"bypɑss sɑfety", "ɑɑ"},
		{"dısable polıcy", "ıı"},
		{"kırmızı şeker", ""},
		{"Đà Nẵng, Anđela Đokić", ""},
		{"Þegar ÞAĐ", "Đ"},
		{"𝐢𝐠𝐧𝐨𝐫𝐞 and 𝑥", "𝐢𝐠𝐧𝐨𝐫𝐞"},
		{"ｉｇｎｏｒｅ", "ｉｇｎｏｒｅ"},
		{"日本のＮＨＫ", ""},
		{"ไปsevenมาก 我love你", ""},
		{"naïve café Übergröße Łódź", ""},
		{"α⍺β", "⍺"},
		{"⍺+⍵", ""},
		{"Ελλάδα and Россия", ""},
		{"ΓГΓ", "Г"},
	} {
		spans, err := Unicode(t.Context(), test.text, `{"categories":["confusable"]}`)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range spans {
			got += test.text[s.Start:s.End]
		}
		if got != test.alike {
			t.Errorf("%q: got %q, want %q", test.text, got, test.alike)
		}
	}
}

// TestGeneralCategories: without categories every character has its own, as
// the public function has it.
func TestGeneralCategories(t *testing.T) {
	spans, err := Unicode(t.Context(), "Aé 1$\xff", "")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range spans {
		got[s.Kind] += strconv.Itoa(s.Start) + "-" + strconv.Itoa(s.End) + " "
	}
	want := map[string]string{"Lu": "0-1 ", "Ll": "1-3 ", "Zs": "3-4 ", "Nd": "4-5 ", "Sc": "5-6 ", "Cs": "6-7 "}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s: got %q, want %q", k, got[k], v)
		}
	}
	spans, err = Unicode(t.Context(), "a\u200b b", `{"categories":["Cf","Co"]}`)
	if err != nil || len(spans) != 1 || spans[0].Kind != "Cf" || spans[0].Start != 1 || spans[0].End != 4 {
		t.Errorf("got %v %v", spans, err)
	}
}

func TestKinds(t *testing.T) {
	if got := len(Categories()); got != kinds {
		t.Errorf("%d categories, want %d", got, kinds)
	}
	spans, err := Unicode(t.Context(), strings.Repeat("ab", 100), "")
	if err != nil || len(spans) != mostUnnamed || spans[mostUnnamed-1].End != 200 {
		t.Errorf("of letters that nobody asked for: %v %v", spans, err)
	}
}

func TestCategoriesGiven(t *testing.T) {
	for params, ok := range map[string]bool{
		"": true, "{}": true, `{"categories":null}`: true, `{"categories":[]}`: true, `{"categories":["Cf","tag"]}`: true,
		`{"categories":["nonsense"]}`: false, `{"categories":"Cf"}`: false, "[": false,
	} {
		if _, err := Unicode(t.Context(), "x", params); (err == nil) != ok {
			t.Errorf("%s: %v", params, err)
		}
	}
	if spans, _ := Unicode(t.Context(), "x\u200b", `{"categories":[]}`); len(spans) != 0 {
		t.Errorf("none of no categories: %v", spans)
	}
}

// TestManyPlaces: findings are bounded, and still cover all there is.
func TestManyPlaces(t *testing.T) {
	text := strings.Repeat("\u200b", 5000) + "x"
	spans, err := Unicode(t.Context(), text, `{"categories":["invisible"]}`)
	if err != nil || len(spans) != mostPlaces {
		t.Fatal(len(spans), err)
	}
	if last := spans[mostPlaces-1]; last.Start != 3*(mostPlaces-1) || last.End != 15000 {
		t.Errorf("the last is %v", last)
	}
}

func rows(t *testing.T, name string, row func([]byte)) {
	t.Helper()
	file, err := os.Open(filepath.Join(shared, name))
	if err != nil {
		t.Skipf("the shared data are not here: %v", err)
	}
	defer func() { _ = file.Close() }()
	for s := bufio.NewScanner(file); s.Scan(); {
		row(s.Bytes())
	}
}

func TestHiddenFiles(t *testing.T) {
	n := 0
	rows(t, "detectors/unicode/llamafirewall_hidden_ascii.jsonl", func(line []byte) {
		var row struct {
			Text   string
			Hidden bool
		}
		if json.Unmarshal(line, &row) != nil {
			return
		}
		n++
		if got := len(flagged(t, row.Text)) > 0; got != row.Hidden {
			t.Errorf("%+q: got %t", row.Text, got)
		}
	})
	rows(t, "detectors/unicode/llm_guard_invisible_text.jsonl", func(line []byte) {
		var row struct {
			Case struct {
				Prompt string
				Valid  bool `json:"expected_valid"`
			}
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		n++
		if got := len(flagged(t, row.Case.Prompt)) == 0; got != row.Case.Valid {
			t.Errorf("%+q: got %q", row.Case.Prompt, flagged(t, row.Case.Prompt))
		}
	})
	rows(t, "detectors/unicode/smuggling_homoglyph_5.txt", func(line []byte) {
		n++
		if !slices.Contains(flagged(t, string(line)), catAlike) {
			t.Errorf("%s: got %q", line, flagged(t, string(line)))
		}
	})
	if n < 10 {
		t.Errorf("only %d texts", n)
	}
}

// TestHomoglyphPairs puts the second of each pair in the place of the first,
// in words of the first one's script.
func TestHomoglyphPairs(t *testing.T) {
	n := 0
	rows(t, "detectors/unicode/garak_intentional_homoglyphs.txt", func(line []byte) {
		fields := strings.Fields(string(line))
		if len(fields) < 3 || fields[1] != ";" {
			return
		}
		var pair [2]rune
		for i, f := range []string{fields[0], fields[2]} {
			c, err := strconv.ParseInt(f, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			pair[i] = rune(c)
		}
		n++
		first, second := string(pair[0]), string(pair[1])
		for _, word := range []string{"te" + second + "st", first + second + first, "the word " + first + first + second + first + " there"} {
			if !slices.Contains(flagged(t, word), catAlike) {
				t.Errorf("%s for %s: not found in %q", second, first, word)
			}
		}
	})
	if n < 70 {
		t.Errorf("only %d pairs", n)
	}
}
