// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Control characters move the cursor of a terminal or worse, format characters
// (bidi overrides, tag characters) make text look like other text.

// hostile reports whether r must not be printed as it is.
func hostile(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == '\x7f'
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || r == utf8.RuneError
}

// EscapeText makes s safe to print, keeping line ends and tabs.
func EscapeText(s string) string {
	return escape(s, func(r rune) bool { return r != '\n' && r != '\t' && hostile(r) })
}

// EscapeLine makes s safe to print on one line.
func EscapeLine(s string) string { return escape(s, hostile) }

func escape(s string, must func(rune) bool) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, string(utf8.RuneError))
	}
	if strings.IndexFunc(s, must) < 0 && !strings.Contains(s, "##") {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if must(r) || isCommand(s, i) {
			b.WriteString(escapeRune(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isCommand reports whether byte i of s is the second one of what a CI system
// that reads a log takes for a command wherever it stands in a line: GitHub
// Actions "##[stop-commands]", Azure Pipelines "##vso[…]", TeamCity
// "##teamcity[…]".
func isCommand[T string | []byte](s T, i int) bool {
	if s[i] != '#' || i == 0 || s[i-1] != '#' {
		return false
	}
	i++
	for i < len(s) && s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' {
		i++
	}
	return i < len(s) && s[i] == '['
}

// escapeRune writes r as Python and JSON would.
func escapeRune(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// escapeJSON escapes the same characters in a line of encoded JSON, without
// its line end.
func escapeJSON(line []byte) []byte {
	body := bytes.TrimSuffix(line, []byte("\n"))
	if bytes.IndexFunc(body, hostile) < 0 && !bytes.Contains(body, []byte("##")) {
		return line
	}
	out := make([]byte, 0, len(line)+64)
	for i, r := range string(body) {
		switch {
		case !hostile(r) && !isCommand(body, i):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return append(out, '\n')
}

// columns returns how many columns of a terminal a printed r takes.
func columns(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
		return 0
	case r < 0x1100:
		return 1
	}
	for _, w := range wide {
		if r >= w[0] && r <= w[1] {
			return 2
		}
	}
	return 1
}

// wide holds the blocks that terminals print two columns wide: East Asian
// scripts and pictures. It is near enough to put a caret under its text.
var wide = [...][2]rune{
	{0x1100, 0x115f},
	{0x2e80, 0xa4cf},
	{0xac00, 0xd7a3},
	{0xf900, 0xfaff},
	{0xfe30, 0xfe6f},
	{0xff00, 0xff60},
	{0xffe0, 0xffe6},
	{0x1f300, 0x1f64f},
	{0x1f900, 0x1f9ff},
	{0x20000, 0x3fffd},
}

// Width returns how many columns of a terminal a printed string takes.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += columns(r)
	}
	return n
}
