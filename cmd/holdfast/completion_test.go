// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/spf13/cobra"
)

// TestChoicesComplete holds every command, those to come too, to naming the
// values of the flags that take one of a few.
func TestChoicesComplete(t *testing.T) {
	for _, cmd := range rootCommand().Commands() {
		for _, name := range []string{"format", "fail-on"} {
			if cmd.Flags().Lookup(name) == nil {
				continue
			}
			complete, ok := cmd.GetFlagCompletionFunc(name)
			if !ok {
				t.Errorf("%s --%s does not complete its values", cmd.Name(), name)
				continue
			}
			values, directive := complete(cmd, nil, "")
			if len(values) == 0 || directive != cobra.ShellCompDirectiveNoFileComp {
				t.Errorf("%s --%s completes to %v (%d), want its values and no files", cmd.Name(), name, values, directive)
			}
		}
	}
}

// TestEveryCommandCompletesItsArguments: without a word about them, shells
// offer every file.
func TestEveryCommandCompletesItsArguments(t *testing.T) {
	for _, cmd := range rootCommand().Commands() {
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			t.Errorf("%s does not complete its arguments", cmd.Name())
		}
	}
}
