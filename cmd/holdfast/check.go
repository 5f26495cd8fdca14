// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
)

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
	c.report, err = report.New(flags.format, &report.Options{
		Out: out, Err: cmd.ErrOrStderr(), Color: styleFor(cmd.OutOrStdout()).on,
		Policy: policy.Policy, Line: policy.line,
	})
	if err != nil {
		return writeError(err)
	}
	return c.run(cmd.Context(), sources(paths, cmd.InOrStdin()))
}

// refusedPolicy reports a policy that does not load: for machines on standard
// output, for people on standard error.
func refusedPolicy(cmd *cobra.Command, format string, err error) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	err = report.Load(format, &report.Options{Out: out, Err: cmd.ErrOrStderr()}, err)
	if err := errors.Join(err, out.Flush()); err != nil {
		return writeError(err)
	}
	return &exitError{code: exitUsage}
}

// A checker checks one trace after the other.
type checker struct {
	policy *loadedPolicy
	opts   *holdfast.MonitorOptions
	report report.Report
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
	if err := errors.Join(c.report.Finish(), c.out.Flush()); err != nil {
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
	result := report.Result{Path: src.path, Index: src.index, Trace: src.trace, Err: src.err, Unread: src.err != nil}
	if result.Err == nil {
		result.Verdict, result.Err = c.policy.Analyze(ctx, src.trace, c.opts)
	}
	if result.Err != nil {
		c.failed++
	} else if !result.Verdict.Allowed() {
		c.blocked++
	}
	return c.report.Write(c.report.Render(result))
}

// plural returns "1 trace", "2 traces".
func plural[N int | uint64](n N, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
