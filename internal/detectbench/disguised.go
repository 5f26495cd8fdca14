// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
)

// licenceEvasions disguises the texts of licences and the notices in them and
// in the licence files of the corpora.
func licenceEvasions(b *bench) (*Table, error) {
	texts, err := b.licenceTexts()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(b.Data, "licences")
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, sample{file.Name(), string(text)})
	}
	var all []positive
	for _, s := range texts {
		found, err := b.ask("copyright", detect.Request{Text: s.text, Views: []string{detect.Raw}})
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			p := positive{kind: f.Kind, text: s.text, start: f.Start, end: f.End}
			if f.Kind == licenceText {
				p.said = f.Text // another licence is not this one
			} else {
				p.around(200)
			}
			all = append(all, p)
		}
	}
	return b.evade("copyright", all)
}

// around cuts a positive's text to what stands round it.
func (p *positive) around(most int) {
	runes := []rune(p.text)
	from, to := max(0, p.start-most), min(len(runes), p.end+most)
	p.text, p.start, p.end = string(runes[from:to]), p.start-from, p.end-from
}

// moderatedEvasions disguises the sentences of our own that the local scorer
// finds something in.
func moderatedEvasions(b *bench) (*Table, error) {
	lines, err := b.moderationLines()
	if err != nil {
		return nil, err
	}
	var all []positive
	for _, text := range slices.Sorted(maps.Keys(lines)) {
		_, category, _ := strings.Cut(lines[text], "\t")
		if p, ok := b.positiveIn("moderated", category, text, ""); ok {
			all = append(all, p)
		}
	}
	return b.evade("moderated", all)
}
