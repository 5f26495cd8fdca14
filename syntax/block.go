// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/diag"
)

// blockHead parses the colon that ends the first line of a block. Conditions
// that stand behind it, by mistake, are returned. A broken first line is left
// here, so that its block can be read.
func (p *parser) blockHead() []Cond {
	const below = "write the conditions on the lines below, indented"
	ends := p.tok.kind == tNewline || p.tok.kind == tEOF
	switch {
	case p.broken:
		p.skipLine()
		return nil
	case p.got(tColon):
		if p.tok.kind == tNewline || p.tok.kind == tEOF {
			return nil
		}
		p.soft(p.here(), codeHeader, below, "conditions on the line that opens their block")
	case ends:
		p.soft(p.here(), codeHeader, "", `want ":" at the end of the line`)
		return nil
	case p.tok.kind == tForeign || p.tok.kind == tBad:
		p.unexpected(`":"`)
	default:
		p.fail(p.here(), codeHeader, below, "got %s, want \":\" and the end of the line", p.got1())
	}
	x := p.expr()
	p.breakLine() // one report is enough for this line
	p.skipLine()
	return []Cond{&ExprCond{extent: extent{span: x.Span()}, X: x}}
}

// A block is being read: its first line, and the odd indent reported last.
type blockLayout struct {
	header, body indent
	odd          indent
}

// block parses the lines below head that are indented deeper than it.
//
//	block = NEWLINE INDENT condition { condition } DEDENT .
func (p *parser) block(head token, what string) []Cond {
	end := p.prevEnd
	p.got(tNewline)
	if !p.enter(p.headSpan(head, end)) {
		p.sync(head.indent)
		return []Cond{&ExprCond{extent: p.from(p.prevEnd), X: p.badExpr()}}
	}
	defer p.leave()
	if !p.deeperBlock(head.indent) {
		return p.flatBlock(head, end, what)
	}
	lay := blockLayout{header: head.indent, body: p.tok.indent}
	var conds []Cond
	for p.deeperBlock(head.indent) {
		p.checkIndent(&lay)
		conds = append(conds, p.cond())
	}
	return conds
}

// flatBlock parses the block of a rule or predicate whose lines are not
// indented: up to a blank line or the next statement. Where there is none, the
// head stands alone.
func (p *parser) flatBlock(head token, end int, what string) []Cond {
	t := p.tok
	if what == "quantifier" || t.kind == tEOF || t.blank || t.indent != head.indent || p.form() != noForm {
		if !p.broken && !p.reportedAt(head, end) {
			p.soft(p.headSpan(head, end), codeEmpty, "write conditions below it, indented deeper", "%s needs a condition", article(what))
		}
		return nil
	}
	p.soft(p.here(), codeFlat, fmt.Sprintf("indent the conditions deeper than the %s", what), "body of the %s is not indented", what)
	lay := blockLayout{header: head.indent, body: head.indent}
	var conds []Cond
	for p.tok.kind != tEOF && !p.tok.blank && (p.tok.indent.deeper(head.indent) || p.tok.indent == head.indent && p.flatLine()) {
		p.checkIndent(&lay)
		conds = append(conds, p.cond())
	}
	return conds
}

// flatLine reports whether a line that is not indented goes on with a body
// that is not: it begins no statement, or binds a name.
func (p *parser) flatLine() bool {
	f := p.form()
	return f == noForm || f == constForm
}

// reportedAt reports whether the last mistake stands in the head itself: then
// that the block is empty is no news.
func (p *parser) reportedAt(head token, end int) bool {
	for _, d := range p.diags {
		if d.Code != codeEmpty && d.Span.Start >= int(head.start) && d.Span.Start <= end {
			return true
		}
	}
	return false
}

// headSpan is the place of a block's first line.
func (p *parser) headSpan(head token, end int) diag.Span {
	return p.span(int(head.start), max(end, int(head.end)))
}

// article puts the article before a noun.
func article(noun string) string { return "a " + noun }

