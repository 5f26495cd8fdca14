// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

// A Node is a piece of the tree. All pieces have one shape, so that a walk
// needs no cases; Kind says what the children are. Children lie inside their
// parent and do not overlap, in the order of the text (a decorated definition
// begins at its first decorator).
type Node struct {
	Kind  Kind
	Op    Op
	Flags Flags
	depth uint16
	// Start and End are offsets in bytes.
	Start, End int
	// Name is the name the node is about; of a string its value.
	Name string
	Kids []*Node
}

// Flags say what is special about a node.
type Flags uint8

// The flags.
const (
	Paren    Flags = 1 << iota // stands in parentheses of its own
	Bytes                      // a string of bytes
	Async                      // a statement or comprehension after async
	Old                        // Python 2 alone reads it so
	Unnested                   // the tree was too deep here: the operands lie beside the statement
)

// A Kind says what a node is.
type Kind uint8

// Statements.
const (
	Bad         Kind = iota // what could not be read, around the pieces that could
	Module                  // statements
	Block                   // statements; Name "else", "finally" where it is one
	ExprStmt                // expression
	Assign                  // targets…, value
	AugAssign               // target, value; Name is the operator
	AnnAssign               // target, annotation, [value]
	Return                  // [value]
	Delete                  // targets…
	Raise                   // [exception, [cause]]
	Assert                  // test, [message]
	Global                  // Bounds
	Nonlocal                // Bounds
	Simple                  // pass, break, continue: in Name
	Import                  // Aliases
	ImportFrom              // Aliases; Name is the module with its leading dots
	Alias                   // [Bound]; Name is the dotted path
	If                      // (test, Block)…, [Block]
	While                   // test, Block, [Block]
	For                     // target, iterable, Block, [Block]
	Try                     // Block, Handlers…, Blocks…
	Handler                 // [type, [Bound]], Block
	Clause                  // [test], Block: an elif, else or finally whose statement was cut off
	With                    // WithItems…, Block
	WithItem                // expression, [target]
	FunctionDef             // Decorators…, [TypeParams], Params, [Returns], Block
	ClassDef                // Decorators…, [TypeParams], arguments…, Block
	Decorator               // expression
	Returns                 // annotation
	Match                   // subject, Cases…
	Case                    // Pattern, [guard], Block
	TypeAlias               // Name, [TypeParams], value
	TypeParams              // TypeParams' Params…
	Print                   // values…: the statement of Python 2
	Exec                    // values…: the statement of Python 2
	Magic                   // a line of IPython: in Name

	// Expressions.

	Missing     // an operand that is not there; empty
	Name        // Name
	Bound       // a name that is bound, and refers to nothing: Name
	Number      // Name
	String      // Name is the value
	FString     // Strings and Fields
	Field       // expression, [Spec]; Name is the conversion
	Spec        // Strings and Fields
	Constant    // True, False, None, …: in Name
	Attribute   // of; Name
	Call        // function, arguments…
	Keyword     // value; Name
	Star        // value
	DoubleStar  // value
	Subscript   // of, index
	Slice       // from, to, [step]; Missing where it is
	BinOp       // operands… with Op between them, from the left (** has two, from the right)
	UnaryOp     // operand
	BoolOp      // operands…
	Compare     // operands…; Name lists the operators
	IfExp       // value, test, other
	Lambda      // Params, body
	Tuple       // elements…
	List        // elements…
	Set         // elements…
	Dict        // Pairs and DoubleStars
	Pair        // key, value
	Listcomp    // element, Comprehensions…
	Setcomp     // element, Comprehensions…
	Dictcomp    // Pair, Comprehensions…
	Generator   // element, Comprehensions…
	Comprehend  // target, iterable, tests…
	Await       // value
	Yield       // [value]
	YieldFrom   // value
	NamedExpr   // Name, value
	Backquote   // value: repr of Python 2
	Params      // Params of a function
	Param       // [annotation], [default]; Name with its stars, "/" and "*" alone
	Pattern     // patterns and what they name
	lastOfKinds // how many there are
)

// An Op is an operator.
type Op uint8

// Operators, in the order of their binding.
const (
	NoOp Op = iota
	Or
	And
	Not
	BitOr
	BitXor
	BitAnd
	Shl
	Shr
	Add
	Sub
	Mult
	Div
	FloorDiv
	Mod
	MatMult
	Neg
	Pos
	Invert
	Pow
)

var opNames = [...]string{"", "or", "and", "not ", "|", "^", "&", "<<", ">>", "+", "-", "*", "/", "//", "%", "@", "-", "+", "~", "**"}

// String returns the operator as Python writes it.
func (o Op) String() string { return opNames[o] }

// Walk calls f for the node and all below it, parents first; it does not go
// below a node for which f is false.
func (n *Node) Walk(f func(*Node) bool) {
	if !f(n) {
		return
	}
	for _, kid := range n.Kids {
		kid.Walk(f)
	}
}

// Dotted returns a.b.c for names and attributes of names; "" for the rest.
func (n *Node) Dotted() string {
	switch {
	case n.Kind == Name:
		return n.Name
	case n.Kind == Attribute:
		if of := n.Kids[0].Dotted(); of != "" {
			return of + "." + n.Name
		}
	}
	return ""
}

// Callee returns the dotted name that a call is of; "" if it is of something
// else, or no call.
func (n *Node) Callee() string {
	if n.Kind != Call {
		return ""
	}
	return n.Kids[0].Dotted()
}

// Args returns the arguments of a call that are given by place, with Stars.
func (n *Node) Args() []*Node {
	if n.Kind != Call {
		return nil
	}
	var out []*Node
	for _, a := range n.Kids[1:] {
		if a.Kind != Keyword && a.Kind != DoubleStar {
			out = append(out, a)
		}
	}
	return out
}

// Keyword returns the argument of a call with that name; nil if there is none.
func (n *Node) Keyword(name string) *Node {
	if n.Kind != Call {
		return nil
	}
	for _, a := range n.Kids[1:] {
		if a.Kind == Keyword && a.Name == name {
			return a.Kids[0]
		}
	}
	return nil
}

// Body returns the first block of a statement; nil if it has none.
func (n *Node) Body() *Node {
	for _, kid := range n.Kids {
		if kid.Kind == Block {
			return kid
		}
	}
	return nil
}
