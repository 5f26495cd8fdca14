// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Display returns v as Python's str() prints it: a Str and a Content as their
// text, None, True and False by these names, floats with the fewest digits that
// read back, items of containers by their repr. An element of a trace is the
// JSON it was made of, an Unknown value `<unknown>`.
func Display(v *Value) string { return DisplayUpTo(v, math.MaxInt) }

// DisplayUpTo is Display for a reader that wants n bytes at most: of a container
// that takes more it gives more than n, but not all.
func DisplayUpTo(v *Value, n int) string {
	if s, ok := Concat(v); ok {
		return s
	}
	return ReprUpTo(v, n)
}

// ReprUpTo returns v as Python's repr() prints it, cut as DisplayUpTo does.
func ReprUpTo(v *Value, n int) string { return string(printer{max: n}.repr(nil, v)) }

// A printer stops when it has written more than max bytes.
type printer struct{ max int }

func (p printer) repr(dst []byte, v *Value) []byte {
	switch v.kind {
	case Unknown:
		return append(dst, "<unknown>"...)
	case None:
		return append(dst, "None"...)
	case Bool:
		if v.num != 0 {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case Str, Content:
		s, _ := Concat(v)
		return reprText(dst, s)
	case List:
		return append(p.items(append(dst, '['), v.Items()), ']')
	case Tuple:
		dst = p.items(append(dst, '('), v.Items())
		if len(v.Items()) == 1 {
			dst = append(dst, ',')
		}
		return append(dst, ')')
	case Dict:
		return p.dict(dst, v)
	case Record:
		return p.record(dst, v)
	}
	return AppendJSON(dst, v)
}

func (p printer) items(dst []byte, items []*Value) []byte {
	for i, it := range items {
		if len(dst) > p.max {
			break
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = p.repr(dst, it)
	}
	return dst
}

func (p printer) dict(dst []byte, v *Value) []byte {
	dst = append(dst, '{')
	for i, k := range v.Keys() {
		if len(dst) > p.max {
			break
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(reprText(dst, k), ": "...)
		dst = p.repr(dst, v.body.items[i])
	}
	return append(dst, '}')
}

func (p printer) record(dst []byte, v *Value) []byte {
	dst = append(append(dst, v.Type().Name...), '(')
	n := 0
	for i, f := range v.body.fields {
		if f == nil {
			continue
		}
		if n++; n > 1 {
			dst = append(dst, ", "...)
		}
		dst = append(append(dst, v.Type().Fields[i].Name...), '=')
		dst = p.repr(dst, f)
	}
	return append(dst, ')')
}

// reprText quotes s as Python does: in single quotes unless only those occur in
// it, with what does not print escaped.
func reprText(dst []byte, s string) []byte {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	dst = append(dst, quote)
	for _, r := range s {
		dst = reprRune(dst, r, quote)
	}
	return append(dst, quote)
}

func reprRune(dst []byte, r rune, quote byte) []byte {
	switch {
	case r == rune(quote) || r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case unicode.IsPrint(r):
		return append(dst, string(r)...)
	case r < 0x100:
		return appendHex(append(dst, `\x`...), byte(r))
	case r < 0x10000:
		return append(dst, `\u`+hex(r, 4)...)
	}
	return append(dst, `\U`+hex(r, 8)...)
}

func hex(r rune, width int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", width-len(s)) + s
}
