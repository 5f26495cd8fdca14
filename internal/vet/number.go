// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"math/big"
	"slices"
)

// A bound is what a number is compared with: equal to it, less or greater.
type bound struct {
	sign int // -1: less, 0: equal, 1: greater
	than *big.Rat
}

func (b bound) holds(x *big.Rat) bool { return x.Cmp(b.than) == b.sign }

// A limit asks that a bound holds, or does not.
type limit struct {
	bound
	not bool
}

// numberWithin looks for a number that keeps all limits. Between two
// neighbouring limits all numbers are alike, so it tries the limits, one
// number between each two, and one beyond each end; of ints the neighbours.
func numberWithin(limits []limit, whole bool) (*big.Rat, bool) {
	for _, x := range candidates(limits, whole) {
		if !slices.ContainsFunc(limits, func(l limit) bool { return l.holds(x) == l.not }) {
			return x, true
		}
	}
	return nil, false
}

func candidates(limits []limit, whole bool) []*big.Rat {
	var points []*big.Rat
	for _, l := range limits {
		points = append(points, l.than)
	}
	slices.SortFunc(points, (*big.Rat).Cmp)
	one := big.NewRat(1, 1)
	if len(points) == 0 {
		return []*big.Rat{one}
	}
	var out []*big.Rat
	for i, p := range points {
		floor := floorOf(p)
		above := new(big.Rat).Add(floor, one)
		out = append(out, floor, above, new(big.Rat).Sub(floor, one), new(big.Rat).Add(above, one))
		if whole {
			continue
		}
		out = append(out, p)
		if i > 0 {
			half := new(big.Rat).Add(points[i-1], p)
			out = append(out, half.Quo(half, big.NewRat(2, 1)))
		}
	}
	return out
}

func floorOf(x *big.Rat) *big.Rat {
	q := new(big.Int)
	q.Div(x.Num(), x.Denom()) // rounds down, the denominator being positive
	return new(big.Rat).SetInt(q)
}
