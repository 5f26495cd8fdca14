// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// length is Python's len; a text has code points, None nothing.
func length(c *Call) *value.Value {
	n, bad := lengthOf(c.Args[0])
	if bad != nil {
		return bad
	}
	return value.IntOf(int64(n))
}

func lengthOf(v *value.Value) (int, *value.Value) {
	k := v.Kind()
	switch {
	case k == value.Str:
		return utf8.RuneCountInString(v.Text()), nil
	case k == value.Content:
		s, _ := value.Concat(v)
		return utf8.RuneCountInString(s), nil
	case k == value.List || k == value.Tuple || k == value.Dict:
		if more := unfinished(v); more != nil {
			return 0, more
		}
		return len(v.Items()), nil
	case k == value.None:
		return 0, nil
	}
	return 0, wrongKind("only a text, list, tuple or dict has a length", v)
}

func isEmpty(c *Call) *value.Value {
	if unfinished(c.Args[0]) != nil && len(c.Args[0].Items()) > 1 {
		return value.FalseV
	}
	n, bad := lengthOf(c.Args[0])
	if bad != nil {
		return bad
	}
	return value.BoolOf(n == 0)
}

func anyOf(c *Call) *value.Value { return fold(c.Args[0], value.True) }

func allOf(c *Call) *value.Value { return fold(c.Args[0], value.False) }

// fold is any or all by Kleene's rules: one item whose truth is decisive
// decides, an Unknown one leaves the result open.
func fold(v *value.Value, decisive value.Tri) *value.Value {
	items, bad := Iterate(v)
	if bad != nil {
		return bad
	}
	var causes []value.Cause
	for _, it := range items {
		switch value.Truth(it) {
		case decisive:
			return value.BoolOf(decisive == value.True)
		case value.Unsure:
			causes = value.MergeCauses(causes, it.Causes())
		case value.True, value.False:
		}
	}
	if causes != nil {
		return value.UnknownOf(causes)
	}
	return value.BoolOf(decisive == value.False)
}

// printed does nothing: evaluation has no output. Its value is true, so that
// it may stand as a condition.
func printed(*Call) *value.Value { return value.TrueV }

func minimum(c *Call) *value.Value { return extreme(c, "min", -1) }

func maximum(c *Call) *value.Value { return extreme(c, "max", 1) }

// extreme returns the first of the items that no other is beyond, in the
// direction of sign.
func extreme(c *Call, name string, sign int) *value.Value {
	items := c.Args[0].Items()
	if len(items) == 1 {
		var bad *value.Value
		if items, bad = Iterate(items[0]); bad != nil {
			return bad
		}
	}
	if len(items) == 0 {
		return value.Trouble(value.Missing, nil, name+"() of nothing")
	}
	best := items[0]
	for _, it := range items {
		if it.Kind() == value.Unknown {
			return it
		}
	}
	for _, it := range items[1:] {
		order, ok := value.Compare(it, best)
		if !ok {
			return value.Trouble(value.Ordering, nil, name+"(): there is no order between "+describe(it)+" and "+describe(best))
		}
		if order == sign {
			best = it
		}
	}
	return best
}

func sum(c *Call) *value.Value {
	items, bad := Iterate(c.Args[0])
	if bad != nil {
		return bad
	}
	total := c.Args[1]
	if total.Kind() == value.Str {
		return wrongKind("sum() adds numbers; use join for texts,", total)
	}
	for _, it := range items {
		if it.Kind() == value.Unknown {
			return it
		}
		if total = add(total, it, c.Env.limits()); total.Kind() == value.Unknown {
			return total
		}
	}
	return total
}

func toStr(c *Call) *value.Value {
	v := c.Args[0]
	if v.Kind() == value.Str {
		return v
	}
	return c.Env.textOf(value.DisplayUpTo(v, c.Env.limits().value()))
}

func toBool(c *Call) *value.Value { return value.BoolOf(value.Truth(c.Args[0]) == value.True) }

