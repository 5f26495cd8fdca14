// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

// statement reads one compound statement, or a line of simple ones.
func (p *parser) statement() []*Node {
	if p.level > maxRecursion/2 { // expressions have the other half
		p.fail("too many statically nested blocks")
		return p.junk(nil)
	}
	p.level++
	defer p.leave()
	start := p.start()
	switch p.kind() {
	case kIf, kWhile, kFor, kTry, kWith, kDef, kClass:
		return []*Node{p.compound(start)}
	case kAt:
		return []*Node{p.decorated(start)}
	case kAsync:
		return []*Node{p.async(start)}
	case kElif, kElse, kExcept, kFinally:
		return []*Node{p.stray(start)}
	case kName:
		if word := p.word(p.i); word == "match" && p.isMatch() {
			return []*Node{p.match(start)}
		} else if word == "case" && p.isCase() {
			p.unexpected()
			return []*Node{p.caseBlock()}
		}
	}
	return p.simpleLine()
}

func (p *parser) compound(start int) *Node {
	switch p.kind() {
	case kIf:
		return p.ifs(start)
	case kWhile:
		p.next()
		test := p.namedExpression()
		kids := []*Node{test, p.block("'while' statement", start)}
		return p.node(While, start, p.elseBlock(kids)...)
	case kFor:
		return p.loop(start)
	case kTry:
		return p.try(start)
	case kWith:
		return p.with(start)
	case kDef:
		return p.function(start, nil)
	default:
		return p.class(start, nil)
	}
}

func (p *parser) async(start int) *Node {
	p.next()
	switch p.kind() {
	case kDef, kFor, kWith:
		n := p.compound(start)
		n.Flags |= Async
		return n
	}
	p.unexpected()
	return p.node(Bad, start, p.junk(nil)...)
}

// stray reads a clause whose statement was cut off.
func (p *parser) stray(start int) *Node {
	p.unexpected()
	if p.at(kExcept) {
		return p.handler(new(int))
	}
	word := p.next()
	var kids []*Node
	if word == "elif" {
		kids = append(kids, p.namedExpression())
	}
	return p.node(Clause, start, append(kids, p.block("'"+word+"' statement", start))...)
}

// elseBlock adds the else of a statement, if it has one.
func (p *parser) elseBlock(kids []*Node) []*Node {
	if !p.at(kElse) {
		return kids
	}
	start := p.start()
	p.next()
	b := p.block("'else' statement", start)
	b.Name = "else"
	return append(kids, b)
}

func (p *parser) ifs(start int) *Node {
	head, word := start, p.next()
	var kids []*Node
	for {
		kids = append(kids, p.namedExpression())
		kids = append(kids, p.block("'"+word+"' statement", head))
		if !p.at(kElif) {
			break
		}
		head, word = p.start(), p.next()
	}
	return p.node(If, start, p.elseBlock(kids)...)
}

func (p *parser) loop(start int) *Node {
	p.next()
	target := p.targetList()
	var iterable *Node
	if p.expect(kIn, invalid) {
		iterable = p.starExpressions()
	} else {
		iterable = p.missing()
	}
	kids := []*Node{target, iterable, p.block("'for' statement", start)}
	return p.node(For, start, p.elseBlock(kids)...)
}

// targetList reads what a for assigns to.
func (p *parser) targetList() *Node {
	start := p.start()
	read := func() *Node {
		if p.at(kStar) {
			return p.star()
		}
		return p.binary(BitOr)
	}
	first := read()
	if p.at(kComma) {
		kids := []*Node{first}
		for p.accept(kComma) && startsExpression(p.kind()) {
			kids = append(kids, read())
		}
		first = p.node(Tuple, start, kids...)
	}
	p.target(first, "assign to")
	return first
}

func (p *parser) try(start int) *Node {
	p.next()
	kids := []*Node{p.block("'try' statement", start)}
	stars := 0
	for p.at(kExcept) {
		kids = append(kids, p.handler(&stars))
	}
	caught := len(kids) > 1
	if p.at(kElse) {
		if !caught {
			p.fail("expected 'except' or 'finally' block")
		}
		kids = p.elseBlock(kids)
	}
	if p.at(kFinally) {
		at := p.start()
		p.next()
		b := p.block("'finally' statement", at)
		b.Name = "finally"
		kids = append(kids, b)
	} else if !caught {
		p.fail("expected 'except' or 'finally' block")
	}
	return p.node(Try, start, kids...)
}

