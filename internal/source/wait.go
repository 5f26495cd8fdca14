// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"io"
)

// waiting reads what may not come for a long time, so that the end of a context
// ends the waiting. Reading itself cannot be ended: what does it stays behind
// until something comes or the program ends.
type waiting struct {
	ctx  context.Context
	come chan chunk
	left []byte
	err  error
}

type chunk struct {
	text []byte
	err  error
}

// waitFor returns a reader of what open returns, which is called elsewhere: to
// open a named pipe is to wait for who writes to it.
func waitFor(ctx context.Context, open func() (io.Reader, error)) io.Reader {
	w := &waiting{ctx: ctx, come: make(chan chunk)}
	go w.run(open)
	return w
}

func (w *waiting) run(open func() (io.Reader, error)) {
	in, err := open()
	if c, ok := in.(io.Closer); ok && err == nil {
		defer c.Close() //nolint:errcheck // it was only read
	}
	for {
		c := chunk{err: err}
		if err == nil {
			c.text = make([]byte, 64<<10)
			var n int
			n, err = in.Read(c.text)
			c.text, c.err = c.text[:n], err
		}
		select {
		case w.come <- c:
		case <-w.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Read waits for what comes next.
func (w *waiting) Read(p []byte) (int, error) {
	for len(w.left) == 0 {
		if w.err != nil {
			return 0, w.err
		}
		select {
		case c := <-w.come:
			w.left, w.err = c.text, c.err
		case <-w.ctx.Done():
			w.err = w.ctx.Err()
		}
	}
	n := copy(p, w.left)
	w.left = w.left[n:]
	return n, nil
}
