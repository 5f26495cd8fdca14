// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package layout

import (
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/trace"
)

// object is an object whose parts are being moved to where a trace has them.
type object struct {
	m     *Mapping
	v     *value.Value
	parts *parts
	found []*value.Value // the parts, nil where there is none

	keys     []string
	items    []*value.Value
	function bool // it has its function
}

// take moves the parts of the object v to where a trace has them. What else
// stands in v stays, unless it would be taken for one of those.
func (m *Mapping) take(v *value.Value, parts *parts) *trace.Misfit {
	o := object{m: m, v: v, parts: parts, found: make([]*value.Value, len(parts.list))}
	for i, p := range parts.list {
		o.found[i] = find(v, p.path)
		if o.found[i] == nil && p.required {
			return misfit(v, "no %s at %q", p.name, p.text)
		}
	}
	for i, k := range v.Keys() {
		if bad := o.member(k, v.Items()[i]); bad != nil {
			return bad
		}
	}
	value.Rearrange(v, o.keys, o.items)
	return nil
}

// member takes over one member of the object, or what is in it.
func (o *object) member(key string, v *value.Value) *trace.Misfit {
	taken := false
	for i, p := range o.parts.list {
		if p.path[0] == key && o.found[i] != nil {
			taken = true
			o.put(p.name, o.found[i])
		}
	}
	if taken {
		return o.beside(v, []string{key})
	}
	if o.m.ignored[join(nil, key)] {
		return nil
	}
	if bad := o.alike(key, v); bad != nil {
		return bad
	}
	o.keys, o.items = append(o.keys, key), append(o.items, v)
	return nil
}

// put puts a part where a trace has it: the name and the arguments of a call
// are its function.
func (o *object) put(name string, v *value.Value) {
	if name != "name" && name != "arguments" {
		o.keys, o.items = append(o.keys, name), append(o.items, v)
		return
	}
	if o.function {
		return
	}
	o.function = true
	var keys []string
	var items []*value.Value
	for i, p := range o.parts.list {
		if (p.name == "name" || p.name == "arguments") && o.found[i] != nil {
			keys, items = append(keys, p.name), append(items, o.found[i])
		}
	}
	o.keys, o.items = append(o.keys, "function"), append(o.items, value.NewObject(keys, items))
}

// alike refuses a member that stays but would be taken for a part that stands
// elsewhere, or is one in other letters.
func (o *object) alike(key string, v *value.Value) *trace.Misfit {
	for _, p := range o.parts.list {
		switch {
		case key == o.place(p.name) && p.path[0] != key:
			return misfit(v, "%q stands beside %s, which the mapping takes for the %s; map it or ignore it", key, p.text, p.name)
		case key != p.path[0] && strings.EqualFold(key, p.path[0]):
			return misfit(v, "the key %q, want %q", key, p.path[0])
		}
	}
	return nil
}

// place returns the key under which a trace has a part.
func (o *object) place(name string) string {
	if name == "name" || name == "arguments" {
		return "function"
	}
	return name
}

// beside refuses, in a member that is taken apart, what means something in a
// trace but is no part of the mapping: it would be lost.
func (o *object) beside(v *value.Value, path []string) *trace.Misfit {
	if slices.Contains(o.found, v) {
		return nil
	}
	for i, k := range v.Keys() {
		it := v.Items()[i]
		if o.leads(append(slices.Clip(path), k)) {
			if bad := o.beside(it, append(slices.Clip(path), k)); bad != nil {
				return bad
			}
			continue
		}
		if (o.parts.get(k) != nil || slices.Contains(o.parts.known, k)) && !o.m.ignored[join(path, k)] {
			return misfit(it, "%q stands beside what the mapping takes, but nothing says what it is; map it or ignore it", join(path, k))
		}
	}
	return nil
}

// leads reports whether a path is that of a part or on the way to one.
func (o *object) leads(path []string) bool {
	for i, p := range o.parts.list {
		if o.found[i] != nil && within(p.path, path) {
			return true
		}
	}
	return false
}
