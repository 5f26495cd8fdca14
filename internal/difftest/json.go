// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// A node is a piece of a trace as it is written: an object whose keys keep
// their order, a list, or a scalar as its JSON text. Shrinking takes nodes
// apart, so they are never shared.
type node struct {
	scalar string
	list   bool
	keys   []string
	items  []*node
}

func object() *node { return &node{} }

func list(items ...*node) *node { return &node{list: true, items: items} }

func scalar(text string) *node { return &node{scalar: text} }

// text is a JSON string.
func text(s string) *node {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always marshals
	}
	return scalar(string(b))
}

// with adds a key and returns n.
func (n *node) with(key string, v *node) *node {
	n.keys = append(n.keys, key)
	n.items = append(n.items, v)
	return n
}

func (n *node) add(v *node) { n.items = append(n.items, v) }

func (n *node) isObject() bool { return n.scalar == "" && !n.list }

// append writes n as JSON.
func (n *node) append(dst []byte) []byte {
	if n.scalar != "" {
		return append(dst, n.scalar...)
	}
	open, end := byte('{'), byte('}')
	if n.list {
		open, end = '[', ']'
	}
	dst = append(dst, open)
	for i, it := range n.items {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if !n.list {
			dst = append(strconv.AppendQuote(dst, n.keys[i]), ": "...)
		}
		dst = it.append(dst)
	}
	return append(dst, end)
}

func (n *node) String() string { return string(n.append(nil)) }

// clone returns a copy that shares nothing with n.
func (n *node) clone() *node {
	c := *n
	c.keys = append([]string(nil), n.keys...)
	c.items = make([]*node, len(n.items))
	for i, it := range n.items {
		c.items[i] = it.clone()
	}
	return &c
}

// parseNode reads JSON as it is written, keys given twice included.
func parseNode(src []byte) (*node, error) {
	src = bytes.TrimSpace(src)
	if len(src) == 0 || src[0] != '{' && src[0] != '[' {
		return scalar(string(src)), nil
	}
	d := json.NewDecoder(bytes.NewReader(src))
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	n := &node{list: src[0] == '['}
	for d.More() {
		if !n.list {
			key, err := d.Token()
			if err != nil {
				return nil, fmt.Errorf("reading a key: %w", err)
			}
			n.keys = append(n.keys, key.(string))
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, fmt.Errorf("reading a value: %w", err)
		}
		it, err := parseNode(raw)
		if err != nil {
			return nil, err
		}
		n.add(it)
	}
	return n, nil
}
