// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/internal/explain"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/script"
)

// An evaluating is what eval has to do.
type evaluating struct {
	explainFlags
	policy string
	vars   []string
	at     string
	most   int
}

func evalCommand() *cobra.Command {
	e := &evaluating{}
	cmd := &cobra.Command{
		Use:   "eval EXPR TRACE",
		Short: "Evaluate an expression over a trace",
		Long: `Eval prints the value of an expression of the policy language, as JSON. If it
declares variables, as in '(c: ToolCall).arguments.to', there is a value for each
assignment of them. Of an unknown value it prints the causes and where they
stand; of one that is true the evidence.

Names stand for what --var says they do, and --at gives the name "it" to what
stands at an address. Functions of the library need no import; --policy brings
the predicates, constants and imports of a policy.

Exit codes: 0 done, whatever the value; 1 the trace could not be read; 2 wrong
usage, or an expression that does not load.`,
		Example: `  holdfast eval '(c: ToolCall).name' run.json
  holdfast eval 'pii((m: UserMessage).content)' run.json
  holdfast eval 'len(it.arguments.body) > 100' run.json --at 3.tool_calls.0
  holdfast eval 'allowed(c)' run.json --policy policy.gr --var c=3.tool_calls.0`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return e.run(args[0], args[1]) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return traceExts(), cobra.ShellCompDirectiveFilterFileExt
		},
	}
	e.register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&e.policy, "policy", "p", "", "a policy `file` whose predicates, constants and imports the expression may name")
	flags.StringArrayVar(&e.vars, "var", nil, "what a name stands for, as `name=address` (repeatable)")
	flags.StringVar(&e.at, "at", "", "the `address` of what the name \"it\" stands for")
	flags.IntVar(&e.most, "max", 100, "how many results are printed")
	for _, name := range []string{"var", "at", "max"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

var nameOfVar = regexp.MustCompile(`^[\pL_][\pL\pN_]*$`)

// names reads --var and --at.
func (e *evaluating) names() (map[string]string, error) {
	out := map[string]string{}
	all := e.vars
	if e.at != "" {
		all = append(all, "it="+e.at)
	}
	for _, v := range all {
		name, at, ok := strings.Cut(v, "=")
		if !ok || !nameOfVar.MatchString(name) || at == "" {
			return nil, fmt.Errorf("got --var %q, want name=address", v)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("the name %s stands for two things", name)
		}
		out[name] = at
	}
	return out, nil
}

func (e *evaluating) run(text, path string) error {
	if err := oneOf("format", e.format, explainFormats); err != nil {
		return usageError(err)
	}
	if strings.TrimSpace(text) == "" {
		return usageError(errors.New("got an empty expression"))
	}
	vars, err := e.names()
	if err != nil {
		return usageError(err)
	}
	opts, monitor, input, err := e.settings()
	if err != nil {
		return err
	}
	opts.Scripts = script.Load
	x := &explain.Expression{Text: text, Vars: vars, Options: opts, Monitor: monitor, Max: e.most}
	folders := openFolders{}
	defer folders.close()
	if e.policy != "" {
		if x.Policy, err = readSource(e.policy, folders); err != nil {
			return usageError(err)
		}
	}
	run, err := oneTrace(&e.explainFlags, path, input)
	if err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("reading %s: %s", path, e.reason(err))}
	}
	values, err := explain.Value(e.cmd.Context(), x, run)
	if err != nil {
		if _, ok := diagnostics(err); ok {
			return e.refused(err)
		}
		return usageError(err)
	}
	switch e.format {
	case "text":
		_, err = io.WriteString(e.cmd.OutOrStdout(), escapeText(values.String()))
	case "json":
		err = report.WriteJSON(e.cmd.OutOrStdout(), values)
	default:
		err = report.WriteNotes(e.format, diffOptions(e.cmd), evalNotes(path, values))
	}
	return writeError(err)
}

// evalNotes are the results for formats that annotate the trace.
func evalNotes(path string, values *explain.Values) []report.Note {
	var out []report.Note
	for _, r := range values.Results {
		one := &explain.Values{Results: []*explain.Result{r}}
		out = append(out, report.Note{Level: "note", ID: "eval", Title: "What the expression comes to.", Message: strings.TrimSpace(one.String()), Path: path})
	}
	return out
}

// reason says why a trace could not be read, without what must not be shown.
func (e *evaluating) reason(why error) string {
	policy, err := holdfast.Compile("nothing", nil, &holdfast.Options{Detectors: local.Detectors(), Reveal: e.reveal})
	if err != nil {
		return "it is no trace"
	}
	return report.Reason(policy, why)
}

// readSource reads a policy with the folder that it imports from.
func readSource(path string, folders openFolders) (holdfast.Source, error) {
	if library, ok := librarySource(path); ok {
		return library, nil
	}
	text, err := readPolicy(path)
	if err != nil {
		return holdfast.Source{}, fmt.Errorf("reading policy: %w", err)
	}
	folder, err := folders.open(filepath.Dir(path))
	if err != nil {
		return holdfast.Source{}, fmt.Errorf("opening the policy's folder: %w", err)
	}
	return holdfast.Source{Name: path, Text: text, Files: folder}, nil
}
