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
	"runtime"
	"slices"
	"strings"
	"sync"
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

// A testSuite is a file with the cases of it that are asked for.
type testSuite struct {
	file    string
	src     []byte
	opts    *policytest.Options
	cases   []*policytest.Case
	results []*testResult // one a case, nil if it was not run; or why there are none
}

// load reads a file.
func (t *testRun) load(file string, folders testFolders) *testSuite {
	s := &testSuite{file: file}
	var err error
	if s.src, err = os.ReadFile(file); err != nil {
		return s.fail(fmt.Errorf("reading case: %w", err))
	}
	cases, err := policytest.Cases(file, s.src)
	if err != nil {
		return s.fail(err)
	}
	if s.opts, err = t.options(filepath.Dir(file), folders); err != nil {
		return s.fail(fmt.Errorf("opening the folder of the case: %w", err))
	}
	for _, c := range cases {
		if t.only.MatchString(c.Name) {
			s.cases = append(s.cases, c)
		}
	}
	s.results = make([]*testResult, len(s.cases))
	return s
}

// fail adds the result of a file whose cases cannot be run or written.
func (s *testSuite) fail(err error) *testSuite {
	s.results = append(s.results, &testResult{file: s.file, status: testError, failures: []policytest.Failure{{Problem: err.Error()}}})
	return s
}

// runAll runs the cases of all files, as many at once as there are cores.
func (t *testRun) runAll(ctx context.Context, suites []*testSuite) {
	var running sync.WaitGroup
	defer running.Wait()
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, s := range suites {
		for i := range s.cases {
			free <- struct{}{}
			running.Go(func() {
				if ctx.Err() == nil {
					s.results[i] = t.caseOf(ctx, s, s.cases[i])
				}
				<-free
			})
		}
	}
}

// finish returns the results of the cases that were run, and writes what
// --update changes.
func (t *testRun) finish(s *testSuite) []*testResult {
	for i, r := range s.results {
		if r != nil && i < len(s.cases) {
			t.settle(r, s.cases[i])
		}
	}
	if t.update && len(s.cases) > 0 {
		if updated := s.cases[0].Source(); !bytes.Equal(updated, s.src) {
			if err := os.WriteFile(s.file, updated, 0o644); err != nil {
				s.fail(fmt.Errorf("updating case: %w", err))
			}
		}
	}
	return slices.DeleteFunc(s.results, func(r *testResult) bool { return r == nil })
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

// caseOf runs a case; nil if it was interrupted.
func (t *testRun) caseOf(ctx context.Context, s *testSuite, c *policytest.Case) *testResult {
	r := &testResult{file: s.file, comment: c.Comment, line: c.Line, status: testPassed}
	r.name, _ = strings.CutPrefix(strings.TrimPrefix(c.Name, s.file), ": ")
	begun := time.Now()
	r.failures = t.inTime(ctx, c, s.opts)
	r.took = time.Since(begun)
	if ctx.Err() != nil {
		return nil
	}
	return r
}

// settle says whether a case has passed; with --update what came out is wanted.
func (t *testRun) settle(r *testResult, c *policytest.Case) {
	r.failures = slices.DeleteFunc(r.failures, func(f policytest.Failure) bool {
		updated := t.update && c.Update(f)
		r.updated = r.updated || updated
		return updated
	})
	if len(r.failures) > 0 {
		r.status = testFailed
	}
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
	if ctx.Err() != nil {
		return []policytest.Failure{{Line: c.Line, Problem: fmt.Sprintf("took longer than --timeout %v", t.timeout)}}
	}
	return failures
}
