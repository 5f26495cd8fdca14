// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
)

// parseInputs reads the values of --input: `name=value`, where a value that
// is JSON is that JSON and anything else is a string.
func parseInputs(flags []string) (map[string]any, error) {
	inputs := make(map[string]any, len(flags))
	for _, flag := range flags {
		name, text, ok := strings.Cut(flag, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("got --input %q, want name=value", flag)
		}
		if _, twice := inputs[name]; twice {
			return nil, fmt.Errorf("--input %s is given twice", name)
		}
		inputs[name] = parseInput(text)
	}
	return inputs, nil
}

func parseInput(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return text
	}
	if _, err := d.Token(); err != io.EOF {
		return text
	}
	if exact, err := exactNumbers(v); err == nil {
		return exact
	}
	return text
}

// exactNumbers turns json.Numbers into int64, *big.Int or float64.
func exactNumbers(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return exactNumber(v)
	case []any:
		for i := range v {
			x, err := exactNumbers(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = x
		}
	case map[string]any:
		for k := range v {
			x, err := exactNumbers(v[k])
			if err != nil {
				return nil, err
			}
			v[k] = x
		}
	}
	return v, nil
}

func exactNumber(n json.Number) (any, error) {
	if strings.ContainsAny(string(n), ".eE") {
		return n.Float64()
	}
	if i, err := n.Int64(); err == nil {
		return i, nil
	}
	big, ok := new(big.Int).SetString(string(n), 10)
	if !ok {
		return nil, fmt.Errorf("got %s, want a number", n)
	}
	return big, nil
}

// textInputs returns a note for each value that was meant as JSON, by how it
// begins, and is none: a list without its end is a text in which nothing is
// found.
func textInputs(flags []string) []string {
	var notes []string
	for _, flag := range flags {
		name, text, _ := strings.Cut(flag, "=")
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "{") {
			continue
		}
		if err := json.Unmarshal([]byte(text), new(any)); err != nil {
			notes = append(notes, fmt.Sprintf("--input %s is no JSON, so it is taken as a text: %v", name, err))
		}
	}
	return notes
}

// strayInputs returns a note for each given input that the policy does not
// read: a misspelt one would otherwise only show as unknown. A policy that
// declares all that it reads does not start with such an input.
func strayInputs(given map[string]any, inputs []holdfast.Input) []string {
	var notes, read []string
	declared := len(inputs) > 0
	for _, in := range inputs {
		read = append(read, in.Name)
		declared = declared && in.Declared
	}
	if declared {
		return nil
	}
	for name := range given {
		if slices.Contains(read, name) {
			continue
		}
		note := fmt.Sprintf("the policy reads no input called %q", name)
		if near := diag.Nearest(name, read); near != "" {
			note += fmt.Sprintf(", did you mean %q?", near)
		}
		notes = append(notes, note)
	}
	slices.Sort(notes)
	return notes
}
