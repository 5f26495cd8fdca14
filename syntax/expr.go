// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "github.com/holdfast-dev/holdfast/diag"

// The levels of binary operators, from loose to tight. Unary operators and
// `**` bind tighter than all of them.
const (
	orLevel = 1 + iota
	andLevel
	notLevel
	compareLevel
	sumLevel
	productLevel
	unaryLevel
)

// levels gives the level of each binary operator.
var levels = map[Op]int{
	Or: orLevel, And: andLevel,
	Eq: compareLevel, Ne: compareLevel, Lt: compareLevel, Le: compareLevel, Gt: compareLevel, Ge: compareLevel,
	In: compareLevel, NotIn: compareLevel, Is: compareLevel, IsNot: compareLevel, ContainsOnly: compareLevel,
	Flow: compareLevel, DirectFlow: compareLevel,
	Add: sumLevel, Sub: sumLevel, Mul: productLevel, Div: productLevel, FloorDiv: productLevel, Mod: productLevel,
}

// expr parses an expression.
//
//	expr = or_expr [ "if" or_expr "else" expr ] .
func (p *parser) expr() Expr {
	if !p.enter(p.here()) {
		return p.badExpr()
	}
	defer p.leave()
	then := p.binary(orLevel)
	if p.tok.kind != tIf || p.ifIsRules() {
		return then
	}
	p.advance()
	cond := p.binary(orLevel)
	if !p.got(tElse) {
		p.unexpected(`"else"`)
		return p.bounded(&BadExpr{p.join(then.Span().Start, then, cond)})
	}
	other := p.expr()
	return p.bounded(&IfElse{extent: p.join(then.Span().Start, then, cond, other), Then: then, If: cond, Else: other})
}

// ifIsRules reports whether the next `if` ends the message of a rule rather
// than going on with a choice: no `else` follows on its line.
func (p *parser) ifIsRules() bool {
	if !p.verbLine || len(p.open) > 0 {
		return false
	}
	for i := p.i + 1; i < len(p.toks) && !p.toks[i].first; i++ {
		if p.toks[i].kind == tElse {
			return false
		}
		if next := p.matched(i); p.toks[i].kind.isOpen() && next > 0 {
			i = next - 1
		}
	}
	return true
}

// binary parses operators of a level and all tighter ones.
//
//	or_expr = and_expr { "or" and_expr } .
//	and_expr = not_expr { "and" not_expr } .
//	sum = product { ( "+" | "-" ) product } .
//	product = unary { ( "*" | "/" | "//" | "%" ) unary } .
func (p *parser) binary(level int) Expr {
	switch level {
	case notLevel:
		return p.not()
	case compareLevel:
		return p.comparison()
	case unaryLevel:
		return p.unary()
	}
	x := p.binary(level + 1)
	for {
		op := p.operator()
		if levels[op] != level {
			return x
		}
		at := p.consumeOp(op)
		y := p.binary(level + 1)
		x = p.bounded(&Binary{extent: p.join(x.Span().Start, x, y), Op: op, OpAt: at, X: x, Y: y})
	}
}

// operator tells which binary operator stands next; NoOp if none does.
func (p *parser) operator() Op {
	switch p.tok.kind {
	case tNot:
		if p.ahead(1) == tIn {
			return NotIn
		}
		return NoOp
	case tIs:
		if p.peek(1).kind == tNot {
			return IsNot
		}
	case tForeign:
		if op := foreigners[p.text(p.tok)].op; op != Not {
			return op
		}
		return NoOp
	}
	return binaryOps[p.tok.kind]
}

// consumeOp consumes the operator that stands next and returns its place. One
// of another language is reported and taken for what it means.
func (p *parser) consumeOp(op Op) diag.Span {
	start := int(p.tok.start)
	if p.tok.kind == tForeign {
		text := p.text(p.tok)
		p.soft(p.here(), codeForeign, foreigners[text].advice, "operator %q is not part of the language", text)
	}
	p.advance()
	if op == NotIn || op == IsNot {
		p.advance()
	}
	return p.span(start, p.prevEnd)
}

// not parses a negation.
//
//	not_expr = "not" not_expr | comparison .
func (p *parser) not() Expr {
	foreignNot := p.tok.kind == tForeign && foreigners[p.text(p.tok)].op == Not
	if p.tok.kind != tNot && !foreignNot {
		return p.comparison()
	}
	if !p.enter(p.here()) {
		return p.badExpr()
	}
	defer p.leave()
	at := p.consumeOp(Not)
	x := p.not()
	return p.bounded(&Unary{extent: p.join(at.Start, x), Op: Not, OpAt: at, X: x})
}

// comparison parses a comparison or a chain of flows.
//
//	comparison = sum [ compare_op sum ] | sum flow_op sum { flow_op sum } .
//	compare_op = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not" "in" | "is" [ "not" ] | "contains_only" .
//	flow_op = "->" | "~>" .
func (p *parser) comparison() Expr {
	x := p.binary(sumLevel)
	op := p.operator()
	switch {
	case levels[op] != compareLevel:
		return x
	case op == Flow || op == DirectFlow:
		return p.unchained(p.flow(x), op)
	}
	at := p.consumeOp(op)
	y := p.binary(sumLevel)
	return p.unchained(&Binary{extent: p.join(x.Span().Start, x, y), Op: op, OpAt: at, X: x, Y: y}, op)
}

// flow parses the rest of a chain of flows.
func (p *parser) flow(x Expr) Expr {
	c := &FlowChain{Xs: []Expr{x}}
	for op := p.operator(); op == Flow || op == DirectFlow; op = p.operator() {
		c.Ops = append(c.Ops, op)
		c.OpAt = append(c.OpAt, p.consumeOp(op))
		c.Xs = append(c.Xs, p.binary(sumLevel))
	}
	c.extent = p.join(x.Span().Start, c.Xs...)
	return c
}

