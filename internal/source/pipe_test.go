// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package source_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/source"
)

// TestNamedPipe reads a pipe that is named itself; in a folder it is none of
// the files that are read.
func TestNamedPipe(t *testing.T) {
	dir := files(t, map[string]string{"b.json": two})
	path := filepath.Join(dir, "a.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	want(t, "folder", told(dir, nil, dir), "a.json#0 not a regular file (a named pipe)", "b.json#0 2")
	go func() { _ = os.WriteFile(path, []byte(one+"\n"), 0o600) }()
	want(t, "named", told(dir, nil, path), "a.json#0 1")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for r := range source.Records(ctx, []string{path}, nil) { // nobody writes
		t.Errorf("got %v", r)
	}
}
