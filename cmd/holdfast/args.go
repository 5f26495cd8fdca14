// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// policyExt is how the names of policy files end.
const policyExt = ".gr"

// errNoTraces is what a command line without traces gets.
var errNoTraces = errors.New("got a policy and no trace: name a file or folder, or - for standard input")

// splitArgs tells policies from traces. With policies given by flags all
// arguments are traces; a `--` at position dash (-1: none) stands between the
// two. Otherwise the first argument is a policy, further ones are as long as
// they look like it, and the last is always a trace.
func splitArgs(flags, args []string, dash int) (policies, traces []string, err error) {
	switch {
	case len(flags) > 0 && dash > 0:
		return nil, nil, errors.New("got policies by --policy and before --, want one of the two")
	case len(flags) > 0:
		policies, traces = flags, args
	case dash >= 0:
		policies, traces = args[:dash], args[dash:]
	case len(args) > 0:
		n := 1
		for n < len(args)-1 && looksLikePolicy(args[n]) {
			n++
		}
		policies, traces = args[:n], args[n:]
		if last := args[len(args)-1]; len(args) > 1 && filepath.Ext(last) == policyExt {
			return nil, nil, fmt.Errorf("%s is a policy by its name; want policies, then traces", last)
		}
	}
	if len(policies) == 0 {
		return nil, nil, errors.New("got no policy; want policies, then traces")
	}
	if len(traces) == 0 {
		return nil, nil, errNoTraces
	}
	if i := slices.Index(traces, "-"); i >= 0 && slices.Contains(traces[i+1:], "-") {
		return nil, nil, errors.New("standard input (-) is given twice")
	}
	return policies, traces, nil
}

// looksLikePolicy reports whether an argument behind the first is a policy
// too: a file by its name, a folder by what is in it.
func looksLikePolicy(arg string) bool {
	if _, library := librarySource(arg); library || filepath.Ext(arg) == policyExt {
		return true
	}
	stat, err := os.Stat(arg)
	if err != nil || !stat.IsDir() {
		return false
	}
	files, err := policyFiles(arg)
	return err == nil && len(files) > 0
}

// expandPolicies returns the policy files that paths name, folders with all
// that is below them, each file once.
func expandPolicies(paths []string) ([]string, error) {
	var out []string
	for _, p := range paths {
		stat, err := os.Stat(p)
		if err != nil || !stat.IsDir() {
			out = append(out, p) // reading it says what is wrong with it
			continue
		}
		files, err := policyFiles(p)
		if err != nil {
			return nil, fmt.Errorf("reading the policies in %s: %w", p, err)
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("reading policies: there is no %s file in %s", policyExt, p)
		}
		out = append(out, files...)
	}
	return distinct(out), nil
}

// policyFiles returns the policies below a folder, sorted. Links are followed,
// but not back to where they came from; hidden folders are passed by.
func policyFiles(root string) ([]string, error) {
	w := policyWalk{seen: map[string]bool{}}
	err := w.folder(root)
	return w.files, err
}

// A policyWalk goes through folders. A rule that nobody reads allows, so it
// ends at the first thing that cannot be read.
type policyWalk struct {
	files []string
	seen  map[string]bool // folders, by what they are called without links
}

func (w *policyWalk) folder(path string) error {
	name, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if name, err = filepath.Abs(name); err != nil || w.seen[name] {
		return err
	}
	w.seen[name] = true
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := w.entry(filepath.Join(path, e.Name()), e); err != nil {
			return err
		}
	}
	return nil
}

func (w *policyWalk) entry(path string, e fs.DirEntry) error {
	mode, hidden := e.Type(), strings.HasPrefix(e.Name(), ".")
	if mode&fs.ModeSymlink != 0 {
		st, err := os.Stat(path)
		switch {
		case err != nil && hidden: // as editors make them
			return nil
		case err != nil:
			return err
		}
		mode = st.Mode().Type()
	}
	switch {
	case mode.IsDir() && hidden:
		return nil
	case mode.IsDir():
		return w.folder(path)
	case filepath.Ext(path) == policyExt:
		w.files = append(w.files, path) // reading it says what is wrong with it
	}
	return nil
}

// distinct keeps the first of several spellings of one path.
func distinct(paths []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(paths, func(p string) bool {
		key := filepath.Clean(p)
		again := seen[key]
		seen[key] = true
		return again
	})
}
