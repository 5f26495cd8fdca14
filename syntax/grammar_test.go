// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// production is a production in grammar.txt; commented is one in the comment of
// a parse function.
var (
	production = regexp.MustCompile(`(?m)^(\w+) = (.*) \.$`)
	commented  = regexp.MustCompile(`(?m)^//\t(\w+) = (.*) \.$`)
	quoted     = regexp.MustCompile(`"[^"]*"`)
	symbol     = regexp.MustCompile(`[A-Za-z_]+`)
)

// productions reads grammar.txt.
func productions(t *testing.T) (text string, byName map[string]string) {
	t.Helper()
	src, err := os.ReadFile("grammar.txt")
	if err != nil {
		t.Fatal(err)
	}
	byName = map[string]string{}
	for _, m := range production.FindAllStringSubmatch(string(src), -1) {
		if byName[m[1]] != "" {
			t.Errorf("%s is defined twice", m[1])
		}
		byName[m[1]] = m[2]
	}
	return string(src), byName
}

// TestGrammarIsClosed checks that every name is defined and used.
func TestGrammarIsClosed(t *testing.T) {
	text, defined := productions(t)
	used := map[string]bool{"file": true}
	for name, body := range defined {
		for _, s := range symbol.FindAllString(quoted.ReplaceAllString(body, ""), -1) {
			used[s] = true
			switch {
			case s == strings.ToUpper(s):
				if !strings.Contains(text, "# "+s+" ") && !strings.Contains(text, s+" is") && !strings.Contains(text, s+"\n") {
					t.Errorf("%s: %s is not described", name, s)
				}
			case defined[s] == "":
				t.Errorf("%s: %s is not defined", name, s)
			}
		}
	}
	for name := range defined {
		if !used[name] {
			t.Errorf("%s is not used", name)
		}
	}
}

// TestGrammarIsTheParsers checks that the productions in the comments of the
// parser are those of the grammar.
func TestGrammarIsTheParsers(t *testing.T) {
	_, want := productions(t)
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range commented.FindAllStringSubmatch(string(src), -1) {
			got[m[1]] = m[2]
		}
	}
	for name, body := range want {
		if got[name] != body {
			t.Errorf("%s: got %q in the parser, want %q", name, got[name], body)
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s is not in grammar.txt", name)
		}
	}
}
