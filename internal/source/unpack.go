// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// unpacked returns what in holds, decompressed if its first bytes say that it
// is compressed.
func unpacked(in *raw, maxWindow int) (io.ReadCloser, error) {
	if maxWindow <= 0 {
		maxWindow = DefaultMaxWindow
	}
	b := bufio.NewReaderSize(in, 64<<10)
	head, err := b.Peek(6)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	u := &unpacker{in: in}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		u.kind = "gzip"
		u.out, err = gzip.NewReader(b)
	case isZstd(head):
		u.kind = "zstd"
		var z *zstd.Decoder
		if z, err = zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(uint64(maxWindow))); err == nil {
			u.out, u.close = z, z.Close
		}
	case bytes.HasPrefix(head, []byte{0xfd, '7', 'z', 'X', 'Z', 0}):
		u.kind = "xz"
		u.out, err = xz.NewReader(b)
	default:
		u.out, err = b, nil
	}
	if err != nil {
		return nil, u.explain(err)
	}
	return u, nil
}

// isZstd reports whether head begins a frame of zstd, one to be skipped included.
func isZstd(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	return bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18})
}

// unpacker reads a decompressed stream and makes sense of its errors.
type unpacker struct {
	in    *raw
	kind  string // "" if it is not compressed
	out   io.Reader
	close func()
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.out.Read(p)
	if err != nil && err != io.EOF {
		err = u.explain(err)
	}
	return n, err
}

// Close ends the decompressor.
func (u *unpacker) Close() error {
	if u.close != nil {
		u.close()
	}
	return nil
}

// explain says what an error means; one of reading the file comes first.
func (u *unpacker) explain(err error) error {
	switch {
	case u.in.err != nil && u.in.err != io.EOF:
		return u.in.err
	case u.kind == "":
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s stream is cut off", u.kind)
	}
	return fmt.Errorf("the %s stream is damaged, or something else follows it: %w", u.kind, err)
}
