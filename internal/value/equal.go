// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"hash/maphash"
	"math"
	"math/big"
)

// seed is fixed for the life of the process, so that hashes may be kept.
var seed = maphash.MakeSeed()

// secret keeps whoever writes a trace from making lists of one hash.
var secret = maphash.Comparable(seed, "secret")

// Equal is the language's `==`: total, kinds that differ are unequal, a boolean
// is no number, ints and floats compare by exact value. A Content equals the
// Str of its concatenation. Elements are equal when they are the same element;
// inside a dict or list of a trace, where a schema holds its parameters, a
// ToolParameter counts as the object it is. An Unknown value equals only itself.
func Equal(a, b *Value) bool {
	if a == b {
		return true
	}
	switch a.kind {
	case None:
		return b.kind == None
	case Bool:
		return b.kind == Bool && a.num == b.num
	case Int, Float:
		c, ok := compareNumbers(a, b)
		return ok && c == 0
	case Str:
		if b.kind == Str {
			return a.str == b.str
		}
		return b.kind == Content && equalText(b, a)
	case Content:
		return (b.kind == Str || b.kind == Content) && equalText(a, b)
	case List, Tuple:
		return b.kind == a.kind && equalItems(a, b)
	case Dict:
		return b.kind == Dict && equalObjects(a, b)
	case Record:
		return b.kind == Record && equalRecords(a, b)
	}
	return false
}

func equalText(a, b *Value) bool {
	s, ok := Concat(a)
	t, ok2 := Concat(b)
	return ok && ok2 && s == t
}

func equalItems(a, b *Value) bool {
	x, y := a.Items(), b.Items()
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !equalInside(x[i], y[i]) {
			return false
		}
	}
	return true
}

func equalObjects(a, b *Value) bool {
	if len(a.Keys()) != len(b.Keys()) {
		return false
	}
	for i, k := range a.Keys() {
		other := b.Get(k)
		if other == nil || !equalInside(a.body.items[i], other) {
			return false
		}
	}
	return true
}

// equalInside is Equal for what a container holds.
func equalInside(a, b *Value) bool {
	a, b = plain(a), plain(b)
	if isObject(a) && isObject(b) {
		return a == b || equalObjects(a, b)
	}
	return Equal(a, b)
}

// isObject reports whether v counts as a dict inside a container.
func isObject(v *Value) bool { return v.kind == Dict || v.kind == ToolParameter }

// plain returns what a parameter was read from if that is no object: JSON
// Schema lets `true` stand for one.
func plain(v *Value) *Value {
	if v.kind == ToolParameter {
		if m := v.rest(); m != nil && m.orig != nil {
			return m.orig
		}
	}
	return v
}

func equalRecords(a, b *Value) bool {
	if a.body.more.typ != b.body.more.typ {
		return false
	}
	for i, f := range a.body.fields {
		g := b.body.fields[i]
		if f == nil || g == nil {
			if f != g {
				return false
			}
			continue
		}
		if !Equal(f, g) {
			return false
		}
	}
	return true
}

// Hash returns a hash of v that is the same for values that are Equal, for as
// long as the process runs.
func Hash(v *Value) uint64 {
	switch v.kind {
	case None, Bool:
		return mix(uint64(v.kind), v.num)
	case Int, Float:
		return hashNumber(v)
	case Str:
		return maphash.String(seed, v.str)
	case Content:
		s, _ := Concat(v)
		return maphash.String(seed, s)
	case List, Tuple:
		h := mix(uint64(v.kind), 0)
		for _, it := range v.Items() {
			h = mix(h, hashInside(it))
		}
		return h
	case Dict:
		return hashObject(v)
	case Record:
		return hashRecord(v)
	}
	return maphash.Comparable(seed, v)
}

func hashInside(v *Value) uint64 {
	v = plain(v)
	if isObject(v) {
		return hashObject(v)
	}
	return Hash(v)
}

// hashObject does not depend on the order of the keys.
func hashObject(v *Value) uint64 {
	var sum uint64
	for i, k := range v.Keys() {
		sum += mix(maphash.String(seed, k), hashInside(v.body.items[i]))
	}
	return mix(uint64(Dict), sum)
}

func hashRecord(v *Value) uint64 {
	h := maphash.Comparable(seed, v.body.more.typ)
	for _, f := range v.body.fields {
		if f == nil {
			h = mix(h, 0)
			continue
		}
		h = mix(h, Hash(f))
	}
	return h
}

// hashNumber hashes a float that is integral as the integer it equals.
func hashNumber(v *Value) uint64 {
	if v.kind == Int {
		if !v.isBig() {
			return mix(uint64(Int), v.num)
		}
		return hashBig(v.body.more.big)
	}
	f := v.Float()
	switch {
	case f != math.Trunc(f):
		return mix(uint64(Float), v.num)
	case math.Abs(f) < 1<<63:
		return mix(uint64(Int), uint64(int64(f)))
	}
	n, _ := big.NewFloat(f).Int(nil)
	if n.IsInt64() {
		return mix(uint64(Int), uint64(n.Int64()))
	}
	return hashBig(n)
}

func hashBig(n *big.Int) uint64 {
	return mix(maphash.Bytes(seed, n.Bytes()), uint64(n.Sign()))
}

// mix combines two hashes; its constants are those of MurmurHash3's finalizer.
func mix(a, b uint64) uint64 {
	h := (a+secret)*0x9e3779b97f4a7c15 ^ b
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
