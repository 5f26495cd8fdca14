// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package xz

import (
	"bufio"
	"errors"
	"hash"
	"io"
)

// source is the file being read.
type source struct {
	b   *bufio.Reader
	n   int64       // bytes read
	sum hash.Hash32 // of what is read, if it is set
}

// Read reads what follows.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.b.Read(p)
	s.n += int64(n)
	return n, err //nolint:wrapcheck // it is looked at, not shown
}

// ReadByte reads one byte.
func (s *source) ReadByte() (byte, error) {
	c, err := s.b.ReadByte()
	if err != nil {
		return 0, err //nolint:wrapcheck // it is looked at, not shown
	}
	s.n++
	if s.sum != nil {
		s.sum.Write([]byte{c})
	}
	return c, nil
}

// number reads a number of variable length.
func (s *source) number() (int64, error) {
	var v int64
	for i := 0; ; i += 7 {
		c, err := s.ReadByte()
		if err != nil {
			return 0, cut(err)
		}
		v |= int64(c&0x7f) << i
		if c < 0x80 {
			if c == 0 && i > 0 {
				return 0, errDamaged
			}
			return v, nil
		}
		if i == 56 {
			return 0, errDamaged
		}
	}
}

// zeros reads n bytes, which must be zero.
func (s *source) zeros(n int) error {
	for range n {
		c, err := s.ReadByte()
		if err != nil {
			return cut(err)
		}
		if c != 0 {
			return errDamaged
		}
	}
	return nil
}

// cut returns err, where the end of the file comes too early.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// fields reads the fields of a header.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) byte() byte {
	if len(f.b) == 0 {
		f.bad = true
		return 0
	}
	c := f.b[0]
	f.b = f.b[1:]
	return c
}

func (f *fields) number() int64 {
	var v int64
	for i := 0; i < 63; i += 7 {
		c := f.byte()
		v |= int64(c&0x7f) << i
		if c < 0x80 {
			f.bad = f.bad || c == 0 && i > 0
			return v
		}
	}
	f.bad = true
	return 0
}
