// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/script"
)

// A loadedPolicy is a policy with its source, from which reports quote.
type loadedPolicy struct {
	*holdfast.Policy
	name string
	file *diag.File
}

// loadPolicy reads and compiles the policy at path. What it imports is read
// from its folder and never from outside it: os.Root follows no link out.
// The error is a diag.List if the policy was read but does not compile.
func loadPolicy(path string) (*loadedPolicy, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading policy: %w", err)
	}
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("opening the policy's folder: %w", err)
	}
	defer folder.Close() //nolint:errcheck // it was only read
	policy, err := holdfast.Compile(path, src, &holdfast.Options{
		Files:   folder.FS(),
		Scripts: script.Load,
	})
	if err != nil {
		return nil, err
	}
	return &loadedPolicy{Policy: policy, name: path, file: diag.NewFile(path, src)}, nil
}

// line returns line n of the policy file, or "" if the rule or expression
// stands in a file that it imports.
func (p *loadedPolicy) line(file string, n int) string {
	if file != p.name {
		return ""
	}
	return p.file.Line(n)
}

// diagnostics returns the list inside err, if there is one.
func diagnostics(err error) (diag.List, bool) {
	var list diag.List
	ok := errors.As(err, &list)
	return list, ok
}
