// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package secret

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A sample is a text of a corpus and where it comes from.
type sample struct{ name, text string }

// corpora are what false findings are looked for in here; what tools put out
// is in internal/detectbench.
var corpora = []struct {
	name string
	read func(t testing.TB) []sample
}{
	{"go", func(t testing.TB) []sample { return files(t, goLibrary(t), ".go") }},
	{"python", func(t testing.TB) []sample { return files(t, pythonLibrary(t), ".py") }},
}

// goLibrary returns where the standard library of Go lies.
func goLibrary(t testing.TB) string {
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no Go here: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// pythonLibrary returns where the standard library of Python lies.
func pythonLibrary(t testing.TB) string {
	out, err := exec.CommandContext(t.Context(), "python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Skipf("no Python here: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// files returns the files of a library with the ending.
func files(t testing.TB, root, ext string) []sample {
	var out []sample
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "site-packages" || d.Name() == "dist-packages") {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ext) {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		out = append(out, sample{filepath.ToSlash(name), string(text)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func BenchmarkFind(b *testing.B) {
	for _, c := range corpora {
		b.Run(c.name, func(b *testing.B) {
			texts, size := c.read(b), 0
			for i := range texts {
				size += len(texts[i].text)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for i := range texts {
					Find(texts[i].text, nil)
				}
			}
		})
	}
}

// BenchmarkShort is one message without a secret.
func BenchmarkShort(b *testing.B) {
	text := "They asked for access to the key of the house. No token was given."
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Find(text, nil)
	}
}

// BenchmarkStart is what the first text costs before anything is compiled.
func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newRules()
	}
}
