// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package toolset reads the lists that say which tools an agent has, in the
// layouts in which people have them. It says nothing of what the tools do.
package toolset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A Tool is one entry of a list.
type Tool struct {
	Name        string // as calls have it
	Kit         string // what it belongs to, where Name begins with that
	Description string

	// Arguments is the JSON Schema of the arguments; nil if the list has none.
	Arguments json.RawMessage

	// Results are the names of what it answers, where the list has them.
	Results []string

	Hints Hints
}

// Hints are what a server claims about a tool, as MCP's annotations. Nil: it
// does not say.
type Hints struct {
	ReadOnly    *bool `json:"readOnlyHint"`
	Destructive *bool `json:"destructiveHint"`
	OpenWorld   *bool `json:"openWorldHint"`
}

// entry is a tool, or a kit of tools, in any of the layouts.
type entry struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Snake       json.RawMessage `json:"input_schema"`
	Parameters  json.RawMessage `json:"parameters"`
	Annotations Hints           `json:"annotations"`
	Function    *entry          `json:"function"`

	// A catalogue of kits, as ToolEmu and InjecAgent have it.
	Toolkit string  `json:"toolkit"`
	Tools   []entry `json:"tools"`
	Summary string  `json:"summary"`
	Returns []named `json:"returns"`

	// Lines with a tool each, as ASB has them.
	ToolName     string `json:"Tool Name"`
	AttackerTool string `json:"Attacker Tool"`
}

type named struct {
	Name string `json:"name"`
}

// Read reads a list of tools: what MCP's tools/list answers, with or without
// the message around it; the tools of a request to OpenAI's or Anthropic's
// models; a catalogue of tool kits; or a tool a line. A tool keeps the order
// of the list, and stands in the result as often as it does there.
func Read(src []byte) ([]Tool, error) {
	list, err := entries(src)
	if err != nil {
		return nil, err
	}
	var out []Tool
	for i, raw := range list {
		var e entry
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, fmt.Errorf("tool %d: %w", i, err)
		}
		if e.Toolkit == "" {
			e.Tools = []entry{e}
		}
		for _, one := range e.Tools {
			t, err := one.tool(e.Toolkit)
			if err != nil {
				return nil, fmt.Errorf("tool %d%w", i, err)
			}
			out = append(out, t)
		}
	}
	return out, nil
}

// entries finds the list in a document.
func entries(src []byte) ([]json.RawMessage, error) {
	values, err := split(src)
	switch {
	case err != nil:
		return nil, err
	case len(values) > 1:
		return values, nil
	case len(values) == 0:
		return nil, io.ErrUnexpectedEOF
	}
	var list []json.RawMessage
	if bytes.HasPrefix(values[0], []byte("[")) {
		err := json.Unmarshal(values[0], &list)
		return list, err
	}
	var doc struct {
		Tools  *[]json.RawMessage `json:"tools"`
		Result *struct {
			Tools *[]json.RawMessage `json:"tools"`
		} `json:"result"`
		Toolkit string `json:"toolkit"`
		Name    string `json:"Tool Name"`
	}
	if err := json.Unmarshal(values[0], &doc); err != nil {
		return nil, err
	}
	switch {
	case doc.Toolkit != "" || doc.Name != "":
		return values, nil
	case doc.Tools != nil:
		return *doc.Tools, nil
	case doc.Result != nil && doc.Result.Tools != nil:
		return *doc.Result.Tools, nil
	}
	return nil, errors.New("want a list of tools, or an object with tools as MCP's tools/list answers")
}

// split returns the values of a document: one, or one a line.
func split(src []byte) ([]json.RawMessage, error) {
	var out []json.RawMessage
	d := json.NewDecoder(bytes.NewReader(src))
	for {
		var v json.RawMessage
		switch err := d.Decode(&v); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
		out = append(out, v)
	}
}

// tool makes a tool of an entry; kit is what it belongs to, "" for nothing.
// The error goes on after the tool's number.
func (e *entry) tool(kit string) (Tool, error) {
	if e.Function != nil && e.Name == "" {
		e = e.Function
	}
	t := Tool{Name: e.Name, Kit: kit, Description: e.Description, Hints: e.Annotations}
	for _, name := range []string{e.ToolName, e.AttackerTool} {
		if t.Name == "" {
			t.Name = name
		}
	}
	if t.Name == "" {
		return t, errors.New(" has no name")
	}
	t.Name = kit + t.Name
	if t.Description == "" {
		t.Description = e.Summary
	}
	for _, r := range e.Returns {
		t.Results = append(t.Results, r.Name)
	}
	for _, s := range []json.RawMessage{e.InputSchema, e.Snake, e.Parameters} {
		if len(s) > 0 && string(s) != "null" {
			var err error
			if t.Arguments, err = schemaOf(s); err != nil {
				return t, fmt.Errorf(": the schema of %q: %w", t.Name, err)
			}
			break
		}
	}
	return t, nil
}

// parameter is an argument in a list of such, as catalogues have it.
type parameter struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
}

// schemaOf makes a JSON Schema of a list of parameters; a schema stays as it
// is.
func schemaOf(s json.RawMessage) (json.RawMessage, error) {
	switch {
	case string(s) == "true" || string(s) == "false": // a schema, too, which says nothing of arguments
		return nil, nil
	case !bytes.HasPrefix(s, []byte("[")):
		return s, nil
	}
	var list []parameter
	if err := json.Unmarshal(s, &list); err != nil {
		return nil, err
	}
	type property struct {
		Type        string `json:"type,omitempty"`
		Description string `json:"description,omitempty"`
	}
	out := struct {
		Type       string              `json:"type"`
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required,omitempty"`
	}{Type: "object", Properties: map[string]property{}}
	for _, p := range list {
		out.Properties[p.Name] = property{p.Type, p.Description}
		if p.Required {
			out.Required = append(out.Required, p.Name)
		}
	}
	return json.Marshal(out)
}
