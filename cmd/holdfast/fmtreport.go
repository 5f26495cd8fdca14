// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/report"
)

// fmtFormats are the values of fmt --format.
var fmtFormats = []string{"text", "json", "sarif", "github"}

// A fmtReport is what fmt says to programs. As JSON it is a promise.
type fmtReport struct {
	Policies int          `json:"policies"` // that were looked at
	Differ   []fmtDiffers `json:"differ"`
	Failed   []fmtFailed  `json:"failed"`
}

type (
	fmtDiffers struct {
		Policy string `json:"policy"`
		Line   int    `json:"line"` // the first that differs
	}
	fmtFailed struct {
		Policy  string `json:"policy"` // "" if it is no single one
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Code    string `json:"code,omitempty"`
		Message string `json:"message"`
	}
)

// differs notes a policy that is not in its canonical form.
func (r *fmtReport) differs(name string, text, formatted []byte) {
	line := 1
	for i := 0; i < len(text) && i < len(formatted) && text[i] == formatted[i]; i++ {
		if text[i] == '\n' {
			line++
		}
	}
	r.Differ = append(r.Differ, fmtDiffers{Policy: name, Line: min(line, 1+bytes.Count(text, []byte("\n")))})
}

// failed notes why a policy could not be formatted.
func (r *fmtReport) failed(why error) {
	var list diag.List
	if !errors.As(why, &list) {
		r.Failed = append(r.Failed, fmtFailed{Message: why.Error()})
		return
	}
	for _, d := range list {
		f := fmtFailed{Code: d.Code, Message: d.Message}
		if file := d.Span.File; file != nil {
			f.Policy = file.Name
			f.Line, f.Column = file.Position(d.Span.Start)
		}
		r.Failed = append(r.Failed, f)
	}
}

// print writes the report in a format for programs.
func (r *fmtReport) print(format string, cmd *cobra.Command) error {
	if format == "json" {
		r.Differ, r.Failed = append([]fmtDiffers{}, r.Differ...), append([]fmtFailed{}, r.Failed...)
		return report.WriteJSON(cmd.OutOrStdout(), r)
	}
	var notes []report.Note
	for _, d := range r.Differ {
		notes = append(notes, report.Note{
			Level: "warning", ID: "format", Title: "The policy is not in its canonical form.",
			Message: "not in its canonical form from here on; holdfast fmt -w mends it", Path: d.Policy, Line: d.Line,
		})
	}
	for _, f := range r.Failed {
		if f.Policy != "" {
			notes = append(notes, report.Note{
				Level: "error", ID: f.Code, Title: titleOf(f.Code), Message: f.Message, Path: f.Policy, Line: f.Line, Column: f.Column,
			})
		}
	}
	return report.WriteNotes(format, diffOptions(cmd), notes)
}

// titleOf is what a diagnostic code is called.
func titleOf(code string) string {
	doc, _ := diag.Lookup(code)
	return doc.Title
}
