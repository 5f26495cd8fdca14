// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/coverage"
	"github.com/holdfast-dev/holdfast/script"
)

// testFlags are the flags of test.
type testFlags struct {
	run     string
	format  string
	timeout time.Duration
	verbose bool
	update  bool
	watch   bool
	files   string
	detect  detectorFlags

	coverage bool
	mutate   bool
	minScore float64
	bench    bool
}

// testFormats are the values of its --format.
var testFormats = []string{"text", "json", "junit", "sarif", "github"}

// defaultTestTimeout is how long a case may take: a thousand times what they do.
const defaultTestTimeout = 10 * time.Second

func testCommand() *cobra.Command {
	var flags testFlags
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the tests of policies",
		Long: `Test runs the cases in *_test.txtar files: a policy or the file that it stands
in, a trace, and what checking the one against the other must come to. PATH is
such a file or a folder with all that is below it; without one, the folders of
the project file's policies, or else this folder.

Every case runs on the whole trace, event by event, cut in two at every place,
and against the policy as fmt prints it, and has to give the same each time. A
case that does not is printed with what it wants (-) and what came out (+);
--update writes that into the file, for you to read. docs/testing.md has the
format.

With --coverage it says what the cases have not seen of their policies; with
--mutate, which of many small changes of a policy no case notices; with --bench,
how long a check takes.

Exit codes: 0 all cases pass; 1 one failed, or a file could not be read; 2 wrong
usage, or there is no case. With --mutate also 1 if the cases do not pass, or
notice less than --min-score.`,
		Example: `  holdfast test
  holdfast test policies/ --run stranger -v
  holdfast test mail_test.txtar --update
  holdfast test --watch
  holdfast test policies/ --coverage --mutate --min-score 0.9
  holdfast test --format junit > tests.xml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return test(cmd, &flags, args)
		},
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{"txtar"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	flags.register(cmd)
	return cmd
}

func (f *testFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "run only the cases whose file and name match this `regexp`")
	flags.StringVar(&f.format, "format", "text", "how to print: "+strings.Join(testFormats, ", "))
	flags.DurationVar(&f.timeout, "timeout", defaultTestTimeout, "how long a case may take, as in 500ms or 1m; 0 is any time")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "name the cases that pass, too, and the time each took")
	flags.BoolVar(&f.update, "update", false, "write what comes out into the cases that want something else")
	flags.BoolVar(&f.watch, "watch", false, "run again whenever a case, policy or script changes, until interrupted")
	flags.BoolVar(&f.coverage, "coverage", false, "say which rules no case violates and which conditions were not both true and false")
	flags.BoolVar(&f.mutate, "mutate", false, "change the policies in small ways, and name the changes that no case notices")
	flags.Float64Var(&f.minScore, "min-score", 0, "with --mutate, fail if a smaller `share` of the changes is noticed, from 0 to 1")
	flags.BoolVar(&f.bench, "bench", false, "say how long one check of each case's trace takes")
	workspaceFlag(cmd, &f.files)
	f.detect.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(testFormats, cobra.ShellCompDirectiveNoFileComp))
	for _, name := range []string{"run", "timeout"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// goFlags writes the flags of test that go test has, too, as this command
// reads them: people type -run and -update.
func goFlags(args []string) []string {
	if len(args) == 0 || args[0] != "test" {
		return args
	}
	out := slices.Clone(args)
	for i, arg := range out {
		if arg == "--" {
			break
		}
		if name, _, _ := strings.Cut(arg, "="); slices.Contains([]string{"-run", "-update", "-timeout", "-watch"}, name) {
			out[i] = "-" + arg
		}
	}
	return out
}

// errNoCases is what a run without a case ends with: a green build that tested
// nothing would be a lie.
var errNoCases = errors.New("found no case")

// A testRun is one run of the command, after its flags are understood.
type testRun struct {
	*testFlags
	cmd     *cobra.Command
	args    []string
	only    *regexp.Regexp
	compile *holdfast.Options
}

func test(cmd *cobra.Command, flags *testFlags, args []string) error {
	if err := oneOf("format", flags.format, testFormats); err != nil {
		return usageError(err)
	}
	switch {
	case flags.timeout < 0:
		return usageError(fmt.Errorf("got --timeout %v, want no less than 0", flags.timeout))
	case flags.watch && (flags.format != "text" || flags.update || flags.coverage || flags.mutate || flags.bench):
		return usageError(errors.New("--watch is for people: it goes with no other format than text, and not with --update, --coverage, --mutate or --bench"))
	case !(flags.minScore >= 0 && flags.minScore <= 1) || flags.minScore > 0 && !flags.mutate: // NaN is neither
		return usageError(errors.New("--min-score is a share from 0 to 1, and goes with --mutate"))
	}
	only, err := regexp.Compile(flags.run)
	if err != nil {
		return usageError(fmt.Errorf("reading --run: %w", err))
	}
	project, err := projectOf(cmd)
	if err != nil {
		return err
	}
	workspace, err := openWorkspace(project.workspace(flags.files))
	if err != nil {
		return usageError(err)
	}
	detectors, err := project.detectors(cmd, &flags.detect)
	if err != nil {
		return usageError(err)
	}
	if len(args) == 0 {
		args = project.testFolders()
	}
	t := &testRun{
		testFlags: flags, cmd: cmd, args: args, only: only,
		compile: &holdfast.Options{Scripts: script.Load, Detectors: detectors, Workspace: workspace},
	}
	if flags.watch {
		ticker := time.NewTicker(watchInterval)
		defer ticker.Stop()
		return t.watch(cmd.Context(), ticker.C, t.stamps)
	}
	return t.once(cmd.Context())
}

// once runs the cases and reports them.
func (t *testRun) once(ctx context.Context) error {
	files, err := testFiles(t.args)
	if err != nil {
		return usageError(err)
	}
	folders := testFolders{}
	defer folders.close()
	var suites []*testSuite
	for _, file := range files {
		suites = append(suites, t.load(file, folders))
	}
	t.runAll(ctx, suites)
	var results []*testResult
	for _, s := range suites {
		results = append(results, t.finish(s)...)
	}
	if ctx.Err() != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("interrupted: only %s run", ran(len(results)))}
	}
	if len(results) == 0 {
		return &exitError{code: exitUsage, err: t.nothing(files)}
	}
	more, err := t.further(ctx, suites, results)
	if err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	if err := t.report(results, more); err != nil {
		return writeError(err)
	}
	switch {
	case anyFailed(results) && t.mutate:
		return &exitError{code: exitFailure, err: errFailing}
	case anyFailed(results):
		return &exitError{code: exitFailure}
	}
	return t.tooFew(more.mutation)
}

// further is what was asked for beyond whether the cases pass.
type further struct {
	coverage []*coverage.Part
	mutation *mutation
	bench    []benchmark
}

func (t *testRun) further(ctx context.Context, suites []*testSuite, results []*testResult) (*further, error) {
	more := &further{}
	var err error
	if t.coverage {
		if more.coverage, err = t.cover(ctx, suites); err != nil {
			return nil, fmt.Errorf("looking at what the cases cover: %w", err)
		}
	}
	if t.mutate && !anyFailed(results) {
		if more.mutation, err = t.mutants(ctx, suites); err != nil {
			return nil, fmt.Errorf("trying mutants: %w", err)
		}
		more.mutation.rate(t.cmd.ErrOrStderr())
	}
	if t.bench && !anyFailed(results) {
		if more.bench, err = t.benchmarks(ctx, suites); err != nil {
			return nil, fmt.Errorf("measuring: %w", err)
		}
	}
	return more, nil
}

// ran is "1 case was", "2 cases were".
func ran(n int) string {
	if n == 1 {
		return "1 case was"
	}
	return plural(n, "case") + " were"
}

// nothing says why there is no case.
func (t *testRun) nothing(files []string) error {
	if len(files) == 0 {
		return fmt.Errorf("%w: there is no file *%s in %s", errNoCases, testExt, strings.Join(t.args, ", "))
	}
	return fmt.Errorf("%w: --run %s matches none of %s", errNoCases, t.run, plural(len(files), "file"))
}
