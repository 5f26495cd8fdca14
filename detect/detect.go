// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package detect says what a detector is: something that looks at texts and
// reports findings. The functions of the policy language that need one call it
// through the Detector interface; the detectors themselves are packages below
// this one, or an embedder's own.
//
// A finding is what a detector sees in a text. Whether that breaks a rule is for
// policies to say.
//
// Detectors of this house are written as a Scanner, which looks at one text as
// it is. What lies between the two, the views of a text and the way back to it,
// is in package view.
package detect

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A Detector looks at texts. It must be safe for concurrent use, and give the
// same findings for the same request as long as its version is the same: the
// answers are remembered.
type Detector interface {
	// Version names what the answers depend on beside the request: the rules,
	// the model. It may be any text that does not change while the detector is
	// in use.
	Version() string

	// Detect answers each request, in their order. An error is that of all of
	// them; what concerns one is in its Result. It should return soon after ctx
	// is done, with ctx's error.
	Detect(ctx context.Context, requests []Request) ([]Result, error)
}

// A Request is a text to look at.
type Request struct {
	Text   string
	Params string   // the other arguments of the function, as a JSON object with sorted keys; "" if there are none
	Views  []string // the views of the text to look at, by name; nil: all that the detector has
}

// Raw is the view of a text as it stands.
const Raw = "raw"

// A Result is the answer to a request. An error means that the detector could
// not look at all there is: the call is unknown to the rule that made it, never
// "nothing found". What it found all the same, beside the error, is certain and
// may decide a rule for which one finding is enough.
type Result struct {
	Findings []Finding
	Err      error
}

// A Finding is one thing that a detector has seen.
type Finding struct {
	Kind  string  // what it is, as policies name it: "EMAIL_ADDRESS"
	Start int     // where it begins in the text of the request, in code points
	End   int     // where it ends, exclusive; of a decoded view: where what was decoded ends
	Score float64 // how sure the detector is, from 0 to 1
	View  string  // in which it was seen; "" means Raw

	// Text is what was found where that is not the text at its place: the
	// address of a link in HTML, words in an image, what is wrong with a piece
	// of code. It may quote the text of the request.
	Text     string
	Severity string // of an issue in code: "error", "warning" or "info"
}

// Check returns an error if f is no part of a text of so many code points.
func (f Finding) Check(length int) error {
	switch {
	case f.Start < 0 || f.End < f.Start || f.End > length:
		return fmt.Errorf("a finding %q at [%d, %d) in a text of %d code points", f.Kind, f.Start, f.End, length)
	case !(f.Score >= 0 && f.Score <= 1): // not a number is neither
		return fmt.Errorf("a finding %q with the score %v, want 0 to 1", f.Kind, f.Score)
	}
	return nil
}

// Sort orders findings by where they begin, then where they end, then by kind
// and score, best first, then by view.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(b.Score, a.Score), cmp.Compare(a.View, b.View),
		)
	})
}
