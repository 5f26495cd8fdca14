// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
)

// commonest is how many licences of the list, which begins with the commonest,
// are measured.
const commonest = 20

// licenceText is the kind of what copyright finds of a licence.
const licenceText = "licence_text"

// licenceTexts are the texts that the fingerprints were made of.
func (b *bench) licenceTexts() (out []sample, err error) {
	file, err := os.Open(filepath.Join(b.Repo, "detect", "licence", "texts.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	for lines := json.NewDecoder(unzipped); ; {
		var line struct{ ID, Text string }
		err := lines.Decode(&line)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading the licences: %w", err)
		}
		out = append(out, sample{line.ID, line.Text})
	}
}

// licences asks which licences are in a text, best first, with their scores.
func (b *bench) licences(text string) ([]detect.Finding, error) {
	found, err := b.ask("copyright", detect.Request{Text: text})
	found = slices.DeleteFunc(found, func(f detect.Finding) bool { return f.Kind != licenceText })
	slices.SortStableFunc(found, func(x, y detect.Finding) int { return (y.End - y.Start) - (x.End - x.Start) })
	return found, err
}

// licenceForms are what becomes of a licence.
var licenceForms = []struct {
	name string
	make func(string) string
}{
	{"whole", func(text string) string { return text }},
	{"as a comment", asComment},
	{"first half", func(text string) string { return part(text, 0, 2) }},
	{"middle", func(text string) string { return part(text, 1, 3) }},
	{"second half", func(text string) string { return part(text, 2, 4) }},
}

// asComment breaks a text anew, behind the sign of a comment.
func asComment(text string) string {
	var out strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		if at += len(word) + 1; i == 0 || at > 64 {
			out.WriteString("\n// ")
			at = len(word)
		}
		out.WriteString(word + " ")
	}
	return out.String()
}

// part is the words of a text between two quarters.
func part(text string, from, to int) string {
	words := strings.Fields(text)
	return strings.Join(words[len(words)*from/4:len(words)*to/4], " ")
}

// licenceCases finds the commonest licences in the forms.
func licenceCases(b *bench) (*Table, error) {
	texts, err := b.licenceTexts()
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: fmt.Sprintf("The %d commonest of %d licences", commonest, len(texts)),
		Note: "The share of the licence's fingerprints that is found; where another one is found, that. " +
			"Halves are of the words. LGPL-3.0 is without the GPL, which SPDX prints behind it.",
		Head: []string{"licence", "words"},
	}
	for _, f := range licenceForms {
		t.Head = append(t.Head, f.name)
	}
	for _, l := range texts[:min(commonest, len(texts))] {
		row := []string{"`" + l.name + "`", strconv.Itoa(len(strings.Fields(l.text)))}
		for _, f := range licenceForms {
			found, err := b.licences(f.make(l.text))
			if err != nil {
				return nil, err
			}
			row = append(row, foundLicence(found, l.name))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func foundLicence(found []detect.Finding, want string) string {
	var others []string
	for _, f := range found {
		if f.Text == want {
			return fmt.Sprintf("%.2f", f.Score)
		}
		others = append(others, fmt.Sprintf("`%s` %.2f", f.Text, f.Score))
	}
	if others == nil {
		return "-"
	}
	return strings.Join(others, ", ")
}

// licenceFiles finds the licences of the corpora.
func licenceFiles(b *bench) (*Table, error) {
	dir := filepath.Join(b.Data, "licences")
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	t := &Table{Title: "Licence files of the corpora", Head: []string{"file", "found", "share", "notices"}}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			return nil, err
		}
		found, err := b.ask("copyright", detect.Request{Text: string(text)})
		if err != nil {
			return nil, err
		}
		name, shares, notices := "-", "-", 0
		for _, f := range found {
			if f.Kind == licenceText {
				name, shares = "`"+f.Text+"`", fmt.Sprintf("%.2f", f.Score)
			} else {
				notices++
			}
		}
		t.Rows = append(t.Rows, []string{file.Name(), name, shares, strconv.Itoa(notices)})
	}
	if t.Rows == nil {
		return nil, fmt.Errorf("no licences in %s: %w", dir, fs.ErrNotExist)
	}
	return t, nil
}

