// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package pii

// names looks for what has no digit and no sign in it. It reads the text once
// more, so only for who asks for such a kind.
func (s *scan) names() {
	if s.wanted[s.tables.ids["DATE_TIME"]] {
		s.lone()
	}
}
