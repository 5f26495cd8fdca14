// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

// anyExpressions reads whatever begins like an expression.
func (p *parser) anyExpressions() *Node {
	if p.at(kDoubleStar) {
		start := p.start()
		p.next()
		return p.node(DoubleStar, start, p.expression())
	}
	return p.yieldOrStars()
}

// yieldOrStars reads what may stand right of an assignment.
func (p *parser) yieldOrStars() *Node {
	if p.at(kYield) {
		return p.yield()
	}
	return p.starExpressions()
}

func (p *parser) yield() *Node {
	start := p.start()
	p.next()
	if p.accept(kFrom) {
		return p.node(YieldFrom, start, p.expression())
	}
	if startsExpression(p.kind()) && !p.at(kDoubleStar) && !p.at(kYield) {
		return p.node(Yield, start, p.starExpressions())
	}
	return p.node(Yield, start)
}

// starExpressions reads expressions and starred ones; several are a tuple.
func (p *parser) starExpressions() *Node { return p.several(false) }

// starNamed is the same where := may stand.
func (p *parser) starNamed() *Node { return p.several(true) }

func (p *parser) several(named bool) *Node {
	start := p.start()
	first := p.starOrExpression(named)
	if !p.at(kComma) {
		return first
	}
	kids := []*Node{first}
	for p.accept(kComma) && startsExpression(p.kind()) && !p.at(kDoubleStar) && !p.at(kYield) {
		kids = append(kids, p.starOrExpression(named))
	}
	return p.node(Tuple, start, kids...)
}

func (p *parser) starOrExpression(named bool) *Node {
	if p.at(kStar) {
		return p.star()
	}
	if named {
		return p.namedExpression()
	}
	return p.expression()
}

// star reads *x of a tuple, a list or a target.
func (p *parser) star() *Node {
	start := p.start()
	p.next()
	if p.at(kStar) { // a target's, once more: nothing takes it
		if p.enter() {
			p.unexpected()
			n := p.node(Star, start, p.star())
			p.leave()
			return n
		}
		p.leave()
	}
	return p.node(Star, start, p.binary(BitOr))
}

func (p *parser) namedExpression() *Node {
	if p.at(kName) && p.peek(1) == kWalrus {
		start := p.start()
		name := p.nameNode()
		p.next()
		return p.node(NamedExpr, start, name, p.expression())
	}
	n := p.expression()
	if p.at(kWalrus) {
		p.failf(n.Start, "cannot use assignment expressions with %s", describe(n))
		p.next()
		return p.node(NamedExpr, n.Start, n, p.expression())
	}
	return n
}

// expression reads one expression: all but a tuple, a star, a yield and :=.
func (p *parser) expression() *Node {
	if !p.enter() {
		p.leave()
		return p.missing()
	}
	defer p.leave()
	start := p.start()
	if p.at(kLambda) {
		return p.lambda(start)
	}
	n := p.or()
	if !p.at(kIf) {
		return n
	}
	p.next()
	test := p.or()
	if !p.accept(kElse) {
		p.failf(start, "expected 'else' after 'if' expression")
		return p.node(IfExp, start, n, test)
	}
	return p.node(IfExp, start, n, test, p.expression())
}

func (p *parser) lambda(start int) *Node {
	p.next()
	at := p.start()
	params := p.node(Params, at, p.params(kColon)...)
	if !p.expect(kColon, invalid) {
		return p.node(Lambda, start, params, p.missing())
	}
	return p.node(Lambda, start, params, p.expression())
}

func (p *parser) or() *Node {
	start, first := p.start(), p.and()
	if !p.at(kOr) {
		return first
	}
	kids := []*Node{first}
	for p.accept(kOr) {
		kids = append(kids, p.and())
	}
	return p.operation(BoolOp, Or, start, kids...)
}

func (p *parser) and() *Node {
	start, first := p.start(), p.not()
	if !p.at(kAnd) {
		return first
	}
	kids := []*Node{first}
	for p.accept(kAnd) {
		kids = append(kids, p.not())
	}
	return p.operation(BoolOp, And, start, kids...)
}

func (p *parser) operation(k Kind, op Op, start int, kids ...*Node) *Node {
	n := p.node(k, start, kids...)
	n.Op = op
	return n
}

func (p *parser) not() *Node {
	if !p.at(kNot) {
		return p.comparison()
	}
	if !p.enter() {
		p.leave()
		return p.missing()
	}
	defer p.leave()
	start := p.start()
	p.next()
	return p.operation(UnaryOp, Not, start, p.not())
}

func (p *parser) comparison() *Node {
	start, first := p.start(), p.binary(BitOr)
	op := p.comparator()
	if op == "" {
		return first
	}
	kids, names := []*Node{first}, op
	for {
		kids = append(kids, p.binary(BitOr))
		if op = p.comparator(); op == "" {
			return p.named(Compare, start, names, kids...)
		}
		if len(names) < 1024 { // a list of operators is for people
			names += "," + op
		}
	}
}

