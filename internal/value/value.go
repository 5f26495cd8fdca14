// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package value holds the values of the policy language.
//
// Everything a rule can look at is a *Value: the events of a trace, each part
// of them down to the leaves of a call's arguments, the literals of a policy
// and what its functions compute. A value that belongs to a trace knows its
// parent, so two values are the same element exactly when their pointers are
// equal, and an element's address is the path to the root of its event.
// Computed values and literals have no parent and no address.
//
// Values never change once they are built, the placement of an event in its
// trace aside (see Place), so they may be read from several goroutines.
package value

import "math"

// Kind says what a value is.
type Kind uint8

// The kinds. The element kinds, from Message on, are parts of a trace that
// have fields of their own beside the JSON object they were read from.
const (
	Invalid Kind = iota
	Unknown      // carries causes, see Causes
	None
	Bool
	Int // int64, or a larger *big.Int
	Float
	Str
	List
	Tuple
	Dict
	Content // a message's or output's content given in parts

	Message
	ToolCall
	ToolOutput
	Tool
	ToolParameter
	Function
	TextChunk
	Image
	Listing // an entry that lists tools; no language type has it
	Record  // a record of the standard library: a finding, a code issue
)

// A Value is one value of the language. The zero Value is of kind Invalid and
// is never handed out; a nil *Value means "nothing there" where a function
// says so, never None.
type Value struct {
	kind   Kind
	index  int32  // among the parent's children; -1 when it has no place there
	num    uint64 // Bool, Int, Float: the bits; element kinds: local position
	str    string // Str: the text; Record: its type's name
	parent *Value
	body   *body // what only containers and elements have
}

// body is split off so that a leaf stays small.
type body struct {
	keys   []string         // Dict and the element kinds made of an object
	items  []*Value         // elements of a List, values of a Dict, parts
	lookup map[string]int32 // key to index, only for many keys
	fields []*Value         // element kinds and Record: by Type.Fields; nil = absent
	alias  *Value           // takes its address from this value
	place  *Place           // roots of events only
	link   *Value           // ToolOutput: the call it answers, once placed
	ext    any              // *big.Int, []Cause
}

// A Place is where an event stands in its trace. The trace package sets it
// when the event is appended, before any rule looks at the event.
type Place struct {
	Index int    // of the entry in the input
	Slot  uint32 // of the entry's first element in the order of the trace
}

// Kind returns what v is.
func (v *Value) Kind() Kind { return v.kind }

// Parent returns the value that v is part of, or nil.
func (v *Value) Parent() *Value { return v.parent }

// Text returns the text of a Str and "" for any other kind.
func (v *Value) Text() string {
	if v.kind != Str {
		return ""
	}
	return v.str
}

// Truth returns the boolean of a Bool.
func (v *Value) Bool() bool { return v.kind == Bool && v.num != 0 }

// Float returns the number of a Float.
func (v *Value) Float() float64 { return math.Float64frombits(v.num) }

// Items returns the elements of a List or Tuple, the values of a Dict (in the
// order of Keys) or the parts of a Content. The caller must not change it.
func (v *Value) Items() []*Value {
	if v.body == nil {
		return nil
	}
	return v.body.items
}

// Keys returns the keys of a Dict in their order. The caller must not change
// it.
func (v *Value) Keys() []string {
	if v.body == nil {
		return nil
	}
	return v.body.keys
}
