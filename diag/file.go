// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// A File is one policy source. Name is what diagnostics print. Make one with
// NewFile; a File is never changed afterwards and is safe for concurrent use.
type File struct {
	Name string
	Src  []byte
	// lines holds the offset of each line's first byte. A byte order mark
	// belongs to no line, so columns of the first line are true.
	lines []int
}

// byteOrderMark may stand at the beginning of a source and means nothing.
var byteOrderMark = []byte("\uFEFF")

// NewFile returns a file with its table of lines. It keeps src, which must
// not be changed afterwards.
func NewFile(name string, src []byte) *File {
	first := 0
	if bytes.HasPrefix(src, byteOrderMark) {
		first = len(byteOrderMark)
	}
	lines := []int{first}
	for i, c := range src {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	return &File{Name: name, Src: src, lines: lines}
}

// Position returns the line and column of a byte offset, both from 1. Columns
// count runes. An offset outside the file is moved to its nearer end.
func (f *File) Position(off int) (line, col int) {
	off = min(max(off, 0), len(f.Src))
	i := f.lineIndex(off)
	start := min(f.lineStart(i), off)
	return i + 1, utf8.RuneCount(f.Src[start:off]) + 1
}

// Lines returns the number of lines; an empty file has one.
func (f *File) Lines() int { return max(len(f.lines), 1) }

// Line returns the text of a line, counted from 1, without its line end. A
// line that does not exist is empty.
func (f *File) Line(line int) string {
	start, end := f.lineBounds(line)
	return string(f.Src[start:end])
}

// lineBounds returns the byte range of a line without its line end.
func (f *File) lineBounds(line int) (start, end int) {
	if line < 1 || line > f.Lines() {
		return len(f.Src), len(f.Src)
	}
	start, end = f.lineStart(line-1), len(f.Src)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	if end > start && f.Src[end-1] == '\r' {
		end--
	}
	return start, end
}

// lineIndex returns the index of the last line that begins at or before off.
func (f *File) lineIndex(off int) int {
	return max(sort.SearchInts(f.lines, off+1)-1, 0)
}

// lineStart returns the offset at which line i, counted from 0, begins. A File
// that was not made by NewFile has one line.
func (f *File) lineStart(i int) int {
	if i >= len(f.lines) {
		return 0
	}
	return f.lines[i]
}

// A Span is a half-open range of bytes in a file. The zero Span is nowhere.
type Span struct {
	File       *File
	Start, End int
}

// Text returns the source that the span covers; of a span that is nowhere, "".
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	start := min(max(s.Start, 0), len(s.File.Src))
	end := min(max(s.End, start), len(s.File.Src))
	return string(s.File.Src[start:end])
}

// Position returns the line and column at which the span starts, both from 1;
// 0, 0 if it is nowhere.
func (s Span) Position() (line, col int) {
	if s.File == nil {
		return 0, 0
	}
	return s.File.Position(s.Start)
}
