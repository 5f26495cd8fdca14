// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestTwoScansOfOneName has a second scan begin to write what a first one is
// still writing: neither passes for whole with lines of the other.
func TestTwoScansOfOneName(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there the second cannot begin")
	}
	name := filepath.Join(t.TempDir(), "out")
	open := func(text string) *output {
		o, err := openOutput(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(o, text); err != nil {
			t.Fatal(err)
		}
		return o
	}
	first, second := open("first"), open("second")
	if err := first.commit(); err == nil || !strings.Contains(err.Error(), "something else writes") {
		t.Errorf("the first got %v", err)
	}
	if err := second.commit(); err != nil {
		t.Errorf("the second got %v", err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "second" {
		t.Errorf("got %q, %v", text, err)
	}
	left, err := filepath.Glob(name + "*")
	if err != nil || len(left) != 1 {
		t.Errorf("got %q, %v, want the one file", left, err)
	}
}
