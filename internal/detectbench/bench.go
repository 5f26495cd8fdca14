// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package detectbench measures detectors: what of labelled data they find, how
// often they are wrong in texts that hold nothing, what of it they still find
// in disguise, and how fast they are. The figures of docs/detectors.md come
// from here.
//
// Corpora are files of a folder that is given; none of them is part of this
// repository. What needs a file that is not there is left out, with a note.
package detectbench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
)

// Options say what to measure.
type Options struct {
	Detectors map[string]detect.Detector // by the name of their function
	Names     []string                   // of those to measure; nil for all
	Data      string                     // folder of the corpora
	Repo      string                     // folder of this repository: findings that somebody has judged
	Untimed   bool                       // leave out what depends on the machine

	// Clock says how long the process has worked, on all cores together, so
	// that what else the machine does counts little. Nil: how long it runs.
	Clock   func() time.Duration
	Machine string // what speeds depend on, for their tables: the machine, the day
}

// A Table is one measurement, ready to be shown.
type Table struct {
	Name  string // unique: "secrets-vectors"
	Title string
	Note  string // what the figures mean; "" if the title says it
	Head  []string
	Rows  [][]string
	Timed bool // it depends on the machine
}

// A Report is all that was measured, and what could not be.
type Report struct {
	Tables  []Table
	Skipped []string // for people: what is missing, and why
}

// A measure makes one table.
type measure struct {
	detector, name string
	timed          bool
	run            func(*bench) (*Table, error)
}

// measures are all there are, in the order of the report.
func measures() []measure {
	return []measure{
		{"secrets", "secrets-kinds", false, secretKinds},
		{"secrets", "secrets-vectors", false, secretVectors},
		{"secrets", "secrets-clean", false, secretClean},
		{"secrets", "secrets-source", true, secretSource},
		{"secrets", "secrets-evasions", false, secretEvasions},
		{"secrets", "secrets-speed", true, func(b *bench) (*Table, error) { return b.speed("secrets") }},
		{"pii", "pii-kinds", false, personalKinds},
		{"pii", "pii-cases", false, personalCases},
		{"pii", "pii-clean", false, personalClean},
		{"pii", "pii-names", false, personalNames},
		{"pii", "pii-evasions", false, personalEvasions},
		{"pii", "pii-speed", true, func(b *bench) (*Table, error) { return b.speed("pii") }},
		{"semgrep", "semgrep-rules", false, codeRules},
		{"semgrep", "semgrep-fragments", false, codeCases},
		{"semgrep", "semgrep-library", true, codeLibrary},
		{"semgrep", "semgrep-evasions", false, codeDisguised},
		{"semgrep", "semgrep-speed", true, codeSpeed},
		{"prompt_injection", "injection-kinds", false, injectionKinds},
		{"prompt_injection", "injection-tuned", false, injectionTuned},
		{"prompt_injection", "injection-tested", false, injectionTested},
		{"prompt_injection", "injection-clean", false, injectionClean},
		{"prompt_injection", "injection-alarms", false, injectionAlarms},
		{"prompt_injection", "injection-evasions", false, injectionEvasions},
		{"prompt_injection", "injection-speed", true, func(b *bench) (*Table, error) { return b.speed("prompt_injection") }},
		{"unicode", "unicode-found", false, unicodeFound},
		{"unicode", "unicode-clean", false, unicodeClean},
		{"unicode", "unicode-speed", true, func(b *bench) (*Table, error) { return b.speed("unicode") }},
		{"copyright", "copyright-texts", false, licenceCases},
		{"copyright", "copyright-files", false, licenceFiles},
		{"copyright", "copyright-clean", false, licenceClean},
		{"copyright", "copyright-evasions", false, licenceEvasions},
		{"copyright", "copyright-source", true, licenceSource},
		{"copyright", "copyright-speed", true, func(b *bench) (*Table, error) { return b.speed("copyright") }},
		{"links", "links-found", false, markupLinks},
		{"links", "links-evasions", false, linkEvasions},
		{"links", "links-speed", true, func(b *bench) (*Table, error) { return b.speed("links") }},
		{"html_code", "html_code-speed", true, func(b *bench) (*Table, error) { return b.speed("html_code") }},
		{"moderated", "moderated-sentences", false, moderatedSentences},
		{"moderated", "moderated-clean", false, moderatedClean},
		{"moderated", "moderated-evasions", false, moderatedEvasions},
		{"topic", "topic-texts", false, topicTexts},
		{"moderated", "moderated-speed", true, func(b *bench) (*Table, error) { return b.speed("moderated") }},
	}
}

// A bench is the state of one Run.
type bench struct {
	*Options
	ctx   context.Context
	texts map[corpus][]sample // read so far
}

// Run measures. It ends early with the error of ctx.
func Run(ctx context.Context, o *Options) (*Report, error) {
	for _, name := range o.Names {
		if o.Detectors[name] == nil {
			return nil, fmt.Errorf("there is no detector %q, want one of %q", name, slices.Sorted(maps.Keys(o.Detectors)))
		}
	}
	own := *o
	b := &bench{Options: &own, ctx: ctx, texts: map[corpus][]sample{}}
	if b.Clock == nil {
		began := time.Now()
		b.Clock = func() time.Duration { return time.Since(began) }
	}
	out := &Report{}
	for _, m := range measures() {
		if m.timed && o.Untimed || o.Names != nil && !slices.Contains(o.Names, m.detector) || o.Detectors[m.detector] == nil {
			continue
		}
		table, err := m.run(b)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			out.Skipped = append(out.Skipped, fmt.Sprintf("%s is left out: %v", m.name, err))
			continue
		case err != nil:
			return nil, fmt.Errorf("measuring %s: %w", m.name, err)
		}
		table.Name, table.Timed = m.name, m.timed
		out.Tables = append(out.Tables, *table)
	}
	return out, nil
}

// where says on what something was measured, behind a sentence.
func (b *bench) where() string {
	if b.Machine == "" {
		return ""
	}
	return " Measured on " + b.Machine + "."
}

// ask asks one detector about one text. A text that the detector cannot tell
// about is an error of the caller's, who knows whether that counts.
func (b *bench) ask(detector string, r detect.Request) ([]detect.Finding, error) {
	out, err := b.Detectors[detector].Detect(b.ctx, []detect.Request{r})
	if err != nil {
		return nil, err
	}
	return out[0].Findings, out[0].Err
}

// has reports whether a finding of the kind touches the code points from start
// to end.
func has(found []detect.Finding, kind string, start, end int) bool {
	return slices.ContainsFunc(found, func(f detect.Finding) bool {
		return f.Kind == kind && f.Start < end && start < f.End
	})
}

// share is a part of a whole, for people.
func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	// Cut, not rounded: 1.000 means all.
	return fmt.Sprintf("%.3f", float64(part*1000/whole)/1000)
}
