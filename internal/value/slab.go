// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

// slab hands out the pieces of a document from larger ones. Its chunks grow
// with what they are used for, so that a short text costs little and a long one
// few allocations; what is left of a chunk serves the next text.
type slab struct {
	nodes  []Value
	bodies []body
	refs   []*Value
	keys   []string
	size   int // of the next chunk of nodes
}

const minChunk, maxChunk = 8, 512

// expect prepares for a text of n bytes.
func (s *slab) expect(n int) {
	s.size = max(s.size, min(max(n/80, minChunk), maxChunk))
}

func (s *slab) node() *Value {
	if len(s.nodes) == 0 {
		s.nodes = make([]Value, s.size)
		s.size = min(s.size+s.size/4, maxChunk)
	}
	v := &s.nodes[0]
	s.nodes = s.nodes[1:]
	return v
}

func (s *slab) body() *body {
	if len(s.bodies) == 0 {
		s.bodies = make([]body, max(s.size/4, 2))
	}
	b := &s.bodies[0]
	s.bodies = s.bodies[1:]
	return b
}

// ptrs returns n nil pointers. The slice has no room to grow into its
// neighbours.
func (s *slab) ptrs(n int) []*Value {
	if n > len(s.refs) {
		if n > s.size {
			return make([]*Value, n)
		}
		s.refs = make([]*Value, max(s.size, 4*n))
	}
	out := s.refs[:n:n]
	s.refs = s.refs[n:]
	return out
}

func (s *slab) strings(n int) []string {
	if n > len(s.keys) {
		if n > s.size {
			return make([]string, n)
		}
		s.keys = make([]string, max(s.size/2, 4*n))
	}
	out := s.keys[:n:n]
	s.keys = s.keys[n:]
	return out
}
