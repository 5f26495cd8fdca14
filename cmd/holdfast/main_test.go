// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts and examples expect to be printed")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"holdfast": main})
}

// TestScript runs the command as its users do: one script a file in
// testdata/script.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "pack": pack},
	})
}

// exits is `exits CODE COMMAND ARG...`: it runs a command that must end with
// the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			ts.Fatalf("running %s: %v", args[1], err)
		}
		got = failed.ExitCode()
	}
	if got != want {
		ts.Fatalf("got exit code %d, want %d", got, want)
	}
}

// pack is `pack FILE`: it puts FILE.zst in its place.
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: pack FILE")
	}
	name := ts.MkAbs(args[0])
	text, err := os.ReadFile(name)
	ts.Check(err)
	w, err := zstd.NewWriter(nil)
	ts.Check(err)
	ts.Check(os.WriteFile(name+".zst", w.EncodeAll(text, nil), 0o600))
	ts.Check(os.Remove(name))
}

// closedPipe is standard output after its reader went away.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestBrokenPipeIsAFailureWithAMessage(t *testing.T) {
	commands := [][]string{
		{"check", "testdata/mail.gr", "testdata/mail.json"},
		{"check", "--format", "json", "testdata/mail.gr", "testdata/mail.json"},
		{"demo"},
		{"explain", "testdata/mail.gr"},
		{"version"},
	}
	for _, args := range commands {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var stderr strings.Builder
			code := run(args, strings.NewReader(""), closedPipe{}, &stderr)
			if want := "writing output: broken pipe"; code != exitFailure || !strings.Contains(stderr.String(), want) {
				t.Errorf("got exit code %d and %q, want %d and %q", code, stderr.String(), exitFailure, want)
			}
		})
	}
}
