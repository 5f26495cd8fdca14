// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import "strings"

// simple reads a simple statement.
func (p *parser) simple() *Node {
	start := p.start()
	switch p.kind() {
	case kPass, kBreak, kContinue:
		return p.named(Simple, start, p.next())
	case kReturn:
		p.next()
		if !p.ended() {
			return p.node(Return, start, p.starExpressions())
		}
		return p.node(Return, start)
	case kRaise:
		return p.raise(start)
	case kGlobal:
		return p.scope(Global, start)
	case kNonlocal:
		return p.scope(Nonlocal, start)
	case kDel:
		return p.del(start)
	case kAssert:
		p.next()
		kids := []*Node{p.expression()}
		if p.accept(kComma) {
			kids = append(kids, p.expression())
		}
		return p.node(Assert, start, kids...)
	case kImport:
		return p.imports(start)
	case kFrom:
		return p.importFrom(start)
	case kMagic:
		return p.named(Magic, start, p.next())
	case kName:
		if n := p.softStatement(start); n != nil {
			return n
		}
	}
	return p.expressionStatement(start)
}

// named makes a node about a word that has been passed.
func (p *parser) named(k Kind, start int, name string, kids ...*Node) *Node {
	n := p.node(k, start, kids...)
	n.Name = name
	return n
}

func (p *parser) ended() bool { return p.at(kNewline) || p.at(kSemi) || p.at(kEOF) }

// softStatement reads the statements that begin with a word that is no
// keyword; nil if this is none of them.
func (p *parser) softStatement(start int) *Node {
	switch p.word(p.i) {
	case "type":
		if p.peek(1) == kName && (p.peek(2) == kAssign || p.peek(2) == kLSqb) {
			return p.typeAlias(start)
		}
	case "print":
		if p.juxtaposed() {
			return p.oldStatement(Print, start)
		}
	case "exec":
		if p.juxtaposed() {
			return p.oldStatement(Exec, start)
		}
	}
	return nil
}

// juxtaposed reports whether the next token cannot continue an expression and
// begins another.
func (p *parser) juxtaposed() bool {
	switch k := p.peek(1); k {
	case kNot:
		return p.peek(2) != kIn
	case kLPar, kLSqb, kMinus, kPlus, kStar, kDoubleStar:
		return false
	default:
		return startsExpression(k)
	}
}

// oldStatement reads the print or the exec statement of Python 2.
func (p *parser) oldStatement(k Kind, start int) *Node {
	word := p.next()
	p.errs.old(start, "Missing parentheses in call to '"+word+"'. Did you mean "+word+"(...)?")
	n := p.node(k, start, p.starExpressions())
	n.Flags |= Old
	return n
}

func (p *parser) raise(start int) *Node {
	p.next()
	if p.ended() {
		return p.node(Raise, start)
	}
	kids := []*Node{p.expression()}
	if p.accept(kFrom) {
		kids = append(kids, p.expression())
	}
	n := Flags(0)
	if p.at(kComma) {
		p.errs.old(p.start(), invalid)
		n = Old
	}
	for p.accept(kComma) {
		kids = append(kids, p.expression())
	}
	stmt := p.node(Raise, start, kids...)
	stmt.Flags |= n
	return stmt
}

func (p *parser) scope(k Kind, start int) *Node {
	p.next()
	kids := []*Node{p.bound()}
	for p.accept(kComma) {
		kids = append(kids, p.bound())
	}
	return p.node(k, start, kids...)
}

func (p *parser) del(start int) *Node {
	p.next()
	if p.ended() {
		p.unexpected()
		return p.node(Delete, start)
	}
	list := p.starExpressions()
	p.target(list, "delete")
	if list.Kind == Tuple && list.Flags&Paren == 0 {
		return p.node(Delete, start, list.Kids...)
	}
	return p.node(Delete, start, list)
}

// dotted reads a.b.c.
func (p *parser) dotted() string {
	name := p.name()
	for p.at(kDot) {
		p.next()
		name += "." + p.name()
	}
	return name
}

// alias reads a name to import, and the one it is bound to.
func (p *parser) alias(path bool) *Node {
	start := p.start()
	name := ""
	if path {
		name = p.dotted()
	} else {
		name = p.name()
	}
	var kids []*Node
	if p.accept(kAs) {
		kids = append(kids, p.bound())
	}
	return p.named(Alias, start, name, kids...)
}

func (p *parser) imports(start int) *Node {
	p.next()
	kids := []*Node{p.alias(true)}
	for p.accept(kComma) {
		kids = append(kids, p.alias(true))
	}
	return p.node(Import, start, kids...)
}

func (p *parser) importFrom(start int) *Node {
	p.next()
	var module strings.Builder
	for p.at(kDot) || p.at(kEllipsis) {
		module.WriteString(p.next())
	}
	if p.at(kName) || module.Len() == 0 {
		module.WriteString(p.dotted())
	}
	if !p.expect(kImport, invalid) {
		return p.named(ImportFrom, start, module.String())
	}
	if p.at(kStar) {
		at := p.start()
		return p.named(ImportFrom, start, module.String(), p.named(Alias, at, p.next()))
	}
	paren := p.accept(kLPar)
	kids := []*Node{p.alias(false)}
	for p.accept(kComma) {
		if paren && p.at(kRPar) {
			break
		}
		if p.ended() {
			p.fail("trailing comma not allowed without surrounding parentheses")
			break
		}
		kids = append(kids, p.alias(false))
	}
	if paren {
		p.expect(kRPar, invalid)
	}
	return p.named(ImportFrom, start, module.String(), kids...)
}

