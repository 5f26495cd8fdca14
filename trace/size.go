// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import "github.com/holdfast-dev/holdfast/internal/value"

// nodeSize is what a value counts beside its text.
const nodeSize = 8

// Size returns how large the event is: the bytes of its texts and keys, and a
// few for each value. It is what limits on the size of a trace count.
func (e *Event) Size() int { return e.size }

func sizeOf(v *value.Value) int {
	n := nodeSize + len(v.Text())
	if was := value.Original(v); was != nil {
		n += sizeOf(was)
	}
	for _, k := range v.Keys() {
		n += len(k)
	}
	for _, it := range v.Items() {
		n += sizeOf(it)
	}
	return n
}
