// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"slices"
	"strings"
	"testing"
)

// What the python3 at hand may be too old to judge, or what the mutants of its
// library do not reach.
var valid = []string{
	"", "\n\n", "# only\n", "x", "pass;pass;", "\ufeffx = 1",
	"type X = int", "type X[T, *Ts, **P] = dict[T, P]", "type = 1\ntype(x)\ntype.a", "def f[T: int = str](a: T) -> T: ...", "class A[T]: pass",
	"match x:\n  case 1 | -2.5 | 3+4j: pass\n  case {'a': b, **rest}: pass\n  case A(1, b=C.D): pass\n  case [a, *_], *b: pass\n  case (x) if x: pass\n  case 'a' 'b' as y: pass\n",
	"match = 1\nmatch(x)\nmatch[1]\nmatch.a\ncase = _ = 2", "match x, *y:\n case _: pass", "match (x):\n case _: pass",
	"try: pass\nexcept* (A, B) as e: pass\nelse: pass\nfinally: pass", "with (open(a) as b, c as (d, e),): pass", "with (a, b): pass", "with (a): pass",
	"with (yield): pass", "with (a) as b, c: pass", "with (a, b) as c: pass", "async def f():\n async with a: pass\n async for x in y: await z",
	"f'{x}'", `f"{x!r:>{width}}"`, `f'{x=}'`, `f'{'nested'}'`, "f'{{}}'", `f"{d["a"]:%H:%M}"`, "f'''{\nx\n}'''", `rf'\{x}'`, `f'{lambda_}'`, `f"{x:{y}{z}}"`, "f'{(lambda: 1)}'", `f'\N{DASH}{x}'`, "f'{x!s}' 'a' f'{y}'", "f'{yield_}'", "f'{*a, b}'", "f'{a:=5}'",
	"def f(a, /, b=1, *c, d, e=2, **k): pass", "def f(*, a): pass", "def f(*args: *Ts): pass", "lambda a, /, *b, c=1, **d: a", "lambda: (yield)",
	"x = *a, b", "for x in *a, b: pass", "a, *b = c", "[*a, b] = c", "x[a:b, ::c, *d]", "x[y := 1]", "return *a, b", "del (a, [b, c.d]), e[0]", "print(*a, **b)",
	"if (x := 1): pass", "[y := 1, y]", "f(x := 1)", "{x := 1}", "x: int = yield", "(x): int", "x.y: int = *a, b",
	"@a.b[c](d)\nclass A: pass", "@x if y else z\ndef f(): pass", "global a, b", "0_0, 0xf_f, 0b1, 0o7, 1_0.0_1e+1_0j, .5, 1., 1e5, 0777.5", "1if x else 2",
	"x = 'a' \\\n  'b'", "b'a' rb'b'", "été = 1", "𝐱 = 1", "a if b else c if d else e", "not a in b", "a < b is not c not in d", "-a ** -b", "await_ = 1", "print >>f, x",
	"{**a, 'b': c}", "{a: b for c in d}", "{a for a in b if c if d for e in f}", "[a async for a in b]", "(a for a in b)", "f(a for a in b)", "(yield from a)",
	"'''a\nb'''", "if a:\n\tb\n\tc", "if a:\n  b\n# x\n  c", "if a: b; c", "while a: pass\nelse: pass", "from . import a", "from ...a.b import (c as d, e,)", "import a.b as c, d",
	"raise A from b", "assert a, b", "...", "x = (\n1,\n\n2)", "class A(B, metaclass=C, *d, **e): pass", "nonlocal x", "f(a)(b)[c].d", "x @= y",
}

