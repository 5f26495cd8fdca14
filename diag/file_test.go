// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package diag_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
)

func TestPosition(t *testing.T) {
	src := "\uFEFFab\r\nüx\n\n\xffz"
	file := diag.NewFile("x.gr", []byte(src))
	for _, test := range []struct {
		off       int
		line, col int
	}{
		{-1, 1, 1},
		{0, 1, 1},
		{3, 1, 1},
		{4, 1, 2},
		{strings.Index(src, "ü"), 2, 1},
		{strings.Index(src, "x"), 2, 2},
		{strings.Index(src, "\n\n") + 1, 3, 1},
		{strings.Index(src, "z"), 4, 2},
		{len(src), 4, 3},
		{len(src) + 5, 4, 3},
	} {
		if line, col := file.Position(test.off); line != test.line || col != test.col {
			t.Errorf("offset %d: got %d:%d, want %d:%d", test.off, line, col, test.line, test.col)
		}
	}
	for i, want := range []string{"", "ab", "üx", "", "\xffz", ""} {
		if got := file.Line(i); got != want {
			t.Errorf("line %d: got %q, want %q", i, got, want)
		}
	}
	if got := file.Lines(); got != 4 {
		t.Errorf("got %d lines, want 4", got)
	}
}

// TestZeroFile checks that a File which NewFile did not make is bearable.
func TestZeroFile(t *testing.T) {
	file := &diag.File{Name: "x", Src: []byte("a\nb")}
	if line, col := file.Position(2); line != 1 || col != 3 {
		t.Errorf("got %d:%d, want 1:3", line, col)
	}
	var nowhere diag.Span
	if line, col := nowhere.Position(); line != 0 || col != 0 || nowhere.Text() != "" {
		t.Errorf("got %d:%d %q, want nothing", line, col, nowhere.Text())
	}
	if got := (diag.Span{File: file, Start: -1, End: 99}).Text(); got != "a\nb" {
		t.Errorf("got %q", got)
	}
}

func TestNearest(t *testing.T) {
	fields := []string{"name", "arguments", "id", "type", "function", "metadata"}
	for _, test := range []struct {
		name string
		from []string
		want string
	}{
		{"argumnets", fields, "arguments"},
		{"Arguments", fields, "arguments"},
		{"args", fields, ""},
		{"naem", fields, "name"},
		{"names", fields, "name"},
		{"metdata", fields, "metadata"},
		{"xyz", fields, ""},
		{"ToolCal", []string{"ToolCall", "ToolOutput", "Tool"}, "ToolCall"},
		{"Mesage", []string{"Message", "UserMessage"}, "Message"},
		{"ab", []string{"aa", "bb"}, ""},
		{"call3", []string{"call1", "call2"}, ""},
		{"a", []string{"b"}, ""},
		{"", fields, ""},
		{strings.Repeat("a", 100), []string{strings.Repeat("a", 99)}, ""},
		{"name", []string{"name"}, ""},
	} {
		if got := diag.Nearest(test.name, test.from); got != test.want {
			t.Errorf("Nearest(%q): got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCodes(t *testing.T) {
	form := regexp.MustCompile(`^P0[1-5]\d\d$`)
	last := ""
	for _, doc := range diag.Codes() {
		if !form.MatchString(doc.Code) || doc.Code <= last {
			t.Errorf("got code %q after %q", doc.Code, last)
		}
		last = doc.Code
		if doc.Title == "" || doc.Explanation == "" || doc.Since == "" || strings.HasSuffix(doc.Title, ".") {
			t.Errorf("%s: incomplete page: %+v", doc.Code, doc)
		}
		if got, ok := diag.Lookup(doc.Code); !ok || got != doc {
			t.Errorf("%s is not found", doc.Code)
		}
	}
	if _, ok := diag.Lookup("P9999"); ok {
		t.Error("found a code that is not there")
	}
}
