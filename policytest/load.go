// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// policies are compiled ones that cases have in common, by what they are made
// of. It is safe for concurrent use.
type policies[Key comparable] struct {
	mu    sync.Mutex
	byKey map[Key]*holdfast.Policy
}

// get returns the policy with a key, which compile makes if it is not there.
func (p *policies[Key]) get(key Key, compile func() (*holdfast.Policy, error)) (*holdfast.Policy, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known := p.byKey[key]; known != nil {
		return known, nil
	}
	made, err := compile()
	if err == nil {
		if p.byKey == nil {
			p.byKey = map[Key]*holdfast.Policy{}
		}
		p.byKey[key] = made
	}
	return made, err
}

// A written policy stands in a section, a named one in a file.
type (
	written struct {
		policy    *section
		compile   *holdfast.Options
		formatted bool
	}
	named struct {
		file      string
		section   *section // that has the policy of which Options.Source makes another
		input     string   // what is known at load, as JSON
		formatted bool
	}
)

// policyName is what the policy is called: the file that it stands in, or
// "policy".
func (c *Case) policyName() string {
	if s := c.section(policySection); s.label != "" {
		return path.Clean(s.label)
	}
	return policySection
}

// policy compiles the policy, or what the formatter makes of it, once for all
// cases that have it in common: those of a file, and those that name it and are
// run with the same options. The error is a diag.List if it was read but does
// not compile.
func (c *Case) policy(opts *Options, stubs []*stub, formatted bool) (*holdfast.Policy, error) {
	shared, err := c.sharedPolicy(opts, stubs, formatted)
	if err != nil {
		return nil, err
	}
	s, err := c.settings()
	if err != nil {
		return shared, nil //nolint:nilerr // whoever runs the case reads them, too, and says so
	}
	fixed := map[string]any{}
	for _, in := range shared.Inputs() {
		if s.Input[in.Name] != nil && in.Fixed {
			fixed[in.Name] = s.Input[in.Name]
		}
	}
	if len(fixed) == 0 {
		return shared, nil
	}
	compile := func() (*holdfast.Policy, error) { return c.compile(opts, stubs, formatted, fixed) }
	if key, err := json.Marshal(fixed); err == nil && !c.alone(stubs) && c.section(policySection).label != "" {
		return opts.policies.get(named{file: c.policyName(), input: string(key), formatted: formatted}, compile)
	}
	return compile()
}

// alone reports whether the case has something beside the text of the policy
// that it is compiled with.
func (c *Case) alone(stubs []*stub) bool {
	return len(stubs) > 0 || len(c.files(workspaceSection)) > 0 || slices.ContainsFunc(c.own, func(s *section) bool { return s.kind == "" })
}

// sharedPolicy is policy without the parameters of the case.
func (c *Case) sharedPolicy(opts *Options, stubs []*stub, formatted bool) (*holdfast.Policy, error) {
	compile := func() (*holdfast.Policy, error) { return c.compile(opts, stubs, formatted, nil) }
	s := c.section(policySection)
	switch {
	case c.alone(stubs):
		return compile()
	case s.label != "":
		return opts.policies.get(named{file: c.policyName(), formatted: formatted}, compile)
	case opts.Source != nil:
		return opts.policies.get(named{section: s, formatted: formatted}, compile)
	}
	return c.archive.policies.get(written{s, opts.Compile, formatted}, compile)
}

// compile compiles the policy with parameters that are known at load.
func (c *Case) compile(opts *Options, stubs []*stub, formatted bool, input map[string]any) (*holdfast.Policy, error) {
	compile := holdfast.Options{}
	if opts.Compile != nil {
		compile = *opts.Compile
	}
	compile.Detectors = stubbed(compile.Detectors, stubs)
	if files := c.files(workspaceSection); len(files) > 0 {
		compile.Workspace = files
	}
	compile.Input = input
	compile.Reveal = true // a case holds what it wants to be said, and no secrets
	text, done, err := c.open(opts, &compile)
	if err != nil {
		return nil, err
	}
	defer done()
	if opts.Source != nil {
		text = opts.Source(c.policyName(), text)
	}
	if formatted {
		if text, err = syntax.Format(diag.NewFile(c.policyName(), text)); err != nil {
			return nil, err
		}
	}
	return holdfast.Compile(c.policyName(), text, &compile)
}

// stubbed returns detectors with those that a case answers for.
func stubbed(detectors map[string]detect.Detector, stubs []*stub) map[string]detect.Detector {
	if len(stubs) == 0 {
		return detectors
	}
	out := map[string]detect.Detector{}
	maps.Copy(out, detectors)
	for _, s := range stubs {
		out[s.name] = s
	}
	return out
}

// open reads the policy and sets what it imports from. Done is to be called
// when it is compiled.
func (c *Case) open(opts *Options, compile *holdfast.Options) (text []byte, done func(), err error) {
	s := c.section(policySection)
	if s.label == "" {
		compile.Files = c.files("")
		return s.text, func() {}, nil
	}
	name := path.Clean(s.label)
	switch {
	case path.Ext(name) != ".gr":
		return nil, nil, fmt.Errorf("section %q: got no .gr file", s.name())
	case !fs.ValidPath(name):
		return nil, nil, fmt.Errorf("section %q: the path leads out of the folder of the case", s.name())
	case opts.Folder == nil:
		return nil, nil, errors.New("the case names its policy, and no folder was given to find it in")
	}
	if text, err = opts.Folder.ReadFile(name); err != nil {
		return nil, nil, fmt.Errorf("reading the policy: %w", err)
	}
	folder, err := opts.Folder.OpenRoot(path.Dir(name)) // imports do not lead out of it
	if err != nil {
		return nil, nil, fmt.Errorf("opening the folder of the policy: %w", err)
	}
	compile.Files = folder.FS()
	return text, func() { _ = folder.Close() }, nil // it was only read
}
