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
}

// testFormats are the values of its --format.
var testFormats = []string{"text", "json", "junit"}

// defaultTestTimeout is how long a case may take: a thousand times what they do.
const defaultTestTimeout = 10 * time.Second

func testCommand() *cobra.Command {
	var flags testFlags
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the tests of policies",
		Long: `Test runs the cases in *_test.txtar files: a policy or the file that it stands
in, a trace, and what checking the one against the other must come to. PATH is
such a file or a folder with all that is below it; without one it is this folder.

Every case runs on the whole trace, event by event, cut in two at every place,
and against the policy as fmt prints it, and has to give the same each time. A
case that does not is printed with what it wants (-) and what came out (+);
--update writes that into the file, for you to read. docs/testing.md has the
format.

Exit codes: 0 all cases pass; 1 one failed, or a file could not be read; 2 wrong
usage, or there is no case.`,
		Example: `  holdfast test
  holdfast test policies/ --run stranger -v
  holdfast test mail_test.txtar --update
  holdfast test --watch
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
	case flags.watch && (flags.format != "text" || flags.update):
		return usageError(errors.New("--watch is for people: it goes with no other format than text, and not with --update"))
	}
	only, err := regexp.Compile(flags.run)
	if err != nil {
		return usageError(fmt.Errorf("reading --run: %w", err))
	}
	workspace, err := openWorkspace(flags.files)
	if err != nil {
		return usageError(err)
	}
	detectors, err := flags.detect.detectors()
	if err != nil {
		return usageError(err)
	}
	if len(args) == 0 {
		args = []string{"."}
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
	if err := t.report(results); err != nil {
		return writeError(err)
	}
	if slices.ContainsFunc(results, func(r *testResult) bool { return r.status != testPassed }) {
		return &exitError{code: exitFailure}
	}
	return nil
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