// speaksOfLicence are words of which a header that grants something has one.
var speaksOfLicence = []string{"copyright", "licen", "warrant", "permission", "redistribut", "©", "all rights"}

// withoutHeaders takes the paragraphs away that speak of a licence: lines in a
// row that are not empty, nor the sign of a comment alone, and those up to
// three such paragraphs behind, as a licence has several.
func withoutHeaders(text string) string {
	var out, paragraph strings.Builder
	near := 0
	flush := func() {
		lower := strings.ToLower(paragraph.String())
		speaks := slices.ContainsFunc(speaksOfLicence, func(word string) bool { return strings.Contains(lower, word) })
		if speaks {
			near = 3
		} else if near > 0 && paragraph.Len() > 0 {
			near--
		}
		if !speaks && near == 0 {
			out.WriteString(paragraph.String())
		}
		paragraph.Reset()
	}
	for line := range strings.Lines(text) {
		if strings.Trim(line, " \t\r\n#/*") == "" {
			flush()
			out.WriteString(line)
			continue
		}
		paragraph.WriteString(line)
	}
	flush()
	return out.String()
}

// licenceSource counts licences in libraries, which differ from one version of
// a language to the next.
func licenceSource(b *bench) (*Table, error) {
	t := &Table{
		Title: "Licences in standard libraries",
		Note: "Files with a finding. Without headers: a paragraph that has one of the words " + strings.Join(speaksOfLicence[:5], ", ") +
			" (or their continuations) is taken away, with the three behind it; what is found then is false." + b.where(),
		Head: []string{"corpus", "files", "with a notice", "with a licence's text", "without headers", "MB of those", untold},
	}
	for _, c := range []corpus{goSource, pythonSource} {
		texts, err := b.read(c)
		if err != nil {
			return nil, err
		}
		var notices, whole, stripped, left, silent int
		for _, s := range texts {
			found, err := b.ask("copyright", detect.Request{Text: s.text})
			if b.ctx.Err() != nil {
				return nil, b.ctx.Err()
			}
			isText := func(f detect.Finding) bool { return f.Kind == licenceText }
			notices += one(slices.ContainsFunc(found, func(f detect.Finding) bool { return !isText(f) }))
			whole += one(slices.ContainsFunc(found, isText))
			rest := withoutHeaders(s.text)
			left += len(rest)
			found, restErr := b.licences(rest)
			if b.ctx.Err() != nil {
				return nil, b.ctx.Err()
			}
			stripped += one(len(found) > 0)
			silent += one(err != nil || restErr != nil) // what is found beside an error is certain
		}
		t.Rows = append(t.Rows, []string{
			string(c), strconv.Itoa(len(texts)), strconv.Itoa(notices), strconv.Itoa(whole), strconv.Itoa(stripped), fmt.Sprintf("%.1f", float64(left)/1e6), strconv.Itoa(silent),
		})
	}
	return t, nil
}

// licenceClean counts findings in what tools put out when nobody attacks.
func licenceClean(b *bench) (*Table, error) {
	t := &Table{
		Title: "Licences and notices in clean tool outputs",
		Head:  []string{"corpus", "outputs", "with a licence's text", "with a notice"},
	}
	for _, c := range []corpus{dojoOutputs, tauOutputs} {
		texts, err := b.read(c)
		if err != nil {
			return nil, err
		}
		var licences, notices int
		for _, s := range texts {
			found, err := b.ask("copyright", detect.Request{Text: s.text})
			if err != nil {
				return nil, err
			}
			licences += one(slices.ContainsFunc(found, func(f detect.Finding) bool { return f.Kind == licenceText }))
			notices += one(slices.ContainsFunc(found, func(f detect.Finding) bool { return f.Kind != licenceText }))
		}
		t.Rows = append(t.Rows, []string{string(c), strconv.Itoa(len(texts)), strconv.Itoa(licences), strconv.Itoa(notices)})
	}
	return t, nil
}
