// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Arith is a binary arithmetic operator within the default limits.
func Arith(op syntax.Op, a, b *value.Value) *value.Value { return (*Env)(nil).Arith(op, a, b) }

// Arith is a binary arithmetic operator. Integers are exact, other numbers
// doubles; a boolean is no number.
func (e *Env) Arith(op syntax.Op, a, b *value.Value) *value.Value {
	switch {
	case op == syntax.Add:
		return add(a, b, e.limits())
	case op == syntax.Mul && !isNumber(a):
		return repeat(a, b, e.limits())
	case op == syntax.Mul && !isNumber(b):
		return repeat(b, a, e.limits())
	case !isNumber(a):
		return noNumber(a)
	case !isNumber(b):
		return noNumber(b)
	case op == syntax.Div:
		return divide(a, b)
	case op == syntax.Pow:
		return power(a, b)
	case a.Kind() == value.Int && b.Kind() == value.Int:
		return intArith(op, a, b)
	}
	return floatArith(op, toFloat64(a), toFloat64(b))
}

// Negate is unary minus.
func Negate(a *value.Value) *value.Value {
	if !isNumber(a) {
		return noNumber(a)
	}
	if a.Kind() == value.Float {
		return value.FloatOf(-a.Float())
	}
	return intArith(syntax.Sub, value.IntOf(0), a)
}

// Plus is unary plus.
func Plus(a *value.Value) *value.Value {
	if !isNumber(a) {
		return noNumber(a)
	}
	return a
}

func isNumber(v *value.Value) bool { return v.Kind() == value.Int || v.Kind() == value.Float }

func noNumber(v *value.Value) *value.Value {
	if v.Kind() == value.Bool {
		return value.Trouble(value.TypeError, v, "a bool is no number here")
	}
	return wrongKind("arithmetic takes numbers", v)
}

// toFloat64 rounds to the nearest double; an integer beyond their range is an
// infinity.
func toFloat64(v *value.Value) float64 {
	if v.Kind() == value.Float {
		return v.Float()
	}
	if n, ok := v.Int(); ok {
		return float64(n)
	}
	f, _ := new(big.Float).SetInt(v.Big()).Float64()
	return f
}

// add is `+` on numbers, and on two texts, lists or tuples.
func add(a, b *value.Value, lim Limits) *value.Value {
	ka, kb := a.Kind(), b.Kind()
	switch {
	case ka == value.Int && kb == value.Int:
		return intArith(syntax.Add, a, b)
	case isNumber(a) && isNumber(b):
		return floatArith(syntax.Add, toFloat64(a), toFloat64(b))
	case isText(a) && isText(b):
		return addTexts(a, b, lim)
	case ka == kb && (ka == value.List || ka == value.Tuple):
		if len(a.Items())+len(b.Items()) > lim.items() {
			return tooLarge()
		}
		return likeList(a, slices.Concat(a.Items(), b.Items()))
	case ka == value.Bool || isNumber(a) && kb == value.Bool:
		return noNumber(value.TrueV)
	}
	return value.Trouble(value.TypeError, nil, "+ does not take "+describe(a)+" and "+describe(b))
}

func isText(v *value.Value) bool { return v.Kind() == value.Str || v.Kind() == value.Content }

func addTexts(a, b *value.Value, lim Limits) *value.Value {
	s, bad := text(a, "an operand of +")
	if bad != nil {
		return bad
	}
	t, bad := text(b, "an operand of +")
	if bad != nil {
		return bad
	}
	if len(s)+len(t) > lim.value() {
		return tooLarge()
	}
	return value.StrOf(s + t)
}

// likeList returns items as a list or tuple, whichever v is.
func likeList(v *value.Value, items []*value.Value) *value.Value {
	if v.Kind() == value.Tuple {
		return value.TupleOf(items)
	}
	return value.ListOf(items)
}

// repeat is `*` on a text, list or tuple.
func repeat(a, times *value.Value, lim Limits) *value.Value {
	list := a.Kind() == value.List || a.Kind() == value.Tuple
	switch {
	case !list && !isText(a):
		return noNumber(a)
	case times.Kind() != value.Int:
		return wrongKind("a repeat takes an int", times)
	}
	size, limit := len(a.Items()), lim.items()
	var s string
	if !list {
		var bad *value.Value
		if s, bad = text(a, "an operand of *"); bad != nil {
			return bad
		}
		size, limit = len(s), lim.value()
	}
	n, ok := times.Int()
	switch {
	case !ok && times.Big().Sign() < 0 || ok && n <= 0 || size == 0:
		n = 0
	case !ok || n > int64(limit) || n*int64(size) > int64(limit):
		return tooLarge()
	}
	if list {
		return likeList(a, slices.Repeat(a.Items(), int(n)))
	}
	return value.StrOf(strings.Repeat(s, int(n)))
}

// intArith is + - * // % on integers, in 64 bits where they suffice.
func intArith(op syntax.Op, a, b *value.Value) *value.Value {
	x, ok := a.Int()
	y, ok2 := b.Int()
	if ok && ok2 {
		if v := smallArith(op, x, y); v != nil {
			return v
		}
	}
	p, q := a.Big(), b.Big()
	if (op == syntax.FloorDiv || op == syntax.Mod) && q.Sign() == 0 {
		return byZero()
	}
	switch op {
	case syntax.Add:
		return value.BigOf(new(big.Int).Add(p, q))
	case syntax.Sub:
		return value.BigOf(new(big.Int).Sub(p, q))
	case syntax.Mul:
		return value.BigOf(new(big.Int).Mul(p, q))
	case syntax.FloorDiv:
		div, _ := floorDivBig(p, q)
		return value.BigOf(div)
	default:
		_, mod := floorDivBig(p, q)
		return value.BigOf(mod)
	}
}

