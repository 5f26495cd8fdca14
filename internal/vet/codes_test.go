// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/chunk"
	"github.com/holdfast-dev/holdfast/internal/vet"
	"github.com/holdfast-dev/holdfast/syntax"
)

const folder = "../../testdata/vet/"

// about says which file is about which code.
var about = map[string]string{
	"never": "P0501", "always": "P0502", "parts": "P0503", "implied": "P0504", "unused": "P0505", "predicates": "P0506", "constants": "P0507",
	"imports": "P0508", "parameters": "P0509", "access": "P0510", "open": "P0511", "dots": "P0512", "everything": "P0513", "detectors": "P0515",
	"flows": "P0516", "tools-unknown": "P0520", "tools-arguments": "P0521", "tools-values": "P0522", "tools-unnamed": "P0523",
	"suppressions": "P0530", "idle": "P0531",

	// Of the load's own warnings, those that vet is asked for by name.
	"load-boolean": "P0302", "load-variables": "P0308", "load-retracting": "P0309", "load-model": "P0316",
}

// enough is how many policies of a file must get its code, and how many must
// not.
const enough = 5

// look vets one policy.
func look(t testing.TB, f *diag.File, o *vet.Options) []vet.Diagnosis {
	t.Helper()
	file, list := syntax.Parse(f)
	prog, more := check.Check(file, &check.Config{Detectors: builtin.DetectorNames()})
	if list = append(list, more...); list.HasErrors() {
		t.Fatal(list)
	}
	return vet.Vet(prog, o)
}

func readTools(t testing.TB, name string) *vet.Tools {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := vet.ReadTools(name, src)
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// TestCodes runs the files of testdata/vet: each is about one code, with
// policies that get it and near misses.
func TestCodes(t *testing.T) {
	files, err := filepath.Glob(folder + "*.gr")
	if err != nil || len(files) != len(about) {
		t.Fatalf("got %d files, error %v, want %d", len(files), err, len(about))
	}
	for _, name := range files {
		base := strings.TrimSuffix(filepath.Base(name), ".gr")
		t.Run(base, func(t *testing.T) {
			code := about[base]
			o := &vet.Options{}
			if strings.HasPrefix(base, "tools-") {
				o.Tools = readTools(t, folder+"tools.json")
				o.Selected = func(c string) bool { return c != "P0523" || code == "P0523" }
			}
			hits, misses := 0, 0
			chunk.Check(t, name, func(f *diag.File) diag.List {
				list := vet.List(look(t, f, o))
				if slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Code == code }) {
					hits++
				} else {
					misses++
				}
				return atTop(f, list)
			})
			if hits < enough || misses < enough {
				t.Errorf("%d policies get %s and %d do not, want %d of each", hits, code, misses, enough)
			}
		})
	}
}

// atTop moves what stands in a file of tools to the first line of the policy,
// where a want can be.
func atTop(f *diag.File, list diag.List) diag.List {
	first := len(f.Src) - len(strings.TrimLeft(string(f.Src), "\n"))
	for i := range list {
		if list[i].Span.File != f {
			list[i].Span = diag.Span{File: f, Start: first, End: first + 1}
		}
	}
	return list
}

func TestEveryCodeHasAFile(t *testing.T) {
	for _, doc := range diag.Codes() {
		if !strings.HasPrefix(doc.Code, "P05") {
			continue
		}
		if !slices.ContainsFunc(mapValues(about), func(c string) bool { return c == doc.Code }) {
			t.Errorf("no file in testdata/vet is about %s", doc.Code)
		}
	}
}

func mapValues(m map[string]string) []string {
	var out []string
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

var (
	pageExample = regexp.MustCompile(`(?m)^(Avoid|Prefer)[^\n]*:\n\n((?:(?: {4}[^\n]*)?\n)+)`)
	pageTools   = map[string]string{
		"P0520": `[{"name": "send_mail"}, {"name": "fetch"}]`,
		"P0521": `[{"name": "send_mail", "inputSchema": {"properties": {"to": {}, "body": {}}}}, {"name": "other"}]`,
		"P0522": `[{"name": "open", "inputSchema": {"properties": {"mode": {"enum": ["read", "write"]}}}}, {"name": "other"}]`,
		"P0523": `[{"name": "send_mail"}, {"name": "delete_file"}]`,
	}
)

// TestPages holds the page of each code to its examples: the one to avoid gets
// the code, the one to prefer gets nothing.
func TestPages(t *testing.T) {
	for _, doc := range diag.Codes() {
		if !strings.HasPrefix(doc.Code, "P05") {
			continue
		}
		found := pageExample.FindAllStringSubmatch(strings.TrimSpace(doc.Explanation)+"\n", -1)
		if len(found) != 2 || found[0][1] != "Avoid" || found[1][1] != "Prefer" {
			t.Errorf("%s: got %d examples, want one to avoid and one to prefer", doc.Code, len(found))
			continue
		}
		codes := func(text string) []string {
			o := &vet.Options{}
			if tools := pageTools[doc.Code]; tools != "" {
				var err error
				if o.Tools, err = vet.ReadTools("tools.json", []byte(tools)); err != nil {
					t.Fatal(err)
				}
				o.Selected = func(c string) bool { return c == doc.Code }
			}
			var out []string
			for _, d := range look(t, diag.NewFile(doc.Code, []byte(text)), o) {
				out = append(out, d.Code)
			}
			return out
		}
		if got := codes(found[0][2]); !slices.Contains(got, doc.Code) {
			t.Errorf("%s: what is to be avoided gets %v\n%s", doc.Code, got, found[0][2])
		}
		if got := codes(found[1][2]); len(got) > 0 {
			t.Errorf("%s: what is preferred gets %v\n%s", doc.Code, got, found[1][2])
		}
	}
}
