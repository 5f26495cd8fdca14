// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// grace is how long the pipes of a program that was killed may stay open.
const grace = 500 * time.Millisecond

// run gives an image to the program and returns what it says.
func (r *reader) run(ctx context.Context, picture []byte) (said []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "holdfast-ocr-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // nothing is in it that anybody waits for

	args := []string{"stdin", "stdout"}
	if r.languages != "" {
		args = append(args, "-l", r.languages)
	}
	c := exec.CommandContext(ctx, r.path, append(args, "tsv")...)
	out := &bounded{most: r.maxOutput, full: cancel}
	c.Dir, c.Stdin, c.Stdout, c.WaitDelay = dir, bytes.NewReader(picture), out, grace
	c.Env = []string{"LANG=C.UTF-8", "OMP_THREAD_LIMIT=1", "HOME=" + dir, "TMPDIR=" + dir}
	if r.trained != "" {
		c.Env = append(c.Env, "TESSDATA_PREFIX="+r.trained)
	}
	apart(c)
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("starting the program that reads images: %w", err)
	}
	err = c.Wait()
	end(c) // what it may have started itself
	switch {
	case out.over:
		return nil, fmt.Errorf("the program that reads images says more than %d bytes", r.maxOutput)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the program that reads images was stopped: %w", ctx.Err())
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("the program that reads images failed: %w", err)
	}
	return out.b, nil
}

// A bounded writer takes so many bytes. Beyond, it ends what writes.
type bounded struct {
	b    []byte
	most int
	over bool
	full func()
}

func (w *bounded) Write(p []byte) (int, error) {
	if len(w.b)+len(p) > w.most {
		w.over = true
		w.full()
		return 0, io.ErrShortWrite
	}
	w.b = append(w.b, p...)
	return len(p), nil
}
