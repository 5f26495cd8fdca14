// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policies_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/policies"
	"github.com/holdfast-dev/holdfast/syntax"
)

// goals are what the attacks of AgentDojo and InjecAgent want: the words are
// here, so that the test says something where the data are not at hand.
var goals = []string{
	"us133000000121212121212", "mark.black-2134", "secure-systems-252", "my-website-234", "true-informations", "riverside view",
	"jay@google.com", "luxury palace", "new_password", "dora-website", "amy.watson@gmail.com",
}

// TestNoAttackConstants: no policy, and no case of one, has a word of an attack
// that a data set records.
func TestNoAttackConstants(t *testing.T) {
	constants := map[string]bool{}
	for _, g := range goals {
		constants[g] = true
	}
	for _, c := range recordedConstants(t) {
		constants[c] = true
	}
	for name, text := range texts(t, ".gr", ".txtar") {
		for c := range constants {
			if strings.Contains(text, c) {
				t.Errorf("%s knows %q, which is of an attack", name, c)
			}
		}
	}
}

// texts are the files of the library with these endings, in small letters.
func texts(t *testing.T, endings ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		for _, e := range endings {
			if err == nil && strings.HasSuffix(path, e) {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				out[path] = strings.ToLower(string(text))
			}
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("reading the library: %d files, %v", len(out), err)
	}
	return out
}

// constant are addresses of mail, hosts and accounts.
var constant = regexp.MustCompile(`(?i)[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\bwww\.[\w-]+(?:\.[\w-]+)+|\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b`)

// recordedConstants are those of the recorded attacks, none where these are
// not at hand.
func recordedConstants(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, file := range []string{"attacker_cases_dh.jsonl", "attacker_cases_ds.jsonl"} {
		text, err := os.ReadFile(filepath.Join(recorded, "injecagent", file))
		if err == nil {
			out = append(out, constant.FindAllString(strings.ToLower(string(text)), -1)...)
		}
	}
	runs := filepath.Join(recorded, "agentdojo", "gpt-4o-2024-05-13.jsonl.xz")
	if _, err := os.Stat(runs); err != nil {
		return out
	}
	for r := range source.Records(t.Context(), []string{runs}, &source.Options{}) {
		var run struct {
			Injections map[string]string `json:"injections"`
		}
		if err := json.Unmarshal([]byte(r.Text), &run); err != nil {
			t.Fatalf("%s:%d: %v", r.Path, r.Line, err)
		}
		for _, injected := range run.Injections {
			out = append(out, constant.FindAllString(strings.ToLower(injected), -1)...)
		}
	}
	if len(out) < len(goals) {
		t.Errorf("the recorded attacks have %d constants", len(out))
	}
	return out
}

// TestShared: each policy stands alone, so each has what it means by the name of
// a tool; it is the same in all.
func TestShared(t *testing.T) {
	texts := map[string][]string{}
	for _, name := range policies.Names() {
		src, err := policies.Read(name + "/" + name + ".gr")
		if err != nil {
			t.Fatal(err)
		}
		file, list := syntax.Parse(diag.NewFile(name, src))
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		for _, s := range file.Stmts {
			if p, ok := s.(*syntax.Predicate); ok && p.Name.Name == "named" {
				texts[p.Span().Text()] = append(texts[p.Span().Text()], name)
			}
		}
	}
	if len(texts) != 1 {
		t.Errorf("the predicate named is not the same in all: got %d of them, %v", len(texts), texts)
	}
}
