// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

// atom reads what needs no operator.
func (p *parser) atom() *Node {
	start := p.start()
	switch p.kind() {
	case kName:
		return p.nameNode()
	case kNumber:
		p.next()
		return p.named(Number, start, p.text[start:p.last])
	case kString, kFStart:
		return p.strings()
	case kNone, kTrue, kFalse, kEllipsis:
		p.next()
		return p.named(Constant, start, p.text[start:p.last])
	case kLPar, kLSqb, kLBrace, kTick, kLambda, kYield:
	default:
		p.unexpected()
		return p.missing()
	}
	if !p.enter() {
		p.leave()
		return p.missing()
	}
	defer p.leave()
	switch p.kind() {
	case kLPar:
		return p.group(start)
	case kLSqb:
		return p.listDisplay(start)
	case kLBrace:
		return p.braces(start)
	case kTick:
		return p.backquote(start)
	case kLambda:
		p.unexpected() // a lambda is no operand
		return p.lambda(start)
	default:
		p.unexpected()
		return p.yield()
	}
}

// group reads parentheses: a tuple, a generator, or one expression.
func (p *parser) group(start int) *Node {
	p.next()
	if p.accept(kRPar) {
		return p.paren(p.node(Tuple, start))
	}
	if p.at(kYield) {
		n := p.yield()
		p.expect(kRPar, invalid)
		return p.paren(n)
	}
	first := p.starOrExpression(true)
	switch p.kind() {
	case kFor, kAsync:
		n := p.comprehension(Generator, start, first)
		p.expect(kRPar, invalid)
		return p.end(n)
	case kComma:
		n := p.node(Tuple, start, p.elements(first, kRPar)...)
		p.close(kRPar, lastOf(n))
		return p.end(p.paren(n))
	}
	if first.Kind == Star {
		p.failf(first.Start, "cannot use starred expression here")
	}
	p.close(kRPar, first)
	return p.paren(first)
}

func (p *parser) paren(n *Node) *Node {
	n.Flags |= Paren
	return n
}

// lastOf returns the last element of a display; the value of a pair.
func lastOf(n *Node) *Node {
	if n.Kind != Tuple && n.Kind != List && n.Kind != Set && n.Kind != Dict || len(n.Kids) == 0 {
		return nil
	}
	last := n.Kids[len(n.Kids)-1]
	if last.Kind == Pair {
		return last.Kids[len(last.Kids)-1]
	}
	return last
}

// end lets a node reach to the last token.
func (p *parser) end(n *Node) *Node {
	n.End = max(n.End, p.last)
	return n
}

// elements reads the rest of a display, behind its first element.
func (p *parser) elements(first *Node, until kind) []*Node {
	kids := []*Node{first}
	for p.accept(kComma) && !p.at(until) {
		before := p.i
		kids = append(kids, p.starOrExpression(true))
		if p.i == before {
			break
		}
	}
	return kids
}

func (p *parser) listDisplay(start int) *Node {
	p.next()
	if p.accept(kRSqb) {
		return p.node(List, start)
	}
	first := p.starOrExpression(true)
	var n *Node
	if p.at(kFor) || p.at(kAsync) {
		n = p.comprehension(Listcomp, start, first)
	} else {
		n = p.node(List, start, p.elements(first, kRSqb)...)
	}
	p.close(kRSqb, lastOf(n))
	return p.end(n)
}

// braces reads a set or a dictionary.
func (p *parser) braces(start int) *Node {
	p.next()
	if p.accept(kRBrace) {
		return p.node(Dict, start)
	}
	var n *Node
	if p.at(kDoubleStar) {
		n = p.dict(start, p.pair())
	} else {
		first := p.starOrExpression(true)
		switch {
		case p.at(kColon):
			if first.Kind == Star || first.Kind == NamedExpr && first.Flags&Paren == 0 {
				p.unexpected()
			}
			n = p.dict(start, p.value(first))
		case p.at(kFor) || p.at(kAsync):
			n = p.comprehension(Setcomp, start, first)
		default:
			n = p.node(Set, start, p.elements(first, kRBrace)...)
		}
	}
	p.close(kRBrace, lastOf(n))
	return p.end(n)
}

func (p *parser) dict(start int, first *Node) *Node {
	if p.at(kFor) || p.at(kAsync) {
		if first.Kind == DoubleStar {
			p.failf(first.Start, "dict unpacking cannot be used in dict comprehension")
		}
		return p.comprehension(Dictcomp, start, first)
	}
	kids := []*Node{first}
	for p.accept(kComma) && !p.at(kRBrace) {
		before := p.i
		kids = append(kids, p.pair())
		if p.i == before {
			break
		}
	}
	return p.node(Dict, start, kids...)
}

