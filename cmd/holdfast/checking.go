// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

// checkFlags are the flags that all commands have that check traces.
type checkFlags struct {
	policies []string
	format   string
	inputs   []string
	mapping  string
	strict   bool
	online   bool
	failOn   string
	reveal   bool
	files    string
	detect   detectorFlags
}

// failLevels are the values of --fail-on, worst first as decisions are: each
// stands for itself and for what is before it.
var failLevels = []string{"deny", "unknown", "ask", "warn"}

func (f *checkFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.policies, "policy", "p", nil, "a policy `file or folder`, so that all arguments are traces (repeatable)")
	flags.StringVar(&f.format, "format", "text", "how to print: "+strings.Join(report.Formats(), ", "))
	flags.StringArrayVar(&f.inputs, "input", nil, "a parameter of the policy as `name=value`; the value is JSON, else a string (repeatable)")
	flags.StringVar(&f.mapping, "map", "", "how traces of another layout are read: a `file` of JSON pointers, or agentdojo or openai")
	flags.BoolVar(&f.strict, "strict", false, "refuse a trace with parts that cannot be relied on, instead of taking these for unknown")
	flags.BoolVar(&f.online, "online", false, "go call by call and say at which one a deployment would have stopped the run")
	flags.StringVar(&f.failOn, "fail-on", "ask", "from which `verdict` on the exit code is 3: deny, unknown, ask or warn")
	flags.BoolVar(&f.reveal, "reveal", false, "show credentials and personal data instead of their kinds")
	workspaceFlag(cmd, &f.files)
	f.detect.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(report.Formats(), cobra.ShellCompDirectiveNoFileComp))
}

// A checking is what such a command has to do, once its flags and arguments
// are understood and the policies are loaded.
type checking struct {
	cmd    *cobra.Command
	format string
	failOn string
	policy *loadedPolicy
	paths  []string
	input  *source.Options
	scan   scan.Options // but for the report
}

// prepare reads flags, arguments and policies. What is wrong with these has
// been reported when it returns an error.
func (f *checkFlags) prepare(cmd *cobra.Command, args []string) (*checking, error) {
	project, err := projectOf(cmd)
	if err != nil {
		return nil, err
	}
	policies, paths, err := project.split(f.policies, args, cmd.ArgsLenAtDash())
	if err != nil {
		return nil, usageError(err)
	}
	if err := errors.Join(oneOf("format", f.format, report.Formats()), oneOf("fail-on", f.failOn, failLevels)); err != nil {
		return nil, usageError(err)
	}
	inputs, err := project.inputs(f.inputs)
	if err != nil {
		return nil, usageError(err)
	}
	c := &checking{cmd: cmd, format: f.format, failOn: f.failOn, paths: paths}
	c.input = &source.Options{Stdin: interruptible(cmd.Context(), cmd.InOrStdin()), Trace: &trace.DecodeOptions{Strict: f.strict}}
	if f.mapping != "" {
		if c.input.Mapping, err = layout.Open(f.mapping); err != nil {
			return nil, usageError(fmt.Errorf("reading --map: %w", err))
		}
	}
	workspace, err := openWorkspace(project.workspace(f.files))
	if err != nil {
		return nil, usageError(err)
	}
	detectors, err := project.detectors(cmd, &f.detect)
	if err != nil {
		return nil, usageError(err)
	}
	if c.policy, err = loadPolicy(policies, holdfast.Options{Input: inputs, Reveal: f.reveal, Workspace: workspace, Detectors: detectors}); err != nil {
		return nil, c.refused(err)
	}
	project.leave(inputs, c.policy.Policy)
	printNotes(cmd.ErrOrStderr(), append(c.policy.notes(inputs), textInputs(f.inputs)...))
	monitor := &holdfast.MonitorOptions{Input: inputs}
	if _, err := c.policy.Monitor(monitor); err != nil { // here, and not for each trace
		return nil, usageError(err)
	}
	c.scan = scan.Options{Policy: c.policy.Policy, Monitor: monitor, Decode: c.input.Decode}
	if f.online {
		c.scan.Check = scan.Online(c.policy.Policy, monitor)
	}
	return c, nil
}

// oneOf returns an error if the value of a flag is not one of those wanted.
func oneOf(flag, got string, want []string) error {
	if slices.Contains(want, got) {
		return nil
	}
	return fmt.Errorf("got --%s %s, want %s", flag, got, strings.Join(want, ", "))
}

// refused reports that the policies do not load, why being the reason: for
// people on standard error, for machines on standard output.
func (c *checking) refused(why error) error {
	if err := report.Load(c.format, c.reportOptions(c.cmd.OutOrStdout()), why); err != nil {
		return writeError(err)
	}
	return &exitError{code: exitUsage}
}

func (c *checking) reportOptions(out io.Writer) *report.Options {
	o := &report.Options{
		Out: out, Err: c.cmd.ErrOrStderr(), Color: styleFor(out).on, Online: c.scan.Check != nil,
		Version: version(), Command: c.cmd.Name(), Fails: c.fails,
	}
	if c.policy != nil {
		o.Policy, o.Line, o.Decode = c.policy.Policy, c.policy.Line, c.input.DecodeOptions()
	}
	o.Dir, _ = os.Getwd() // without it paths stay as they are
	return o
}

// exit turns what a run came to into the command's end. That something could
// not be checked weighs more than what was found elsewhere: the answer is not
// whole.
func (c *checking) exit(t *scan.Totals) error {
	switch {
	case t.Failed > 0:
		return &exitError{code: exitFailure, err: fmt.Errorf("%s could not be checked", plural(t.Failed, "trace"))}
	case c.failed(t):
		return &exitError{code: exitDenied}
	}
	return nil
}

// fails reports whether a verdict is as bad as --fail-on says.
func (c *checking) fails(v holdfast.Verdict) bool {
	level := slices.Index(failLevels, c.failOn)
	if v.Decision() != holdfast.Allow {
		return int(v.Decision()) <= level
	}
	warned := slices.ContainsFunc(v.Counts(), func(n holdfast.RuleCount) bool { return n.Rule.Action == "warn" })
	return warned && failLevels[level] == "warn"
}

// failed reports whether one of several verdicts is as bad as --fail-on says.
func (c *checking) failed(t *scan.Totals) bool {
	level := slices.Index(failLevels, c.failOn)
	counts := []int{t.Decisions[holdfast.Deny], t.Decisions[holdfast.Unknown], t.Decisions[holdfast.Ask], t.Warned}
	return slices.ContainsFunc(counts[:level+1], func(n int) bool { return n > 0 })
}

// plural returns "1 trace", "2 traces".
func plural[N int | uint64](n N, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
