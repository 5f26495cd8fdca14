// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package xz_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/holdfast-dev/holdfast/internal/xz"
)

// sample is what the files of testdata hold: words, the same again, numbers
// that count, random bytes and nothing but zeros.
func sample() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("call tool output message trace rule policy event role user content name arguments id")
	var b bytes.Buffer
	for range 2000 {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(' ')
	}
	first := bytes.Clone(b.Bytes())
	for range 3 {
		b.Write(first[:r.IntN(len(first))])
	}
	for i := range uint32(500) {
		b.Write(binary.LittleEndian.AppendUint32(nil, i*7))
	}
	for range 2000 {
		b.WriteByte(byte(r.Uint32()))
	}
	b.Write(make([]byte, 100_000))
	b.Write(first)
	return b.Bytes()
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const window = 64 << 20

// TestFiles reads what the xz tool has written: testdata/README says how.
func TestFiles(t *testing.T) {
	want := sample()
	names, err := filepath.Glob(filepath.Join("testdata", "*.xz"))
	if err != nil || len(names) < 8 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text := file(t, filepath.Base(name))
		for _, in := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text))} {
			got, err := io.ReadAll(iotest.HalfReader(xz.NewReader(in, window)))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
			}
		}
	}
}

func TestSeveralStreams(t *testing.T) {
	a, b := file(t, "fast.xz"), file(t, "sha256.xz")
	pad := make([]byte, 8)
	got, err := io.ReadAll(xz.NewReader(bytes.NewReader(slicesOf(a, pad, b, b, pad)), window))
	if want := bytes.Repeat(sample(), 3); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
	for _, behind := range []string{"x", "\x00\x00\x00\x00x", "\xfd7zXX\x00......", "\xfd7zX"} {
		_, err := io.ReadAll(xz.NewReader(bytes.NewReader(slicesOf(a, []byte(behind))), window))
		if !errors.Is(err, xz.ErrTrailing) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q behind the stream: %v", behind, err)
		}
	}
	if _, err := io.ReadAll(xz.NewReader(bytes.NewReader(slicesOf(a, pad[:3])), window)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("three bytes of padding: %v", err)
	}
}

func slicesOf(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestWindow(t *testing.T) {
	_, err := io.ReadAll(xz.NewReader(bytes.NewReader(file(t, "window.xz")), 32<<20))
	var e *xz.WindowError
	if !errors.As(err, &e) || e.Wanted != 64<<20 || e.Limit != 32<<20 {
		t.Error(err)
	}
}

// places returns offsets in a file of n bytes: all near its ends, some between.
func places(n int) []int {
	var at []int
	for i := 0; i < n; i++ {
		if i < 100 || i > n-200 || i%7 == 0 {
			at = append(at, i)
		}
	}
	return at
}

// TestCut reads beginnings of a file: each is an error, and what was given out
// before is the beginning of what the file holds.
func TestCut(t *testing.T) {
	text, want := file(t, "blocks.xz"), sample()
	for _, n := range places(len(text)) {
		got, err := io.ReadAll(xz.NewReader(bytes.NewReader(text[:n]), window))
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(want, got) {
			t.Fatalf("%d bytes of %d: %v", n, len(text), err)
		}
	}
}

// TestDamaged changes bytes of a file: none goes unnoticed.
func TestDamaged(t *testing.T) {
	text := file(t, "blocks.xz")
	for _, n := range places(len(text)) {
		bad := bytes.Clone(text)
		bad[n] ^= 0x10
		if _, err := io.ReadAll(xz.NewReader(bytes.NewReader(bad), window)); err == nil {
			t.Errorf("byte %d changed: no error", n)
		}
	}
}

// stored makes a stream of chunks that are not compressed: whatever structure a
// test wants.
func stored(dict byte, filters []byte, chunks ...string) []byte {
	var out bytes.Buffer
	out.WriteString(xz.Magic)
	flags := []byte{0, 0}
	out.Write(flags)
	out.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(flags)))
	if filters == nil {
		filters = []byte{0, 0x21, 1, dict}
	}
	h := append([]byte{0}, filters...)
	for len(h)%4 != 0 {
		h = append(h, 0)
	}
	h[0] = byte(len(h) / 4)
	out.Write(binary.LittleEndian.AppendUint32(h, crc32.ChecksumIEEE(h)))
	for _, c := range chunks {
		out.WriteString(c)
	}
	return out.Bytes()
}

