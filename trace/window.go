// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"unicode/utf8"
)

// window is the part of an input that is being looked at, with its place.
type window struct {
	in   io.Reader
	buf  []byte
	from int   // buf[from:] has been read and not passed yet
	err  error // why nothing more comes, io.EOF at the end

	line, column int // of buf[from]
	offset       int64
}

// The size of a window that nothing has made larger, and the size from which on
// it is given back once it is not needed.
const windowSize, windowKept = 64 << 10, 4 << 20

// rest returns what has been read and not passed. It is good until fill.
func (w *window) rest() []byte { return w.buf[w.from:] }

// fill reads on; false if nothing more comes.
func (w *window) fill() bool {
	if w.err != nil {
		return false
	}
	w.room()
	for range 100 {
		n, err := w.in.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		if err != nil {
			w.err = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	w.err = io.ErrNoProgress
	return false
}

// room makes room behind what has been read.
func (w *window) room() {
	held := len(w.buf) - w.from
	switch {
	case cap(w.buf) == 0 || held <= windowSize/2 && cap(w.buf) > windowKept:
		w.buf = append(make([]byte, 0, windowSize), w.rest()...)
	case held == 0:
		w.buf = w.buf[:0]
	case len(w.buf) < cap(w.buf):
		return
	case w.from >= cap(w.buf)/2:
		w.buf = w.buf[:copy(w.buf[:cap(w.buf)], w.rest())]
	default:
		w.buf = append(make([]byte, 0, 2*cap(w.buf)), w.rest()...)
	}
	w.from = 0
}

// pass goes on by n bytes of rest.
func (w *window) pass(n int) {
	b := w.buf[w.from : w.from+n]
	w.from += n
	w.offset += int64(n)
	if n := bytes.Count(b, newline); n > 0 { // counting is faster than looking from behind
		w.line += n
		w.column = 1
		b = b[bytes.LastIndexByte(b, '\n')+1:]
	}
	w.column += characters(b)
}

// characters counts the bytes that begin a character, so that the sum does not
// depend on where a text is cut.
func characters(b []byte) int {
	n := len(b)
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		n -= bits.OnesCount64(w &^ (w << 1) & 0x8080808080808080)
	}
	for _, c := range b {
		if !utf8.RuneStart(c) {
			n--
		}
	}
	return n
}

var newline = []byte{'\n'}

// passSpace goes on to the next character that is no white space, in this line
// if stay; false if there is none.
func (w *window) passSpace(stay bool) bool {
	for {
		b := w.rest()
		n := spaces(b, stay)
		w.pass(n)
		if n < len(b) {
			return !stay || b[n] != '\n'
		}
		if !w.fill() {
			return false
		}
	}
}

// spaces returns how many bytes of white space b begins with.
func spaces(b []byte, stay bool) int {
	for i, c := range b {
		switch {
		case c == ' ' || c == '\t' || c == '\r':
		case c == '\n' && !stay:
		default:
			return i
		}
	}
	return len(b)
}

// passLine goes on to the next line.
func (w *window) passLine() {
	for {
		b := w.rest()
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			w.pass(i + 1)
			return
		}
		w.pass(len(b))
		if !w.fill() {
			return
		}
	}
}

// lineEnd returns where the line that begins at offset from of rest ends, its
// newline included; false if it is longer than most bytes.
func (w *window) lineEnd(from, most int) (int, bool) {
	seen := from
	for {
		end := bytes.IndexByte(w.rest()[seen:], '\n')
		if end >= 0 {
			end += seen
			return end + 1, end-from <= most
		}
		seen = len(w.rest())
		if seen-from > most || !w.fill() {
			return seen, seen-from <= most
		}
	}
}

// broken reports whether reading failed, so that what has been read last may be
// cut off.
func (w *window) broken() bool {
	return w.err != nil && w.err != io.EOF //nolint:errorlint // io.EOF in another error is no end
}
