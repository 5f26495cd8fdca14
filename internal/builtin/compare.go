// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// Compare is == != < <= > >=. Equality is total; an order there is between
// numbers, between texts, and between lists or tuples of such.
func Compare(op syntax.Op, a, b *value.Value) *value.Value {
	if op == syntax.Eq || op == syntax.Ne {
		return equality(op, a, b)
	}
	order, ok := value.Compare(a, b)
	if !ok {
		if bad := unknownInside(a, b); bad != nil {
			return bad
		}
		return value.Trouble(value.Ordering, nil, "there is no order between "+describe(a)+" and "+describe(b))
	}
	switch op {
	case syntax.Lt:
		return value.BoolOf(order < 0)
	case syntax.Le:
		return value.BoolOf(order <= 0)
	case syntax.Gt:
		return value.BoolOf(order > 0)
	default:
		return value.BoolOf(order >= 0)
	}
}

// equality is unknown where containers of one kind hold what is unknown.
func equality(op syntax.Op, a, b *value.Value) *value.Value {
	if holds(a) && a.Kind() == b.Kind() {
		if bad := unknownInside(a, b); bad != nil {
			return bad
		}
	}
	return value.BoolOf(value.Equal(a, b) == (op == syntax.Eq))
}

// Comparable reports whether it can be known what v is equal to: it is not
// Unknown and holds nothing that is.
func Comparable(v *value.Value) bool {
	return v.Kind() != value.Unknown && (!holds(v) || findUnknown(v) == nil)
}

// holds reports whether v is a value whose equality is that of its parts.
func holds(v *value.Value) bool {
	k := v.Kind()
	return k == value.List || k == value.Tuple || k == value.Dict || k == value.Record
}

// unknownInside returns the first Unknown value that a or b holds.
func unknownInside(a, b *value.Value) *value.Value {
	if bad := findUnknown(a); bad != nil {
		return bad
	}
	return findUnknown(b)
}

func findUnknown(v *value.Value) *value.Value {
	if v.Kind() == value.Unknown {
		return v
	}
	if v.Kind() == value.Content {
		return nil // one that cannot be read is Unknown as a whole
	}
	for _, it := range v.Items() {
		if bad := findUnknown(it); bad != nil {
			return bad
		}
	}
	return nil
}

// IsNone reports whether x is None, for `is None`.
func IsNone(x *value.Value) bool { return x.Kind() == value.None }