// pair reads key: value or **mapping.
func (p *parser) pair() *Node {
	start := p.start()
	if p.accept(kDoubleStar) {
		return p.node(DoubleStar, start, p.binary(BitOr))
	}
	return p.value(p.expression())
}

func (p *parser) value(key *Node) *Node {
	if !p.accept(kColon) {
		p.failf(key.End, "':' expected after dictionary key")
		return p.node(Pair, key.Start, key)
	}
	if !startsExpression(p.kind()) {
		p.failf(p.last-1, "expression expected after dictionary key and ':'")
		return p.node(Pair, key.Start, key)
	}
	if p.at(kStar) {
		p.failf(p.start(), "cannot use a starred expression in a dictionary value")
		return p.node(Pair, key.Start, key, p.star())
	}
	return p.node(Pair, key.Start, key, p.expression())
}

// comprehension reads the fors and ifs behind an element.
func (p *parser) comprehension(k Kind, start int, first *Node) *Node {
	if first.Kind == Star {
		p.failf(first.Start, "iterable unpacking cannot be used in comprehension")
	}
	kids := []*Node{first}
	for p.at(kFor) || p.at(kAsync) {
		at := p.start()
		async := p.accept(kAsync)
		if !p.expect(kFor, invalid) {
			break
		}
		clause := []*Node{p.targetList()}
		if p.expect(kIn, "'in' expected after for-loop variables") {
			clause = append(clause, p.or())
		}
		for p.accept(kIf) {
			clause = append(clause, p.or())
		}
		n := p.node(Comprehend, at, clause...)
		if async {
			n.Flags |= Async
		}
		kids = append(kids, n)
	}
	return p.node(k, start, kids...)
}

// backquote reads `x`, which is repr(x) in Python 2.
func (p *parser) backquote(start int) *Node {
	p.errs.old(start, invalid)
	p.next()
	if !startsExpression(p.kind()) || p.at(kTick) {
		return p.node(Backquote, start)
	}
	value := p.starExpressions()
	p.accept(kTick)
	n := p.node(Backquote, start, value)
	n.Flags |= Old
	return n
}

// arguments reads what a call or a class is given, up to the parenthesis.
// A generator without parentheses of its own may be the one argument of a call.
func (p *parser) arguments(call bool) []*Node {
	var out []*Node
	keyword, double := false, false
	for !p.at(kRPar) {
		before := p.i
		arg := p.argument()
		switch arg.Kind {
		case Keyword:
			keyword = true
		case DoubleStar:
			double = true
		case Star:
			if double {
				p.failf(arg.Start, "iterable argument unpacking follows keyword argument unpacking")
			}
		default:
			if double {
				p.failf(arg.Start, "positional argument follows keyword argument unpacking")
			} else if keyword {
				p.failf(arg.Start, "positional argument follows keyword argument")
			}
		}
		if p.at(kFor) || p.at(kAsync) {
			arg = p.bareGenerator(arg, call && len(out) == 0)
		}
		out = append(out, arg)
		if !p.accept(kComma) {
			if p.at(kRPar) || p.i == before || !startsExpression(p.kind()) {
				break
			}
			if p.lacksComma(arg) {
				p.failf(arg.Start, forgotten)
			} else {
				p.unexpected()
			}
		}
	}
	return out
}

func (p *parser) bareGenerator(arg *Node, only bool) *Node {
	switch arg.Kind {
	case Keyword, DoubleStar, Star:
		p.unexpected()
	}
	n := p.comprehension(Generator, arg.Start, arg)
	if !only || !p.at(kRPar) {
		p.failf(arg.Start, "Generator expression must be parenthesized")
	}
	return n
}

func (p *parser) argument() *Node {
	start := p.start()
	switch p.kind() {
	case kStar:
		p.next()
		return p.node(Star, start, p.expression())
	case kDoubleStar:
		p.next()
		return p.node(DoubleStar, start, p.expression())
	case kName, kAsync, kAwait:
		if p.peek(1) == kAssign {
			if !p.at(kName) { // a name before Python 3.7
				p.errs.old(start, invalid)
			}
			name := fold(p.next())
			p.next()
			return p.keywordValue(start, name)
		}
	}
	n := p.namedExpression()
	if !p.at(kAssign) {
		return n
	}
	if n.Kind == Constant && n.Name != "..." {
		p.failf(n.Start, "cannot assign to %s", n.Name)
	} else {
		p.failf(n.Start, `expression cannot contain assignment, perhaps you meant "=="?`)
	}
	p.next()
	return p.node(Bad, start, n, p.expression())
}

func (p *parser) keywordValue(start int, name string) *Node {
	if p.at(kRPar) || p.at(kComma) {
		p.failf(start, "expected argument value expression")
	}
	return p.named(Keyword, start, name, p.expression())
}
