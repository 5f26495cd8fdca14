// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package regex

import "bytes"

// op is what a node matches.
type op uint8

const (
	opEmpty     op = iota // nothing
	opLit                 // one rune
	opClass               // one rune of a set
	opAny                 // any rune but a newline
	opAnyNL               // any rune
	opBegin               // start of the text
	opBeginLine           // start of a line
	opEnd                 // end of the text
	opEndLine             // end of a line
	opWord                // a word boundary
	opNotWord             // no word boundary
	opConcat              // subs, one after the other
	opAlt                 // one of subs, the first that leads to a match
	opRepeat              // subs[0], min to max times
	opNot                 // what follows does not begin with subs[0]
)

// A node is a piece of a pattern.
type node struct {
	op   op
	at   int  // offset in the pattern
	r    rune // opLit
	fold bool // opLit: in any case
	set  *class
	subs []*node

	min, max int // opRepeat; max -1: no end
	lazy     bool
}

// concat joins nodes, taking apart those that are concatenations themselves.
func concat(at int, subs []*node) *node {
	if len(subs) == 1 {
		return subs[0]
	}
	if len(subs) == 0 {
		return &node{op: opEmpty, at: at}
	}
	return &node{op: opConcat, at: at, subs: subs}
}

// splitNots takes the negative look-aheads at the start of a pattern off it.
// One that stands anywhere else is an error.
func splitNots(root *node) (nots []*node, body *node, err error) {
	subs := []*node{root}
	if root.op == opConcat {
		subs = root.subs
	}
	var rest []*node
	for i, n := range subs {
		if n.op == opNot {
			nots = append(nots, n.subs[0])
			continue
		}
		rest = append(rest, n)
		if n.op != opBegin && n.op != opBeginLine {
			rest = append(rest, subs[i+1:]...)
			break
		}
	}
	body = concat(root.at, rest)
	for _, n := range append([]*node{body}, nots...) {
		if bad := n.find(opNot); bad != nil {
			return nil, nil, lookAround(bad.at)
		}
	}
	return nots, body, nil
}

// find returns the first node of a kind in n, or nil.
func (n *node) find(o op) *node {
	if n.op == o {
		return n
	}
	for _, sub := range n.subs {
		if found := sub.find(o); found != nil {
			return found
		}
	}
	return nil
}

// hasWord reports whether n looks at word boundaries.
func hasWord(n *node) bool { return n.find(opWord) != nil || n.find(opNotWord) != nil }

// The bounds of a pattern: the instructions it comes to, which its cost is
// counted in, and the classes that are written out rune by rune.
const (
	maxSize   = 20_000
	maxListed = 200
)

// size estimates the number of instructions that n comes to, up to one beyond
// the bound.
func (n *node) size() int {
	sum := 1
	for _, sub := range n.subs {
		sum = min(sum+sub.size(), maxSize+1)
	}
	if n.op == opRepeat {
		sum *= max(n.min, n.max, 1)
	}
	return min(sum, maxSize+1)
}

// listed counts the classes of n that RE2 has no short name for.
func (n *node) listed() int {
	sum := 0
	if n.op == opClass && bytes.ContainsAny(n.set.cats, "WS") {
		sum = 1
	}
	for _, sub := range n.subs {
		sum += sub.listed()
	}
	return sum
}

func lookAround(at int) error {
	return &Error{
		Offset: at,
		Msg:    "look-around is not supported here",
		Hint:   `a negative look-ahead may only begin a pattern, as in "^(?!A)B"; elsewhere use two conditions, as in match("B", s) and not match("A", s)`,
	}
}
