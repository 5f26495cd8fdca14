// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package scan checks many traces on all cores.
//
// One goroutine reads records, as many as there are workers decode, check and
// render them, and one writes what they come to in the order of the input. So
// what is written does not depend on how many workers there are, nor on which
// of them is faster. What is held at once is bounded by weight, not by number:
// a record that is heavy to decode waits until there is room for it, and the
// lighter ones behind it wait with it.
package scan

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

// DefaultRoom is the weight of what is held at once, see Options.Room.
const DefaultRoom = 64 << 20

// ErrStopped is returned by Run when Options.FailFast ended it.
var ErrStopped = errors.New("stopped at the first trace that could not be checked")

// A Check judges one trace. The stop is that of a deployment, if it was asked
// for and there is one. Workers call a check at once.
type Check func(context.Context, *trace.Trace) (holdfast.Verdict, *report.Stop, error)

// Options say how records are checked. Policy and Decode are required.
type Options struct {
	Policy  *holdfast.Policy
	Monitor *holdfast.MonitorOptions

	// Decode makes the trace of a record that was read without error. Workers
	// call it at once.
	Decode func(source.Record) (*trace.Trace, error)

	// Check judges a trace. Nil: Whole(Policy, Monitor).
	Check Check

	// Report renders and writes each result. Nil: there are only the totals.
	Report report.Report

	// Seen is called for each record in the order of the input, after it is
	// written. Nil is fine.
	Seen func(Outcome)

	Workers  int   // 0: one a core
	Room     int64 // bytes of traces, as decoded, and of what is rendered; 0: DefaultRoom
	Files    int   // how many files Totals.Files holds; 0: DefaultFiles
	FailFast bool  // end at the first record that cannot be read or checked
	Stacks   bool  // errors of a panic come with the stack

	// CPU returns what the current thread has used of its core. Nil: what
	// workers spend is measured as time that passes, which is more when there
	// are more threads than cores.
	CPU func() time.Duration
}

// An Outcome is what one record came to, without its trace.
type Outcome struct {
	Path     string
	Index    int   // in its file
	Line     int   // of its file, 0 if it has none
	Err      error // it could not be read or checked; the fields below are zero
	Unread   bool  // Err is of reading
	Decision holdfast.Decision
	Warned   bool // a warn rule is violated
	Stopped  bool // a deployment would have stopped it, see report.Stop
}

// Run checks the records and returns what they came to. It has waited for all
// that it started when it returns.
//
// A record that cannot be read or checked is a failure in the totals and no
// error of Run: an error means that not all records were looked at, or that
// what they came to could not be written. It is ErrStopped, what ended the
// context, or an error of the report. What was written until then are whole
// results, the first ones of the input, and the report is not finished, so
// that no reader takes it for whole.
func Run(ctx context.Context, records iter.Seq[source.Record], o *Options) (*Totals, error) {
	begin := time.Now()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	r := newRun(ctx, cancel, begin, o)
	defer r.closeRoomWith(ctx)()
	var wg sync.WaitGroup
	wg.Go(func() { r.read(records) })
	for range r.workers {
		wg.Go(r.work)
	}
	r.write()
	wg.Wait()

	r.totals.finish(time.Since(begin))
	if err := context.Cause(ctx); err != nil {
		return r.totals, err
	}
	if o.Report != nil {
		return r.totals, o.Report.Finish()
	}
	return r.totals, nil
}

// run is one call of Run.
type run struct {
	*Options
	ctx     context.Context //nolint:containedctx // it lives as long as the call
	cancel  context.CancelCauseFunc
	judge   Check
	now     func() time.Duration
	workers int

	room  *room
	todo  chan *job // in any order to the workers
	order chan *job // in the order of the input to the writer

	totals  *Totals
	reading time.Duration // of the reader, until order is closed
}

func newRun(ctx context.Context, cancel context.CancelCauseFunc, begin time.Time, o *Options) *run {
	r := &run{Options: o, ctx: ctx, cancel: cancel, judge: o.Check, workers: o.Workers, room: newRoom(o.Room)}
	r.now = o.CPU
	if r.now == nil {
		r.now = func() time.Duration { return time.Since(begin) }
	}
	if r.judge == nil {
		r.judge = Whole(o.Policy, o.Monitor)
	}
	if r.workers <= 0 {
		r.workers = runtime.GOMAXPROCS(0)
	}
	r.totals = newTotals(o.Policy.Rules(), o.Files)
	r.todo = make(chan *job, r.workers)
	// Every job weighs at least leastWeight, so this is never full.
	r.order = make(chan *job, r.room.limit/leastWeight+1)
	return r
}

// closeRoomWith closes the room when ctx ends. What it returns is to be called
// at the end; it waits if that is happening.
func (r *run) closeRoomWith(ctx context.Context) func() {
	closed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		r.room.close()
		close(closed)
	})
	return func() {
		if !stop() {
			<-closed
		}
	}
}

// read takes records as long as there is room and hands them on.
func (r *run) read(records iter.Seq[source.Record]) {
	defer close(r.order)
	defer close(r.todo)
	defer r.endReading()
	since := time.Now()
	for record := range records {
		r.reading += time.Since(since)
		j := &job{record: record, weight: weigh(record.Text), done: make(chan struct{})}
		if !r.room.take(j.weight) {
			return
		}
		r.order <- j
		select {
		case r.todo <- j:
		case <-r.ctx.Done():
			j.abandon()
			return
		}
		since = time.Now()
	}
	r.reading += time.Since(since)
}

// endReading turns a panic of the source into the end of the run: without it
// the input would look shorter than it is.
func (r *run) endReading() {
	if x := recover(); x != nil {
		r.cancel(fmt.Errorf("reading traces: %w", panicError(x, r.Stacks)))
	}
}

func (r *run) work() {
	for j := range r.todo {
		if r.ctx.Err() != nil {
			j.abandon()
			continue
		}
		r.timed(j)
		// What is left of it is what waits for its turn to be written.
		kept := j.kept()
		r.room.give(j.weight - kept)
		j.weight = kept
		close(j.done)
	}
}

// timed checks a job, on one thread if that is what is timed.
func (r *run) timed(j *job) {
	if r.CPU != nil {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	r.check(j)
}

// write writes what jobs came to, in order, until one was abandoned; then it
// only waits for the others.
func (r *run) write() {
	whole := true
	for j := range r.order {
		<-j.done
		whole = whole && !j.abandoned
		if whole {
			if err := r.deliver(j); err != nil {
				whole = false
				r.cancel(err)
			}
		}
		r.room.give(j.weight)
	}
	r.totals.Clock.Read = r.reading
}

// deliver writes and counts one job.
func (r *run) deliver(j *job) error {
	if r.Report != nil {
		if err := r.Report.Write(j.piece); err != nil {
			return err
		}
	}
	r.totals.add(&j.outcome)
	if r.Seen != nil {
		r.Seen(j.outcome.Outcome)
	}
	if r.FailFast && j.outcome.Err != nil {
		return ErrStopped
	}
	return nil
}
