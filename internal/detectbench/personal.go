// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/pii"
)

// entities are the parameters by which pii is asked for kinds.
func entities(kinds ...string) string {
	list, err := json.Marshal(kinds)
	if err != nil {
		panic(err) // strings can be written
	}
	return `{"entities":` + string(list) + `}`
}

// personalKinds lists the kinds, with an example.
func personalKinds(*bench) (*Table, error) {
	examples := map[string]pii.Example{}
	unasked := map[string]bool{"EMAIL_ADDRESS": true, "IP_ADDRESS": true, "MAC_ADDRESS": true, "URL": true, "PHONE_NUMBER": true}
	for _, e := range pii.Examples() {
		if _, ok := examples[e.Kind]; !ok {
			examples[e.Kind] = e
		}
		unasked[e.Kind] = unasked[e.Kind] || slices.ContainsFunc(pii.Find(e.Text, nil), func(s detect.Span) bool {
			return s.Kind == e.Kind && s.Start < e.End && e.Start < s.End
		})
	}
	t := &Table{
		Title: fmt.Sprintf("Kinds of personal data: %d", len(pii.Kinds())),
		Note:  "Unasked: some form of it is found without being named, by itself or beside a word that says what it is.",
		Head:  []string{"kind", "unasked", "example"},
	}
	for _, kind := range pii.Kinds() {
		example := ""
		if e, ok := examples[kind]; ok {
			example = "`" + e.Text + "`"
		}
		t.Rows = append(t.Rows, []string{"`" + kind + "`", map[bool]string{true: "yes", false: "no"}[unasked[kind]], example})
	}
	return t, nil
}

// personalCases judges what is found by Presidio's tables, kind by kind.
func personalCases(b *bench) (*Table, error) {
	cases, err := b.presidioCases()
	if err != nil {
		return nil, err
	}
	exceptions, err := b.exceptions()
	if err != nil {
		return nil, err
	}
	var counts tallies
	unasked := &tally{}
	listed := 0
	for _, c := range cases {
		switch _, ok := exceptions[c.line]; {
		case ok:
			listed++
			continue
		case slices.Equal(c.kinds, []string{"PERSON"}): // by gazetteer and shape: see the names
			continue
		}
		right := c.judge(pii.Find(c.text, c.kinds))
		counts.of(strings.Join(c.kinds, ", ")).count(c.n != 0, right == (c.n != 0))
		found, err := b.ask("pii", detect.Request{Text: c.text})
		unasked.count(c.n != 0, err == nil && slices.ContainsFunc(found, func(f detect.Finding) bool { return slices.Contains(c.kinds, f.Kind) }))
	}
	t := &Table{
		Title: "What of Presidio's cases is found",
		Note: fmt.Sprintf("Rows of the tables that Presidio's recognizers are tested with, the kind named, offsets exact. "+
			"%d rows that ask for another mode of the recognizer are left out; they are listed with their reasons in detect/pii/testdata/exceptions.txt. "+
			"The second line is what the function `pii` finds of the same without being told the kind: most rows are a bare number.", listed),
		Head: tallyHead,
	}
	t.Rows = append(t.Rows, counts.sum().row("all"), unasked.row("`pii`, no kind named"))
	slices.Sort(counts.kinds)
	for _, kind := range counts.kinds {
		t.Rows = append(t.Rows, counts.of(kind).row("`"+kind+"`"))
	}
	return t, nil
}

// personalClean counts outputs with findings in what tools put out when nobody
// attacks.
func personalClean(b *bench) (*Table, error) {
	truly, err := b.labels("detect/pii/testdata/judged.txt", func(f []string) (string, string) {
		words := strings.Fields(f[0])
		return words[0] + " " + words[1], "true"
	})
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "Personal data in clean tool outputs",
		Note: "Outputs with a finding of the kind, no kind named. Falsely: with one that nobody has judged to be what it is said to be; " +
			"of an e-mail address and an IBAN that adds up the form is proof, of days and URLs no form tells whether they are personal. In a view: found in no other way.",
		Head: []string{"corpus", "kind", "outputs", "with", "falsely", "share", "in a view"},
	}
	for _, c := range []corpus{dojoOutputs, tauOutputs} {
		texts, err := b.read(c)
		if err != nil {
			return nil, err
		}
		kinds, with, err := b.withPersonal(texts, truly)
		if err != nil {
			return nil, err
		}
		for _, kind := range kinds {
			n := with[kind]
			falsely, part := judgedFalse(truly, strconv.Itoa(n.falsely)), judgedFalse(truly, share(n.falsely, len(texts)))
			if kind == "DATE_TIME" || kind == "URL" {
				falsely, part = "-", "-"
			}
			t.Rows = append(t.Rows, []string{string(c), "`" + kind + "`", strconv.Itoa(len(texts)), strconv.Itoa(n.outputs), falsely, part, strconv.Itoa(n.viewed)})
		}
	}
	return t, nil
}

// outputs counts texts with a finding of a kind.
type outputs struct{ outputs, falsely, viewed int }

