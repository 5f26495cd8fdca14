// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
)

// A reporter writes what check finds. Its methods return errors of writing.
type reporter interface {
	// load says that the policy does not load.
	load(err error) error
	// verdict says what a trace comes to.
	verdict(src source, v holdfast.Verdict) error
	// failure says that a trace could not be read or checked.
	failure(src source, err error) error
	// finish ends the report.
	finish() error
}

// checkFlags are the flags of check.
type checkFlags struct {
	policies []string
	format   string
	inputs   []string
}

func checkCommand() *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check POLICY... TRACE...",
		Short: "Check traces against a policy",
		Long: `Check evaluates the policy over each trace and reports the verdict: allow, deny,
ask (a person has to approve) or unknown (a rule could not be decided, which
blocks), with the rule, the events and the text that show why.

A trace is a JSON list of messages or an object with "messages"; a file of JSON
lines holds one trace a line; - reads standard input. A trace that cannot be
read is reported and the next one is checked.

Exit codes: 0 every verdict is allow; 1 a trace could not be read or checked;
2 wrong usage or a policy that does not load; 3 a verdict is deny, unknown or
ask.`,
		Example: `  holdfast check policy.gr trace.json
  holdfast check policy.gr runs/*.json --format json
  holdfast check policy.gr - --input owner=bob@corp.com --input 'limits={"mail": 3}'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(cmd, flags, args)
		},
	}
	cmd.Flags().StringArrayVarP(&flags.policies, "policy", "p", nil, "a policy `file or folder`, so that all arguments are traces (repeatable)")
	cmd.Flags().StringVar(&flags.format, "format", "text", "what to print: text, or json (one object a trace, one line each)")
	cmd.Flags().StringArrayVar(&flags.inputs, "input", nil, "a parameter of the policy as `name=value`; the value is JSON, else a string (repeatable)")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// check runs the command after its flags are read.
func check(cmd *cobra.Command, flags checkFlags, args []string) error {
	policies, paths, err := splitArgs(flags.policies, args, cmd.ArgsLenAtDash())
	if err != nil {
		return usageError(err)
	}
	if flags.format != "text" && flags.format != "json" {
		return usageError(fmt.Errorf("got --format %s, want text or json", flags.format))
	}
	inputs, err := parseInputs(flags.inputs)
	if err != nil {
		return usageError(err)
	}
	policy, err := loadPolicy(policies)
	if err != nil {
		return refusedPolicy(cmd, flags.format, err)
	}
	printNotes(cmd.ErrOrStderr(), policy.notes(inputs))
	out := bufio.NewWriter(cmd.OutOrStdout())
	c := &checker{policy: policy, opts: &holdfast.MonitorOptions{Input: inputs}, out: out}
	if c.report, err = newReporter(cmd, flags.format, policy, out); err != nil {
		return err
	}
	return c.run(cmd.Context(), sources(paths, cmd.InOrStdin()))
}

// refusedPolicy reports a policy that does not load: for machines on standard
// output, for people on standard error.
func refusedPolicy(cmd *cobra.Command, format string, err error) error {
	if format == "text" {
		return reportLoad(cmd.ErrOrStderr(), err)
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if err := (&jsonReport{out: out}).load(err); err != nil {
		return writeError(err)
	}
	if err := out.Flush(); err != nil {
		return writeError(err)
	}
	return &exitError{code: exitUsage}
}

// newReporter also prints the load warnings for people; machines get them with
// each verdict.
func newReporter(cmd *cobra.Command, format string, policy *loadedPolicy, out io.Writer) (reporter, error) {
	if format == "json" {
		return &jsonReport{out: out, warnings: policy.Warnings()}, nil
	}
	report := &textReport{out: out, stderr: cmd.ErrOrStderr(), policy: policy, style: styleFor(cmd.OutOrStdout())}
	return report, writeError(diag.Render(cmd.ErrOrStderr(), policy.Warnings()))
}

// A checker checks one trace after the other.
type checker struct {
	policy *loadedPolicy
	opts   *holdfast.MonitorOptions
	report reporter
	out    *bufio.Writer

	failed  int
	blocked int
}

// run checks the traces. It flushes after each, so that a reader at the other
// end of a pipe sees whole reports as they come.
func (c *checker) run(ctx context.Context, traces iter.Seq[source]) error {
	for src := range traces {
		if err := c.one(ctx, src); err != nil {
			return writeError(err)
		}
		if err := c.out.Flush(); err != nil {
			return writeError(err)
		}
		if ctx.Err() != nil {
			return &exitError{code: exitFailure, err: errors.New("interrupted, the traces after this one are not checked")}
		}
	}
	if err := errors.Join(c.report.finish(), c.out.Flush()); err != nil {
		return writeError(err)
	}
	switch {
	case c.failed > 0:
		return &exitError{code: exitFailure, err: fmt.Errorf("%s could not be checked", plural(c.failed, "trace"))}
	case c.blocked > 0:
		return &exitError{code: exitDenied}
	}
	return nil
}

// one checks one trace and reports it.
func (c *checker) one(ctx context.Context, src source) error {
	if src.err != nil {
		c.failed++
		return c.report.failure(src, src.err)
	}
	verdict, err := c.policy.Analyze(ctx, src.trace, c.opts)
	if err != nil {
		c.failed++
		return c.report.failure(src, err)
	}
	if !verdict.Allowed() {
		c.blocked++
	}
	return c.report.verdict(src, verdict)
}

// plural returns "1 trace", "2 traces".
func plural[N int | uint64](n N, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
