// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package shell

// A Rule is one thing that is reported.
type Rule struct {
	ID          string // the Kind of its findings
	CWE         string // "CWE-78"; "" where none fits
	Severity    string // "error", "warning" or "info"
	Description string
	Match       []string // texts in which the rule finds something
	NoMatch     []string // texts that only look as if
}

// Rules returns all rules, in the order of the documentation.
func Rules() []Rule { return rules }

var rules = []Rule{}
