// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/toolset"
)

// Tools are those that an agent has, with what is known of their arguments.
type Tools struct {
	file  *diag.File
	byKey map[string]*tool
	names []string // in the order of the file
}

// A tool is one of them.
type tool struct {
	name string
	at   diag.Span
	// arguments is nil where the schema does not say which there are.
	arguments map[string]*property
	closed    bool // the schema allows no others
}

// A property is what a schema says of an argument.
type property struct {
	Type       any                  `json:"type"` // a name or a list of such
	Enum       []any                `json:"enum"`
	Const      *json.RawMessage     `json:"const"`
	Properties map[string]*property `json:"properties"`

	AnyOf []json.RawMessage `json:"anyOf"`
	OneOf []json.RawMessage `json:"oneOf"`
	AllOf []json.RawMessage `json:"allOf"`
	Ref   string            `json:"$ref"`
}

// UnmarshalJSON reads a schema, which may be true or false: these say nothing
// that is looked at here.
func (p *property) UnmarshalJSON(src []byte) error {
	if string(src) == "true" || string(src) == "false" {
		*p = property{}
		return nil
	}
	type plain property
	return json.Unmarshal(src, (*plain)(p))
}

// schema is the schema of a tool's arguments.
type schema struct {
	Properties map[string]*property `json:"properties"`
	Additional json.RawMessage      `json:"additionalProperties"`
	Patterns   json.RawMessage      `json:"patternProperties"`
	AllOf      json.RawMessage      `json:"allOf"`
	AnyOf      json.RawMessage      `json:"anyOf"`
	OneOf      json.RawMessage      `json:"oneOf"`
	Ref        string               `json:"$ref"`
}

// ReadTools reads a list of tools in one of the layouts of package toolset.
func ReadTools(name string, src []byte) (*Tools, error) {
	list, err := toolset.Read(src)
	if err != nil {
		return nil, fmt.Errorf("reading tools from %s: %w", name, err)
	}
	t := &Tools{file: diag.NewFile(name, src), byKey: map[string]*tool{}}
	for i := range list {
		if err := t.add(&list[i]); err != nil {
			return nil, fmt.Errorf("reading tools from %s: tool %d: %w", name, i, err)
		}
	}
	return t, nil
}

func (t *Tools) add(l *toolset.Tool) error {
	var s *schema
	if l.Arguments != nil {
		if err := json.Unmarshal(l.Arguments, &s); err != nil {
			return err
		}
	}
	one := &tool{name: l.Name, at: t.place(strings.TrimPrefix(l.Name, l.Kit))}
	if s != nil && s.Properties != nil && s.plain() {
		one.arguments = s.Properties
		one.closed = string(s.Additional) != "true" && !bytes.HasPrefix(s.Additional, []byte("{"))
	}
	if s != nil && s.Properties == nil && string(s.Additional) == "false" {
		one.arguments, one.closed = map[string]*property{}, true
	}
	if t.byKey[l.Name] == nil {
		t.names = append(t.names, l.Name)
	}
	t.byKey[l.Name] = one
	return nil
}

// plain reports whether the properties are all that the schema says of
// arguments.
func (s *schema) plain() bool {
	return s.Patterns == nil && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.Ref == ""
}

// place is where a tool's name stands in the file.
func (t *Tools) place(name string) diag.Span {
	text, _ := json.Marshal(name)
	src := t.file.Src
	for at := 0; ; {
		i := bytes.Index(src[at:], text)
		if i < 0 {
			return diag.Span{File: t.file}
		}
		before := bytes.TrimRight(src[:at+i], " \t\r\n")
		if rest, ok := bytes.CutSuffix(before, []byte(":")); ok && bytes.HasSuffix(bytes.TrimRight(rest, " \t\r\n"), []byte(`"name"`)) {
			return diag.Span{File: t.file, Start: at + i, End: at + i + len(text)}
		}
		at += i + len(text)
	}
}

// holds reports whether diagnostics may stand in a file.
func (t *Tools) holds(f *diag.File) bool { return t != nil && f == t.file }

// get returns a tool by its name, or by the name behind its server's.
func (t *Tools) get(name string) *tool {
	if one := t.byKey[name]; one != nil {
		return one
	}
	if server, rest, ok := strings.Cut(name, "/"); ok && server != "" {
		return t.byKey[rest]
	}
	return nil
}

// argumentNames returns the names of a tool's arguments, sorted.
func (one *tool) argumentNames() []string { return slices.Sorted(maps.Keys(one.arguments)) }

// takes reports whether a literal can be the value of an argument. Where the
// schema says more than is understood here, it can.
func (p *property) takes(c literal) (bool, string) {
	if p == nil || p.AnyOf != nil || p.OneOf != nil || p.AllOf != nil || p.Ref != "" {
		return true, ""
	}
	if len(p.Enum) > 0 {
		var texts []string
		for _, e := range p.Enum {
			if sameJSON(e, c) {
				return true, ""
			}
			b, _ := json.Marshal(e)
			texts = append(texts, string(b))
		}
		if len(texts) > 8 {
			texts = append(texts[:8], "…")
		}
		return false, "one of " + strings.Join(texts, ", ")
	}
	want := typesOf(p.Type)
	if len(want) == 0 || slices.ContainsFunc(want, func(t string) bool { return typeTakes(t, c) }) {
		return true, ""
	}
	return false, "a value of type " + strings.Join(want, " or ")
}

func typesOf(t any) []string {
	switch t := t.(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, x := range t {
			s, ok := x.(string)
			if !ok {
				return nil
			}
			out = append(out, s)
		}
		return out
	}
	return nil
}

func typeTakes(typ string, c literal) bool {
	switch typ {
	case "string":
		return c.kind == isText
	case "integer":
		return c.kind == isNumber && c.number.IsInt()
	case "number":
		return c.kind == isNumber
	case "boolean":
		return c.kind == isBool
	case "null":
		return c.kind == isNone
	case "array", "object":
		return false
	}
	return true
}

func sameJSON(e any, c literal) bool {
	switch e := e.(type) {
	case string:
		return c.kind == isText && c.text == e
	case bool:
		return c.kind == isBool && c.boolean == e
	case float64:
		if c.kind != isNumber {
			return false
		}
		f, _ := c.number.Float64()
		return f == e
	case nil:
		return c.kind == isNone
	}
	return true // a list or dict: not compared here
}
