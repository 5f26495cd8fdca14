// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package subprocess

import (
	"os/exec"
	"syscall"
)

// apart puts a command and what it starts into a process group of their own,
// which is killed when the context is done. It is not asked first: what answers
// one question has nothing to put in order.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}

// end kills what is left of the group.
func end(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
