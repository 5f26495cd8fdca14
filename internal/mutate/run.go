// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/policytest"
)

// A Test is a case and how it is run.
type Test struct {
	Case    *policytest.Case
	Options *policytest.Options
	Name    string // by which the case knows the policy, see policytest.Options.Source
}

// A Subject is a policy and the tests that have it.
type Subject struct {
	Policy *diag.File
	Tests  []Test
}

// A Status says what became of a mutant.
type Status string

// What becomes of mutants. A mutant that does not load is none.
const (
	Killed     Status = "killed"     // a test noticed
	Survived   Status = "survived"   // none did
	Equivalent Status = "equivalent" // none did, and a comment says that none can
	Invalid    Status = "invalid"    // it does not load
)

// An Outcome is what became of one mutant.
type Outcome struct {
	Mutant
	Status Status
	By     string // the name of the test that noticed first
}

// A Check runs a case and reports whether it passes. It is called by several
// goroutines at once.
type Check func(context.Context, *policytest.Case, *policytest.Options) bool

// Run tries the mutants of a policy against its tests, which must pass, several
// at once, and returns what became of each, in the order of the policy's text.
// The error says why the policy, or a mark in it, cannot be read, that a mark is
// wrong, or is that of ctx.
func (s *Subject) Run(ctx context.Context, passes Check) ([]Outcome, error) {
	mutants, err := Mutants(s.Policy)
	if err != nil {
		return nil, err
	}
	out := make([]Outcome, len(mutants))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for i := range mutants {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			out[i] = s.try(ctx, mutants[i], passes)
		})
	}
	running.Wait()
	return out, cmp.Or(ctx.Err(), untrue(out))
}

// try runs the tests until one notices.
func (s *Subject) try(ctx context.Context, m Mutant, passes Check) Outcome {
	out := Outcome{Mutant: m, Status: Survived}
	if m.Equivalent != "" {
		out.Status = Equivalent
	}
	with := map[*policytest.Options]*policytest.Options{}
	for i, t := range s.Tests {
		if ctx.Err() != nil {
			return out
		}
		if with[t.Options] == nil {
			with[t.Options] = t.with(m.Text)
		}
		opts := with[t.Options]
		if i == 0 {
			var wrong diag.List
			if _, err := t.Case.Compile(opts); errors.As(err, &wrong) {
				out.Status = Invalid
				return out
			}
		}
		if !passes(ctx, t.Case, opts) {
			out.Status, out.By = Killed, t.Case.Name
			return out
		}
	}
	return out
}

// with are the options that run the test with another text of the policy.
func (t *Test) with(text []byte) *policytest.Options {
	return &policytest.Options{
		Compile: t.Options.Compile, Folder: t.Options.Folder, Whole: true,
		Source: func(asked string, was []byte) []byte {
			if asked == t.Name {
				return text
			}
			return was
		},
	}
}

// Score is the share of the mutants that were tried and noticed, 1 if there
// are none.
func Score(outcomes []Outcome) float64 {
	killed, tried := 0, 0
	for _, o := range outcomes {
		switch o.Status {
		case Killed:
			killed, tried = killed+1, tried+1
		case Survived:
			tried++
		case Equivalent, Invalid:
		}
	}
	if tried == 0 {
		return 1
	}
	return float64(killed) / float64(tried)
}
