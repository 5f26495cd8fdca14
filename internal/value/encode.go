// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends v as compact JSON: keys in the order of the input, floats
// as Python's repr prints them, so that 1.0 stays a float. An element is the
// object it was made of; what was loaded as Unknown is written as it was read;
// an Unknown value that was computed is null.
func AppendJSON(dst []byte, v *Value) []byte {
	switch v.kind {
	case Bool:
		return strconv.AppendBool(dst, v.num != 0)
	case Int:
		if v.isBig() {
			return v.body.more.big.Append(dst, 10)
		}
		return strconv.AppendInt(dst, int64(v.num), 10)
	case Float:
		return appendFloat(dst, v.Float())
	case Str:
		return AppendQuoted(dst, v.str)
	case literal:
		return append(dst, v.str...)
	case List, Tuple, Content:
		return appendList(dst, v.Items())
	case Invalid, None:
		return append(dst, "null"...)
	case Unknown:
		if m := v.rest(); m.orig != nil {
			return AppendJSON(dst, m.orig)
		}
		return append(dst, "null"...)
	case Record:
		return appendRecord(dst, v)
	}
	return appendElement(dst, v)
}

// appendElement appends a Dict, or an element as what it was made of.
func appendElement(dst []byte, v *Value) []byte {
	if m := v.rest(); m != nil && m.orig != nil {
		return AppendJSON(dst, m.orig)
	}
	dst = append(dst, '{')
	for i, k := range v.Keys() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendQuoted(dst, k), ':')
		dst = AppendJSON(dst, v.body.items[i])
	}
	return append(dst, '}')
}

func appendList(dst []byte, items []*Value) []byte {
	dst = append(dst, '[')
	for i, it := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendJSON(dst, it)
	}
	return append(dst, ']')
}

func appendRecord(dst []byte, v *Value) []byte {
	dst = append(dst, '{')
	n := 0
	for i, f := range v.body.fields {
		if f == nil {
			continue
		}
		if n++; n > 1 {
			dst = append(dst, ',')
		}
		dst = append(AppendQuoted(dst, v.Type().Fields[i].Name), ':')
		dst = AppendJSON(dst, f)
	}
	return append(dst, '}')
}

// AppendQuoted appends s as a JSON string. Only what has to be is escaped. A
// byte that is no UTF-8 becomes the lone surrogate that Python's surrogateescape
// makes of it, so that reading it back gives an Unknown value and not another
// text.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		i := scanString(s, 0)
		dst = appendValid(dst, s[:i])
		if i == len(s) {
			return append(dst, '"')
		}
		dst = appendEscaped(dst, s[i])
		s = s[i+1:]
	}
}

func appendValid(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return append(dst, s...)
	}
	for len(s) > 0 {
		i := firstInvalid(s)
		dst = append(dst, s[:i]...)
		if s = s[i:]; s != "" {
			dst = append(dst, `\udc`...)
			dst = appendHex(dst, s[0])
			s = s[1:]
		}
	}
	return dst
}

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	}
	return appendHex(append(dst, `\u00`...), c)
}

func appendHex(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	return append(dst, digits[c>>4], digits[c&15])
}

// appendFloat appends f as Python's repr does: the shortest digits that read
// back as f, an exponent below 1e-4 and from 1e16 on, always a point or an
// exponent.
func appendFloat(dst []byte, f float64) []byte {
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if !strings.Contains(string(dst[start:]), ".") {
		dst = append(dst, ".0"...)
	}
	return dst
}
