// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// path yields the records of one of the paths that were asked for.
func (r *reading) path(path string) bool {
	w := walk{file: r.file, fault: r.fault, stop: func() bool { return r.ctx.Err() != nil }}
	return w.named(path)
}

// Size returns how much there is to read, as far as that is known without
// reading: the bytes of all regular files, as they are on the disk, and how many
// files there are.
func Size(paths []string) (bytes int64, files int) {
	w := walk{
		fault: func(string, error) bool { return true },
		stop:  func() bool { return false },
		file: func(path string) bool {
			files++
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
				bytes += st.Size()
			}
			return true
		},
	}
	for _, path := range paths {
		w.named(path)
	}
	return bytes, files
}

// A walk goes through files and folders. Its functions return false if nothing
// more is wanted.
type walk struct {
	file  func(path string) bool
	fault func(path string, err error) bool
	stop  func() bool

	found int             // files below the path that was named
	seen  map[string]bool // folders of it, by what they are called without links
}

// named goes to a path that somebody has named.
func (w *walk) named(path string) bool {
	w.found, w.seen = 0, make(map[string]bool)
	st, err := os.Stat(path)
	switch {
	case path == "-" || err == nil && !st.IsDir():
		return w.file(path)
	case err != nil:
		return w.fault(path, err)
	}
	if !w.folder(path) {
		return false
	}
	if w.found == 0 {
		return w.fault(path, errors.New("a folder without traces: no file in it ends in .json, .jsonl or .ndjson, nor in these with .gz, .zst or .xz"))
	}
	return true
}

// folder goes through a folder, unless it has been there: links may lead back.
func (w *walk) folder(path string) bool {
	name, err := filepath.EvalSymlinks(path)
	if err == nil {
		name, err = filepath.Abs(name)
	}
	if err != nil {
		return w.broken(path, err)
	}
	if w.seen[name] {
		return true
	}
	w.seen[name] = true
	entries, err := os.ReadDir(path)
	if err != nil && !w.broken(path, err) {
		return false
	}
	for _, e := range entries {
		if w.stop() || !w.entry(filepath.Join(path, e.Name()), e) {
			return false
		}
	}
	return true
}

// broken reports what cannot be read within a folder. It counts as found: it
// has been spoken of.
func (w *walk) broken(path string, err error) bool {
	w.found++
	return w.fault(path, err)
}

func (w *walk) entry(path string, e fs.DirEntry) bool {
	mode := e.Type()
	if mode&fs.ModeSymlink != 0 {
		st, err := os.Stat(path)
		if err != nil && !isTraceFile(path) {
			return true
		}
		if err != nil {
			return w.broken(path, err)
		}
		mode = st.Mode().Type()
	}
	switch {
	case mode.IsDir():
		return w.folder(path)
	case !isTraceFile(path):
		return true
	case !mode.IsRegular():
		return w.broken(path, fmt.Errorf("not a regular file (%s)", kindOf(mode)))
	}
	w.found++
	return w.file(path)
}

// isTraceFile reports whether a file in a folder is read, by its name.
func isTraceFile(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	for _, packed := range []string{".gz", ".zst", ".xz"} {
		if cut, ok := strings.CutSuffix(name, packed); ok {
			name = cut
			break
		}
	}
	return slices.Contains([]string{".json", ".jsonl", ".ndjson"}, filepath.Ext(name))
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return mode.String()
}
