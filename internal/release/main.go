// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Command release builds what a release of Holdfast consists of: for each
// target a static binary in an archive and a bill of its materials, and one
// file of checksums over all of them. It is run by whoever makes a release,
// and by whoever wants to know that a release was made of its source:
//
//	go run ./internal/release
//
// What comes out is a function of the source, of the version, commit and date
// stamped into it, and of the version of Go, and of nothing else: not of the
// machine, the folder, the user, the clock or the state of any cache. So two
// people who build the same tag with the same Go can compare checksums.
// docs/release.md says how. It publishes nothing and holds no keys.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH"), os.Stderr); err != nil { //nolint:forbidigo // a program: this is its main
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1) //nolint:forbidigo // a program: this is its main
	}
}

// choices are the flags of the command.
type choices struct {
	out, targets, version, commit, date string

	dirty bool
}

func parseFlags(args []string, stderr io.Writer) (choices, error) {
	var c choices
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "usage: go run ./internal/release [flags]\n\nBuilds the release of the commit that is checked out. docs/release.md says more.\n\n")
		flags.PrintDefaults()
	}
	flags.StringVar(&c.out, "out", "dist", "the `folder` to write to; it has to be new or empty")
	flags.StringVar(&c.targets, "targets", "all", "what to build for, as `os/arch,...`")
	flags.StringVar(&c.version, "version", "", "the version to stamp (default the tag of the commit, else v0.0.0 with its time and hash)")
	flags.StringVar(&c.commit, "commit", "", "the commit to stamp (default the one that is checked out); with -version and -date no git is needed")
	flags.StringVar(&c.date, "date", "", "the `time` to stamp, as 2006-01-02T15:04:05Z (default $SOURCE_DATE_EPOCH, else the commit's)")
	flags.BoolVar(&c.dirty, "dirty", false, "build files that are not committed too; the version says so")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	if flags.NArg() > 0 {
		return c, fmt.Errorf("got the argument %q, want flags only", flags.Arg(0))
	}
	return c, nil
}

// run is main without the process around it. Epoch is SOURCE_DATE_EPOCH.
func run(ctx context.Context, args []string, epoch string, log io.Writer) error {
	c, err := parseFlags(args, log)
	if err != nil {
		return err
	}
	targets, err := parseTargets(c.targets)
	if err != nil {
		return err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	s, err := chooseStamp(ctx, root, c, epoch)
	if err != nil {
		return err
	}
	start := time.Now()
	r := &release{source: root, out: c.out, stamp: s, targets: targets, log: log}
	if err := r.build(ctx); err != nil {
		return err
	}
	fmt.Fprintf(log, "%s is in %s, after %s\n", s.version, c.out, time.Since(start).Round(time.Second))
	return nil
}

// moduleRoot is the folder of the go.mod that the command was run under.
func moduleRoot(ctx context.Context) (string, error) {
	mod, err := output(ctx, "", nil, "go", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	if mod = strings.TrimSpace(mod); filepath.Base(mod) != "go.mod" {
		return "", fmt.Errorf("no go.mod here: run it from a clone of the repository")
	}
	return filepath.Dir(mod), nil
}
