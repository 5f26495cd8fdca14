// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"io"
	"iter"
)

// A Record is the text of one trace, not decoded yet, and where it stands in
// its input.
type Record struct {
	Text   string
	Line   int   // of its first character, from 1
	Column int   // of it, in characters, from 1
	Offset int64 // of it, in bytes
}

// Decode reads the record's trace as the function Decode does; places of errors
// are those of the input. It is safe for concurrent use.
func (r Record) Decode(opts *DecodeOptions) (*Trace, error) {
	d := decoder{opts: opts.filled()}
	return d.record(r)
}

func (d *decoder) record(r Record) (*Trace, error) {
	d.line, d.base = r.Line, r.Offset
	if len(r.Text) > d.opts.MaxBytes {
		return nil, d.tooLong()
	}
	t, err := d.trace(r.Text)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// DecodeAll reads the traces that Split finds in r. It holds one at a time and
// reads on only when the next one is wanted. What is no trace is yielded as an
// *Error, and reading goes on after it; an error of r, which is yielded wrapped,
// ends the sequence.
func DecodeAll(r io.Reader, opts *DecodeOptions) iter.Seq2[*Trace, error] {
	return func(yield func(*Trace, error) bool) {
		for rec, err := range Split(r, opts) {
			var t *Trace
			if err == nil {
				t, err = rec.Decode(opts)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}
