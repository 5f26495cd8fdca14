// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// String returns a span as reports print it: `0.content:7-8`, or the address
// alone for a whole element; "" if it stands in no trace.
func (s Span) String() string {
	address, _ := value.Address(s.At)
	if s.Start < 0 {
		return address
	}
	return fmt.Sprintf("%s:%d-%d", address, s.Start, s.End)
}

// Ranges returns spans as reports print them, each once, in the order of the
// trace: by position, address and offsets.
func Ranges(spans []Span) []string {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, compareSpans)
	var out []string
	for _, s := range spans {
		out = append(out, s.String())
	}
	return slices.Compact(out)
}

func compareSpans(a, b Span) int {
	pa, _ := value.Position(a.At)
	pb, _ := value.Position(b.At)
	sa, _ := value.Address(a.At)
	sb, _ := value.Address(b.At)
	return cmp.Or(cmp.Compare(pa, pb), cmp.Compare(sa, sb), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}
