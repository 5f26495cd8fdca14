// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/policies"
	"github.com/holdfast-dev/holdfast/script"
)

// A loadedPolicy is a policy with its sources, from which reports quote.
type loadedPolicy struct {
	*holdfast.Policy
	paths []string // of the files whose rules it has
	files map[string]*diag.File
}

// loadPolicy reads and compiles the policies at paths, files or folders, as
// one. What a file imports is read from its folder and never from outside it:
// os.Root follows no link out. The error is a diag.List if the files were
// read but do not compile. Options are those of the command's flags; without
// detectors, those of this machine are taken.
func loadPolicy(paths []string, opts holdfast.Options) (*loadedPolicy, error) {
	paths, err := expandPolicies(paths)
	if err != nil {
		return nil, err
	}
	p := &loadedPolicy{paths: paths, files: map[string]*diag.File{}}
	folders := openFolders{}
	defer folders.close()
	var sources []holdfast.Source
	for _, path := range paths {
		if library, ok := librarySource(path); ok {
			sources = append(sources, library)
			p.files[path] = diag.NewFile(path, library.Text)
			continue
		}
		text, err := readPolicy(path)
		if err != nil {
			return nil, fmt.Errorf("reading policy: %w", err)
		}
		folder, err := folders.open(filepath.Dir(path))
		if err != nil {
			return nil, fmt.Errorf("opening the policy's folder: %w", err)
		}
		sources = append(sources, holdfast.Source{Name: path, Text: text, Files: folder})
		p.files[path] = diag.NewFile(path, text)
	}
	opts.Scripts = script.Load
	if opts.Detectors == nil {
		opts.Detectors = local.Detectors()
	}
	p.Policy, err = holdfast.CompileAll(sources, &opts)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// libraryPrefix begins the names of the library's policies.
const libraryPrefix = "holdfast.policies."

// librarySource returns the policy of the library that a path names, if it does
// and there is no such file.
func librarySource(path string) (holdfast.Source, bool) {
	name, ok := strings.CutPrefix(path, libraryPrefix)
	if _, err := os.Lstat(path); !ok || err == nil {
		return holdfast.Source{}, false
	}
	full, ok := policies.Find(name)
	if !ok {
		return holdfast.Source{}, false
	}
	text, err := policies.Read(full + "/" + full + policyExt)
	return holdfast.Source{Name: path, Text: text, Files: policies.Folder(full)}, err == nil
}

// maxPolicyText is how much is read of a policy file. The language wants less
// and says so; this is for what is no policy and may have no end.
const maxPolicyText = 4 << 20

// readPolicy reads a policy file, which may be a pipe.
func readPolicy(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxPolicyText+1))
	if err == nil && len(text) > maxPolicyText {
		err = fmt.Errorf("%s is longer than %d bytes, so it is no policy", path, maxPolicyText)
	}
	return text, err
}

// openFolders are the folders that policies import from, by path.
type openFolders map[string]*os.Root

func (o openFolders) open(dir string) (fs.FS, error) {
	if root := o[dir]; root != nil {
		return root.FS(), nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	o[dir] = root
	return root.FS(), nil
}

func (o openFolders) close() {
	for _, root := range o {
		_ = root.Close() // it was only read
	}
}

// notes are what the caller should know and no verdict says.
func (p *loadedPolicy) notes(inputs map[string]any) []string {
	notes := strayInputs(inputs, p.Inputs())
	switch {
	case len(p.Rules()) > 0:
	case len(p.paths) == 1:
		notes = append(notes, p.paths[0]+" has no rules, so it allows everything")
	default:
		notes = append(notes, fmt.Sprintf("none of the %d policy files has rules, so they allow everything", len(p.paths)))
	}
	return notes
}

// printNotes prints notes for people.
func printNotes(w io.Writer, notes []string) {
	for _, note := range notes {
		fmt.Fprintf(w, "holdfast: %s\n", escapeText(note))
	}
}

// diagnostics returns the list inside err, if there is one.
func diagnostics(err error) (diag.List, bool) {
	var list diag.List
	ok := errors.As(err, &list)
	return list, ok
}
