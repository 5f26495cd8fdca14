// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
)

// The detectors whose findings are not shown, where they are set up.
var privateDetectors = [...]string{"secrets", "pii"}

// open are the kinds that those find and that are shown all the same: no form
// tells whether a day or an address of the web is anybody's, and reports
// without them say little.
var open = [...]string{"DATE_TIME", "URL"}

// Hides reports whether there is a detector that says what is private.
func (d *Detectors) Hides() bool {
	return slices.ContainsFunc(privateDetectors[:], d.has)
}

// Private returns what in a text must not be shown: credentials and personal
// data, in any view, as far as there are detectors for them. False: it could
// not be told, and nothing of the text may be shown.
func (d *Detectors) Private(ctx context.Context, text string) (found []detect.Finding, ok bool) {
	if text == "" {
		return nil, true
	}
	if d != nil && d.resting() {
		return nil, false
	}
	for _, name := range privateDetectors {
		if !d.has(name) {
			continue
		}
		said := d.ask(ctx, name, []detect.Request{{Text: text}})[0]
		if errors.Is(said.Err, context.DeadlineExceeded) {
			d.rest()
			return nil, false
		}
		if said.Err != nil { // more is encoded in it than can be read: so the rest stays, encoded
			raw := d.ask(ctx, name, []detect.Request{{Text: text, Views: []string{detect.Raw}}})[0]
			said = detect.Result{Findings: slices.Concat(said.Findings, raw.Findings), Err: raw.Err}
		}
		if said.Err != nil {
			return nil, false
		}
		for _, f := range said.Findings {
			if !slices.Contains(open[:], f.Kind) {
				found = append(found, f)
			}
		}
	}
	return found, true
}

// restFor is for how many timeouts nothing more is asked about what is private
// after one: what shows a verdict asks about many texts, one after the other.
const restFor = 10

// rest notes that a detector gave no answer in time.
func (d *Detectors) rest() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rested = time.Now().Add(restFor * d.timeout)
}

// resting reports whether a detector gave no answer in time lately.
func (d *Detectors) resting() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.rested.IsZero() && time.Now().Before(d.rested)
}
