// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"fmt"
	"path"
	"strings"
	"testing/fstest"

	"github.com/holdfast-dev/holdfast"
)

// The sections of a case that have a meaning; every other section is a file
// beside the policy. A policy section may name a file behind the word, a
// workspace section does, and a case section has the name of the case there.
const (
	caseSection      = "case"
	policySection    = "policy"
	traceSection     = "trace"
	inputSection     = "input"
	optionsSection   = "options"
	detectorsSection = "detectors"
	wantSection      = "want"
	workspaceSection = "workspace"
)

// A Case is one policy, one trace and what checking the one against the other
// must come to.
type Case struct {
	Name    string // the file; of a case that has a name of its own, "file: name"
	Comment string // why the case exists
	Line    int    // of the file, from 1, where the case begins

	archive *archive
	own     []*section // of this case alone
	shared  []*section // what stands before the first case of the file
}

// section returns the section that counts for the case: its own or, without
// one, the one that it shares; nil if there is none.
func (c *Case) section(kind string) *section {
	for _, sections := range [][]*section{c.own, c.shared} {
		for _, s := range sections {
			if s.kind == kind {
				return s
			}
		}
	}
	return nil
}

// Beside returns the line of the case's file, from 1, on which a file beside the
// policy begins that the case holds itself; 0 if it holds no such file.
func (c *Case) Beside(name string) int {
	for _, sections := range [][]*section{c.own, c.shared} {
		for _, s := range sections {
			if s.kind == "" && path.Clean(s.label) == name {
				return s.line
			}
		}
	}
	return 0
}

// text is that of a section, "" if it is not there.
func (c *Case) text(kind string) string {
	if s := c.section(kind); s != nil {
		return string(s.text)
	}
	return ""
}

// wantLine is the line of the file from which on the want is written, or that
// of the case without one.
func (c *Case) wantLine() int {
	if s := c.section(wantSection); s != nil {
		return s.line
	}
	return c.Line
}

// complete returns an error if something is missing in a case, or stands where
// it has no meaning.
func (c *Case) complete() error {
	for _, kind := range []string{policySection, traceSection} {
		if c.section(kind) == nil {
			return fmt.Errorf("there is no section %q", kind)
		}
	}
	policy := c.section(policySection)
	if policy.label == "" {
		return nil
	}
	if strings.TrimSpace(string(policy.text)) != "" {
		return fmt.Errorf("section %q names a file, so there can be no text below it", policy.name())
	}
	for _, sections := range [][]*section{c.own, c.shared} {
		for _, s := range sections {
			if s.kind == "" {
				return fmt.Errorf("section %q is no part of a case whose policy stands in a file: that imports from its own folder", s.label)
			}
		}
	}
	return nil
}

// files are the sections of a kind: those that a policy in a section may
// import, or those of the workspace.
func (c *Case) files(kind string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, sections := range [][]*section{c.shared, c.own} {
		for _, s := range sections {
			if s.kind == kind {
				files[s.label] = &fstest.MapFile{Data: s.text}
			}
		}
	}
	return files
}

// Update makes the section want what came out, if f says that it is not, and
// reports whether it did.
func (c *Case) Update(f Failure) bool {
	if f.Problem != "" {
		return false
	}
	if s := c.section(wantSection); s != nil {
		s.text = []byte(f.Got)
		return true
	}
	s := &section{kind: wantSection, text: []byte(f.Got)}
	c.archive.insert(s, c.own[len(c.own)-1])
	c.own = append(c.own, s)
	return true
}

// Source returns the text of the whole file that the case stands in, with what
// Update has changed in any of its cases.
func (c *Case) Source() []byte { return c.archive.format() }

// settings is what the sections input and options say.
type settings struct {
	Input         map[string]any
	OnUnknown     string            `json:"on_unknown"`
	OnUnknownRule map[string]string `json:"on_unknown_rule"`
}

func (c *Case) settings() (settings, error) {
	var s settings
	if section := c.section(optionsSection); section != nil {
		if err := decodeJSON(section.text, &s); err != nil {
			return s, fmt.Errorf("reading section options: %w", err)
		}
	}
	if section := c.section(inputSection); section != nil {
		if err := decodeJSON(section.text, &s.Input); err != nil {
			return s, fmt.Errorf("reading section input: %w", err)
		}
	}
	return s, nil
}

// monitorOptions are what the settings of a case say.
func (c *Case) monitorOptions() (*holdfast.MonitorOptions, error) {
	s, err := c.settings()
	if err != nil {
		return nil, err
	}
	opts := &holdfast.MonitorOptions{Input: s.Input, OnUnknownRule: map[string]holdfast.Outcome{}}
	if opts.OnUnknown, err = outcome(s.OnUnknown); err != nil {
		return nil, err
	}
	for id, name := range s.OnUnknownRule {
		if opts.OnUnknownRule[id], err = outcome(name); err != nil {
			return nil, err
		}
	}
	return opts, nil
}

func outcome(name string) (holdfast.Outcome, error) {
	o, ok := holdfast.OutcomeOf(name)
	if !ok {
		return o, fmt.Errorf("reading section options: got %q, want deny, ask, warn or allow", name)
	}
	return o, nil
}
