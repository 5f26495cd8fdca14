// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package builtin holds the functions, methods and operators of the policy
// language and the modules they are imported from. It says what each
// operation means on values; which operation is called when is for the
// evaluators, which share this package and nothing else.
//
// An operation that cannot give a value gives an Unknown one with a cause
// whose Src is not set yet: the evaluator knows the syntax node.
package builtin

import (
	"context"
	"io/fs"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// FuncKind tells how a function may be called.
type FuncKind uint8

// The kinds of functions.
const (
	Pure     FuncKind = iota // same arguments, same result, at no cost to speak of
	Detector                 // looks at text; may fail or time out; memoised by content
	Effect                   // asks the world; memoised per session
)

// A Func is a function of the language.
type Func struct {
	Name   string // "pii"
	Module string // where it is imported from, "" for what is always there
	Params []Param
	Result *value.Type
	Kind   FuncKind
	Asks   string // the name of the detector that the function asks; "" if none
	Names  int    // the parameter that names a detector; 0 if none does
	Model  bool   // the answer is a model's judgement, not a fact about a text
	Needs  Need   // what else has to be there

	images bool    // it looks at images, not at texts
	whole  bool    // it looks at all of a text at once: a prompt, not the parts of one
	given  []*Func // those that the arguments name, see With

	// Impl computes the result. Arguments that are Unknown never reach it.
	// Nil: the function has no implementation yet and calling it is unknown.
	Impl func(*Call) *value.Value
}

// A Need is something that a function cannot do without.
type Need uint8

// What functions need.
const (
	Nothing   Need = iota
	Workspace      // a folder, see Env
)

// With returns the function as it is called with functions for its Function
// parameter.
func (f *Func) With(given []*Func) *Func {
	out := *f
	out.given = given
	return &out
}

// Given returns the functions that With gave.
func (f *Func) Given() []*Func { return f.given }

// A Param is a parameter of a Func.
type Param struct {
	Name    string
	Type    *value.Type  // value.AnyType if it takes everything
	Default *value.Value // nil: required
	Rest    bool         // takes all further positional arguments, as a List
	Pattern bool         // a pattern: a literal argument is checked at load, with CompileRegexp

	// Function is set for a parameter that wants the name of a function, or a
	// list of such names. It is checked at load; the implementation gets the
	// default, None, and the functions by With.
	Function bool

	// Own is set for what the function itself reads; the others go to its
	// detector. As is what the detector calls a parameter that it gets as a
	// list, whether one was given or a single text.
	Own bool
	As  string
}

// A Call is one call of a Func: one argument for each parameter, defaults
// filled in.
type Call struct {
	Func *Func
	Args []*value.Value
	Env  *Env
}

// An Env is what an evaluation hands down to functions. It is not safe for
// concurrent use.
type Env struct {
	Context context.Context
	Marks   *Marks // where evidence goes; nil when none is wanted
	Memo    *Memo  // never nil
	Limits  Limits

	Detectors *Detectors // whom detector functions ask; nil: nobody
	Workspace fs.FS      // what the functions about files read; nil: nothing

	// Watch, if there is one, is told what the naive evaluator looks at: for each
	// assignment of a rule, the rule's node with its elements, of which nil is no
	// element; then the node of each line and of each operand of `and` and `or`,
	// of inner blocks too, with its truth.
	Watch func(node any, vs ...*value.Value)

	// Work adds up what operations cost beyond what the size of their operands
	// shows. Whoever keeps a budget takes it from here.
	Work int
}

// Watched tells the watcher, if there is one, of a truth, and returns it.
func (e *Env) Watched(node any, truth *value.Value) *value.Value {
	if e.Watch != nil {
		e.Watch(node, truth)
	}
	return truth
}

// Looking tells the watcher, if there is one, of an assignment.
func (e *Env) Looking(rule any, elements []*value.Value) {
	if e.Watch != nil {
		e.Watch(rule, elements...)
	}
}

// context is what calls may last for.
func (e *Env) context() context.Context {
	if e == nil || e.Context == nil {
		return context.Background()
	}
	return e.Context
}

// spend notes work.
func (e *Env) spend(n int) {
	if e != nil {
		e.Work += n
	}
}
