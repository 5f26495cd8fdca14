// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/project"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/vet"
)

func configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check or show the project file",
		Long: `Config is about holdfast.yaml, the project file: the first that stands in this
folder or one above it, up to that of the repository. docs/project.md says what
it can hold. Flags go before it, and it goes before defaults.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(configCheckCommand(), configShowCommand())
	return cmd
}

// configFormats are the values of --format of config check, shownFormats those
// of config show.
var (
	configFormats = []string{"text", "json", "sarif", "github"}
	shownFormats  = []string{"yaml", "json"}
)

func configCheckCommand() *cobra.Command {
	c := &configCheck{}
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Say what is wrong with the project file",
		Long: `Check reads the project file and all that it names: whether keys and values are
such that there are, whether the policies load and take the parameters, whether
the list of tools can be read, the workspace is a folder and the detectors can
be set up. No detector is asked.

Exit codes: 0 nothing is wrong; 1 output could not be written; 2 wrong usage, or
there is no project file; 3 something is wrong.`,
		Example: `  holdfast config check
  holdfast config check --config ci/holdfast.yaml --format github`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	cmd.Flags().StringVar(&c.format, "format", "text", "how to print: "+strings.Join(configFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(configFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// errNoProject is what config gets where there is no project file.
var errNoProject = fmt.Errorf("there is no %s in this folder or above it, up to that of the repository", project.Name)

// A configCheck is one run of config check.
type configCheck struct {
	format   string
	path     string
	problems []project.Problem
}

func (c *configCheck) run(cmd *cobra.Command) error {
	if err := oneOf("format", c.format, configFormats); err != nil {
		return usageError(err)
	}
	path, named, err := projectPath(cmd)
	switch {
	case err != nil:
		return err
	case path == "":
		return &exitError{code: exitUsage, err: errNoProject}
	}
	c.path = path
	file, err := project.Open(path, named)
	var wrong *project.Error
	switch {
	case errors.As(err, &wrong):
		c.problems = wrong.Problems
	case err != nil:
		return &exitError{code: exitUsage, err: fmt.Errorf("reading the project file: %w", err)}
	default:
		c.look(&projectFile{File: file})
		slices.SortStableFunc(c.problems, func(a, b project.Problem) int { return a.Line - b.Line })
	}
	if err := c.print(cmd); err != nil {
		return writeError(err)
	}
	if len(c.problems) > 0 {
		return &exitError{code: exitDenied}
	}
	return nil
}

// fail takes in what is wrong with what a key names.
func (c *configCheck) fail(p *projectFile, key string, err error) {
	if err != nil {
		line, column := p.Place(key)
		c.problems = append(c.problems, project.Problem{Line: line, Column: column, Message: key + ": " + err.Error()})
	}
}

// look looks at what the file names.
func (c *configCheck) look(p *projectFile) {
	if p.Tools != "" {
		src, err := os.ReadFile(p.Resolve(p.Tools))
		if err == nil {
			_, err = vet.ReadTools(p.Resolve(p.Tools), src)
		}
		c.fail(p, "tools", err)
	}
	workspace, err := openWorkspace(p.workspace(""))
	c.fail(p, "workspace", err)
	flags := detectorFlags{base: p.Settings()}
	detectors, err := flags.detectors()
	c.fail(p, "detectors", err)
	if len(p.Policies) == 0 {
		return
	}
	policy, err := loadPolicy(p.Roots(), holdfast.Options{Input: p.Inputs, Workspace: workspace, Detectors: detectors})
	c.fail(p, "policies", err)
	if err != nil {
		return
	}
	_, err = policy.Monitor(&holdfast.MonitorOptions{Input: p.Inputs})
	c.fail(p, "inputs", err)
	for _, note := range strayInputs(p.Inputs, policy.Inputs()) {
		c.fail(p, "inputs", errors.New(note))
	}
}

// The document of config check --format json.
type (
	configDocument struct {
		Path     string          `json:"path"`
		Problems []configProblem `json:"problems"`
	}
	configProblem struct {
		Line    int    `json:"line,omitempty"`
		Column  int    `json:"column,omitempty"`
		Message string `json:"message"`
		Help    string `json:"help,omitempty"`
	}
)

func (c *configCheck) print(cmd *cobra.Command) error {
	out := cmd.OutOrStdout()
	switch c.format {
	case "json":
		doc := configDocument{Path: c.path, Problems: []configProblem{}}
		for _, p := range c.problems {
			doc.Problems = append(doc.Problems, configProblem(p))
		}
		return report.WriteJSON(out, doc)
	case "text":
		for _, p := range c.problems {
			if _, err := fmt.Fprintln(out, escapeText(p.In(c.path))); err != nil {
				return err
			}
		}
		return nil
	}
	notes := make([]report.Note, len(c.problems))
	for i, p := range c.problems {
		text := p.Message
		if p.Help != "" {
			text += "\n" + p.Help
		}
		notes[i] = report.Note{Level: "error", ID: "config", Title: "something that the project file says is wrong", Message: text, Path: c.path, Line: p.Line, Column: p.Column}
	}
	o := &report.Options{Out: out, Err: cmd.ErrOrStderr(), Version: version(), Command: "config check"}
	o.Dir, _ = os.Getwd() // without it paths stay as they are
	return report.WriteNotes(c.format, o, notes)
}

func configShowCommand() *cobra.Command {
	format := shownFormats[0]
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show what the project file comes to",
		Long: `Show prints the project file that counts here, with paths from this folder, in
a comment, and what it says. There are no secrets in it: it names where they are.

Exit codes: 0 done; 1 output could not be written; 2 wrong usage, or there is no
project file, or something is wrong with it.`,
		Example: `  holdfast config show
  holdfast config show --format json | jq .policies`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, shownFormats); err != nil {
				return usageError(err)
			}
			p, err := projectOf(cmd)
			switch {
			case err != nil:
				return err
			case p.Path() == "":
				return &exitError{code: exitUsage, err: errNoProject}
			}
			text, err := p.shown(format)
			if err == nil {
				_, err = cmd.OutOrStdout().Write(text)
			}
			return writeError(err)
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "how to print: "+strings.Join(shownFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(shownFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// shown is what the file says, with paths from this folder.
func (p *projectFile) shown(format string) ([]byte, error) {
	f := *p.File
	f.Policies, f.Tools, f.Workspace, f.Detectors = p.Roots(), p.Resolve(p.Tools), p.workspace(""), p.Settings()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&f); err != nil || format == "json" {
		return text.Bytes(), err
	}
	out, err := yaml.JSONToYAML(text.Bytes())
	return append([]byte("# "+escapeText(p.Resolve(p.Path()))+"\n"), out...), err
}
