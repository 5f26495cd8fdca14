// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

// A Type is a static type of the policy language. Types are compared by
// pointer; the ones of the language are the variables below, those of the
// standard library stand in its modules.
type Type struct {
	Name string
	Kind Kind   // of its values; Invalid for Any, Event and the like
	Role string // UserMessage and its siblings: the role they are narrowed to

	// Fields are the members of a record or element type, in the order in
	// which a value holds them. Nil: members are not known statically (Any,
	// Str, Dict) or there are none.
	Fields []Field
}

// A Field is one member of a type. Short forms (ToolCall.name) are fields of
// their own.
type Field struct {
	Name string
	Type *Type
}

// Field returns the index of the field called name, or -1.
func (t *Type) Field(name string) int {
	for i, f := range t.Fields {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// String returns the type's name as a policy writes it.
func (t *Type) String() string { return t.Name }
