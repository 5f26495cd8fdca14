// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A formatting is what fmt has to do with each policy.
type formatting struct {
	write, diff, list, check bool
	format                   string

	cmd       *cobra.Command
	found     fmtReport // for formats for programs
	out, errs io.Writer
	differs   bool // a policy was not in its canonical form
	code      int  // the exit code of the first policy that could not be formatted
}

func fmtCommand() *cobra.Command {
	var f formatting
	cmd := &cobra.Command{
		Use:   "fmt [PATH...]",
		Short: "Print policies in their canonical form",
		Long: `Fmt writes policies in the one form that docs/format.md describes: indents,
line breaks, blank lines, spaces, double quotes, sorted imports. Nothing else
changes: no value and no comment, so a policy means what it meant and its rules
keep their ids. A policy with mistakes stays as it is.

Without a path, or with -, it formats standard input; with -w, -d, -l or --check
and a project file, the policies that this names. Of a folder it formats every
*.gr below. Without flags it prints what it formatted.

Exit codes:
  0  everything asked for is done
  1  a file could not be written, or a policy cannot be formatted
  2  the command line is wrong, or a policy has mistakes or could not be read
  3  with --check: a policy is not in its canonical form`,
		Example: `  holdfast fmt -w policies/
  holdfast fmt --check -d policies/
  holdfast fmt --check --format github policies/
  holdfast fmt < policy.gr`,
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{strings.TrimPrefix(policyExt, ".")}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.cmd, f.out, f.errs = cmd, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return f.run(cmd.Context(), cmd.InOrStdin(), args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.write, "write", "w", false, "write the policies that differ back to their files")
	flags.BoolVarP(&f.diff, "diff", "d", false, "print what differs")
	flags.BoolVarP(&f.list, "list", "l", false, "print the names of the policies that differ")
	flags.BoolVar(&f.check, "check", false, "write nothing; the exit code is 3 if a policy differs, which --list names unless --diff shows it")
	flags.StringVar(&f.format, "format", "text", "with --check or -w, how to say which policies differ: "+strings.Join(fmtFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(fmtFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// run formats the policies at paths.
func (f *formatting) run(ctx context.Context, stdin io.Reader, paths []string) error {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	piped := slices.Contains(paths, "-")
	switch {
	case piped && len(paths) > 1:
		return usageError(errors.New("got standard input (-) and files, want one of the two"))
	case piped && f.write:
		return usageError(errors.New("got -w and standard input: name a file or folder to write back to"))
	case f.check && f.write:
		return usageError(errors.New("got --check, which writes nothing, and -w"))
	case f.format != "text" && (!f.check && !f.write || f.diff || f.list):
		return usageError(fmt.Errorf("got --format %s: it goes with --check or -w, and not with -d or -l", f.format))
	}
	if err := oneOf("format", f.format, fmtFormats); err != nil {
		return usageError(err)
	}
	f.list = f.list || f.check && !f.diff
	if piped {
		text, err := readAtMost(interruptible(ctx, stdin), "standard input")
		return f.end(f.source("standard input", text, err))
	}
	paths, err := expandPolicies(paths)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	for _, path := range paths {
		if err := context.Cause(ctx); err != nil {
			return &exitError{code: exitFailure, err: err}
		}
		text, err := readPolicy(path)
		if err := f.source(path, text, err); err != nil {
			return err
		}
	}
	return f.end(nil)
}

// end is the command's end, after a policy that gave err.
func (f *formatting) end(err error) error {
	if err == nil && f.format != "text" {
		err = writeError(f.found.print(f.format, f.cmd))
	}
	switch {
	case err != nil:
		return err
	case f.code != exitClean:
		return &exitError{code: f.code}
	case f.check && f.differs:
		return &exitError{code: exitDenied}
	}
	return nil
}

// readAtMost reads a policy that has no file.
func readAtMost(r io.Reader, name string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxPolicyText+1))
	if err == nil && len(text) > maxPolicyText {
		err = fmt.Errorf("%s is longer than %d bytes, so it is no policy", name, maxPolicyText)
	}
	return text, err
}

// source formats one policy, whose reading gave err, and does with it what the
// flags say. What is wrong with the policy is printed; the error is one of
// output.
func (f *formatting) source(name string, text []byte, err error) error {
	if err != nil {
		return f.failed(exitUsage, fmt.Errorf("reading policy: %w", err))
	}
	f.found.Policies++
	formatted, err := syntax.Format(diag.NewFile(name, text))
	if list, ok := diagnostics(err); ok {
		return f.failed(exitUsage, list)
	}
	if err != nil {
		return f.failed(exitFailure, err)
	}
	if !f.write && !f.diff && !f.list {
		_, err := f.out.Write(formatted)
		return writeError(err)
	}
	if bytes.Equal(text, formatted) {
		return nil
	}
	f.differs = true
	f.found.differs(name, text, formatted)
	if f.list && f.format == "text" {
		if _, err := fmt.Fprintln(f.out, name); err != nil {
			return writeError(err)
		}
	}
	if f.write {
		if err := replaceFile(name, formatted); err != nil {
			return f.failed(exitFailure, fmt.Errorf("writing %s: %w", name, err))
		}
	}
	if f.diff {
		_, err := f.out.Write(diff.Diff(name+".orig", text, name, formatted))
		return writeError(err)
	}
	return nil
}

// failed prints why a policy could not be formatted; others still may be.
func (f *formatting) failed(code int, why error) error {
	if f.code == exitClean {
		f.code = code
	}
	f.found.failed(why)
	if list, ok := diagnostics(why); ok {
		return writeError(diag.Render(f.errs, list))
	}
	_, err := fmt.Fprintf(f.errs, "holdfast: %s\n", escapeText(why.Error()))
	return writeError(err)
}

// replaceFile gives a file other content, all of it or, should that fail,
// nothing. It keeps its permissions, and the links to it.
func replaceFile(name string, text []byte) error {
	o, err := openOutput(name, nil)
	if err != nil {
		return err
	}
	if _, err := o.Write(text); err != nil {
		return errors.Join(err, o.discard())
	}
	return o.commit()
}
