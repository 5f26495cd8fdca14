// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"cmp"
	"math"
	"math/big"
	"strings"
)

// Truth returns the truth of v as Python counts it: zero, empty and None are
// false. Elements of a trace are true, an Unknown value is Unsure.
func Truth(v *Value) Tri {
	switch v.kind {
	case Unknown:
		return Unsure
	case None:
		return False
	case Bool:
		return TriOf(v.num != 0)
	case Int:
		return TriOf(v.num != 0 || v.isBig())
	case Float:
		return TriOf(v.Float() != 0)
	case Str:
		return TriOf(v.str != "")
	case List, Tuple, Dict:
		return TriOf(len(v.Items()) > 0)
	case Content:
		return TriOf(contentTruth(v))
	}
	return True
}

// contentTruth reports whether a content holds anything: some text or a part
// that is no text.
func contentTruth(v *Value) bool {
	for _, p := range v.Items() {
		if p.kind != TextChunk {
			return true
		}
	}
	s, ok := Concat(v)
	return !ok || s != ""
}

// Compare orders numbers by exact value, texts by code points, and lists and
// tuples by their first items that differ. False: there is no order between a
// and b.
func Compare(a, b *Value) (int, bool) {
	switch a.kind {
	case Int, Float:
		return compareNumbers(a, b)
	case Str, Content:
		s, ok := Concat(a)
		t, ok2 := Concat(b)
		return strings.Compare(s, t), ok && ok2
	case List, Tuple:
		if b.kind == a.kind {
			return compareItems(a.Items(), b.Items())
		}
	}
	return 0, false
}

func compareItems(x, y []*Value) (int, bool) {
	for i := range min(len(x), len(y)) {
		if !equalInside(x[i], y[i]) {
			return Compare(x[i], y[i])
		}
	}
	return cmp.Compare(len(x), len(y)), true
}

func compareNumbers(a, b *Value) (int, bool) {
	switch {
	case a.kind == Int && b.kind == Int:
		return compareInts(a, b), true
	case a.kind == Float && b.kind == Float:
		return cmp.Compare(a.Float(), b.Float()), true
	case a.kind == Int && b.kind == Float:
		return compareMixed(a, b.Float()), true
	case a.kind == Float && b.kind == Int:
		return -compareMixed(b, a.Float()), true
	}
	return 0, false
}

func compareInts(a, b *Value) int {
	if a.isBig() || b.isBig() {
		return a.Big().Cmp(b.Big())
	}
	return cmp.Compare(int64(a.num), int64(b.num))
}

// compareMixed compares the Int a with f exactly, without rounding a to a
// float first.
func compareMixed(a *Value, f float64) int {
	if a.isBig() || math.Abs(f) >= 1<<63 {
		return new(big.Float).SetPrec(MaxBits).SetInt(a.Big()).Cmp(big.NewFloat(f))
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(int64(a.num), int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(0, f-whole)
}
