// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A page is a document whose fenced blocks are held to what they show.
type page struct {
	name  string
	lines []string
	out   []string // the page as it should be
	next  int      // line not written to out yet
}

// A fence is a block of a page. Its label, behind the language, names the file
// that it is or is part of.
type fence struct {
	line            int // of its first line of text, from 1
	language, label string
	text            string
	heading         string // the section that it stands in
}

func readPage(t *testing.T, name string) *page {
	t.Helper()
	return &page{name: name, lines: strings.Split(readFile(t, name), "\n")}
}

// fences yields the blocks. What yield returns is the text that should stand
// there; finish compares.
func (p *page) fences(t *testing.T, yield func(fence) string) {
	t.Helper()
	heading, open := "", -1
	for i, line := range p.lines {
		switch {
		case !strings.HasPrefix(line, "```"):
			if open < 0 && strings.HasPrefix(line, "## ") {
				heading = line[3:]
			}
		case open < 0:
			open = i
		default:
			language, label, _ := strings.Cut(p.lines[open][3:], " ")
			text := strings.Join(p.lines[open+1:i], "\n") + "\n"
			f := fence{line: open + 2, language: language, label: label, text: text, heading: heading}
			p.out = append(p.out, p.lines[p.next:open+1]...)
			p.out = append(p.out, strings.Split(strings.TrimSuffix(yield(f), "\n"), "\n")...)
			p.next, open = i, -1
		}
	}
	if open >= 0 {
		t.Fatalf("%s:%d: the block is not closed", p.name, open+1)
	}
	p.out = append(p.out, p.lines[p.next:]...)
}

// finish compares the page with what it should be, or rewrites it.
func (p *page) finish(t *testing.T) {
	t.Helper()
	want, got := strings.Join(p.out, "\n"), strings.Join(p.lines, "\n")
	if want == got {
		return
	}
	if *update {
		if err := os.WriteFile(p.name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s shows what is not so; go test ./docs -update rewrites it:\n%s", p.name, difference(p.lines, p.out))
}

// difference shows the first lines in which two texts differ.
func difference(got, want []string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	const shown = 12
	return "got\n\t" + strings.Join(got[i:min(i+shown, len(got))], "\n\t") +
		"\nwant\n\t" + strings.Join(want[i:min(i+shown, len(want))], "\n\t")
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// copied returns a temporary copy of a folder.
func copied(t *testing.T, folder string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// files lists the files of a folder that match a pattern, with their names
// inside it.
func files(t *testing.T, folder, pattern string) []string {
	t.Helper()
	found, err := fs.Glob(os.DirFS(folder), pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("%s has no %s", folder, pattern)
	}
	return found
}