// comparator passes an operator of comparison.
func (p *parser) comparator() string {
	switch p.kind() {
	case kLess, kGreater, kEq, kNe, kLe, kGe, kIn:
		return p.next()
	case kOldNe:
		p.errs.old(p.start(), invalid)
		p.next()
		return "!="
	case kIs:
		p.next()
		if p.accept(kNot) {
			return "is not"
		}
		return "is"
	case kNot:
		if p.peek(1) == kIn {
			p.next()
			p.next()
			return "not in"
		}
	}
	return ""
}

// infix returns the operator a token is between two operands, and how strongly
// it binds.
func infix(k kind) (op, level Op) {
	switch k {
	case kPipe:
		return BitOr, BitOr
	case kCaret:
		return BitXor, BitXor
	case kAmp:
		return BitAnd, BitAnd
	case kShl:
		return Shl, Shl
	case kShr:
		return Shr, Shl
	case kPlus:
		return Add, Add
	case kMinus:
		return Sub, Add
	case kStar:
		return Mult, Mult
	case kSlash:
		return Div, Mult
	case kDoubleSlash:
		return FloorDiv, Mult
	case kPercent:
		return Mod, Mult
	case kAt:
		return MatMult, Mult
	}
	return NoOp, NoOp
}

// above is the next stronger level.
func above(level Op) Op {
	switch level {
	case Shl:
		return Add
	case Add:
		return Mult
	case Mult:
		return Neg
	}
	return level + 1
}

// binary reads operands and the operators between them that bind at least as
// strongly as level. A run of one operator is one node.
func (p *parser) binary(level Op) *Node {
	start := p.start()
	left := p.unary()
	for {
		op, l := infix(p.kind())
		if op == NoOp || l < level {
			return left
		}
		kids := []*Node{left}
		for o, _ := infix(p.kind()); o == op; o, _ = infix(p.kind()) {
			p.next()
			kids = append(kids, p.binary(above(l)))
		}
		left = p.operation(BinOp, op, start, kids...)
	}
}

func (p *parser) unary() *Node {
	var op Op
	switch p.kind() {
	case kMinus:
		op = Neg
	case kPlus:
		op = Pos
	case kTilde:
		op = Invert
	default:
		return p.power()
	}
	if !p.enter() {
		p.leave()
		return p.missing()
	}
	defer p.leave()
	start := p.start()
	p.next()
	return p.operation(UnaryOp, op, start, p.unary())
}

func (p *parser) power() *Node {
	start := p.start()
	var n *Node
	if p.at(kAwait) {
		p.next()
		n = p.node(Await, start, p.primary())
	} else {
		n = p.primary()
	}
	if !p.at(kDoubleStar) {
		return n
	}
	if !p.enter() {
		p.leave()
		return n
	}
	defer p.leave()
	p.next()
	return p.operation(BinOp, Pow, start, n, p.unary())
}

// primary reads an atom and what is asked of it: attributes, calls, subscripts.
func (p *parser) primary() *Node {
	if !p.enter() {
		p.leave()
		return p.missing()
	}
	defer p.leave()
	start := p.start()
	n := p.atom()
	for {
		switch p.kind() {
		case kDot:
			p.next()
			n = p.named(Attribute, start, p.name(), n)
		case kLPar:
			p.next()
			args := p.arguments(true)
			p.expect(kRPar, invalid)
			kids := make([]*Node, 0, 1+len(args))
			n = p.node(Call, start, append(append(kids, n), args...)...)
		case kLSqb:
			p.next()
			index := p.index()
			p.close(kRSqb, index)
			n = p.node(Subscript, start, n, index)
		default:
			return n
		}
	}
}

// index reads what stands in the brackets of a subscript.
func (p *parser) index() *Node {
	start := p.start()
	if p.at(kRSqb) {
		p.unexpected()
		return p.missing()
	}
	first := p.slice()
	if !p.at(kComma) {
		if first.Kind == Star {
			return p.node(Tuple, start, first)
		}
		return first
	}
	kids := []*Node{first}
	for p.accept(kComma) && !p.at(kRSqb) {
		before := p.i
		kids = append(kids, p.slice())
		if p.i == before {
			break
		}
	}
	return p.node(Tuple, start, kids...)
}

func (p *parser) slice() *Node {
	if p.at(kStar) {
		return p.star()
	}
	start := p.start()
	var from *Node
	if p.at(kColon) {
		from = p.missing()
	} else {
		from = p.namedExpression()
		if !p.at(kColon) {
			return from
		}
		if from.Kind == NamedExpr && from.Flags&Paren == 0 {
			p.unexpected()
		}
	}
	kids := []*Node{from}
	for len(kids) < 3 && p.accept(kColon) {
		if p.at(kColon) || p.at(kComma) || p.at(kRSqb) {
			kids = append(kids, p.missing())
		} else {
			kids = append(kids, p.expression())
		}
	}
	return p.node(Slice, start, kids...)
}
