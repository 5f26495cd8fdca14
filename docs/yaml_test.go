// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The examples for CI are YAML. They use little of it, and readYAML reads no
// more than that: block mappings and sequences, lists in brackets, plain and
// double-quoted scalars, which all become strings. Anything else is an error, so that an
// example cannot mean something else to a whole reader of YAML.

// A yamlLine is a line that says something.
type yamlLine struct {
	number, indent int
	text           string
}

type yamlReader struct{ lines []yamlLine }

// readYAML returns map[string]any, []any and string.
func readYAML(src string) (any, error) {
	r := &yamlReader{}
	for i, line := range strings.Split(src, "\n") {
		text := strings.TrimLeft(line, " ")
		if at := strings.Index(text, " #"); at >= 0 {
			text = text[:at]
		}
		if text = strings.TrimRight(text, " "); text == "" || text[0] == '#' {
			continue
		}
		r.lines = append(r.lines, yamlLine{i + 1, len(line) - len(strings.TrimLeft(line, " ")), text})
	}
	value, err := r.block(0)
	if err == nil && len(r.lines) > 0 {
		err = r.lines[0].trouble("more than one value")
	}
	return value, err
}

func (l yamlLine) trouble(what string) error {
	return fmt.Errorf("line %d: %s: %s", l.number, what, l.text)
}

// block reads the mapping or sequence that begins at the next line.
func (r *yamlReader) block(indent int) (any, error) {
	if len(r.lines) == 0 || r.lines[0].indent < indent {
		return nil, fmt.Errorf("a value is missing at the end or before line %d", r.at())
	}
	if strings.HasPrefix(r.lines[0].text, "- ") {
		return r.sequence(r.lines[0].indent)
	}
	return r.mapping(r.lines[0].indent)
}

func (r *yamlReader) at() int {
	if len(r.lines) == 0 {
		return 0
	}
	return r.lines[0].number
}

func (r *yamlReader) sequence(indent int) (any, error) {
	var out []any
	for len(r.lines) > 0 && r.lines[0].indent == indent && strings.HasPrefix(r.lines[0].text, "- ") {
		// What follows the dash stands as if the dash were a blank.
		r.lines[0].text = r.lines[0].text[2:]
		r.lines[0].indent += 2
		item, err := r.item()
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	return out, r.ended(indent)
}

func (r *yamlReader) item() (any, error) {
	if key, _, ok := pair(r.lines[0].text); ok && key != "" {
		return r.mapping(r.lines[0].indent)
	}
	line := r.lines[0]
	r.lines = r.lines[1:]
	return line.scalar(line.text)
}

func (r *yamlReader) mapping(indent int) (any, error) {
	out := map[string]any{}
	for len(r.lines) > 0 && r.lines[0].indent == indent {
		line := r.lines[0]
		key, rest, ok := pair(line.text)
		if _, twice := out[key]; !ok || twice {
			return nil, line.trouble("want a new key")
		}
		r.lines = r.lines[1:]
		var err error
		switch {
		case rest != "":
			out[key], err = line.scalar(rest)
		case len(r.lines) > 0 && r.lines[0].indent > indent:
			out[key], err = r.block(indent + 1)
		default:
			out[key] = "" // null
		}
		if err != nil {
			return nil, err
		}
	}
	return out, r.ended(indent)
}

// ended checks that what follows a block stands further out.
func (r *yamlReader) ended(indent int) error {
	if len(r.lines) > 0 && r.lines[0].indent >= indent {
		return r.lines[0].trouble("an indent that fits nothing")
	}
	return nil
}

// pair takes a line apart at its colon.
func pair(text string) (key, rest string, ok bool) {
	key, rest, ok = strings.Cut(text, ": ")
	if !ok {
		key, ok = strings.CutSuffix(text, ":")
	}
	return key, strings.TrimSpace(rest), ok && !strings.ContainsAny(key, `"'[]{}`)
}

func (l yamlLine) scalar(text string) (any, error) {
	if inner, ok := strings.CutPrefix(text, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		if !ok || strings.ContainsAny(inner, `"'[]{}#`) {
			return nil, l.trouble("want a list of plain words")
		}
		var out []any
		for word := range strings.SplitSeq(inner, ",") {
			out = append(out, strings.TrimSpace(word))
		}
		return out, nil
	}
	if inner, ok := strings.CutPrefix(text, `"`); ok {
		inner, ok = strings.CutSuffix(inner, `"`)
		if !ok || strings.ContainsAny(inner, `"\`) {
			return nil, l.trouble("want a quoted text without escapes")
		}
		return inner, nil
	}
	if strings.ContainsAny(text[:1], "'{}&*!|>%@`") || strings.Contains(text, ": ") {
		return nil, l.trouble("want a plain text")
	}
	return text, nil
}

func TestReadYAML(t *testing.T) {
	got, err := readYAML("# note\na: 1\nb:\n  - x: y # why\n    z: [p, q/r]\n  - \"two words\"\nc:\n  d:\ne: run it --now > out\n")
	want := map[string]any{
		"a": "1",
		"b": []any{map[string]any{"x": "y", "z": []any{"p", "q/r"}}, "two words"},
		"c": map[string]any{"d": ""},
		"e": "run it --now > out",
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, src := range []string{"a: 1\na: 2\n", "a: |\n  x\n", "a: 'x'\n", "a: {b: c}\n", "a:\n  b: c\n d: e\n", "- a\nb: c\n", "a: b: c\n", "", "a: *x\n"} {
		if got, err := readYAML(src); err == nil {
			t.Errorf("%q: got %v, want an error", src, got)
		}
	}
}
