// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"encoding/json"
	"fmt"
	"math/big"
	"sort"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// maxGoDepth bounds the nesting of values that come from Go.
const maxGoDepth = 64

// fromGo turns a JSON-like Go value into a value of the language.
func fromGo(x any) (*value.Value, error) { return fromGoAt(x, 0) }

func fromGoAt(x any, depth int) (*value.Value, error) {
	if depth > maxGoDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxGoDepth)
	}
	switch x := x.(type) {
	case nil:
		return value.NoneV, nil
	case bool:
		return value.BoolOf(x), nil
	case string:
		return value.StrOf(x), nil
	case int:
		return value.IntOf(int64(x)), nil
	case int64:
		return value.IntOf(x), nil
	case *big.Int:
		return certain(value.BigOf(x))
	case float64:
		return certain(value.FloatOf(x))
	case json.Number:
		return value.ParseJSON(x.String(), value.JSONLimits{})
	case []string:
		items := make([]*value.Value, len(x))
		for i, s := range x {
			items[i] = value.StrOf(s)
		}
		return value.ListOf(items), nil
	case []any:
		return listFromGo(x, depth)
	case map[string]any:
		return dictFromGo(x, depth)
	}
	return nil, fmt.Errorf("a %T is no JSON value", x)
}

func certain(v *value.Value) (*value.Value, error) {
	if v.Kind() == value.Unknown {
		return nil, fmt.Errorf("number: %s", v.Causes()[0].Detail)
	}
	return v, nil
}

func listFromGo(x []any, depth int) (*value.Value, error) {
	items := make([]*value.Value, len(x))
	for i, e := range x {
		v, err := fromGoAt(e, depth+1)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		items[i] = v
	}
	return value.ListOf(items), nil
}

func dictFromGo(x map[string]any, depth int) (*value.Value, error) {
	keys := make([]string, 0, len(x))
	for k := range x {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	items := make([]*value.Value, len(keys))
	for i, k := range keys {
		v, err := fromGoAt(x[k], depth+1)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", k, err)
		}
		items[i] = v
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
		return v.Big()
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
	if len(v.Keys()) > 0 || v.Type() == nil {
		for i, k := range v.Keys() {
			out[k] = toGo(v.Items()[i])
		}
		return out
	}
	for i, f := range v.Type().Fields {
		if x := v.Field(i); x != nil {
			out[f.Name] = toGo(x)
		}
	}
	return out
}

// maxShown bounds, in bytes, what a violation repeats of the trace.
const maxShown = 1000

// printed is a value of a raise expression as text.
func printed(v *value.Value) string {
	if v.Kind() == value.Unknown {
		return "<unknown>"
	}
	return cut(value.Display(v), maxShown)
}

// shownValue is a value as a violation shows it: JSON, cut where it is long.
func shownValue(v *value.Value) any {
	if v.Kind() == value.Unknown {
		return "<unknown>"
	}
	budget := maxShown
	return shorten(toGo(v), &budget)
}

func shorten(x any, left *int) any {
	switch x := x.(type) {
	case string:
		s := cut(x, max(*left, 20))
		*left -= len(s)
		return s
	case []any:
		for i := range x {
			if *left <= 0 {
				return append(x[:i:i], "…")
			}
			x[i] = shorten(x[i], left)
		}
		return x
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			x[k] = shorten(x[k], left)
			*left -= len(k)
		}
		return x
	}
	*left -= 8
	return x
}

// cut shortens s to n bytes, at a character's end, and says that it did.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
