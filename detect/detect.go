// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package detect says what a detector is: something that looks at a text and
// reports findings. The functions of the policy language that need one call it
// through the Detector interface; the detectors themselves are packages below
// this one, or an embedder's own.
//
// A finding is what a detector sees in a text. Whether that breaks a rule is for
// policies to say.
package detect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A Detector finds things in a text. It must give the same findings for the same
// text for as long as a session lasts, and be safe for concurrent use. An error
// means that it could not tell: the call is unknown to the rule that made it,
// never "nothing found". It should return soon after ctx is done, with ctx's
// error.
type Detector interface {
	Detect(ctx context.Context, text string) ([]Finding, error)
}

// A Finding is one thing that a detector has seen.
type Finding struct {
	Kind  string  // what it is, as policies name it: "EMAIL_ADDRESS"
	Start int     // where it begins in the text, in bytes
	End   int     // where it ends, exclusive
	Score float64 // how sure the detector is, from 0 to 1
}

// Check returns an error if f is no part of text. A caller that does not trust a
// detector checks what it gets before it slices the text.
func (f Finding) Check(text string) error {
	if f.Start < 0 || f.End < f.Start || f.End > len(text) {
		return fmt.Errorf("a finding %q at [%d, %d) in a text of %d bytes", f.Kind, f.Start, f.End, len(text))
	}
	return nil
}

// Func makes a Detector of a function.
type Func func(ctx context.Context, text string) ([]Finding, error)

// Detect calls f.
func (f Func) Detect(ctx context.Context, text string) ([]Finding, error) { return f(ctx, text) }

// Chain is a Detector that asks several and reports what any of them finds, in
// the order of Sort. The first error ends it: what the others found is not all
// there is to find.
type Chain []Detector

// Detect asks every detector of c.
func (c Chain) Detect(ctx context.Context, text string) ([]Finding, error) {
	var all []Finding
	for _, d := range c {
		found, err := d.Detect(ctx, text)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	Sort(all)
	return all, nil
}

// Sort orders findings by where they begin, then where they end, then by kind
// and score, best first.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Score, a.Score),
		)
	})
}
