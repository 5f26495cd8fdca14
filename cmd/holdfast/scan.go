// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

// scanFlags are the flags of scan.
type scanFlags struct {
	checkFlags
	output   string
	maxTrace byteSize
	workers  int
	stats    bool
	failFast bool
	stacks   bool
}

func scanCommand() *cobra.Command {
	flags := scanFlags{maxTrace: defaultMaxTrace}
	cmd := &cobra.Command{
		Use:   "scan POLICY... PATH...",
		Short: "Check many traces on all cores and sum up",
		Long: `Scan checks every trace of the files and folders and prints how many came to
what, by rule and by file. It reads what check reads: JSON, JSON lines and lists
of traces of any size, .gz, .zst and .xz, and logs of AgentDojo; of a folder
every .json, .jsonl and .ndjson file, compressed or not; - is standard input.

With another format than text each result is written as it comes, in the order
of the input, and the sums go to standard error. With --output the results go to
a file, which is there when it is whole: until then it is called NAME.partial.

A line or file that cannot be read is reported with its place and counted, and
the next one is read (--fail-fast: it is the end). On an interrupt what is
finished is written; a second one ends the program at once.

Exit codes: 0 every verdict is allow; 1 something could not be read, checked or
written, whatever the verdicts, since not everything was looked at; 2 wrong usage
or a policy that does not load; 3 a verdict is deny, unknown or ask (--fail-on).`,
		Example: `  holdfast scan policy.gr logs/
  holdfast scan policy.gr logs/ --format jsonl --output results.jsonl
  holdfast scan base.gr team.gr runs.jsonl.zst --online --stats
  zcat old.gz | holdfast scan policy.gr - --format jsonl | jq .verdict`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return scanTraces(cmd, &flags, args)
		},
	}
	flags.register(cmd)
	return cmd
}

func (f *scanFlags) register(cmd *cobra.Command) {
	f.checkFlags.register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "write to this `file`, which is there only once it is whole")
	flags.BoolVar(&f.failFast, "fail-fast", false, "end at the first trace that cannot be read or checked")
	flags.BoolVar(&f.stats, "stats", false, "say what it took: bytes, time, rate, memory")
	flags.IntVar(&f.workers, "workers", 0, "how many traces are checked at once (default one a core)")
	flags.Var(&f.maxTrace, "max-trace", "the largest trace that is checked, as in 512k, 16M or 1G; memory grows with it")
	flags.BoolVar(&f.stacks, "stacks", false, "print the stack with an internal error")
	_ = flags.MarkHidden("stacks")
}

// A scanRun is one run of the command, after its arguments are understood.
type scanRun struct {
	*scanFlags
	*checking
	usage  usage // of the process when it began
	failed int   // records, so far
}

// scanTraces runs the command after its flags are read.
func scanTraces(cmd *cobra.Command, flags *scanFlags, args []string) error {
	if flags.workers < 0 {
		return usageError(fmt.Errorf("got --workers %d, want 1 or more", flags.workers))
	}
	s := &scanRun{scanFlags: flags, usage: usageNow()}
	var err error
	if s.checking, err = flags.prepare(cmd, args); err != nil {
		return err
	}
	if err := s.spare(); err != nil {
		return usageError(err)
	}
	s.input.Trace.MaxBytes, s.input.Trace.MaxValues = int(flags.maxTrace), flags.maxTrace.values()
	s.scan.Workers, s.scan.FailFast, s.scan.Stacks = flags.workers, flags.failFast, flags.stacks
	if flags.stats {
		s.scan.CPU = threadTime
	}
	defer boundMemory(int64(flags.maxTrace))()
	return s.run(cmd.Context())
}

// spare refuses an output in whose place something stands that is read.
func (s *scanRun) spare() error {
	st, err := os.Stat(s.output)
	if s.output == "" || err != nil || !st.Mode().IsRegular() {
		return nil //nolint:nilerr // nothing stands there, or what is written to as it is
	}
	for _, path := range append(slices.Clone(s.policy.paths), s.paths...) {
		if path != "-" && same(s.output, path) {
			return fmt.Errorf("got %s for the results and for what is read", path)
		}
	}
	return nil
}

