// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package program lets an installed semgrep look for unsafe code, in place of
// the rules of package code.
package program

import (
	"errors"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/code"
)

// Options say which program looks at code, and its bounds. The zero value of a
// bound is a useful one.
type Options struct {
	Program string   // path, or a name that is looked up once, in New
	Config  []string // values of --config: files or folders of rules; the program's names for rule sets make it fetch them

	Timeout   time.Duration // of one text; 0: 30 s
	MaxBytes  int           // of a text; 0: 4 MiB
	MaxOutput int           // bytes of what the program says; 0: 8 MiB
}

// New returns a detector of the function semgrep: what the program finds in a
// text, written to a file that only this user can read and that is gone
// afterwards. A program that cannot be run, fails, is too slow, says too much
// or what cannot be read makes the call unknown.
func New(o *Options) (detect.Detector, error) {
	if o == nil || o.Program == "" {
		return nil, errors.New("no program to look at code with")
	}
	return nil, errors.New("no program to look at code with" + code.Version)
}
