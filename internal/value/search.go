// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

// Search is the membership `(x: T) in e`: e itself if it has the type t, and
// what it holds of that type at any depth, in the order of the document, keys
// of dicts excluded. A Str yields itself for str, a Content its parts, None
// nothing. If e is Unknown, or another scalar that has not the type, the domain
// is not known and the Unknown value returned says why. An Unknown value inside
// e that may be of type t is found too: whatever reads it is unknown.
func Search(e *Value, t *Type) (found []*Value, unknown *Value) {
	switch e.kind {
	case Unknown:
		return nil, e
	case None:
		if t != AnyType {
			return nil, nil
		}
	case Bool, Int, Float, Str:
		if !HasType(e, t) {
			return nil, Trouble(TypeError, addressed(e), "in: a "+e.kind.String()+" holds no "+t.Name)
		}
	}
	Descend(e, t, func(v *Value) bool {
		found = append(found, v)
		return true
	})
	return found, nil
}

// addressed returns v if it stands in a trace, else nil.
func addressed(v *Value) *Value {
	if v.parent == nil {
		return nil
	}
	return v
}

// Descend yields v if it has, or may have, the type t, then its parts in the
// order of the document, until yield returns false; it reports whether it got
// to the end.
func Descend(v *Value, t *Type, yield func(*Value) bool) bool {
	if (HasType(v, t) && v.kind != Unknown || v.kind == Unknown && mayHold(v, t)) && !yield(v) {
		return false
	}
	switch v.kind {
	case Unknown, Str, Int, Float, Bool, None:
		return true
	case TextChunk:
		return descendField(v, ChunkText, t, yield)
	case Image:
		return descendField(v, ImageURL, t, yield)
	case Record:
		for i := range v.body.fields {
			if !descendField(v, i, t, yield) {
				return false
			}
		}
		return true
	}
	for _, it := range v.Items() {
		if !Descend(it, t, yield) {
			return false
		}
	}
	return true
}

// descendField keeps a search away from the marker fields of a part, as
// `"type": "text"`.
func descendField(v *Value, i int, t *Type, yield func(*Value) bool) bool {
	f := v.Field(i)
	return f == nil || Descend(f, t, yield)
}

// mayHold reports whether the Unknown value v may turn out to be or to hold
// something of type t: a text that cannot be read is still a text, arguments
// that cannot be read may be anything that arguments are made of.
func mayHold(v *Value, t *Type) bool {
	if t == AnyType {
		return true
	}
	m := v.rest()
	if m.orig == nil || v.num == opaque {
		return t.Kind >= Bool && t.Kind <= Dict
	}
	switch m.orig.kind {
	case Str, literal:
		return t.Kind == Str
	case List, Dict:
		return t.Kind >= Bool && t.Kind <= Dict || t.Kind == ToolParameter
	}
	return t.Kind == m.orig.kind
}
