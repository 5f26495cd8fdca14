// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/explain"
	"github.com/holdfast-dev/holdfast/internal/layout"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

// isCode tells a diagnostic code from the name of a policy file.
var isCode = regexp.MustCompile(`^[Pp][0-9]{4}$`)

// explainFormats are the values of --format of explain and eval.
var explainFormats = []string{"text", "json", "sarif", "github"}

// explainFlags are the flags that explain and eval share.
type explainFlags struct {
	cmd      *cobra.Command
	policies []string
	format   string
	inputs   []string
	mapping  string
	strict   bool
	reveal   bool
	files    string
	detect   detectorFlags
	project  *projectFile
}

func (f *explainFlags) register(cmd *cobra.Command) {
	f.cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "text", "how to print: "+strings.Join(explainFormats, ", "))
	flags.StringArrayVar(&f.inputs, "input", nil, "a parameter of the policy as `name=value`; the value is JSON, else a string (repeatable)")
	flags.StringVar(&f.mapping, "map", "", "how traces of another layout are read: a `file` of JSON pointers, or agentdojo or openai")
	flags.BoolVar(&f.strict, "strict", false, "refuse a trace with parts that cannot be relied on, instead of taking these for unknown")
	flags.BoolVar(&f.reveal, "reveal", false, "show credentials and personal data instead of their kinds")
	workspaceFlag(cmd, &f.files)
	f.detect.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(explainFormats, cobra.ShellCompDirectiveNoFileComp))
}

