// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package vet says what is wrong with a policy that loads: rules that can
// never be violated or that others imply, names that nothing uses, patterns
// that let through more than they say, calls of tools that do not exist. The
// command vet prints it; editors may.
//
// All it says are diagnostics, with codes of their own (P05xx), together with
// the warnings of the load. What it claims of rules it proves: conditions
// become formulas of three-valued logic (see logic.go) whose atoms are decided
// by automata, intervals and the order of elements. Where a proof takes too
// long, or something is not understood, it says nothing. The budgets of an
// evaluation are left aside: a pattern that is too costly for a text is
// unknown, and no proof counts on that.
package vet

import (
	"cmp"
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Options say what a policy is looked at with. Nil is fine.
type Options struct {
	// Tools are those that the agent has. Nil: not known.
	Tools *Tools

	// Only says which files are looked at. Nil: all of the program. What a
	// policy imports from elsewhere is not its author's to mend.
	Only func(name string) bool

	// Selected says which codes are wanted. Nil: all. One that is not wanted
	// is no reason to call a suppression unused.
	Selected func(code string) bool
}

// A Diagnosis is a diagnostic and, where it is certain, how to mend the
// policy.
type Diagnosis struct {
	diag.Diagnostic
	Fix *Fix
}

// A Fix mends a policy by replacing pieces of its text.
type Fix struct {
	What  string // "remove the import of pii"
	Edits []Edit
	Keeps bool // all verdicts stay what they are
}

// An Edit puts a text in the place of a span.
type Edit struct {
	Span diag.Span
	Text string
}

// Vet looks at a program. The result is sorted by place and does not hold what
// comments suppress.
func Vet(prog *check.Program, opts *Options) []Diagnosis {
	if opts == nil {
		opts = &Options{}
	}
	v := newVetting(prog, opts)
	for _, d := range prog.Warnings {
		v.add(d)
	}
	v.logic()
	v.unused()
	v.access()
	v.patterns()
	v.detectors()
	v.tools()
	list := Suppress(v.files(), v.list, opts.looked)
	if opts.Selected != nil {
		list = slices.DeleteFunc(list, func(d Diagnosis) bool { return !opts.Selected(d.Code) })
	}
	sortByPlace(list)
	return list
}

// looked reports whether a code was looked for: those about tools are not
// where the tools are not known.
func (o *Options) looked(code string) bool {
	return (o.Selected == nil || o.Selected(code)) && (o.Tools != nil || code < "P0520" || code > "P0529")
}

// vetting is one look at a program.
type vetting struct {
	prog *check.Program
	opts *Options
	list []Diagnosis
	seen map[reported]bool

	reader *reader
	solver *solver

	predicates map[*syntax.Predicate]*check.Predicate // that are called
}

// reported is what makes two diagnostics the same.
type reported struct {
	code string
	at   diag.Span
	text string
}

func newVetting(prog *check.Program, opts *Options) *vetting {
	v := &vetting{prog: prog, opts: opts, reader: newReader(prog), solver: newSolver(), seen: map[reported]bool{}, predicates: map[*syntax.Predicate]*check.Predicate{}}
	for _, c := range prog.Calls {
		if c.Pred != nil {
			v.predicates[c.Pred.Node] = c.Pred
		}
	}
	return v
}

// own reports whether a file is looked at.
func (v *vetting) own(f *syntax.File) bool { return f.Source != nil && v.wanted(f.Source.Name) }

func (v *vetting) wanted(name string) bool { return v.opts.Only == nil || v.opts.Only(name) }

// files returns the files that are looked at, each once.
func (v *vetting) files() []*syntax.File {
	var out []*syntax.File
	seen := map[string]bool{}
	for _, f := range v.prog.Files {
		if v.own(f) && !seen[f.Source.Name] {
			seen[f.Source.Name] = true
			out = append(out, f)
		}
	}
	return out
}

// add adds a diagnostic about a file that is looked at, once.
func (v *vetting) add(d diag.Diagnostic) { v.addFix(d, nil) }

func (v *vetting) addFix(d diag.Diagnostic, fix *Fix) {
	key := reported{d.Code, d.Span, d.Message}
	if d.Span.File == nil || v.seen[key] || !v.wanted(d.Span.File.Name) && !v.opts.Tools.holds(d.Span.File) {
		return
	}
	v.seen[key] = true
	d.Severity = diag.Warning
	v.list = append(v.list, Diagnosis{d, fix})
}

func (v *vetting) report(code string, at diag.Span, message, help string) {
	v.add(diag.Diagnostic{Code: code, Span: at, Message: message, Help: help})
}

// sortByPlace sorts diagnostics by file and place.
func sortByPlace(list []Diagnosis) {
	slices.SortStableFunc(list, func(a, b Diagnosis) int {
		return cmp.Or(
			cmp.Compare(a.Span.File.Name, b.Span.File.Name),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

// List returns the diagnostics alone.
func List(found []Diagnosis) diag.List {
	var out diag.List
	for _, d := range found {
		out = append(out, d.Diagnostic)
	}
	return out
}
