// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"errors"
	"fmt"
	"strings"
)

// A Note is what a command that checks no traces has to say about a place in a
// file: a test that fails, a call that another policy would judge otherwise.
type Note struct {
	Level   string // "error", "warning" or "note"
	ID      string // the same for notes of one kind
	Title   string // of the kind, in one line
	Message string
	Path    string // of the file
	Line    int    // from 1; 0 for the file as a whole
	Column  int    // from 1, in characters; 0 for the line as a whole
}

// NoteFormats returns the formats that WriteNotes knows.
func NoteFormats() []string { return []string{"sarif", "github"} }

// WriteNotes writes notes as "sarif", one document, or "github", workflow
// commands. Texts need not be safe to print.
func WriteNotes(format string, o *Options, notes []Note) error {
	switch format {
	case "sarif":
		return o.sarifNotes(notes)
	case "github":
		r := &githubReport{Options: o, begun: true}
		annotations := make([]annotation, len(notes))
		for i, n := range notes {
			annotations[i] = o.annotationOfNote(n)
		}
		if err := r.emit(annotate(annotations...)); err != nil {
			return err
		}
		return r.Finish()
	}
	return fmt.Errorf("no format %q of notes, want one of %s", format, strings.Join(NoteFormats(), ", "))
}

// levelNamed returns the level with a name of SARIF.
func levelNamed(name string) level {
	for l, n := range sarifLevels {
		if n == name {
			return level(l)
		}
	}
	return levelError
}

func (o *Options) annotationOfNote(n Note) annotation {
	a := annotation{level: levelNamed(n.Level), title: n.ID, file: o.pathOf(n.Path), line: n.Line, column: n.Column}
	for line := range strings.SplitSeq(n.Message, "\n") {
		a.message = append(a.message, shortenTo(line, maxMessage))
	}
	return a
}

func (o *Options) sarifNotes(notes []Note) error {
	rules, index := noteRules(notes)
	if err := writeSARIFHead(o, rules); err != nil {
		return err
	}
	objects := make([]sarifResult, len(notes))
	for i, n := range notes {
		objects[i] = sarifResult{
			RuleID: EscapeLine(n.ID), RuleIndex: index[n.ID], Level: sarifLevels[levelNamed(n.Level)],
			Message:      sarifMessage{plainMessage(shortenTo(strings.ReplaceAll(n.Message, "\n", "; "), maxMessage))},
			Locations:    []sarifLocation{{Physical: o.physical(n.Path, n.Line, n.Column)}},
			Fingerprints: fingerprints(n.ID, o.pathOf(n.Path), n.Message),
		}
	}
	results, err := appendList(nil, objects)
	if err := errors.Join(err, write(o.Out, results)); err != nil {
		return err
	}
	return writeSARIFEnd(o, sarifInvocation{CommandLine: o.commandLine(), Successful: true})
}

// noteRules describes the kinds of notes, and tells where each stands.
func noteRules(notes []Note) (rules []sarifRule, index map[string]int) {
	index = map[string]int{}
	for _, n := range notes {
		if _, ok := index[n.ID]; ok {
			continue
		}
		index[n.ID] = len(rules)
		title := sarifMessage{shortenTo(n.Title, maxMessage)}
		rule := sarifRule{ID: EscapeLine(n.ID), Short: title, Full: title, Help: title}
		rule.Default.Level = sarifLevels[levelNamed(n.Level)]
		rule.Properties.Severity = severities[levelNamed(n.Level)]
		rules = append(rules, rule)
	}
	return rules, index
}