// smallArith returns nil when 64 bits do not hold the result.
func smallArith(op syntax.Op, x, y int64) *value.Value {
	switch op {
	case syntax.Add:
		if s := x + y; (s > x) == (y > 0) {
			return value.IntOf(s)
		}
	case syntax.Sub:
		if s := x - y; (s < x) == (y > 0) {
			return value.IntOf(s)
		}
	case syntax.Mul:
		hi, lo := bits.Mul64(magnitude(x), magnitude(y))
		if hi == 0 && lo < 1<<63 {
			return value.IntOf(x * y)
		}
	case syntax.FloorDiv, syntax.Mod:
		if y == 0 {
			return byZero()
		}
		if y == -1 {
			return nil // the one quotient that may not fit
		}
		div, mod := x/y, x%y
		if mod != 0 && (mod < 0) != (y < 0) {
			div, mod = div-1, mod+y
		}
		if op == syntax.FloorDiv {
			return value.IntOf(div)
		}
		return value.IntOf(mod)
	}
	return nil
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// floorDivBig divides towards minus infinity.
func floorDivBig(p, q *big.Int) (div, mod *big.Int) {
	div, mod = new(big.Int).QuoRem(p, q, new(big.Int))
	if mod.Sign() != 0 && (mod.Sign() < 0) != (q.Sign() < 0) {
		div.Sub(div, big.NewInt(1))
		mod.Add(mod, q)
	}
	return div, mod
}

func byZero() *value.Value { return value.Trouble(value.Arithmetic, nil, "division by zero") }

// divide is `/`: the double nearest to the exact quotient.
func divide(a, b *value.Value) *value.Value {
	if value.Truth(b) == value.False {
		return byZero()
	}
	if a.Kind() != value.Int || b.Kind() != value.Int {
		return value.FloatOf(toFloat64(a) / toFloat64(b))
	}
	const exact = 1 << 53
	x, ok := a.Int()
	y, ok2 := b.Int()
	if ok && ok2 && magnitude(x) <= exact && magnitude(y) <= exact {
		return value.FloatOf(float64(x) / float64(y))
	}
	f, _ := new(big.Rat).SetFrac(a.Big(), b.Big()).Float64()
	return value.FloatOf(f)
}

// floatArith is + - * // % on doubles.
func floatArith(op syntax.Op, x, y float64) *value.Value {
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return value.FloatOf(math.Inf(1)) // an integer that is beyond them
	}
	switch op {
	case syntax.Add:
		return value.FloatOf(x + y)
	case syntax.Sub:
		return value.FloatOf(x - y)
	case syntax.Mul:
		return value.FloatOf(x * y)
	}
	if y == 0 {
		return byZero()
	}
	div, mod := floorDivFloat(x, y)
	if op == syntax.FloorDiv {
		return value.FloatOf(div)
	}
	return value.FloatOf(mod)
}

// floorDivFloat is CPython's float_divmod: the sign of the remainder is that
// of the divisor.
func floorDivFloat(x, y float64) (div, mod float64) {
	mod = math.Mod(x, y)
	div = (x - mod) / y
	if mod == 0 {
		mod = math.Copysign(0, y)
	} else if (y < 0) != (mod < 0) {
		mod += y
		div--
	}
	if div == 0 {
		return math.Copysign(0, x/y), mod
	}
	floor := math.Floor(div)
	if div-floor > 0.5 {
		floor++
	}
	return floor, mod
}

// power is `**`: exact for integers with an exponent that is not negative.
func power(a, b *value.Value) *value.Value {
	if a.Kind() == value.Int && b.Kind() == value.Int && b.Big().Sign() >= 0 {
		return intPower(a.Big(), b.Big())
	}
	x, y := toFloat64(a), toFloat64(b)
	switch {
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return value.FloatOf(math.Inf(1))
	case x == 0 && y < 0:
		return byZero()
	}
	return value.FloatOf(floatPower(x, y))
}

// floatPower rounds once for whole exponents, as C's pow all but does;
// math.Pow is off by some bits then. Other exponents may differ from Python's
// in the last bit.
func floatPower(x, y float64) float64 {
	const maxExponent, precision = 1 << 20, 256
	if y != math.Trunc(y) || math.Abs(y) > maxExponent || x == 0 {
		return math.Pow(x, y)
	}
	result := new(big.Float).SetPrec(precision).SetInt64(1)
	square := new(big.Float).SetPrec(precision).SetFloat64(x)
	for n := uint64(math.Abs(y)); n > 0; n >>= 1 {
		if n&1 == 1 {
			result.Mul(result, square)
		}
		square.Mul(square, square)
	}
	if y < 0 {
		result.Quo(new(big.Float).SetPrec(precision).SetInt64(1), result)
	}
	f, _ := result.Float64()
	return f
}

// intPower refuses a result beyond the limit before it is computed.
func intPower(x, y *big.Int) *value.Value {
	if x.BitLen() > 1 && (!y.IsInt64() || y.Int64() > value.MaxBits || int64(x.BitLen()-1)*y.Int64() > value.MaxBits) {
		return value.Trouble(value.TooLarge, nil, "an integer of more than 4096 bits")
	}
	if x.BitLen() <= 1 && y.Sign() > 0 { // 0, 1 and -1, whatever the exponent
		if x.Sign() < 0 && y.Bit(0) == 0 {
			return value.IntOf(1)
		}
		return value.BigOf(x)
	}
	return value.BigOf(new(big.Int).Exp(x, y, nil))
}
