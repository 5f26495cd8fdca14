// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policies_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/coverage"
	"github.com/holdfast-dev/holdfast/internal/mutate"
	"github.com/holdfast-dev/holdfast/internal/vet"
	"github.com/holdfast-dev/holdfast/policies"
	"github.com/holdfast-dev/holdfast/policytest"
)

// A tested policy has its cases, and how they are run.
type tested struct {
	name  string
	src   []byte
	cases []*policytest.Case
	opts  *policytest.Options
}

func open(t *testing.T, name string) *tested {
	t.Helper()
	out := &tested{name: name}
	var err error
	if out.src, err = policies.Read(name + "/" + name + ".gr"); err != nil {
		t.Fatal(err)
	}
	folder, err := os.OpenRoot(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	out.opts = &policytest.Options{Compile: &holdfast.Options{Detectors: local.Detectors()}, Folder: folder}
	files, err := filepath.Glob(filepath.Join(name, "*_test.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := policytest.Cases(file, src)
		if err != nil {
			t.Fatal(err)
		}
		out.cases = append(out.cases, cases...)
	}
	return out
}

// TestNoticed: every rule and condition is seen both ways in the cases of its
// policy, and no small change of a policy goes unnoticed.
func TestNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("it tries some 700 changes")
	}
	for _, name := range policies.Names() {
		t.Run(name, func(t *testing.T) {
			p := open(t, name)
			p.covered(t)
			p.mutated(t)
		})
	}
}

func (p *tested) covered(t *testing.T) {
	t.Helper()
	var c coverage.Collector
	for _, test := range p.cases {
		policy, run, opts, err := test.Open(p.opts)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Add(t.Context(), policy, nil, opts, run); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range c.Parts() {
		if !part.Seen() {
			t.Errorf("line %d: no case violates %s", part.Line, part.Name)
		}
		for _, cond := range part.Conditions {
			if !cond.Seen() {
				t.Errorf("line %d: %s is not seen to be both true and false", cond.Line, cond.Text)
			}
		}
	}
}

func (p *tested) mutated(t *testing.T) {
	t.Helper()
	subject := mutate.Subject{Policy: diag.NewFile(p.name+".gr", p.src)}
	for _, test := range p.cases {
		subject.Tests = append(subject.Tests, mutate.Test{Case: test, Options: p.opts, Name: p.name + ".gr"})
	}
	outcomes, err := subject.Run(t.Context(), func(ctx context.Context, c *policytest.Case, opts *policytest.Options) bool {
		return len(c.Check(ctx, opts)) == 0
	})
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, o := range outcomes {
		switch o.Status {
		case mutate.Survived:
			t.Errorf("line %d: no case notices %s", o.Line, o.String())
		case mutate.Killed:
			killed++
		case mutate.Equivalent, mutate.Invalid:
		}
	}
	if killed < 2*len(p.cases) {
		t.Errorf("only %d changes were tried", killed)
	}
	t.Logf("%d cases, %d changes noticed", len(p.cases), killed)
}

// TestVetted: vet has nothing to say.
func TestVetted(t *testing.T) {
	for _, name := range policies.Names() {
		p := open(t, name)
		compiled, err := holdfast.Compile(name+".gr", p.src, p.opts.Compile)
		if err != nil {
			t.Fatal(err)
		}
		prog, _, _, err := compiled.Inside(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range vet.Vet(prog, nil) {
			t.Errorf("%s: %v", name, d.Diagnostic)
		}
	}
}

// TestKinds: among the cases of a policy are a violation, a near miss, an
// evasion and an unknown, and they say which they are.
func TestKinds(t *testing.T) {
	for _, name := range policies.Names() {
		text, err := os.ReadFile(filepath.Join(name, name+"_test.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"\ndeny at ", "\nA near miss: ", "\nAn evasion: ", "\nUnknown: ", "\nunknown deny at "} {
			if !strings.Contains(string(text), kind) {
				t.Errorf("%s has no case with %q", name, kind)
			}
		}
	}
}