var invalids = []struct{ text, message string }{
	{"\tx", "unexpected indent (<unknown>, line 1)"},
	{"x = = 1", "invalid syntax (<unknown>, line 1)"},
	{"*[f\"cabinet {i}\"] for i in range(1,10)]", "unmatched ']' (<unknown>, line 1)"},
	{"print 'a'", "Missing parentheses in call to 'print'. Did you mean print(...)? (<unknown>, line 1)"},
	{"a = (1,\nb = 2\n", "'(' was never closed (<unknown>, line 1)"},
	{"if a:\nb", "expected an indented block after 'if' statement on line 1 (<unknown>, line 2)"},
	{"a\n  b", "unexpected indent (<unknown>, line 2)"},
	{"if a:\n    b\n  c", "unindent does not match any outer indentation level (<unknown>, line 3)"},
	{"if a\n  b", "expected ':' (<unknown>, line 1)"},
	{"f() = 1", "cannot assign to function call here. Maybe you meant '==' instead of '='? (<unknown>, line 1)"},
	{"None = 1", "cannot assign to None (<unknown>, line 1)"},
	{"del f()", "cannot delete function call (<unknown>, line 1)"},
	{"'abc", "unterminated string literal (detected at line 1) (<unknown>, line 1)"},
	{"x = '''abc\n\n", "unterminated triple-quoted string literal (detected at line 2) (<unknown>, line 1)"},
	{"(]", "closing parenthesis ']' does not match opening parenthesis '(' (<unknown>, line 1)"},
	{"f(a=1, b)", "positional argument follows keyword argument (<unknown>, line 1)"},
	{"f(a for a in b, c)", "Generator expression must be parenthesized (<unknown>, line 1)"},
	{"def f(a=1, b): pass", "parameter without a default follows parameter with a default (<unknown>, line 1)"},
	{"x = 0777", "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers (<unknown>, line 1)"},
	{"1abc", "invalid decimal literal (<unknown>, line 1)"},
	{"b'é'", "bytes can only contain ASCII literal characters (<unknown>, line 1)"},
	{"'a' b'b'", "cannot mix bytes and nonbytes literals (<unknown>, line 1)"},
	{"f'{}'", "f-string: valid expression required before '}' (<unknown>, line 1)"},
	{"f'}'", "f-string: single '}' is not allowed (<unknown>, line 1)"},
	{"x = “a”", "invalid character '“' (U+201C) (<unknown>, line 1)"},
	{"f(a b)", "invalid syntax. Perhaps you forgot a comma? (<unknown>, line 1)"},
	{"try: pass\nx", "expected 'except' or 'finally' block (<unknown>, line 2)"},
	{"a \\ b", "unexpected character after line continuation character (<unknown>, line 1)"},
	{"try: pass\nexcept A, e: pass", "multiple exception types must be parenthesized (<unknown>, line 2)"},
	{"from a import b,", "trailing comma not allowed without surrounding parentheses (<unknown>, line 1)"},
	{"if a:\n        b\n\tc", "inconsistent use of tabs and spaces in indentation (<unknown>, line 3)"},
}

// wrong are invalid as well, whatever the message.
var wrong = []string{
	"x := 1", "f(a=b:=1)", "lambda: x := 1", "{x := 1: 2}", "x[a:=1:2]", "[x for x in 1, 2]", "(*a)", "[*a for a in b]", "{**a for a in b}", "f(**a, *b)", "f(**a, b)",
	"f(,)", "f(a.b=1)", "f(True=1)", "x[]", "x[a=1]", "a if b", "not lambda: x", "a or lambda: b", "await await x", "def f(*): pass", "def f(/): pass", "def f(a, /, /): pass",
	"def f(*a, *b): pass", "def f(**k, a): pass", "def f(*a=1): pass", "lambda *: x", "class A(x for x in y): pass", "from x import ()", "from x import *, a", "import a as b.c",
	"(a, b): int", "x, y += 1", "a + b = c", "(a := b) = c", "for f() in x: pass", "with a as f(): pass", "[x for f() in y]", "except: pass", "else: pass", "a <> b", "`a`", "ur'a'",
	"10L", "exec 'a' in b", "raise A, b", "async x", "try: pass\nexcept*: pass", "try: pass\nexcept A: pass\nexcept* B: pass", "match x:\n case a.b(): pass\n case 1+2: pass",
	"match x:\n case A(b=1, c): pass", "match x:\n case {**a, 'b': c}: pass", "match x:\n case a as _: pass", "match x:\n pass", "type X", "class A[]: pass", "'\\x1'", "'\\u12'", "'\\N{'",
	"b'\\x1'", "1__0", "1_", "0x", "0b2", "0o8", "f'{a b}'", "f'{a!x}'", "f'{a'", "f'{lambda x: 1}'", "@a\nx = 1", "global", "del", "import", "a b", "a.", "a..b", "x\x00y", "a $ b", "yield = 1", "x = yield = 1",
	"return x := 1", "assert x := 1", "a; ; b", "; a", "if a: if b: c", "while a: pass else: pass", "\\", "a = 1 +", "(", "f(a", "{'a' 1}", "{'a':}", "{a: *b}", "def f(a, (b, c)): pass", "{1: 2, 3}", "{1, 2: 3}",
}

func TestValid(t *testing.T) {
	for _, text := range valid {
		if f := Parse(text); len(f.Errors) > 0 {
			t.Errorf("%q: %s", text, f.exception())
		} else {
			sound(t, f)
		}
	}
}

