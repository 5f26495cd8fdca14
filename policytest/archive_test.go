// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/policytest"
)

// several is a file of two cases that share a policy and a trace.
const several = `About shouting.
-- policy --
raise "loud" if:
    (m: Message)
    input.word in m.content
-- trace --
[{"role": "user", "content": "a bad day"}]
-- input --
{"word": "bad"}
-- case it is there --
The word of all.
-- want --
deny at 0: loud (m=0)
-- case it is not there --
-- input --
{"word": "good"}
-- want --
allow
`

func TestSeveralCases(t *testing.T) {
	cases, err := policytest.Cases("f.txtar", []byte(several))
	if err != nil || len(cases) != 2 {
		t.Fatalf("got %d cases, %v", len(cases), err)
	}
	if c := cases[0]; c.Name != "f.txtar: it is there" || c.Comment != "The word of all." || c.Line != 10 {
		t.Errorf("got %q %q %d", c.Name, c.Comment, c.Line)
	}
	for _, c := range cases {
		if failed := c.Check(t.Context(), nil); len(failed) > 0 {
			t.Errorf("%s: %s", c.Name, failed[0])
		}
	}
	cases, err = policytest.Cases("f.txtar", []byte(strings.ReplaceAll(several, "\n", "\r\n")))
	if err != nil || len(cases[0].Check(t.Context(), nil)) > 0 {
		t.Errorf("with carriage returns: %v", err)
	}
	_, several, _ := strings.Cut(several, "\n")
	if cases, err = policytest.Cases("f.txtar", []byte("\ufeff"+several)); err != nil || len(cases[0].Check(t.Context(), nil)) > 0 {
		t.Errorf("with a byte order mark: %v", err)
	}
	if _, err := policytest.Parse("f.txtar", []byte(several)); err == nil || !strings.Contains(err.Error(), "there are 2 cases, want one") {
		t.Errorf("got %v", err)
	}
}

// TestUpdateOfOneOfSeveral rewrites a want, and adds one that is missing, in
// its own case.
func TestUpdateOfOneOfSeveral(t *testing.T) {
	want := strings.Replace(several, "[{", "[{\"role\": \"system\", \"content\": \"x\"}, {", 1)
	want = strings.Replace(want, "deny at 0: loud (m=0)", "deny at 1: loud (m=1)", 1)
	src := strings.Replace(want, "-- want --\ndeny at 1: loud (m=1)\n", "", 1)
	file := filepath.Join(t.TempDir(), "f.txtar")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	policytest.Run(t, file, &policytest.Options{Update: true})
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

func TestCasesRefuse(t *testing.T) {
	const rest = "-- trace --\n[]\n-- want --\nallow\n"
	for src, want := range map[string]string{
		"":                    `reading f.txtar:1: there is no section "policy"`,
		"-- case --\n" + rest: `reading f.txtar:1: a case needs a name`,
		"-- policy --\n-- case a --\n" + rest + "-- case a --\n" + rest: `reading f.txtar:7: case "a" is there twice`,
		"-- policy --\n-- case a --\n":                                  `reading f.txtar:2: there is no section "trace"`,
		"-- policy --\n-- want --\n-- case a --\n" + rest:               `reading f.txtar:2: what is wanted stands before the first case`,
		"-- policy --\n-- policy p.gr --\n-- case a --\n" + rest:        `reading f.txtar:2: section "policy p.gr" is there twice`,
		"-- policy p.gr --\nraise\n" + rest:                             `section "policy p.gr" names a file, so there can be no text below it`,
		"-- policy p.gr --\n-- lib.gr --\n" + rest:                      `section "lib.gr" is no part of a case whose policy stands in a file`,
		"-- policy --\n-- case a --\n-- lib.gr --\n-- lib.gr --\n":      `reading f.txtar:4: section "lib.gr" is there twice`,
	} {
		_, err := policytest.Cases("f.txtar", []byte(src))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error with %q", src, err, want)
		}
	}
}

// folder makes a folder with a policy below it that imports.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mail/mail.gr":   "from ./people import known\nraise \"stranger\" if:\n    (c: ToolCall)\n    not known(c.arguments.to)\n",
		"mail/people.gr": "known(address) := address == \"bob\"\n",
		"mail/out.gr":    "from ./link import known\nraise \"x\" if:\n    (c: ToolCall)\n    known(c.id)\n",
		"people.gr":      "known(address) := false\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// named makes a case of a policy that stands in a file.
func named(path, want string) string {
	return "-- policy " + path + ` --
-- trace --
[{"role": "assistant", "content": null, "tool_calls": [
  {"id": "1", "type": "function", "function": {"name": "send", "arguments": {"to": "eve"}}}]}]
-- want --
` + want
}

// runNamed writes a case into a folder and runs it there.
func runNamed(t *testing.T, dir, src string) string {
	t.Helper()
	file := filepath.Join(dir, "case_test.txtar")
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	var r recorder
	policytest.Run(&r, file, nil)
	return strings.Join(r.reports, "\n")
}

func TestPolicyInAFile(t *testing.T) {
	dir := folder(t)
	if got := runNamed(t, dir, named("mail/mail.gr", "deny at 0: stranger (c=0)\n")); got != "" {
		t.Errorf("got %s", got)
	}
	if err := os.Symlink(filepath.Join(dir, "people.gr"), filepath.Join(dir, "mail", "link.gr")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "mail", "up")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"mail/none.gr":    "reading the policy: ",
		"../mail/mail.gr": "the path leads out of the folder of the case",
		"/etc/mail.gr":    "the path leads out of the folder of the case",
		"mail/mail":       "got no .gr file",
		"mail/up/m.gr":    "reading the policy: ",
		"mail/out.gr":     "error at 1:6: P0206", // by a link out of its folder
	} {
		if got := runNamed(t, dir, named(path, "allow\n")); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want a report with %q", path, got, want)
		}
	}
	c, err := policytest.Parse("case.txtar", []byte(named("mail/mail.gr", "allow\n")))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Check(t.Context(), nil); len(got) != 1 || !strings.Contains(got[0].Problem, "no folder was given") {
		t.Errorf("got %v", got)
	}
}

// TestPolicyInAFileThatDoesNotLoad names the file only where it is another.
func TestPolicyInAFileThatDoesNotLoad(t *testing.T) {
	dir := folder(t)
	if err := os.WriteFile(filepath.Join(dir, "mail", "people.gr"), []byte("known(address) := sender == \"bob\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := runNamed(t, dir, named("mail/mail.gr", "allow\n")); !strings.Contains(got, "error at mail/people.gr:1:19: P0201: ") {
		t.Errorf("got %s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "mail", "mail.gr"), []byte("raise \"x\" if:\n    (m: Mesage)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := runNamed(t, dir, named("mail/mail.gr", "allow\n")); !strings.Contains(got, "error at 2:9: P0202: ") {
		t.Errorf("got %s", got)
	}
}
