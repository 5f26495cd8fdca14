// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package script

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// The limits of a value that goes into a script or comes out of it.
const (
	maxDepth    = 64
	maxBytes    = 1 << 20
	maxElements = 100_000
	maxBits     = 4096 // of a whole number, as in the language
)

var (
	errDepth    = fmt.Errorf("value is nested more than %d deep", maxDepth)
	errBytes    = fmt.Errorf("value has more than %d bytes of text", maxBytes)
	errElements = fmt.Errorf("value has more than %d elements", maxElements)
	errBits     = fmt.Errorf("whole number has more than %d bits", maxBits)
)

// A meter counts what one conversion has seen. Its limits hold for all
// arguments of a call together.
type meter struct{ bytes, elements, depth int }

// text counts a string.
func (m *meter) text(s string) error {
	if m.bytes += len(s); m.bytes > maxBytes {
		return errBytes
	}
	return m.element()
}

func (m *meter) element() error {
	if m.elements++; m.elements > maxElements {
		return errElements
	}
	return nil
}

// enter counts a container with n children; each enter that succeeds is
// followed by a leave.
func (m *meter) enter(n int) error {
	if m.elements+n > maxElements {
		return errElements
	}
	if m.depth++; m.depth > maxDepth {
		return errDepth
	}
	return m.element()
}

func (m *meter) leave() { m.depth-- }

// arguments converts the arguments of a call.
func arguments(args []any) (starlark.Tuple, error) {
	var m meter
	in := make(starlark.Tuple, len(args))
	for i, arg := range args {
		v, err := m.toStarlark(arg)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		in[i] = v
	}
	return in, nil
}

// toStarlark converts a JSON-like Go value.
func (m *meter) toStarlark(x any) (starlark.Value, error) {
	switch x := x.(type) {
	case string:
		return starlark.String(x), m.text(x)
	case []any:
		return m.toList(x)
	case map[string]any:
		return m.toDict(x)
	}
	v, err := scalar(x)
	if err != nil {
		return nil, err
	}
	return v, m.element()
}

// scalar converts what is neither text nor a container.
func scalar(x any) (starlark.Value, error) {
	switch x := x.(type) {
	case nil:
		return starlark.None, nil
	case bool:
		return starlark.Bool(x), nil
	case int:
		return starlark.MakeInt(x), nil
	case int64:
		return starlark.MakeInt64(x), nil
	case *big.Int:
		return starlark.MakeBigInt(x), nil
	case float64:
		return starlark.Float(x), nil
	}
	return nil, fmt.Errorf("got a value of Go type %T, want a JSON value", x)
}

func (m *meter) toList(items []any) (starlark.Value, error) {
	if err := m.enter(len(items)); err != nil {
		return nil, err
	}
	defer m.leave()
	out := make([]starlark.Value, len(items))
	for i, item := range items {
		v, err := m.toStarlark(item)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return starlark.NewList(out), nil
}

// toDict inserts keys in sorted order, so that a script that walks the
// dictionary always sees the same one.
func (m *meter) toDict(x map[string]any) (starlark.Value, error) {
	if err := m.enter(len(x)); err != nil {
		return nil, err
	}
	defer m.leave()
	out := starlark.NewDict(len(x))
	for _, k := range slices.Sorted(maps.Keys(x)) {
		if err := m.text(k); err != nil {
			return nil, err
		}
		v, err := m.toStarlark(x[k])
		if err != nil {
			return nil, err
		}
		if err := out.SetKey(starlark.String(k), v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fromStarlark converts a result.
func fromStarlark(v starlark.Value) (any, error) {
	var m meter
	return m.fromStarlark(v)
}

func (m *meter) fromStarlark(v starlark.Value) (any, error) {
	switch v := v.(type) {
	case starlark.String:
		return m.fromString(string(v))
	case *starlark.List:
		return m.fromList(v)
	case starlark.Tuple:
		return m.fromList(v)
	case *starlark.Dict:
		return m.fromDict(v)
	}
	x, err := fromScalar(v)
	if err != nil {
		return nil, err
	}
	return x, m.element()
}

func fromScalar(v starlark.Value) (any, error) {
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		return fromInt(v)
	case starlark.Float:
		if f := float64(v); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f, nil
		}
		return nil, fmt.Errorf("got the float %v, want a finite number", v)
	}
	return nil, fmt.Errorf("got a %s, want None, bool, int, float, string, list, tuple or dict", v.Type())
}

func fromInt(v starlark.Int) (any, error) {
	if n, ok := v.Int64(); ok {
		return n, nil
	}
	n := v.BigInt()
	if n.BitLen() > maxBits {
		return nil, errBits
	}
	return n, nil
}

func (m *meter) fromString(s string) (any, error) {
	if !utf8.ValidString(s) {
		return nil, errors.New("got a string that is not valid UTF-8")
	}
	return s, m.text(s)
}

func (m *meter) fromList(items starlark.Sequence) (any, error) {
	if err := m.enter(items.Len()); err != nil {
		return nil, err
	}
	defer m.leave()
	out := make([]any, 0, items.Len())
	for item := range starlark.Elements(items) {
		x, err := m.fromStarlark(item)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func (m *meter) fromDict(d *starlark.Dict) (any, error) {
	if err := m.enter(d.Len()); err != nil {
		return nil, err
	}
	defer m.leave()
	out := make(map[string]any, d.Len())
	for k, v := range d.Entries() {
		key, ok := k.(starlark.String)
		if !ok {
			return nil, fmt.Errorf("got a dict with a key of type %s, want string keys", k.Type())
		}
		if _, err := m.fromString(string(key)); err != nil {
			return nil, err
		}
		x, err := m.fromStarlark(v)
		if err != nil {
			return nil, err
		}
		out[string(key)] = x
	}
	return out, nil
}