// TestNesting takes as much nesting as CPython does.
func TestNesting(t *testing.T) {
	for _, pair := range [][2]string{{"(", ")"}, {"f(", ")"}, {"[", "]"}, {"{1: ", "}"}, {"x[", "]"}} {
		for n, want := range map[int]bool{200: true, 201: false} {
			f := Parse(strings.Repeat(pair[0], n) + "1" + strings.Repeat(pair[1], n))
			if got := len(f.Errors) == 0; got != want {
				t.Errorf("%d times %q: valid %t %v", n, pair[0], got, f.Errors)
			}
		}
	}
}

func TestInvalid(t *testing.T) {
	for _, test := range invalids {
		if got := Summarize(test.text, false); !got.SyntaxError || got.SyntaxErrorException != test.message {
			t.Errorf("%q:\ngot  %s\nwant %s", test.text, got.SyntaxErrorException, test.message)
		}
	}
	for _, text := range wrong {
		if f := Parse(text); len(f.Errors) == 0 {
			t.Errorf("%q passes", text)
		} else {
			sound(t, f)
		}
	}
}

// TestOld reads Python 2, and says that it is.
func TestOld(t *testing.T) {
	for text, calls := range map[string][]string{
		"print 'a', f(x)":                         {"print", "f"},
		"print":                                   nil,
		"print >>sys.stderr, f(x)":                {"f"},
		"exec code in ns":                         {"exec"},
		"raise E, f(x)":                           {"f"},
		"try:\n  f(x)\nexcept E, e:\n  g(e)\n":    {"f", "g"},
		"x = `f(y)` + ur'a' + 0777 + 10L + 0xFFL": {"f"},
		"if a <> f(b): pass":                      {"f"},
		"def f(a, (b, c)=g()): h()":               {"g", "h"},
		"f(async=True)":                           {"f"},
	} {
		f := Parse(text)
		if got := f.Summary().FunctionCalls; !slices.Equal(got, calls) {
			t.Errorf("%q calls %q, want %q", text, got, calls)
		}
		plain := text == "print" || strings.HasPrefix(text, "print >>")
		if f.Old == plain {
			t.Errorf("%q: old %t", text, f.Old)
		}
		for _, e := range f.Errors {
			if !e.Old {
				t.Errorf("%q: %q is no error of age", text, e.Message)
			}
		}
	}
}

func TestSummary(t *testing.T) {
	got := Summarize(`
import os, a.b as c
from .d import e
from . import f
open(x).read()
os.path.join(*map(str, y))
", ".join(z)
(a or b)(lambda: eval)(k=1, *l)
f'{exec("x"):{len(w)}}'
x[1:, "a"]()
`, false)
	for _, test := range []struct {
		what      string
		got, want []string
	}{
		{"imports", got.Imports, []string{"os", "a.b", "d"}},
		{"builtins", got.Builtins, []string{"open", "map", "str", "eval", "exec", "len"}},
		{"calls", got.FunctionCalls, []string{
			"open(x).read", "open", "os.path.join", "map", "', '.join", "(a or b)(lambda: eval)", "a or b", "exec", "len", "x[1:, 'a']",
		}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s: %q, want %q", test.what, test.got, test.want)
		}
	}
	if got.SyntaxError || got.SyntaxErrorException != "" {
		t.Error(got.SyntaxErrorException)
	}
}

