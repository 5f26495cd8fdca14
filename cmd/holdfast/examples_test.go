// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the repository, from which the README's commands are run.
const root = "../.."

// command runs the command in the repository's root.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(root)
	var out, errs strings.Builder
	code = run(args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// TestPaperListings checks the corrected listings against their traces.
func TestPaperListings(t *testing.T) {
	violates := map[int]string{
		1: "deny: no code after reading mail",
		2: "deny: Data leakage risk",
		3: "deny: Do not leak secrets",
		4: "deny: Potentially unsafe code",
		5: "deny: No emails after reading PII",
	}
	for n := 1; n <= 5; n++ {
		listing := fmt.Sprintf("examples/paper/listing%d", n)
		t.Run(fmt.Sprintf("%d violates", n), func(t *testing.T) {
			code, stdout, stderr := command(t, "check", listing+".gr", listing+".violates.json")
			verdict, message, _ := strings.Cut(violates[n], ": ")
			if code != exitDenied || !strings.HasPrefix(stdout, listing+".violates.json: "+verdict) || !strings.Contains(stdout, message) {
				t.Errorf("got exit code %d, want %d and %q\n%s%s", code, exitDenied, violates[n], stdout, stderr)
			}
		})
		t.Run(fmt.Sprintf("%d clean", n), func(t *testing.T) {
			code, stdout, stderr := command(t, "check", listing+".gr", listing+".clean.json")
			if code != exitClean || stderr != "" {
				t.Errorf("got exit code %d, want %d\n%s%s", code, exitClean, stdout, stderr)
			}
		})
	}
}

// TestPaperListingsAsPrinted loads the listings as they are printed: each
// loads, or gets the diagnosis that stands beside it.
func TestPaperListingsAsPrinted(t *testing.T) {
	printed, err := filepath.Glob(root + "/examples/paper/*.printed.gr")
	if err != nil || len(printed) != 5 {
		t.Fatalf("got %d printed listings (%v), want 5", len(printed), err)
	}
	for _, path := range printed {
		path, _ = filepath.Rel(root, path)
		t.Run(filepath.Base(path), func(t *testing.T) {
			code, _, stderr := command(t, "explain", filepath.ToSlash(path))
			wantCode := exitClean
			if stderr != "" {
				wantCode = exitUsage
			}
			if code != wantCode {
				t.Errorf("got exit code %d, want %d\n%s", code, wantCode, stderr)
			}
			golden(t, strings.TrimSuffix(path, ".gr")+".txt", stderr)
		})
	}
}

// golden compares got with a file, which is not there if nothing is wanted.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		writeGolden(t, file, got)
	}
	want, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant, from %s,\n%s", got, file, want)
	}
}

func writeGolden(t *testing.T, file, got string) {
	t.Helper()
	err := os.WriteFile(file, []byte(got), 0o644)
	if err == nil && got == "" {
		err = os.Remove(file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fence matches the fenced blocks of the README.
var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// TestReadme holds the README to the code: its policy is the one of the
// quickstart, its commands print what it shows, its Go is part of a program
// that is tested, and it is short.
func TestReadme(t *testing.T) {
	t.Chdir(root)
	readme := readFile(t, "README.md")
	if lines := strings.Count(readme, "\n"); lines >= 150 {
		t.Errorf("got %d lines, want fewer than 150", lines)
	}
	blocks := map[string]int{}
	for _, m := range fence.FindAllStringSubmatch(readme, -1) {
		blocks[m[1]]++
		switch m[1] {
		case "python": // the nearest highlighting for policies
			if want := readFile(t, "examples/quickstart/policy.gr"); m[2] != want {
				t.Errorf("got the policy\n%s\nwant, from examples/quickstart,\n%s", m[2], want)
			}
		case "console":
			checkConsole(t, m[2])
		case "go":
			if !strings.Contains(dedent(readFile(t, "examples/embed/main.go")), dedent(m[2])) {
				t.Errorf("the Go of the README is not part of examples/embed/main.go:\n%s", m[2])
			}
		}
	}
	for _, language := range []string{"python", "console", "go"} {
		if blocks[language] == 0 {
			t.Errorf("the README has no block of %s", language)
		}
	}
}

// checkConsole runs the commands of a block, lines that begin with `$ `, and
// compares what they print with the lines that follow each.
func checkConsole(t *testing.T, block string) {
	t.Helper()
	for part := range strings.SplitSeq("\n"+block, "\n$ ") {
		line, want, _ := strings.Cut(part, "\n")
		args, ok := strings.CutPrefix(line, "go run ./cmd/holdfast ")
		if !ok {
			continue // empty, or a command of the go tool
		}
		var out strings.Builder
		run(strings.Fields(args), strings.NewReader(""), &out, &out)
		if got := strings.TrimSpace(out.String()); got != strings.TrimSpace(want) {
			t.Errorf("%s prints\n%s\nbut the README shows\n%s", line, got, want)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// dedent drops the indent of every line, so that an excerpt compares.
func dedent(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n")
}
