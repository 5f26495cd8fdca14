// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "strconv"

// atom parses the smallest expressions.
//
//	atom = NAME | INT | FLOAT | string | "True" | "true" | "False" | "false" | "None" | "null" | typed_variable | parenthesised | tuple | list | comprehension | dict | tool .
func (p *parser) atom() Expr {
	t := p.tok
	switch t.kind {
	case tName:
		if p.isTool() {
			return p.tool()
		}
		return p.ident()
	case tInt:
		return p.intLit()
	case tFloat:
		return p.floatLit()
	case tString:
		return p.stringLit()
	case tTrue:
		return p.constLit(TrueConst)
	case tFalse:
		return p.constLit(FalseConst)
	case tNone:
		return p.constLit(NoneConst)
	case tLParen:
		return p.paren()
	case tLBrack:
		return p.list(p.expr)
	case tLBrace:
		return p.dict(nil)
	case tBad:
		p.breakLine()
		p.advance()
		return &BadExpr{p.leaf(t)}
	case tStar, tLt:
		if x := p.misplacedPattern(); x != nil {
			return x
		}
	}
	p.unexpected(anExpr)
	return p.badExpr()
}

// constLit consumes the word of a constant.
func (p *parser) constLit(k ConstKind) Expr {
	t := p.tok
	p.advance()
	return &ConstLit{extent: p.leaf(t), Kind: k}
}

// paren parses what may stand in parentheses.
//
//	typed_variable = "(" NAME ":" NAME ")" .
//	parenthesised = "(" expr ")" .
//	tuple = "(" ")" | "(" expr "," [ expr { "," expr } [ "," ] ] ")" .
func (p *parser) paren() Expr {
	start := int(p.tok.start)
	p.openBracket()
	if p.tok.kind == tName && p.peek(1).kind == tColon && !p.isTool() {
		return p.typedVar(start)
	}
	var items []Expr
	comma := false
	for p.tok.kind != tRParen && p.tok.kind != tEOF {
		items = append(items, p.expr())
		if len(items) == 1 {
			p.checkTypeFirst(items[0])
		}
		if p.tok.kind == tFor {
			p.soft(p.here(), codeExpected, "write brackets around it: [… for … in …]", "comprehension without brackets")
			items[len(items)-1] = p.comprehension(items[len(items)-1].Span().Start, items[len(items)-1])
		}
		if comma = p.got(tComma); !comma {
			break
		}
	}
	p.closeBracket("")
	ext := p.join(start, items...)
	if len(items) == 1 && !comma {
		return p.bounded(&Paren{extent: ext, X: items[0]})
	}
	return p.bounded(&TupleLit{extent: ext, Items: items})
}

// checkTypeFirst reports `(Message m`.
func (p *parser) checkTypeFirst(x Expr) {
	id, ok := x.(*Ident)
	if ok && typeLike(id.Name) && p.tok.kind == tName && p.ahead(1) == tRParen {
		name := p.text(p.tok)
		p.fail(p.span(id.span.Start, int(p.tok.end)), codeExpected, "write "+strconv.Quote("("+name+": "+id.Name+")"), "type of a variable before its name")
	}
}

// typedVar parses a typed variable after its opening parenthesis.
func (p *parser) typedVar(start int) Expr {
	v := &TypedVar{Name: p.ident()}
	p.advance()
	if p.tok.kind == tName {
		v.Type = p.ident()
	} else {
		p.unexpected("a type")
		v.Type = &Ident{extent: p.from(p.prevEnd)}
	}
	switch {
	case p.tok.kind == tComma && p.peek(1).kind == tName && p.peek(2).kind == tColon:
		p.fail(p.here(), codeExpected, "write each variable in parentheses of its own", "got \",\", want \")\"")
	case p.tok.kind == tLBrack || p.tok.kind == tDot:
		p.fail(p.here(), codeExpected, "a type is one name", "got %s, want \")\"", p.got1())
	}
	p.closeBracket("")
	v.extent = p.join(start)
	return v
}

