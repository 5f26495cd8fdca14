// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package check resolves the names of a parsed policy, types its expressions
// and judges its rules. Its result is a Program: the tree as the parser made
// it and, beside it, tables that say what each node means. Both evaluators
// start from a Program.
package check

import (
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A Program is a policy that may be evaluated: it has no errors.
type Program struct {
	Files    []*syntax.File // the policy first, then what it imports
	Rules    []*Rule
	Inputs   []*Input  // the parameters that a monitor gives, by name
	Warnings diag.List // what the author should know

	// The tables. A node that is not in its table has not been reached.
	Uses     map[*syntax.Ident]Object     // every name that is used as a value
	Vars     map[*syntax.TypedVar]*Var    // every declaration
	Calls    map[*syntax.Call]*Call       // every call, resolved
	Quants   map[*syntax.QuantCond]*Quant // every quantifier
	Patterns map[*syntax.ToolPattern]*builtin.ToolMatcher
	Members  map[*syntax.Member]*Member  // members of statically known types, modules, input
	Types    map[syntax.Expr]*value.Type // value.AnyType where nothing is known
	Flows    map[*syntax.FlowChain]Polarity
}

func newProgram() *Program {
	return &Program{
		Uses:     map[*syntax.Ident]Object{},
		Vars:     map[*syntax.TypedVar]*Var{},
		Calls:    map[*syntax.Call]*Call{},
		Quants:   map[*syntax.QuantCond]*Quant{},
		Patterns: map[*syntax.ToolPattern]*builtin.ToolMatcher{},
		Members:  map[*syntax.Member]*Member{},
		Types:    map[syntax.Expr]*value.Type{},
		Flows:    map[*syntax.FlowChain]Polarity{},
	}
}

// A Rule is one rule of the policy.
type Rule struct {
	Index   int // over all rules, in file order
	ID      string
	Named   bool // the ID is from the rule's comment, and the rule is the policy's own
	Meta    Meta
	Node    *syntax.Rule
	Message *Message
	Body    *Block

	// OnUnknown is what the rule's comment asks for when it is unknown:
	// "allow", "ask", "deny", "warn", or "" for its verb.
	OnUnknown string

	Class      Class
	Retracts   bool // matches can go away as the trace grows
	Preventive bool // a match's last event can still be stopped
	External   bool // reads detectors or effectful functions
}

// Class says how a rule's matches behave as the trace grows.
type Class uint8

// The classes, see docs/spec.md.
const (
	LocalClass   Class = iota // no quantifier: a match depends on its elements alone
	PastClass                 // quantifiers look back from an element of the match
	GrowingClass              // a match may appear later, and stays
	GlobalClass               // a match may go away again
)

// String returns the class as outputs print it.
func (c Class) String() string { return [...]string{"local", "past", "growing", "global"}[c] }

// Polarity says on which side of negations an atom stands. An atom of a
// predicate may stand on both. The zero Polarity is that of an atom that no
// rule reaches.
type Polarity uint8

// The polarities, as a set.
const (
	Positive Polarity = 1 << iota // making it true can only add matches
	Negative                      // making it true can only remove matches

	Mixed = Positive | Negative
)

// String returns "positive", "negative", "mixed" or "unused".
func (p Polarity) String() string { return [...]string{"unused", "positive", "negative", "mixed"}[p] }

// A Message is the raise expression, taken apart: `"text"` is Args of one,
// `Violation("text", k=v)` has Kwargs too.
type Message struct {
	Args   []syntax.Expr
	Kwargs []*syntax.Arg
}

// A Block is a conjunction with variables of its own: the body of a rule, a
// predicate or a quantifier.
type Block struct {
	Conds []syntax.Cond // without the bindings
	Vars  []*Var        // in order of first appearance, a derived one after those it needs
	Outer *Block        // of a quantifier: the block around it; nil for rules and predicates
}

// An Object is what a name stands for: *Var, *ParamObj, *Binding, *Local,
// *Predicate, *FuncObj, *ModuleObj, *InputObj.
//
//sumtype:decl
type Object interface{ object() }

// A Var is a typed variable of a block.
type Var struct {
	Name     string
	Type     *value.Type
	Decl     *syntax.TypedVar // its first declaration
	In       syntax.Expr      // what it is an element of; nil: of the trace
	InAt     *syntax.Binary   // the membership, when In is not nil
	Optional bool             // declared under an `or`
	Block    *Block
	Index    int // in Block.Vars
}

// A ParamObj is a predicate's parameter.
type ParamObj struct {
	Name  string
	Type  *value.Type
	Index int
	Pred  *Predicate
}

// A Binding is a `name := expr`, at the top level or in a block. The name
// stands for the expression.
type Binding struct {
	Name  string
	Value syntax.Expr
	Const bool // at the top level
}

// A Local is a target of a list comprehension.
type Local struct {
	Name string
	Comp *syntax.ListComp
}

// A Predicate is a named condition.
type Predicate struct {
	Name   string
	Node   *syntax.Predicate
	Params []*ParamObj
	Body   *Block
}

// A FuncObj is a function named as such.
type FuncObj struct{ Func *builtin.Func }

// A ModuleObj is an imported module.
type ModuleObj struct{ Path string }

// An InputObj is the name `input`.
type InputObj struct{}

func (*Var) object()       {}
func (*ParamObj) object()  {}
func (*Binding) object()   {}
func (*Local) object()     {}
func (*Predicate) object() {}
func (*FuncObj) object()   {}
func (*ModuleObj) object() {}
func (*InputObj) object()  {}

// A Call is a resolved call: exactly one of Func, Pred and Method is set.
type Call struct {
	Func   *builtin.Func
	Pred   *Predicate
	Method *builtin.Method // with Recv
	Recv   syntax.Expr

	// Args has one expression for each parameter of Func, Pred or Method; nil
	// takes the default. The arguments of a Rest parameter are in Rest.
	Args []syntax.Expr
	Rest []syntax.Expr

	// Raw says of a call of a detector that it looks at texts as they stand:
	// what it finds in a view of them could hide a violation.
	Raw bool
}

// A Member is a resolved `x.name`: a field of a known type (Field >= 0), a
// parameter of the policy (Input), or a look-up by key at run time (neither).
type Member struct {
	Field int
	Input *Input
}

// A Quant is a checked quantifier. Min and Max are -1 where not given;
// exists is Min 1.
type Quant struct {
	Kind     syntax.Quant
	Min, Max int
	Body     *Block
	Anchored bool // its value is settled once the outer variables are bound
}
