// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/holdfast-dev/holdfast/policytest"
)

// testExt is how the names of files with cases end.
const testExt = "_test.txtar"

// What a case comes to. An error is a file that holds no cases that can be run.
const (
	testPassed = "pass"
	testFailed = "fail"
	testError  = "error"
)

// A testResult is what a case came to.
type testResult struct {
	file     string
	name     string // "" of the only case of a file
	comment  string
	line     int // of the file, on which the case begins; 0 if that is not known
	status   string
	updated  bool // its want was written anew
	took     time.Duration
	failures []policytest.Failure
}

// label is what people know the case by, beside its file.
func (r *testResult) label() string {
	if r.name != "" {
		return r.name
	}
	first, _, _ := strings.Cut(r.comment, "\n")
	return first
}

// testFiles returns the files with cases at paths: files whatever they are
// called, of folders those by the name. Hidden folders are passed by.
func testFiles(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		stat, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !stat.IsDir() {
			out = append(out, path)
			continue
		}
		err = walkVisible(path, func(name string) {
			if strings.HasSuffix(name, testExt) {
				out = append(out, name)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return distinct(out), nil
}

// walkVisible calls see for each file below a folder, but for hidden folders,
// in the order of their names.
func walkVisible(root string, see func(name string)) error {
	folder := root
	if link, err := os.Lstat(root); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		folder += string(filepath.Separator) // what it leads to
	}
	return filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != folder && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case !d.IsDir():
			see(name)
		}
		return nil
	})
}

// file runs the cases of a file that are asked for, and writes what --update
// changes.
func (t *testRun) file(ctx context.Context, file string, folders testFolders) []*testResult {
	src, err := os.ReadFile(file)
	if err != nil {
		return []*testResult{unreadCases(file, fmt.Errorf("reading case: %w", err))}
	}
	cases, err := policytest.Cases(file, src)
	if err != nil {
		return []*testResult{unreadCases(file, err)}
	}
	opts, err := t.options(filepath.Dir(file), folders)
	if err != nil {
		return []*testResult{unreadCases(file, fmt.Errorf("opening the folder of the case: %w", err))}
	}
	var results []*testResult
	for _, c := range cases {
		if ctx.Err() == nil && t.only.MatchString(c.Name) {
			results = append(results, t.caseOf(ctx, file, c, opts))
		}
	}
	if updated := cases[0].Source(); t.update && !bytes.Equal(updated, src) {
		if err := os.WriteFile(file, updated, 0o644); err != nil {
			results = append(results, unreadCases(file, fmt.Errorf("updating case: %w", err)))
		}
	}
	return results
}

// testFolders are the options of the cases in a folder, which share the policies
// that they name.
type testFolders map[string]*policytest.Options

func (t *testRun) options(folder string, folders testFolders) (*policytest.Options, error) {
	if opts := folders[folder]; opts != nil {
		return opts, nil
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	folders[folder] = &policytest.Options{Update: t.update, Compile: t.compile, Folder: root}
	return folders[folder], nil
}

func (f testFolders) close() {
	for _, opts := range f {
		_ = opts.Folder.Close() // it was only read
	}
}

// unreadCases is the result of a file whose cases cannot be run.
func unreadCases(file string, err error) *testResult {
	return &testResult{file: file, status: testError, failures: []policytest.Failure{{Problem: err.Error()}}}
}

// caseOf runs a case.
func (t *testRun) caseOf(ctx context.Context, file string, c *policytest.Case, opts *policytest.Options) *testResult {
	r := &testResult{file: file, comment: c.Comment, line: c.Line, status: testPassed}
	r.name, _ = strings.CutPrefix(strings.TrimPrefix(c.Name, file), ": ")
	begun := time.Now()
	failures := t.inTime(ctx, c, opts)
	r.took = time.Since(begun)
	for _, f := range failures {
		if t.update && c.Update(f) {
			r.updated = true
			continue
		}
		r.status = testFailed
		r.failures = append(r.failures, f)
	}
	return r
}

// inTime runs a case until it takes too long. What does not end then is left
// behind, and changes nothing.
func (t *testRun) inTime(ctx context.Context, c *policytest.Case, opts *policytest.Options) []policytest.Failure {
	if t.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.timeout)
		defer cancel()
	}
	done := make(chan []policytest.Failure, 1)
	go func() { done <- c.Check(ctx, opts) }()
	var failures []policytest.Failure
	select {
	case failures = <-done:
	case <-ctx.Done():
	}
	switch ctx.Err() {
	case nil:
		return failures
	case context.DeadlineExceeded:
		return []policytest.Failure{{Line: c.Line, Problem: fmt.Sprintf("took longer than --timeout %v", t.timeout)}}
	}
	return []policytest.Failure{{Line: c.Line, Problem: "interrupted"}}
}
