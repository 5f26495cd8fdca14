// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"math/rand/v2"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// TestMembership holds the index of a list to looking at every item.
func TestMembership(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		items := make([]*value.Value, r.IntN(12))
		for i := range items {
			items[i] = randomItem(r, 2)
		}
		m := newMembership(items)
		for range 20 {
			x := randomItem(r, 2)
			if x.Kind() == value.Unknown {
				continue
			}
			if got, want := m.has(x), inItems(x, items); got != want {
				t.Fatalf("%s in %s: got %s, want %s", value.Display(x), value.Display(value.ListOf(items)), value.Display(got), value.Display(want))
			}
		}
	}
}

func randomItem(r *rand.Rand, depth int) *value.Value {
	switch r.IntN(8) {
	case 0:
		return value.Trouble(value.Missing, nil, "none")
	case 1:
		return value.FloatOf(float64(r.IntN(3)))
	case 2:
		return value.StrOf([]string{"", "a", "b"}[r.IntN(3)])
	case 3:
		return value.BoolOf(r.IntN(2) == 0)
	case 4, 5:
		if depth > 0 {
			items := []*value.Value{randomItem(r, depth-1)}
			if r.IntN(2) == 0 {
				return value.TupleOf(items)
			}
			return value.ListOf(items)
		}
	}
	return value.IntOf(int64(r.IntN(3)))
}

// TestManyInMany looks for many items in many: not in the time of their product.
func TestManyInMany(t *testing.T) {
	a, b := make([]*value.Value, 100_000), make([]*value.Value, 100_000)
	for i := range a {
		a[i], b[i] = value.IntOf(int64(i)), value.IntOf(int64(i+1))
	}
	env := &Env{Memo: NewMemo()}
	if got := ContainsOnly(value.ListOf(a[1:]), value.ListOf(b)); got != value.TrueV {
		t.Errorf("got %s, want True", value.Display(got))
	}
	list := value.ListOf(b)
	if got := In(value.ListOf(a), list, env); len(got.Items()) != len(a) || got.Items()[0] != value.FalseV || got.Items()[1] != value.TrueV {
		t.Errorf("got %d answers", len(got.Items()))
	}
}
