// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import "github.com/holdfast-dev/holdfast/internal/value"

// Iterate returns what `for x in v` goes through: the elements of a list or
// tuple, the keys of a dict, the parts of a content, the characters of a
// string, nothing for None. Anything else is unknown, returned second.
func Iterate(v *value.Value) ([]*value.Value, *value.Value) {
	k := v.Kind()
	switch {
	case k == value.List || k == value.Tuple || k == value.Content:
		return v.Items(), nil
	case k == value.None:
		return nil, nil
	case k == value.Dict:
		return keysOf(v), nil
	case k == value.Str:
		return chars(v.Text()), nil
	}
	return nil, wrongKind("only a list, tuple, dict or str has items", v)
}

func keysOf(v *value.Value) []*value.Value {
	items := make([]*value.Value, len(v.Keys()))
	for i, key := range v.Keys() {
		items[i] = value.StrOf(key)
	}
	return items
}

func chars(s string) []*value.Value {
	items := make([]*value.Value, 0, len(s))
	for _, r := range s {
		items = append(items, value.StrOf(string(r)))
	}
	return items
}

// Unpack takes a value apart for `for a, b in …`. A value that has not
// exactly n elements is unknown, returned second.
func Unpack(v *value.Value, n int) ([]*value.Value, *value.Value) {
	if v.Kind() != value.List && v.Kind() != value.Tuple {
		return nil, wrongKind("only a list or tuple can be taken apart", v)
	}
	if len(v.Items()) != n {
		return nil, value.Trouble(value.TypeError, v, "the number of elements differs from the number of names")
	}
	return v.Items(), nil
}
