// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package value

// Building of elements.
//
// The functions of this file build the tree of an event: a tree of JSON first,
// parts of which then become elements in place, so that addresses stay those of
// the input. They are for the trace package, before anybody else sees the tree.

// MakeElement makes the object v an element of the kind given. The value keeps
// fields, which are in the order of the kind's Type. For a Message, ToolCall,
// ToolOutput or Tool, slot is its number among those of its event.
func MakeElement(v *Value, kind Kind, fields []*Value, slot int) {
	b := v.body
	if v.kind != Dict && v.kind != Content {
		orig := *v
		b = &body{more: &more{orig: &orig}}
		v.body = b
	}
	if b == nil {
		b = &body{}
		v.body = b
	}
	v.kind, v.num, v.str = kind, uint64(slot), ""
	b.fields = fields
}

// MakeContent makes the list v a Content. Its parts must be what they are to be
// already.
func MakeContent(v *Value) {
	v.kind = Content
	texts := 0
	for _, p := range v.Items() {
		if t := chunkText(p); t != nil && t.str != "" {
			texts++
		}
	}
	if texts > 1 {
		v.extra().concat = joinTexts(v)
	}
}

// MakeEmptyDict makes v a Dict without keys, whatever it was.
func MakeEmptyDict(v *Value) {
	v.kind, v.str, v.num, v.body = Dict, "", 0, nil
}

// MakeUnknown makes v Unknown. What it was stays known to AppendJSON alone.
func MakeUnknown(v *Value, r Reason, detail string) {
	orig := v
	if m := v.rest(); m != nil && m.orig != nil && v.kind == Unknown {
		orig = m.orig
	}
	was := *orig
	*v = Value{kind: Unknown, index: v.index, parent: v.parent, body: &body{more: &more{
		orig: &was, causes: []Cause{{Reason: r, Detail: detail, At: v}},
	}}}
}

// Original returns what the Unknown value or the parameter v was read from if
// that is not v itself, else nil. It is for counting and writing, not for rules.
func Original(v *Value) *Value {
	if m := v.rest(); m != nil {
		return m.orig
	}
	return nil
}

// opaque, as the num of an Unknown value, says that it may be or hold anything
// that JSON can express, whatever it was read from.
const opaque = 1

// MakeOpaque notes that the Unknown value v, which stands for arguments, may be
// or hold anything that arguments can.
func MakeOpaque(v *Value) { v.num = opaque }

// UnknownPart returns an Unknown value with the causes given that stands where
// v does.
func UnknownPart(v *Value, causes []Cause) *Value {
	u := UnknownOf(causes)
	u.parent, u.index = v.parent, v.index
	u.body.more.orig = v
	return u
}

// Graft puts child in the place of item i of parent.
func Graft(parent *Value, i int, child *Value) {
	child.parent, child.index = parent, int32(i)
	parent.body.items[i] = child
}

// Rearrange gives the object v, which is no element yet, other keys and items.
// It becomes the parent of all of them; none must be a shared value, no key
// must come twice.
func Rearrange(v *Value, keys []string, items []*Value) {
	if v.body == nil {
		v.body = &body{}
	}
	*v.body = body{keys: keys, items: items}
	v.num = sized(1, weights(items))
	if len(keys) >= manyKeys {
		m := v.extra()
		m.lookup = make(map[string]int32, len(keys))
		for i, k := range keys {
			m.lookup[k] = int32(i)
		}
	}
	for i, it := range items {
		it.parent, it.index = v, int32(i)
	}
}

// NewObject returns an object that Rearrange makes of keys and items.
func NewObject(keys []string, items []*Value) *Value {
	v := &Value{kind: Dict, index: -1}
	Rearrange(v, keys, items)
	return v
}

// Within makes v a part of parent that the input does not spell out: it has
// parent's address. It returns v, which must not be a shared value.
func Within(parent, v *Value) *Value {
	v.parent, v.index = parent, -1
	return v
}

// NewElement returns an element that is made of no object of its own but stands
// where parent does.
func NewElement(parent *Value, kind Kind, fields []*Value) *Value {
	return Within(parent, &Value{kind: kind, body: &body{fields: fields}})
}

// Detach makes v the root of a tree.
func Detach(v *Value) { v.parent, v.index = nil, -1 }

// SetPlace puts the event whose root is v at a place in its trace.
func SetPlace(v *Value, p Place) { v.index, v.num = int32(p.Index), uint64(p.Slot) }

// PlaceOf returns the place of the event that v belongs to, false if it has
// none.
func PlaceOf(v *Value) (p Place, ok bool) {
	root := v.Root()
	if root.index < 0 {
		return Place{}, false
	}
	return Place{int(root.index), uint32(root.num)}, true
}

// Placed reports whether v is part of an event that has its place in a trace.
func Placed(v *Value) bool { return v.Root().index >= 0 }

// SetLink sets the call that the output v answers, nil for none.
func SetLink(v, call *Value) { v.body.fields[OutputTool] = call }

// A Copier copies the trees of events, without place and link. It does not even
// read those, so that an event may be copied while its log moves it.
type Copier struct{ made map[*Value]*Value }

// Copy returns a deep copy of the tree of the event whose root is v, or what it
// made of v before.
func (c *Copier) Copy(v *Value) *Value {
	if v == nil || shared(v) {
		return v
	}
	if w, ok := c.made[v]; ok {
		return w
	}
	if c.made == nil {
		c.made = make(map[*Value]*Value)
	}
	w := &Value{kind: v.kind, str: v.str, index: -1}
	c.made[v] = w
	if v.parent != nil {
		w.index, w.num, w.parent = v.index, v.num, c.Copy(v.parent)
	}
	if v.body != nil {
		w.body = c.body(v)
	}
	return w
}

func (c *Copier) body(v *Value) *body {
	b := v.body
	n := &body{keys: b.keys, items: c.all(b.items)}
	if v.kind == ToolOutput {
		n.fields = append(c.all(b.fields[:OutputTool]), nil)
		n.fields = append(n.fields, c.all(b.fields[OutputTool+1:])...)
	} else {
		n.fields = c.all(b.fields)
	}
	if b.more != nil {
		m := *b.more
		m.orig = c.Copy(m.orig)
		m.causes = append([]Cause(nil), m.causes...)
		for i := range m.causes {
			m.causes[i].At = c.Copy(m.causes[i].At)
		}
		n.more = &m
	}
	return n
}

func (c *Copier) all(vs []*Value) []*Value {
	if vs == nil {
		return nil
	}
	out := make([]*Value, len(vs))
	for i, v := range vs {
		out[i] = c.Copy(v)
	}
	return out
}

// shared reports whether v is one of the values that everybody uses.
func shared(v *Value) bool {
	switch v {
	case NoneV, TrueV, FalseV, EmptyStr, EmptyList, EmptyDict:
		return true
	}
	return false
}
