// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// An archive is a file of cases as it is written.
type archive struct {
	comment  []byte
	sections []*section
	policies policies[written]
}

// A section is a part of an archive. Its kind is one of those that have a
// meaning, or "" of a file beside the policy, whose name is the label then.
type section struct {
	kind, label string
	text        []byte
	line        int // of the file, from 1, on which its text begins
}

// name is what the section is called in its file.
func (s *section) name() string { return strings.TrimSpace(s.kind + " " + s.label) }

// sectionOf reads what a section is called.
func sectionOf(name string) *section {
	kinds := []string{policySection, traceSection, inputSection, optionsSection, detectorsSection, wantSection, caseSection}
	if slices.Contains(kinds, name) {
		return &section{kind: name}
	}
	for _, kind := range []string{policySection, caseSection, workspaceSection} {
		if label, ok := strings.CutPrefix(name, kind+" "); ok {
			return &section{kind: kind, label: strings.TrimSpace(label)}
		}
	}
	return &section{label: name}
}

// byteOrderMark is what some editors begin a file with.
const byteOrderMark = "\ufeff"

func parseArchive(src []byte) *archive {
	parsed := txtar.Parse(bytes.TrimPrefix(src, []byte(byteOrderMark)))
	a := &archive{comment: parsed.Comment}
	line := 1 + bytes.Count(parsed.Comment, []byte("\n"))
	for _, f := range parsed.Files {
		s := sectionOf(f.Name)
		s.text, s.line = f.Data, line+1
		line = s.line + bytes.Count(f.Data, []byte("\n"))
		a.sections = append(a.sections, s)
	}
	return a
}

func (a *archive) format() []byte {
	out := &txtar.Archive{Comment: a.comment}
	for _, s := range a.sections {
		out.Files = append(out.Files, txtar.File{Name: s.name(), Data: s.text})
	}
	return txtar.Format(out)
}

// insert puts a section behind another.
func (a *archive) insert(s, behind *section) {
	a.sections = slices.Insert(a.sections, slices.Index(a.sections, behind)+1, s)
}

// Parse reads a file of one case. The policy and the trace must be there.
func Parse(name string, src []byte) (*Case, error) {
	cases, err := Cases(name, src)
	if err != nil {
		return nil, err
	}
	if len(cases) != 1 {
		return nil, fmt.Errorf("reading %s: there are %d cases, want one", name, len(cases))
	}
	return cases[0], nil
}

// Cases reads a file of one or several cases: at least one, if there is no
// error.
func Cases(name string, src []byte) ([]*Case, error) {
	a := parseArchive(src)
	first := slices.IndexFunc(a.sections, func(s *section) bool { return s.kind == caseSection })
	if first < 0 {
		c := &Case{Name: name, Comment: strings.TrimSpace(string(a.comment)), Line: 1, archive: a, own: a.sections}
		return []*Case{c}, c.valid(name)
	}
	shared := a.sections[:first]
	if err := distinct(shared); err != nil {
		return nil, fmt.Errorf("reading %s:%w", name, err)
	}
	if i := slices.IndexFunc(shared, func(s *section) bool { return s.kind == wantSection }); i >= 0 {
		return nil, fmt.Errorf("reading %s:%d: what is wanted stands before the first case", name, shared[i].line-1)
	}
	var cases []*Case
	for _, s := range a.sections[first:] {
		if s.kind == caseSection {
			cases = append(cases, &Case{
				Name: name + ": " + s.label, Comment: strings.TrimSpace(string(s.text)), Line: s.line - 1,
				archive: a, shared: slices.Clone(shared),
			})
		}
		c := cases[len(cases)-1]
		c.own = append(c.own, s)
	}
	return cases, validAll(name, cases)
}

// validAll returns an error if there is something wrong with one of the cases
// of a file.
func validAll(name string, cases []*Case) error {
	seen := map[string]bool{}
	for _, c := range cases {
		switch {
		case c.own[0].label == "":
			return fmt.Errorf("reading %s:%d: a case needs a name", name, c.Line)
		case seen[c.Name]:
			return fmt.Errorf("reading %s:%d: case %q is there twice", name, c.Line, c.own[0].label)
		}
		seen[c.Name] = true
		if err := c.valid(name); err != nil {
			return err
		}
	}
	return nil
}

// valid returns an error if there is something wrong with a case of a file.
func (c *Case) valid(file string) error {
	if err := distinct(c.own); err != nil {
		return fmt.Errorf("reading %s:%w", file, err)
	}
	if err := c.complete(); err != nil {
		return fmt.Errorf("reading %s:%d: %w", file, c.Line, err)
	}
	return nil
}

// distinct returns an error if a section is there twice. Its text goes on
// behind the name of the file and a colon.
func distinct(sections []*section) error {
	seen := map[string]bool{}
	for _, s := range sections {
		key := s.kind
		if key == "" || key == workspaceSection {
			key += " " + s.label
		}
		if seen[key] {
			return fmt.Errorf("%d: section %q is there twice", s.line-1, s.name())
		}
		seen[key] = true
	}
	return nil
}

// decodeJSON is strict about names and about what follows. Numbers become
// float64 or, when they are written as whole ones, int64 or *big.Int.
func decodeJSON(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more behind the value")
	}
	if m, ok := into.(*map[string]any); ok {
		wholeNumbers(*m)
	}
	return nil
}

// wholeNumbers replaces the json.Numbers in v, in place where it can.
func wholeNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		if i, ok := new(big.Int).SetString(v.String(), 10); ok {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = wholeNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = wholeNumbers(v[k])
		}
	}
	return v
}
