// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// A hundred rules that each look for a word in the same text would read it a
// hundred times. So the literals that conditions need (the left side of an
// `in`, what a pattern cannot match without) are put into one automaton, which
// reads a text once and says which of them occur. It folds ASCII case, so it
// may say yes too often and never no: a condition whose literal is absent is
// false, any other is evaluated as it stands.

// minLiteral is the shortest literal worth a place: shorter ones occur in
// most texts.
const minLiteral = 3

// Literals is the automaton over all literals of a policy. Nil: none.
type Literals struct {
	class  [256]uint8 // of a byte, ASCII case folded
	width  int        // number of classes
	next   []int32    // state*width + class
	out    [][]int32  // literals that end in a state
	number int
}

type literalTable struct {
	ids   map[string]int
	texts []string
}

func newLiteralTable() *literalTable { return &literalTable{ids: map[string]int{}} }

func (t *literalTable) id(s string) int {
	s = foldASCII(s)
	id, ok := t.ids[s]
	if !ok {
		id = len(t.texts)
		t.ids[s] = id
		t.texts = append(t.texts, s)
	}
	return id
}

func foldASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// build makes the automaton: Aho-Corasick with all transitions filled in.
func (t *literalTable) build() *Literals {
	if len(t.texts) == 0 {
		return nil
	}
	a := &Literals{number: len(t.texts)}
	a.classes(t.texts)
	a.grow()
	for id, s := range t.texts {
		a.insert(s, int32(id))
	}
	a.link()
	return a
}

// classes gives a class of its own to each byte that occurs in a literal.
func (a *Literals) classes(texts []string) {
	a.width = 1
	for _, s := range texts {
		for i := range len(s) {
			if a.class[s[i]] == 0 {
				a.class[s[i]] = uint8(a.width)
				a.width++
			}
		}
	}
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[lower(c)]
	}
}

func (a *Literals) grow() int32 {
	for range a.width {
		a.next = append(a.next, -1)
	}
	a.out = append(a.out, nil)
	return int32(len(a.out) - 1)
}

func (a *Literals) insert(s string, id int32) {
	state := int32(0)
	for i := range len(s) {
		at := int(state)*a.width + int(a.class[s[i]])
		if a.next[at] < 0 {
			to := a.grow()
			a.next[at] = to
		}
		state = a.next[at]
	}
	a.out[state] = append(a.out[state], id)
}

// link turns the trie into an automaton, breadth first.
func (a *Literals) link() {
	fail := make([]int32, len(a.out))
	var queue []int32
	for k := range a.width {
		if a.next[k] < 0 {
			a.next[k] = 0
		} else {
			queue = append(queue, a.next[k])
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for k := range a.width {
			at := int(s)*a.width + k
			back := a.next[int(fail[s])*a.width+k]
			if a.next[at] < 0 {
				a.next[at] = back
				continue
			}
			fail[a.next[at]] = back
			a.out[a.next[at]] = append(a.out[a.next[at]], a.out[back]...)
			queue = append(queue, a.next[at])
		}
	}
}

// scan sets the bit of every literal that occurs in text.
func (a *Literals) scan(text string, hits []uint64) {
	state := int32(0)
	for i := range len(text) {
		state = a.next[int(state)*a.width+int(a.class[text[i]])]
		for _, id := range a.out[state] {
			hits[id>>6] |= 1 << (id & 63)
		}
	}
}

// Scans remembers which literals occur in the texts last looked at. It is not
// safe for concurrent use.
type Scans struct {
	lits *Literals
	ring [8]scan
	at   int
}

type scan struct {
	text *value.Value
	hits []uint64
}

// NewScans returns what Env.Texts wants, nil when the policy has no literals.
func NewScans(l *Literals) *Scans {
	if l == nil {
		return nil
	}
	return &Scans{lits: l}
}

// may reports whether one of the literals may occur in v, which is a text.
func (s *Scans) may(v *value.Value, ids []int) bool {
	hits := s.hits(v)
	for _, id := range ids {
		if hits[id>>6]&(1<<(id&63)) != 0 {
			return true
		}
	}
	return false
}

func (s *Scans) hits(v *value.Value) []uint64 {
	for i := range s.ring {
		if s.ring[i].text == v || s.ring[i].text != nil && Faulty(FaultStaleScan) {
			return s.ring[i].hits
		}
	}
	slot := &s.ring[s.at]
	s.at = (s.at + 1) % len(s.ring)
	if slot.hits == nil {
		slot.hits = make([]uint64, (s.lits.number+63)/64)
	}
	clear(slot.hits)
	text, _ := value.Concat(v)
	s.lits.scan(text, slot.hits)
	slot.text = v
	return slot.hits
}

// scanned puts the shared scan before `needle in hay`.
func (c *compiler) scanned(n node, needle *value.Value, hay node) node {
	if needle == nil || needle.Kind() != value.Str || len(needle.Text()) < minLiteral || hay.konst != nil {
		return n
	}
	n.code = filtered(n.code, hay.code, []int{c.tables.id(needle.Text())}, value.FalseV)
	return n
}

// filtered is code behind the shared scan of hay's text, which answers with
// absent when none of the literals occurs. A text that was computed is not
// shared, so it is not scanned.
func filtered(code, hay Code, ids []int, absent *value.Value) Code {
	return func(e *Env) *value.Value {
		if e.Texts == nil {
			return code(e)
		}
		v := hay(e)
		switch v.Kind() {
		case value.Unknown:
			return v
		case value.Str, value.Content:
			if v.Parent() != nil && !e.Texts.may(v, ids) {
				return absent
			}
		}
		return code(e)
	}
}

// scannedCall puts the shared scan before match and find with a constant
// pattern.
func (c *compiler) scannedCall(n node, f *builtin.Func, args []node) node {
	if (f.Name != "match" && f.Name != "find") || len(args) < 2 || args[0].konst == nil || args[1].konst != nil {
		return n
	}
	re, err := builtin.CompileRegexp(args[0].konst.Text())
	if err != nil {
		return n
	}
	lits := re.Literals()
	if len(lits) == 0 {
		return n
	}
	var ids []int
	for _, l := range lits {
		if len(l.Text) < minLiteral {
			return n
		}
		ids = append(ids, c.tables.id(l.Text))
	}
	absent := value.FalseV
	if f.Name == "find" {
		absent = value.ListOf(nil)
	}
	n.code = filtered(n.code, args[1].code, ids, absent)
	return n
}
