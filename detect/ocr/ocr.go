// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package ocr reads words in images with a program of the machine, tesseract
// or what is called like it. The program is run in bounds: it gets one image,
// has a time and an amount of output, a folder of its own that is removed, no
// environment but what it needs, and does not outlive the question. Nothing is
// fetched.
package ocr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/internal/subprocess"
)

// Options say which program reads images, and its bounds. The zero value of a
// bound is a useful one.
type Options struct {
	Program   string   // path, or a name that is looked up once, in New
	Languages []string // names of trained languages, such as "eng"; nil: the program's own choice
	Trained   string   // folder of the trained languages; "": the program's own

	Timeout   time.Duration // of one image; 0: 10 s
	MaxBytes  int           // of an image; 0: 8 MiB
	MaxPixels int           // of an image; 0: 40 million
	MaxOutput int           // bytes that the program may say; 0: 1 MiB
}

// New returns the detector of the function ocr. Of an image, a data: URI or
// base64, each line of words is a finding of the kind "line", whose Text is the
// line and whose score how sure the program is; its place is the whole text.
// What is no image, an address, or an image beyond the bounds is an error, so
// the call is unknown.
func New(o *Options) (detect.Detector, error) {
	if o == nil || o.Program == "" {
		return nil, errors.New("no program to read images with")
	}
	path, err := subprocess.Find(what, o.Program)
	if err != nil {
		return nil, err
	}
	for _, l := range o.Languages {
		if !named(l) {
			return nil, fmt.Errorf("%q is no name of a language", l)
		}
	}
	r := &reader{
		program: subprocess.Program{
			What: what, Path: path, Timeout: cmp.Or(o.Timeout, 10*time.Second), MaxOutput: cmp.Or(o.MaxOutput, 1<<20),
		},
		languages: strings.Join(o.Languages, "+"), trained: o.Trained,
		maxBytes: cmp.Or(o.MaxBytes, 8<<20), maxPixels: cmp.Or(o.MaxPixels, 40_000_000),
		turns: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	if r.program.Timeout < 0 || r.maxBytes < 0 || r.maxPixels < 0 || r.program.MaxOutput < 0 || r.program.MaxOutput == math.MaxInt {
		return nil, errors.New("a bound is negative or too large")
	}
	return detect.Plain("1 "+path+" "+r.languages, r.scan), nil
}

// named reports whether a text may be a language's name, and no option of the
// program.
func named(language string) bool {
	for _, c := range language {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_') {
			return false
		}
	}
	return language != ""
}

// A reader asks the program. It runs as many at once as there are cores.
type reader struct {
	program             subprocess.Program
	languages, trained  string
	maxBytes, maxPixels int
	turns               chan struct{}
}

func (r *reader) scan(ctx context.Context, text, _ string) ([]detect.Span, error) {
	picture, err := r.image(text)
	if err != nil {
		return nil, err
	}
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	said, err := r.run(ctx, picture)
	if err != nil {
		return nil, err
	}
	lines, err := parse(said)
	if err != nil {
		return nil, err
	}
	var out []detect.Span
	for _, l := range lines {
		out = append(out, detect.Span{Kind: "line", Start: 0, End: len(text), Score: l.score, Text: l.text})
	}
	return out, nil
}
