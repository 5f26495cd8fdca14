// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/holdfast-dev/holdfast/internal/report"
)

// TestCorpus reports every case of the language's corpus in every format, and
// holds what comes out to the format.
func TestCorpus(t *testing.T) {
	cases := 0
	for i, file := range archives(t, "../../testdata/spec") {
		if testing.Short() && i%4 > 0 {
			continue
		}
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "case ") }) {
			continue // of many that differ in a call
		}
		for i, f := range archive.Files {
			switch f.Name {
			case "policy":
				archive.Files[i].Name = "policy.gr"
			case "trace":
				archive.Files[i].Name = "trace.json"
			case "options":
				archive.Files[i].Name = "settings" // those of another reader
			}
		}
		c := newCase(t, archive)
		for _, format := range report.Formats() {
			out, _ := c.print(t, format)
			checkFormat(t, format, out)
		}
		if t.Failed() {
			t.Fatalf("the case was %s", file)
		}
		cases++
	}
	t.Logf("%d cases", cases)
	if cases < 50 {
		t.Errorf("found only %d cases", cases)
	}
}

// TestScripts holds what the scripts of the command want to the schema.
func TestScripts(t *testing.T) {
	objects := 0
	for _, file := range archives(t, "../../cmd/holdfast/testdata/script") {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			for line := range strings.Lines(string(f.Data)) {
				if !strings.HasPrefix(line, `{"trace":"`) && !strings.HasPrefix(line, `{"error":"policy"`) {
					continue
				}
				objects++
				if err := validate(t, checkSchema, line); err != nil {
					t.Errorf("%s: %s: %v\n%s", file, f.Name, err, line)
				}
			}
		}
	}
	if objects == 0 {
		t.Error("found no objects")
	}
}

func archives(t *testing.T, folder string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".txtar" {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// optional are the fields that are not always there.
var optional = []string{"index", "line", "online", "ask", "at_least", "degraded", "help", "notes", "message", "title", "tags"}

// ofRules are the fields below which a severity is that of a rule.
var ofRules = regexp.MustCompile(`\.(violations|unknown|degraded)\.severity$`)

// free are the fields that hold any JSON value; those in named have any names in
// them.
var (
	free  = []string{"value", "kwargs"}
	named = []string{"counts", "bindings"}
)

// TestSchemaRefuses takes fields away from valid objects, or gives them another
// type, and wants the schema to see it.
func TestSchemaRefuses(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range archives(t, "testdata") {
		if strings.HasSuffix(file, "many.txtar") {
			continue // of the same, which takes long
		}
		c := readCase(t, file)
		out, _ := c.print(t, "json")
		for line := range strings.Lines(out) {
			var object map[string]any
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatal(err)
			}
			kind := "verdict"
			if x, ok := object["error"].(string); ok {
				kind = x
			}
			m := mutation{t: t, root: object, seen: seen}
			m.object(object, kind)
		}
	}
	for _, path := range []string{
		"verdict.verdict", "verdict.violations.ranges", "verdict.violations.bindings..at", "verdict.unknown.span", "verdict.online.event",
		"verdict.ask", "verdict.degraded.reason", "verdict.index", "verdict.line", "verdict.warnings.code", "trace.path", "policy.diagnostics.notes.file",
	} {
		if !seen[path] {
			t.Errorf("no case has %s", path)
		}
	}
}

// A mutation changes an object in place and looks whether it stays valid.
type mutation struct {
	t    *testing.T
	root map[string]any
	seen map[string]bool // paths that were tried
}

func (m *mutation) object(o map[string]any, path string) {
	for key, was := range o {
		at := path + "." + key
		if slices.Contains(named, path[strings.LastIndexByte(path, '.')+1:]) {
			at = path + "." // any name
		} else {
			m.field(o, key, at)
		}
		if !slices.Contains(free, key) {
			m.inside(was, at)
		}
	}
}

func (m *mutation) inside(x any, path string) {
	switch x := x.(type) {
	case map[string]any:
		m.object(x, path)
	case []any:
		for i, was := range x {
			if i > 2 {
				break // they are alike
			}
			m.inside(was, path)
			if _, isObject := was.(map[string]any); isObject {
				x[i] = "text"
				m.refused(path, "an element of another type")
			} else {
				x[i] = map[string]any{}
				m.refused(path, "an element of another type")
			}
			x[i] = was
		}
	}
}

// field tries what is wrong with a field.
func (m *mutation) field(o map[string]any, key, path string) {
	m.seen[path] = true
	was := o[key]
	if !slices.Contains(optional, key) && !ofRules.MatchString(path) || key == "line" && !strings.HasSuffix(path, "verdict.line") {
		delete(o, key)
		m.refused(path, "its absence")
	}
	for _, wrong := range []any{true, 1.5, []any{1.5}, map[string]any{"x": 1.5}, -2.0} {
		if key == "value" || key == "prevented" && wrong == true || key == "at_least" && wrong == true {
			continue
		}
		if _, isObject := wrong.(map[string]any); isObject && (key == "kwargs") {
			continue
		}
		o[key] = wrong
		m.refused(path, "a wrong type")
	}
	o[key] = was
}

func (m *mutation) refused(path, what string) {
	m.t.Helper()
	text, err := json.Marshal(m.root)
	if err != nil {
		m.t.Fatal(err)
	}
	if validate(m.t, checkSchema, string(text)) == nil {
		m.t.Errorf("the schema accepts %s at %s", what, path)
	}
}

// TestSchemaAllowsMore adds fields that a later version may have.
func TestSchemaAllowsMore(t *testing.T) {
	c := readCase(t, "testdata/verdicts.txtar")
	out, _ := c.print(t, "json")
	for line := range strings.Lines(out) {
		more := strings.Replace(line, `{`, `{"new":[1],`, 1)
		more = strings.ReplaceAll(more, `{"rule":`, `{"new":null,"rule":`)
		if err := validate(t, checkSchema, more); err != nil {
			t.Errorf("%v\n%s", err, more)
		}
	}
}

// TestSARIFSchemaRefuses shows that the schema of the SARIF documents is one
// that can fail.
func TestSARIFSchemaRefuses(t *testing.T) {
	c := readCase(t, "testdata/verdicts.txtar")
	out, _ := c.print(t, "sarif")
	for _, change := range [][2]string{
		{`"ruleId":"large"`, `"ruleID":"large"`},
		{`"level":"error"`, `"level":"notice"`},
		{`"startLine":6`, `"startLine":0`},
		{`"uri":"deny.json"`, `"uri":"den y.json"`},
		{`"version":"2.1.0"`, `"version":"2.1"`},
		{`"executionSuccessful":true`, `"executionSuccessful":"true"`},
		{`"text":"large?"`, `"text":"large\u001b"`},
		{`"informationUri":"https:`, `"informationUri":"`},
	} {
		if !strings.Contains(out, change[0]) {
			t.Fatalf("there is no %s", change[0])
		}
		if validate(t, sarifSchema, strings.Replace(out, change[0], change[1], 1)) == nil {
			t.Errorf("the schema accepts %s", change[1])
		}
	}
}

// TestSchemaIsTheOneOfTheDocs keeps the name under which the schema is known.
func TestSchemaIsTheOneOfTheDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/check.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"$id": "https://github.com/holdfast-dev/holdfast/blob/main/docs/check.schema.json"`) {
		t.Error("the schema has another $id")
	}
}