// checkIndent reports a line whose indent is not that of its block. Lines
// that repeat an odd indent are not reported again.
func (p *parser) checkIndent(lay *blockLayout) {
	at := p.tok.indent
	order, consistent := at.compare(lay.body)
	_, withHeader := at.compare(lay.header)
	switch {
	case at == lay.odd:
	case !consistent || !withHeader:
		p.tabs()
	case order > 0 && p.leadingOperator():
		return // what is wrong is that the line begins so
	case order > 0:
		p.soft(p.here(), codeIndent, "the conditions of a block are all indented alike", "unexpected indent")
	case order < 0:
		p.soft(p.here(), codeIndent, "the conditions of a block are all indented alike", "indent matches no line above")
	default:
		return
	}
	lay.odd = at
}

// leadingOperator reports whether the next line begins with an operator that
// wants an operand before it.
func (p *parser) leadingOperator() bool {
	k := p.tok.kind
	return binaryOps[k] != NoOp && k != tMinus && k != tPlus
}

// checkTabs reports the next line if its indent and outer cannot be compared.
func (p *parser) checkTabs(outer indent) {
	if _, consistent := p.tok.indent.compare(outer); !consistent {
		p.tabs()
	}
}

// tabs reports an indent whose depth depends on the width of a tab.
func (p *parser) tabs() {
	start := int(p.tok.start)
	for start > 0 && p.file.Src[start-1] != '\n' {
		start--
	}
	p.soft(p.span(start, int(p.tok.start)), codeTabs, "indent with spaces only, or with tabs only", "tabs and spaces are mixed so that the depth is not clear")
}

// cond parses one condition.
//
//	condition = quantifier | binding | expr NEWLINE .
func (p *parser) cond() Cond {
	at, start := p.tok.indent, p.tok
	p.line = p.i
	if p.misplaced() {
		p.advance()
		p.sync(at)
		x := &BadExpr{p.from(int(start.start))}
		return &ExprCond{extent: x.extent, X: x}
	}
	if q := p.quantifier(); q != nil {
		return q
	}
	if p.tok.kind == tName && p.ahead(1) == tDefine {
		return p.binding()
	}
	x := p.bareVar()
	if x == nil {
		x = p.condExpr()
	}
	p.endLine(at)
	return &ExprCond{extent: extent{span: x.Span()}, X: x}
}

// misplaced reports a line that cannot stand in a block.
func (p *parser) misplaced() bool {
	switch p.tok.kind {
	case tRaise, tImport, tFrom:
	case tName:
		if (p.is("ask") || p.is("warn")) && p.ahead(1) == tString {
			break
		}
		if p.ahead(1) == tLParen && p.definesAfter(p.i+1) && p.peek2Define() {
			p.fail(p.here(), codeInside, "write it before the rule, at the left margin", "predicate inside a block")
			return true
		}
		return p.foreignLine()
	default:
		return p.foreignLine()
	}
	p.fail(p.here(), codeInside, "begin it at the left margin", "%q inside a block", p.text(p.tok))
	return true
}

// peek2Define reports whether the brackets after the next name are followed by
// `:=` itself.
func (p *parser) peek2Define() bool {
	return p.toks[p.matched(p.i+1)].kind == tDefine
}

// condExpr parses the expression of a condition and reports what only looks
// like a binding.
func (p *parser) condExpr() Expr {
	if p.tok.kind == tName && p.ahead(1) == tColon && p.ahead(2) == tForeign && p.text(p.peek(2)) == "=" {
		p.fail(p.span(int(p.peek(1).start), int(p.peek(2).end)), codeBinding, `write ":=" without a space`, "space inside \":=\"")
		return p.badExpr()
	}
	if p.tok.kind == tName && p.ahead(1) == tForeign && p.text(p.peek(1)) == "=" {
		p.soft(p.peek(1).span(p), codeForeign, `write "==" to compare, ":=" to bind a name`, `operator "=" is not part of the language`)
		x := p.ident()
		op := p.tok.span(p)
		p.advance()
		y := p.expr()
		return p.bounded(&Binary{extent: p.join(x.span.Start, x, y), Op: Eq, OpAt: op, X: x, Y: y})
	}
	x := p.expr()
	if p.tok.kind == tDefine {
		help := "a binding is written: name := expression"
		if v, ok := x.(*TypedVar); ok {
			help = fmt.Sprintf("write %q to bind it, %q to let it range", v.Name.Name+" := …", v.span.Text()+" in …")
		}
		p.soft(p.here(), codeBinding, help, `want a name before ":="`)
		p.advance()
		y := p.expr()
		x = &BadExpr{p.join(x.Span().Start, y)}
	}
	return x
}

