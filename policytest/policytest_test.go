// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/policytest"
)

// A recorder is a Reporter that keeps what it is told.
type recorder struct{ reports []string }

func (r *recorder) Errorf(format string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(format, args...))
}

// archive makes a case that shouts about "bad".
func archive(want string) string {
	return `Why it exists.
-- policy --
# id: shout
raise "bad word" if:
    (m: Message)
    "bad" in m.content
-- trace --
[{"role": "user", "content": "a bad day"}, {"role": "user", "content": "fine"}]
-- want --
` + want
}

// reports runs a case and returns what it reports.
func reports(t *testing.T, src string, opts *policytest.Options) []string {
	t.Helper()
	c, err := policytest.Parse("case.txtar", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if c.Comment != "Why it exists." {
		t.Errorf("got comment %q", c.Comment)
	}
	var r recorder
	c.Run(&r, opts)
	return r.reports
}

func TestCasesThatHold(t *testing.T) {
	for _, want := range []string{
		"deny at 0: bad word (m=0)\n",
		"show ids\ndeny shout at 0: bad word (m=0)\n",
		"show spans\ndeny at 0: bad word (m=0) [0 0.content:2-5]\n",
		"show ids spans counts warnings\ndeny shout at 0: bad word (m=0) [0 0.content:2-5]\ncount shout 1\n",
	} {
		if got := reports(t, archive(want), nil); len(got) > 0 {
			t.Errorf("%q: %s", want, strings.Join(got, "\n"))
		}
	}
}

func TestCasesThatFail(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"other verdict", archive("allow\n"), "case.txtar: got\n\tdeny at 0: bad word (m=0)\nwant\n\tallow\n"},
		{"no want", archive(""), "want\n\t(nothing)"},
		{"unknown show", archive("show everything\n"), "got show everything, want ids, spans, counts or warnings"},
		{"policy that does not load", strings.Replace(archive("allow\n"), "m.content", "m.contnt", 1), "error at 4:16: P0203:"},
		{"trace that cannot be read", strings.Replace(archive("allow\n"), `"user"`, `"robot"`, 1), "trace error: line 1 at 0.role"},
		{"options", archive("allow\n-- options --\n{\"on_unknown\": \"shrug\"}\n"), `got "shrug", want deny, ask, warn or allow`},
		{"misspelt option", archive("allow\n-- options --\n{\"onunknown\": \"ask\"}\n"), "unknown field"},
		{"input", archive("allow\n-- input --\n[]\n"), "reading section input"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(reports(t, tt.src, nil), "\n")
			if !strings.Contains(got, tt.want) {
				t.Errorf("got report %q, want one with %q", got, tt.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for src, want := range map[string]string{
		"-- policy --\n":    `there is no section "trace"`,
		"-- trace --\n[]\n": `there is no section "policy"`,
		"-- policy --\n-- trace --\n-- policy --\nx": `section "policy" is there twice`,
	} {
		_, err := policytest.Parse("case.txtar", []byte(src))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error with %q", src, err, want)
		}
	}
}

func TestUpdateRewritesTheWantAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "case.txtar")
	if err := os.WriteFile(file, []byte(archive("show ids\nallow\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	policytest.Run(t, file, &policytest.Options{Update: true})
	got, err := os.ReadFile(file)
	if want := archive("show ids\ndeny shout at 0: bad word (m=0)\n"); err != nil || string(got) != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}
