// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"math/big"

	"github.com/holdfast-dev/holdfast/diag"
)

// A Node is a piece of the tree. Nodes are never changed after the parser
// made them; later phases keep tables beside the tree.
type Node interface {
	Span() diag.Span
}

// extent is embedded by every node.
type extent struct {
	span   diag.Span
	height int32 // of an expression: nodes down to its deepest part
}

// Span returns the node's place in its file.
func (e *extent) Span() diag.Span { return e.span }

// tall returns the height of an expression.
func (e *extent) tall() int32 { return e.height }

// A File is a parsed policy file.
type File struct {
	Source   *diag.File
	Stmts    []Stmt
	Comments []*Comment // all of them, in order
}

// A Comment is a `#` comment; Text is without the `#` and the line end.
type Comment struct {
	extent
	Text string
	Own  bool // stands on a line of its own
}

// A Stmt is a statement of a file: *Import, *RuleImport, *FromImport, *Input,
// *Const, *Predicate, *Rule or *BadStmt.
//
//sumtype:decl
type Stmt interface {
	Node
	stmt()
}

// An Import is `import m` or `import m as n`; As is nil when no alias is given.
type Import struct {
	extent
	Module string // "invariant.detectors"
	At     diag.Span
	As     *Ident
}

// A RuleImport is `import "path"`, `import "path"(a=x)` or `import name(a=x)`,
// each with or without `as n`: it brings the rules of a policy, with values for
// its parameters.
type RuleImport struct {
	extent
	Path string // "holdfast.policies.exfiltration", "exfiltration", "./lib/mail.gr"
	At   diag.Span
	Args []*Arg
	As   *Ident // nil when no alias is given
}

// An Input is `input name: type` or `input name: type = default`, which
// declares a parameter of the policy.
type Input struct {
	extent
	Name    *Ident
	Type    *Ident
	Elem    *Ident     // of `list[str]`; nil without
	Default Expr       // nil: whoever uses the policy has to give a value
	Doc     []*Comment // the comment block directly above
}

// A FromImport is `from m import a, b as c` or `from ./lib import p`.
type FromImport struct {
	extent
	Module string // "invariant.detectors", or "./lib" as written
	Local  bool   // names a file beside this one
	At     diag.Span
	Names  []*ImportName
}

// An ImportName is one name of a FromImport; As equals Name when no alias is
// given.
type ImportName struct {
	extent
	Name, As *Ident
}

// A Const is `NAME := expr` at the top level.
type Const struct {
	extent
	Name  *Ident
	Value Expr
}

// A Predicate is `name(a: T, b) := expr`, or with a block of conditions.
// The expression form has a Body of one *ExprCond.
type Predicate struct {
	extent
	Name   *Ident
	Params []*Param
	Body   []Cond
}

// A Param is a predicate's parameter; Type is nil when it has none.
type Param struct {
	extent
	Name *Ident
	Type *Ident
}

// Verb is what a rule does when it is violated.
type Verb uint8

// The verbs.
const (
	Raise Verb = iota // denies
	Ask               // needs a person's approval
	Warn              // reports
)

// A Rule is `raise EXPR if:` and its conditions.
type Rule struct {
	extent
	Verb    Verb
	VerbAt  diag.Span
	Message Expr
	Body    []Cond
	Doc     []*Comment // the comment block directly above
}

// A BadStmt stands where no statement could be read.
type BadStmt struct{ extent }

func (*Import) stmt()     {}
func (*RuleImport) stmt() {}
func (*Input) stmt()      {}
func (*FromImport) stmt() {}
func (*Const) stmt()      {}
func (*Predicate) stmt()  {}
func (*Rule) stmt()       {}
func (*BadStmt) stmt()    {}

// A Cond is one condition of a block: *ExprCond, *BindCond or *QuantCond.
//
//sumtype:decl
type Cond interface {
	Node
	cond()
}

// An ExprCond is an expression that must hold. Typed variables, memberships
// and flows are expressions too.
type ExprCond struct {
	extent
	X Expr
}

// A BindCond is `name := expr` inside a block.
type BindCond struct {
	extent
	Name  *Ident
	Value Expr
}

// Quant is the kind of a quantifier.
type Quant uint8

// The quantifiers.
const (
	Count Quant = iota
	Forall
	Exists
)

// A QuantCond is `[not] count(min=2, max=4):`, `[not] forall:` or
// `[not] exists:` and its block.
type QuantCond struct {
	extent
	Not   bool
	Quant Quant
	Args  []*Arg // of count, as written
	Body  []Cond
}

func (*ExprCond) cond()  {}
func (*BindCond) cond()  {}
func (*QuantCond) cond() {}

// An Expr is an expression.
//
//sumtype:decl
type Expr interface {
	Node
	expr()
	tall() int32
}

// Ident is a name. Whether it is a variable, a function or a module is for
// the checker to say.
type Ident struct {
	extent
	Name string
}

