// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fragment is a piece of code cut out of a file, and a line of it.
type fragment struct {
	Line string `json:"line_text"`
	Code string `json:"origin_code"`
}

// fragments reads those of CyberSecEval.
func fragments(t *testing.T) []fragment {
	t.Helper()
	name := filepath.Join("..", "..", "..", "shared", "data", "detectors", "code", "cyberseceval_autocomplete_python.jsonl.xz")
	if _, err := os.Stat(name); err != nil {
		t.Skip("the fragments of CyberSecEval are not here")
	}
	const unpack = "import lzma, sys; sys.stdout.buffer.write(lzma.open(sys.argv[1]).read())"
	out, err := exec.CommandContext(t.Context(), "python3", "-c", unpack, name).Output()
	if err != nil {
		t.Skip("no python3 unpacks the fragments: ", err)
	}
	var all []fragment
	for line := range bytes.Lines(out) {
		var f fragment
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

var (
	literalAt = regexp.MustCompile(`"""(?s:.*?)"""|"""|'''|[uUrRbB]{0,2}"(?:[^"\\]|\\.)*"|[uUrRbB]{0,2}'(?:[^'\\]|\\.)*'|#.*`)
	calledAt  = regexp.MustCompile(`(?:^|[^\w])(def +|class +)?([A-Za-z_]\w*) *\(`)
)

// called lists what a line seems to call, by its last name.
func called(line string) []string {
	var out []string
	for _, m := range calledAt.FindAllStringSubmatch(literalAt.ReplaceAllString(line, `""`), -1) {
		if m[1] == "" && keyword(m[2]) == kName && m[2] != "print" && m[2] != "exec" {
			out = append(out, m[2])
		}
	}
	return out
}

// TestFragments counts the calls on the lines that matter which the tree of
// the fragment has.
func TestFragments(t *testing.T) {
	lines, found, parse := 0, 0, 0
	for _, f := range fragments(t) {
		file := Parse(f.Code)
		if len(file.Errors) == 0 {
			parse++
		}
		at := strings.Index(f.Code, f.Line)
		want := called(f.Line)
		if at < 0 || len(want) == 0 {
			continue
		}
		lines++
		var got []string
		file.Root.Walk(func(n *Node) bool {
			if n.Kind == Call && n.Kids[0].End > at && n.Kids[0].End <= at+len(f.Line) {
				got = append(got, n.Kids[0].Name)
			}
			return true
		})
		if missed := slices.DeleteFunc(want, func(s string) bool { return slices.Contains(got, s) }); len(missed) == 0 {
			found++
		} else {
			t.Logf("missed %q of %q", missed, f.Line)
		}
	}
	t.Logf("%d fragments are valid; all calls found on %d of %d lines that hold one", parse, found, lines)
	if found*100 < lines*98 {
		t.Errorf("found the calls of %d lines of %d", found, lines)
	}
}
