// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"strconv"
	"strings"
)

// Address returns where v stands in its trace: the entry's index and the path
// to v in that entry, as in `2.tool_calls.0.function.arguments.to`. A key that
// would not read as one word there stands in quotes. False: v is computed, or
// its event is not placed yet.
func Address(v *Value) (string, bool) {
	p, ok := PlaceOf(v)
	if !ok {
		return "", false
	}
	buf := strconv.AppendInt(make([]byte, 0, 64), int64(p.Index), 10)
	return string(appendPath(buf, nil, v, false)), true
}

// Path returns the path from the outermost value that v is part of to v.
func Path(v *Value) string { return PathFrom(nil, v) }

// PathFrom returns the path from root, which v is part of, to v. It is for
// messages: long keys are cut.
func PathFrom(root, v *Value) string {
	return strings.TrimPrefix(string(appendPath(nil, root, v, true)), ".")
}

// appendPath appends the path from root to v. A part that the input does not
// spell out has index -1 and stands where its parent does.
func appendPath(dst []byte, root, v *Value, cut bool) []byte {
	p := v.parent
	if p == nil || v == root {
		return dst
	}
	dst = appendPath(dst, root, p, cut)
	if v.index < 0 {
		return dst
	}
	dst = append(dst, '.')
	if keys := p.Keys(); keys != nil {
		key := keys[v.index]
		if cut {
			key = clip(key)
		}
		return AppendKey(dst, key)
	}
	return strconv.AppendInt(dst, int64(v.index), 10)
}

// AppendKey appends key as addresses print it.
func AppendKey(dst []byte, key string) []byte {
	if plainKey(key) {
		return append(dst, key...)
	}
	return AppendQuoted(dst, key)
}

func plainKey(key string) bool {
	for i := 0; i < len(key); i++ {
		if c := key[i]; c <= ' ' || c == '.' || c == ':' || c == '"' || c == 0x7f {
			return false
		}
	}
	return key != ""
}

// Position returns where v stands in the order of the trace: its slot in the
// upper, its place within the slot in the lower 32 bits. A slot is a Message,
// ToolCall, ToolOutput or Tool; part i of a content is at i+1, everything else
// at 0. False: v is computed, or its event is not placed yet.
func Position(v *Value) (uint64, bool) {
	var sub, slot uint64
	for found := false; v.parent != nil; v = v.parent {
		switch {
		case found:
		case IsSlot(v):
			slot, found = v.num, true
		case v.parent.kind == Content:
			sub = uint64(v.index) + 1
		}
	}
	if v.index < 0 {
		return 0, false
	}
	return (v.num+slot)<<32 | sub, true
}

// IsSlot reports whether v itself is a Message, ToolCall, ToolOutput or Tool.
func IsSlot(v *Value) bool { return v.kind >= Message && v.kind <= Tool }

// SameMessage reports whether a and b belong to two different calls of one
// message.
func SameMessage(a, b *Value) bool {
	ca, cb := callOf(a), callOf(b)
	return ca != nil && cb != nil && ca != cb && ca.Root() == cb.Root()
}

// callOf returns the call that v is or is part of, nil if there is none.
func callOf(v *Value) *Value {
	for v != nil && v.kind != ToolCall {
		v = v.parent
	}
	return v
}