// list parses a list or a comprehension whose elements elem reads.
//
//	list = "[" [ expr { "," expr } [ "," ] ] "]" .
func (p *parser) list(elem func() Expr) Expr {
	start := int(p.tok.start)
	p.openBracket()
	var items []Expr
	for p.tok.kind != tRBrack && p.tok.kind != tEOF {
		items = append(items, elem())
		if len(items) == 1 && p.tok.kind == tFor {
			comp := p.comprehension(start, items[0])
			p.closeBracket("")
			comp.extent = p.join(start, append(comp.Ifs, comp.Elt, comp.In)...)
			return p.bounded(comp)
		}
		if !p.got(tComma) {
			break
		}
	}
	p.closeBracket(`","`)
	return p.bounded(&ListLit{extent: p.join(start, items...), Items: items})
}

// comprehension parses the rest of a comprehension after its element.
//
//	comprehension = "[" expr "for" targets "in" or_expr { "if" or_expr } "]" .
//	targets = NAME { "," NAME } [ "," ] | "(" NAME { "," NAME } [ "," ] ")" .
func (p *parser) comprehension(start int, elt Expr) *ListComp {
	p.advance()
	c := &ListComp{Elt: elt, Targets: p.targets()}
	if p.got(tIn) {
		c.In = p.binary(orLevel)
	} else {
		p.unexpected(`"in"`)
		c.In = p.badExpr()
	}
	for p.got(tIf) {
		c.Ifs = append(c.Ifs, p.binary(orLevel))
	}
	if p.tok.kind == tFor {
		p.fail(p.here(), codeExpected, "write one comprehension inside the other", "second \"for\" in a comprehension")
	}
	c.extent = p.join(start, append([]Expr{c.Elt, c.In}, c.Ifs...)...)
	return c
}

// targets parses the names that a comprehension binds.
func (p *parser) targets() []*Ident {
	bracketed := p.tok.kind == tLParen
	if bracketed {
		p.openBracket()
	}
	var names []*Ident
	for p.tok.kind == tName {
		names = append(names, p.ident())
		if !p.got(tComma) {
			break
		}
	}
	if len(names) == 0 {
		p.unexpected("a name")
	}
	if bracketed {
		p.closeBracket(`","`)
	}
	return names
}

// dict parses a dict. In an argument pattern elem reads the values; it is nil
// elsewhere.
//
//	dict = "{" [ entry { "," entry } [ "," ] ] "}" .
//	entry = ( WORD | expr ) ":" expr .
func (p *parser) dict(elem func() Expr) Expr {
	start := int(p.tok.start)
	pattern := elem != nil
	if !pattern {
		elem = p.expr
	}
	p.openBracket()
	d := &DictLit{}
	for p.tok.kind != tRBrace && p.tok.kind != tEOF {
		key := p.key(pattern)
		if p.tok.kind == tForeign && p.text(p.tok) == "=" {
			p.soft(p.here(), codeForeign, `write ":"`, `got "=", want ":"`)
			p.advance()
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, elem())
		} else if !p.got(tColon) {
			p.noColon()
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, p.badExpr())
		} else {
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, elem())
		}
		if p.tok.kind == tFor {
			p.fail(p.here(), codeExpected, "comprehensions make lists: write […] for {…}", "comprehension in a dict")
		}
		if !p.got(tComma) {
			break
		}
	}
	p.closeBracket(`","`)
	d.extent = p.join(start, append(append([]Expr(nil), d.Keys...), d.Values...)...)
	if x := p.bounded(d); x != Expr(d) {
		return &DictLit{extent: extent{span: d.span, height: 1}}
	}
	return d
}

// noColon reports that a dict's key has no value.
func (p *parser) noColon() {
	if p.tok.kind == tComma || p.tok.kind == tRBrace {
		p.fail(p.here(), codeExpected, "sets are not part of the language; write a list", "got %s, want \":\"", p.got1())
		return
	}
	if p.tok.kind == tFor {
		p.fail(p.here(), codeExpected, "comprehensions make lists: write […] for {…}", "comprehension in a dict")
		return
	}
	p.unexpected(`":"`)
}

// key parses a key. A bare word is a string.
func (p *parser) key(pattern bool) Expr {
	t := p.tok
	bare := t.kind.isWord() && t.kind != tTrue && t.kind != tFalse && t.kind != tNone
	if next := p.peek(1); bare && (next.kind == tColon || next.kind == tForeign && p.text(next) == "=") {
		p.advance()
		return &StringLit{extent: p.leaf(t), Value: p.text(t)}
	}
	x := p.expr()
	if _, ok := x.(*StringLit); !ok && pattern {
		p.soft(x.Span(), codePattern, "", "keys of an argument pattern are names or strings")
	}
	return x
}
