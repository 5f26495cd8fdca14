// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import "github.com/holdfast-dev/holdfast/internal/automata"

// Rules are compared as formulas of Kleene's logic over atoms. An atom asks
// something of one term, a value that the rule reads: whether it is a text, is
// greater than three, matches a pattern. A formula is true, false or unknown
// under a reading of all terms; a question is whether there is a reading under
// which some formulas have values that are wanted.
//
// Terms are taken to be independent of each other, and what is not understood
// is an atom that can be anything. Both only ever add readings. So "there is
// no reading" is a proof, which all that vet claims rests on; "there is one"
// may be a reading that no trace has.

// truths is a set of truth values.
type truths uint8

const (
	isFalse truths = 1 << iota
	isUnknown
	isTrue

	anyTruth = isFalse | isUnknown | isTrue
	theory   = truths(1 << 7) // see atom.out
)

// known turns a boolean into a set of one.
func known(b bool) truths {
	if b {
		return isTrue
	}
	return isFalse
}

// mirrored returns the values that not gives of those in t.
func (t truths) mirrored() truths {
	return t&isUnknown | t&isFalse<<2 | t&isTrue>>2
}

// kinds is a set of kinds of values.
type kinds uint16

const (
	isMissing kinds = 1 << iota // a key that is not there
	isUnread                    // unknown for another reason
	isNone
	isBool
	isNumber
	isText
	isParts // the content of a message given in parts
	isList
	isDict
	isOther // elements, records

	numKinds = iota

	jsonKinds = isMissing | isUnread | isNone | isBool | isNumber | isText | isList | isDict
	anyKind   = jsonKinds | isParts | isOther
)

// index returns the place of a single kind in a table.
func (k kinds) index() int {
	i := 0
	for k > 1 {
		k >>= 1
		i++
	}
	return i
}

// A term is a value that rules read.
type term struct {
	key    string
	kinds  kinds
	within *automata.Set // the texts it can be; nil: all
	whole  bool          // as a number it is an int
	root   element       // what it is a part of, and where; path is nil if it is computed
	path   []string
	dict   *term // that it is a key of, where only a dict has keys
}

// An element stands for a variable.
type element struct {
	name string
	typ  string
}

// An atom is a question about a term, or one of which nothing is known.
type atom struct {
	id   int
	key  string
	may  truths // what it can be at all
	term *term  // nil: nothing is known of it

	// out says, for each kind of the term, what the answer can be; theory: it
	// is true or false as text, number or boolean says.
	out     [numKinds]truths
	text    *automata.Set
	each    bool // of parts: whether one of them, or all joined, lies in text
	number  *bound
	boolean [2]truths

	before, after string // of a flow: what must come before what
	direct        bool
}

// nodeOp is what a node of a formula does.
type nodeOp uint8

const (
	opAtom nodeOp = iota
	opAnd
	opOr
	opNot
	opConst
)

// A node is a formula.
type node struct {
	op    nodeOp
	subs  []*node
	atom  *atom
	value truths // opConst
}

func constant(t truths) *node   { return &node{op: opConst, value: t} }
func allOf(subs ...*node) *node { return &node{op: opAnd, subs: subs} }
func oneOf(subs ...*node) *node { return &node{op: opOr, subs: subs} }
func notOf(sub *node) *node     { return &node{op: opNot, subs: []*node{sub}} }
func leaf(a *atom) *node        { return &node{op: opAtom, atom: a} }

// A goal wants a formula to have one of some values.
type goal struct {
	node *node
	want truths
}

// atoms calls f with all atoms of a formula.
func (n *node) atoms(f func(*atom)) {
	if n.op == opAtom {
		f(n.atom)
	}
	for _, s := range n.subs {
		s.atoms(f)
	}
}
