// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package report writes what checks come to, for people and for machines.
package report

import (
	"io"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Result is what one trace came to.
type Result struct {
	Path    string       // of the file, as it was named or below a folder that was
	Index   int          // among the traces of the file
	Record  trace.Record // the text that it was read from
	Trace   *trace.Trace // nil if it could not be read
	Verdict holdfast.Verdict
	Online  *Stop // where a deployment would have stopped the run; nil: nowhere, or not asked
	Err     error // why there is no verdict
	Unread  bool  // Err is of reading, not of checking
}

// A Stop is where a deployment would have stopped a run.
type Stop struct {
	Event     int
	Address   string // of the call, or of the event where no call is to blame
	Prevented bool   // false: it had happened when it was seen
}

// Options say how a report is written.
type Options struct {
	Out, Err io.Writer
	Color    bool
	Policy   *holdfast.Policy
	Line     func(file string, n int) string // of a policy; "" if it is not known
	Version  string                          // of the program
	Command  string                          // "check" or "scan"
}

// A Piece is what a report has to say of one result.
type Piece struct{ Out, Err []byte }

// A Report writes results in some format.
type Report interface {
	// Render makes the piece for a result. It is safe for concurrent use.
	Render(Result) Piece
	// Write writes pieces, in the order of the input.
	Write(Piece) error
	// Finish ends the report.
	Finish() error
}