// run scans, and writes what there is to write.
func (s *scanRun) run(ctx context.Context) error {
	out, err := openOutput(s.output, s.cmd.OutOrStdout())
	if err != nil {
		return writeError(err)
	}
	if s.text() {
		err = diag.Render(s.cmd.ErrOrStderr(), s.policy.Warnings())
	} else {
		s.scan.Report, err = report.New(s.checking.format, s.reportOptions(out))
	}
	if err != nil {
		return errors.Join(writeError(err), out.discard())
	}
	progress := s.progress()
	s.input.Read = progress.read
	s.scan.Seen = func(o scan.Outcome) {
		progress.seen(o)
		s.complain(progress, o)
	}
	totals, err := scan.Run(ctx, source.Records(ctx, s.paths, s.input), &s.scan)
	progress.end()
	return s.conclude(ctx, out, totals, err)
}

// text reports whether there are only the sums.
func (s *scanRun) text() bool { return s.checking.format == "text" }

// maxComplaints is how many records that failed are named one by one. The
// results name all of them.
const maxComplaints = 20

// complain names a record that could not be read or checked.
func (s *scanRun) complain(w io.Writer, o scan.Outcome) {
	if o.Err == nil {
		return
	}
	switch s.failed++; {
	case s.failed <= maxComplaints:
		fmt.Fprintf(w, "holdfast: %s: %s\n", escapeLine(placeOf(o)), escapeText(report.Reason(s.policy.Policy, o.Err)))
	case s.failed == maxComplaints+1:
		fmt.Fprintf(w, "holdfast: more could not be read or checked; they are only counted here\n")
	}
}

// placeOf is where a record stands: the file, and the line if there are more
// than one.
func placeOf(o scan.Outcome) string {
	line := o.Line
	var bad *trace.Error
	if errors.As(o.Err, &bad) {
		line = bad.Line
	}
	if line == 0 {
		return o.Path
	}
	return fmt.Sprintf("%s:%d", o.Path, line)
}

// conclude prints the sums and says what the run comes to. err is what ended
// it before its time.
func (s *scanRun) conclude(ctx context.Context, out *output, totals *scan.Totals, err error) error {
	sum := summary{totals: totals, partial: err != nil}
	writeErr := s.printSummary(&sum, out)
	if s.stats {
		s.printStats(totals)
	}
	switch {
	case ctx.Err() != nil:
		return s.stopped(out, totals, "interrupted")
	case errors.Is(err, scan.ErrStopped):
		return s.stopped(out, totals, err.Error())
	case err != nil || writeErr != nil:
		return errors.Join(writeError(cmp.Or(err, writeErr)), out.discard())
	}
	if err := out.commit(); err != nil {
		return writeError(err)
	}
	return s.exit(totals)
}

// printSummary writes the sums: if that is all there is, to the output.
func (s *scanRun) printSummary(sum *summary, out *output) error {
	stderr := s.cmd.ErrOrStderr()
	switch {
	case !s.text():
		sum.style.On = styleFor(stderr).on
		return sum.write(stderr)
	case s.output == "":
		sum.style.On = styleFor(s.cmd.OutOrStdout()).on
	}
	return sum.write(out)
}

// stopped is the error of a run that did not look at everything.
func (s *scanRun) stopped(out *output, totals *scan.Totals, why string) error {
	n := totals.Traces + totals.Failed
	where, err := out.keep()
	if err != nil {
		return writeError(err)
	}
	if where != "" {
		where = fmt.Sprintf("; their results are in %s, and %s is not written", where, s.output)
	}
	return &exitError{code: exitFailure, err: fmt.Errorf("%s, after %s of the input; what follows is not in the results%s", why, plural(n, "trace"), where)}
}
