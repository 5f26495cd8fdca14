// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package xz decompresses .xz files: one stream or several, LZMA2 without
// further filters, every check of the format in force. What a file may make it
// remember is bounded.
package xz

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
)

// A WindowError says that a file wants its reader to remember more than it may.
type WindowError struct{ Wanted, Limit int64 }

// Error says how much is wanted and how much is given.
func (e *WindowError) Error() string {
	return fmt.Sprintf("it wants a window of %d bytes, more than the %d that it may have", e.Wanted, e.Limit)
}

// Errors of the format. What ends too early is io.ErrUnexpectedEOF.
var (
	errDamaged = errors.New("the structure is broken")
	errCheck   = errors.New("the checksum differs")

	// ErrUnsupported says that a file is whole but uses what is not read here.
	ErrUnsupported = errors.New("which is not supported")

	// ErrTrailing says that what follows a stream is none.
	ErrTrailing = errors.New("something else follows the compressed stream")
)

// Magic is what an .xz file begins with.
const Magic = "\xfd7zXZ\x00"

// A Reader gives out what an .xz file holds.
type Reader struct {
	in  source
	max int64
	err error

	flags  [2]byte // of the stream
	blocks tally
	block  *block
	lzma2  lzma2
}

// NewReader returns a reader of the file r, which may make it remember maxWindow
// bytes of what it gives out, and about half as many besides.
func NewReader(r io.Reader, maxWindow int) *Reader {
	b, ok := r.(*bufio.Reader)
	if !ok {
		b = bufio.NewReaderSize(r, 64<<10)
	}
	return &Reader{in: source{b: b}, max: int64(maxWindow)}
}

// Read gives out what follows. That a checksum differs is known at the end of a
// block only, when the block has been given out.
func (r *Reader) Read(p []byte) (int, error) {
	for r.err == nil && len(r.lzma2.out()) == 0 {
		r.err = r.step()
	}
	if out := r.lzma2.out(); len(out) > 0 {
		n := copy(p, out)
		r.lzma2.win.given += n
		return n, nil
	}
	return 0, r.err
}

// step reads the next header, chunk or trailer.
func (r *Reader) step() error {
	switch {
	case r.block != nil:
		more, err := r.lzma2.chunk(&r.in, r.block)
		if err != nil || more {
			return err
		}
		return r.endBlock()
	case r.flags == [2]byte{}:
		return r.header()
	}
	return r.nextBlock()
}

// begun is the first flag, which is always 0, of a stream that is being read.
const begun = 0xff

// header reads the header of a stream, with the padding before it.
func (r *Reader) header() error {
	var h [12]byte
	for first := r.in.n == 0; ; {
		switch n, err := io.ReadFull(&r.in, h[:4]); {
		case n == 0 && !first && errors.Is(err, io.EOF):
			return io.EOF
		case n < 4 && !first && len(bytes.Trim(h[:n], "\x00")) > 0:
			return ErrTrailing
		case err != nil:
			return cut(err)
		}
		if first || h != [12]byte{} {
			break
		}
	}
	if string(h[:4]) != Magic[:4] {
		return ErrTrailing
	}
	if _, err := io.ReadFull(&r.in, h[4:]); err != nil {
		return cut(err)
	}
	switch {
	case string(h[:6]) != Magic:
		return ErrTrailing
	case binary.LittleEndian.Uint32(h[8:]) != crc32.ChecksumIEEE(h[6:8]):
		return errCheck
	case h[6] != 0 || newCheck(h[7]) == nil:
		return fmt.Errorf("checksums of kind %d, %w", h[7], ErrUnsupported)
	}
	r.flags = [2]byte{begun, h[7]}
	r.blocks = tally{}
	return nil
}

// newCheck returns the checksum of a kind, nil if the kind is not known.
func newCheck(kind byte) hash.Hash {
	switch kind {
	case 0:
		return none{}
	case 1:
		return crc32.NewIEEE()
	case 4:
		return crc64.New(crc64Table)
	case 10:
		return sha256.New()
	}
	return nil
}

var crc64Table = crc64.MakeTable(crc64.ECMA)

// none is the checksum of a stream without one.
type none struct{}

func (none) Write(p []byte) (int, error) { return len(p), nil }
func (none) Sum(b []byte) []byte         { return b }
func (none) Reset()                      {}
func (none) Size() int                   { return 0 }
func (none) BlockSize() int              { return 1 }

// block is the block being read.
type block struct {
	start      int64 // of its header, in the file
	headerSize int64
	packed     int64 // what the header says; negative: nothing
	size       int64
	given      int64
	check      hash.Hash
}

