// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const (
	tutorial      = "../examples/tutorial"
	tutorialSteps = 10
)

// TestTutorial does what tutorial.md says, in a copy of its folder: it saves
// the policies, looks at the traces, types the commands, and holds the page to
// what comes out.
func TestTutorial(t *testing.T) {
	dir := copied(t, tutorial)
	writeFile(t, filepath.Join(dir, "go.mod"), tutorialModule(t))
	writeFile(t, filepath.Join(dir, "go.sum"), readFile(t, "../go.sum"))
	sh := newShell(t, dir)
	sh.name = strings.NewReplacer("tutorial.example", "github.com/holdfast-dev/holdfast/examples/tutorial")
	t.Setenv("GOFLAGS", "-mod=mod")
	p := readPage(t, "tutorial.md")
	var saved []fence
	p.fences(t, func(f fence) string {
		switch f.language {
		case "python": // the nearest highlighting for policies
			writeFile(t, filepath.Join(dir, f.label), f.text)
			saved = append(saved, f)
		case "console":
			return sh.session(t, f.text)
		case "txtar":
			writeFile(t, filepath.Join(dir, f.label), f.text)
		case "json":
			return readFile(t, filepath.Join(dir, f.label))
		case "go":
			src := readFile(t, filepath.Join(dir, f.label))
			return src[strings.Index(src, "\npackage ")+1:]
		case "sh": // once, to get here
		default:
			t.Errorf("tutorial.md:%d: a block of an unknown kind %q", f.line, f.language)
		}
		return f.text
	})
	p.finish(t)
	checkSteps(t, saved)
}

// tutorialModule makes the copy a module, so that its tests run there.
func tutorialModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	const module = "module github.com/holdfast-dev/holdfast"
	text := readFile(t, "../go.mod")
	return strings.Replace(text, module, "module tutorial.example", 1) +
		"\nrequire github.com/holdfast-dev/holdfast v0.0.0\n" +
		"\nreplace github.com/holdfast-dev/holdfast => " + root + "\n"
}

// checkSteps holds the cases beside the traces to the page: the policy of case
// NN is one that section NN shows, its other files are shown, and its trace is
// one of those in runs/.
func checkSteps(t *testing.T, saved []fence) {
	t.Helper()
	cases := files(t, tutorial, "[0-9][0-9]-*.txtar")
	if len(cases) != tutorialSteps {
		t.Errorf("%s has %d cases, want %d", tutorial, len(cases), tutorialSteps)
	}
	for _, name := range cases {
		archive, err := txtar.ParseFile(filepath.Join(tutorial, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if !shown(t, name, f, saved) {
				t.Errorf("%s: tutorial.md does not show its section %s", name, f.Name)
			}
		}
	}
}

// shown reports whether the page shows a section of a case.
func shown(t *testing.T, name string, f txtar.File, saved []fence) bool {
	t.Helper()
	switch f.Name {
	case "want", "input", "options":
		return true
	case "trace":
		return slices.ContainsFunc(files(t, tutorial, "runs/*.json"), func(run string) bool {
			return readFile(t, filepath.Join(tutorial, run)) == string(f.Data)
		})
	case "policy":
		step := strings.TrimPrefix(name[:2], "0") + " "
		return slices.ContainsFunc(saved, func(b fence) bool {
			return strings.HasPrefix(b.heading, step) && b.text == string(f.Data)
		})
	}
	return slices.ContainsFunc(saved, func(b fence) bool { return b.label == f.Name && b.text == string(f.Data) })
}
