// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// An evasion disguises a text.
type evasion struct {
	name string
	// reversible says that the text can be had back without a guess. A
	// look-alike stands for a letter only as long as nobody writes in its
	// alphabet, and some letters carry marks by right.
	reversible bool
	disguise   func(r *rand.Rand, s string) string
}

func evasions() []evasion {
	return []evasion{
		{"homoglyph", false, func(_ *rand.Rand, s string) string { return lookAlike.Replace(s) }},
		{"zero-width", true, behind("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")},
		{"tag characters", true, inTags},
		{"bidi", true, turned},
		{"variation selector", true, behind("\ufe00", "\ufe0e", "\ufe0f", "\U000e0100", "\U000e01ef")},
		{"full-width", true, perRune(func(_ *rand.Rand, c rune) string { return string(fullWidth(c)) })},
		{"soft hyphen", true, behind("\u00ad")},
		{"combining marks", false, behind("\u0301", "\u0308", "\u0323", "\u0336", "\u0338", "\u20dd")},
		{"base64", true, inBase64},
		{"hex", true, inHex},
		{"hex, bytes apart", true, bytesApart},
		{"URL", true, func(_ *rand.Rand, s string) string { return perByte(s, "%%%02X") }},
		{"HTML entity", true, perRune(func(r *rand.Rand, c rune) string {
			return fmt.Sprintf(pick(r, "&#%d;", "&#x%x;", "&#X%X;", "&#%06d;"), c)
		})},
	}
}

// lookAlike writes letters in other alphabets.
var lookAlike = strings.NewReplacer(
	"a", "а", "c", "с", "e", "е", "i", "і", "j", "ј", "o", "о", "p", "р", "s", "ѕ", "x", "х", "y", "у", "d", "ԁ", "h", "һ", "q", "ԛ", "w", "ԝ", "v", "ν",
	"A", "А", "B", "В", "C", "С", "E", "Е", "H", "Н", "I", "І", "J", "Ј", "K", "К", "M", "М", "O", "О", "P", "Р", "S", "Ѕ", "T", "Т", "X", "Х", "Y", "Υ", "Z", "Ζ", "N", "Ν",
)

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// perRune changes every code point.
func perRune(change func(*rand.Rand, rune) string) func(*rand.Rand, string) string {
	return func(r *rand.Rand, s string) string {
		var out strings.Builder
		for _, c := range s {
			out.WriteString(change(r, c))
		}
		return out.String()
	}
}

// behind puts one of some characters behind every code point but the last.
func behind(marks ...string) func(*rand.Rand, string) string {
	return func(r *rand.Rand, s string) string {
		var out strings.Builder
		for i, c := range s {
			if i > 0 {
				out.WriteString(pick(r, marks...))
			}
			out.WriteRune(c)
		}
		return out.String()
	}
}

// inTags puts tag characters between the code points or, what is ASCII, spells
// it in them: nothing can be seen of it then.
func inTags(r *rand.Rand, s string) string {
	if r.IntN(2) == 0 && strings.IndexFunc(s, func(c rune) bool { return c < ' ' || c > '~' }) < 0 {
		return perRune(func(_ *rand.Rand, c rune) string { return string(0xE0000 + c) })(r, s)
	}
	return behind("\U000e0041", "\U000e0061", "\U000e0020", "\U000e007f")(r, s)
}

// turned puts marks and overrides of direction into the text.
func turned(r *rand.Rand, s string) string {
	if r.IntN(2) == 0 {
		return behind("\u200e", "\u200f", "\u061c")(r, s)
	}
	return perRune(func(r *rand.Rand, c rune) string {
		return pick(r, "\u202a", "\u202d", "\u2066", "\u2068") + string(c) + pick(r, "\u202c", "\u2069")
	})(r, s)
}

func fullWidth(c rune) rune {
	if c > ' ' && c < 0x7f {
		return c - '!' + 0xff01
	}
	return c
}

func inBase64(r *rand.Rand, s string) string {
	ways := [...]*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding}
	return ways[r.IntN(len(ways))].EncodeToString([]byte(s))
}

func inHex(r *rand.Rand, s string) string {
	switch r.IntN(3) {
	case 0:
		return hex.EncodeToString([]byte(s))
	case 1:
		return "0x" + strings.ToUpper(hex.EncodeToString([]byte(s)))
	}
	return perByte(s, `\x%02x`)
}