// nextBlock reads the header of a block, or the index.
func (r *Reader) nextBlock() error {
	start := r.in.n
	first, err := r.in.ReadByte()
	if err != nil {
		return cut(err)
	}
	if first == 0 {
		return r.index(start)
	}
	h := make([]byte, (int(first)+1)*4)
	h[0] = first
	if _, err := io.ReadFull(&r.in, h[1:]); err != nil {
		return cut(err)
	}
	body := h[:len(h)-4]
	if binary.LittleEndian.Uint32(h[len(body):]) != crc32.ChecksumIEEE(body) {
		return errCheck
	}
	b := &block{start: start, headerSize: int64(len(h)), packed: -1, size: -1, check: newCheck(r.flags[1])}
	dict, err := b.read(body[1:])
	if err != nil {
		return err
	}
	if dict > r.max {
		return &WindowError{dict, r.max}
	}
	r.block = b
	r.lzma2.begin(int(dict))
	return nil
}

// read reads the fields of a header and returns the size of the dictionary.
func (b *block) read(h []byte) (dict int64, err error) {
	f := fields{b: h}
	flags := f.byte()
	if flags&0x3c != 0 {
		return 0, errDamaged
	}
	if flags&0x40 != 0 {
		b.packed = f.number()
	}
	if flags&0x80 != 0 {
		b.size = f.number()
	}
	switch id := f.number(); {
	case f.bad:
		return 0, errDamaged
	case flags&3 != 0 || id != 0x21:
		return 0, fmt.Errorf("a filter other than LZMA2, %w", ErrUnsupported)
	}
	if f.number() != 1 {
		return 0, errDamaged
	}
	dict, ok := dictSize(f.byte())
	if f.bad || !ok || len(bytes.Trim(f.b, "\x00")) > 0 {
		return 0, errDamaged
	}
	return dict, nil
}

// dictSize returns the size that is encoded as c.
func dictSize(c byte) (int64, bool) {
	switch {
	case c > 40:
		return 0, false
	case c == 40:
		return 1<<32 - 1, true
	}
	return int64(2|c&1) << (c/2 + 11), true
}

// endBlock reads what follows the chunks of a block.
func (r *Reader) endBlock() error {
	b := r.block
	r.block = nil
	packed := r.in.n - b.start - b.headerSize
	if b.packed >= 0 && b.packed != packed || b.size >= 0 && b.size != b.given {
		return errDamaged
	}
	if err := r.in.zeros(int(-packed & 3)); err != nil {
		return err
	}
	sum := make([]byte, b.check.Size())
	if _, err := io.ReadFull(&r.in, sum); err != nil {
		return cut(err)
	}
	want := b.check.Sum(nil)
	if r.flags[1] != 10 { // CRCs are written the other way round than hash gives them
		for i, j := 0, len(want)-1; i < j; i, j = i+1, j-1 {
			want[i], want[j] = want[j], want[i]
		}
	}
	if !bytes.Equal(sum, want) {
		return errCheck
	}
	r.blocks.add(b.headerSize+packed+int64(len(sum)), b.given)
	return nil
}

// tally is what the index of a stream must say of its blocks. A file may have
// any number, so that they are not kept.
type tally struct {
	n, packed, size int64
	sum             uint32
}

func (t *tally) add(packed, size int64) {
	t.n++
	t.packed += packed
	t.size += size
	var b [20]byte
	binary.LittleEndian.PutUint32(b[:], t.sum)
	binary.LittleEndian.PutUint64(b[4:], uint64(packed))
	binary.LittleEndian.PutUint64(b[12:], uint64(size))
	t.sum = crc32.ChecksumIEEE(b[:])
}

// index reads the index of a stream from behind its first byte, at start, on,
// and the footer.
func (r *Reader) index(start int64) error {
	r.in.sum = crc32.NewIEEE()
	r.in.sum.Write([]byte{0})
	var said tally
	n, err := r.in.number()
	for ; err == nil && n > 0; n-- {
		var packed, size int64
		if packed, err = r.in.number(); err == nil {
			size, err = r.in.number()
		}
		said.add(packed, size)
		if said.n > r.blocks.n {
			return errDamaged
		}
	}
	if err != nil {
		return err
	}
	if err := r.in.zeros(int(-(r.in.n - start) & 3)); err != nil {
		return err
	}
	want := r.in.sum.Sum32()
	r.in.sum = nil
	var tail [16]byte
	if _, err := io.ReadFull(&r.in, tail[:]); err != nil {
		return cut(err)
	}
	footer := tail[4:]
	size := (int64(binary.LittleEndian.Uint32(footer[4:])) + 1) * 4
	switch {
	case said != r.blocks || string(footer[10:]) != "YZ" || footer[8] != 0 || footer[9] != r.flags[1]:
		return errDamaged
	case binary.LittleEndian.Uint32(tail[:]) != want || binary.LittleEndian.Uint32(footer) != crc32.ChecksumIEEE(footer[4:10]):
		return errCheck
	case size != r.in.n-start-int64(len(footer)):
		return errDamaged
	}
	r.flags = [2]byte{}
	return nil
}
