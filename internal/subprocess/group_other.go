// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package subprocess

import "os/exec"

// apart leaves a command as it is: there are no process groups, so the program
// alone is killed when the context is done.
func apart(*exec.Cmd) {}

func end(*exec.Cmd) {}
