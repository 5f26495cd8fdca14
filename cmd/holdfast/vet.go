// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/vet"
	"github.com/holdfast-dev/holdfast/script"
)

// vetFormats are the values of --format of vet.
var vetFormats = []string{"text", "json", "sarif", "github"}

// A vetting is what vet has to do.
type vetting struct {
	cmd            *cobra.Command
	format         string
	toolsFile      string
	fix            bool
	selects, skips []string

	severities map[string]string // by code, of the project file
	inputs     map[string]any    // parameters that it gives

	tools *vet.Tools
}

// configure takes from the project file what no flag says.
func (v *vetting) configure(p *projectFile) {
	flags := v.cmd.Flags()
	if !flags.Changed("tools") {
		v.toolsFile = p.Resolve(p.Tools)
	}
	if !flags.Changed("select") {
		v.selects = p.Select
	}
	if !flags.Changed("ignore") {
		v.skips = p.Ignore
	}
	v.severities, v.inputs = p.Severities, p.Inputs
}

func vetCommand() *cobra.Command {
	v := &vetting{}
	cmd := &cobra.Command{
		Use:   "vet [POLICY...]",
		Short: "Say what is wrong with policies that load",
		Long: `Vet looks for rules that can never be violated or that others imply, names that
nothing uses, arguments that are read of any tool, patterns that match more than
they say, and, with --tools, for tools, arguments and values that do not exist.
It also prints what the compiler warns of. The policies given are looked at as
one; of a folder, all *.gr below; without one, those of the project file.

What it says of rules is proven, over all traces; where that takes too long it
says nothing. holdfast explain CODE explains a diagnostic, and
"# holdfast:ignore CODE reason" suppresses it.

Exit codes:
  0  there is nothing to say
  1  a file could not be written
  2  the command line is wrong, or a policy does not load
  3  there are diagnostics; with --fix, after what was mended`,
		Example: `  holdfast vet policies/
  holdfast vet policy.gr --tools tools.json
  holdfast vet policy.gr --fix
  holdfast vet policies/ --ignore P0523 --format github`,
		RunE: func(cmd *cobra.Command, args []string) error {
			v.cmd = cmd
			project, err := projectOf(cmd)
			if err != nil {
				return err
			}
			if args, err = project.policies(args); err != nil {
				return usageError(err)
			}
			v.configure(project)
			return v.run(args)
		},
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{strings.TrimPrefix(policyExt, ".")}, cobra.ShellCompDirectiveFilterFileExt),
	}
	flags := cmd.Flags()
	flags.StringVar(&v.format, "format", "text", "how to print: "+strings.Join(vetFormats, ", "))
	flags.StringVar(&v.toolsFile, "tools", "", "a `file` with the agent's tools: what MCP's tools/list answers, or the tools of a request to a model")
	flags.BoolVar(&v.fix, "fix", false, "mend what can be mended for certain, and lay these files out anew")
	flags.StringSliceVar(&v.selects, "select", nil, "the `codes` to look for, as P0512 or, for several, P05 (default all)")
	flags.StringSliceVar(&v.skips, "ignore", nil, "`codes` to leave out")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(vetFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

var codePrefix = regexp.MustCompile(`^P[0-9]{1,4}$`)

func (v *vetting) run(paths []string) error {
	if err := oneOf("format", v.format, vetFormats); err != nil {
		return usageError(err)
	}
	for _, code := range slices.Concat(v.selects, v.skips) {
		if !codePrefix.MatchString(code) {
			return usageError(fmt.Errorf("got code %q, want one as P0512 or the beginning of several", code))
		}
	}
	if v.toolsFile != "" {
		src, err := os.ReadFile(v.toolsFile)
		if err != nil {
			return usageError(fmt.Errorf("reading --tools: %w", err))
		}
		if v.tools, err = vet.ReadTools(v.toolsFile, src); err != nil {
			return usageError(err)
		}
	}
	policy, err := loadPolicy(paths, v.options())
	if err != nil {
		return v.refused(err)
	}
	found, err := v.look(policy)
	if err != nil {
		return err
	}
	var mended []mendedFile
	if v.fix {
		if mended, policy, found, err = v.mend(paths, policy, found); err != nil {
			return err
		}
	}
	if err := v.print(policy, found, mended); err != nil {
		return writeError(err)
	}
	if len(found) > 0 {
		return &exitError{code: exitDenied}
	}
	return nil
}

// silent is a detector that is never asked: vet judges policies, whatever is
// set up on this machine.
type silent struct{}

func (silent) Detect(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
	return make([]detect.Result, len(requests)), nil
}

func (silent) Version() string { return "silent" }

func vetOptions() holdfast.Options {
	o := holdfast.Options{Detectors: map[string]detect.Detector{}}
	for _, name := range builtin.DetectorNames() {
		o.Detectors[name] = silent{}
	}
	return o
}

// options are those that the policies are loaded with.
func (v *vetting) options() holdfast.Options {
	o := vetOptions()
	o.Input = v.inputs
	return o
}

// look vets what is loaded: the files that are named, not what they import
// from elsewhere.
func (v *vetting) look(policy *loadedPolicy) ([]vet.Diagnosis, error) {
	prog, _, _, _ := policy.Inside(v.cmd.Context(), nil) // the error is about parameters, which nobody gave
	if prog == nil {
		return nil, errors.New("vetting: there is no program")
	}
	named := map[string]bool{}
	for _, path := range policy.paths {
		named[path] = true
	}
	found := vet.Vet(prog, &vet.Options{Tools: v.tools, Only: func(name string) bool { return named[name] }, Selected: v.wanted})
	for i, d := range found {
		if v.severities[d.Code] == "error" {
			found[i].Severity = diag.Error
		}
	}
	return found, nil
}

// wanted reports whether --select and --ignore want a code.
func (v *vetting) wanted(code string) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(code, prefix) }
	if v.severities[code] == "off" {
		return false
	}
	return (len(v.selects) == 0 || slices.ContainsFunc(v.selects, begins)) && !slices.ContainsFunc(v.skips, begins)
}

