// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// In is `x in c`. A list on the left asks for each of its items and gives a
// list of truth values. In a text, x must be a text; its occurrences are
// marked there. In a list or tuple, x is one of the items; in a dict, a key.
// Nothing is in None.
func In(x, c *value.Value, env *Env) *value.Value {
	if x.Kind() == value.List {
		return inEach(x, c, env)
	}
	return inOne(x, c, env)
}

func inEach(x, c *value.Value, env *Env) *value.Value {
	out := make([]*value.Value, len(x.Items()))
	for i, it := range x.Items() {
		if it.Kind() == value.Unknown {
			out[i] = it
			continue
		}
		out[i] = inOne(it, c, env)
	}
	return value.AnswersOf(out)
}

// Decided returns v where a truth is wanted: v itself, but for the answers that
// a list on the left of `in` gives. Taking those for true because there are
// some would let a list pass where one text was expected.
func Decided(v *value.Value) *value.Value {
	if value.Answers(v) {
		return value.Trouble(value.TypeError, nil, "a list of truth values is neither true nor false: ask any(…) or all(…)")
	}
	return v
}

func inOne(x, c *value.Value, env *Env) *value.Value {
	k := c.Kind()
	switch {
	case k == value.None:
		return value.FalseV
	case k == value.Str || k == value.Content:
		return inText(x, c, env)
	case k == value.List || k == value.Tuple:
		return env.inList(x, c)
	case k == value.Dict:
		return value.BoolOf(lookup(c, x) != nil)
	}
	return wrongKind("in looks into a text, list, tuple or dict", c)
}

// inItems finds an equal item; an Unknown one might be it.
func inItems(x *value.Value, items []*value.Value) *value.Value {
	var open *value.Value
	for _, it := range items {
		if value.Equal(x, it) {
			return value.TrueV
		}
		if open == nil && holds(x) && x.Kind() == it.Kind() {
			open = unknownInside(x, it)
		}
		if open == nil && it.Kind() == value.Unknown {
			open = it
		}
	}
	if open != nil {
		return open
	}
	return value.FalseV
}

// inText looks for the text x in the text c. A content x is there if one of
// its parts is that is not empty, or else their concatenation.
func inText(x, c *value.Value, env *Env) *value.Value {
	if x.Kind() == value.Str {
		return value.BoolOf(contains(c, x.Text(), env))
	}
	if x.Kind() != value.Content {
		return wrongKind("only a text is in a text", x)
	}
	found := false
	for _, p := range partsOf(x) { // all of them: each marks its own
		found = contains(c, p.Text, env) || found
	}
	return value.BoolOf(found)
}

// contains looks for needle in c; all that the parts of a content have is in
// their concatenation.
func contains(c *value.Value, needle string, env *Env) bool {
	hay, _ := value.Concat(c)
	if !strings.Contains(hay, needle) {
		return false
	}
	if env.marks().on() {
		env.marks().markAll(c, needle)
	}
	return true
}

// ContainsOnly is `a contains_only b`: every item of a is in b.
func ContainsOnly(a, b *value.Value) *value.Value {
	items, bad := Iterate(a)
	if bad != nil {
		return bad
	}
	var causes []value.Cause
	env := &Env{Memo: &Memo{}} // looks at b again and again
	for _, it := range items {
		in := it
		if it.Kind() != value.Unknown {
			in = inOne(it, b, env)
		}
		switch value.Truth(in) {
		case value.False:
			return value.FalseV
		case value.Unsure:
			causes = value.MergeCauses(causes, in.Causes())
		case value.True:
		}
	}
	if causes != nil {
		return value.UnknownOf(causes)
	}
	return value.TrueV
}
