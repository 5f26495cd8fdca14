// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// ReadCase reads a case of the corpus, whose want is for others. False: it has
// scripts beside the policy, or a trace that is no list, which random cases
// have not.
func ReadCase(src []byte) (*Case, bool) {
	c := &Case{input: object(), files: map[string]string{}}
	for _, f := range txtar.Parse(src).Files {
		switch f.Name {
		case "policy":
			c.Policy = string(f.Data)
		case "input":
			in, err := parseNode(f.Data)
			if err != nil {
				return nil, false
			}
			c.input = in
		case "trace":
			t, err := parseNode(f.Data)
			if err != nil || !t.list {
				return nil, false
			}
			c.events = t.items
		case "want", "options":
		default:
			if path.Ext(f.Name) != ".gr" {
				return nil, false
			}
			c.files[f.Name] = string(f.Data)
		}
	}
	return c, true
}

// Archive writes a failing case as a case of the corpus, without its want:
// that is for `go test ./policytest -update` to write when the evaluations
// agree. Until then the comment says how they differ.
func Archive(c *Case, err error) []byte {
	a := &txtar.Archive{Comment: []byte(fmt.Sprintf("Random case %d of seed %d.\n%s\n", c.Number, c.Seed, oneLineEach(err)))}
	add := func(name, text string) { a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)}) }
	add("policy", strings.TrimLeft(c.Policy, "\n"))
	if c.files != nil {
		for _, name := range slices.Sorted(maps.Keys(c.files)) {
			add(name, c.files[name])
		}
	} else if strings.Contains(c.Policy, "./lib") {
		add("lib.gr", libSource)
	}
	if len(c.input.items) > 0 {
		add("input", c.input.String()+"\n")
	}
	add("trace", c.Trace())
	return txtar.Format(a)
}

// oneLineEach keeps the lines of an error from being read as the head of a
// section.
func oneLineEach(err error) string {
	lines := strings.Split(err.Error(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight("\t"+l, "\t ")
	}
	return strings.Join(lines, "\n")
}