func explainCommand() *cobra.Command {
	f := &explainFlags{}
	cmd := &cobra.Command{
		Use:   "explain CODE|POLICY... [TRACE...]",
		Short: "Explain a diagnostic code, what rules mean, and what they say of a trace",
		Long: `Explain prints the page of a diagnostic code, or says of each rule of a policy
in plain words what it forbids, how its matches behave as a trace grows, which
events it looks at and what that costs, and what can make it unknown.

With traces it says of each rule why it is violated or undecided, or how near it
came: the events under which the most of its conditions hold, and the first that
does not. For a call that does not pass it looks for the smallest change of its
arguments that does, and shows it if the engine lets it pass.

Exit codes: 0 done; 1 a trace could not be read; 2 wrong usage or a policy that
does not load; 3 a verdict on a trace is deny, unknown or ask.`,
		Example: `  holdfast explain P0203
  holdfast explain policy.gr
  holdfast explain policies/ run.json
  holdfast explain policy.gr run.json --format json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && len(f.policies) == 0 && isCode.MatchString(args[0]) {
				return explainCode(cmd.OutOrStdout(), strings.ToUpper(args[0]))
			}
			return f.run(args)
		},
	}
	f.register(cmd)
	cmd.Flags().StringArrayVarP(&f.policies, "policy", "p", nil, "a policy `file or folder`, so that all arguments are traces (repeatable)")
	return cmd
}

func explainCode(w io.Writer, code string) error {
	doc, ok := diag.Lookup(code)
	if !ok {
		return usageError(fmt.Errorf("there is no diagnostic %s%s", code, nearestCode(code)))
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s\n\n%s\n", doc.Code, doc.Title, strings.TrimSpace(doc.Explanation))
	if doc.Since != "" {
		fmt.Fprintf(out, "\nsince %s\n", doc.Since)
	}
	return writeError(out.Flush())
}

// nearestCode is a hint, or "".
func nearestCode(code string) string {
	var codes []string
	for _, doc := range diag.Codes() {
		codes = append(codes, doc.Code)
	}
	if near := diag.Nearest(code, codes); near != "" {
		return fmt.Sprintf(", did you mean %s?", near)
	}
	return ""
}

// split tells policies from traces, of which there may be none.
func (f *explainFlags) split(args []string) (policies, traces []string, err error) {
	dash := f.cmd.ArgsLenAtDash()
	switch {
	case len(f.policies) > 0:
		return f.policies, args, nil
	case len(f.project.Policies) > 0 && dash <= 0 && (len(args) == 0 || dash == 0 || !looksLikePolicy(args[0])):
		return f.project.Roots(), args, nil
	case dash >= 0:
		policies, traces = args[:dash], args[dash:]
	case len(args) > 0:
		n := 1
		for n < len(args) && looksLikePolicy(args[n]) {
			n++
		}
		policies, traces = args[:n], args[n:]
	}
	if len(policies) == 0 {
		return nil, nil, errors.New("got no policy; want a diagnostic code, or policies, then traces")
	}
	return policies, traces, nil
}

func (f *explainFlags) run(args []string) error {
	if err := oneOf("format", f.format, explainFormats); err != nil {
		return usageError(err)
	}
	opts, monitor, input, err := f.settings()
	if err != nil {
		return err
	}
	paths, traces, err := f.split(args)
	if err != nil {
		return usageError(err)
	}
	policy, err := loadPolicy(paths, opts)
	if err != nil {
		return f.refused(err)
	}
	f.project.leave(monitor.Input, policy.Policy)
	if f.format == "text" {
		if err := diag.Render(f.cmd.ErrOrStderr(), policy.Warnings()); err != nil {
			return writeError(err)
		}
	}
	e := &explaining{explainFlags: f, policy: policy, monitor: monitor}
	if len(traces) > 0 {
		printNotes(f.cmd.ErrOrStderr(), append(policy.notes(monitor.Input), textInputs(f.inputs)...))
		if _, err := policy.Monitor(monitor); err != nil {
			return usageError(err)
		}
	}
	if err := e.rules(len(traces) == 0); err != nil {
		return err
	}
	for r := range source.Records(f.cmd.Context(), traces, input) {
		if err := e.trace(r, input); err != nil {
			return err
		}
	}
	return e.end()
}

// settings are what the flags and the project file say of policies, monitors
// and traces.
func (f *explainFlags) settings() (opts holdfast.Options, monitor *holdfast.MonitorOptions, input *source.Options, err error) {
	if f.project, err = projectOf(f.cmd); err != nil {
		return opts, nil, nil, err
	}
	inputs, err := f.project.inputs(f.inputs)
	if err != nil {
		return opts, nil, nil, usageError(err)
	}
	monitor = &holdfast.MonitorOptions{Input: inputs}
	input = &source.Options{Stdin: interruptible(f.cmd.Context(), f.cmd.InOrStdin()), Trace: &trace.DecodeOptions{Strict: f.strict}}
	if f.mapping != "" {
		if input.Mapping, err = layout.Open(f.mapping); err != nil {
			return opts, nil, nil, usageError(fmt.Errorf("reading --map: %w", err))
		}
	}
	opts = holdfast.Options{Input: inputs, Reveal: f.reveal}
	if opts.Workspace, err = openWorkspace(f.project.workspace(f.files)); err != nil {
		return opts, nil, nil, usageError(err)
	}
	if opts.Detectors, err = f.project.detectors(f.cmd, &f.detect); err != nil {
		return opts, nil, nil, usageError(err)
	}
	return opts, monitor, input, nil
}

// refused reports that a policy, or an expression, does not load.
func (f *explainFlags) refused(why error) error {
	if f.format == "text" {
		return reportLoad(f.cmd.ErrOrStderr(), why)
	}
	o := &report.Options{Out: f.cmd.OutOrStdout(), Err: f.cmd.ErrOrStderr(), Version: version(), Command: f.cmd.Name()}
	o.Dir, _ = os.Getwd() // without it paths stay as they are
	if err := report.Load(f.format, o, why); err != nil {
		return writeError(err)
	}
	return &exitError{code: exitUsage}
}

// rules explains the rules by themselves: as text without traces, in JSON
// always.
func (e *explaining) rules(alone bool) error {
	if e.format == "text" && !alone {
		return nil
	}
	prog, _, _, _ := e.policy.Inside(e.cmd.Context(), nil) // the error is about parameters, of which rules by themselves need none
	rules, err := explain.Rules(e.policy.Policy, prog)
	if err != nil {
		return e.refused(err)
	}
	if e.format != "text" {
		for _, r := range rules {
			e.out.Rules = append(e.out.Rules, explainedRuleOf(r))
		}
		return nil
	}
	out := bufio.NewWriter(e.cmd.OutOrStdout())
	for i, r := range rules {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprint(out, escapeText(r.String()))
	}
	return writeError(out.Flush())
}

// reportLoad prints why a policy does not load.
func reportLoad(stderr io.Writer, err error) error {
	list, ok := diagnostics(err)
	if !ok {
		return &exitError{code: exitUsage, err: err}
	}
	return errors.Join(writeError(diag.Render(stderr, list)), &exitError{code: exitUsage})
}

// writeError wraps an error of writing output; nil stays nil.
func writeError(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code: exitFailure, err: fmt.Errorf("writing output: %w", err)}
}
