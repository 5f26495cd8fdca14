// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/demo"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/trace"
)

// demoFlags are the flags of demo: paths of files.
type demoFlags struct{ policy, trace, savePolicy string }

func demoCommand() *cobra.Command {
	var flags demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play an attack on an agent, without a policy and with one",
		Long: `Demo plays an attack on this machine: an agent reads a spreadsheet in which an
attacker has planted an instruction, and posts a summary to a chat that previews
links, which carries a token to the attacker. It plays it without a policy, then
with one, then an ordinary day under that policy. The model follows a script;
the agent, the servers and the requests are real. They are on 127.0.0.1, and
nothing leaves the machine.

Without --policy it plays the rule of the paper that the attack is from. To try
a rule of your own, save that one, change it and play it.

Exit codes: 0 the attack was played, and the paper's rule stopped it (a rule of
your own may do what it does: that is told, not judged); 1 it could not be
played, or not as claimed; 2 wrong usage or a policy that does not load.`,
		Example: `  holdfast demo
  holdfast demo --save-policy paper.gr --trace runs.jsonl
  holdfast check paper.gr runs.jsonl
  holdfast demo --policy paper.gr`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return playDemo(cmd, flags) },
	}
	cmd.Flags().StringVar(&flags.policy, "policy", "", "play the policy in this `file` in place of the paper's")
	cmd.Flags().StringVar(&flags.trace, "trace", "", "write the runs to this `file`, as JSON lines that check reads")
	cmd.Flags().StringVar(&flags.savePolicy, "save-policy", "", "write the paper's policy to this `file`")
	return cmd
}

// check refuses files that would overwrite one another.
func (f demoFlags) check() error {
	if f.trace == "-" || f.savePolicy == "-" {
		return errors.New("standard output (-) is taken by the play, want a file")
	}
	if f.trace != "" && (same(f.trace, f.policy) || same(f.trace, f.savePolicy)) {
		return fmt.Errorf("got %s for a policy and for the traces", f.trace)
	}
	return nil
}

// same reports whether two paths lead to the same file, or would.
func same(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// playDemo runs the command after its flags are read.
func playDemo(cmd *cobra.Command, flags demoFlags) error {
	if err := flags.check(); err != nil {
		return usageError(err)
	}
	policy, err := demoPolicy(flags.policy)
	if err != nil {
		return reportLoad(cmd.ErrOrStderr(), err)
	}
	if err := savePolicy(flags.savePolicy); err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	if err := diag.Render(cmd.ErrOrStderr(), policy.Warnings()); err != nil {
		return writeError(err)
	}
	out := &failing{w: cmd.OutOrStdout()}
	s := styleFor(cmd.OutOrStdout())
	opts := demo.Options{
		Policy: policy.Policy, Sources: policy.sources(), Paper: flags.policy == "",
		Out: out, Color: s.on,
		Explain: func(t *trace.Trace, v holdfast.Verdict) (string, error) { return explainVerdict(policy, s, t, v) },
	}
	runs, err := demo.Play(cmd.Context(), opts)
	switch {
	case out.err != nil:
		return writeError(out.err)
	case errors.Is(err, context.Canceled):
		return &exitError{code: exitFailure, err: errors.New("interrupted")}
	case err != nil:
		return &exitError{code: exitFailure, err: err}
	}
	if err := saveTraces(flags.trace, runs); err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	return writeError(printSteps(out, s, nextSteps(flags)))
}

// demoPolicy loads the policy that is played: the paper's, if path is "".
func demoPolicy(path string) (*loadedPolicy, error) {
	if path != "" {
		return loadPolicy([]string{path}, holdfast.Options{})
	}
	text := []byte(demo.PolicyText)
	policy, err := holdfast.Compile(demo.PolicyName, text, nil)
	if err != nil {
		return nil, err
	}
	file := diag.NewFile(demo.PolicyName, text)
	return &loadedPolicy{Policy: policy, paths: []string{file.Name}, files: map[string]*diag.File{file.Name: file}}, nil
}

// sources returns the policy's files as they were read.
func (p *loadedPolicy) sources() []holdfast.Source {
	var out []holdfast.Source
	for _, path := range p.paths {
		out = append(out, holdfast.Source{Name: path, Text: p.files[path].Src})
	}
	return out
}

// explainVerdict says what check says of a trace, without the line that names
// the trace.
func explainVerdict(policy *loadedPolicy, s style, t *trace.Trace, v holdfast.Verdict) (string, error) {
	r, err := report.New("text", &report.Options{Err: io.Discard, Color: s.on, Policy: policy.Policy, Line: policy.Line})
	if err != nil {
		return "", err
	}
	_, why, _ := strings.Cut(string(r.Render(report.Result{Trace: t, Verdict: v}).Out), "\n")
	return why, nil
}

// savePolicy writes the paper's policy for a user to change; what the user has
// changed already is left alone.
func savePolicy(path string) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		if old, readErr := readPolicy(path); readErr == nil && string(old) == demo.PolicyText {
			return nil
		}
		return fmt.Errorf("saving the policy: %s is there already, with another text", path)
	}
	if err != nil {
		return fmt.Errorf("saving the policy: %w", err)
	}
	_, err = f.WriteString(demo.PolicyText)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("saving the policy: %w", err)
	}
	return nil
}

func saveTraces(path string, runs []*demo.Run) error {
	if path == "" {
		return nil
	}
	var lines bytes.Buffer
	if err := demo.WriteTraces(&lines, runs); err != nil {
		return fmt.Errorf("writing the traces: %w", err)
	}
	if err := os.WriteFile(path, lines.Bytes(), 0o666); err != nil {
		return fmt.Errorf("writing the traces: %w", err)
	}
	return nil
}

// A nextStep is a command line to go on with, and what for.
type nextStep struct{ line, purpose string }

// nextSteps returns commands that work as they stand, in their order.
func nextSteps(flags demoFlags) []nextStep {
	policy := cmp.Or(flags.policy, flags.savePolicy, demo.PolicyName)
	traces := cmp.Or(flags.trace, "runs.jsonl")
	var steps []nextStep
	keep := "holdfast demo"
	switch {
	case flags.policy != "":
		keep += " --policy " + shellWord(policy)
	case flags.savePolicy == "":
		keep += " --save-policy " + policy
	}
	if flags.trace == "" {
		keep += " --trace " + traces
	}
	if flags.trace == "" || flags.policy == "" && flags.savePolicy == "" {
		steps = append(steps, nextStep{keep, "keep what was played"})
	}
	return append(steps,
		nextStep{"holdfast check " + shellWord(policy) + " " + shellWord(traces), "judge the runs that were recorded"},
		nextStep{"holdfast demo --policy " + shellWord(policy), "play your version of the rule"})
}

// printSteps writes commands below one another.
func printSteps(w io.Writer, s style, steps []nextStep) error {
	longest := 0
	for _, c := range steps {
		longest = max(longest, width(c.line))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n\n", s.paint(bold, "Next"))
	for _, c := range steps {
		fmt.Fprintf(&b, "  %s%s   %s\n", c.line, strings.Repeat(" ", longest-width(c.line)), s.paint(dim, "# "+c.purpose))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shellWord quotes a path for a shell if it has to be.
func shellWord(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%", r)
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(escapeLine(path), "'", `'\''`) + "'"
}

// A failing writer remembers that its writer failed, to tell errors of writing
// from others.
type failing struct {
	w   io.Writer
	err error
}

func (f *failing) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err != nil {
		f.err = err
	}
	return n, err
}
