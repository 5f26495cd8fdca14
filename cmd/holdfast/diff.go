// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/backtest"
	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	format  string
	inputs  []string
	mapping string
	strict  bool
	reveal  bool
	failOn  string
	show    int
	workers int
	files   string
	detect  detectorFlags
}

// diffFormats are the values of diff --format, diffLevels those of --fail-on.
var (
	diffFormats = []string{"text", "json", "sarif", "github"}
	diffLevels  = []string{"never", "weaker", "change"}
)

func diffCommand() *cobra.Command {
	var flags diffFlags
	cmd := &cobra.Command{
		Use:   "diff OLD NEW TRACE...",
		Short: "Compare what two policies say of recorded traces",
		Long: `Diff follows each trace with both policies and prints at which steps their
verdicts differ, by kind of change and by rule: what a new policy would have
stopped, and what it would let through that the old one stopped. A policy is a
file or a folder of them; traces are read as check reads them.

Each step is judged after what really happened before it. A step is an event of
the trace; the verdict on a message is that on each of its calls. In their
order, verdicts are allow, ask, unknown, deny; a change is weaker if it moves
towards allow.

Exit codes: 0 done, and nothing is as bad as --fail-on says; 1 a trace could not
be read or compared; 2 wrong usage or a policy that does not load; 3 what
--fail-on says.`,
		Example: `  holdfast diff deployed.gr policy.gr runs/
  holdfast diff main/policies policies runs.jsonl.zst --fail-on weaker
  holdfast diff old.gr new.gr runs/ --format json | jq '.changes[].trace'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 3 {
				return usageError(errors.New("want an old policy, a new one, and traces"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return diffPolicies(cmd, &flags, args) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.format, "format", "text", "how to print: text, json, sarif, github")
	f.StringArrayVar(&flags.inputs, "input", nil, "a parameter of the policies as `name=value`; the value is JSON, else a string (repeatable)")
	f.StringVar(&flags.mapping, "map", "", "how traces of another layout are read: a `file` of JSON pointers, or agentdojo or openai")
	f.BoolVar(&flags.strict, "strict", false, "refuse a trace with parts that cannot be relied on, instead of taking these for unknown")
	f.BoolVar(&flags.reveal, "reveal", false, "show credentials and personal data instead of their kinds")
	f.StringVar(&flags.failOn, "fail-on", "never", "from which `change` on the exit code is 3: never, weaker or change")
	f.IntVar(&flags.show, "show", 20, "how many changes the text lists")
	f.IntVar(&flags.workers, "workers", 0, "how many traces are compared at once (default one a core)")
	workspaceFlag(cmd, &flags.files)
	flags.detect.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(diffFormats, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(diffLevels, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func diffPolicies(cmd *cobra.Command, flags *diffFlags, args []string) error {
	if err := errors.Join(oneOf("format", flags.format, diffFormats), oneOf("fail-on", flags.failOn, diffLevels)); err != nil {
		return usageError(err)
	}
	input, err := flags.source(cmd)
	if err != nil {
		return err
	}
	both, err := flags.both(cmd)
	if err != nil {
		return err
	}
	opts := &backtest.Options{Decode: input.Decode, Workers: flags.workers}
	if opts.Old, err = both.side(cmd, args[0]); err != nil {
		return err
	}
	if opts.New, err = both.side(cmd, args[1]); err != nil {
		return err
	}
	if err := both.inputs(&opts.Old, &opts.New); err != nil {
		return err
	}
	d := &diffReport{format: flags.format, show: flags.show, cmd: cmd, policy: opts.New.Policy}
	began := time.Now()
	err = backtest.Run(cmd.Context(), source.Records(cmd.Context(), args[2:], input), opts, d.add)
	d.took = time.Since(began)
	switch {
	case cmd.Context().Err() != nil:
		return &exitError{code: exitFailure, err: fmt.Errorf("interrupted, after %s of the input; what follows is not compared", plural(d.totals.Traces+d.totals.Failed, "trace"))}
	case err != nil:
		return writeError(err)
	}
	if err := d.write(); err != nil {
		return writeError(err)
	}
	return flags.exit(&d.totals)
}

// source says how traces are read.
func (f *diffFlags) source(cmd *cobra.Command) (*source.Options, error) {
	input := &source.Options{Stdin: interruptible(cmd.Context(), cmd.InOrStdin()), Trace: &trace.DecodeOptions{Strict: f.strict}}
	if f.mapping == "" {
		return input, nil
	}
	var err error
	if input.Mapping, err = layout.Open(f.mapping); err != nil {
		return nil, usageError(fmt.Errorf("reading --map: %w", err))
	}
	return input, nil
}

// diffSides is what both policies are loaded with: the same detectors, so that
// only the policies differ.
type diffSides struct {
	*diffFlags
	project *projectFile
	monitor *holdfast.MonitorOptions
	options holdfast.Options
}

func (f *diffFlags) both(cmd *cobra.Command) (*diffSides, error) {
	project, err := projectOf(cmd)
	if err != nil {
		return nil, err
	}
	inputs, err := project.inputs(f.inputs)
	if err != nil {
		return nil, usageError(err)
	}
	workspace, err := openWorkspace(project.workspace(f.files))
	if err != nil {
		return nil, usageError(err)
	}
	detectors, err := project.detectors(cmd, &f.detect)
	if err != nil {
		return nil, usageError(err)
	}
	return &diffSides{f, project, &holdfast.MonitorOptions{Input: inputs}, holdfast.Options{Input: inputs, Reveal: f.reveal, Workspace: workspace, Detectors: detectors}}, nil
}

// side loads one of the policies. What is wrong with it has been reported when
// an error is returned.
func (d *diffSides) side(cmd *cobra.Command, path string) (backtest.Side, error) {
	policy, why := loadPolicy([]string{path}, d.options)
	if why != nil {
		if err := report.Load(d.format, diffOptions(cmd), why); err != nil {
			return backtest.Side{}, writeError(err)
		}
		return backtest.Side{}, &exitError{code: exitUsage}
	}
	return backtest.Side{Policy: policy.Policy}, nil
}

// inputs gives both policies the parameters, each without those that only the
// other one has. Whether they fit is asked here, and not for each trace.
func (d *diffSides) inputs(before, after *backtest.Side) error {
	sides := []*backtest.Side{before, after}
	for i, side := range sides {
		side.Monitor = &holdfast.MonitorOptions{Input: maps.Clone(d.monitor.Input)}
		maps.DeleteFunc(side.Monitor.Input, func(name string, _ any) bool {
			return !hasInput(side.Policy, name) && hasInput(sides[1-i].Policy, name)
		})
		d.project.leave(side.Monitor.Input, side.Policy)
		if _, err := side.Policy.Monitor(side.Monitor); err != nil {
			return usageError(fmt.Errorf("the %s policy: %w", [...]string{"old", "new"}[i], err))
		}
	}
	return nil
}

func hasInput(p *holdfast.Policy, name string) bool {
	return slices.ContainsFunc(p.Inputs(), func(in holdfast.Input) bool { return in.Name == name })
}

// exit turns what was found into the command's end.
func (f *diffFlags) exit(t *backtest.Totals) error {
	switch {
	case t.Failed > 0:
		return &exitError{code: exitFailure, err: fmt.Errorf("%s could not be compared", plural(t.Failed, "trace"))}
	case f.failOn == "weaker" && t.Weaker > 0, f.failOn == "change" && t.Weaker+t.Stronger > 0:
		return &exitError{code: exitDenied}
	}
	return nil
}

// add takes a result in. It is called in the order of the input.
func (d *diffReport) add(r backtest.Result) error {
	d.totals.Add(r)
	if r.Err != nil {
		if len(d.failures) == maxChanges {
			return nil //nolint:nilerr // as below
		}
		d.failures = append(d.failures, diffFailure{Trace: r.Path, Index: r.Index, Line: r.Line, Message: report.Reason(d.policy, r.Err)})
		return nil //nolint:nilerr // one trace is not all of them
	}
	for _, c := range r.Changes {
		if len(d.changes) == maxChanges {
			d.omitted++
			continue
		}
		d.changes = append(d.changes, d.changeOf(r, c))
	}
	return context.Cause(d.cmd.Context())
}
