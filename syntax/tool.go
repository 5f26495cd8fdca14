// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isTool reports whether a tool pattern stands next: `tool:` and, without a
// space, a name or string. In parentheses `(tool:Tool)` is a typed variable:
// the names of types begin with a capital letter or are those of Python.
func (p *parser) isTool() bool {
	if !p.is("tool") || p.peek(1).kind != tColon {
		return false
	}
	colon, name := p.peek(1), p.peek(2)
	if p.i > 0 && p.toks[p.i-1].kind == tIs || p.i > 1 && p.toks[p.i-1].kind == tNot && p.toks[p.i-2].kind == tIs {
		return true
	}
	if colon.start != p.tok.end || name.start != colon.end {
		return false
	}
	if name.kind == tString {
		return true
	}
	return name.kind.isWord() && !(p.i > 0 && p.toks[p.i-1].kind == tLParen && p.peek(3).kind == tRParen && typeLike(p.text(name)))
}

// typeLike reports whether a name looks like that of a type.
func typeLike(name string) bool {
	switch name {
	case "str", "int", "float", "bool", "list", "dict":
		return true
	}
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// tool parses a tool pattern.
//
//	tool = "tool" ":" ( WORD | STRING ) [ "(" pattern [ "," ] ")" ] .
func (p *parser) tool() Expr {
	start := int(p.tok.start)
	p.advance()
	p.advance()
	t := &ToolPattern{}
	if p.prevEnd != int(p.tok.start) && p.tok.kind != tNewline {
		p.soft(p.span(p.prevEnd, int(p.tok.start)), codeTool, "", `space after "tool:"`)
	}
	if !p.toolName(t) {
		return p.bounded(&BadExpr{p.from(start)})
	}
	if p.tok.kind == tLParen {
		p.toolArgs(t)
	}
	if t.Args != nil {
		t.extent = p.join(start, t.Args)
	} else {
		t.extent = p.join(start)
	}
	return p.bounded(t)
}

// toolName parses the name in a tool pattern; false if there is none.
func (p *parser) toolName(t *ToolPattern) bool {
	switch tok := p.tok; {
	case tok.kind == tString:
		lit, plain := p.stringLit().(*StringLit)
		t.NameAt = p.span(int(tok.start), p.prevEnd)
		if !plain {
			p.soft(t.NameAt, codeTool, "", "name of a tool is an f-string")
			return false
		}
		t.Name = lit.Value
	case tok.kind.isWord() && p.roughEnd() == int(tok.end):
		t.Name, t.NameAt = p.text(tok), tok.span(p)
		p.advance()
	case tok.kind.isWord() || tok.kind == tInt || tok.kind == tFloat:
		p.roughName(t)
	case tok.kind == tStar:
		p.fail(p.here(), codeTool, "every call matches already; leave the condition out", `got "*", want the name of a tool`)
		p.advance() // as an operator it would take in the next line
		return false
	default:
		p.unexpected("the name of a tool")
		return false
	}
	return true
}

// roughEnd returns where the name that begins at the next token would end if
// it could hold the characters that tools have in their names.
func (p *parser) roughEnd() int {
	src := p.file.Src
	end := int(p.tok.start)
	for end < len(src) {
		r, n := utf8.DecodeRune(src[end:])
		if !isWordRune(r, false) && !strings.ContainsRune("-./:", r) {
			break
		}
		end += n
	}
	for end > int(p.tok.end) && strings.IndexByte("-./:", src[end-1]) >= 0 {
		end--
	}
	return max(end, int(p.tok.end))
}

// roughName takes a name that needs quotes and reports it.
func (p *parser) roughName(t *ToolPattern) {
	start, end := int(p.tok.start), p.roughEnd()
	t.NameAt = p.span(start, end)
	t.Name = t.NameAt.Text()
	p.soft(t.NameAt, codeTool, fmt.Sprintf("write tool:%q", t.Name), "name of the tool needs quotes")
	for p.tok.kind != tEOF && p.tok.kind != tNewline && int(p.tok.start) < end {
		p.advance()
	}
}

// toolArgs parses the argument pattern of a tool pattern.
//
//	pattern = "{" [ pattern_entry { "," pattern_entry } [ "," ] ] "}" .
//	pattern_entry = ( WORD | STRING ) ":" pattern_value .
func (p *parser) toolArgs(t *ToolPattern) {
	p.openBracket()
	switch {
	case p.tok.kind == tLBrace:
		t.Args = p.dict(p.patternValue).(*DictLit)
	case p.tok.kind == tRParen:
		p.soft(p.here(), codePattern, "leave the parentheses out, or write ({name: value})", `got ")", want an argument pattern`)
	case p.tok.kind == tStar:
		p.fail(p.here(), codePattern, "leave the parentheses out, which matches any arguments, or write ({name: *})", `got "*", want an argument pattern in braces`)
	case p.tok.kind.isWord():
		p.fail(p.here(), codePattern, "write ({name: value})", "got %s, want an argument pattern in braces", p.got1())
	default:
		p.unexpected(`an argument pattern: "{"`)
	}
	if p.got(tComma) && p.tok.kind != tRParen {
		p.fail(p.here(), codePattern, "one pattern names all the arguments that matter; the others are free", "a tool has one argument pattern")
	}
	p.closeBracket("")
}

// patternValue parses a value in an argument pattern. Lists and dicts are
// patterns in turn, unless they are operands.
//
//	pattern_value = "*" | value_class | pattern | pattern_list | expr .
//	pattern_list = "[" [ pattern_value { "," pattern_value } [ "," ] ] "]" .
//	value_class = "<" NAME ">" .
func (p *parser) patternValue() Expr {
	t := p.tok
	if !p.enter(p.here()) {
		return p.badExpr()
	}
	defer p.leave()
	switch {
	case t.kind == tStar:
		p.advance()
		return &Wildcard{p.leaf(t)}
	case t.kind == tLt:
		return p.valueClass()
	case t.kind == tLBrack && p.endsValue():
		return p.list(p.patternValue)
	case t.kind == tLBrace && p.endsValue():
		return p.dict(p.patternValue)
	default:
		return p.expr()
	}
}

// endsValue reports whether the bracket that stands next holds a whole value.
func (p *parser) endsValue() bool {
	end := p.matched(p.i)
	if end < 0 {
		return true
	}
	k := p.toks[end].kind
	return k == tComma || k.isClose() || k == tEOF
}

// valueClass parses a value class.
func (p *parser) valueClass() Expr {
	start := int(p.tok.start)
	p.advance()
	if p.tok.kind != tName {
		p.unexpected("the name of a value class")
		return &BadExpr{p.from(start)}
	}
	c := &ValueClass{Name: p.text(p.tok)}
	p.advance()
	if !p.got(tGt) {
		p.unexpected(`">"`)
	}
	c.extent = p.from(start)
	return c
}

// misplacedPattern reports what only an argument pattern can hold; nil if that
// is not what stands here.
func (p *parser) misplacedPattern() Expr {
	const help = `it stands in the argument pattern of a tool: tool:name({key: %s})`
	start := int(p.tok.start)
	switch next := p.peek(1).kind; {
	case p.tok.kind == tStar && (next == tComma || next.isClose()):
		p.soft(p.here(), codePattern, fmt.Sprintf(help, "*"), `"*" outside an argument pattern`)
		p.advance()
	case p.tok.kind == tStar && (p.peek(1).first || next == tEOF):
		p.fail(p.here(), codePattern, fmt.Sprintf(help, "*"), `"*" outside an argument pattern`)
		p.advance() // as an operator it would take in the next line
	case p.tok.kind == tLt && next == tName && p.peek(2).kind == tGt:
		class := p.span(start, int(p.peek(2).end))
		p.soft(class, codePattern, fmt.Sprintf(help, class.Text()), "value class outside an argument pattern")
		p.advance()
		p.advance()
		p.advance()
	default:
		return nil
	}
	return &BadExpr{p.from(start)}
}
