// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

// workspaceFlag adds the flag that names the folder of an agent's files.
func workspaceFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "workspace", "", "the `folder` that the functions of invariant.files read; without it they are unknown")
	_ = cmd.MarkFlagDirname("workspace")
}

// openWorkspace opens the folder of an agent's files, from which nothing leads
// out; nil if there is none. It stays open as long as it is used.
func openWorkspace(dir string) (fs.FS, error) {
	if dir == "" {
		return nil, nil //nolint:nilnil // no workspace is no mistake
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening --workspace: %w", err)
	}
	return root.FS(), nil
}
