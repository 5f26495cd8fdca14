// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// file yields the records of a file or of standard input.
func (r *reading) file(path string) bool {
	if path == "-" {
		if r.opts.Stdin == nil {
			return r.fault(path, errors.New("there is no standard input"))
		}
		return r.pipe(path, func() (io.Reader, error) { return struct{ io.Reader }{r.opts.Stdin}, nil })
	}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		return r.pipe(path, func() (io.Reader, error) { return os.Open(path) })
	}
	f, err := os.Open(path)
	if err != nil {
		return r.fault(path, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	st, err := f.Stat()
	if err != nil {
		return r.fault(path, err)
	}
	return r.stream(path, &raw{ctx: r.ctx, in: f, note: r.opts.Read, file: f, was: st})
}

// pipe yields the records of what may make its reader wait.
func (r *reading) pipe(path string, open func() (io.Reader, error)) bool {
	ctx, stop := context.WithCancel(r.ctx)
	defer stop()
	return r.stream(path, &raw{ctx: ctx, in: waitFor(ctx, open), note: r.opts.Read})
}

func (r *reading) stream(path string, in *raw) bool {
	out, err := unpacked(in, r.opts.MaxWindow)
	if err != nil {
		return r.fault(path, err)
	}
	defer out.Close() //nolint:errcheck // it was only read
	return r.records(path, out)
}

// raw reads the bytes of a file as they are on the disk.
type raw struct {
	ctx  context.Context
	in   io.Reader
	note func(n int)

	file *os.File // if it is a regular one
	was  fs.FileInfo
	n    int64
	err  error // the first one, which may be io.EOF
}

// Read reads on. At the end of a file it makes sure that this is the file it
// began with.
func (r *raw) Read(p []byte) (int, error) {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.in.Read(p)
	r.n += int64(n)
	if r.note != nil && n > 0 {
		r.note(n)
	}
	if atEnd(err) && r.file != nil {
		err = r.changed()
	}
	r.err = err
	return n, err
}

// changed returns io.EOF if the file is what it was when it was opened.
func (r *raw) changed() error {
	now, err := r.file.Stat()
	switch {
	case err != nil:
		return err
	case r.n < r.was.Size() || now.Size() < r.was.Size():
		return fmt.Errorf("the file became shorter while it was read: %d of %d bytes", min(r.n, now.Size()), r.was.Size())
	case now.Size() != r.was.Size() || !now.ModTime().Equal(r.was.ModTime()):
		return errors.New("the file was written to while it was read")
	}
	return io.EOF
}

// atEnd reports whether err is the end of an input. An error around io.EOF is
// none.
func atEnd(err error) bool {
	return err == io.EOF //nolint:errorlint // see above
}

// plainError returns err without the name of the path, which stands beside it
// anyway.
func plainError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
