// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package subprocess asks a program of the machine one question, in bounds: the
// program has a time and an amount of output, a folder of its own that is
// removed, no environment but what it is given, and neither it nor what it
// starts outlives the question.
package subprocess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// grace is how long the pipes of a program that was killed may stay open.
const grace = 500 * time.Millisecond

// A Program is what is asked, and its bounds. All fields are needed but Codes.
type Program struct {
	What      string // for people: "the program that reads images"
	Path      string // as Find returns it
	Timeout   time.Duration
	MaxOutput int   // bytes
	Codes     []int // with which it may end beside 0
}

// A Question is how the program is called.
type Question struct {
	Args  []string
	Env   []string // beside LANG, HOME and TMPDIR, which are set
	Dir   string   // where it is run; "": where this process is
	Input io.Reader
}

// Find looks up a program, by its path or a name, and returns its absolute
// path.
func Find(what, name string) (string, error) {
	found, err := exec.LookPath(name)
	if err == nil {
		found, err = filepath.Abs(found)
	}
	if err != nil {
		return "", fmt.Errorf("looking for %s: %w", what, err)
	}
	return found, nil
}

// Ask runs the program and returns what it writes. How it is called may depend
// on the folder that it has for itself, which only this user can look into.
func (p *Program) Ask(ctx context.Context, call func(folder string) (*Question, error)) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	folder, err := os.MkdirTemp("", "holdfast-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // nothing is in it that anybody waits for
	q, err := call(folder)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, p.Path, q.Args...)
	out := &bounded{most: p.MaxOutput, full: cancel}
	c.Dir, c.Stdin, c.Stdout, c.WaitDelay = q.Dir, q.Input, out, grace
	c.Env = append([]string{"LANG=C.UTF-8", "HOME=" + folder, "TMPDIR=" + folder}, q.Env...)
	apart(c)
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", p.What, err)
	}
	err = c.Wait()
	end(c) // what it may have started itself
	var left *exec.ExitError
	switch {
	case out.over:
		return nil, fmt.Errorf("%s says more than %d bytes", p.What, p.MaxOutput)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s was stopped: %w", p.What, ctx.Err())
	case errors.As(err, &left) && slices.Contains(p.Codes, left.ExitCode()): // it says something by that
	case err != nil:
		return nil, fmt.Errorf("%s failed: %w", p.What, err)
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
