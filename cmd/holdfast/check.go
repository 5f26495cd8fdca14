// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/internal/source"
)

func checkCommand() *cobra.Command {
	var flags checkFlags
	cmd := &cobra.Command{
		Use:   "check POLICY... TRACE...",
		Short: "Check traces against policies",
		Long: `Check evaluates policies over each trace and reports the verdict: allow, deny,
ask (a person has to approve) or unknown (a rule could not be decided, which
blocks), with the rule, the events and the text that show why.

A policy is a .gr file or a folder of them; several make one. Traces come from
files, from folders with all that is below them, and from standard input (-):
JSON or JSON lines, also compressed by gzip, zstd or xz. The first argument is
a policy, further ones are if they look like it, the last never is; --policy or
a -- between the two says it outright. What cannot be read is reported, and the
rest is checked.

Exit codes: 0 no verdict is as bad as --fail-on says; 1 a trace could not be
read or checked; 2 wrong usage or a policy that does not load; 3 a verdict is
deny, unknown or ask, or what --fail-on says.`,
		Example: `  holdfast check policy.gr trace.json
  holdfast check policies/ runs/ --format sarif > findings.sarif
  holdfast check policy.gr runs.jsonl.zst --online --fail-on deny
  holdfast check policy.gr - --input owner=bob@corp.com --input 'limits={"mail": 3}'
  holdfast check -p mail.gr -p files.gr runs/*.json --format json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(cmd, &flags, args)
		},
	}
	flags.register(cmd)
	return cmd
}

func check(cmd *cobra.Command, flags *checkFlags, args []string) error {
	c, err := flags.prepare(cmd, args)
	if err != nil {
		return err
	}
	if c.scan.Report, err = report.New(c.format, c.reportOptions(cmd.OutOrStdout())); err != nil {
		return writeError(err)
	}
	ctx := cmd.Context()
	totals, err := scan.Run(ctx, source.Records(ctx, c.paths, c.input), &c.scan)
	switch {
	case ctx.Err() != nil:
		n := totals.Traces + totals.Failed
		return &exitError{code: exitFailure, err: fmt.Errorf("interrupted, after %s of the input; what follows is not checked", plural(n, "trace"))}
	case err != nil:
		return writeError(err)
	}
	return c.exit(totals)
}
