// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Command holdfast checks recorded traces of AI agents against policies, tests
// policies and explains what they mean.
//
// Each subcommand has a file of its own; this one holds what they share: the
// exit codes and how an error becomes one.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit codes are a promise to scripts.
const (
	exitClean   = 0
	exitFailure = 1 // a trace could not be read, output could not be written
	exitUsage   = 2 // wrong arguments, or a policy that does not load
	exitDenied  = 3 // at least one verdict is deny, unknown or ask
)

// An exitError ends the command with a code. With a nil err everything that
// there is to say has been said.
type exitError struct {
	code int
	err  error
	hint bool // to the usage
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError marks err as the caller's mistake.
func usageError(err error) error { return &exitError{code: exitUsage, err: err, hint: true} }

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process around it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// Without this a closed pipe ends the process before it can say so.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the process

	cmd := rootCommand()
	cmd.SetArgs(goFlags(args))
	cmd.SetIn(stdin)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	return exitCode(cmd.ExecuteContext(ctx), stderr)
}

// endings are the signals that ask the command to end: a person's, that of a
// terminal that is gone, and that of what runs the command, such as a CI job
// that is cancelled. A shell starts what runs in the background with the first
// ignored, and nohup the second, and so it stays.
func endings() []os.Signal {
	signals := []os.Signal{syscall.SIGTERM}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	return signals
}

// exitCode prints err, if it has something to say, and returns its code.
func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return exitClean
	}
	var exit *exitError
	if !errors.As(err, &exit) {
		// Only cobra makes errors of its own, about commands and flags.
		exit = &exitError{code: exitUsage, err: err, hint: true}
	}
	if exit.err != nil {
		fmt.Fprintf(stderr, "holdfast: %s\n", escapeText(exit.err.Error()))
	}
	if exit.hint {
		fmt.Fprintln(stderr, "holdfast --help and holdfast COMMAND --help show the usage")
	}
	return exit.code
}

func rootCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "holdfast",
		Short: "Check what AI agents do against policies",
		Long: `Holdfast reads a policy, which says what an agent must not do, and a trace,
which says what it did, and answers allow, deny, ask or unknown, with the rule,
the events and the text that show why.`,
		Example: `  holdfast demo
  holdfast check policy.gr trace.json
  holdfast scan policy.gr logs/ --format jsonl
  holdfast explain policy.gr
  holdfast explain P0203`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       thisBuild().String(),
	}
	cmd.SetVersionTemplate("{{.Version}}\n") // as the command prints it
	cmd.AddCommand(checkCommand(), demoCommand(), detectCommand(), docCommand(), explainCommand(), fmtCommand(), scanCommand(), versionCommand(), completionCommand())
	cmd.AddCommand(testCommand(), diffCommand(), evalCommand(), newCommand(), vetCommand(), configCommand())
	projectFlags(cmd)
	addCompletions(cmd)
	return cmd
}
