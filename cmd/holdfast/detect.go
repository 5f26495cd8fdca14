// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/inject"
	"github.com/holdfast-dev/holdfast/detect/local"
)

// detectFlags are those of detect.
type detectFlags struct {
	detectors []string
	views     []string
	entities  []string
	reveal    bool
}

func detectCommand() *cobra.Command {
	var flags detectFlags
	cmd := &cobra.Command{
		Use:   "detect FILE|-",
		Short: "Show what the detectors find in a text",
		Long: `Detect looks at a text as the functions of a policy do (pii, secrets, …) and
prints a line for each finding: where it begins, as line and column, its place
in code points, the detector, the kind, the score, and the view of the text in
which it was seen. The text itself is printed only with --reveal: what is found
is what nobody should read in a log.

A finding is no verdict: the exit code is 0 whether there are any or not, and 1
if a detector could not tell.`,
		Example: `  holdfast detect notes.txt
  git show | holdfast detect --detector secrets -
  holdfast detect --detector pii --entity US_SSN --reveal form.txt`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return detectIn(cmd, args[0], &flags)
		},
	}
	names := slices.Sorted(maps.Keys(local.Detectors()))
	cmd.Flags().StringSliceVar(&flags.detectors, "detector", nil, "look with this detector, one of "+strings.Join(names, ", ")+" (default all that find what may be wrong)")
	cmd.Flags().StringSliceVar(&flags.views, "view", nil, "look at this view of the text: raw, nfkc, stripped, skeleton, decoded (default all)")
	cmd.Flags().StringSliceVar(&flags.entities, "entity", nil, "look for this kind of personal data, whatever its score")
	cmd.Flags().BoolVar(&flags.reveal, "reveal", false, "print what was found")
	_ = cmd.RegisterFlagCompletionFunc("detector", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	cmd.AddCommand(detectBenchCommand(), detectConformCommand())
	return cmd
}

// detectIn prints what is in a file. What one detector finds stands although
// another could not tell.
func detectIn(cmd *cobra.Command, path string, flags *detectFlags) error {
	names, err := chosenDetectors(flags.detectors)
	if err != nil {
		return usageError(err)
	}
	text, err := readText(cmd.InOrStdin(), path)
	if err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("reading the text: %w", err)}
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	var failed error
	for _, name := range names {
		found, err := lookWith(cmd, name, text, flags)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("asking the detector %s: %w", name, err))
			continue
		}
		printFindings(out, name, text, found, flags.reveal)
	}
	if err := writeError(out.Flush()); err != nil {
		return err
	}
	if failed != nil {
		return &exitError{code: exitFailure, err: failed}
	}
	return nil
}

// describing are the detectors that say what a text consists of. They are asked
// if they are named.
var describing = []string{"html_code", "images", "links"}

// chosenDetectors are those that are named, or all that find what may be wrong.
func chosenDetectors(named []string) ([]string, error) {
	all := slices.Sorted(maps.Keys(local.Detectors()))
	for _, name := range named {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("there is no detector %s, want one of %s", name, strings.Join(all, ", "))
		}
	}
	if len(named) > 0 {
		return named, nil
	}
	return slices.DeleteFunc(all, func(name string) bool { return slices.Contains(describing, name) }), nil
}

// maxDetectText is how much of a text is read. A trace has no text that is
// longer than this by far.
const maxDetectText = 64 << 20

// readText reads a file, or standard input for "-".
func readText(stdin io.Reader, path string) (string, error) {
	r := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close() //nolint:errcheck // it was only read
		r = f
	}
	text, err := io.ReadAll(io.LimitReader(r, maxDetectText+1))
	if err == nil && len(text) > maxDetectText {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxDetectText)
	}
	return string(text), err
}

func lookWith(cmd *cobra.Command, name, text string, flags *detectFlags) ([]detect.Finding, error) {
	request := detect.Request{Text: text, Views: flags.views}
	var err error
	switch {
	case name == "pii" && len(flags.entities) > 0:
		request.Params, err = listParam("entities", flags.entities)
	case name == "unicode": // otherwise it tells of every letter
		request.Params, err = listParam("categories", suspicious())
	}
	if err != nil {
		return nil, err
	}
	results, err := local.Detectors()[name].Detect(cmd.Context(), []detect.Request{request})
	if err != nil {
		return nil, err
	}
	return results[0].Findings, results[0].Err
}

// suspicious are the categories of characters that no plain text has: those that
// are not Unicode's own, which have names of two letters.
func suspicious() []string {
	return slices.DeleteFunc(inject.Categories(), func(name string) bool { return len(name) == 2 })
}

func listParam(name string, list []string) (string, error) {
	params, err := json.Marshal(map[string][]string{name: list})
	return string(params), err
}

// printFindings prints a line for each finding. They come sorted by where they
// begin, so one walk over the text finds all places.
func printFindings(w io.Writer, name, text string, found []detect.Finding, reveal bool) {
	c := cursor{text: text, line: 1, column: 1}
	for _, f := range found {
		c.forward(f.Start)
		fmt.Fprintf(w, "%d:%d\t%d-%d\t%s\t%s\t%.2f\t%s", c.line, c.column, f.Start, f.End, name, f.Kind, f.Score, f.View)
		if reveal {
			fmt.Fprintf(w, "\t%s", escapeLine(c.next(f.End-f.Start)))
		}
		fmt.Fprintln(w)
	}
}

// A cursor is a place in a text.
type cursor struct {
	text         string
	offset       int // in bytes
	point        int // in code points
	line, column int // from 1, the column in code points
}

// forward goes on to a code point.
func (c *cursor) forward(point int) {
	for c.point < point && c.offset < len(c.text) {
		r, n := utf8.DecodeRuneInString(c.text[c.offset:])
		c.offset += n
		c.point++
		if c.column++; r == '\n' {
			c.line, c.column = c.line+1, 1
		}
	}
}

// next returns so many code points from the cursor on.
func (c *cursor) next(points int) string {
	end := cursor{text: c.text, offset: c.offset, point: c.point}
	end.forward(c.point + points)
	return c.text[c.offset:end.offset]
}
