// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/internal/xz"
	"github.com/holdfast-dev/holdfast/trace"
	)

// shared returns the path of third-party data beside the repository.
func shared(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the third-party data is not here: %v", err)
	}
	return path
}

func unpackedLog(b *testing.B) []byte {
	f, err := os.Open(shared(b, "agentdojo/gpt-4o-2024-05-13.jsonl.xz"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	src, err := io.ReadAll(xz.NewReader(f, source.DefaultMaxWindow))
	if err != nil {
		b.Fatal(err)
	}
	return src
}

func BenchmarkXZ(b *testing.B) {
	src := unpackedLog(b)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		unpackedLog(b)
	}
}

func BenchmarkSplit(b *testing.B) {
	src := unpackedLog(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range trace.Split(bytes.NewReader(src), nil) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	src := unpackedLog(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	opts := &source.Options{Stdin: bytes.NewReader(src)}
	for b.Loop() {
		opts.Stdin = bytes.NewReader(src)
		for r := range source.Records(context.Background(), []string{"-"}, opts) {
			if _, err := opts.Decode(r); err != nil {
				b.Fatal(err)
			}
		}
	}
}
