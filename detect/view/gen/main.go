// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Command gen writes the table of code points that look like ASCII. It is a
// module of its own, so that what it reads (Unicode's confusables, UTS #39, as
// the module in its go.mod holds them) is verified by go.sum and required by
// nobody else:
//
//	go -C gen run . ../confusables.go
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.mau.fi/util/confusable"
	"golang.org/x/text/unicode/norm"
)

// own are the likenesses that Unicode's table does not have, or has for
// another letter: where its prototype stands for several characters (l for l,
// I, 1 and |), the one that the code point is drawn as.
var own = map[string]string{
	" ":  "\u1680\u2800",
	"\n": "\u2028\u2029",
	"|":  "\u2223\u23D0\u2758\u2502\u2503\uFFE8",
	"-":  "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212",
	"'":  "\u2018\u2019\u201A\u201B\u02BC",
	"\"": "\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB",
	"I":  "\u0399\u0406\u04C0\u2160",
	"l":  "\u01C0\u04CF",
	"a":  "\u1D00", "b": "\u0299\u0432\u044C", "c": "\u1D04", "d": "\u1D05", "e": "\u1D07\u03B5\u0435\u01DD\u0259\u04D9\u025B\u0454", "f": "\uA730", "g": "\u0262",
	"h": "\u029C\u043D", "i": "\u026A\u0269\u03B9", "j": "\u1D0A", "k": "\u1D0B\u03BA\u043A\u0138", "m": "\u1D0D\u043C",
	"n": "\u0274\u03B7\u0578\u043F\u0438\u1D28", "o": "\u1D0F", "p": "\u1D18\u03C1", "q": "\uA7AF", "r": "\u0280\u0433\u1D26\u044F", "s": "\uA731",
	"t": "\u1D1B\u03C4\u0442", "u": "\u1D1C\u03C5\u057D", "v": "\u1D20\u03BD", "w": "\u1D21\u03C9\u0461\u0448", "x": "\u03C7\u0445",
	"y": "\u028F\u03B3\u0443", "z": "\u1D22\u0292\u04E1",
	"A": "\u2200\u039B\u0245", "E": "\u2203\u03A3\u018F\u04D8\u01A9", "N": "\u0418", "R": "\u042F", "W": "\u0428",
}

// boxed are alphabets in circles and squares that have no decomposition, by
// the first letter of each.
var boxed = []rune{0x1F150, 0x1F170, 0x1F1E6}

const depth = 4 // how often a prototype is looked up in turn

type table map[rune]string

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: gen OUTPUT")
	}
	text, err := write(build())
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// build finds what every code point looks like that is not made ASCII by
// NFKC: the fold looks only at texts in that form.
func build() table {
	given := table{}
	for ascii, runes := range own {
		for _, r := range runes {
			given[r] = ascii
		}
	}
	for _, first := range boxed {
		for i := range rune(26) {
			given[first+i] = string('A' + i)
		}
	}
	out := table{}
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if !unicode.IsGraphic(r) && given[r] == "" || unicode.In(r, unicode.Mn, unicode.Me) || ascii(norm.NFKC.String(string(r))) {
			continue
		}
		like, ok := given.ascii(r, r, depth)
		if ok && (strings.TrimSpace(like) != "" || given[r] != "") { // spaces with marks look like the marks
			out[r] = like
		}
	}
	return out
}

// ascii returns what r looks like, as the code point that source is: our own
// word first, then the value of a digit, then the letter without its marks,
// then Unicode's prototype, looked up in turn.
func (t table) ascii(r, source rune, left int) (string, bool) {
	if r < 0x80 {
		return drawn(r, source), true
	}
	if s, ok := t[r]; ok {
		return s, true
	}
	if unicode.Is(unicode.Nd, r) {
		return strconv.Itoa(digit(r)), true
	}
	if left == 0 {
		return "", false
	}
	if s := bare(string(r)); ascii(s) {
		return s, s != ""
	}
	prototype := confusable.GetReplacement(r)
	switch prototype {
	case "":
		if prototype = bare(string(r)); prototype == string(r) || prototype == "" {
			return "", false
		}
	case "rn":
		return "m", true
	case "''":
		return "\"", true
	}
	var out strings.Builder
	for _, p := range bare(prototype) {
		s, ok := t.ascii(p, source, left-1)
		if !ok {
			return "", false
		}
		out.WriteString(s)
	}
	return out.String(), out.Len() > 0 && !strings.ContainsFunc(out.String(), unicode.IsControl)
}

// drawn undoes the merging of characters in prototypes.
func drawn(prototype, source rune) string {
	if prototype == 'l' && unicode.IsUpper(source) {
		return "I"
	}
	return string(prototype)
}

// digit returns the value of a decimal digit. Those of a script stand in a
// row, from zero to nine.
func digit(r rune) int {
	zero := r
	for unicode.Is(unicode.Nd, zero-1) {
		zero--
	}
	return int(r-zero) % 10
}

// bare returns s decomposed, without its combining marks.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			return -1
		}
		return r
	}, norm.NFKD.String(s))
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// write prints the table with a line for each ASCII text. The code points are
// escaped: many of them write from right to left.
func write(t table) ([]byte, error) {
	by := map[string][]rune{}
	for _, r := range slices.Sorted(maps.Keys(t)) {
		by[t[r]] = append(by[t[r]], r)
	}
	var out bytes.Buffer
	out.WriteString(`// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Code generated by gen; DO NOT EDIT.

package view

// likenesses holds for each ASCII text the code points that look like it. It
// is made of Unicode's confusables (LICENSE-unicode) and our own additions.
var likenesses = []likeness{
`)
	for _, like := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(&out, "\t{%q, %s},\n", like, strconv.QuoteToASCII(string(by[like])))
	}
	out.WriteString("}\n")
	return format.Source(out.Bytes())
}
