// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package source finds the traces of files, of folders and of standard input,
// compressed or not, and says of each where it stands. It does not decode them,
// so that others can, several at a time.
package source

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/trace"
)

// Options say how inputs are read. Nil and zero fields mean the defaults.
type Options struct {
	Stdin     io.Reader            // what the path "-" is
	Trace     *trace.DecodeOptions // its Layout is set here
	Mapping   *layout.Mapping      // of the traces; nil: recognised
	MaxWindow int                  // of a decompressor, in bytes; 0: DefaultMaxWindow
	Read      func(n int)          // is told of each n bytes read, as they are on the disk
}

// DefaultMaxWindow is how much of what it has given out a decompressor may have
// to remember.
const DefaultMaxWindow = 64 << 20

// A Record is one trace of an input, not decoded yet, or the reason why one, or
// a whole file, cannot be read.
type Record struct {
	Path  string
	Index int // among the records of its path
	trace.Record
	Err error // Text is empty; the error does not name the path
}

// DecodeOptions returns how the records are decoded, for trace.Record.Position
// and others.
func (o *Options) DecodeOptions() *trace.DecodeOptions {
	var d trace.DecodeOptions
	if o == nil {
		o = &Options{}
	}
	if o.Trace != nil {
		d = *o.Trace
	}
	d.Layout = layout.Recognised()
	if o.Mapping != nil {
		d.Layout = o.Mapping.Layout()
	}
	return &d
}

// Decode reads the trace of r, or returns its error. It is safe for concurrent
// use.
func (o *Options) Decode(r Record) (*trace.Trace, error) {
	if r.Err != nil {
		return nil, r.Err
	}
	return r.Record.Decode(o.DecodeOptions())
}

// Records yields the traces of the paths, one after the other: those of a file
// in its order, those of a folder file by file in the order of their names, "-"
// for standard input. In folders, what has the name of a trace file is read
// (.json, .jsonl, .ndjson, and these with .gz, .zst or .xz behind); a file that
// is named itself is read whatever its name. Compression is told by the first
// bytes of a file.
//
// What cannot be read is a Record with an error, and the next ones follow. The
// end of ctx ends the sequence.
func Records(ctx context.Context, paths []string, opts *Options) iter.Seq[Record] {
	if opts == nil {
		opts = &Options{}
	}
	return func(yield func(Record) bool) {
		r := &reading{ctx: ctx, opts: opts, decode: opts.DecodeOptions(), yield: yield}
		for _, path := range paths {
			if !r.path(path) {
				return
			}
		}
	}
}

// reading is one call of Records. Its methods return false if nothing more is
// wanted.
type reading struct {
	ctx    context.Context
	opts   *Options
	decode *trace.DecodeOptions
	yield  func(Record) bool
}

// fault yields the reason why a path cannot be read.
func (r *reading) fault(path string, err error) bool {
	if r.ctx.Err() != nil {
		return false
	}
	return r.yield(Record{Path: path, Err: plainError(err)})
}

// records yields the records of one file.
func (r *reading) records(path string, in io.Reader) bool {
	index := 0
	for rec, err := range trace.Split(in, r.decode) {
		if r.ctx.Err() != nil || !r.yield(Record{Path: path, Index: index, Record: rec, Err: plainError(err)}) {
			return false
		}
		index++
	}
	if index == 0 {
		return r.fault(path, errors.New("there is no trace in it"))
	}
	return r.ctx.Err() == nil
}
