// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// TestFilesWithoutEnd names what has no end where a small file is wanted. That
// it returns at all is what is tested.
func TestFilesWithoutEnd(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip(err)
	}
	const noPolicy = endless + " is longer than 4194304 bytes, so it is no policy"
	cases := []struct {
		args []string
		code int
		want string
	}{
		{[]string{"check", endless, "testdata/mail.json"}, exitUsage, noPolicy},
		{[]string{"scan", endless, "testdata/mail.json"}, exitUsage, noPolicy},
		{[]string{"check", "testdata/mail.gr", "testdata/mail.json", "--map", endless}, exitUsage, endless + " is longer than 1048576 bytes"},
		{[]string{"explain", endless}, exitUsage, noPolicy},
		{[]string{"demo", "--policy", endless}, exitUsage, noPolicy},
		{[]string{"demo", "--save-policy", endless}, exitFailure, "/dev/zero is there already, with another text"},
	}
	for _, c := range cases {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var stderr strings.Builder
			code := run(c.args, strings.NewReader(""), &strings.Builder{}, &stderr)
			if code != c.code || !strings.Contains(stderr.String(), c.want) {
				t.Errorf("got exit code %d and %q, want %d and %q", code, stderr.String(), c.code, c.want)
			}
		})
	}
}

// TestTerminated asks the command to end while it waits for input, as a CI job
// that is cancelled and a terminal that is closed do: it says that it did not
// look at everything.
func TestTerminated(t *testing.T) {
	terminated(t, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // under nohup the command ignores it, too
		terminated(t, syscall.SIGHUP)
	}
}

func terminated(t *testing.T, by os.Signal) {
	t.Helper()
	cmd, stdin := scanPipe(t, "testdata/mail.gr", "-", "--format", "jsonl")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := start(t, cmd)
	fmt.Fprintln(stdin, `[{"role": "user", "content": "a"}]`)
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(by); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitFailure {
		t.Errorf("got %v, want exit code %d", err, exitFailure)
	}
	if want := "interrupted, after 1 trace of the input; what follows is not in the results\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("got\n%s\nwant %q", stderr, want)
	}
}
