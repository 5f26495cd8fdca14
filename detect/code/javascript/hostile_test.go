// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package javascript

import (
	"strings"
	"testing"
)

// TestHostile: any text is read in time linear in its length.
func TestHostile(t *testing.T) {
	const size = 1 << 19
	for _, unit := range []string{
		"(", "eval(", "eval(x", ")", "}", "`${", "`", "'", "\"", "/", "/[", "=/", "/*", "<!--", "${", "[", "{", "a.", "a?.", "a['", "x=", "=>", "\\u", "#", "@", "\x00", "\xff", "é",
		"const {", "import {", "const a = ", "const {a,", "require('", "exec(a,", "'SELECT a from ' +", "+ 'a'", "`SELECT a from ${", "Math.random(", "if (", "a<b>(", "1", "0x", "1e",
		"innerHTML=", "__proto__", "a,", "<a>", "algorithms:[", "origin:'*',", "\n", "\u2028", "}`", "...", "import x from", "a: ", "x(y(", "eval(a);",
	} {
		finder.Check(t, strings.Repeat(unit, size/len(unit)))
	}
}

// TestCut: code in code that is cut, or that begins in the middle of a text.
func TestCut(t *testing.T) {
	for _, text := range []string{
		"of a text`; eval(x)", "don't\n; */ eval(x)", "/* never ends\neval(x)", "x = `a ${b} never ends\neval(x)", "}}) eval(x", "foo(bar, { a: [eval(x",
		"'unfinished\neval(x)", "<p>don't</p>\neval(x)", "a = b /c; eval(x)", "if (a) /'/.test(b); eval(x)", "x = {}\n/ 2; eval(x); a /3",
		"<!-- eval(x)\n", "@dec class A { #p = 1; m<T>(a: T): void { eval(x) } }", "const re = /[/'\"]/g; eval(x)", "return /`/.test(a) && eval(x)",
	} {
		found := false
		for _, kind := range finder.Kinds(t, text) {
			found = found || kind == "javascript-eval"
		}
		if !found {
			t.Errorf("%q: not found", text)
		}
	}
}

func TestSpan(t *testing.T) {
	finder.Places(t, map[string]string{
		"é; eval(x(1)); y":                 "eval(x(1))",
		"require('child_process').exec(c)": "require('child_process').exec(c)",
		"a(new Function('a', b));":         "new Function('a', b)",
		"el.innerHTML = a + b; c":          "innerHTML = a + b",
		"q(`DELETE FROM t ${a} x`, 1)":     "`DELETE FROM t ${a} x`",
	})
}

const module = `import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Reads the settings of a project. */
export async function settings(root, { strict = false, ...rest } = {}) {
  const file = path.join(root, 'settings.json');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const found = /^\s*\{[^]*\}\s*$/.test(text) ? JSON.parse(text) : {};
  for (const [key, value] of Object.entries(found)) {
    if (strict && !(key in defaults)) throw new Error(` + "`unknown setting ${key} in ${file}`" + `);
    rest[key] = typeof value === 'string' ? value.trim() : value ?? defaults[key];
  }
  return { ...defaults, ...rest, loaded: Date.now() / 1000 };
}
`

func BenchmarkFind(b *testing.B) { finder.Bench(b, module) }
