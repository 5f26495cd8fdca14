// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

// unpacked returns what in holds, decompressed if its first bytes say that it
// is compressed.
func unpacked(in *raw, maxWindow int) (io.ReadCloser, error) {
	if maxWindow <= 0 {
		maxWindow = DefaultMaxWindow
	}
	b := bufio.NewReaderSize(in, 16<<10)
	head, err := b.Peek(len(xzMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	u := &unpacker{in: in, max: maxWindow, out: b}
	switch {
	case bytes.HasPrefix(head, []byte(gzipMagic)):
		u.kind = "gzip"
		u.out, err = gzipReader(b)
	case isZstd(head):
		u.kind = "zstd"
		u.out, err = zstdReader(b, maxWindow)
	case bytes.HasPrefix(head, []byte(xzMagic)):
		u.kind = "xz"
		u.out, err = xz.NewReader(b, uint32(min(maxWindow, math.MaxUint32)))
	default:
		err = nil
	}
	if err != nil {
		return nil, u.explain(err)
	}
	return u, nil
}

const gzipMagic, zstdMagic, xzMagic = "\x1f\x8b", "\x28\xb5\x2f\xfd", "\xfd7zXZ\x00"

// gzipReader reads all members of a stream.
func gzipReader(in *bufio.Reader) (io.Reader, error) {
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, cutOff(err)
	}
	z.Multistream(false)
	return &members{z: z, in: in}, nil
}

// members reads one member of a gzip stream after the other. The reader of the
// library could do so, but takes a stream that ends in the name of a file, in the
// header of a member, for whole.
type members struct {
	z  *gzip.Reader
	in *bufio.Reader
}

// Read reads on.
func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(p)
		if !atEnd(err) {
			return n, err
		}
		if _, err := m.in.Peek(1); err != nil {
			return n, err
		}
		if err := m.z.Reset(m.in); err != nil {
			return n, cutOff(err)
		}
		m.z.Multistream(false)
		if n > 0 {
			return n, nil
		}
	}
}

// cutOff makes the end of a stream where more has to come an error.
func cutOff(err error) error {
	if atEnd(err) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func zstdReader(in io.Reader, maxWindow int) (io.Reader, error) {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(uint64(max(maxWindow, zstd.MinWindowSize))))
	if err != nil {
		return nil, err
	}
	return z.IOReadCloser(), nil
}

// isZstd reports whether head begins a frame of zstd, one to be skipped included.
func isZstd(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	return bytes.HasPrefix(head, []byte(zstdMagic)) ||
		head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18})
}

// unpacker reads a decompressed stream and makes sense of its errors.
type unpacker struct {
	in   *raw
	max  int
	kind string // "" if it is not compressed
	out  io.Reader
}

// Read reads on.
func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.out.Read(p)
	if err != nil && !(atEnd(err) && atEnd(u.in.err)) {
		err = u.explain(err)
	}
	return n, err
}

// Close ends the decompressor.
func (u *unpacker) Close() error {
	if c, ok := u.out.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// explain says what an error means; one of reading the file comes first.
func (u *unpacker) explain(err error) error {
	switch {
	case u.in.err != nil && !atEnd(u.in.err):
		return u.in.err
	case u.kind == "" || atEnd(err):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, xz.ErrBuf):
		return fmt.Errorf("the %s stream is cut off", u.kind)
	case errors.Is(err, xz.ErrMemlimit), errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("the %s stream wants a larger window than the %d bytes that it may have", u.kind, u.max)
	case errors.Is(err, xz.ErrOptions), errors.Is(err, xz.ErrUnsupportedCheck):
		return fmt.Errorf("the %s stream uses what is not supported: %w", u.kind, err)
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, zstd.ErrMagicMismatch), errors.Is(err, xz.ErrFormat):
		return fmt.Errorf("something else follows the %s stream", u.kind)
	}
	return fmt.Errorf("the %s stream is damaged: %w", u.kind, err)
}
