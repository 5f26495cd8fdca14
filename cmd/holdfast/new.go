// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/starter"
	"github.com/holdfast-dev/holdfast/internal/toolset"
)

func newCommand() *cobra.Command {
	var toolsFile string
	var force bool
	cmd := &cobra.Command{
		Use:   "new --tools FILE [DIR]",
		Short: "Write a first policy for a list of tools",
		Long: `New writes policy.gr and policy_test.txtar for the tools that an agent has: what
MCP's tools/list answers, the tools of a request to a model, or a catalogue of
tool kits. By their names and schemas it takes tools for sources of texts that
others wrote, for sinks that hand something to others, for destructive ones, and
for ones that bind the user. What it is unsure of has a comment.

The policy asks before anything is taken away or binds the user, before what
others wrote can be handed on, and about tools that it does not know. It is a
beginning, to be read and edited.

Exit codes:
  0  both files are written
  1  a file could not be written
  2  the command line is wrong, the tools could not be read, or a file is there
     already and --force is not given`,
		Example: `  holdfast new --tools tools.json
  holdfast new --tools tools.json policies/
  holdfast vet policy.gr --tools tools.json
  holdfast test`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			if toolsFile == "" {
				return usageError(errors.New("want --tools FILE, the list of the agent's tools"))
			}
			draft, err := draftOf(toolsFile)
			if err != nil {
				return err
			}
			return writeDraft(cmd.OutOrStdout(), dir, draft, force)
		},
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	flags := cmd.Flags()
	flags.StringVar(&toolsFile, "tools", "", "a `file` with the agent's tools")
	flags.BoolVar(&force, "force", false, "write over files that are there")
	_ = cmd.RegisterFlagCompletionFunc("tools", cobra.FixedCompletions([]cobra.Completion{"json", "jsonl"}, cobra.ShellCompDirectiveFilterFileExt))
	return cmd
}

// draftOf drafts a policy for the tools in a file. Nothing is written that
// does not load.
func draftOf(path string) (*starter.Draft, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError(fmt.Errorf("reading --tools: %w", err))
	}
	tools, err := toolset.Read(src)
	if err != nil {
		return nil, usageError(fmt.Errorf("reading tools from %s: %w", path, err))
	}
	draft, err := starter.New(tools)
	if err != nil {
		return nil, usageError(fmt.Errorf("%s: %w", path, err))
	}
	opts := vetOptions()
	if _, err := holdfast.Compile(starter.PolicyName, draft.Policy, &opts); err != nil {
		return nil, &exitError{code: exitFailure, err: fmt.Errorf("the policy for these tools does not load, so nothing is written: %w", err)}
	}
	return draft, nil
}

// writeDraft writes both files of a draft, or none that is there already.
func writeDraft(out io.Writer, dir string, draft *starter.Draft, force bool) error {
	files := []struct {
		path string
		text []byte
	}{{filepath.Join(dir, starter.PolicyName), draft.Policy}, {filepath.Join(dir, starter.TestsName), draft.Tests}}
	for _, f := range files {
		if _, err := os.Lstat(f.path); err == nil && !force {
			return usageError(fmt.Errorf("%s is there already; --force writes over it", f.path))
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	for _, f := range files {
		if err := writeNew(f.path, f.text, force); err != nil {
			return &exitError{code: exitFailure, err: fmt.Errorf("writing %s: %w", f.path, err)}
		}
	}
	_, err := fmt.Fprintf(out, "%s, %s: %s: %s, %s, %d destructive, %d to approve; %d marked unsure\n", files[0].path, files[1].path,
		plural(draft.Tools, "tool"), plural(draft.Sources, "source"), plural(draft.Sinks, "sink"), draft.Destructive, draft.Approval, draft.Unsure)
	return writeError(err)
}

// writeNew writes a file that is not there, or with force one that is.
func writeNew(path string, text []byte, force bool) error {
	if force {
		return replaceFile(path, text)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
