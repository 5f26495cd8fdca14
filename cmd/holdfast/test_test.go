// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"
)

// TestQuickstartTests runs the cases beside the policy that the README shows:
// one that violates it, one that does not.
func TestQuickstartTests(t *testing.T) {
	code, stdout, stderr := command(t, "test", "examples/quickstart", "-v")
	if code != exitClean || stderr != "" || strings.Count(stdout, "pass examples/quickstart/policy_test.txtar: ") != 2 {
		t.Errorf("got exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestTestJSON holds the document to its schema.
func TestTestJSON(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.txtar": "Why.\n-- policy --\nraise \"x\" if:\n    (m: Message)\n-- trace --\n[]\n-- case a --\n-- want --\nallow\n" +
			"-- case b --\n-- want --\ndeny\n-- case c --\n-- options --\n[]\n",
		"b_test.txtar": "nothing",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if code := run([]string{"test", dir, "--format", "json"}, strings.NewReader(""), &out, &out); code != exitFailure {
		t.Fatalf("got exit code %d: %s", code, &out)
	}
	for _, want := range []string{`"passed":1,"failed":2,"errors":1`, `"want":"deny\n","got":"allow\n"`, `"problem":"reading section options: `} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got %s, want %s in it", &out, want)
		}
	}
	schema, err := jsonschema.NewCompiler().Compile("../../docs/test.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestEscapeJSONText(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": "plain é 😀"}`:             `{"a": "plain é 😀"}`,
		"\"tag \U000e0041 bidi \u202e\"": `"tag \udb40\udc41 bidi \u202e"`,
	} {
		if got := escapeJSONText(in); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestDiffLines(t *testing.T) {
	long := strings.Repeat("x\n", 10)
	for _, tt := range []struct{ want, got, diff string }{
		{"a\nb\nc\n", "a\nc\n", " a|-b| c"},
		{"a\nc\n", "a\nb\nc\n", " a|+b| c"},
		{"a\nb\n", "b\na\n", "-a| b|+a"},
		{"", "allow\n", "+allow"},
		{"a\n\n", "a\n", " a|-"},
		{"a \n", "a\n", "-a  (ends with a blank)|+a"},
		{long + "a\n" + long, long + "b\n" + long, " (7 lines alike)| x| x| x|-a|+b| x| x| x| (7 lines alike)"},
	} {
		_, body, _ := strings.Cut(diffLines(tt.want, tt.got), "+++ got\n")
		if got := strings.ReplaceAll(strings.TrimSuffix(body, "\n"), "\n", "|"); got != tt.diff {
			t.Errorf("%q, %q: got %s, want %s", tt.want, tt.got, got, tt.diff)
		}
	}
	many := strings.Repeat("a\n", 3000)
	if got := diffLines(many, strings.Repeat("b\n", 3000)); strings.Count(got, "\n-a")+strings.Count(got, "\n+b") != 6000 {
		t.Error("lines of long texts are lost")
	}
}

func TestGoFlags(t *testing.T) {
	for in, want := range map[string]string{
		"test -run x -v -update":  "test --run x -v --update",
		"test -run=-run -- -run":  "test --run=-run -- -run",
		"test --run x -timeout=1": "test --run x --timeout=1",
		"check -run x":            "check -run x",
		"":                        "",
	} {
		if got := strings.Join(goFlags(strings.Fields(in)), " "); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// A told writer says what was written.
type told chan string

func (w told) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}

// TestWatch runs once at first, not again at a tick without a change, and again
// after one, until it is interrupted.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a_test.txtar")
	write := func(want string) {
		text := "-- policy --\nraise \"x\" if:\n    (m: Message)\n-- trace --\n[]\n-- want --\n" + want + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("allow")
	out := told(make(chan string))
	cmd := &cobra.Command{}
	cmd.SetOut(out)
	cmd.SetErr(out)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	run := &testRun{testFlags: &testFlags{format: "text"}, cmd: cmd, args: []string{dir}, only: regexp.MustCompile("")}
	tick, done, looks := make(chan time.Time), make(chan error), make(chan map[string]stamp)
	go func() { done <- run.watch(ctx, tick, func() map[string]stamp { return <-looks }) }()
	expect := func(want string) {
		t.Helper()
		if got := <-out; !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	looks <- map[string]stamp{file: {size: 1}}
	expect("pass: 1 case")
	tick <- time.Time{}
	looks <- map[string]stamp{file: {size: 1}} // and nothing is said before the next tick
	tick <- time.Time{}
	write("allow and more")
	looks <- map[string]stamp{file: {size: 2}}
	expect("changed: " + file)
	expect("FAIL: 1 of 1 case")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	tick <- time.Time{}
	looks <- nil
	expect("changed: " + file)
	expect("found no case")
	cancel()
	if err := <-done; err != nil {
		t.Errorf("got %v", err)
	}
}

// TestStamps looks at what cases depend on, in hidden folders not.
func TestStamps(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a_test.txtar", "below/lib.star", "below/mail.gr", "notes.md", ".git/x.gr"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "a_test.txtar")} {
		got := (&testRun{args: []string{path, "missing"}}).stamps()
		if len(got) != 3 {
			t.Errorf("%s: got %v", path, got)
		}
	}
}

func TestChanges(t *testing.T) {
	before := map[string]stamp{"same": {size: 1}, "gone": {}, "longer": {size: 1}, "later": {}}
	now := map[string]stamp{"same": {size: 1}, "new": {}, "longer": {size: 2}, "later": {modified: time.Unix(1, 0)}}
	if got, want := changes(before, now), []string{"later", "longer", "new", "gone"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestInterruptedTests says that not all was run.
func TestInterruptedTests(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	cmd := rootCommand()
	cmd.SetArgs([]string{"test", root + "/examples/quickstart"})
	cmd.SetOut(&out)
	if code := exitCode(cmd.ExecuteContext(ctx), &out); code != exitFailure || !strings.Contains(out.String(), "interrupted: only 0 cases were run") {
		t.Errorf("got exit code %d: %s", code, &out)
	}
}

func TestTestsIntoABrokenPipe(t *testing.T) {
	for _, format := range []string{"text", "json", "junit", "sarif"} { // github has nothing to say of what passes
		var stderr strings.Builder
		code := run([]string{"test", root + "/examples/quickstart", "--format", format}, strings.NewReader(""), closedPipe{}, &stderr)
		if want := "writing output: broken pipe"; code != exitFailure || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: got exit code %d and %q, want %d and %q", format, code, stderr.String(), exitFailure, want)
		}
	}
}
