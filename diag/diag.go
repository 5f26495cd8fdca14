// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package diag holds what the compiler says about a policy: source files,
// spans, diagnostics with stable codes, and their rendering with carets.
package diag

// A File is one policy source. Name is what diagnostics print.
type File struct {
	Name string
	Src  []byte
	// lines is the table of line starts, built by NewFile.
	lines []int
}

// A Span is a half-open range of bytes in a file. The zero Span is nowhere.
type Span struct {
	File       *File
	Start, End int
}

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

// A List is a list of diagnostics. It is an error when it is not empty.
type List []Diagnostic
