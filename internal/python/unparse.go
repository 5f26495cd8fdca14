// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// How strongly expressions bind, above and below the operators of Op.
const (
	bindTuple = iota
	bindYield
	bindTest
	bindOr
	bindAnd
	bindNot
	bindCompare
	bindOperator // BitOr and those that follow
)

const (
	bindUnary = bindOperator + 7
	bindPower = bindUnary + 1
	bindAwait = bindPower + 1
	bindAtom  = bindAwait + 1
)

// Unparse writes an expression as CPython's ast.unparse does: the same for all
// ways to write it. F-strings and what could not be read stay as they are.
func (f *File) Unparse(n *Node) string {
	u := &unparser{file: f}
	u.expr(n, bindTest)
	return u.out.String()
}

type unparser struct {
	file *File
	out  strings.Builder
}

func (u *unparser) write(parts ...string) {
	for _, s := range parts {
		u.out.WriteString(s)
	}
}

// infixLevel returns how strongly an operator binds.
func infixLevel(op Op) int {
	switch op {
	case BitOr, BitXor, BitAnd:
		return bindOperator + int(op-BitOr)
	case Shl, Shr:
		return bindOperator + 3
	case Add, Sub:
		return bindOperator + 4
	case Pow:
		return bindPower
	}
	return bindOperator + 5
}

// level returns how strongly an expression binds.
func level(n *Node) int {
	switch n.Kind {
	case Yield, YieldFrom:
		return bindYield
	case Lambda, IfExp:
		return bindTest
	case NamedExpr:
		return bindTuple
	case BoolOp:
		if n.Op == Or {
			return bindOr
		}
		return bindAnd
	case Compare:
		return bindCompare
	case UnaryOp:
		if n.Op == Not {
			return bindNot
		}
		return bindUnary
	case BinOp:
		return infixLevel(n.Op)
	case Await:
		return bindAwait
	}
	return bindAtom
}

// expr writes an expression, in parentheses if it binds weaker than at.
func (u *unparser) expr(n *Node, at int) {
	if level(n) < at {
		u.write("(")
		u.bare(n)
		u.write(")")
		return
	}
	u.bare(n)
}

func (u *unparser) list(open string, nodes []*Node, closing string) {
	u.write(open)
	for i, n := range nodes {
		if i > 0 {
			u.write(", ")
		}
		u.expr(n, bindTest)
	}
	u.write(closing)
}

func (u *unparser) bare(n *Node) {
	switch n.Kind {
	case Name, Constant:
		u.write(n.Name)
	case Number:
		u.write(number(n.Name))
	case String:
		u.write(repr(n.Name, n.Flags&Bytes != 0))
	case Attribute:
		u.expr(n.Kids[0], bindAtom)
		if whole(n.Kids[0]) {
			u.write(" ")
		}
		u.write(".", n.Name)
	case Call:
		u.call(n)
	case Keyword:
		u.write(n.Name, "=")
		u.expr(n.Kids[0], bindTest)
	case Star:
		u.write("*")
		u.expr(n.Kids[0], bindOperator)
	case DoubleStar:
		u.write("**")
		u.expr(n.Kids[0], bindOperator)
	case Subscript:
		u.expr(n.Kids[0], bindAtom)
		u.write("[")
		u.subscript(n.Kids[1])
		u.write("]")
	case Slice:
		u.slice(n)
	case Tuple:
		if len(n.Kids) == 1 {
			u.list("(", n.Kids, ",)")
			return
		}
		u.list("(", n.Kids, ")")
	case List:
		u.list("[", n.Kids, "]")
	case Set, Dict:
		u.list("{", n.Kids, "}")
	case Pair:
		u.expr(n.Kids[0], bindTest)
		u.write(": ")
		u.expr(n.Kids[len(n.Kids)-1], bindTest)
	case BinOp, UnaryOp, BoolOp, Compare:
		u.operation(n)
	default:
		u.rare(n)
	}
}

func (u *unparser) rare(n *Node) {
	switch n.Kind {
	case IfExp:
		u.expr(n.Kids[0], bindOr)
		u.write(" if ")
		u.expr(n.Kids[1], bindOr)
		if len(n.Kids) > 2 {
			u.write(" else ")
			u.expr(n.Kids[2], bindTest)
		}
	case Lambda:
		u.write("lambda")
		for i, param := range n.Kids[0].Kids {
			u.write([]string{" ", ", "}[min(i, 1)], param.Name)
			for _, value := range param.Kids {
				u.write("=")
				u.expr(value, bindTest)
			}
		}
		u.write(": ")
		u.expr(n.Kids[1], bindTest)
	case NamedExpr:
		u.expr(n.Kids[0], bindAtom)
		u.write(" := ")
		u.expr(n.Kids[1], bindAtom)
	case Await:
		u.write("await ")
		u.expr(n.Kids[0], bindAtom)
	case Yield, YieldFrom:
		u.write("yield")
		if n.Kind == YieldFrom {
			u.write(" from")
		}
		for _, kid := range n.Kids {
			u.write(" ")
			u.expr(kid, bindAtom)
		}
	case Listcomp:
		u.comprehension("[", n, "]")
	case Setcomp, Dictcomp:
		u.comprehension("{", n, "}")
	case Generator:
		u.comprehension("(", n, ")")
	default:
		u.write(u.file.Segment(n))
	}
}

