// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package ocr

import (
	"bytes"
	"context"

	"github.com/holdfast-dev/holdfast/internal/subprocess"
)

// what is what the program is called in errors.
const what = "the program that reads images"

// run gives an image to the program and returns what it says.
func (r *reader) run(ctx context.Context, picture []byte) (said []byte, err error) {
	args := []string{"stdin", "stdout"}
	if r.languages != "" {
		args = append(args, "-l", r.languages)
	}
	env := []string{"OMP_THREAD_LIMIT=1"}
	if r.trained != "" {
		env = append(env, "TESSDATA_PREFIX="+r.trained)
	}
	return r.program.Ask(ctx, func(folder string) (*subprocess.Question, error) {
		return &subprocess.Question{Args: append(args, "tsv"), Env: env, Dir: folder, Input: bytes.NewReader(picture)}, nil
	})
}
