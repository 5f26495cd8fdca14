// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
)

// isCode tells a diagnostic code from the name of a policy file.
var isCode = regexp.MustCompile(`^[Pp][0-9]{4}$`)

func explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain CODE|POLICY",
		Short: "Explain a diagnostic code, or what the rules of a policy are",
		Long: `Explain prints the page of a diagnostic code, or, for a policy, one entry for
each rule: its id and line, its class (how its matches behave as a trace
grows), the polarity of its flows, whether it can prevent what it forbids or
only report it, and the plan by which it is evaluated.`,
		Example: `  holdfast explain P0203
  holdfast explain policy.gr`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isCode.MatchString(args[0]) {
				return explainCode(cmd.OutOrStdout(), strings.ToUpper(args[0]))
			}
			return explainPolicy(cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0])
		},
	}
}

func explainCode(w io.Writer, code string) error {
	doc, ok := diag.Lookup(code)
	if !ok {
		return usageError(fmt.Errorf("there is no diagnostic %s%s", code, nearestCode(code)))
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s\n\n%s\n", doc.Code, doc.Title, strings.TrimSpace(doc.Explanation))
	if doc.Since != "" {
		fmt.Fprintf(out, "\nsince %s\n", doc.Since)
	}
	return writeError(out.Flush())
}

// nearestCode is a hint, or "".
func nearestCode(code string) string {
	var codes []string
	for _, doc := range diag.Codes() {
		codes = append(codes, doc.Code)
	}
	if near := diag.Nearest(code, codes); near != "" {
		return fmt.Sprintf(", did you mean %s?", near)
	}
	return ""
}

func explainPolicy(w, stderr io.Writer, path string) error {
	policy, err := loadPolicy([]string{path}, holdfast.Options{})
	if err != nil {
		return reportLoad(stderr, err)
	}
	if err := diag.Render(stderr, policy.Warnings()); err != nil {
		return writeError(err)
	}
	out := bufio.NewWriter(w)
	if err := policy.Explain(out); err != nil {
		return writeError(err)
	}
	return writeError(out.Flush())
}

// reportLoad prints why a policy does not load.
func reportLoad(stderr io.Writer, err error) error {
	list, ok := diagnostics(err)
	if !ok {
		return &exitError{code: exitUsage, err: err}
	}
	return errors.Join(writeError(diag.Render(stderr, list)), &exitError{code: exitUsage})
}

// writeError wraps an error of writing output; nil stays nil.
func writeError(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code: exitFailure, err: fmt.Errorf("writing output: %w", err)}
}
