// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package shell finds what is dangerous in shell scripts, whole or cut.
//
// A script is read as a shell would read it, by mvdan.cc/sh with recovery, and
// then followed without running anything: words are put together where they
// are constant, so that c'u'rl, \curl, {curl,-s,x} and $C with C=curl are one
// command; wrappers such as sudo and env are taken off; what a command writes
// is handed to the next one of the pipe, with where it comes from: the
// network, an encoding, a file of credentials. Code in arguments, here
// documents and pipes to a shell is read in turn, to a depth.
//
// What cannot be parsed is looked at by its tokens.
package shell

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/detect"
)

// Version changes with the findings.
const Version = "1"

// errWork is that of a script whose constant parts make more code than can be
// looked at.
var errWork = errors.New("the script makes too much code")

const (
	maxDepth = 5       // of code in code
	maxText  = 1 << 16 // of a value that is put together; more is unknown
	maxCheap = 1 << 10 // of a value that costs nothing to copy
	maxLevel = 200     // of statements in statements that cost nothing
	maxVars  = 1 << 16 // that are remembered
)

// Find returns what is dangerous in the text, in the order of where it begins.
// Code in quotes is reported at the command that would run it. An error means
// that the code in the code is too much to be looked at, or too deep; what was
// found by then stands beside it.
func Find(text string) ([]detect.Span, error) {
	r := &reader{
		vars: map[string]value{}, files: map[string]value{}, seen: map[detect.Span]bool{},
		work: 4*len(text) + 1<<20, tries: len(text)/2 + 1<<18, end: len(text),
	}
	r.script(text)
	slices.SortStableFunc(r.found, func(a, b detect.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind))
	})
	if r.work < 0 || r.over {
		return r.found, errWork
	}
	return r.found, nil
}

// A reader follows one script.
type reader struct {
	vars  map[string]value // what variables hold now
	files map[string]value // what files hold that the script wrote, by base name
	cwd   string           // where cd went: "" unless it did, unknown if nobody knows
	pipe  int              // where the pipe begins that is being followed
	work  int              // bytes that may still be read
	tries int              // bytes that the parser may still fail on
	over  bool             // there is code that was not looked at
	found []detect.Span
	seen  map[detect.Span]bool

	level      int    // of statements in statements
	depth      int    // of code in code
	piece      string // that is parsed
	offset     int    // of the piece, in the text
	start, end int    // where everything is reported while depth is not 0
}

// report notes a finding at a place of the piece that is being read.
func (r *reader) report(id string, start, end int) {
	start, end = r.place(start, end)
	rule := ruleOf(id)
	s := detect.Span{Kind: id, Start: start, End: end, Score: 1, Text: rule.Description, Severity: rule.Severity}
	if !r.seen[s] {
		r.seen[s] = true
		r.found = append(r.found, s)
	}
}

// place returns where in the text a place of the piece is.
func (r *reader) place(start, end int) (int, int) {
	if r.depth > 0 {
		return r.start, r.end
	}
	start, end = start+r.offset, end+r.offset
	start = min(max(start, 0), r.end)
	return start, min(max(end, start), r.end)
}

// inner reads code that a command at the place would run.
func (r *reader) inner(code value, start, end int) {
	if code.taint&cut != 0 || r.depth >= maxDepth && strings.Trim(code.text, unknown) != "" {
		r.over = true
	}
	if r.depth >= maxDepth || code.text == "" || code.text == unknown {
		return
	}
	old := *r
	r.start, r.end = r.place(start, end)
	r.offset, r.depth = 0, r.depth+1
	r.script(code.text)
	r.start, r.end, r.offset, r.depth, r.cwd, r.piece = old.start, old.end, old.offset, old.depth, old.cwd, old.piece
}