func TestStructure(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"no dictionary before a chunk":      {stored(0, nil, "\x02\x00\x00a"), "the structure is broken"},
		"no properties before a chunk":      {stored(0, nil, "\x01\x00\x00a", "\x80\x00\x00\x00\x04\x00....."), "the structure is broken"},
		"no state before a chunk":           {stored(0, nil, "\x01\x00\x00a", "\xa0\x00\x00\x00\x04\x00...."), "the structure is broken"},
		"properties that are none":          {stored(0, nil, "\xe0\x00\x00\x00\x04\xff\x00...."), "the structure is broken"},
		"a chunk of no kind":                {stored(0, nil, "\x03\x00\x00a"), "the structure is broken"},
		"a distance beyond the beginning":   {stored(0, nil, "\xe0\x00\xff\x00\x05\x00\x00\xff\xff\xff\xfe\x00"), "the structure is broken"},
		"a dictionary size that is none":    {stored(41, nil), "the structure is broken"},
		"another filter":                    {stored(0, []byte{0, 0x04, 0}), "a filter other than LZMA2, which is not supported"},
		"two filters":                       {stored(0, []byte{1, 0x03, 1, 0, 0x21, 1, 0}), "a filter other than LZMA2, which is not supported"},
		"flags that are not known":          {stored(0, []byte{4, 0x21, 1, 0}), "the structure is broken"},
		"a size that does not fit":          {stored(0, []byte{0x80, 5, 0x21, 1, 0}, "\x01\x00\x00a\x00"), "the structure is broken"},
		"more than the header says":         {stored(0, []byte{0x80, 1, 0x21, 1, 0}, "\x01\x00\x01ab\x00"), "the structure is broken"},
		"a number without end":              {stored(0, []byte{0x80, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0x21, 1, 0}), "the structure is broken"},
		"an index of blocks that are not":   {stored(0, nil, "\x01\x00\x00a\x00\x00\x00\x00", "\x00\x7f\x01\x01\x01\x01"), "the structure is broken"},
		"an index that is longer than life": {stored(0, nil, "\x01\x00\x00a\x00\x00\x00\x00", "\x00\xff\xff\xff\xff\x7f\x01\x01\x01\x01"), "the structure is broken"},
	} {
		_, err := io.ReadAll(xz.NewReader(bytes.NewReader(c.file), window))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	// Without compression, all that a chunk says must be there.
	got, err := io.ReadAll(xz.NewReader(bytes.NewReader(stored(0, nil, "\x01\x00\x02abc", "\x02\x00\x01de")), window))
	if string(got) != "abcde" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", got, err)
	}
}

// FuzzReader reads any bytes: it ends, without a panic.
func FuzzReader(f *testing.F) {
	f.Add(file(f, "fast.xz")[:2000])
	f.Add(stored(0, nil, "\x01\x00\x02abc", "\x02\x00\x01de"))
	f.Add(stored(0, nil, "\xe0\x00\xff\x00\x05\x00\x00\xff\xff\xff\xfe\x00"))
	f.Fuzz(func(t *testing.T, src []byte) {
		r := xz.NewReader(bytes.NewReader(src), 1<<20)
		n, err := io.Copy(io.Discard, io.LimitReader(r, 64<<20))
		if err == nil && n < 64<<20 {
			if _, err := r.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("behind the end: %v", err)
			}
		}
	})
}

// FuzzChunk decodes any bytes as a chunk of LZMA behind a chunk that is not
// compressed.
func FuzzChunk(f *testing.F) {
	f.Add(byte(0x5d), []byte("\x00\xff\xff\xff\xfe\x00"))
	f.Fuzz(func(t *testing.T, props byte, chunk []byte) {
		if len(chunk) == 0 || len(chunk) > 1<<16 {
			return
		}
		h := []byte{0xe0, 0x10, 0x00, byte((len(chunk) - 1) >> 8), byte(len(chunk) - 1), props}
		src := stored(0, nil, "\x01\x00\x07trace of", string(h)+string(chunk))
		got, err := io.ReadAll(xz.NewReader(bytes.NewReader(src), 1<<20))
		if err == nil || !bytes.HasPrefix(got, []byte("trace of")) {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	src := file(b, "best.xz")
	b.SetBytes(int64(len(sample())))
	for b.Loop() {
		if _, err := io.Copy(io.Discard, xz.NewReader(bytes.NewReader(src), window)); err != nil {
			b.Fatal(err)
		}
	}
}
