// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		if err := os.RemoveAll(built); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// built is the folder of the command that pages run, once it is built.
var built string

// build builds the command once for all pages.
var build = sync.OnceValue(func() error {
	var err error
	if built, err = os.MkdirTemp("", "holdfast-docs-"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", built+string(filepath.Separator), "../cmd/holdfast").CombinedOutput()
	if err != nil {
		return fmt.Errorf("building the command: %w\n%s", err, out)
	}
	return nil
})

// A shell runs the commands of a page as its reader would type them.
type shell struct {
	dir  string
	code int               // of the command before
	name *strings.Replacer // of what is called otherwise where the reader is
}

// newShell returns a shell in a folder, with the command on its path.
func newShell(t *testing.T, dir string) *shell {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the commands of the page need a POSIX shell")
	}
	if err := build(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", built+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return &shell{dir: dir, name: strings.NewReplacer()}
}

// run runs one command and returns what it prints on both streams.
func (s *shell) run(t *testing.T, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", fmt.Sprintf("(exit %d)\n%s", s.code, command))
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	s.code = 0
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		s.code = failed.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	return string(out)
}

// passing is what differs from run to run or with every edit: the time that a
// test took, the line that reports.
var passing = regexp.MustCompile(`\(cached\)|\b[0-9]+\.[0-9]{2,3}s\b|\b\w+\.go:[0-9]+:`)

// session runs the commands of a console block, lines that begin with `$ `
// (`> ` goes on with the last), and returns the block as it should be.
func (s *shell) session(t *testing.T, block string) string {
	t.Helper()
	var out strings.Builder
	for part := range strings.SplitSeq("\n"+block, "\n$ ") {
		if part == "" {
			continue
		}
		command, shown, _ := strings.Cut(part, "\n")
		for more, ok := strings.CutPrefix(shown, "> "); ok; more, ok = strings.CutPrefix(shown, "> ") {
			line, rest, _ := strings.Cut(more, "\n")
			command, shown = command+"\n"+line, rest
		}
		printed := trimLines(s.name.Replace(s.run(t, command)))
		if passing.ReplaceAllString(printed, "") == passing.ReplaceAllString(trimLines(shown), "") {
			printed = trimLines(shown)
		}
		out.WriteString("$ " + strings.ReplaceAll(command, "\n", "\n> ") + "\n" + printed)
	}
	return out.String()
}

// trimLines drops the blanks at line ends, which a page should not hold, and
// ends what is left with one line feed.
func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	if text = strings.TrimRight(strings.Join(lines, "\n"), "\n"); text == "" {
		return ""
	}
	return text + "\n"
}
