// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
)

const builtinsPage = "builtins.md"

// TestBuiltinsPage holds builtins.md to the signatures that it is made of.
func TestBuiltinsPage(t *testing.T) {
	for _, f := range builtin.Functions() {
		if f.Doc() == "" {
			t.Errorf("%s.%s has no line that says what it gives", f.Module, f.Name)
		}
	}
	want := renderBuiltins()
	if *update {
		if err := os.WriteFile(builtinsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(builtinsPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the signatures say; go test ./docs -update rewrites it", builtinsPage)
	}
}

const builtinsIntro = `# Functions

What policies can call, by module. [spec.md](spec.md#10-modules) says how they treat None, absence and content in parts; the tree under
` + "`holdfast`" + ` is that under ` + "`invariant`" + `. Parameters with a default may be left out. This file is made from the signatures; ` +
	"`go test ./docs\n-update`" + ` rewrites it.

Notes in the last column: *asks NAME*: the detector by that name in ` + "`Options.Detectors`" + `, without which the call is unknown; *a model*: its answer is
a judgement and no guarantee (a rule with no other condition loads with a warning, [P0316](errors.md#p0316)); *once*: asked once per session for the same
arguments; *workspace*: reads ` + "`Options.Workspace`, `--workspace`" + `, without which the call is unknown.
`

func renderBuiltins() string {
	var b strings.Builder
	b.WriteString(builtinsIntro)
	module := "\x00"
	for _, f := range builtin.Functions() {
		if f.Module != module {
			module = f.Module
			title := "`" + module + "`"
			if module == "" {
				title = "Always there"
			}
			fmt.Fprintf(&b, "\n## %s\n\n| function | gives | |\n|---|---|---|\n", title)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s%s |\n", signatureOf(f), f.Result.Name, f.Doc(), notesOf(f))
	}
	b.WriteString("\n## Records\n\n| record | fields |\n|---|---|\n")
	for _, t := range recordsOf() {
		var fields []string
		for _, f := range t.Fields {
			fields = append(fields, "`"+f.Name+"` "+f.Type.Name)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", t.Name, strings.Join(fields, ", "))
	}
	return b.String()
}

func signatureOf(f *builtin.Func) string {
	var params []string
	for _, p := range f.Params {
		switch {
		case p.Rest:
			params = append(params, "*"+p.Name)
		case p.Default == nil || p.Function:
			params = append(params, p.Name)
		default:
			params = append(params, p.Name+"="+value.ReprUpTo(p.Default, 80))
		}
	}
	return f.Name + "(" + strings.Join(params, ", ") + ")"
}

func notesOf(f *builtin.Func) string {
	var notes []string
	if f.Asks != "" {
		notes = append(notes, "asks "+f.Asks)
	}
	if f.Model {
		notes = append(notes, "a model")
	}
	if f.Kind == builtin.Effect {
		notes = append(notes, "once")
	}
	if f.Needs == builtin.Workspace {
		notes = append(notes, "workspace")
	}
	if len(notes) == 0 {
		return ""
	}
	return " *" + strings.Join(notes, ", ") + "*"
}

// recordsOf returns the record types that functions give or modules name.
func recordsOf() []*value.Type {
	var out []*value.Type
	for _, path := range builtin.ModulePaths() {
		for _, t := range builtin.LookupModule(path).Types {
			if t.Kind == value.Record && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	slices.SortFunc(out, func(a, b *value.Type) int { return strings.Compare(a.Name, b.Name) })
	return out
}
