// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"runtime/debug"
	"strings"
	"testing"
)

// hostile are pieces that, repeated, try bounds: of brackets, recursion, left
// and right, indentation, f-strings, lookahead.
var hostile = []string{
	"(", "[", "{", ")", "a.", "a(", "a()", "a[0]", "()", "-", "not ", "lambda:", "lambda x=", "a if b else ", "a**", "a+b*", "a<b,", "a or b and ",
	"f'{", `f"{a:{`, "f'", "'", "\"\"\"", "'''a'''", "\\\n", "\\", "\x00", "\xff", "é", "ａ", "1_", "0x", "1e", "0777 ", "`", "`a`", "$", "?", "!",
	"if a:", "if a: if b: ", "if x:\n ", "try:", "with (", "with (a as b: ", "match (", "match x:\n case ", "case [", "case {", "@a\n", "async ",
	"else:\n", "def f(", "def f(a=", "class A(", "print a,", "print ", "exec a in ", "raise a,", "import a.", "from . import ", "yield ", "await ", "*", "**",
	"a=", "a:=", "a:", "a;", "a,", "\n", "\r", "\t", "\f", "\n ", "\n\t", "for a in b ", "(a for ", "{a:", "{**", "x[", "x[:", "del ", "global a,", "type X[", "...",
	"a.b(c)[d]", "%", "%%a\n", "!a\n", ">>> a\n", "x = !a\n", "case a|", "{{", "}", "f'{{}}'", "f'{a!r:>{b}}'", "a\n", "  a\n", "\"\"\"\n", "def",
	"a(b for c in d", "a(b=", "a(*", "a(**b,", "[a,", "a and ", "a==", "~", "with a as ", "except a, b:\n",
}

// TestHostile reads large texts of repeated pieces: none takes long, and the
// trees are sound.
func TestHostile(t *testing.T) {
	// No text makes the recursion deep, however long it is.
	defer debug.SetMaxStack(debug.SetMaxStack(5 << 20))
	size := 1 << 15
	if testing.Short() {
		size = 1 << 13
	}
	for _, piece := range hostile {
		for _, text := range []string{strings.Repeat(piece, size/len(piece)), "a = (" + strings.Repeat(piece+"\n", size/(len(piece)+1))} {
			f := Parse(text)
			sound(t, f)
			f.Summary()
			sound(t, ParseIPython(text[:len(text)/8]))
		}
	}
}

// TestIndentedDeeper reads a staircase of blocks.
func TestIndentedDeeper(t *testing.T) {
	var text strings.Builder
	for i := range 1500 {
		text.WriteString(strings.Repeat(" ", i) + "if a:\n")
	}
	f := Parse(text.String())
	sound(t, f)
	if len(f.Errors) == 0 {
		t.Error("1,500 levels of indentation pass")
	}
}

// TestNothingIsLost finds the call at the end of what is nested too deeply.
func TestNothingIsLost(t *testing.T) {
	for _, text := range []string{
		"x = a" + strings.Repeat("()", 5000) + "\neval(x)\n",
		"eval(x)" + strings.Repeat(".a", 50000) + "\n",
		"x = " + strings.Repeat("(", 5000) + "eval(x)" + strings.Repeat(")", 5000) + "\n",
		"x = " + strings.Repeat("-", 5000) + "eval(x)\n",
		"x = " + strings.Repeat("1 + 2 * 3 - ", 5000) + "eval(x)\n",
		"x = " + strings.Repeat("y if z else ", 5000) + "eval(x)\n",
		strings.Repeat("if a: ", 3000) + "eval(x)\n",
		strings.Repeat("lambda: ", 3000) + "eval(x)\n",
		strings.Repeat("not ", 3000) + "eval(x)\n",
	} {
		f := Parse(text)
		sound(t, f)
		found := false
		f.Root.Walk(func(n *Node) bool {
			found = found || n.Callee() == "eval"
			return true
		})
		if !found {
			t.Errorf("no call of eval in %.20q…", text)
		}
	}
}

// sound checks what holds of every tree.
func sound(t *testing.T, f *File) {
	t.Helper()
	bad := 0
	f.Root.Walk(func(n *Node) bool {
		last := n.Start
		for _, kid := range n.Kids {
			if kid.Start < last && kid.Flags&Unnested == 0 && n.Flags&Unnested == 0 || kid.Start < n.Start && n.Flags&Unnested == 0 || kid.End > n.End || kid.End < kid.Start {
				if bad++; bad < 4 {
					t.Errorf("kind %d [%d,%d) holds kind %d [%d,%d) behind %d, in %.40q", n.Kind, n.Start, n.End, kid.Kind, kid.Start, kid.End, last, f.Text)
				}
			}
			last = kid.End
			if kid.Flags&Unnested != 0 {
				last = n.Start
			}
		}
		return true
	})
	if f.Root.Start != 0 || f.Root.End != len(f.Text) {
		t.Errorf("the root is [%d,%d) of %d", f.Root.Start, f.Root.End, len(f.Text))
	}
	for _, e := range f.Errors {
		if e.Offset < 0 || e.Offset > len(f.Text) {
			t.Errorf("an error at %d of %d", e.Offset, len(f.Text))
		}
	}
}

// FuzzParse: no text makes it fail, and all trees are sound.
func FuzzParse(f *testing.F) {
	for _, piece := range hostile {
		f.Add(piece+piece, false)
		f.Add("def f(a, *, b=1):\n    "+piece+"\n", true)
	}
	f.Fuzz(func(t *testing.T, text string, ipython bool) {
		file := read(text, ipython)
		sound(t, file)
		file.Summary()
	})
}
