// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/holdfast-dev/holdfast/diag"
)

// shells are those that completion has a script for, and how it is printed.
func shells(root *cobra.Command) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": root.GenPowerShellCompletionWithDesc,
		"zsh":        root.GenZshCompletion,
	}
}

func completionCommand() *cobra.Command {
	names := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion " + strings.Join(names, "|"),
		Short: "Print a script that completes commands in a shell",
		Long: `Completion prints a script by which a shell completes the commands, their flags
and the values of these, policies (*.gr) and traces. The shell reads it when it
starts, or now for this session:

  bash        source <(holdfast completion bash)
  zsh         source <(holdfast completion zsh)
  fish        holdfast completion fish | source
  powershell  holdfast completion powershell | Out-String | Invoke-Expression

Bash needs its package bash-completion, zsh a line "autoload -U compinit;
compinit" before it. Fish completes every file where the others know the kind.`,
		Example: `  holdfast completion bash > /etc/bash_completion.d/holdfast
  holdfast completion zsh > "${fpath[1]}/_holdfast"
  holdfast completion fish > ~/.config/fish/completions/holdfast.fish`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			script, ok := shells(cmd.Root())[args[0]]
			if !ok {
				return usageError(fmt.Errorf("got the shell %s, want one of %s", args[0], strings.Join(names, ", ")))
			}
			return writeError(script(cmd.OutOrStdout()))
		},
	}
}

// addCompletions says for the commands below root what their arguments and
// flags may be. What a command has said itself stands.
func addCompletions(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			cmd.ValidArgsFunction = completeArguments(cmd.Name())
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			complete := completeFlag(f.Name)
			if _, said := cmd.GetFlagCompletionFunc(f.Name); said || complete == nil {
				return
			}
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // it fails for flags that are not there
		})
	}
}

func completeArguments(command string) cobra.CompletionFunc {
	switch command {
	case "check", "scan":
		return completePolicyThenTraces
	case "explain":
		return completeCodeOrPolicy
	}
	return cobra.NoFileCompletions
}

// completePolicyThenTraces completes POLICY... TRACE...: the first argument is
// a policy unless --policy has named one, and further ones may be. It looks at
// names alone: a folder of traces is too long to walk between two keystrokes.
func completePolicyThenTraces(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	policies := []string{strings.TrimPrefix(policyExt, ".")}
	named := cmd.Flags().Lookup("policy")
	switch {
	case named != nil && named.Changed:
		return traceExts(), cobra.ShellCompDirectiveFilterFileExt
	case len(args) == 0:
		return policies, cobra.ShellCompDirectiveFilterFileExt
	case slices.ContainsFunc(args[1:], func(a string) bool { return filepath.Ext(a) != policyExt }):
		return traceExts(), cobra.ShellCompDirectiveFilterFileExt
	}
	return slices.Concat(policies, traceExts()), cobra.ShellCompDirectiveFilterFileExt
}

// traceExts are how the names of trace files end; the last three compress one
// of the first.
func traceExts() []string { return []string{"json", "jsonl", "ndjson", "gz", "zst", "xz"} }

// codeStart is what only a diagnostic code begins with.
var codeStart = regexp.MustCompile(`^[Pp][0-9]`)

// completeCodeOrPolicy completes P0… to the codes, with their titles, and
// anything else to policies, behind which there may be traces.
func completeCodeOrPolicy(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 && isCode.MatchString(args[0]) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if len(args) > 0 {
		return completePolicyThenTraces(cmd, args, begun)
	}
	if !codeStart.MatchString(begun) {
		return []cobra.Completion{strings.TrimPrefix(policyExt, ".")}, cobra.ShellCompDirectiveFilterFileExt
	}
	var out []cobra.Completion
	for _, doc := range diag.Codes() {
		if strings.HasPrefix(doc.Code, strings.ToUpper(begun)) {
			out = append(out, cobra.CompletionWithDesc(doc.Code, doc.Title))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeFlag is how the values of a flag are completed that mean the same in
// every command; nil if there is nothing to say. Formats differ, so each
// command names its own.
func completeFlag(flag string) cobra.CompletionFunc {
	switch flag {
	case "policy":
		return cobra.FixedCompletions([]cobra.Completion{strings.TrimPrefix(policyExt, ".")}, cobra.ShellCompDirectiveFilterFileExt)
	case "map":
		return cobra.FixedCompletions([]cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt)
	case "fail-on":
		return cobra.FixedCompletions([]cobra.Completion{"deny", "unknown", "ask", "warn"}, cobra.ShellCompDirectiveNoFileComp)
	case "input":
		return cobra.NoFileCompletions
	}
	return nil
}