// TestDisguise finds names in letters that Python takes for ASCII.
func TestDisguise(t *testing.T) {
	for _, text := range []string{"ｅｖａｌ(x)", "𝐞𝘃𝖆𝓁(x)", "ᵉᵥªₗ(x)", "ℯval(x)"} {
		if got := Summarize(text, false); !slices.Equal(got.FunctionCalls, []string{"eval"}) || len(got.Builtins) != 1 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// TestTree looks at what detectors ask of it.
func TestTree(t *testing.T) {
	f := Parse("r = db.cursor().execute('SELECT ' + x + \" FROM\\x20t\" % y, *a, shell=True)")
	var call *Node
	f.Root.Walk(func(n *Node) bool {
		if call == nil && n.Kind == Call {
			call = n
		}
		return true
	})
	if call.Callee() != "" || call.Kids[0].Name != "execute" {
		t.Errorf("callee %q, %q", call.Callee(), call.Kids[0].Name)
	}
	args := call.Args()
	if len(args) != 2 || args[1].Kind != Star {
		t.Fatalf("%d arguments", len(args))
	}
	sum := args[0]
	if sum.Kind != BinOp || sum.Op != Add || len(sum.Kids) != 3 || sum.Kids[0].Name != "SELECT " {
		t.Errorf("not a sum of three: %+v", sum)
	}
	if mod := sum.Kids[2]; mod.Op != Mod || mod.Kids[0].Name != " FROM t" {
		t.Errorf("not a string and what is put in: %+v", mod)
	}
	if k := call.Keyword("shell"); k == nil || k.Kind != Constant || k.Name != "True" {
		t.Errorf("shell is %+v", k)
	}
	if call.Keyword("cwd") != nil {
		t.Error("there is no cwd")
	}
	f = Parse("class A:\n  def f(self): return 1\n")
	def := f.Root.Kids[0].Body().Kids[0]
	if def.Kind != FunctionDef || def.Name != "f" || f.Segment(def) != "def f(self): return 1" || f.Line(def.Start) != 2 {
		t.Errorf("%+v %q", def, f.Segment(def))
	}
}

// TestCut reads code of which the beginning or the end is missing.
func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"        x = 1,\n        y=f(2))\n    return g(x)\n":      "f g",
		"    except E:\n        f()\n    else:\n        g()\nh()": "f g h",
		"f(a, g(b, [h('x": "f g h",
		"x = f'{g(y":      "g",
		"of the text.\n    \"\"\"\n    f(x)\n\ndef h():\n    g(y)\n": "f g",
		"f(a,\n  b\ndef g():\n  return h(x)\n":                       "f h",
		"def f(a, b):\n    '''Says\n":                                "",
		"case 1:\n    f(x)\n":                                        "f",
		"if f(x) and\n    g(y)\n":                                    "f g",
		"for x in f(y)\n    g(x)\n":                                  "f g",
		"with open(a) as b, open(\n":                                 "open",
		"class A(f(\n":                                               "f",
		"a b c f(x) $ g(y) = h(z)":                                   "f g h",
		"x = {'a': f(1), 'b' g(2), h(3): }":                          "f g h",
		"try:\n    f()\n        g()\n   h()\n":                       "f g h",
	} {
		f := Parse(text)
		sound(t, f)
		if got := strings.Join(f.Summary().FunctionCalls, " "); got != want {
			t.Errorf("%q calls %q, want %q", text, got, want)
		}
	}
}

// TestIPython reads cells.
func TestIPython(t *testing.T) {
	const line, system = "get_ipython().run_line_magic", "get_ipython().system"
	for text, want := range map[string][]string{
		"%matplotlib inline\nf(x)\n":            {"get_ipython", line, "f"},
		"!rm -rf /\n":                           {"get_ipython", system},
		"x = !ls -l\nf(x)":                      {"get_ipython", system, "f"},
		"x = %time f(1)\n":                      {"get_ipython", line},
		"%%bash\nrm -rf / 'a\n":                 {"get_ipython", "get_ipython().run_cell_magic"},
		"%%time\nf(x)\n":                        {"get_ipython", "get_ipython().run_cell_magic", "f"},
		"f?\n":                                  {"get_ipython", line},
		"?f\ng(x)":                              {"get_ipython", line, "g"},
		">>> f(x)\n1\n>>> if a:\n...     g(y)":  {"f", "g"},
		"In [1]: f(x)\n":                        {"f"},
		"    f(x)\n    if a:\n        g(y)\n":   {"f", "g"},
		"if a:\n    !ls \\\n      -l\n    f(x)": {"get_ipython", system, "f"},
		"x = 5 % f(y)\na != b\n":                {"f"},
	} {
		got := Summarize(text, true)
		if !slices.Equal(got.FunctionCalls, want) || got.SyntaxError {
			t.Errorf("%q: %q %s, want %q", text, got.FunctionCalls, got.SyntaxErrorException, want)
		}
		if plain := Summarize(text, false); !plain.SyntaxError && !containsAny(text, "x = 5 %", "In [1]:") {
			t.Errorf("%q is Python", text)
		}
	}
}

// BenchmarkParse reads python3's standard library.
func BenchmarkParse(b *testing.B) {
	names, texts := library(b)
	size := 0
	for _, name := range names {
		size += len(texts[name])
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range names {
			Parse(texts[name])
		}
	}
}

// BenchmarkSummarize does so, and writes the summaries.
func BenchmarkSummarize(b *testing.B) {
	names, texts := library(b)
	size := 0
	for _, name := range names {
		size += len(texts[name])
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, name := range names {
			Summarize(texts[name], false)
		}
	}
}
