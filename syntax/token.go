// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "cmp"

// kind is the kind of a token.
type kind uint8

const (
	tEOF kind = iota
	tNewline
	tBad // what the scanner has reported already
	tName
	tPath // ./lib, only after `from` at a line's start
	tInt
	tFloat
	tString // any literal, with its prefix

	tLParen
	tRParen
	tLBrack
	tRBrack
	tLBrace
	tRBrace
	tComma
	tColon
	tDefine // :=
	tDot

	tEq
	tNe
	tLt
	tLe
	tGt
	tGe
	tPlus
	tMinus
	tStar
	tSlash
	tSlashSlash
	tPercent
	tStarStar
	tArrow      // ->
	tTildeArrow // ~>

	tForeign // an operator of other languages: = && || ! …

	tAnd
	tOr
	tNot
	tIn
	tIs
	tContainsOnly
	tIf
	tElse
	tFor
	tImport
	tFrom
	tRaise
	tTrue
	tFalse
	tNone
)

// words are the names with a meaning of their own. `ask`, `warn`, `as`, `tool`
// and the quantifiers are not among them: they are words in their place only.
var words = map[string]kind{
	"and": tAnd, "or": tOr, "not": tNot, "in": tIn, "is": tIs, "contains_only": tContainsOnly,
	"if": tIf, "else": tElse, "for": tFor, "import": tImport, "from": tFrom, "raise": tRaise,
	"True": tTrue, "true": tTrue, "False": tFalse, "false": tFalse, "None": tNone, "null": tNone,
}

// operator is a spelling and its kind.
type operator struct {
	text string
	kind kind
}

// operators lists the spellings, a longer one before its prefixes.
var operators = []operator{
	{"===", tForeign},
	{"!==", tForeign},
	{"==", tEq},
	{"!=", tNe},
	{"<>", tForeign},
	{"<=", tLe},
	{">=", tGe},
	{"->", tArrow},
	{"~>", tTildeArrow},
	{"=>", tForeign},
	{"=~", tForeign},
	{"**", tStarStar},
	{"//", tSlashSlash},
	{":=", tDefine},
	{"&&", tForeign},
	{"||", tForeign},
	{"<", tLt},
	{">", tGt},
	{"+", tPlus},
	{"-", tMinus},
	{"*", tStar},
	{"/", tSlash},
	{"%", tPercent},
	{"=", tForeign},
	{"!", tForeign},
	{"(", tLParen},
	{")", tRParen},
	{"[", tLBrack},
	{"]", tRBrack},
	{"{", tLBrace},
	{"}", tRBrace},
	{",", tComma},
	{":", tColon},
	{".", tDot},
	{"→", tForeign},
	{"≠", tForeign},
	{"≤", tForeign},
	{"≥", tForeign},
	{"∧", tForeign},
	{"∨", tForeign},
	{"¬", tForeign},
	{"∈", tForeign},
}

// foreign is what an operator of another language stands for here. NoOp: it
// stands for nothing, and the advice says what to do.
type foreign struct {
	op     Op
	advice string
}

var foreigners = map[string]foreign{
	"=":   {Eq, `write "==" to compare`},
	"===": {Eq, `write "=="`},
	"!==": {Ne, `write "!="`},
	"<>":  {Ne, `write "!="`},
	"=>":  {NoOp, `write ">=" to compare, "->" for a flow`},
	"=~":  {NoOp, `write match("pattern", text)`},
	"&&":  {And, `write "and"`},
	"||":  {Or, `write "or"`},
	"!":   {Not, `write "not"`},
	"→":   {Flow, `write "->"`},
	"≠":   {Ne, `write "!="`},
	"≤":   {Le, `write "<="`},
	"≥":   {Ge, `write ">="`},
	"∧":   {And, `write "and"`},
	"∨":   {Or, `write "or"`},
	"¬":   {Not, `write "not"`},
	"∈":   {In, `write "in"`},
}

// binaryOps gives the operator of a token between two operands. `not in` and
// `is not` are put together by the parser.
var binaryOps = map[kind]Op{
	tOr: Or, tAnd: And, tEq: Eq, tNe: Ne, tLt: Lt, tLe: Le, tGt: Gt, tGe: Ge, tIn: In, tIs: Is, tContainsOnly: ContainsOnly,
	tPlus: Add, tMinus: Sub, tStar: Mul, tSlash: Div, tSlashSlash: FloorDiv, tPercent: Mod, tStarStar: Pow,
	tArrow: Flow, tTildeArrow: DirectFlow,
}

// opTexts spells the operators.
var opTexts = [...]string{
	NoOp: "", Or: "or", And: "and", Not: "not", Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=",
	In: "in", NotIn: "not in", Is: "is", IsNot: "is not", ContainsOnly: "contains_only",
	Add: "+", Sub: "-", Mul: "*", Div: "/", FloorDiv: "//", Mod: "%", Pow: "**", Neg: "-", Pos: "+",
	Flow: "->", DirectFlow: "~>",
}

// String returns the operator as it is written.
func (op Op) String() string { return opTexts[op] }

// closer is the bracket that closes an opening one.
var closer = map[kind]kind{tLParen: tRParen, tLBrack: tRBrack, tLBrace: tRBrace}

// isOpen reports whether k opens a bracket.
func (k kind) isOpen() bool { return k == tLParen || k == tLBrack || k == tLBrace }

// isClose reports whether k closes a bracket.
func (k kind) isClose() bool { return k == tRParen || k == tRBrack || k == tRBrace }

// isWord reports whether k is spelled like a name.
func (k kind) isWord() bool { return k == tName || k >= tAnd }

// A token is a piece of source. Layout is not scanned into tokens: every
// token knows whether it is the first of its line and how deep that line is
// indented, and the parser decides what ends where.
type token struct {
	kind       kind
	first      bool // first of its physical line
	blank      bool // first, and below a blank line
	start, end int32
	match      int32 // of a bracket: index of its partner, -1 if there is none
	indent     indent
}

// An indent is the white space before a line's first token, measured as
// Python does: with tabs to the next multiple of eight, and with tabs as one.
// Two lines whose measures disagree mix tabs and spaces.
type indent struct{ wide, narrow int32 }

// add returns the indent after one more character of white space.
func (in indent) add(c byte) indent {
	switch c {
	case '\t':
		return indent{in.wide/8*8 + 8, in.narrow + 1}
	case '\f':
		return indent{}
	}
	return indent{in.wide + 1, in.narrow + 1}
}

// compare orders two indents. It is not consistent if the order depends on
// the width of a tab.
func (in indent) compare(other indent) (order int, consistent bool) {
	wide, narrow := cmp.Compare(in.wide, other.wide), cmp.Compare(in.narrow, other.narrow)
	return wide, wide == narrow
}

// deeper reports whether in is indented deeper than other.
func (in indent) deeper(other indent) bool { return in.wide > other.wide }
