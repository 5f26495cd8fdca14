// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"strconv"
	"strings"
)

// Locate returns the offset at which v stands in src, the JSON text that the
// outermost value v is part of was read from. What was read from a string of
// that text, as arguments may be, is where the string is. It reads src again:
// it is for errors.
func Locate(src string, v *Value) int {
	var steps []int
	for ; v.parent != nil; v = v.parent {
		if v.index >= 0 {
			steps = append(steps, int(v.index))
		}
	}
	at := skipSpace(src, 0)
	for i := len(steps) - 1; i >= 0; i-- {
		if at >= len(src) || src[at] != '[' && src[at] != '{' {
			break
		}
		at = child(src, at, steps[i])
	}
	return min(at, len(src))
}

// child returns the offset of child number n of the container at at.
func child(src string, at, n int) int {
	object := src[at] == '{'
	at = skipSpace(src, at+1)
	for i := 0; ; i++ {
		if object {
			at = skipSpace(src, skipString(src, at))
			at = skipSpace(src, at+1)
		}
		if i == n || at >= len(src) {
			return at
		}
		at = skipSpace(src, skipValue(src, at))
		at = skipSpace(src, at+1)
	}
}

func skipSpace(src string, at int) int {
	for at < len(src) && (src[at] == ' ' || src[at] == '\n' || src[at] == '\t' || src[at] == '\r') {
		at++
	}
	return at
}

func skipString(src string, at int) int {
	for at++; at < len(src) && src[at] != '"'; at++ {
		if src[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// skipValue returns the offset behind the value at at.
func skipValue(src string, at int) int {
	depth := 0
	for at < len(src) {
		switch src[at] {
		case '"':
			at = skipString(src, at)
			if depth == 0 {
				return at
			}
			continue
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth < 0 {
				return at
			}
			if depth == 0 {
				return at + 1
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return at
			}
		}
		at++
	}
	return at
}

// PathAt returns the path, as Path writes it, to the value that stands at an
// offset of src, which must be JSON. It reads src again: it is for errors.
func PathAt(src string, offset int) string {
	var path []byte
	at := skipSpace(src, 0)
	for at < offset && at < len(src) && (src[at] == '[' || src[at] == '{') {
		at, path = towards(src, at, offset, path)
	}
	return strings.TrimPrefix(string(path), ".")
}

// towards returns the offset of the child that offset is in, of the container
// at at, and adds the step to it to path.
func towards(src string, at, offset int, path []byte) (int, []byte) {
	object := src[at] == '{'
	at = skipSpace(src, at+1)
	for i := 0; at < len(src); i++ {
		step := strconv.Itoa(i)
		if object {
			end := skipString(src, at)
			step = string(AppendKey(nil, clip(keyOf(src[at:min(end, len(src))]))))
			at = skipSpace(src, skipSpace(src, end)+1)
		}
		end := skipValue(src, at)
		if offset < end || end >= len(src) {
			return at, append(append(path, '.'), step...)
		}
		at = skipSpace(src, skipSpace(src, end)+1)
	}
	return len(src), path
}

// keyOf returns the key that is written as quoted, which is its own text if it
// is none.
func keyOf(quoted string) string {
	v, err := ParseJSON(quoted, JSONLimits{})
	if err != nil {
		return quoted
	}
	return v.Text()
}
