// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package trace

import "github.com/holdfast-dev/holdfast/internal/value"

// listing makes a listing of tools.
func (d *decoder) listing(e *Event, v *value.Value) *Error {
	tools := v.Get("tools")
	if tools.Kind() != value.List {
		return d.fail(tools, `"tools" is %s, want a list of tools`, describe(tools))
	}
	s, err := d.server(v)
	if err != nil {
		return err
	}
	when := d.bounded(v.Get("timestamp"))
	if when == nil {
		when = value.NoneV
	}
	e.parts = tools.Items()
	for i, t := range e.parts {
		if err := d.tool(t, s, when, i); err != nil {
			return err
		}
	}
	f := d.json.Fields(1)
	f[value.ListingTools] = tools
	value.MakeElement(v, value.Listing, f, 0)
	return nil
}

// tool makes a Tool of v, which is written as MCP or as OpenAI lists tools.
func (d *decoder) tool(v, server, when *value.Value, slot int) *Error {
	if v.Kind() != value.Dict {
		return d.fail(v, `a tool is %s, want an object with "name"`, describe(v))
	}
	if err := d.variants(v, toolKeys); err != nil {
		return err
	}
	spec, schemaKey := v, "inputSchema"
	if fn := v.Get("function"); fn != nil {
		if fn.Kind() != value.Dict {
			return d.fail(fn, `"function" is %s, want an object with "name"`, describe(fn))
		}
		if err := d.variants(fn, specKeys); err != nil {
			return err
		}
		spec, schemaKey = fn, "parameters"
	}
	name := spec.Get("name")
	if err := d.text(spec, name, "name"); err != nil {
		return err
	}
	f := d.json.Fields(len(value.ToolType.Fields))
	own, err := d.server(v)
	if err != nil {
		return err
	}
	if own != nil {
		server = own
	}
	f[value.ToolServer], f[value.ToolTimestamp] = server, when
	f[value.ToolName] = d.bounded(name)
	f[value.ToolDescription] = d.bounded(spec.Get("description"))
	f[value.ToolSchema] = d.bounded(spec.Get(schemaKey))
	if err := d.schema(f[value.ToolSchema], nil); err != nil {
		return err
	}
	value.MakeElement(v, value.Tool, f, slot)
	return nil
}

// The keywords of JSON Schema below which further schemas stand, in which
// properties are parameters too.
var (
	schemaMaps  = []string{"$defs", "definitions", "dependentSchemas", "patternProperties"}
	schemaLists = []string{"anyOf", "allOf", "oneOf", "prefixItems"}
	schemaOnes  = []string{"not", "if", "then", "else", "additionalProperties", "contains"}
)

// schema makes ToolParameters of what stands below the schema s, at any depth:
// its properties, and the items of an array, which go by the array's name. The
// public analyzer's form, a list of parameters that name themselves, is taken
// for a schema too.
func (d *decoder) schema(s, name *value.Value) *Error {
	if s == nil {
		return nil
	}
	switch s.Kind() {
	case value.List:
		return d.parameterList(s)
	case value.Dict:
	default:
		return nil
	}
	if err := d.variants(s, schemaKeys); err != nil {
		return err
	}
	if err := d.properties(s); err != nil {
		return err
	}
	if items := s.Get("items"); items != nil {
		if err := d.items(items, name); err != nil {
			return err
		}
	}
	return d.subschemas(s, name)
}

func (d *decoder) properties(s *value.Value) *Error {
	props := s.Get("properties")
	if props == nil || props.Kind() != value.Dict {
		return nil
	}
	for i, key := range props.Keys() {
		p := props.Items()[i]
		if err := d.parameter(p, value.StrOf(key), requires(s, key)); err != nil {
			return err
		}
	}
	return nil
}

// requires reports whether the schema s says that key must be there.
func requires(s *value.Value, key string) bool {
	list := s.Get("required")
	if list == nil || list.Kind() != value.List {
		return false
	}
	for _, k := range list.Items() {
		if k.Kind() == value.Str && k.Text() == key {
			return true
		}
	}
	return false
}

// parameter makes a ToolParameter of the schema p, once what is below it is
// made.
func (d *decoder) parameter(p, name *value.Value, required bool) *Error {
	if err := d.schema(p, name); err != nil {
		return err
	}
	f := d.json.Fields(len(value.ToolParameterType.Fields))
	if own := p.Get("required"); own != nil && own.Bool() {
		required = true
	}
	f[value.ParamName] = name
	if name != nil && name.Parent() == nil {
		f[value.ParamName] = value.Within(p, named(name))
	}
	f[value.ParamRequired] = value.BoolOf(required)
	f[value.ParamType] = p.Get("type")
	f[value.ParamDescription] = p.Get("description")
	f[value.ParamProperties] = p.Get("properties")
	f[value.ParamItems] = p.Get("items")
	f[value.ParamEnum] = p.Get("enum")
	value.MakeElement(p, value.ToolParameter, f, 0)
	return nil
}

// named returns a copy of a name, to stand where its parameter does.
func named(name *value.Value) *value.Value {
	n := *name
	return &n
}

// items makes a parameter of the items of an array, or of each of several.
func (d *decoder) items(s, name *value.Value) *Error {
	switch s.Kind() {
	case value.Dict:
		return d.parameter(s, name, false)
	case value.List:
		for _, it := range s.Items() {
			if err := d.schema(it, name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoder) subschemas(s, name *value.Value) *Error {
	for _, k := range schemaOnes {
		if sub := s.Get(k); sub != nil && sub.Kind() == value.Dict {
			if err := d.schema(sub, name); err != nil {
				return err
			}
		}
	}
	for i, k := range append(schemaMaps[:len(schemaMaps):len(schemaMaps)], schemaLists...) {
		sub := s.Get(k)
		if sub == nil || i < len(schemaMaps) != (sub.Kind() == value.Dict) {
			continue
		}
		for _, it := range sub.Items() {
			if it.Kind() != value.Dict {
				continue
			}
			if err := d.schema(it, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// parameterList makes a parameter of each object in the list s that has a name.
func (d *decoder) parameterList(s *value.Value) *Error {
	for _, p := range s.Items() {
		if p.Kind() != value.Dict {
			continue
		}
		name := p.Get("name")
		if name == nil || name.Kind() != value.Str {
			continue
		}
		if err := d.parameter(p, name, false); err != nil {
			return err
		}
	}
	return nil
}