func (p *parser) typeAlias(start int) *Node {
	p.next()
	kids := []*Node{p.nameNode()}
	if p.at(kLSqb) {
		kids = append(kids, p.typeParams())
	}
	p.expect(kAssign, invalid)
	return p.node(TypeAlias, start, append(kids, p.expression())...)
}

// typeParams reads [T: bound = default, *Ts, **P].
func (p *parser) typeParams() *Node {
	start := p.start()
	p.next()
	var kids []*Node
	for {
		kids = append(kids, p.typeParam())
		if !p.accept(kComma) || p.at(kRSqb) {
			break
		}
	}
	p.expect(kRSqb, invalid)
	return p.node(TypeParams, start, kids...)
}

func (p *parser) typeParam() *Node {
	start, stars := p.start(), ""
	if p.at(kStar) || p.at(kDoubleStar) {
		stars = p.next()
	}
	name := stars + p.name()
	var kids []*Node
	if p.at(kColon) {
		if stars != "" {
			p.fail("cannot use bound with " + map[string]string{"*": "TypeVarTuple", "**": "ParamSpec"}[stars])
		}
		p.next()
		kids = append(kids, p.expression())
	}
	if p.accept(kAssign) {
		if stars == "*" && p.at(kStar) {
			kids = append(kids, p.star())
		} else {
			kids = append(kids, p.expression())
		}
	}
	return p.named(Param, start, name, kids...)
}

// expressionStatement reads an expression, and what makes it an assignment.
func (p *parser) expressionStatement(start int) *Node {
	if !startsExpression(p.kind()) {
		p.unexpected()
		return p.node(Bad, start)
	}
	first := p.yieldOrStars()
	switch p.kind() {
	case kAssign:
		return p.assign(start, first)
	case kAugmented:
		p.singleTarget(first, "'"+describe(first)+"' is an illegal expression for augmented assignment")
		op := p.next()
		return p.named(AugAssign, start, strings.TrimSuffix(op, "="), first, p.yieldOrStars())
	case kColon:
		if !startsExpression(p.peek(1)) {
			p.unexpected()
		} else if first.Kind == Tuple || first.Kind == List {
			p.failf(first.Start, "only single target (not %s) can be annotated", describe(first))
		} else {
			p.singleTarget(first, "illegal target for annotation")
		}
		if first.Kind != Name && first.Kind != Attribute && first.Kind != Subscript {
			break // a colon after anything else is junk
		}
		return p.annotated(start, first)
	case kWalrus:
		p.unexpected()
		p.next()
		return p.node(Assign, start, first, p.yieldOrStars())
	case kHelp:
		p.next()
		return p.named(Magic, start, "?", first)
	}
	return p.node(ExprStmt, start, first)
}

func (p *parser) annotated(start int, target *Node) *Node {
	p.next()
	kids := []*Node{target, p.expression()}
	if p.accept(kAssign) {
		kids = append(kids, p.yieldOrStars())
	}
	return p.node(AnnAssign, start, kids...)
}

func (p *parser) assign(start int, first *Node) *Node {
	kids := []*Node{first}
	for p.at(kAssign) {
		p.target(kids[len(kids)-1], "assign to")
		p.next()
		if p.at(kMagic) {
			at := p.start()
			kids = append(kids, p.named(Magic, at, p.next()))
			break
		}
		kids = append(kids, p.yieldOrStars())
	}
	return p.node(Assign, start, kids...)
}

// singleTarget refuses what is no name, attribute or subscript.
func (p *parser) singleTarget(n *Node, message string) {
	switch n.Kind {
	case Name, Attribute, Subscript:
	default:
		p.failf(n.Start, "%s", message)
	}
}

// target refuses what cannot be assigned to, or deleted.
func (p *parser) target(n *Node, verb string) {
	switch n.Kind {
	case Name, Attribute, Subscript, Bad:
		return
	case Tuple, List:
		for _, kid := range n.Kids {
			p.target(kid, verb)
		}
		return
	case Star:
		// *x is a target, a star of its own value is not; nothing deletes it.
		if verb != "delete" && n.Kids[0].Kind != Star {
			p.target(n.Kids[0], verb)
			return
		}
	case Missing:
		return // said already
	}
	hint := ""
	if verb == "assign to" && n.Kind != Constant {
		switch n.Kind {
		case Call, BinOp, UnaryOp, Compare, Number, String, FString, Await, IfExp, BoolOp, Lambda:
			hint = " here. Maybe you meant '==' instead of '='?"
		}
	}
	p.failf(n.Start, "cannot %s %s%s", verb, describe(n), hint)
}

// describe names an expression as CPython's messages do.
func describe(n *Node) string {
	switch n.Kind {
	case Name:
		return "name"
	case Attribute:
		return "attribute"
	case Subscript:
		return "subscript"
	case Star:
		return "starred"
	case Tuple:
		return "tuple"
	case List:
		return "list"
	case Constant:
		if n.Name == "..." {
			return "ellipsis"
		}
		return n.Name
	case Number, String:
		return "literal"
	case FString:
		return "f-string expression"
	case Call:
		return "function call"
	case Lambda:
		return "lambda"
	case Dict:
		return "dict literal"
	case Set:
		return "set display"
	case Listcomp:
		return "list comprehension"
	case Setcomp:
		return "set comprehension"
	case Dictcomp:
		return "dict comprehension"
	case Generator:
		return "generator expression"
	case Await:
		return "await expression"
	case Yield, YieldFrom:
		return "yield expression"
	case Compare:
		return "comparison"
	case IfExp:
		return "conditional expression"
	case NamedExpr:
		return "named expression"
	}
	return "expression"
}
