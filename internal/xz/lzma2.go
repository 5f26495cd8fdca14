// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package xz

import (
	"io"
)

// maxChunk is how much a chunk can hold.
const maxChunk = 2 << 20

// lzma2 decodes the chunks that LZMA2 frames LZMA in.
type lzma2 struct {
	win window
	dec lzma
	in  []byte

	needDict, needProps, needState bool // before a chunk can do without
}

// begin prepares for the chunks of a block.
func (l *lzma2) begin(dict int) {
	l.win.dict = dict
	l.win.buf, l.win.given = l.win.buf[:0], 0
	l.win.forget()
	l.needDict, l.needProps, l.needState = true, true, true
}

// out is what has been decoded and not given out.
func (l *lzma2) out() []byte { return l.win.buf[l.win.given:] }

// chunk decodes one chunk of a block; false at the end of the block. All of the
// one before must be given out.
func (l *lzma2) chunk(in *source, b *block) (more bool, err error) {
	var h [6]byte
	if _, err := io.ReadFull(in, h[:1]); err != nil {
		return false, cut(err)
	}
	c := h[0]
	switch {
	case c == 0:
		return false, nil
	case c == 1 || c >= 0xe0:
		l.needDict = false
		l.win.forget()
	case l.needDict || c > 2 && c < 0x80:
		return false, errDamaged
	}
	if c < 0x80 {
		err = l.stored(in, h[1:3])
	} else {
		err = l.packed(in, c, h[1:])
	}
	if err != nil {
		return false, err
	}
	b.given += int64(len(l.out()))
	b.check.Write(l.out())
	if b.size >= 0 && b.given > b.size {
		return false, errDamaged
	}
	return true, nil
}

// stored takes over a chunk that is not compressed.
func (l *lzma2) stored(in *source, h []byte) error {
	if _, err := io.ReadFull(in, h); err != nil {
		return cut(err)
	}
	n := int(h[0])<<8 + int(h[1]) + 1
	l.win.room(n)
	at := len(l.win.buf)
	l.win.buf = l.win.buf[:at+n]
	if _, err := io.ReadFull(in, l.win.buf[at:]); err != nil {
		l.win.buf = l.win.buf[:at]
		return cut(err)
	}
	return nil
}

// packed decodes a chunk of LZMA; c is its first byte.
func (l *lzma2) packed(in *source, c byte, h []byte) error {
	h = h[:4]
	if c >= 0xc0 {
		h = h[:5]
	}
	if _, err := io.ReadFull(in, h); err != nil {
		return cut(err)
	}
	size := int(c&0x1f)<<16 + int(h[0])<<8 + int(h[1]) + 1
	if c >= 0xc0 {
		if !l.dec.props(h[4]) {
			return errDamaged
		}
		l.needProps = false
	}
	if c >= 0xa0 && !l.needProps {
		l.dec.reset()
		l.needState = false
	}
	if l.needProps || l.needState {
		return errDamaged
	}
	if l.in == nil {
		l.in = make([]byte, 1<<16)
	}
	data := l.in[:int(h[2])<<8+int(h[3])+1]
	if _, err := io.ReadFull(in, data); err != nil {
		return cut(err)
	}
	l.win.room(size)
	if !l.dec.start(data) || !l.dec.run(&l.win, size) {
		l.win.given = len(l.win.buf) // nothing of a damaged chunk is given out
		return errDamaged
	}
	return nil
}
