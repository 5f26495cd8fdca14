// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

// isMatch reports whether a line that begins with match is the statement: it
// ends in a colon, and cases follow.
func (p *parser) isMatch() bool {
	switch k := p.peek(1); {
	case !p.atLineStart(0), !startsExpression(k), k == kDoubleStar:
		return false
	}
	i := p.i
	for p.toks[i].kind != kNewline && p.toks[i].kind != kEOF {
		i++
	}
	if p.toks[i-1].kind != kColon || i+2 >= len(p.toks) {
		return false
	}
	return p.toks[i+1].kind == kIndent && p.toks[i+2].kind == kName && p.word(i+2) == "case"
}

// isCase reports the same of a line that begins with case.
func (p *parser) isCase() bool {
	if k := p.peek(1); !p.atLineStart(0) || !startsExpression(k) || k == kLPar || k == kLSqb {
		return false
	}
	for i := p.i; ; i++ {
		switch p.toks[i].kind {
		case kColon:
			return true
		case kNewline, kEOF, kAssign:
			return false
		}
	}
}

func (p *parser) match(start int) *Node {
	p.next()
	kids := []*Node{p.starNamed()}
	if kids[0].Kind == Star {
		p.unexpected()
	}
	p.expect(kColon, "expected ':'")
	kids = append(kids, p.junk(nil)...)
	p.accept(kNewline)
	p.accept(kIndent)
	for nested := 0; ; {
		switch {
		case p.at(kName) && p.word(p.i) == "case":
			kids = append(kids, p.caseBlock())
		case p.at(kIndent):
			p.fail("unexpected indent")
			nested++
			p.next()
		case p.at(kDedent):
			p.next()
			if nested == 0 {
				return p.node(Match, start, kids...)
			}
			nested--
		case p.at(kEOF):
			return p.node(Match, start, kids...)
		default:
			p.unexpected()
			before := p.i
			kids = append(kids, p.statement()...)
			if p.i == before {
				p.next()
			}
		}
	}
}

func (p *parser) caseBlock() *Node {
	start := p.start()
	p.next()
	kids := []*Node{p.patterns()}
	if p.accept(kIf) {
		kids = append(kids, p.namedExpression())
	}
	return p.node(Case, start, append(kids, p.block("'case' statement", start))...)
}

// patterns reads the pattern of a case: several are a sequence.
func (p *parser) patterns() *Node {
	start := p.start()
	first := p.starOrPattern()
	if !p.at(kComma) {
		if first.Name == "*" {
			p.unexpected()
		}
		return first
	}
	kids := []*Node{first}
	for p.accept(kComma) && !p.at(kColon) && !p.at(kIf) {
		before := p.i
		kids = append(kids, p.starOrPattern())
		if p.i == before {
			break
		}
	}
	return p.node(Pattern, start, kids...)
}

func (p *parser) starOrPattern() *Node {
	start := p.start()
	if p.accept(kStar) {
		p.name()
		return p.named(Pattern, start, "*")
	}
	return p.pattern()
}

// pattern reads alternatives, and the name they are bound to.
func (p *parser) pattern() *Node {
	if !p.enter() {
		p.leave()
		return p.missing()
	}
	defer p.leave()
	start := p.start()
	kids := []*Node{p.closedPattern()}
	for p.accept(kPipe) {
		kids = append(kids, p.closedPattern())
	}
	if p.accept(kAs) {
		at := p.i
		if p.name() == "_" {
			p.failf(int(p.toks[at].start), "cannot use '_' as a target")
		}
		if p.at(kDot) || p.at(kLPar) {
			p.fail("invalid pattern target")
		}
		return p.node(Pattern, start, kids...)
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return p.node(Pattern, start, kids...)
}

func (p *parser) closedPattern() *Node {
	start := p.start()
	switch p.kind() {
	case kNumber, kMinus:
		return p.numberPattern()
	case kString, kFStart:
		return p.strings()
	case kNone, kTrue, kFalse:
		return p.atom()
	case kName:
		return p.namePattern(start)
	case kLPar, kLSqb:
		return p.sequencePattern(start)
	case kLBrace:
		return p.mappingPattern(start)
	}
	p.unexpected()
	return p.missing()
}

// numberPattern reads a number with its sign, or a complex one.
func (p *parser) numberPattern() *Node {
	start := p.start()
	p.accept(kMinus)
	p.expect(kNumber, invalid)
	real := !p.imaginary()
	if p.at(kPlus) || p.at(kMinus) {
		if !real {
			p.fail("real number required in complex literal")
		}
		p.next()
		p.expect(kNumber, invalid)
		if !p.imaginary() {
			p.fail("imaginary number required in complex literal")
		}
	}
	return p.named(Number, start, p.text[start:max(start, p.last)])
}

// imaginary reports whether the last token is an imaginary number.
func (p *parser) imaginary() bool {
	return p.last > 0 && p.text[p.last-1]|0x20 == 'j'
}

// namePattern reads a name to bind, a value to compare with, or a class.
func (p *parser) namePattern(start int) *Node {
	n := p.nameNode()
	if !p.at(kDot) && !p.at(kLPar) {
		if n.Kind == Name {
			n.Kind = Bound
		}
		return n
	}
	for p.accept(kDot) {
		n = p.named(Attribute, start, p.name(), n)
	}
	if !p.accept(kLPar) {
		return n
	}
	kids := []*Node{n}
	keyword := false
	for !p.at(kRPar) {
		before := p.i
		at := p.start()
		if p.at(kName) && p.peek(1) == kAssign {
			keyword = true
			p.next()
			p.next()
		} else if keyword {
			p.failf(at, "positional patterns follow keyword patterns")
		}
		kids = append(kids, p.pattern())
		if p.i == before || !p.accept(kComma) {
			break
		}
	}
	p.expect(kRPar, invalid)
	return p.node(Pattern, start, kids...)
}

// sequencePattern reads a group or a sequence.
func (p *parser) sequencePattern(start int) *Node {
	list, until := p.at(kLSqb), kRPar
	if list {
		until = kRSqb
	}
	p.next()
	var kids []*Node
	comma, star := false, false
	for !p.at(until) {
		before := p.i
		n := p.starOrPattern()
		star = n.Kind == Pattern && n.Name == "*"
		kids = append(kids, n)
		if p.i == before || !p.accept(kComma) {
			break
		}
		comma = true
	}
	if !list && !comma && star && len(kids) == 1 {
		p.unexpected()
	}
	p.expect(until, invalid)
	return p.node(Pattern, start, kids...)
}

func (p *parser) mappingPattern(start int) *Node {
	p.next()
	var kids []*Node
	for !p.at(kRBrace) {
		before := p.i
		if p.accept(kDoubleStar) {
			p.name()
			p.accept(kComma)
			if !p.at(kRBrace) {
				p.unexpected()
			}
		} else {
			kids = append(kids, p.mappingKey())
			p.expect(kColon, invalid)
			kids = append(kids, p.pattern())
			if !p.accept(kComma) {
				break
			}
		}
		if p.i == before {
			break
		}
	}
	p.expect(kRBrace, invalid)
	return p.node(Pattern, start, kids...)
}

func (p *parser) mappingKey() *Node {
	at := p.start()
	n := p.closedPattern()
	switch n.Kind {
	case String, Number, Constant, Attribute, Missing:
	default:
		p.failf(at, invalid)
	}
	return n
}