// unchained reports a comparison that goes on after x, whose operator was op1,
// and takes it in.
func (p *parser) unchained(x Expr, op1 Op) Expr {
	x = p.bounded(x)
	reported := false
	for op := p.operator(); levels[op] == compareLevel; op = p.operator() {
		at := p.consumeOp(op)
		y := p.binary(sumLevel)
		if !reported {
			p.chained(x, op1, op, at, y)
			reported = true
		}
		x = p.bounded(&Binary{extent: p.join(x.Span().Start, x, y), Op: op, OpAt: at, X: x, Y: y})
	}
	return x
}

// chained reports that x, which is itself a comparison, is compared with y.
func (p *parser) chained(x Expr, op1, op2 Op, at diag.Span, y Expr) {
	help := "write the flow and the comparison on two lines"
	if b, ok := x.(*Binary); ok && op2 != Flow && op2 != DirectFlow {
		help = rewriteChain(b.X, op1, b.Y, op2, y)
	}
	p.soft(at, codeChain, help, "comparisons do not chain")
}

// unary parses a sign.
//
//	unary = ( "-" | "+" ) unary | power .
func (p *parser) unary() Expr {
	var op Op
	switch p.tok.kind {
	case tMinus:
		op = Neg
	case tPlus:
		op = Pos
	default:
		return p.power()
	}
	if !p.enter(p.here()) {
		return p.badExpr()
	}
	defer p.leave()
	at := p.consumeOp(op)
	x := p.unary()
	return p.bounded(&Unary{extent: p.join(at.Start, x), Op: op, OpAt: at, X: x})
}

// power parses a power, whose exponent may have a sign.
//
//	power = postfix [ "**" unary ] .
func (p *parser) power() Expr {
	x := p.postfix()
	if p.tok.kind != tStarStar {
		return x
	}
	if !p.enter(p.here()) {
		return x
	}
	defer p.leave()
	at := p.consumeOp(Pow)
	y := p.unary()
	return p.bounded(&Binary{extent: p.join(x.Span().Start, x, y), Op: Pow, OpAt: at, X: x, Y: y})
}

// postfix parses calls, members and elements.
//
//	postfix = atom { "." WORD | arguments | "[" index "]" } .
func (p *parser) postfix() Expr {
	x := p.atom()
	for {
		switch p.tok.kind {
		case tDot:
			x = p.member(x)
		case tLParen:
			if _, ok := x.(*TypedVar); ok {
				p.unexpected(lineEnd)
				return x
			}
			args := p.args()
			x = p.bounded(&Call{extent: p.join(x.Span().Start, append(argValues(args), x)...), Fun: x, Args: args})
		case tLBrack:
			x = p.index(x)
		default:
			return x
		}
	}
}

// member parses a member. Every word may name one.
func (p *parser) member(x Expr) Expr {
	p.advance()
	if !p.tok.kind.isWord() {
		p.unexpected("a name")
		return p.bounded(&BadExpr{p.join(x.Span().Start, x)})
	}
	name := p.ident()
	return p.bounded(&Member{extent: p.join(x.Span().Start, x), X: x, Name: name})
}

// args parses the arguments of a call.
//
//	arguments = "(" [ argument { "," argument } [ "," ] ] ")" .
func (p *parser) args() []*Arg {
	p.openBracket()
	var args []*Arg
	named := false
	for p.tok.kind != tRParen && p.tok.kind != tEOF {
		a := p.arg()
		if a.Name == nil && named {
			p.soft(a.span, codeExpected, "", "positional argument after a named one")
		}
		named = named || a.Name != nil
		args = append(args, a)
		if !p.got(tComma) {
			break
		}
	}
	p.closeBracket(`","`)
	return args
}

// arg parses one argument.
//
//	argument = [ WORD "=" ] expr .
func (p *parser) arg() *Arg {
	a := &Arg{}
	start := int(p.tok.start)
	if p.tok.kind.isWord() && p.peek(1).kind == tForeign && p.text(p.peek(1)) == "=" {
		a.Name = p.ident()
		p.advance()
	}
	a.Value = p.expr()
	if p.tok.kind == tFor {
		p.soft(p.here(), codeExpected, "write brackets around it: [… for … in …]", "comprehension without brackets")
		a.Value = p.comprehension(a.Value.Span().Start, a.Value)
	}
	if a.Name == nil {
		start = a.Value.Span().Start
	}
	a.extent = extent{span: p.span(start, max(a.Value.Span().End, start))}
	return a
}

// argValues returns the values of arguments.
func argValues(args []*Arg) []Expr {
	var xs []Expr
	for _, a := range args {
		xs = append(xs, a.Value)
	}
	return xs
}

// index parses an element or a slice.
//
//	index = expr | [ expr ] ":" [ expr ] .
func (p *parser) index(x Expr) Expr {
	p.openBracket()
	var lo, hi Expr
	if p.tok.kind != tColon {
		lo = p.expr()
	}
	sliced := p.got(tColon)
	if sliced && p.tok.kind != tRBrack {
		hi = p.expr()
	}
	if p.tok.kind == tColon && sliced {
		p.fail(p.here(), codeExpected, "a slice has two bounds: x[i:j]", "slices have no step")
	}
	p.closeBracket("")
	ext := p.join(x.Span().Start, x, lo, hi)
	if sliced {
		return p.bounded(&Slice{extent: ext, X: x, Lo: lo, Hi: hi})
	}
	return p.bounded(&Index{extent: ext, X: x, I: lo})
}