// bareVar parses a typed variable that lacks its parentheses.
func (p *parser) bareVar() Expr {
	if p.tok.kind != tName || p.ahead(1) != tColon || p.ahead(2) != tName || p.isTool() || quants[p.text(p.tok)] != 0 {
		return nil
	}
	help := fmt.Sprintf("write %q", "("+p.text(p.tok)+": "+p.text(p.peek(2))+")")
	p.soft(p.span(int(p.tok.start), int(p.peek(2).end)), codeExpected, help, "typed variable without parentheses")
	name := p.ident()
	p.advance()
	v := &TypedVar{Name: name, Type: p.ident()}
	v.extent = p.join(name.span.Start, name)
	return v
}

// binding parses a binding. Its value may stand on the next line.
//
//	binding = NAME ":=" value .
func (p *parser) binding() Cond {
	at := p.tok.indent
	b := &BindCond{Name: p.ident()}
	p.advance()
	b.Value = p.value(at, b.Name.Name)
	p.endLine(at)
	b.extent = extent{span: p.span(b.Name.span.Start, b.Value.Span().End)}
	return b
}

// quants are the words of quantifiers, with 1 added.
var quants = map[string]Quant{"count": Count + 1, "forall": Forall + 1, "exists": Exists + 1}

// quantifier parses a quantifier and its block; nil if none begins here.
//
//	quantifier = [ "not" ] ( "count" [ arguments ] | "forall" | "exists" ) ":" block .
func (p *parser) quantifier() Cond {
	n := 0
	if p.tok.kind == tNot {
		n = 1
	}
	word := p.peek(n)
	kind, ok := quants[p.text(word)]
	if !ok {
		kind, ok = p.aliases[p.text(word)]
	}
	if !ok || n == 1 && word.first || !p.opensBlock(n+1) {
		return nil
	}
	head := p.tok
	q := &QuantCond{Not: n == 1, Quant: kind - 1}
	for range n + 1 {
		p.advance()
	}
	var body []Cond
	if p.tok.kind == tLParen {
		body = p.quantArgs(q)
	}
	if body == nil || p.tok.kind != tNewline && p.tok.kind != tEOF {
		body = append(body, p.blockHead()...)
	}
	q.Body = append(body, p.block(head, "quantifier")...)
	q.extent = p.from(int(head.start))
	return q
}

// opensBlock reports whether a quantifier's head goes on at the token n after
// the next one: with a colon, or with arguments and a colon, or, for want of
// one, with a deeper line.
func (p *parser) opensBlock(n int) bool {
	i := p.i + n
	headVar := false
	if i < len(p.toks) && p.toks[i].kind == tLParen && !p.toks[i].first {
		headVar = i+2 < len(p.toks) && p.toks[i+1].kind == tName && p.toks[i+2].kind == tColon
		if i = p.matched(i); i < 0 {
			return false
		}
	}
	t := p.toks[min(i, len(p.toks)-1)]
	if t.first {
		return headVar || t.indent.deeper(p.tok.indent)
	}
	return t.kind == tColon || headVar && t.kind == tEOF
}

// quantArgs parses the arguments of a quantifier. A typed variable there is a
// mistake that means a line of the block.
func (p *parser) quantArgs(q *QuantCond) []Cond {
	if p.ahead(1) == tName && p.ahead(2) == tColon {
		p.soft(p.here(), codeHeader, "write it on a line of its own in the block", "typed variable in the head of a quantifier")
		x := p.paren()
		return []Cond{&ExprCond{extent: extent{span: x.Span()}, X: x}}
	}
	open := p.tok
	q.Args = p.args()
	if q.Quant != Count {
		p.soft(p.span(int(open.start), p.prevEnd), codeHeader, "", "%s takes no arguments", [...]string{"count", "forall", "exists"}[q.Quant])
	}
	return nil
}
