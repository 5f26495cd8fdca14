// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package chunk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/chunk"
)

// recorder keeps what is reported.
type recorder []string

func (r *recorder) Errorf(format string, args ...any) {
	*r = append(*r, fmt.Sprintf(format, args...))
}

// words reports every word "bad" of a file.
func words(file *diag.File) diag.List {
	var list diag.List
	src := string(file.Src)
	for i := 0; ; {
		n := strings.Index(src[i:], "bad")
		if n < 0 {
			return list
		}
		i += n
		list = append(list, diag.Diagnostic{
			Code: "P0999", Span: diag.Span{File: file, Start: i, End: i + 3}, Message: `a "bad" word`, Help: "leave it out",
		})
		i += 3
	}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, src string
		problems  []string // what each report holds
	}{
		{"met", "good\nbad ### P0999 \"'b.d' word\" \"leave\"\n", nil},
		{"two on a line", "bad bad ### P0999 P0999\n", nil},
		{"two chunks", "bad ### P0999\n---\ngood\nbad ### P0999\n", nil},
		{"missing", "good ### P0999 \"x\"\n", []string{`:1: missing: P0999 "x"`}},
		{"unwanted", "good\n---\nbad\n", []string{":3:1: P0999"}},
		{"other message", "bad ### P0999 \"good\"\n", []string{"unwanted", "missing"}},
		{"other help", "bad ### P0999 \"word\" \"keep\"\n", []string{"unwanted", "missing"}},
		{"other code", "bad ### P0998\n", []string{"unwanted", "missing"}},
		{"malformed", "good ### P99\n", []string{"malformed want"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.gr")
			if err := os.WriteFile(path, []byte(test.src), 0o600); err != nil {
				t.Fatal(err)
			}
			var got recorder
			codes := chunk.Check(&got, path, words)
			if len(got) != len(test.problems) {
				t.Fatalf("got %q, want %q", got, test.problems)
			}
			for i, want := range test.problems {
				if !strings.Contains(got[i], want) {
					t.Errorf("got %q, want %q", got[i], want)
				}
			}
			if len(got) == 0 && !slices.Equal(codes, []string{"P0999"}) {
				t.Errorf("got codes %q, want P0999", codes)
			}
		})
	}
}