// TypedVar is `(x: T)`. `(x: T) in e` is a Binary with Op In and a TypedVar
// on the left.
type TypedVar struct {
	extent
	Name *Ident
	Type *Ident
}

// IntLit is a whole number of any size.
type IntLit struct {
	extent
	Value *big.Int
}

// FloatLit is a decimal number.
type FloatLit struct {
	extent
	Value float64
	Text  string
}

// StringLit is a string literal after its escapes are read. Adjacent
// literals are one node. Raw is the source as written.
type StringLit struct {
	extent
	Value string
	Raw   string
}

// FString is an f-string: text and expressions in turn.
type FString struct {
	extent
	Parts []FPart
	Raw   string
}

// An FPart is either text (X nil) or an expression with the format spec
// after its colon.
type FPart struct {
	Text   string
	X      Expr
	Format string
}

// ConstLit is True, False or None (also written true, false, null).
type ConstLit struct {
	extent
	Kind ConstKind
}

// ConstKind says which constant a ConstLit is.
type ConstKind uint8

// The constants.
const (
	NoneConst ConstKind = iota
	TrueConst
	FalseConst
)

// ListLit is `[a, b]`.
type ListLit struct {
	extent
	Items []Expr
}

// TupleLit is `(a, b)`, `(a,)` or `()`.
type TupleLit struct {
	extent
	Items []Expr
}

// DictLit is `{k: v, bare: w}`. A bare-word key is a StringLit with Raw "".
type DictLit struct {
	extent
	Keys   []Expr
	Values []Expr
}

// ListComp is `[elt for x in e if c if d]`; Targets has more than one name
// for `for k, v in e`.
type ListComp struct {
	extent
	Elt     Expr
	Targets []*Ident
	In      Expr
	Ifs     []Expr
}

// Paren is a parenthesised expression; it means its X.
type Paren struct {
	extent
	X Expr
}

// Op is an operator.
type Op uint8

// The operators.
const (
	NoOp Op = iota
	Or
	And
	Not
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	In
	NotIn
	Is
	IsNot
	ContainsOnly
	Add
	Sub
	Mul
	Div
	FloorDiv
	Mod
	Pow
	Neg
	Pos
	Flow       // ->
	DirectFlow // ~>
)

// Unary is `not x`, `-x` or `+x` (Op Not, Neg, Pos).
type Unary struct {
	extent
	Op   Op
	OpAt diag.Span
	X    Expr
}

// Binary is every operator of two operands except the flows.
type Binary struct {
	extent
	Op   Op
	OpAt diag.Span
	X, Y Expr
}

// FlowChain is `a -> b ~> c`: len(Ops) = len(Xs)-1. It holds when every
// neighbouring pair does.
type FlowChain struct {
	extent
	Xs   []Expr
	Ops  []Op // Flow or DirectFlow
	OpAt []diag.Span
}

// IfElse is `a if c else b`.
type IfElse struct {
	extent
	Then, If, Else Expr
}

// Call is `f(a, k=b)`.
type Call struct {
	extent
	Fun  Expr
	Args []*Arg
}

// Arg is an argument; Name is nil for a positional one.
type Arg struct {
	extent
	Name  *Ident
	Value Expr
}

// Member is `x.name`.
type Member struct {
	extent
	X    Expr
	Name *Ident
}

// Index is `x[i]`.
type Index struct {
	extent
	X, I Expr
}

// Slice is `x[i:j]`; Lo and Hi may be nil.
type Slice struct {
	extent
	X, Lo, Hi Expr
}

// ToolPattern is `tool:name`, `tool:"any name"`, with an optional argument
// pattern (nil when there is none; a DictLit in which Wildcard and ValueClass
// may stand).
type ToolPattern struct {
	extent
	Name   string
	NameAt diag.Span
	Args   *DictLit
}

// Wildcard is `*` inside an argument pattern.
type Wildcard struct{ extent }

// ValueClass is `<EMAIL_ADDRESS>` inside an argument pattern.
type ValueClass struct {
	extent
	Name string
}

// BadExpr stands where no expression could be read.
type BadExpr struct{ extent }

func (*Ident) expr()       {}
func (*TypedVar) expr()    {}
func (*IntLit) expr()      {}
func (*FloatLit) expr()    {}
func (*StringLit) expr()   {}
func (*FString) expr()     {}
func (*ConstLit) expr()    {}
func (*ListLit) expr()     {}
func (*TupleLit) expr()    {}
func (*DictLit) expr()     {}
func (*ListComp) expr()    {}
func (*Paren) expr()       {}
func (*Unary) expr()       {}
func (*Binary) expr()      {}
func (*FlowChain) expr()   {}
func (*IfElse) expr()      {}
func (*Call) expr()        {}
func (*Member) expr()      {}
func (*Index) expr()       {}
func (*Slice) expr()       {}
func (*ToolPattern) expr() {}
func (*Wildcard) expr()    {}
func (*ValueClass) expr()  {}
func (*BadExpr) expr()     {}
