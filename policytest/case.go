// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/big"
	"slices"
	"strings"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

// The sections of a case that have a meaning; every other section is a file
// beside the policy.
const (
	policySection  = "policy"
	traceSection   = "trace"
	inputSection   = "input"
	optionsSection = "options"
	wantSection    = "want"
)

// A Case is one policy, one trace and what checking the one against the other
// must come to.
type Case struct {
	Name    string // the file
	Comment string // why the case exists
	archive *txtar.Archive
}

// Parse reads a case. The policy and the trace must be there.
func Parse(name string, src []byte) (*Case, error) {
	a := txtar.Parse(src)
	c := &Case{Name: name, Comment: strings.TrimSpace(string(a.Comment)), archive: a}
	seen := map[string]bool{}
	for _, f := range a.Files {
		if seen[f.Name] {
			return nil, fmt.Errorf("reading %s: section %q is there twice", name, f.Name)
		}
		seen[f.Name] = true
	}
	for _, section := range []string{policySection, traceSection} {
		if !seen[section] {
			return nil, fmt.Errorf("reading %s: there is no section %q", name, section)
		}
	}
	return c, nil
}

// section returns the text of a section, "" if it is not there.
func (c *Case) section(name string) []byte {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// setWant replaces the section want, or appends it.
func (c *Case) setWant(text string) {
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == wantSection {
			c.archive.Files[i].Data = []byte(text)
			return
		}
	}
	c.archive.Files = append(c.archive.Files, txtar.File{Name: wantSection, Data: []byte(text)})
}

// files are the sections that the policy may import.
func (c *Case) files() fs.FS {
	files := fstest.MapFS{}
	for _, f := range c.archive.Files {
		if !slices.Contains([]string{policySection, traceSection, inputSection, optionsSection, wantSection}, f.Name) {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return files
}

// settings is what the sections input and options say.
type settings struct {
	Input         map[string]any
	OnUnknown     string            `json:"on_unknown"`
	OnUnknownRule map[string]string `json:"on_unknown_rule"`
}

func (c *Case) settings() (settings, error) {
	var s settings
	if text := c.section(optionsSection); text != nil {
		if err := decodeJSON(text, &s); err != nil {
			return s, fmt.Errorf("reading section options: %w", err)
		}
	}
	if text := c.section(inputSection); text != nil {
		if err := decodeJSON(text, &s.Input); err != nil {
			return s, fmt.Errorf("reading section input: %w", err)
		}
	}
	return s, nil
}

// decodeJSON is strict about names. Numbers become float64 or, when they are
// written as whole ones, int64 or *big.Int.
func decodeJSON(text []byte, into any) error {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
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
