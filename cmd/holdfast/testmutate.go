// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/mutate"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/policytest"
)

// A mutatedPolicy is a policy, its tests, and what became of its mutants.
type mutatedPolicy struct {
	mutate.Subject
	path     string // of the file that it stands in
	line     int    // lines of that file before it
	outcomes []mutate.Outcome
}

// A mutation is what --mutate has to say.
type mutation struct {
	policies []*mutatedPolicy
	took     time.Duration
}

// errFailing is why nothing is mutated.
var errFailing = errors.New("nothing is mutated: the cases have to pass first")

// mutate changes every policy of the cases in small ways and tells which of the
// changes no case notices.
func (t *testRun) mutants(ctx context.Context, suites []*testSuite) (*mutation, error) {
	m := &mutation{}
	if err := m.gather(suites); err != nil {
		return nil, err
	}
	began := time.Now()
	for _, p := range m.policies {
		var err error
		if p.outcomes, err = p.Run(ctx, t.passes); err != nil {
			return nil, err
		}
	}
	m.took = time.Since(began)
	return m, nil
}

func (t *testRun) passes(ctx context.Context, c *policytest.Case, opts *policytest.Options) bool {
	return len(t.inTime(ctx, c, opts)) == 0
}

// gather sorts the cases by policy.
func (m *mutation) gather(suites []*testSuite) error {
	type key struct {
		path string
		line int
	}
	known := map[key]*mutatedPolicy{}
	for _, s := range suites {
		for _, c := range s.cases {
			name, text, line, err := c.Policy(s.opts)
			if err != nil {
				return err
			}
			path := s.file
			if line == 0 {
				path = filepath.Join(filepath.Dir(s.file), filepath.FromSlash(name))
			}
			p := known[key{path, line}]
			if p == nil {
				if _, err := c.Compile(s.opts); err != nil {
					continue // a case of a policy that does not load
				}
				p = &mutatedPolicy{path: path, line: max(line-1, 0), Subject: mutate.Subject{Policy: diag.NewFile(path, text)}}
				known[key{path, line}] = p
				m.policies = append(m.policies, p)
			}
			p.Tests = append(p.Tests, mutate.Test{Case: c, Options: s.opts, Name: name})
		}
	}
	return nil
}

// all are the outcomes of all policies.
func (m *mutation) all() []mutate.Outcome {
	var out []mutate.Outcome
	for _, p := range m.policies {
		out = append(out, p.outcomes...)
	}
	return out
}

// count returns how many mutants came to something.
func countMutants(outcomes []mutate.Outcome, status mutate.Status) int {
	n := 0
	for _, o := range outcomes {
		if o.Status == status {
			n++
		}
	}
	return n
}

// writeText names the survivors and sums up.
func (m *mutation) writeText(out io.Writer, style report.Style) error {
	for _, p := range m.policies {
		for _, o := range p.outcomes {
			if o.Status == mutate.Survived {
				fmt.Fprintf(out, "%s:%d:%d: %s %s\n", escapeLine(report.PlainPath(p.path)), p.line+o.Line, o.Column,
					style.Paint(report.Red, "survives"), escapeLine(o.String()))
			}
		}
	}
	all := m.all()
	killed, survived := countMutants(all, mutate.Killed), countMutants(all, mutate.Survived)
	text := fmt.Sprintf("mutants: %d of %d noticed (%.0f%%)", killed, killed+survived, floorPercent(mutate.Score(all)))
	if n := countMutants(all, mutate.Equivalent); n > 0 {
		text += fmt.Sprintf(", %d marked as equivalent", n)
	}
	_, err := fmt.Fprintln(out, text)
	return err
}

// floorPercent does not make all of nearly all.
func floorPercent(share float64) float64 { return float64(int(share * 100)) }

// rate says on standard error how fast it was.
func (m *mutation) rate(out io.Writer) {
	if n := len(m.all()); n > 0 && m.took > 0 {
		fmt.Fprintf(out, "holdfast: tried %.0f mutants a second\n", float64(n)/m.took.Seconds())
	}
}

type jsonMutant struct {
	Policy   string `json:"policy"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Operator string `json:"operator"`
	Before   string `json:"before"`
	After    string `json:"after"`
	Status   string `json:"status"`
	By       string `json:"by,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

type jsonMutation struct {
	Score    float64      `json:"score"`
	Killed   int          `json:"killed"`
	Survived int          `json:"survived"`
	Mutants  []jsonMutant `json:"mutants"`
}

// object is what --format json says of it; mutants that do not load are none.
func (m *mutation) object() *jsonMutation {
	all := m.all()
	out := &jsonMutation{
		Score: mutate.Score(all), Killed: countMutants(all, mutate.Killed), Survived: countMutants(all, mutate.Survived), Mutants: []jsonMutant{},
	}
	for _, p := range m.policies {
		for _, o := range p.outcomes {
			if o.Status != mutate.Invalid {
				out.Mutants = append(out.Mutants, jsonMutant{
					Policy: p.path, Line: p.line + o.Line, Column: o.Column, Operator: o.Operator,
					Before: o.Before, After: o.After, Status: string(o.Status), By: o.By, Reason: o.Equivalent,
				})
			}
		}
	}
	return out
}

// notes are the survivors, for formats that annotate policies.
func (m *mutation) notes() []report.Note {
	var out []report.Note
	for _, p := range m.policies {
		for _, o := range p.outcomes {
			if o.Status == mutate.Survived {
				out = append(out, report.Note{
					Level: "warning", ID: "survives-" + o.Operator, Title: "No test notices this change of the policy.",
					Message: "no test notices " + o.String(), Path: p.path, Line: p.line + o.Line, Column: o.Column,
				})
			}
		}
	}
	return out
}

// tooFew returns an error if fewer mutants are noticed than --min-score wants.
func (t *testRun) tooFew(m *mutation) error {
	if m == nil || mutate.Score(m.all()) >= t.minScore {
		return nil
	}
	return &exitError{code: exitFailure, err: fmt.Errorf("%.3f of the mutants are noticed, want --min-score %g", mutate.Score(m.all()), t.minScore)}
}

// anyFailed reports whether a case did not pass.
func anyFailed(results []*testResult) bool {
	return slices.ContainsFunc(results, func(r *testResult) bool { return r.status != testPassed })
}
