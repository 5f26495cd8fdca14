// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package report writes what traces come to, for people and for machines. The
// commands that check traces use it.
//
// A Report turns each Result into a Piece, which many goroutines may do at
// once, and writes the pieces in the order of the input. It holds no more than
// the sums it ends with, however many results there are.
//
// Traces are written by whoever the agent talked to, so nothing of them, of
// paths and of policies reaches an output with its control characters intact.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Result is what one trace came to.
type Result struct {
	Path    string // as it was named; "-" is standard input
	Index   int    // among the traces of its file
	Record  trace.Record
	Trace   *trace.Trace     // nil if it could not be read
	Verdict holdfast.Verdict // if Err is nil
	Online  *Stop            // nil if a deployment would have let the run through, or was not asked about
	Err     error            // why it could not be read or checked
	Unread  bool             // Err is of reading
}

// A Stop is where a deployment would have ended a run.
type Stop struct {
	Event     int
	Address   string // of the call, or else of the event
	Prevented bool   // false: it had happened when it was seen
}

// Options are what a report needs to know beside the results. Nil and zero
// fields are fine, but for the writers.
type Options struct {
	Out, Err io.Writer
	Color    bool // for terminals
	Online   bool // the results say where a deployment would have stopped
	Policy   *holdfast.Policy

	// Line returns line n of a policy file, "" if it is not known.
	Line func(file string, n int) string

	// Decode is how the records were decoded, to find places in them.
	Decode *trace.DecodeOptions

	// Fails reports whether a verdict counts as a failed test. Nil: all that
	// are not Allow.
	Fails func(holdfast.Verdict) bool

	Dir     string // the working directory: absolute paths below it become relative
	Version string // of the program
	Command string // that was run: "check"
}

// line returns a line of a policy file.
func (o *Options) line(file string, n int) string {
	if o.Line == nil {
		return ""
	}
	return o.Line(file, n)
}

// fails reports whether a verdict counts as a failure.
func (o *Options) fails(v holdfast.Verdict) bool {
	if o.Fails == nil {
		return !v.Allowed()
	}
	return o.Fails(v)
}

// A Piece is a rendered result: what Write will write to Options.Out and
// Options.Err. It belongs to the report that made it.
type Piece struct {
	Out, Err []byte

	path string // of the trace
	sum  sum
	err  error // of rendering
}

// A sum is what the end of a report adds up.
type sum struct {
	decision string // "" if there is none
	failed   bool
	more     [levels]uint64 // annotations that are not in Out
	notice   *sarifNotice   // that the end of the report repeats
}

// A Report writes results in one format.
type Report interface {
	// Render makes the report's part on one result. It is safe for concurrent
	// use.
	Render(Result) Piece

	// Write writes a piece. Pieces come in the order of the input, from one
	// goroutine. Each is at once on its way: who wants fewer, larger writes
	// gives the Options a buffer.
	Write(Piece) error

	// Finish writes the end of the report: without it no reader takes the
	// output for whole, in the formats that are one document.
	Finish() error
}

// A format is how a report is made and how a policy that does not load is
// reported.
type format struct {
	name string
	open func(*Options) (Report, error)
	load func(*Options, error) error
}

// formats are all of them, in the order in which they are shown.
func formats() []format {
	return []format{
		{"text", openText, loadText},
		{"json", openJSON, loadJSON},
		{"jsonl", openJSON, loadJSON},
		{"sarif", openSARIF, loadSARIF},
		{"github", openGitHub, loadGitHub},
		{"junit", openJUnit, loadJUnit},
	}
}

// Formats returns the names of the formats.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// formatOf finds a format by its name.
func formatOf(name string) (format, error) {
	for _, f := range formats() {
		if f.name == name {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("got format %s, want one of %s", name, strings.Join(Formats(), ", "))
}

// New begins a report. In the formats for people it writes the policy's
// warnings to o.Err; for machines they are part of the report. The error is
// about the name of the format, or of writing.
func New(name string, o *Options) (Report, error) {
	f, err := formatOf(name)
	if err != nil {
		return nil, err
	}
	return f.open(o)
}

// Load reports that the policy does not load, err saying why: for people on
// o.Err, for machines on o.Out, as a whole document of the format. The error is
// about the name of the format, or of writing.
func Load(name string, o *Options, err error) error {
	f, unknown := formatOf(name)
	if unknown != nil {
		return unknown
	}
	return f.load(o, err)
}
