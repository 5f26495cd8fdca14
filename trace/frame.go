// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// framer finds where a JSON value ends, by its brackets and strings alone: what
// else is wrong with it does not matter here. The zero framer is at the
// beginning of a value; scan may be given it piece by piece.
type framer struct {
	line bool // the value must end in its line

	due     []byte // the closing brackets that must come, innermost last
	deeper  int    // levels beyond those of due
	quoted  bool   // within a string
	escaped bool   // behind a backslash
}

// maxDue is how many levels' brackets must match. Text that is nested deeper is
// refused when it is decoded; here its levels are just counted.
const maxDue = 512

// frame is how far a framer has come.
type frame int

const (
	partial frame = iota
	whole         // the value is complete
	torn          // no value ends here: brackets that do not match, a line that ends in a string
)

// scan goes on through b and returns how much of it belongs to the value.
func (f *framer) scan(b []byte) (int, frame) {
	for i := 0; i < len(b); {
		if f.quoted {
			n, at := f.text(b[i:])
			if i += n; at != partial {
				return i, at
			}
			continue
		}
		c := b[i]
		switch {
		case class[c] == 0:
			i++
			continue
		case class[c] == stops && len(f.due) == 0:
			return i, whole // of a value without brackets
		}
		i++
		switch c {
		case '"':
			f.quoted = true
		case '{', '[':
			f.open(c)
		case '}', ']':
			if !f.close(c) {
				return i - 1, torn
			}
			if len(f.due) == 0 {
				return i, whole
			}
		case '\n':
			if f.line {
				return i - 1, torn
			}
		}
	}
	return len(b), partial
}

// class sorts the bytes that mean something outside of strings.
var class = [256]byte{'"': marks, '{': marks, '[': marks, '}': stops, ']': stops, ',': stops, '\n': stops}

const marks, stops = 1, 2

func (f *framer) open(c byte) {
	if len(f.due) >= maxDue {
		f.deeper++
		return
	}
	f.due = append(f.due, c+2) // '{' and '}', '[' and ']' are two apart
}

func (f *framer) close(c byte) bool {
	if f.deeper > 0 {
		f.deeper--
		return true
	}
	last := len(f.due) - 1
	if last < 0 || f.due[last] != c {
		return false
	}
	f.due = f.due[:last]
	return true
}

// text goes on through a string.
func (f *framer) text(b []byte) (int, frame) {
	for i := 0; i < len(b); {
		if f.escaped {
			f.escaped = false
			if b[i] == '\n' {
				return i, torn
			}
			i++
			continue
		}
		if i += plain(b[i:]); i == len(b) {
			break
		}
		switch b[i] {
		case '"':
			f.quoted = false
			if len(f.due) == 0 {
				return i + 1, whole
			}
			return i + 1, partial
		case '\\':
			if i+1 < len(b) && b[i+1] != '\n' {
				i++
			} else {
				f.escaped = true
			}
		case '\n':
			return i, torn
		}
		i++
	}
	return len(b), partial
}

// plain returns how many bytes b begins with that are no quote, no backslash
// and no control character.
func plain(b []byte) int {
	const (
		low  = 0x0101010101010101
		high = 0x8080808080808080
	)
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		q, s := w^low*'"', w^low*'\\'
		if m := ((q-low)&^q | (s-low)&^s | (w-low*0x20)&^w) & high; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '"' || c == '\\' || c < 0x20 {
			return i
		}
	}
	return i
}

// sort is what a list that begins a text holds.
type sort int

const (
	unsure  sort = iota // the text does not say yet
	records             // traces
	other               // events, or anything
)

// sortOf says what the list that b begins with holds, by its first element: a
// list, or an object with the key given, is a trace. If stay, the list must show
// it in its first line.
func sortOf(b []byte, key string, stay bool) sort {
	if b = b[1:]; len(b) > 0 {
		b = b[spaces(b, stay):]
	}
	switch {
	case len(b) == 0:
		return unsure
	case b[0] == '[':
		return records
	case b[0] != '{':
		return other
	}
	return sortOfObject(b[1:], key, stay)
}

// sortOfObject looks at the keys of an object from behind its bracket on.
func sortOfObject(b []byte, key string, stay bool) sort {
	for {
		b = b[spaces(b, stay):]
		k, rest, ok := firstKey(b, stay)
		switch {
		case len(b) > 0 && b[0] != '"':
			return other
		case !ok:
			return unsure
		case string(k) == key:
			return records
		case key == "messages" && (string(k) == "role" || string(k) == "function"):
			return other
		}
		f := framer{line: stay}
		n, at := f.scan(rest)
		switch {
		case at == torn:
			return other
		case at == partial:
			return unsure
		}
		b = rest[n:]
		b = b[spaces(b, stay):]
		if len(b) == 0 {
			return unsure
		}
		if b[0] != ',' {
			return other
		}
		b = b[1:]
	}
}

// firstKey returns the key that b begins with, as it is written, and what
// follows its colon; false if b does not hold that much.
func firstKey(b []byte, stay bool) (key, rest []byte, ok bool) {
	var f framer
	n, at := f.scan(b)
	if at != whole || b[0] != '"' {
		return nil, nil, false
	}
	key, rest = b[1:n-1], b[n:]
	rest = rest[spaces(rest, stay):]
	if len(rest) == 0 {
		return nil, nil, false
	}
	return key, bytes.TrimLeft(bytes.TrimPrefix(rest, []byte{':'}), " \t\r\n"), true
}