// bytesApart is hex as dumps print it: a thirteenth evasion, kept apart from
// what a program would write.
func bytesApart(r *rand.Rand, s string) string {
	sep := pick(r, " ", ":", "-", ", ")
	if sep == ", " {
		return strings.TrimSuffix(perByte(s, "0x%02x"+sep), sep)
	}
	return strings.TrimSuffix(perByte(s, "%02x"+sep), sep)
}

func perByte(s, format string) string {
	var out strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&out, format, c)
	}
	return out.String()
}

// A positive is a text in which a detector finds a kind, in code points.
type positive struct {
	kind, text, params string
	start, end         int
	said               string // the finding's text, where that has to be the same
}

const maxPositives = 1000

// sampled chooses positives, always the same of the same.
func sampled(all []positive) []positive {
	r := rand.New(rand.NewPCG(12, uint64(len(all))))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(len(all), maxPositives)]
}

// positiveIn returns the first finding of the kind in the raw text, if there
// is one: what is not found at all cannot be hidden.
func (b *bench) positiveIn(detector, kind, text, params string) (positive, bool) {
	found, err := b.ask(detector, detect.Request{Text: text, Params: params, Views: []string{detect.Raw}})
	if err != nil {
		return positive{}, false
	}
	for _, f := range found {
		if f.Kind == kind && f.Start < f.End {
			return positive{kind: kind, text: text, params: params, start: f.Start, end: f.End}, true
		}
	}
	return positive{}, false
}

// An outcome is what an evasion came to.
type outcome struct{ tried, found int }

// hidden is a positive in disguise: text, and where in it the disguise is.
type hidden struct {
	text       string
	start, end int
}

// datum disguises what is found and leaves the text around it.
func (p *positive) datum(r *rand.Rand, e *evasion) (hidden, bool) {
	runes := []rune(p.text)
	plain := string(runes[p.start:p.end])
	changed := e.disguise(r, plain)
	return hidden{
		string(runes[:p.start]) + changed + string(runes[p.end:]), p.start, p.start + utf8.RuneCountInString(changed),
	}, changed != plain
}

// whole disguises all of the text.
func (p *positive) whole(r *rand.Rand, e *evasion) (hidden, bool) {
	changed := e.disguise(r, p.text)
	return hidden{changed, 0, utf8.RuneCountInString(changed)}, changed != p.text
}

// in reports whether what was hidden is among findings.
func (p *positive) in(found []detect.Finding, h hidden) bool {
	return slices.ContainsFunc(found, func(f detect.Finding) bool {
		return f.Kind == p.kind && f.Start < h.end && h.start < f.End && (p.said == "" || f.Text == p.said)
	})
}

// newRandom is always the same, so that figures are.
func newRandom() *rand.Rand { return rand.New(rand.NewPCG(4, 12)) }

// try disguises positives one way and looks for them. An evasion that changes
// nothing of a text, as it has no such letters, is not tried on it.
func (b *bench) try(detector string, e *evasion, all []positive, hide func(*positive, *rand.Rand, *evasion) (hidden, bool)) (outcome, error) {
	var out outcome
	r := newRandom()
	for i := range all {
		p := &all[i]
		h, changed := hide(p, r, e)
		if !changed {
			continue
		}
		if err := b.ctx.Err(); err != nil {
			return out, err
		}
		out.tried++
		found, err := b.ask(detector, detect.Request{Text: h.text, Params: p.params})
		out.found += one(err == nil && p.in(found, h))
	}
	return out, nil
}

// evade makes the table of evasions of a detector.
func (b *bench) evade(detector string, all []positive) (*Table, error) {
	total := len(all)
	all = sampled(all)
	t := &Table{
		Title: fmt.Sprintf("Evasions of %s: %d of %d positives", detector, len(all), total),
		Note: "Share of the positives, found in the text as it stands, that are still found in disguise, of the same kind and at the same place: " +
			"with the datum alone disguised, and with all of the text. In brackets, how many a disguise changes. A text that the detector cannot tell about " +
			"counts as not found, although the rule that asks is unknown then, which blocks.",
		Head: []string{"evasion", "reversible", "datum", "whole text"},
	}
	for _, e := range evasions() {
		row := []string{e.name, map[bool]string{true: "yes", false: "no"}[e.reversible]}
		for _, hide := range []func(*positive, *rand.Rand, *evasion) (hidden, bool){(*positive).datum, (*positive).whole} {
			o, err := b.try(detector, &e, all, hide)
			if err != nil {
				return nil, err
			}
			row = append(row, fmt.Sprintf("%s (%d)", share(o.found, o.tried), o.tried))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}
