// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"math"
	"math/big"
)

// MaxBits is the size beyond which an integer is unknown.
const MaxBits = 4096

// manyKeys is the number of keys from which on an object has a lookup table.
const manyKeys = 17

// The values that everybody shares. They have no address.
var (
	NoneV     = &Value{kind: None, index: -1}
	TrueV     = &Value{kind: Bool, index: -1, num: 1}
	FalseV    = &Value{kind: Bool, index: -1}
	EmptyStr  = &Value{kind: Str, index: -1}
	EmptyList = &Value{kind: List, index: -1}
	EmptyDict = &Value{kind: Dict, index: -1}
)

const minShared, maxShared = -16, 256

// sharedInts holds the integers that counting and indexing make most.
var sharedInts = func() (ints [maxShared - minShared + 1]Value) {
	for i := range ints {
		ints[i] = Value{kind: Int, index: -1, num: uint64(int64(i + minShared))}
	}
	return ints
}()

// BoolOf returns TrueV or FalseV.
func BoolOf(b bool) *Value {
	if b {
		return TrueV
	}
	return FalseV
}

// IntOf returns an Int.
func IntOf(n int64) *Value {
	if n >= minShared && n <= maxShared {
		return &sharedInts[n-minShared]
	}
	return &Value{kind: Int, index: -1, num: uint64(n)}
}

// BigOf returns an Int, or an Unknown value if n has more than MaxBits bits. It
// keeps n, which must not change afterwards.
func BigOf(n *big.Int) *Value {
	switch {
	case n.IsInt64():
		return IntOf(n.Int64())
	case n.BitLen() > MaxBits:
		return Trouble(TooLarge, nil, "an integer of more than 4096 bits")
	}
	return &Value{kind: Int, index: -1, body: &body{more: &more{big: n}}}
}

// FloatOf returns a Float, or an Unknown value if f is no finite number.
func FloatOf(f float64) *Value {
	switch {
	case math.IsNaN(f):
		return Trouble(Arithmetic, nil, "the result is not a number")
	case math.IsInf(f, 0):
		return Trouble(Arithmetic, nil, "the result is beyond the range of a float")
	}
	return &Value{kind: Float, index: -1, num: math.Float64bits(f)}
}

// StrOf returns a Str. Its text must be UTF-8.
func StrOf(s string) *Value {
	if s == "" {
		return EmptyStr
	}
	return &Value{kind: Str, index: -1, str: s}
}

// ListOf returns a List of items, which it keeps, or an Unknown value if they
// hold too many values. The items keep the parents they have: a computed list
// is not where they stand.
func ListOf(items []*Value) *Value { return collection(List, nil, items) }

// ArgsOf is ListOf for the arguments of a call, which no size bounds.
func ArgsOf(items []*Value) *Value {
	return &Value{kind: List, index: -1, num: sized(1, weights(items)), body: &body{items: items}}
}

// maxNested bounds the values within a computed collection, however deep. One
// that holds another twice is small until something walks through it: a few
// lines that double a list make one that nothing ever gets to the end of.
const maxNested = 1 << 20

// collection returns a computed List, Tuple or Dict.
func collection(k Kind, keys []string, items []*Value) *Value {
	n := uint64(1)
	for _, it := range items {
		n += nested(it)
	}
	if n > maxNested {
		return Trouble(TooLarge, nil, "the result holds more values than one may")
	}
	return &Value{kind: k, index: -1, num: sized(n, weights(items)), body: &body{keys: keys, items: items}}
}

// sized is the num of a collection: its weight in the upper half; in the lower
// one twice the number of values that computing put into it, and answers.
func sized(n, weight uint64) uint64 { return min(weight, math.MaxUint32)<<32 | n<<1 }

// bytesPerWeight is how many bytes of text weigh as much as one value.
const bytesPerWeight = 64

// Weight says how much there is to look at in v, in values, however deep. It
// takes next to no time itself.
func Weight(v *Value) int {
	switch v.kind {
	case Str:
		return 1 + len(v.str)/bytesPerWeight
	case Content:
		s, _ := Concat(v)
		return 1 + len(s)/bytesPerWeight
	case List, Tuple, Dict:
		return max(1+len(v.Items()), int(v.num>>32))
	}
	if m := v.rest(); m != nil && m.orig != nil {
		return Weight(m.orig)
	}
	return int(weights(v.Items()))
}

// weights is the weight of a collection of items.
func weights(items []*Value) uint64 {
	n := uint64(1)
	for _, it := range items {
		n += uint64(Weight(it))
	}
	return n
}

// nested returns how many values v is made of, as far as computing made it.
func nested(v *Value) uint64 {
	switch v.kind {
	case List, Tuple, Dict:
		if n := v.num << 32 >> 33; v.parent == nil && n > 1 {
			return n
		}
	}
	return 1
}

// AnswersOf returns the list of truth values that a question about each
// element of a list gives. As a whole it is neither true nor false.
func AnswersOf(items []*Value) *Value {
	v := ListOf(items)
	if v.kind == List {
		v.num |= answers
	}
	return v
}

// answers marks a List made by AnswersOf.
const answers = 1

// Answers reports whether v was made by AnswersOf.
func Answers(v *Value) bool { return v.kind == List && v.num&answers != 0 }

// TupleOf returns a Tuple of items, which it keeps, or an Unknown value if they
// hold too many values.
func TupleOf(items []*Value) *Value { return collection(Tuple, nil, items) }

// DictOf returns a Dict, which keeps keys and items, or an Unknown value if
// they hold too many values. A key that comes twice has its first place and its
// last value, as in Python.
func DictOf(keys []string, items []*Value) *Value {
	v := collection(Dict, keys, items)
	if v.kind == Unknown {
		return v
	}
	lookup := make(map[string]int32, len(keys))
	for i, k := range keys {
		if _, ok := lookup[k]; ok {
			return dictWithout(keys, items)
		}
		lookup[k] = int32(i)
	}
	if len(keys) >= manyKeys {
		v.extra().lookup = lookup
	}
	return v
}

// dictWithout is DictOf for keys that repeat.
func dictWithout(keys []string, items []*Value) *Value {
	at := make(map[string]int, len(keys))
	var ks []string
	var vs []*Value
	for i, k := range keys {
		if j, ok := at[k]; ok {
			vs[j] = items[i]
			continue
		}
		at[k] = len(ks)
		ks, vs = append(ks, k), append(vs, items[i])
	}
	return DictOf(ks, vs)
}

// RecordOf returns a Record of the type t with one field for each of t.Fields.
func RecordOf(t *Type, fields ...*Value) *Value {
	return &Value{kind: Record, index: -1, body: &body{fields: fields, more: &more{typ: t}}}
}
