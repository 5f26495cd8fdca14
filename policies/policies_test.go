// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policies_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/policies"
	"github.com/holdfast-dev/holdfast/policytest"
	"github.com/holdfast-dev/holdfast/syntax"
)

// leastCases is how many cases a policy has to have: a violation, a near miss,
// an evasion and an unknown among them.
const leastCases = 8

func TestFind(t *testing.T) {
	names := policies.Names()
	if !slices.Contains(names, "exfiltration") || !slices.IsSorted(names) {
		t.Errorf("got the policies %q", names)
	}
	for name, want := range map[string]string{
		"exfil": "exfiltration", "exfiltration": "exfiltration", "": "", ".": "", "exfiltration/exfiltration": "", "../policies": "", "nothing": "",
	} {
		if got, ok := policies.Find(name); ok != (want != "") || got != want && ok {
			t.Errorf("%q: got %q, %t", name, got, ok)
		}
	}
}

// TestPolicies holds each policy to what the library promises of it.
func TestPolicies(t *testing.T) {
	for _, name := range policies.Names() {
		t.Run(name, func(t *testing.T) {
			src, err := policies.Read(name + "/" + name + ".gr")
			if err != nil {
				t.Fatal(err)
			}
			p, err := holdfast.Compile(name+".gr", src, &holdfast.Options{Detectors: local.Detectors()})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range p.Warnings() {
				t.Errorf("a warning: %v", w)
			}
			described(t, name, p)
			if out, err := syntax.Format(diag.NewFile(name+".gr", src)); err != nil || string(out) != string(src) {
				t.Errorf("it is not formatted: %v", err)
			}
			page, err := os.ReadFile(filepath.Join(name, "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range p.Inputs() {
				if !strings.Contains(string(page), "`"+in.Name+"`") {
					t.Errorf("its page does not name the parameter %q", in.Name)
				}
			}
		})
	}
}

// described checks that rules and parameters say what they are.
func described(t *testing.T, name string, p *holdfast.Policy) {
	t.Helper()
	for _, r := range p.Rules() {
		if !strings.HasPrefix(r.ID, name+"/") || r.Title == "" || r.Severity == "" || len(r.Tags) == 0 {
			t.Errorf("rule %s lacks an id that begins with %s/, a title, a severity or tags", r.ID, name)
		}
	}
	for _, in := range p.Inputs() {
		if !in.Declared || in.Doc == "" {
			t.Errorf("parameter %q is not declared, or nothing is said of it", in.Name)
		}
	}
	if len(p.Rules()) == 0 {
		t.Error("it has no rules")
	}
}

// TestCases runs the cases of all policies.
func TestCases(t *testing.T) {
	for _, name := range policies.Names() {
		files, err := filepath.Glob(filepath.Join(name, "*_test.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			cases, err := policytest.Cases(file, src)
			if err != nil {
				t.Fatal(err)
			}
			n += len(cases)
			policytest.Run(t, file, &policytest.Options{Compile: &holdfast.Options{Detectors: local.Detectors()}})
		}
		if n < leastCases {
			t.Errorf("%s has %d cases, want %d at least", name, n, leastCases)
		}
	}
}
