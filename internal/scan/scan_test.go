// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package scan_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

const policyText = `
# id: bad
raise "bad word" if:
    (m: Message)
    "bad" in m.content

# id: tone
warn "shouting" if:
    (m: Message)
    m.content == m.content.upper()

# id: size
raise "too much" if:
    (c: ToolCall)
    c.arguments.n > 5
`

func compile(t testing.TB) *holdfast.Policy {
	t.Helper()
	p, err := holdfast.Compile("policy.gr", []byte(policyText), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func decode(r source.Record) (*trace.Trace, error) {
	return trace.Decode([]byte(r.Text), nil)
}

// said is a record of one message.
func said(path string, index int, text string) source.Record {
	return source.Record{
		Path: path, Index: index,
		Record: trace.Record{Text: fmt.Sprintf(`[{"role": "user", "content": %q}]`, text), Line: index + 1},
	}
}

// mixed yields n records of five files: most are fine, some are denied, warned
// about, unknown, no JSON, or unreadable. Their sizes differ widely, so that
// workers finish out of order.
func mixed(n int) iter.Seq[source.Record] {
	return func(yield func(source.Record) bool) {
		for i := range n {
			r := said(fmt.Sprintf("file%d.jsonl", i*5/n), i, strings.Repeat("word ", i*7919%3000))
			switch {
			case i%7 == 3:
				r = said(r.Path, i, "a bad one")
			case i%11 == 5:
				r = said(r.Path, i, "LOUD")
			case i%13 == 6:
				r.Text = `[{"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {}}}]}]`
			case i%17 == 9:
				r.Text = `[{"role": "user"`
			case i%19 == 11:
				r.Text, r.Err = "", errors.New("the disk is gone")
			}
			if !yield(r) {
				return
			}
		}
	}
}

// lines is a report of one line a result.
type lines struct {
	out      strings.Builder
	finished bool
	broken   error // what Write returns, if not nil
	render   func(report.Result)
}

func (l *lines) Render(r report.Result) report.Piece {
	if l.render != nil {
		l.render(r)
	}
	text := fmt.Sprintf("%s:%d: ", r.Path, r.Index)
	if r.Err != nil {
		return report.Piece{Out: fmt.Appendf(nil, "%s%v\n", text, r.Err)}
	}
	return report.Piece{Out: fmt.Appendf(nil, "%s%s %s\n", text, r.Verdict.Decision(), r.Verdict.Reason())}
}

func (l *lines) Write(p report.Piece) error {
	if l.broken != nil {
		return l.broken
	}
	l.out.Write(p.Out)
	return nil
}

func (l *lines) Finish() error {
	l.finished = true
	return nil
}

func TestOrderAndTotalsDoNotDependOnWorkers(t *testing.T) {
	policy := compile(t)
	var wantText, wantTotals string
	for _, workers := range []int{1, 2, 8} {
		var seen []int
		out := &lines{}
		totals, err := scan.Run(t.Context(), mixed(500), &scan.Options{
			Policy: policy, Decode: decode, Report: out, Workers: workers,
			Seen: func(o scan.Outcome) { seen = append(seen, o.Index) },
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, index := range seen {
			if i != index {
				t.Fatalf("with %d workers outcome %d is of record %d", workers, i, index)
			}
		}
		totals.Clock = scan.Clock{}
		got := fmt.Sprintf("%+v", totals.Files)
		for _, r := range totals.Rules {
			got += fmt.Sprintf("\n%s %d %d %v %d", r.Rule.ID, r.Traces, r.Violations, r.AtLeast, r.Unknown)
		}
		got += fmt.Sprintf("\n%d %d %v %d %d %d", totals.Traces, totals.Failed, totals.Decisions, totals.Warned, totals.Events, totals.Bytes)
		if wantText == "" {
			wantText, wantTotals = out.out.String(), got
		}
		if len(seen) != 500 || !out.finished || out.out.String() != wantText || got != wantTotals {
			t.Errorf("with %d workers got %d outcomes, finished %v,\n%s\nwant\n%s", workers, len(seen), out.finished, got, wantTotals)
		}
	}
}

func TestTotals(t *testing.T) {
	records := []source.Record{
		said("a", 0, "fine"), said("a", 1, "bad"), said("b", 0, "fine"), said("c", 0, "bad"), said("c", 1, "BAD bad"), said("c", 2, "X"),
	}
	records = append(records, source.Record{Path: "d", Err: errors.New("gone")})
	totals, err := scan.Run(t.Context(), all(records), &scan.Options{Policy: compile(t), Decode: decode, Files: 2})
	if err != nil {
		t.Fatal(err)
	}
	if totals.Traces != 6 || totals.Failed != 1 || totals.Warned != 1 || totals.FileCount != 4 || totals.BadFiles != 3 {
		t.Errorf("got %+v", totals)
	}
	if want := [4]int{holdfast.Deny: 3, holdfast.Allow: 3}; totals.Decisions != want {
		t.Errorf("got decisions %v, want %v", totals.Decisions, want)
	}
	if len(totals.Files) != 2 || totals.Files[0].Path != "d" || totals.Files[1].Path != "c" || totals.Files[1].Traces != 3 {
		t.Errorf("got files %+v, want d and c", totals.Files)
	}
	if bad := totals.Rules[0]; bad.Traces != 3 || bad.Violations != 3 || bad.Unknown != 0 {
		t.Errorf("got %+v for the rule that three traces violate", bad)
	}
}

// all yields records.
func all(records []source.Record) iter.Seq[source.Record] {
	return func(yield func(source.Record) bool) {
		for _, r := range records {
			if !yield(r) {
				return
			}
		}
	}
}

func TestPanicIsAFailureOfItsTrace(t *testing.T) {
	policy := compile(t)
	whole := scan.Whole(policy, nil)
	judge := func(ctx context.Context, t *trace.Trace) (holdfast.Verdict, *report.Stop, error) {
		if len(t.Events) == 2 {
			panic("a mistake in a detector")
		}
		return whole(ctx, t)
	}
	records := []source.Record{said("a", 0, "x"), said("a", 1, "x"), said("a", 2, "x")}
	records[1].Text = `[{"role": "user", "content": "x"}, {"role": "user", "content": "y"}]`
	for _, stacks := range []bool{false, true} {
		var got []scan.Outcome
		totals, err := scan.Run(t.Context(), all(records), &scan.Options{
			Policy: policy, Decode: decode, Check: judge, Report: &lines{}, Stacks: stacks,
			Seen: func(o scan.Outcome) { got = append(got, o) },
		})
		if err != nil || totals.Failed != 1 || totals.Traces != 2 {
			t.Fatalf("got %v and %+v, want one failure among three", err, totals)
		}
		var bad *scan.PanicError
		if !errors.As(got[1].Err, &bad) || got[1].Unread {
			t.Fatalf("got %v, want a *PanicError", got[1].Err)
		}
		if got := strings.Contains(bad.Error(), "scan_test.go"); got != stacks || !strings.Contains(bad.Error(), "a mistake in a detector") {
			t.Errorf("with Stacks %v got %q", stacks, bad)
		}
	}
}

func TestPanicWhileRendering(t *testing.T) {
	out := &lines{render: func(r report.Result) {
		if r.Err == nil && r.Index == 1 {
			panic("no such colour")
		}
	}}
	records := []source.Record{said("a", 0, "x"), said("a", 1, "x")}
	totals, err := scan.Run(t.Context(), all(records), &scan.Options{Policy: compile(t), Decode: decode, Report: out})
	if err != nil || totals.Failed != 1 || !strings.Contains(out.out.String(), "a:1: internal error") {
		t.Errorf("got %v, %+v and\n%s", err, totals, out.out.String())
	}
}

func TestPanicWhileReadingEndsTheRun(t *testing.T) {
	records := func(yield func(source.Record) bool) {
		yield(said("a", 0, "x"))
		panic("a broken decompressor")
	}
	out := &lines{}
	_, err := scan.Run(t.Context(), records, &scan.Options{Policy: compile(t), Decode: decode, Report: out})
	var bad *scan.PanicError
	if !errors.As(err, &bad) || out.finished {
		t.Errorf("got %v, finished %v, want a *PanicError and no end of the report", err, out.finished)
	}
}

func TestCancelledRunKeepsWholeResultsInOrder(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the user pressed ^C")
	forever := func(yield func(source.Record) bool) {
		for i := 0; yield(said("a", i, "x")); i++ {
		}
	}
	out := &lines{}
	n := 0
	totals, err := scan.Run(ctx, forever, &scan.Options{
		Policy: compile(t), Decode: decode, Report: out, Workers: 4,
		Seen: func(scan.Outcome) {
			if n++; n == 100 {
				cancel(why)
			}
		},
	})
	if !errors.Is(err, why) || out.finished {
		t.Errorf("got %v, finished %v, want %v and no end of the report", err, out.finished, why)
	}
	if got := strings.Count(out.out.String(), "\n"); got != totals.Traces || got != n || n < 100 {
		t.Errorf("got %d lines for %d traces", got, totals.Traces)
	}
	for i := range n {
		if want := fmt.Sprintf("a:%d: allow", i); !strings.Contains(out.out.String(), want) {
			t.Fatalf("%q is missing", want)
		}
	}
	// One that has done its last is counted until it is gone.
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 1_000_000 {
			t.Fatalf("%d goroutines are left, %d were there", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}

func TestVerdictOfACancelledCheckIsDropped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	judge := func(ctx context.Context, _ *trace.Trace) (holdfast.Verdict, *report.Stop, error) {
		cancel() // and what detectors say from now on is not to be trusted
		return holdfast.Verdict{}, nil, nil
	}
	totals, err := scan.Run(ctx, mixed(10), &scan.Options{Policy: compile(t), Decode: decode, Check: judge})
	if !errors.Is(err, context.Canceled) || totals.Traces != 0 {
		t.Errorf("got %v and %d traces, want none", err, totals.Traces)
	}
}

func TestWriteErrorEndsTheRun(t *testing.T) {
	out := &lines{broken: errors.New("disk full")}
	_, err := scan.Run(t.Context(), mixed(1000), &scan.Options{Policy: compile(t), Decode: decode, Report: out})
	if !errors.Is(err, out.broken) || out.finished {
		t.Errorf("got %v, finished %v, want %v", err, out.finished, out.broken)
	}
}

func TestFailFast(t *testing.T) {
	records := []source.Record{said("a", 0, "bad"), {Path: "b", Err: errors.New("gone")}, said("c", 0, "x")}
	totals, err := scan.Run(t.Context(), all(records), &scan.Options{Policy: compile(t), Decode: decode, FailFast: true})
	if !errors.Is(err, scan.ErrStopped) || totals.Traces != 1 || totals.Failed != 1 {
		t.Errorf("got %v and %+v, want %v after the second record", err, totals, scan.ErrStopped)
	}
}

// TestWeightIsBounded holds back the first record until nothing else moves:
// what was read by then must have fitted into the room, however many workers
// wait.
func TestWeightIsBounded(t *testing.T) {
	const room = 1 << 20
	const size = 64 << 10
	var read, checked atomic.Int64
	var once sync.Once
	records := func(yield func(source.Record) bool) {
		for i := range 200 {
			read.Add(1)
			if !yield(said("a", i, strings.Repeat("x", size))) {
				return
			}
		}
	}
	judge := func(context.Context, *trace.Trace) (holdfast.Verdict, *report.Stop, error) {
		n := checked.Add(1)
		once.Do(func() {
			// The others go on until there is no more room.
			for last := int64(-1); last != read.Load()+checked.Load(); {
				last = read.Load() + checked.Load()
				for range 1000 {
					runtime.Gosched()
				}
			}
		})
		_ = n
		return holdfast.Verdict{}, nil, nil
	}
	// What is rendered is as large as what was read.
	out := &lines{}
	big := &bulky{lines: out, size: size}
	totals, err := scan.Run(t.Context(), records, &scan.Options{
		Policy: compile(t), Decode: decode, Check: judge, Report: big, Room: room, Workers: 8,
	})
	if err != nil || totals.Traces != 200 {
		t.Fatalf("got %v and %d traces", err, totals.Traces)
	}
	// Beside what has its room, each worker may have rendered one result.
	if most := int64(room + 10*size); big.peak.Load() > most {
		t.Errorf("%d bytes waited to be written, want at most %d", big.peak.Load(), most)
	}
}

// bulky is a report whose pieces are large; it measures what waits.
type bulky struct {
	*lines
	size       int
	held, peak atomic.Int64
}

func (b *bulky) Render(report.Result) report.Piece {
	held := b.held.Add(int64(b.size))
	for peak := b.peak.Load(); held > peak && !b.peak.CompareAndSwap(peak, held); peak = b.peak.Load() {
	}
	return report.Piece{Out: make([]byte, b.size)}
}

func (b *bulky) Write(p report.Piece) error {
	b.held.Add(-int64(len(p.Out)))
	return nil
}

func TestRecordHeavierThanTheRoom(t *testing.T) {
	records := []source.Record{said("a", 0, "x"), said("a", 1, strings.Repeat("x", 1<<20)), said("a", 2, "x")}
	totals, err := scan.Run(t.Context(), all(records), &scan.Options{Policy: compile(t), Decode: decode, Room: 4 << 10})
	if err != nil || totals.Traces != 3 {
		t.Errorf("got %v and %+v, want all three", err, totals)
	}
}
