// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// maxGoDepth bounds the nesting of values that come from Go, maxGoValues how
// many there may be in one.
const (
	maxGoDepth  = 64
	maxGoValues = 1 << 20
)

// fromGo turns a JSON-like Go value, with so many bytes of text and keys at
// most, into a value of the language.
func fromGo(x any, text int) (*value.Value, error) {
	return (&goReader{values: maxGoValues, text: text, most: text}).read(x, 0)
}

// A goReader reads a value that came from Go, as far as its limits allow.
type goReader struct{ values, text, most int }

func (r *goReader) read(x any, depth int) (*value.Value, error) {
	if depth > maxGoDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxGoDepth)
	}
	if r.values--; r.values < 0 {
		return nil, fmt.Errorf("holds more than %d values", maxGoValues)
	}
	switch x := x.(type) {
	case nil:
		return value.NoneV, nil
	case bool:
		return value.BoolOf(x), nil
	case string:
		return r.str(x)
	case []string:
		return listOf(x, func(s string) (*value.Value, error) { return r.read(s, depth+1) })
	case []any:
		return listOf(x, func(e any) (*value.Value, error) { return r.read(e, depth+1) })
	case map[string]any:
		return r.dict(x, depth)
	}
	return number(x)
}

func number(x any) (*value.Value, error) {
	switch x := x.(type) {
	case int:
		return value.IntOf(int64(x)), nil
	case int64:
		return value.IntOf(x), nil
	case *big.Int:
		if x == nil {
			return value.NoneV, nil
		}
		return certain(value.BigOf(new(big.Int).Set(x)))
	case float64:
		return certain(value.FloatOf(x))
	case json.Number:
		v, err := value.ParseJSON(x.String(), value.JSONLimits{})
		if err != nil || (v.Kind() != value.Int && v.Kind() != value.Float) {
			return nil, errors.New("a json.Number is no number")
		}
		return v, nil
	}
	return nil, fmt.Errorf("a %T is no JSON value", x)
}

func certain(v *value.Value) (*value.Value, error) {
	if v.Kind() == value.Unknown {
		return nil, fmt.Errorf("number: %s", v.Causes()[0].Detail)
	}
	return v, nil
}

func (r *goReader) str(s string) (*value.Value, error) {
	if err := r.counted(s); err != nil {
		return nil, err
	}
	return value.StrOf(s), nil
}

// counted takes s off what is left for texts.
func (r *goReader) counted(s string) error {
	if r.text -= len(s); r.text < 0 {
		return fmt.Errorf("holds more than %d bytes of text", r.most)
	}
	if !utf8.ValidString(s) {
		return errors.New("a text is no UTF-8")
	}
	return nil
}

func listOf[T any](x []T, read func(T) (*value.Value, error)) (*value.Value, error) {
	items := make([]*value.Value, len(x))
	for i, e := range x {
		v, err := read(e)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		items[i] = v
	}
	return value.ListOf(items), nil
}

func (r *goReader) dict(x map[string]any, depth int) (*value.Value, error) {
	keys := slices.Sorted(maps.Keys(x))
	items := make([]*value.Value, len(keys))
	for i, k := range keys {
		err := r.counted(k)
		if err == nil {
			items[i], err = r.read(x[k], depth+1)
		}
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", cut(k, 40), err)
		}
	}
	return value.DictOf(keys, items), nil
}

// toGo turns a value into a JSON-like Go value: nil, bool, int64, *big.Int,
// float64, string, []any, map[string]any. Elements of the trace come as the
// object that the input gave, a content in parts as its list.
func toGo(v *value.Value) any {
	switch v.Kind() {
	case value.None, value.Invalid, value.Unknown:
		return nil
	case value.Bool:
		return v.Bool()
	case value.Int:
		if n, ok := v.Int(); ok {
			return n
		}
		return new(big.Int).Set(v.Big())
	case value.Float:
		return v.Float()
	case value.Str:
		return v.Text()
	case value.List, value.Tuple, value.Content:
		out := make([]any, len(v.Items()))
		for i, it := range v.Items() {
			out[i] = toGo(it)
		}
		return out
	}
	return objectToGo(v)
}

func objectToGo(v *value.Value) any {
	out := map[string]any{}
	each(v, func(k string, x *value.Value) bool {
		out[k] = toGo(x)
		return true
	})
	return out
}

// each goes through what an object holds: the keys of a dict or of the input's
// object, the fields of a record.
func each(v *value.Value, yield func(string, *value.Value) bool) {
	if len(v.Keys()) > 0 || v.Type() == nil {
		for i, k := range v.Keys() {
			if !yield(k, v.Items()[i]) {
				return
			}
		}
		return
	}
	for i, f := range v.Type().Fields {
		if x := v.Field(i); x != nil && !yield(f.Name, x) {
			return
		}
	}
}

// maxShown bounds, in bytes, what a violation repeats of the trace.
const maxShown = 1000

// printed is a value of a raise expression as text.
func printed(v *value.Value, k *mask) string {
	switch {
	case v.Kind() == value.Unknown:
		return "<unknown>"
	case k == nil:
		return cut(value.DisplayUpTo(v, maxShown), maxShown)
	}
	return cut(k.text(value.DisplayUpTo(v, maxShown+maskedText), maxShown), maxShown)
}

// shownValue is a value as a violation shows it: JSON, cut where it is long.
func shownValue(v *value.Value, k *mask) any {
	if v.Kind() == value.Unknown {
		return "<unknown>"
	}
	s := shower{left: maxShown, mask: k}
	return s.show(v)
}

// A shower makes of a value what fits into a number of bytes. It looks at no
// more than that, however large the value is.
type shower struct {
	left int
	mask *mask
}

// more stands for what was left out.
const more = "…"

func (s *shower) show(v *value.Value) any {
	s.left -= 8
	switch v.Kind() {
	case value.Str:
		return s.text(v.Text())
	case value.List, value.Tuple, value.Content:
		out := []any{}
		for _, it := range v.Items() {
			if s.left <= 0 {
				return append(out, more)
			}
			out = append(out, s.show(it))
		}
		return out
	case value.Int, value.Float:
		return s.number(v)
	case value.None, value.Invalid, value.Unknown, value.Bool:
		return toGo(v)
	default:
		return s.object(v)
	}
}

func (s *shower) object(v *value.Value) any {
	out := map[string]any{}
	each(v, func(k string, x *value.Value) bool {
		if s.left <= 0 {
			out[more] = more
			return false
		}
		k = s.text(k)
		out[k] = s.show(x)
		return true
	})
	return out
}

// number shows a number, unless it is one that must not be shown: that of a
// card, say.
func (s *shower) number(v *value.Value) any {
	if text := value.DisplayUpTo(v, maxShown); s.mask != nil && len(text) >= 7 {
		if shown := s.mask.text(text, maxShown); shown != text {
			return shown
		}
	}
	return toGo(v)
}

// text shows at least the beginning of a text.
func (s *shower) text(t string) string {
	n := max(s.left, 20)
	t = cut(s.mask.text(t, n), n)
	s.left -= len(t)
	return t
}

// cut shortens s to n bytes, at a character's end, and says that it did.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + more
}
