// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

import "strings"

// An Example is a text that holds a datum of a kind, from Start to End in
// bytes. Nobody's data is in it.
type Example struct {
	Kind, Text string
	Start, End int
}

// Examples returns the texts in which the rules find something, in the order
// of the rules. Kinds that are found by a sign inside them, such as addresses,
// have none.
func Examples() []Example {
	var out []Example
	for _, r := range rules() {
		for marked := range strings.SplitSeq(r.hits, "|") {
			before, rest, _ := strings.Cut(marked, "‹")
			datum, after, _ := strings.Cut(rest, "›")
			out = append(out, Example{r.kind, before + datum + after, len(before), len(before) + len(datum)})
		}
	}
	return out
}
