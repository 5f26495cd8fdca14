// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package backtest

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"

	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

// Options say what is compared. All fields but Workers are required.
type Options struct {
	Old, New Side

	// Decode makes the trace of a record that was read without error. It is
	// called by several goroutines at once.
	Decode func(source.Record) (*trace.Trace, error)

	Workers int // traces compared at once; 0: one a core
}

// A Result is what one record came to.
type Result struct {
	Path  string
	Index int // of the trace in its file
	Line  int // on which it begins
	*Comparison
	Err error // it could not be read or compared; there is no Comparison
}

// Run compares the traces of all records and hands each result on, in their
// order, from one goroutine at a time. It has waited for all that it started
// when it returns. It ends early with the error of ctx, or of each.
func Run(ctx context.Context, records iter.Seq[source.Record], o *Options, each func(Result) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	type job struct {
		record source.Record
		result chan Result
	}
	todo := make(chan job)
	order := make(chan chan Result, 4*workers) // so few records are held at once
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		defer close(order)
		defer close(todo)
		for record := range records {
			j := job{record, make(chan Result, 1)}
			select {
			case order <- j.result:
			case <-ctx.Done():
				return
			}
			select {
			case todo <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for j := range todo {
				j.result <- o.compare(ctx, j.record)
			}
		})
	}
	for result := range order {
		select {
		case r := <-result:
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := each(r); err != nil {
				cancel(err)
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return context.Cause(ctx)
}

// compare makes the result of one record. A trace that makes a rule panic is a
// failure like any other.
func (o *Options) compare(ctx context.Context, record source.Record) (out Result) {
	out = Result{Path: record.Path, Index: record.Index, Line: record.Line}
	defer func() {
		if x := recover(); x != nil {
			out.Comparison, out.Err = nil, fmt.Errorf("internal error: %T", x) // its text may quote the trace
		}
	}()
	if out.Err = record.Err; out.Err != nil {
		return out
	}
	t, err := o.Decode(record)
	if err != nil {
		out.Err = err
		return out
	}
	out.Comparison, out.Err = Compare(ctx, o.Old, o.New, t)
	return out
}
