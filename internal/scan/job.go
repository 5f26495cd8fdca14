// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"fmt"
	"hash/fnv"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/source"
)

// A job is one record on its way. It belongs to the reader, then to a worker
// until done is closed, then to the writer.
type job struct {
	record source.Record
	weight int64 // that it holds of the room
	done   chan struct{}

	abandoned bool // it was not checked, or not to the end
	outcome   outcome
	piece     report.Piece
}

// outcome is what the totals want to know of a job.
type outcome struct {
	Outcome
	events  int
	bytes   int
	counts  []holdfast.RuleCount
	unknown []*holdfast.Rule // each once
	clock   Clock
}

func (j *job) abandon() {
	j.abandoned = true
	close(j.done)
}

// kept is what a job weighs that waits to be written.
func (j *job) kept() int64 {
	return leastWeight + int64(len(j.piece.Out)+len(j.piece.Err))
}

// check does the work of a job. Only the outcome and what was rendered stay;
// the trace and its verdict, which hold much more, go.
func (r *run) check(j *job) {
	record := j.record
	j.record = source.Record{}
	j.outcome.Path, j.outcome.Index, j.outcome.Line = record.Path, record.Index, record.Line
	j.outcome.bytes = len(record.Text)
	result := report.Result{Path: record.Path, Index: record.Index, Record: record.Record}
	r.guard(&result, func() { r.decide(j, record, &result) })
	if r.ctx.Err() != nil {
		// A detector may have given up because of that, so the verdict means
		// nothing.
		j.abandoned = true
		return
	}
	r.guard(&result, func() { j.outcome.take(&result) })
	r.render(j, &result)
	j.outcome.Err, j.outcome.Unread = result.Err, result.Unread
}

// decide decodes and checks a record.
func (r *run) decide(j *job, record source.Record, result *report.Result) {
	if result.Err = record.Err; result.Err != nil {
		result.Unread = true
		return
	}
	begin := r.now()
	t, err := r.Decode(record)
	decoded := r.now()
	j.outcome.clock.Decode = decoded - begin
	if err != nil {
		result.Err, result.Unread = err, true
		return
	}
	result.Trace = t
	j.outcome.events = len(t.Events)
	result.Verdict, result.Online, result.Err = r.judge(r.ctx, t)
	j.outcome.clock.Check = r.now() - decoded
}

// take notes what the totals want to know of a result.
func (o *outcome) take(result *report.Result) {
	if result.Err != nil {
		return
	}
	o.Decision = result.Verdict.Decision()
	o.Stopped = result.Online != nil
	o.counts = result.Verdict.Counts()
	for _, c := range o.counts {
		o.Warned = o.Warned || c.Rule.Action == "warn"
	}
	for _, u := range result.Verdict.Unknowns() {
		if n := len(o.unknown); n == 0 || o.unknown[n-1] != u.Rule {
			o.unknown = append(o.unknown, u.Rule)
		}
	}
}

// render makes the job's part of the report. If that panics, the failure is
// reported instead, in which there is less to go wrong.
func (r *run) render(j *job, result *report.Result) {
	if r.Report == nil {
		return
	}
	begin := r.now()
	if !r.guard(result, func() { j.piece = r.Report.Render(*result) }) {
		r.guard(result, func() { j.piece = r.Report.Render(*result) })
	}
	j.outcome.clock.Render = r.now() - begin
}

// guard runs f, and reports false if it panicked: then the result is that
// failure. A trace that makes a rule panic is neither passed nor the end of
// the others.
func (r *run) guard(result *report.Result, f func()) (ok bool) {
	defer func() {
		if x := recover(); x != nil {
			result.Trace, result.Verdict, result.Online = nil, holdfast.Verdict{}, nil
			result.Err, result.Unread = panicError(x, r.Stacks), false
			ok = false
		}
	}()
	f()
	return true
}

// A PanicError says that checking a trace panicked, which is a mistake of the
// program.
type PanicError struct {
	Value  any
	Digest string // of the functions on the stack: the same for the same mistake
	Stack  string // if it was asked for
}

// Error names the panic in one line, followed by the stack if it was asked for.
func (e *PanicError) Error() string {
	text := fmt.Sprintf("internal error %s: %v", e.Digest, e.Value)
	if e.Stack != "" {
		text += "\n" + e.Stack
	}
	return text
}

// panicError must be called by the deferred function that recovered x.
func panicError(x any, stacks bool) *PanicError {
	e := &PanicError{Value: x, Digest: digest()}
	if stacks {
		e.Stack = strings.TrimSpace(string(debug.Stack()))
	}
	return e
}

// digest names the place of a panic in a few characters: its functions,
// without lines and addresses, so that a report of one can be recognised.
func digest() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	h := fnv.New32a()
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.Function, ".(*run).guard") {
			break // what is below does not differ
		}
		_, _ = h.Write([]byte(frame.Function + "\n"))
		if !more {
			break
		}
	}
	return fmt.Sprintf("%08x", h.Sum32())
}
