// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"
	"iter"
	"os"

	"github.com/holdfast-dev/holdfast/trace"
)

// A source is one trace of the command line: of a file of JSON lines it is
// one line. Exactly one of trace and err is set.
type source struct {
	path  string
	index int // among the traces of the file
	trace *trace.Trace
	err   error
}

// sources reads the traces of the named files, one at a time. A file or line
// that cannot be read is a source with an error; the next ones follow.
func sources(paths []string, stdin io.Reader) iter.Seq[source] {
	return func(yield func(source) bool) {
		for _, path := range paths {
			if !sourcesOf(path, stdin, yield) {
				return
			}
		}
	}
}

func sourcesOf(path string, stdin io.Reader, yield func(source) bool) bool {
	if path == "-" {
		return decodeAll(path, stdin, yield)
	}
	f, err := os.Open(path)
	if err != nil {
		return yield(source{path: path, err: err})
	}
	defer f.Close() //nolint:errcheck // it was only read
	return decodeAll(path, f, yield)
}

func decodeAll(path string, r io.Reader, yield func(source) bool) bool {
	index := 0
	for t, err := range trace.DecodeAll(r, nil) {
		if !yield(source{path: path, index: index, trace: t, err: err}) {
			return false
		}
		index++
	}
	if index == 0 {
		return yield(source{path: path, err: errors.New("there is no trace in it")})
	}
	return true
}
