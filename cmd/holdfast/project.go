// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/configured"
	"github.com/holdfast-dev/holdfast/internal/project"
)

// A projectFile is what the project file says, or nothing if there is none.
// Flags go before it.
type projectFile struct {
	*project.File
	given map[string]bool // parameters that flags give
}

// projectFlags adds the flags that say which project file counts.
func projectFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.String("config", "", "the project `file`, in place of the "+project.Name+" of this folder or one above")
	flags.Bool("no-config", false, "use no project file")
	_ = root.RegisterFlagCompletionFunc("config", cobra.FixedCompletions([]cobra.Completion{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt))
}

// projectPath returns the project file's path, "" if there is none, and
// whether it was named and not found.
func projectPath(cmd *cobra.Command) (path string, named bool, err error) {
	path, _ = cmd.Flags().GetString("config") // both flags are the root's: all commands have them
	none, _ := cmd.Flags().GetBool("no-config")
	switch {
	case path != "" && none:
		return "", false, usageError(errors.New("got --config and --no-config, want one of the two"))
	case none:
		return "", false, nil
	case path != "":
		return path, true, nil
	}
	wd, err := os.Getwd()
	if err == nil {
		path, err = project.Find(wd)
	}
	if err != nil {
		return "", false, &exitError{code: exitUsage, err: err}
	}
	return path, false, nil
}

// projectOf reads the project file of a command.
func projectOf(cmd *cobra.Command) (*projectFile, error) {
	path, named, err := projectPath(cmd)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return &projectFile{File: &project.File{}}, nil
	}
	file, err := project.Open(path, named)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: fmt.Errorf("reading the project file: %w", err)}
	}
	return &projectFile{File: file}, nil
}

// detectors returns those of this machine, of the project and of flags. It says
// so if a file that nobody named has texts sent elsewhere.
func (p *projectFile) detectors(cmd *cobra.Command, flags *detectorFlags) (map[string]detect.Detector, error) {
	flags.base = p.Settings()
	if flags.base != nil && flags.file == "" && !p.Named() {
		printNotes(cmd.ErrOrStderr(), p.asked(flags.base))
	}
	return flags.detectors()
}

// asked says which servers settings name.
func (p *projectFile) asked(s *configured.Settings) []string {
	urls := map[string]bool{s.Models.URL: true}
	for _, m := range []*configured.Model{s.Models.Moderation, s.Models.Embedding, s.Models.Chat, s.Models.Injection} {
		if m != nil {
			urls[m.URL] = true
		}
	}
	for _, r := range s.Remote {
		urls[r.URL] = true
	}
	delete(urls, "")
	if len(urls) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("by %s, detectors may ask %s", p.Resolve(p.Path()), strings.Join(slices.Sorted(maps.Keys(urls)), ", "))}
}

// policies returns the policies that a command is about: its arguments, or the
// roots of the project.
func (p *projectFile) policies(args []string) ([]string, error) {
	switch {
	case len(args) > 0:
		return args, nil
	case len(p.Policies) > 0:
		return p.Roots(), nil
	}
	return nil, fmt.Errorf("got no policy: name a file or folder, or write %s with policies", project.Name)
}

// files returns the roots that are files and folders.
func (p *projectFile) files() []string {
	return slices.DeleteFunc(p.Roots(), func(path string) bool { _, library := librarySource(path); return library })
}

// testFolders returns where a project's cases are: beside its policies.
func (p *projectFile) testFolders() []string {
	var out []string
	for _, path := range p.files() {
		if stat, err := os.Stat(path); err == nil && !stat.IsDir() {
			path = filepath.Dir(path)
		}
		out = append(out, path)
	}
	if len(out) == 0 {
		return []string{"."}
	}
	return distinct(out)
}

// split tells policies from traces, as splitArgs does. Where the arguments
// begin with no policy, those of the project are meant.
func (p *projectFile) split(flags, args []string, dash int) (policies, traces []string, err error) {
	if len(flags) == 0 && dash <= 0 && len(p.Policies) > 0 && (dash == 0 || len(args) == 0 || !looksLikePolicy(args[0])) {
		return splitArgs(p.Roots(), args, -1)
	}
	return splitArgs(flags, args, dash)
}

// inputs are the parameters: those of flags, and those of the project that no
// flag gives.
func (p *projectFile) inputs(flags []string) (map[string]any, error) {
	inputs, err := parseInputs(flags)
	if err != nil {
		return nil, err
	}
	p.given = map[string]bool{}
	for name := range inputs {
		p.given[name] = true
	}
	for name, v := range p.Inputs {
		if !p.given[name] {
			inputs[name] = v
		}
	}
	return inputs, nil
}

// leave takes those parameters of the file away that a policy does not read:
// they are for others of the project, and config check looks for stray ones.
func (p *projectFile) leave(inputs map[string]any, policy *holdfast.Policy) {
	for name := range p.Inputs {
		if !p.given[name] && !hasInput(policy, name) {
			delete(inputs, name)
		}
	}
}

// workspace is the folder of --workspace, or else the project's.
func (p *projectFile) workspace(flag string) string {
	if flag != "" {
		return flag
	}
	return p.Resolve(p.Workspace)
}
