// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"path/filepath"
	"testing"
)

// commandPages are about one command each: they have files and sessions.
var commandPages = []string{"testing.md", "diff.md", "vet.md", "starting.md", "project.md", "explain.md", "policies.md"}

// TestCommandPages saves the files of such a page and runs its commands.
func TestCommandPages(t *testing.T) {
	for _, name := range commandPages {
		t.Run(name, func(t *testing.T) { runCommandPage(t, name) })
	}
}

func runCommandPage(t *testing.T, name string) {
	t.Helper()
	dir := t.TempDir()
	sh := newShell(t, dir)
	p := readPage(t, name)
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
