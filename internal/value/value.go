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

import (
	"math"
	"math/big"
	"unicode/utf8"
)

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

// literal is the kind of what an Unknown value was read from when no other
// kind can hold it: str is its JSON text. It is never handed out.
const literal Kind = 255

// String returns the kind's name as messages print it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "literal"
}

var kindNames = [...]string{
	"invalid", "unknown", "None", "bool", "int", "float", "str", "list", "tuple", "dict", "content",
	"Message", "ToolCall", "ToolOutput", "Tool", "ToolParameter", "Function", "TextChunk", "Image", "listing", "record",
}

// A Value is one value of the language. The zero Value is of kind Invalid and
// is never handed out; a nil *Value means "nothing there" where a function
// says so, never None.
type Value struct {
	kind   Kind
	index  int32  // among the parent's children; -1: computed, or not spelt out in the input
	num    uint64 // Bool, Int, Float: the bits; slots: the number within the event; events: the slot
	str    string // Str: the text
	parent *Value
	body   *body // what only containers and elements have
}

// body is split off so that a leaf stays small, and more from body so that a
// plain container does.
type body struct {
	keys   []string // Dict and the element kinds made of an object
	items  []*Value // elements of a List, values of a Dict, parts of a Content
	fields []*Value // element kinds and Record: by Type.Fields; nil = absent
	more   *more
}

type more struct {
	lookup map[string]int32 // key to index, only for many keys
	orig   *Value           // Unknown, ToolParameter: what it was read from, if that is no object
	big    *big.Int         // Int beyond 64 bits
	causes []Cause          // Unknown
	typ    *Type            // Record
	concat string           // Content of several texts: all of them
}

// extra returns v's rarely needed parts, making room for them first.
func (v *Value) extra() *more {
	if v.body == nil {
		v.body = &body{}
	}
	if v.body.more == nil {
		v.body.more = &more{}
	}
	return v.body.more
}

// rest returns v's rarely needed parts, or nil.
func (v *Value) rest() *more {
	if v.body == nil {
		return nil
	}
	return v.body.more
}

// A Place is where an event stands in its trace. The trace package sets it
// when the event is appended, before any rule looks at the event. It is kept in
// the root of the event itself, as index and num.
type Place struct {
	Index int    // of the entry in the input
	Slot  uint32 // of the entry's first element in the order of the trace
}

// Kind returns what v is.
func (v *Value) Kind() Kind { return v.kind }

// Parent returns the value that v is part of, or nil.
func (v *Value) Parent() *Value { return v.parent }

// Index returns v's place among the children of its parent, for an event that
// of the entry in its trace; -1 if it has none.
func (v *Value) Index() int { return int(v.index) }

// Root returns the outermost value that v is part of: the event, or v itself.
func (v *Value) Root() *Value {
	for v.parent != nil {
		v = v.parent
	}
	return v
}

// Text returns the text of a Str and "" for any other kind.
func (v *Value) Text() string {
	if v.kind != Str {
		return ""
	}
	return v.str
}

// Bool returns the boolean of a Bool, false for any other kind.
func (v *Value) Bool() bool { return v.kind == Bool && v.num != 0 }

// Float returns the number of a Float.
func (v *Value) Float() float64 { return math.Float64frombits(v.num) }

// Int returns the number of an Int; false if v is no Int or needs more than 64
// bits.
func (v *Value) Int() (int64, bool) {
	if v.kind != Int || v.isBig() {
		return 0, false
	}
	return int64(v.num), true
}

// Big returns the number of an Int of any size, nil if v is no Int. The caller
// must not change it.
func (v *Value) Big() *big.Int {
	switch {
	case v.kind != Int:
		return nil
	case v.isBig():
		return v.body.more.big
	}
	return big.NewInt(int64(v.num))
}

func (v *Value) isBig() bool { return v.body != nil }

// Items returns the elements of a List or Tuple, the values of a Dict or of the
// object an element was made of (in the order of Keys), or the parts of a
// Content. The caller must not change it.
func (v *Value) Items() []*Value {
	if v.body == nil {
		return nil
	}
	return v.body.items
}

// Keys returns the keys of a Dict, or of the object an element was made of, in
// their order. The caller must not change it.
func (v *Value) Keys() []string {
	if v.body == nil {
		return nil
	}
	return v.body.keys
}

// Get returns the value that a Dict, or the object an element was made of, has
// under key; nil if there is none.
func (v *Value) Get(key string) *Value {
	b := v.body
	if b == nil {
		return nil
	}
	if b.more != nil && b.more.lookup != nil {
		if i, ok := b.more.lookup[key]; ok {
			return b.items[i]
		}
		return nil
	}
	for i, k := range b.keys {
		if k == key {
			return b.items[i]
		}
	}
	return nil
}

// Field returns field i of an element or record, in the order of its Type's
// Fields; nil if it is absent or v has no fields.
func (v *Value) Field(i int) *Value {
	if v.body == nil || uint(i) >= uint(len(v.body.fields)) {
		return nil
	}
	return v.body.fields[i]
}

// Link returns the call that a ToolOutput answers, nil if that is not known.
func (v *Value) Link() *Value {
	if v.kind != ToolOutput {
		return nil
	}
	return v.Field(OutputTool)
}

// Len returns the number of items, of a Str the number of code points, of a
// Content the code points of its concatenation.
func (v *Value) Len() int {
	switch v.kind {
	case Str:
		return utf8.RuneCountInString(v.str)
	case Content:
		s, _ := Concat(v)
		return utf8.RuneCountInString(s)
	}
	return len(v.Items())
}
