// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/vet"
)

// The document of vet --format json, see docs/vet.schema.json.
type (
	vetDocument struct {
		Diagnostics []vetDiagnostic `json:"diagnostics"`
		Fixed       []vetFixed      `json:"fixed"`
		Rules       int             `json:"rules"`
	}
	vetDiagnostic struct {
		Code     string `json:"code"`
		Title    string `json:"title"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		Help     string `json:"help,omitempty"`
		vetPlace
		Notes []vetNote `json:"notes,omitempty"`
		Fix   *vetFix   `json:"fix,omitempty"`
	}
	vetPlace struct {
		File      string `json:"file"`
		Line      int    `json:"line"`
		Column    int    `json:"column"`
		EndLine   int    `json:"end_line"`
		EndColumn int    `json:"end_column"`
	}
	vetNote struct {
		Message string `json:"message"`
		vetPlace
	}
	vetFix struct {
		What  string    `json:"what"`
		Keeps bool      `json:"keeps_verdicts"`
		Edits []vetEdit `json:"edits"`
	}
	vetEdit struct {
		vetPlace
		Text string `json:"text"`
	}
	vetFixed struct {
		File  string `json:"file"`
		Line  int    `json:"line"`
		What  string `json:"what"`
		Keeps bool   `json:"keeps_verdicts"`
	}
)

// print writes what there is to say.
func (v *vetting) print(policy *loadedPolicy, found []vet.Diagnosis, mended []mendedFile) error {
	switch v.format {
	case "json":
		return report.WriteJSON(v.cmd.OutOrStdout(), vetDocumentOf(policy, found, mended))
	case "text":
		return v.printText(v.cmd.OutOrStdout(), policy, found, mended)
	}
	printFixes(v.cmd.ErrOrStderr(), mended)
	notes := make([]report.Note, len(found))
	for i, d := range found {
		line, column := d.Span.Position()
		doc, _ := diag.Lookup(d.Code)
		notes[i] = report.Note{Level: vetSeverity(d), ID: d.Code, Title: doc.Title, Message: noteText(d), Path: d.Span.File.Name, Line: line, Column: column}
	}
	return report.WriteNotes(v.format, v.reportOptions(), notes)
}

// vetSeverity is what a diagnostic counts as.
func vetSeverity(d vet.Diagnosis) string {
	if d.Severity == diag.Error {
		return "error"
	}
	return "warning"
}

// noteText is a diagnostic as lines of text.
func noteText(d vet.Diagnosis) string {
	text := d.Message
	for _, n := range d.Notes {
		line, _ := n.Span.Position()
		text += fmt.Sprintf("\n%s: line %d", n.Text, line)
	}
	if d.Help != "" {
		text += "\n" + d.Help
	}
	return text
}

func (v *vetting) printText(w io.Writer, policy *loadedPolicy, found []vet.Diagnosis, mended []mendedFile) error {
	printFixes(w, mended)
	for _, list := range byFile(found) {
		if err := diag.Render(w, list); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s in %s\n", plural(len(found), "diagnostic"), plural(len(policy.Rules()), "rule"))
	return err
}

// printFixes says what was mended, and whether verdicts can change by it.
func printFixes(w io.Writer, mended []mendedFile) {
	for _, m := range mended {
		for _, fix := range m.fixes {
			effect := "no verdict changes"
			if !fix.Keeps {
				effect = "verdicts can change"
			}
			fmt.Fprintf(w, "%s:%d: fixed: %s (%s)\n", escapeText(m.name), fix.line, escapeText(fix.What), effect)
		}
	}
}

func vetDocumentOf(policy *loadedPolicy, found []vet.Diagnosis, mended []mendedFile) vetDocument {
	doc := vetDocument{Diagnostics: []vetDiagnostic{}, Fixed: []vetFixed{}, Rules: len(policy.Rules())}
	for _, d := range found {
		page, _ := diag.Lookup(d.Code)
		one := vetDiagnostic{Code: d.Code, Title: page.Title, Severity: vetSeverity(d), Message: d.Message, Help: d.Help, vetPlace: vetPlaceOf(d.Span)}
		for _, n := range d.Notes {
			one.Notes = append(one.Notes, vetNote{n.Text, vetPlaceOf(n.Span)})
		}
		if d.Fix != nil {
			one.Fix = &vetFix{What: d.Fix.What, Keeps: d.Fix.Keeps}
			for _, e := range d.Fix.Edits {
				one.Fix.Edits = append(one.Fix.Edits, vetEdit{vetPlaceOf(e.Span), e.Text})
			}
		}
		doc.Diagnostics = append(doc.Diagnostics, one)
	}
	for _, m := range mended {
		for _, fix := range m.fixes {
			doc.Fixed = append(doc.Fixed, vetFixed{m.name, fix.line, fix.What, fix.Keeps})
		}
	}
	return doc
}

func vetPlaceOf(s diag.Span) vetPlace {
	p := vetPlace{File: s.File.Name}
	p.Line, p.Column = s.File.Position(s.Start)
	p.EndLine, p.EndColumn = s.File.Position(s.End)
	return p
}