// A mendedFile is a file that --fix has changed.
type mendedFile struct {
	name  string
	fixes []appliedFix
}

// An appliedFix is a fix and the line that it was at.
type appliedFix struct {
	line int
	*vet.Fix
}

// maxRounds bounds how often the result of fixes is mended again.
const maxRounds = 8

// mend applies fixes until there are none, and returns what is left. Nothing
// is written that does not compile.
func (v *vetting) mend(paths []string, policy *loadedPolicy, found []vet.Diagnosis) ([]mendedFile, *loadedPolicy, []vet.Diagnosis, error) {
	done := map[string]*mendedFile{}
	for range maxRounds {
		mended, err := vet.Mend(found)
		if err != nil {
			return nil, nil, nil, &exitError{code: exitFailure, err: err}
		}
		if len(mended) == 0 {
			break
		}
		if err := v.compiles(policy, mended); err != nil {
			return nil, nil, nil, &exitError{code: exitFailure, err: fmt.Errorf("mending: the result does not load, so nothing is written: %w", err)}
		}
		for _, m := range mended {
			if err := replaceFile(m.Name, m.Text); err != nil {
				return nil, nil, nil, &exitError{code: exitFailure, err: fmt.Errorf("writing %s: %w", m.Name, err)}
			}
			if done[m.Name] == nil {
				done[m.Name] = &mendedFile{name: m.Name}
			}
			for _, fix := range m.Fixes {
				line, _ := fix.Edits[0].Span.Position()
				done[m.Name].fixes = append(done[m.Name].fixes, appliedFix{line, fix})
			}
		}
		if policy, err = loadPolicy(paths, v.options()); err != nil {
			return nil, nil, nil, v.refused(err)
		}
		if found, err = v.look(policy); err != nil {
			return nil, nil, nil, err
		}
	}
	var out []mendedFile
	for _, name := range slices.Sorted(maps.Keys(done)) {
		out = append(out, *done[name])
	}
	return out, policy, found, nil
}

// compiles returns an error if the policy would not load with its mended
// files.
func (v *vetting) compiles(policy *loadedPolicy, mended []vet.Mended) error {
	folders := openFolders{}
	defer folders.close()
	opts := v.options()
	opts.Scripts = script.Load
	var sources []holdfast.Source
	for _, path := range policy.paths {
		src := holdfast.Source{Name: path, Text: policy.files[path].Src}
		if i := slices.IndexFunc(mended, func(m vet.Mended) bool { return m.Name == path }); i >= 0 {
			src.Text = mended[i].Text
		}
		folder, err := folders.open(filepath.Dir(path))
		if err != nil {
			return err
		}
		src.Files = folder
		sources = append(sources, src)
	}
	_, err := holdfast.CompileAll(sources, &opts)
	return err
}

// refused reports that the policies do not load.
func (v *vetting) refused(why error) error {
	if v.format == "text" {
		return reportLoad(v.cmd.ErrOrStderr(), why)
	}
	if err := report.Load(v.format, v.reportOptions(), why); err != nil {
		return writeError(err)
	}
	return &exitError{code: exitUsage}
}

func (v *vetting) reportOptions() *report.Options {
	o := &report.Options{Out: v.cmd.OutOrStdout(), Err: v.cmd.ErrOrStderr(), Version: version(), Command: v.cmd.Name()}
	o.Dir, _ = os.Getwd() // without it paths stay as they are
	return o
}

// byFile cuts diagnostics into those of one file each.
func byFile(found []vet.Diagnosis) []diag.List {
	var out []diag.List
	last := ""
	for _, d := range found {
		if name := d.Span.File.Name; len(out) == 0 || name != last {
			out, last = append(out, nil), name
		}
		out[len(out)-1] = append(out[len(out)-1], d.Diagnostic)
	}
	return out
}
