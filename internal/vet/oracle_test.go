// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/difftest"
	"github.com/holdfast-dev/holdfast/internal/vet"
)

var randomPolicies = flag.Int("vet.policies", 600, "how many random policies to vet")

// A claim is what vet says of a rule: that it is never violated, that it is
// wherever another one is.
type claim struct {
	code   string
	rule   int
	beside int // of P0504
}

// claims returns what vet proves of the rules of a policy.
func claims(t *testing.T, policy *holdfast.Policy) []claim {
	t.Helper()
	prog, _, _, _ := policy.Inside(t.Context(), nil)
	at := map[int]int{}
	for i, r := range policy.Rules() {
		at[r.Line] = i
	}
	var out []claim
	for _, d := range vet.Vet(prog, nil) {
		line, _ := d.Span.Position()
		rule, ok := at[line]
		switch d.Code {
		case "P0501", "P0502", "P0504":
			if !ok {
				t.Fatalf("%s is not at a rule", d.Message)
			}
			c := claim{code: d.Code, rule: rule}
			if d.Code == "P0504" {
				other, _ := d.Notes[0].Span.Position()
				c.beside = at[other]
			}
			out = append(out, c)
		case "P0516": // of a flow inside its rule
			for i, r := range policy.Rules() {
				if r.Line < line && (i+1 == len(policy.Rules()) || policy.Rules()[i+1].Line > line) {
					out = append(out, claim{code: "P0501", rule: i})
				}
			}
		}
	}
	return out
}

// holds compares claims with what a trace comes to.
func (c claim) holds(violated, unknown []bool) bool {
	switch c.code {
	case "P0501":
		return !violated[c.rule]
	case "P0504":
		return (!violated[c.rule] || violated[c.beside]) && (!unknown[c.rule] || violated[c.beside] || unknown[c.beside])
	}
	return true
}

// TestRandomPolicies vets policies of all the language has, and looks at what
// it claims on traces that were made for others, too.
func TestRandomPolicies(t *testing.T) {
	lib := fstest.MapFS{"lib.gr": {Data: []byte("WHO := [\"bob\", \"a\"]\nsends(c: ToolCall) := c is tool:send\n")}}
	made, loaded := 0, 0
	for n := range *randomPolicies {
		c := difftest.Generate(11, uint64(n))
		policy, err := holdfast.Compile("policy.gr", []byte(c.Policy), &holdfast.Options{Files: lib})
		if err != nil {
			continue
		}
		loaded++
		all := claims(t, policy)
		made += len(all)
		for k := 0; k < 8 && len(all) > 0; k++ {
			tr := difftest.Generate(11, uint64(n+k)).Trace()
			violated, unknown := judged(t, policy, tr)
			for _, claim := range all {
				if !claim.holds(violated, unknown) {
					t.Fatalf("policy %d: %+v, but\n%s\n%s", n, claim, c.Policy, tr)
				}
			}
		}
	}
	t.Logf("%d policies, %d claims", loaded, made)
}

// TestCorpus holds the claims about the policies of the corpus to their
// traces.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("../../testdata/spec/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("looking for cases: %d files, error %v", len(files), err)
	}
	made := 0
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		section := map[string]string{}
		for _, f := range txtar.Parse(src).Files {
			section[f.Name] = string(f.Data)
		}
		policy, err := holdfast.Compile("policy.gr", []byte(section["policy"]), nil)
		if err != nil || section["trace"] == "" {
			continue
		}
		all := claims(t, policy)
		made += len(all)
		if len(all) == 0 || section["input"] != "" {
			continue
		}
		violated, unknown := judged(t, policy, section["trace"])
		for _, claim := range all {
			if !claim.holds(violated, unknown) {
				t.Errorf("%s: %+v is not so", name, claim)
			}
		}
	}
	t.Logf("%d files, %d claims", len(files), made)
}

// TestFixesOfRandomPolicies mends policies: the result loads, and rules come to
// what they came to where a fix says so.
func TestFixesOfRandomPolicies(t *testing.T) {
	lib := fstest.MapFS{"lib.gr": {Data: []byte("WHO := [\"bob\", \"a\"]\nsends(c: ToolCall) := c is tool:send\n")}}
	opts := &holdfast.Options{Files: lib}
	fixed := 0
	for n := range 300 {
		c := difftest.Generate(12, uint64(n))
		policy, err := holdfast.Compile("policy.gr", []byte(c.Policy), opts)
		if err != nil {
			continue
		}
		prog, _, _, _ := policy.Inside(t.Context(), nil)
		mended, err := vet.Mend(vet.Vet(prog, &vet.Options{Only: func(name string) bool { return name == "policy.gr" }}))
		if err != nil {
			t.Fatalf("policy %d: %v\n%s", n, err, c.Policy)
		}
		if len(mended) == 0 {
			continue
		}
		after, err := holdfast.Compile("policy.gr", mended[0].Text, opts)
		if err != nil {
			t.Fatalf("policy %d: %v\n%s\nbecomes\n%s", n, err, c.Policy, mended[0].Text)
		}
		fixed++
		if slices.ContainsFunc(mended[0].Fixes, func(fix *vet.Fix) bool { return !fix.Keeps }) {
			continue
		}
		v1, u1 := judged(t, policy, c.Trace())
		v2, u2 := judged(t, after, c.Trace())
		if !slices.Equal(v1, v2) || !slices.Equal(u1, u2) {
			t.Fatalf("policy %d: got %v %v, want %v %v\n%s", n, v2, u2, v1, u1, c.Policy)
		}
	}
	if fixed < 50 {
		t.Errorf("only %d policies were mended", fixed)
	}
}