// untold is the row of texts that the detector could not tell about.
const untold = "not told"

func (b *bench) withPersonal(texts []sample, truly map[string]string) (kinds []string, with map[string]*outputs, err error) {
	with = map[string]*outputs{}
	for _, s := range texts {
		found, err := b.ask("pii", detect.Request{Text: s.text})
		if b.ctx.Err() != nil {
			return nil, nil, b.ctx.Err()
		}
		if err != nil {
			found = []detect.Finding{{Kind: untold, View: detect.Raw}}
		}
		here := map[string]outputs{}
		for _, f := range found {
			datum := cut(s.text, f.Start, f.End)
			form := f.View == detect.Raw && (f.Kind == "EMAIL_ADDRESS" || f.Kind == "IBAN_CODE")
			known := form || truly[fmt.Sprintf("%s %.8x", f.Kind, sha256.Sum256([]byte(datum)))] != ""
			n := here[f.Kind]
			here[f.Kind] = outputs{1, max(n.falsely, one(!known)), max(n.viewed, one(f.View != detect.Raw))}
		}
		for kind, n := range here {
			if with[kind] == nil {
				with[kind] = &outputs{}
				kinds = append(kinds, kind)
			}
			with[kind].outputs += n.outputs
			with[kind].falsely += n.falsely
			with[kind].viewed += n.viewed
		}
	}
	slices.Sort(kinds)
	return kinds, with, nil
}

// personalNames measures people and places on sentences of our own.
func personalNames(b *bench) (*Table, error) {
	src, err := os.ReadFile(filepath.Join(b.Repo, "detect", "pii", "testdata", "names.txt"))
	if err != nil {
		return nil, err
	}
	counts := map[string]*[3]int{"PERSON": {}, "LOCATION": {}} // labels, found, right
	sentences := 0
	for line := range strings.Lines(string(src)) {
		if line[0] == '#' {
			continue
		}
		sentences++
		text, want := labelled(strings.TrimSpace(line))
		for _, w := range want {
			counts[w.Kind][0]++
		}
		for _, f := range pii.Find(text, []string{"PERSON", "LOCATION"}) {
			counts[f.Kind][1]++
			counts[f.Kind][2] += one(slices.ContainsFunc(want, func(w detect.Span) bool {
				return f.Kind == w.Kind && (f.Start >= w.Start && f.End == w.End || f.Start <= w.Start && f.End >= w.End)
			}))
		}
	}
	t := &Table{
		Title: fmt.Sprintf("People and places in %d sentences of our own", sentences),
		Note:  "A finding counts if it has a label's kind and covers it, or all of it but a title.",
		Head:  []string{"kind", "labels", "found", "right", "precision", "recall"},
	}
	for _, kind := range []string{"PERSON", "LOCATION"} {
		n := counts[kind]
		t.Rows = append(t.Rows, []string{
			"`" + kind + "`", strconv.Itoa(n[0]), strconv.Itoa(n[1]), strconv.Itoa(n[2]), share(n[2], n[1]), share(n[2], n[0]),
		})
	}
	return t, nil
}

// labelled takes the marks out of a sentence: [ ] for people, { } for places.
func labelled(line string) (text string, want []detect.Span) {
	var plain strings.Builder
	start := 0
	for _, c := range line {
		switch c {
		case '[', '{':
			start = plain.Len()
		case ']':
			want = append(want, detect.Span{Kind: "PERSON", Start: start, End: plain.Len()})
		case '}':
			want = append(want, detect.Span{Kind: "LOCATION", Start: start, End: plain.Len()})
		default:
			plain.WriteRune(c)
		}
	}
	return plain.String(), want
}

// personalEvasions disguises the data in Presidio's positive cases, and our
// own. A kind is asked for by its name.
func personalEvasions(b *bench) (*Table, error) {
	all, err := b.personalPositives()
	if err != nil {
		return nil, err
	}
	return b.evade("pii", all)
}

func (b *bench) personalPositives() ([]positive, error) {
	cases, err := b.presidioCases()
	if err != nil {
		return nil, err
	}
	var out []positive
	for _, c := range cases {
		if c.n <= 0 || c.kinds[0] == "PERSON" {
			continue
		}
		if p, ok := b.positiveIn("pii", c.kinds[0], c.text, entities(c.kinds...)); ok {
			out = append(out, p)
		}
	}
	for _, e := range pii.Examples() {
		if p, ok := b.positiveIn("pii", e.Kind, e.Text, entities(e.Kind)); ok {
			out = append(out, p)
		}
	}
	return out, b.ctx.Err()
}

// exceptions are the lines of the case file that are not met, with reasons.
func (b *bench) exceptions() (map[int]string, error) {
	src, err := os.ReadFile(filepath.Join(b.Repo, "detect", "pii", "testdata", "exceptions.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	out := map[int]string{}
	for line := range strings.Lines(string(src)) {
		number, reason, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if n, err := strconv.Atoi(number); err == nil {
			out[n] = reason
		}
	}
	return out, err
}
