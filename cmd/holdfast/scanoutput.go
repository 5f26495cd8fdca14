// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// An output is where results go: standard output, or a file that gets its name
// when it is whole.
type output struct {
	io.Writer
	name string      // of the file it is to be, "" for standard output
	file *os.File    // until then
	made fs.FileInfo // of it, to know it again
	buf  *bufio.Writer
}

// partialExt is behind the name of a file that is not whole.
const partialExt = ".partial"

// openOutput opens the output with a name; "" is stdout, as it comes. What is
// no regular file, such as /dev/null or a pipe, is written to as it comes too.
func openOutput(name string, stdout io.Writer) (*output, error) {
	if name == "" {
		return &output{Writer: stdout}, nil
	}
	o := &output{name: name}
	st, err := os.Stat(name)
	switch {
	case err != nil:
		err = o.create(0o666)
	case st.Mode().IsRegular():
		err = o.replace(st)
	default:
		o.name = ""
		o.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, err
	}
	o.buf = bufio.NewWriterSize(o.file, 256<<10)
	o.Writer = o.buf
	return o, nil
}

// replace opens what is to take the place of a file: not of the link that leads
// to it, and read by nobody who may not read the file, since results quote traces.
func (o *output) replace(st fs.FileInfo) error {
	var err error
	if o.name, err = filepath.EvalSymlinks(o.name); err != nil {
		return err
	}
	if err = o.create(st.Mode().Perm()); err != nil {
		return err
	}
	if err := o.file.Chmod(st.Mode().Perm()); err != nil && runtime.GOOS != "windows" {
		return errors.Join(err, o.discard())
	}
	return nil
}

// create opens a new file, not one that somebody else may be writing.
func (o *output) create(mode fs.FileMode) error {
	name := o.name + partialExt
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var err error
	if o.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); err != nil {
		return err
	}
	o.made, err = o.file.Stat()
	return err
}

// flush makes sure that what was written is on the disk.
func (o *output) flush() error {
	if o.file == nil {
		return nil
	}
	err := o.buf.Flush()
	if o.name != "" && err == nil {
		err = o.file.Sync()
	}
	return errors.Join(err, o.file.Close())
}

// commit gives the file its name.
func (o *output) commit() error {
	if err := o.flush(); err != nil {
		return errors.Join(err, o.remove())
	}
	switch {
	case o.name == "":
		return nil
	case !o.ours():
		return fmt.Errorf("something else writes %s, too", o.name)
	}
	return os.Rename(o.file.Name(), o.name)
}

// ours reports whether the name of what is not whole yet leads to what this
// output made.
func (o *output) ours() bool {
	there, err := os.Lstat(o.file.Name())
	return err == nil && os.SameFile(o.made, there)
}

// keep leaves the file as it is and returns what it is called; "" if there is
// none.
func (o *output) keep() (string, error) {
	if err := o.flush(); err != nil || o.name == "" {
		return "", err
	}
	return o.file.Name(), nil
}

// discard removes the file: what could not be written is of no use.
func (o *output) discard() error {
	if o.file == nil {
		return nil
	}
	_ = o.file.Close() // what is in it goes anyway
	return o.remove()
}

func (o *output) remove() error {
	if o.name == "" || !o.ours() {
		return nil
	}
	err := os.Remove(o.file.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// interruptible returns a reader of in that gives up when ctx ends, even while
// a read waits for somebody to type or to write into a pipe. That read goes on
// in the background; nobody gets what comes of it.
func interruptible(ctx context.Context, in io.Reader) io.Reader {
	return &waitingReader{ctx: ctx, in: in}
}

type waitingReader struct {
	ctx  context.Context //nolint:containedctx // it lives as long as the command
	in   io.Reader
	buf  []byte // that a read fills
	rest []byte // of it, not given out yet
	err  error
}

// Read reads what there is.
func (w *waitingReader) Read(p []byte) (int, error) {
	if len(w.rest) == 0 && w.err == nil {
		w.wait()
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	if n == 0 {
		return 0, w.err
	}
	return n, nil
}

func (w *waitingReader) wait() {
	if w.buf == nil {
		w.buf = make([]byte, 256<<10)
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := w.in.Read(w.buf)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		w.rest, w.err = w.buf[:r.n], r.err
	case <-w.ctx.Done():
		w.err = w.ctx.Err()
	}
}

// A byteSize is a number of bytes as a flag: 512k, 16M, 2G.
type byteSize int64

// defaultMaxTrace is how large a trace may be. The package trace takes larger
// ones; here, where several are held at once, the memory they take is bounded.
const defaultMaxTrace byteSize = 8 << 20

// values returns how many JSON values a trace of this size may have: enough for
// any real one, and so few that the worst takes a bounded part of the memory.
func (b byteSize) values() int { return max(int(b/24), 1<<14) }

// String returns the size with the largest suffix that divides it.
func (b byteSize) String() string {
	for i, unit := range []string{"G", "M", "k"} {
		if shift := 30 - 10*i; b != 0 && b%(1<<shift) == 0 {
			return fmt.Sprintf("%d%s", b>>shift, unit)
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// Set reads a size.
func (b *byteSize) Set(text string) error {
	digits := strings.TrimRight(text, "bBiI")
	shift := 0
	if n := len(digits); n > 0 {
		if at := strings.IndexByte("kmg", digits[n-1]|0x20); at >= 0 {
			shift, digits = 10*(at+1), digits[:n-1]
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > 1<<40>>shift {
		return errors.New("want a number of bytes, as in 512k, 16M or 1G")
	}
	*b = byteSize(n << shift)
	return nil
}

// Type is what the usage calls the value.
func (b *byteSize) Type() string { return "size" }
