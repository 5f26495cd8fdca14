// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package coderule says what a rule about code is told with, whatever the
// language.
package coderule

// A Rule is one thing that is reported.
type Rule struct {
	ID          string // the Kind of its findings
	CWE         string // "CWE-78"; "" where none fits
	Severity    string // "error", "warning" or "info"
	Description string
	Match       []string // texts in which the rule finds something
	NoMatch     []string // texts that only look as if
}

// Of returns the rule of a name; a name that is none is a mistake of the
// package whose rules they are, which its tests find.
func Of(rules []Rule, id string) *Rule {
	for i := range rules {
		if rules[i].ID == id {
			return &rules[i]
		}
	}
	panic("no rule " + id)
}
