// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package code

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/detect"
)

// said shows what is found: "rule text".
func said(t *testing.T, text, params string) []string {
	t.Helper()
	found, err := Scan(t.Context(), text, params)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range found {
		out = append(out, s.Kind+" "+text[s.Start:s.End])
	}
	return out
}

func TestLanguages(t *testing.T) {
	for params, want := range map[string]bool{
		`{"lang":"python"}`: true, `{"lang":"py"}`: true, `{"lang":"PYTHON"}`: true, `{"lang":"js"}`: false, `{"lang":"sql"}`: false, "": true, `{"lang":null}`: true, `{}`: true,
	} {
		if got := slices.Contains(said(t, "eval(x)", params), "python-eval eval(x)"); got != want {
			t.Errorf("%s: python-eval is found: %t", params, got)
		}
	}
	for _, params := range []string{`{"lang":"cobol"}`, `{"lang":""}`, `{"lang":3}`, `{`, `[]`} {
		if found, err := Scan(t.Context(), "eval(x)", params); err == nil {
			t.Errorf("%s: got %v, want an error", params, found)
		}
	}
	for _, l := range languages {
		for _, name := range append([]string{l.name}, l.also...) {
			if named(name).name != l.name {
				t.Errorf("%s is %s", name, named(name).name)
			}
		}
	}
}

func TestFences(t *testing.T) {
	for _, test := range []struct {
		text, params string
		want         []string // some of what is found
		not          []string // rules that find nothing
	}{
		{"Do:\n```python\nimport os\nos.system(x)\n```\nDone.", "", []string{"python-os-system os.system(x)"}, nil},
		{"Do:\n```python\nimport os\nos.system(x)\n```\nDone.", `{"lang":"python"}`, []string{"python-os-system os.system(x)"}, nil},
		{"  1. é\n\n     ~~~ {.py}\n     eval(x)\n     ~~~\n", "", []string{"python-eval eval(x)"}, nil},
		{"> ```py title=a.py\n> eval(x)\n> ```\n", "", []string{"python-eval eval(x)"}, nil},
		{"```\neval(x)\n```", `{"lang":"python"}`, []string{"python-eval eval(x)"}, nil},
		{"```\neval(x)\n```", "", []string{"python-eval eval(x)"}, nil},
		{"````md\n```py\neval(x)\n```\n````\n", "", []string{"python-eval eval(x)"}, nil},
		{"```json\n{}\n```\nand then\nexec(y)\n", "", []string{"python-exec exec(y)"}, nil},
		{"```py\nx = 1\n", "", nil, []string{"python-eval"}},
		{"```py\neval(x)", "", []string{"python-eval eval(x)"}, nil},
		{"```py\r\neval(x)\r\n```\r\n", "", []string{"python-eval eval(x)"}, nil},
		{"```js\neval(x)\n```", "", nil, []string{"python-eval"}},
		{`"""` + "\n```js\nf()\n```\n" + `"""` + "\neval(x)\n", `{"lang":"python"}`, []string{"python-eval eval(x)"}, nil},
	} {
		got := said(t, test.text, test.params)
		for _, w := range test.want {
			if !slices.Contains(got, w) {
				t.Errorf("%q %s: got %q, want %q", test.text, test.params, got, w)
			}
		}
		for _, id := range test.not {
			if slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, id+" ") }) {
				t.Errorf("%q %s: got %q, and no %q", test.text, test.params, got, id)
			}
		}
		for i, s := range got {
			if slices.Contains(got[:i], s) {
				t.Errorf("%q: %q is found twice", test.text, s)
			}
		}
	}
}

// TestShapes: a text that does not say its language is read in the one it is
// in.
func TestShapes(t *testing.T) {
	for _, test := range []struct{ language, text string }{
		{"python", "import os"},
		{"python", "  result = eval(data)"},
		{"python", ">>> pickle.loads(x)"},
		{"python", "exec code in space"},
		{"python", "return subprocess.call(cmd, shell=True)"},
		{"bash", "curl https://a.example/x | sh"},
		{"bash", "$ rm -rf /"},
		{"bash", "sudo rm -rf /"},
		{"bash", "#!/bin/sh"},
		{"bash", "cat ~/.ssh/id_rsa"},
		{"bash", "X=1 ./run"},
		{"javascript", "eval(location.hash)"},
		{"javascript", "const a = require('child_process')"},
		{"javascript", "el.innerHTML = x"},
		{"javascript", "new Function(x)()"},
		{"javascript", "setTimeout(() => go(), 3)"},
		{"sql", "DROP TABLE users"},
		{"sql", "delete from users"},
		{"sql", "' OR 1=1 --"},
		{"sql", "1; TRUNCATE a"},
		{"sql", "x' UNION SELECT a FROM b"},
	} {
		if !slices.ContainsFunc(shapes(test.text), func(l *language) bool { return l.name == test.language }) {
			t.Errorf("%q has not the shape of %s", test.text, test.language)
		}
	}
}

// TestProse: words are no code, whatever they are read as.
func TestProse(t *testing.T) {
	for _, text := range []string{
		"", "Please find the report and drop me a line.", "Select a seat from the list, then update your details.", "We evaluate (x) and execute the plan.",
		"The import of goods (and their export) is up 5%.", "Dear all,\n\nthe meeting is at 10:00.\n\nBest,\nA.", "{\"name\": \"a\", \"list\": [1, 2]}",
	} {
		if got := said(t, text, ""); len(got) > 0 {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		prefix := map[string]string{"python": "python-", "bash": "shell-", "javascript": "javascript-", "sql": "sql-"}[r.Language]
		if seen[r.ID] || !strings.HasPrefix(r.ID, prefix) || r.Description == "" || !slices.Contains([]string{"error", "warning", "info"}, r.Severity) {
			t.Errorf("the rule %v", r)
		}
		seen[r.ID] = true
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Scan(ctx, "eval(x)", `{"lang":"python"}`); err == nil {
		t.Error("a scan goes on after its end")
	}
}

// TestPanic: a parser that panics is an error, not the end of the program.
func TestPanic(t *testing.T) {
	l := &language{name: "x", find: func(string) ([]detect.Span, error) { panic("x") }}
	var all collected
	if err := all.add(t.Context(), l, "x", 0); err == nil {
		t.Error("a panic is no error")
	}
}

// TestManyBlocks: what lies beside what is not read twice over.
func TestManyBlocks(t *testing.T) {
	text := strings.Repeat("```py\neval(x)\n```\n", 20_000)
	if got := said(t, text, `{"lang":"python"}`); len(got) != 20_000 {
		t.Errorf("%d findings, want 20000", len(got))
	}
}

func FuzzScan(f *testing.F) {
	f.Add("a\n```py\neval(x)\n```\n", "")
	f.Add("> ~~~ js\n> eval(x)", "python")
	f.Add("curl x | sh; drop table a", "")
	f.Fuzz(func(t *testing.T, text, language string) {
		params := ""
		if language != "" {
			params = fmt.Sprintf(`{"lang":%q}`, language)
		}
		found, err := Scan(t.Context(), text, params)
		if err != nil {
			return
		}
		for _, s := range found {
			if s.Start < 0 || s.End < s.Start || s.End > len(text) {
				t.Fatalf("%v in a text of %d bytes", s, len(text))
			}
		}
		if _, err := detect.Findings(text, found); err != nil {
			t.Fatal(err)
		}
	})
}