// call writes arguments by place before those by name, as the tree of CPython
// has them.
func (u *unparser) call(n *Node) {
	u.expr(n.Kids[0], bindAtom)
	args := n.Args()
	for _, a := range n.Kids[1:] {
		if a.Kind == Keyword || a.Kind == DoubleStar {
			args = append(args, a)
		}
	}
	u.list("(", args, ")")
}

func (u *unparser) subscript(n *Node) {
	if n.Kind != Tuple || len(n.Kids) == 0 {
		u.expr(n, bindTest)
		return
	}
	closing := ""
	if len(n.Kids) == 1 {
		closing = ","
	}
	u.list("", n.Kids, closing)
}

func (u *unparser) slice(n *Node) {
	for i, kid := range n.Kids {
		if i > 0 && (i == 1 || kid.Kind != Missing) {
			u.write(":")
		}
		if kid.Kind != Missing {
			u.expr(kid, bindTest)
		}
	}
}

func (u *unparser) comprehension(open string, n *Node, closing string) {
	u.write(open)
	u.expr(n.Kids[0], bindTest)
	for _, c := range n.Kids[1:] {
		if c.Flags&Async != 0 {
			u.write(" async")
		}
		u.write(" for ")
		u.expr(c.Kids[0], bindTuple)
		for i, kid := range c.Kids[1:] {
			u.write([]string{" in ", " if "}[min(i, 1)])
			u.expr(kid, bindOr)
		}
	}
	u.write(closing)
}

func (u *unparser) operation(n *Node) {
	at := level(n)
	if n.Kind == UnaryOp {
		u.write(n.Op.String())
		u.expr(n.Kids[0], at)
		return
	}
	left, right := at, at+1
	ops := []string{n.Op.String()}
	switch {
	case n.Kind == Compare:
		ops, left = strings.Split(n.Name, ","), at+1
	case n.Kind == BoolOp:
		left = at + 1
	case n.Op == Pow:
		left, right = at+1, at-1
	}
	u.expr(n.Kids[0], left)
	for i, kid := range n.Kids[1:] {
		u.write(" ", ops[min(i, len(ops)-1)], " ")
		u.expr(kid, right)
	}
}

// whole reports whether an expression is a whole number: True is one.
func whole(n *Node) bool {
	switch n.Kind {
	case Number:
		_, ok := new(big.Int).SetString(n.Name, 0)
		return ok
	case Constant:
		return n.Name == "True" || n.Name == "False"
	}
	return false
}

// number writes a number as Python shows it.
func number(s string) string {
	if strings.ContainsAny(s, "jJ") || len(s) > 100 {
		return s
	}
	if v, ok := new(big.Int).SetString(s, 0); ok {
		return v.String()
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	if size := math.Abs(v); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	out := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(out, ".") {
		out += ".0"
	}
	return out
}

// repr writes a string as Python's repr does.
func repr(s string, bytes bool) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	var out strings.Builder
	if bytes {
		out.WriteByte('b')
	}
	out.WriteByte(quote)
	if bytes {
		for i := range len(s) {
			writeRune(&out, rune(s[i]), quote, true)
		}
	} else {
		for _, r := range s {
			writeRune(&out, r, quote, false)
		}
	}
	out.WriteByte(quote)
	return out.String()
}

func writeRune(out *strings.Builder, r rune, quote byte, bytes bool) {
	const hex = "0123456789abcdef"
	digits := func(lead string, n int) {
		out.WriteString(lead)
		for n--; n >= 0; n-- {
			out.WriteByte(hex[r>>(4*n)&15])
		}
	}
	switch {
	case r == '\\' || r == rune(quote):
		out.WriteByte('\\')
		out.WriteRune(r)
	case r == '\n':
		out.WriteString(`\n`)
	case r == '\r':
		out.WriteString(`\r`)
	case r == '\t':
		out.WriteString(`\t`)
	case r >= ' ' && r < 0x7f, !bytes && unicode.IsPrint(r):
		out.WriteRune(r)
	case r < 0x100:
		digits(`\x`, 2)
	case r < 0x10000:
		digits(`\u`, 4)
	default:
		digits(`\U`, 8)
	}
}
