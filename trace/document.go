// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

// document takes the document that begins here: the list of traces in it,
// element by element.
func (s *splitter) document() bool {
	return s.text(true)
}
