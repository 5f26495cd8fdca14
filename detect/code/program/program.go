// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package program lets an installed semgrep look for unsafe code, in place of
// the rules of package code. The program is run in bounds; whether it fetches
// rules is for the configuration that it is given.
package program

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/code"
	"github.com/holdfast-dev/holdfast/internal/subprocess"
)

// Options say which program looks at code, and its bounds. The zero value of a
// bound is a useful one.
type Options struct {
	Program string   // path, or a name that is looked up once, in New
	Config  []string // values of its option --config: files and folders of rules, or sets that it fetches; at least one

	Timeout   time.Duration // of one part of a text; 0: 30 s
	MaxBytes  int           // of a text; 0: 4 MiB
	MaxOutput int           // bytes of what the program says; 0: 8 MiB
}

// New returns a detector of the function semgrep: what the program finds in a
// text, which it reads in a file that only this user can read and that is gone
// afterwards. A finding's kind is the name of the program's rule. A program
// that cannot be run, fails, is too slow, says too much or what cannot be
// understood makes the call unknown.
func New(o *Options) (detect.Detector, error) {
	if o == nil || o.Program == "" {
		return nil, errors.New("no program to look at code with")
	}
	if len(o.Config) == 0 {
		return nil, errors.New("no rules for the program that looks at code")
	}
	path, err := subprocess.Find(what, o.Program)
	if err != nil {
		return nil, err
	}
	r := &runner{
		program: subprocess.Program{
			What: what, Path: path, Timeout: positive(o.Timeout, 30*time.Second), MaxOutput: positive(o.MaxOutput, 8<<20),
			Codes: []int{1}, // it found something, where it is told to say so
		},
		maxBytes: positive(o.MaxBytes, 4<<20),
	}
	for _, c := range o.Config {
		if strings.HasPrefix(c, "-") {
			return nil, fmt.Errorf("the rules %q look like an option", c)
		}
		r.config = append(r.config, "--config", c)
	}
	return detect.Plain("program.1 "+path+" "+strings.Join(o.Config, " "), r.scan), nil
}

func positive[T int | time.Duration](given, otherwise T) T {
	if given > 0 {
		return given
	}
	return otherwise
}

// A runner runs the program.
type runner struct {
	program  subprocess.Program
	config   []string
	maxBytes int
}

// maxParts is how many parts of one text the program looks at: each is a run.
const maxParts = 16

// scan is the detect.Scanner.
func (r *runner) scan(ctx context.Context, text, params string) ([]detect.Span, error) {
	if len(text) > r.maxBytes {
		return nil, fmt.Errorf("code of more than %d bytes", r.maxBytes)
	}
	language, err := code.Language(params)
	if err != nil {
		return nil, err
	}
	parts, err := code.Parts(text, language)
	if err != nil {
		return nil, err
	}
	if len(parts) > maxParts {
		return nil, fmt.Errorf("code in more than %d parts", maxParts)
	}
	var out []detect.Span
	for _, p := range parts {
		part := text[p.Start:p.End]
		said, err := r.run(ctx, p.Language, part)
		if err != nil {
			return nil, err
		}
		found, err := read(said, part)
		if err != nil {
			return nil, err
		}
		for _, s := range found {
			s.Start, s.End = s.Start+p.Start, s.End+p.Start
			out = append(out, s)
		}
	}
	return out, nil
}
