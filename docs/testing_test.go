// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"path/filepath"
	"testing"
)

// TestTestingPage saves the files of testing.md and runs its commands.
func TestTestingPage(t *testing.T) {
	dir := t.TempDir()
	sh := newShell(t, dir)
	p := readPage(t, "testing.md")
	p.fences(t, func(f fence) string {
		switch {
		case f.language == "console":
			return sh.session(t, f.text)
		case f.label != "":
			writeFile(t, filepath.Join(dir, f.label), f.text)
		default:
			t.Errorf("%s:%d: a block of an unknown kind %q", p.name, f.line, f.language)
		}
		return f.text
	})
	p.finish(t)
}
