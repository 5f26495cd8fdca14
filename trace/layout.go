// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import "github.com/holdfast-dev/holdfast/internal/value"

// A Layout tells how to read documents of another shape than Decode takes.
type Layout struct {
	// Traces are the keys and indices that lead from a document to the list of
	// its traces, which Split takes apart. Nil: each document is one trace.
	Traces []string

	// Key is the key by which an object is known as a trace and not as an event;
	// "" means "messages".
	Key string

	// Levels is how many objects and lists stand around an event; 0 means two.
	Levels int

	// Arrange brings a trace into the shape that Decode takes, in place, and
	// returns it; or says what does not fit. It must be safe for concurrent use
	// and do the same with the same document every time.
	Arrange func(doc *value.Value) (*value.Value, *Misfit)
}

// A Misfit says which part of a document does not fit a Layout, and why.
type Misfit struct {
	At  *value.Value
	Msg string
}

func (l *Layout) key() string {
	if l == nil || l.Key == "" {
		return "messages"
	}
	return l.Key
}

func (l *Layout) levels() int {
	if l == nil || l.Levels == 0 {
		return 2
	}
	return l.Levels
}

func (l *Layout) traces() []string {
	if l == nil {
		return nil
	}
	return l.Traces
}

// arrange brings the document v into the shape that entries reads.
func (d *decoder) arrange(v *value.Value) (*value.Value, *Error) {
	l := d.opts.Layout
	if l == nil || l.Arrange == nil {
		return v, nil
	}
	v, misfit := l.Arrange(v)
	if misfit != nil {
		return nil, d.fail(misfit.At, "%s", misfit.Msg)
	}
	return v, nil
}