func toList(c *Call) *value.Value {
	items, bad := Iterate(c.Args[0])
	if bad != nil {
		return bad
	}
	return value.ListOf(items)
}

func toTuple(c *Call) *value.Value {
	items, bad := Iterate(c.Args[0])
	if bad != nil {
		return bad
	}
	return value.TupleOf(items)
}

// toDict takes a dict or a list of pairs whose first is a str.
func toDict(c *Call) *value.Value {
	if c.Args[0].Kind() == value.Dict {
		return c.Args[0]
	}
	items, bad := Iterate(c.Args[0])
	if bad != nil {
		return bad
	}
	keys, vals := make([]string, len(items)), make([]*value.Value, len(items))
	for i, it := range items {
		pair := it.Items()
		if it.Kind() != value.List && it.Kind() != value.Tuple || len(pair) != 2 {
			return wrongKind("dict() takes pairs", it)
		}
		if pair[0].Kind() != value.Str {
			return wrongKind("a key must be a str", pair[0])
		}
		keys[i], vals[i] = pair[0].Text(), pair[1]
	}
	return value.DictOf(keys, vals)
}

// toInt converts as Python does: a float is cut towards zero, a text is a
// whole decimal number.
func toInt(c *Call) *value.Value {
	v := c.Args[0]
	k := v.Kind()
	switch {
	case k == value.Int:
		return v
	case k == value.Bool:
		return boolInt(v)
	case k == value.Float:
		n, _ := new(big.Float).SetFloat64(math.Trunc(v.Float())).Int(nil)
		return value.BigOf(n)
	}
	s, bad := text(v, "what int() reads")
	if bad != nil {
		return bad
	}
	digits, ok := decimal(trimSpace(s), false)
	if !ok {
		return value.Trouble(value.TypeError, v, "int(): the text is no whole number")
	}
	if len(digits) > 1300 {
		return tooLarge()
	}
	n, _ := new(big.Int).SetString(digits, 10)
	return value.BigOf(n)
}

func boolInt(v *value.Value) *value.Value {
	if v.Bool() {
		return value.IntOf(1)
	}
	return value.IntOf(0)
}

func toFloat(c *Call) *value.Value {
	v := c.Args[0]
	k := v.Kind()
	switch {
	case k == value.Float:
		return v
	case k == value.Bool:
		return value.FloatOf(toFloat64(boolInt(v)))
	case k == value.Int:
		return value.FloatOf(toFloat64(v))
	}
	s, bad := text(v, "what float() reads")
	if bad != nil {
		return bad
	}
	s = trimSpace(s)
	if special(s) {
		return value.FloatOf(math.NaN())
	}
	digits, ok := decimal(s, true)
	if !ok {
		return value.Trouble(value.TypeError, v, "float(): the text is no number")
	}
	f, _ := strconv.ParseFloat(digits, 64) // beyond the range: an infinity, which FloatOf refuses
	return value.FloatOf(f)
}

// special reports whether s names what no number of the language is.
func special(s string) bool {
	s = strings.ToLower(strings.TrimLeft(s, "+-"))
	return s == "inf" || s == "infinity" || s == "nan"
}

// decimal checks that s is a decimal number as Python reads one, and takes
// the underscores between its digits away.
func decimal(s string, fraction bool) (string, bool) {
	var b strings.Builder
	digits, exponent, point := 0, false, false
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == '_':
			if i == 0 || i+1 == len(s) || !isDigit(s[i-1]) || !isDigit(s[i+1]) {
				return "", false
			}
			continue
		case c == '+' || c == '-':
			if i > 0 && s[i-1]|0x20 != 'e' {
				return "", false
			}
		case c == '.' && fraction && !point && !exponent:
			point = true
		case c|0x20 == 'e' && fraction && !exponent && digits > 0:
			exponent, digits = true, 0
		default:
			return "", false
		}
		b.WriteByte(s[i])
	}
	return b.String(), digits > 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
