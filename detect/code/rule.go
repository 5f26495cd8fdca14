// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package code

import (
	"github.com/holdfast-dev/holdfast/detect/code/javascript"
	"github.com/holdfast-dev/holdfast/detect/code/python"
	"github.com/holdfast-dev/holdfast/detect/code/shell"
	"github.com/holdfast-dev/holdfast/detect/code/sql"
)

// A Rule is one thing that is reported.
type Rule struct {
	Language    string
	ID          string // the Kind of its findings
	CWE         string // "CWE-78"; "" where none fits
	Severity    string // "error", "warning" or "info"
	Description string
}

// Rules returns the rules of all languages, in the order of the documentation.
func Rules() []Rule {
	var out []Rule
	for _, r := range python.Rules() {
		out = append(out, Rule{"python", r.ID, r.CWE, r.Severity, r.Description})
	}
	for _, r := range shell.Rules() {
		out = append(out, Rule{"bash", r.ID, r.CWE, r.Severity, r.Description})
	}
	for _, r := range javascript.Rules() {
		out = append(out, Rule{"javascript", r.ID, r.CWE, r.Severity, r.Description})
	}
	for _, r := range sql.Rules() {
		out = append(out, Rule{"sql", r.ID, r.CWE, r.Severity, r.Description})
	}
	return out
}
