// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package compile turns a checked policy into plans.
//
// Each block of conditions (a rule's body, a quantifier's) becomes a Block:
// its variables that range over the trace are the bases of groups, together
// with the variables that are drawn from them alone. A condition that reads
// one group only is a guard of it: it is looked at once, when an element
// arrives, and an element that fails it is never seen again. What reads
// several groups joins them. A flow between two bases becomes an edge, which
// the evaluation answers from the order of the trace without looking at the
// condition again; an equality or a containment becomes an index.
//
// Conditions are closures over an Env. They are total: each gives a value,
// an Unknown one where the language has none, so that the order in which they
// are evaluated never changes a result.
package compile

import (
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A Program is a policy ready to be evaluated. It is immutable.
type Program struct {
	Check    *check.Program
	Rules    []*Rule
	Blocks   []*Block // all of them, by Block.ID
	Depth    int      // of the deepest block; rules have depth 0
	Slots    int      // an Env needs this many
	Literals *Literals

	subs map[*Block]*Sub
}

// Subs returns the quantifier over each block that is not a rule's.
func (p *Program) Subs() map[*Block]*Sub { return p.subs }

// A Rule is the plan of one rule.
type Rule struct {
	Check     *check.Rule
	Block     *Block
	Args      []Code
	Kwargs    []Kwarg
	Plan      Plan
	Threshold *Threshold // for Crossing

	all []*Block // its own and those inside it
}

// Blocks returns the ids of the rule's block and of all blocks inside it.
func (r *Rule) Blocks() []int {
	ids := make([]int, len(r.all))
	for i, b := range r.all {
		ids[i] = b.ID
	}
	return ids
}

// A Kwarg is a keyword argument of a raise expression.
type Kwarg struct {
	Name string
	Code Code
}

// Plan says how a rule is kept up to date.
type Plan uint8

// The plans, from the cheapest on.
const (
	// Counted keeps, for each set of variables that can be bound before the
	// others, the number of ways to bind it. A new element costs what it
	// touches and the number of matches is exact without listing any.
	Counted Plan = iota
	// Joined lists the new matches through indexes.
	Joined
	// Crossing watches one element until enough later ones have come.
	Crossing
	// Waiting keeps every assignment that only an unsettled quantifier holds
	// back and asks again when the trace grows.
	Waiting
	// Whole evaluates all of it at each step: matches may go away again.
	Whole
)

// String returns the plan's name as explain prints it.
func (p Plan) String() string {
	return [...]string{"counted", "joined", "crossing", "waiting", "whole"}[p]
}

// A Block is a conjunction over variables.
type Block struct {
	ID    int
	Depth int
	Outer *Block
	Check *check.Block

	Vars    []Var
	Groups  []*Group
	Runtime []int   // variables that no group holds, by index in Vars
	Conds   []*Cond // all of them, in source order
	Global  []*Cond // those that read no variable of the block
	Joins   []*Cond // those that no group's guards answer, edges included
	Edges   []Edge
	Eqs     []*Eq
	Ins     []*Contain

	// Leaf are the conditions that can be looked at only when all is bound:
	// those whose value stays, and those that later events may change.
	Leaf, Settled, Open []*Cond

	Starts []*Order // the order of joining when group i has a new element
	Best   *Order   // the order of joining when only what is outside is bound
	Lex    *Order   // groups in the order of their variables

	// Contiguous: the groups' variables stand together in Vars, so that
	// going through the groups in order is going through the assignments in
	// order.
	Contiguous bool
	Partition  []Code // one key for each group, when equal keys are all that joins beside flows
}

// A Var is a variable of a block.
type Var struct {
	Check *check.Var
	Slot  int
	Group int  // index in Groups, or -1
	Draw  Code // what it is drawn from; nil for the trace

	// Needs are the slots of optional variables without whose elements there
	// is nothing to draw from.
	Needs []int
}

// A Group is a base variable and what is drawn from it.
type Group struct {
	Index  int
	Base   int   // index in Block.Vars
	Drawn  []int // the others, in order
	Type   *value.Type
	Tools  []string // names of the only tools that can pass, nil: any
	Guards []*Cond  // over the base alone, cheapest first
	Named  []*Cond  // those that are left when the element came as one of Tools
	Later  []*Cond  // guards that read drawn variables too
	Keys   []*Key   // values kept for indexes
}

// A Key is a value of a group that an index is kept on.
type Key struct {
	Group int
	Index int // in Group.Keys
	Code  Code
	Text  bool // for containment: the texts of the value
	Hay   bool // the texts are searched, else they are searched for

	src syntax.Expr
}

// A Cond is one condition.
type Cond struct {
	Src     syntax.Node
	Code    Code
	Cost    int
	Groups  uint64 // the groups that it reads, a bit each
	Runtime bool   // reads a variable of no group
	Outer   bool   // reads variables of enclosing blocks
	Settled bool   // later events do not change it
	Trace   bool   // holds a quantifier over the trace
	Edge    bool   // answered by Edges
	Sub     *Sub   // the condition is this quantifier, not negated

	drawn bool  // reads a variable that is drawn from its group\'s base
	named tools // the only tools it can hold for

	declares bool // says no more than that a variable has an element
}

// An Edge is a flow between two base variables: key(From) < key(To), or <=
// when Loose. Direct: To is the very next slot. From or To is -1 when that
// end is a variable of an enclosing block, in slot Outer. Code asks of the two
// elements themselves.
type Edge struct {
	From, To int
	Outer    int
	Loose    bool
	Direct   bool
	Code     Code

	fixed bool // what stands in Outer is an element of the trace
}

// An Eq is `x == y` between two groups, or a group and what encloses the
// block (B nil).
type Eq struct {
	A, B  *Key
	Probe Code // the other side when B is nil
	Cond  *Cond
}

// A Contain is `x in y` between two groups, both texts as a rule.
type Contain struct {
	Needle, Hay *Key
	Cond        *Cond
}

// A Sub is a nested block under a quantifier.
type Sub struct {
	Src      syntax.Node
	Kind     syntax.Quant
	Min, Max int // -1 where there is none
	Block    *Block
	Settled  bool

	uses []int // slots of the variables around it that it mentions
}

// Vague returns an Unknown value if the quantifier mentions a variable whose
// element is not known, else nil: how often a body holds for an element that
// is not known may be any number, also of elements that are still to come.
func (s *Sub) Vague(e *Env) *value.Value {
	var u unknowns
	for _, i := range s.uses {
		if x := e.Slots[i]; x != nil && x.Kind() == value.Unknown {
			u.add(x)
		}
	}
	return u.or(nil)
}

// Witnessed reports whether a true quantifier is shown by assignments.
func (s *Sub) Witnessed() bool { return s.Kind != syntax.Forall && s.Min >= 0 }

// A Threshold is a rule of one variable a that holds once K elements b after
// a have come.
type Threshold struct {
	Sub   *Sub
	K     int
	Eq    *Eq  // equal keys too, or nil
	Outer Code // a's side of Eq
}