// handler reads an except clause. stars says whether those before had a star:
// 1 no, 2 yes.
func (p *parser) handler(stars *int) *Node {
	start := p.start()
	p.next()
	mode := 1
	if p.accept(kStar) {
		mode = 2
	}
	if *stars != 0 && *stars != mode {
		p.errs.add(start, "cannot have both 'except' and 'except*' on the same 'try'")
	}
	*stars = mode
	var kids []*Node
	flags := Flags(0)
	if !p.at(kColon) {
		kids = append(kids, p.expression())
		if p.at(kComma) {
			p.errs.old(p.start(), "multiple exception types must be parenthesized")
			flags = Old
			p.next()
			kids = append(kids, p.expression())
		} else if p.accept(kAs) {
			kids = append(kids, p.bound())
		}
	} else if mode == 2 {
		p.fail("expected one or more exception types")
	}
	kids = append(kids, p.block("'except' statement", start))
	n := p.node(Handler, start, kids...)
	n.Flags |= flags
	return n
}

func (p *parser) with(start int) *Node {
	p.next()
	paren := p.at(kLPar) && p.itemsInside()
	if paren {
		p.next()
	}
	var kids []*Node
	for {
		kids = append(kids, p.withItem())
		if !p.accept(kComma) || paren && p.at(kRPar) {
			break
		}
	}
	if paren {
		p.expect(kRPar, invalid)
	}
	return p.node(With, start, append(kids, p.block("'with' statement", start))...)
}

// itemsInside reports whether the parentheses after with hold its items: they
// close before the colon, and have an as of their own.
func (p *parser) itemsInside() bool {
	if !p.atLineStart(1) && !p.atLineStart(2) {
		return false // an error already, and looking ahead each time would not be linear
	}
	depth, bound := 0, false
	for i := p.i; i < len(p.toks); i++ {
		switch p.toks[i].kind {
		case kLPar, kLSqb, kLBrace, kFStart:
			depth++
		case kAs:
			bound = bound || depth == 1
		case kRPar, kRSqb, kRBrace, kFEnd:
			if depth--; depth == 0 {
				return bound && p.toks[min(i+1, len(p.toks)-1)].kind == kColon
			}
		case kNewline, kEOF:
			return bound // cut
		}
	}
	return false
}

// atLineStart reports whether the token n before this one begins a line.
func (p *parser) atLineStart(n int) bool {
	if p.i < n {
		return false
	}
	if p.i == n {
		return true
	}
	switch p.toks[p.i-n-1].kind {
	case kNewline, kIndent, kDedent:
		return true
	}
	return false
}

func (p *parser) withItem() *Node {
	start := p.start()
	kids := []*Node{p.expression()}
	if p.accept(kAs) {
		var target *Node
		if p.at(kStar) {
			target = p.star()
		} else {
			target = p.binary(BitOr)
		}
		p.target(target, "assign to")
		kids = append(kids, target)
	}
	return p.node(WithItem, start, kids...)
}

func (p *parser) decorated(start int) *Node {
	var kids []*Node
	for p.at(kAt) {
		at := p.start()
		p.next()
		kids = append(kids, p.node(Decorator, at, p.namedExpression()))
		if !p.accept(kNewline) {
			p.unexpected()
			kids = p.junk(kids)
			p.accept(kNewline)
		}
	}
	async := p.accept(kAsync)
	var n *Node
	switch {
	case p.at(kDef):
		n = p.function(start, kids)
	case p.at(kClass) && !async:
		n = p.class(start, kids)
	default:
		p.unexpected()
		return p.node(Bad, start, kids...)
	}
	if async {
		n.Flags |= Async
	}
	return n
}

func (p *parser) function(start int, kids []*Node) *Node {
	head := p.start()
	p.next()
	name := p.name()
	if p.at(kLSqb) {
		kids = append(kids, p.typeParams())
	}
	if p.at(kLPar) {
		at := p.start()
		p.next()
		params := p.params(kRPar)
		p.expect(kRPar, invalid)
		kids = append(kids, p.node(Params, at, params...))
	} else {
		p.fail("expected '('")
		kids = append(kids, p.node(Params, p.start()))
	}
	if p.at(kArrow) {
		at := p.start()
		p.next()
		kids = append(kids, p.node(Returns, at, p.expression()))
	}
	kids = append(kids, p.block("function definition", head))
	return p.named(FunctionDef, start, name, kids...)
}

func (p *parser) class(start int, kids []*Node) *Node {
	head := p.start()
	p.next()
	name := p.name()
	if p.at(kLSqb) {
		kids = append(kids, p.typeParams())
	}
	if p.accept(kLPar) {
		kids = append(kids, p.arguments(false)...)
		p.expect(kRPar, invalid)
	}
	kids = append(kids, p.block("class definition", head))
	return p.named(ClassDef, start, name, kids...)
}
