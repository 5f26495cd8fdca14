// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// A tree is a JSON value that can be changed.
type tree struct {
	kind  byte   // '{', '[', '"', or 'x' for the others
	text  string // of a string its text, of the others their JSON
	keys  []string
	items []*tree
}

// maxTree bounds the depth of what is read.
const maxTree = 80

func readTree(src []byte) (*tree, error) {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	return nextTree(d, 0)
}

func nextTree(d *json.Decoder, depth int) (*tree, error) {
	if depth > maxTree {
		return nil, errors.New("reading an event: it is too deep")
	}
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch tok := tok.(type) {
	case json.Delim:
		t := &tree{kind: byte(tok)}
		for d.More() {
			if tok == '{' {
				key, err := d.Token()
				if err != nil {
					return nil, err
				}
				t.keys = append(t.keys, key.(string))
			}
			it, err := nextTree(d, depth+1)
			if err != nil {
				return nil, err
			}
			t.items = append(t.items, it)
		}
		_, err := d.Token()
		return t, err
	case string:
		return textTree(tok), nil
	case json.Number:
		return plainTree(tok.String()), nil
	case bool:
		return plainTree(strconv.FormatBool(tok)), nil
	}
	return plainTree("null"), nil
}

func textTree(s string) *tree  { return &tree{kind: '"', text: s} }
func plainTree(s string) *tree { return &tree{kind: 'x', text: s} }

// number reports whether a tree is a number.
func (t *tree) number() bool {
	return t.kind == 'x' && t.text != "true" && t.text != "false" && t.text != "null"
}

func (t *tree) append(dst []byte) []byte {
	switch t.kind {
	case '"':
		return value.AppendQuoted(dst, t.text)
	case 'x':
		return append(dst, t.text...)
	}
	dst = append(dst, t.kind)
	for i, it := range t.items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if t.kind == '{' {
			dst = append(value.AppendQuoted(dst, t.keys[i]), ": "...)
		}
		dst = it.append(dst)
	}
	return append(dst, map[byte]byte{'{': '}', '[': ']'}[t.kind])
}

func (t *tree) String() string { return string(t.append(nil)) }

// find returns the child with a key or index, -1 if there is none.
func (t *tree) find(step string) int {
	if t.kind == '{' {
		return slices.Index(t.keys, step)
	}
	if i, err := strconv.Atoi(step); err == nil && t.kind == '[' && i >= 0 && i < len(t.items) {
		return i
	}
	return -1
}

// at returns what a path leads to, nil if it leads nowhere.
func (t *tree) at(path []string) *tree {
	for _, step := range path {
		i := t.find(step)
		if i < 0 {
			return nil
		}
		t = t.items[i]
	}
	return t
}

// with returns the tree with the value at a path replaced, left out if to is
// nil, or put in; it shares what it does not change. An item that is left out
// is noted as nil, see compact.
func (t *tree) with(path []string, to *tree) *tree {
	if len(path) == 0 {
		return to
	}
	out := &tree{t.kind, t.text, slices.Clone(t.keys), slices.Clone(t.items)}
	i := t.find(path[0])
	switch {
	case i >= 0 && t.items[i] == nil:
	case i >= 0:
		out.items[i] = t.items[i].with(path[1:], to)
	case t.kind == '{' && len(path) == 1 && to != nil:
		out.keys, out.items = append(out.keys, path[0]), append(out.items, to)
	}
	return out
}

// compact leaves out what is nil.
func (t *tree) compact() *tree {
	if t.items == nil {
		return t
	}
	out := &tree{kind: t.kind, text: t.text}
	for i, it := range t.items {
		if it == nil {
			continue
		}
		if t.kind == '{' {
			out.keys = append(out.keys, t.keys[i])
		}
		out.items = append(out.items, it.compact())
	}
	return out
}

// maxDistance bounds the product of the lengths that are compared.
const maxDistance = 4_000_000

// distance is how many characters have to be put in, left out or replaced to
// make one text of another; of very long ones an upper bound.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	if len(x)*len(y) == 0 || len(x)*len(y) > maxDistance {
		return max(len(x), len(y))
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		last := row[0]
		row[0] = i + 1
		for j := range y {
			d := last
			if x[i] != y[j] {
				d++
			}
			last = row[j+1]
			row[j+1] = min(d, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(y)]
}

// length is how many characters a text has.
func length(s string) int { return utf8.RuneCountInString(s) }
