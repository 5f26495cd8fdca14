// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import "github.com/holdfast-dev/holdfast/internal/value"

// Looking for each item of one list in another takes time proportional to the
// product of their lengths, and both may come from a trace. From manyItems on
// the list that is looked into is indexed when it is asked again.

const manyItems = 64

// A membership answers `x in items` as inItems does, by hash.
type membership struct {
	byHash  map[uint64][]*value.Value
	unknown at                // the first Unknown item
	first   map[value.Kind]at // the first collection of each kind
	vague   map[value.Kind]at // the first that holds an Unknown value
}

// at is a place among the items and the Unknown value there, if there is one.
type at struct {
	index   int
	unknown *value.Value
}

func newMembership(items []*value.Value) *membership {
	m := &membership{
		byHash:  make(map[uint64][]*value.Value, len(items)),
		unknown: at{index: len(items)},
		first:   map[value.Kind]at{},
		vague:   map[value.Kind]at{},
	}
	for i, it := range items {
		m.add(i, it)
	}
	return m
}

func (m *membership) add(i int, it *value.Value) {
	k := it.Kind()
	if k == value.Unknown {
		if m.unknown.unknown == nil {
			m.unknown = at{i, it}
		}
		return
	}
	h := value.Hash(it)
	m.byHash[h] = append(m.byHash[h], it)
	if !holds(it) {
		return
	}
	if _, ok := m.first[k]; !ok {
		m.first[k] = at{index: i}
	}
	if _, ok := m.vague[k]; !ok {
		if bad := findUnknown(it); bad != nil {
			m.vague[k] = at{i, bad}
		}
	}
}

func (m *membership) has(x *value.Value) *value.Value {
	for _, it := range m.byHash[value.Hash(x)] {
		if value.Equal(x, it) {
			return value.TrueV
		}
	}
	open := m.unknown
	if holds(x) {
		open = m.perhaps(x)
	}
	if open.unknown != nil {
		return open.unknown
	}
	return value.FalseV
}

// perhaps returns the first item that might be the collection x: an Unknown
// one, or one of its kind if either of the two holds an Unknown value.
func (m *membership) perhaps(x *value.Value) at {
	open, k := m.unknown, x.Kind()
	if bad := findUnknown(x); bad != nil {
		if f, ok := m.first[k]; ok && f.index < open.index {
			return at{f.index, bad}
		}
		return open
	}
	if v, ok := m.vague[k]; ok && v.index < open.index {
		return v
	}
	return open
}

// inList is inItems for a list that may be asked again.
func (e *Env) inList(x, list *value.Value) *value.Value {
	items := list.Items()
	if e == nil || e.Memo == nil || len(items) < manyItems {
		return inItems(x, items)
	}
	a := e.Memo.askedOf(list)
	switch {
	case a.list != list:
		*a = asked{list: list}
		return inItems(x, items)
	case a.members == nil:
		a.members = newMembership(items)
	}
	return a.members.has(x)
}

// maxAsked bounds the lists whose index is kept.
const maxAsked = 8

// asked is a list that was looked into, and its index once that happened twice.
type asked struct {
	list    *value.Value
	members *membership
}

// askedOf returns the place of a list, or one that it may take.
func (m *Memo) askedOf(list *value.Value) *asked {
	for i := range m.asked {
		if m.asked[i].list == list {
			return &m.asked[i]
		}
	}
	m.askedNext = (m.askedNext + 1) % maxAsked
	return &m.asked[m.askedNext]
}
