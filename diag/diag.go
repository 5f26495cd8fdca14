// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package diag holds what the compiler says about a policy: source files,
// spans, diagnostics with stable codes, and their rendering with carets.
// The parser and the checker make diagnostics; the command line and whoever
// embeds the library print them.
//
// A Diagnostic points at the smallest span that shows the mistake, in a File.
// A List of them is an error. Nothing of a source reaches the output with its
// control characters intact.
package diag

// Severity tells errors, which refuse a policy, from warnings, which do not.
type Severity uint8

// The severities.
const (
	Error Severity = iota
	Warning
)

// A Note is a second place that belongs to a diagnostic.
type Note struct {
	Span Span
	Text string
}

// A Diagnostic is one thing the compiler has to say about a policy.
type Diagnostic struct {
	Code     string // "P0203", from the table in codes.go
	Severity Severity
	Span     Span   // the smallest one that shows the mistake
	Message  string // lower case, no period: `type Function has no field "argumnets"`
	Help     string // optional, printed last: `did you mean "arguments"?`
	Notes    []Note
}
