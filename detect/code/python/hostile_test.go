// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/detect"
)

// TestHidden tries ways to write a call that still runs it.
func TestHidden(t *testing.T) {
	payload := base64.StdEncoding.EncodeToString([]byte("import os\nos.system('x')"))
	for _, test := range []struct{ text, id string }{
		{"ｏｓ.ｓｙｓｔｅｍ(x)", "python-os-system"},
		{"𝒆𝒗𝒂𝒍(x)", "python-eval"},
		{"os.\\\nsystem(x)", "python-os-system"},
		{"(os).system(x)", "python-os-system"},
		{"os.system (\n# nothing\nx)", "python-os-system"},
		{"from os import (path,\n  system as s)\ns(x)", "python-os-system"},
		{"import os as a\nb = a\nb.system(x)", "python-os-system"},
		{"import os\ng = getattr(os, 'metsys'[::-1])\ng(x)", "python-os-system"},
		{"n = 'system'\nimport os\ngetattr(os, n)(x)", "python-os-system"},
		{"getattr(__import__('o' 's'), ''.join(['sys', 'tem']))(x)", "python-os-system"},
		{"import sys\nsys.modules['os'].system(x)", "python-os-system"},
		{"(f := os.system)(x)", "python-os-system"},
		{"exec('import os; os.system(x)')", "python-os-system"},
		{"exec('\\x69mport os; os.s\\x79stem(x)')", "python-os-system"},
		{"exec(bytes.fromhex('6576616c287829').decode())", "python-eval"},
		{"import base64\nexec(base64.b64decode('" + payload + "'))", "python-os-system"},
		{"import base64\np = '" + payload + "'\nexec(base64.b64decode(p))", "python-exec"},
		{"import codecs\nexec(codecs.decode('vzcbeg bf; bf.flfgrz(k)', 'rot13'))", "python-os-system"},
		{"exec('exec(\"eval(x)\")')", "python-eval"},
		{"exec(chr(101) + 'val(x)')", "python-eval"},
		{"def f():\n  if 0:\n    from safe import eval\neval(x)", "python-eval"},
		{"if x:\n\tos.system(y)\n  os.system(z)", "python-os-system"},
		{"lambda: os.system(x)", "python-os-system"},
		{"f'{os.system(x)}'", "python-os-system"},
		{"@os.system\ndef f(): pass", "python-os-system"},
		{"def f(a=os.system(x)): pass", "python-os-system"},
		{"print `eval(x)`", "python-eval"},
		{"x = [eval(y) for y in z", "python-eval"},
		{"\x00\xffeval(x)", "python-eval"},
		{"match eval(x):\n case 1: pass", "python-eval"},
	} {
		if found := mustFind(t, test.text); !has(found, test.id) {
			t.Errorf("no %s in %q, but %v", test.id, test.text, found)
		}
	}
}

// TestPlaces holds spans to what they are about.
func TestPlaces(t *testing.T) {
	const text = "# é\nimport os\nx = 1\nos.system('a' +\n  b); y = 2\n"
	found := mustFind(t, text)
	if len(found) != 1 {
		t.Fatal(found)
	}
	if s := found[0]; text[s.Start:s.End] != "os.system('a' +\n  b)" || s.Severity != "error" || s.Score != 1 || !strings.HasSuffix(s.Text, "(CWE-78)") {
		t.Errorf("got %v", s)
	}
	const nested = "exec('eval(x)', space)"
	if found = mustFind(t, nested); len(found) != 1 || nested[found[0].Start:found[0].End] != "'eval(x)'" {
		t.Errorf("got %v", found)
	}
}

// TestHostile reads texts that are large, deep or no Python at all: each in
// time that is linear in its size, or not at all.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many megabytes")
	}
	const size = 1 << 19
	times := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, text := range map[string]string{
		"calls": times("eval(x)\n"), "arguments": "f(" + times("eval,") + ")", "numbers": "f(" + times("1,") + ")", "brackets": times("("), "nested": times("eval("),
		"dots": times("a."), "sums": times("'a'+"), "mixed sums": times("'a'+b-"), "targets": times("a=") + "'select x from y'+b", "aliases": times("f=os.system\n"), "names": times("a=b\nb=a\n"),
		"quotes": times("'''\n"), "f-strings": times("f'{f'{"), "fields": "f'" + times("{a}") + "'", "zeroes": times("\x00"), "invalid": times("\xff\xfe"), "subscripts": times("a['b']"),
		"getattr": times("getattr("), "lambdas": times("lambda:"), "keys": times("-----BEGIN PRIVATE KEY-----"), "imports": "import " + times("a as b,"), "stars": times("from os import *\n"),
		"dict": "f(**{" + times("'shell':0,") + "})", "half": times("AKIA"), "nested exec": strings.Repeat("exec('", 1000), "joins": times("''.join(['a','b'])"), "words": times("password_"), "comparisons": "password=='" + times("a"),
	} {
		if _, err := Find(text); err != nil {
			t.Logf("%s: %v", name, err)
		}
	}
	if _, err := Find(strings.Repeat(" ", maxText+1)); err == nil {
		t.Error("a text that is too long is read")
	}
	much := "a = '" + strings.Repeat("x", 60000) + "'\n" + strings.Repeat("getattr(os, a + 'b')(x)\n", 500)
	if _, err := Find(much); err == nil {
		t.Error("constants without a bound")
	}
}

func FuzzFind(f *testing.F) {
	for _, r := range Rules() {
		for _, text := range append(r.Match, r.NoMatch...) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		found, err := Find(text)
		if err != nil {
			return
		}
		if utf8.ValidString(text) {
			if _, err := detect.Findings(text, found); err != nil {
				t.Fatal(err)
			}
		}
		again, _ := Find(text)
		if len(again) != len(found) {
			t.Fatalf("%d findings, then %d", len(found), len(again))
		}
		for i, s := range found {
			if s.Start < 0 || s.End <= s.Start || s.End > len(text) || s != again[i] {
				t.Fatalf("got %v in %q, then %v", s, text, again[i])
			}
		}
	})
}
