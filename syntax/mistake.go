// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"fmt"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
)

// The codes of this phase; package diag documents them.
const (
	codeUTF8      = "P0101"
	codeSize      = "P0102"
	codeCharacter = "P0103"
	codeString    = "P0104"
	codeEscape    = "P0105"
	codeNumber    = "P0106"
	codeTabs      = "P0107"
	codeIndent    = "P0108"
	codeFlat      = "P0109"
	codeEmpty     = "P0110"
	codeExpected  = "P0111"
	codeBracket   = "P0112"
	codeChain     = "P0113"
	codeForeign   = "P0114"
	codeStmt      = "P0115"
	codeInside    = "P0116"
	codePattern   = "P0117"
	codeDepth     = "P0118"
	codeHeader    = "P0119"
	codeFString   = "P0120"
	codeTool      = "P0121"
	codeBinding   = "P0122"
)

// add appends a diagnostic, up to the bound.
func (p *parser) add(d diag.Diagnostic) {
	if len(p.diags) < maxDiags {
		p.diags = append(p.diags, d)
	}
}

// soft reports a mistake whose meaning is clear: parsing goes on. In a broken
// line it says nothing.
func (p *parser) soft(at diag.Span, code, help, format string, args ...any) {
	if !p.broken {
		p.add(diag.Diagnostic{Code: code, Span: at, Message: fmt.Sprintf(format, args...), Help: help})
	}
}

// fail reports a mistake that breaks the line.
func (p *parser) fail(at diag.Span, code, help, format string, args ...any) {
	p.soft(at, code, help, format, args...)
	p.breakLine()
}

// breakLine notes that nothing more can be read for certain in this line.
func (p *parser) breakLine() {
	if p.broken {
		return
	}
	p.broken, p.outer = true, -1
	if len(p.open) > 0 {
		p.outer = p.open[0]
	}
}

// unexpected reports that the next token is not what is wanted, and breaks the
// line. What the scanner could not read has been reported.
func (p *parser) unexpected(want string) {
	switch {
	case p.tok.kind == tBad:
		p.breakLine()
	case p.tok.kind == tForeign:
		text := p.text(p.tok)
		p.fail(p.here(), codeForeign, foreigners[text].advice, "operator %q is not part of the language", text)
	case p.tok.kind.isClose() && p.tok.match < 0 && len(p.open) == 0:
		p.fail(p.here(), codeBracket, "", "%s closes nothing", p.got1())
	default:
		p.fail(p.here(), codeExpected, p.advice(want), "got %s, want %s", p.got1(), want)
	}
}

// Phrases for what is wanted.
const (
	anExpr  = "an expression"
	lineEnd = "the end of the line"
	ifColon = `"if:"`
)

// here is the place of the next token; if that stands on another line, the
// end of this one.
func (p *parser) here() diag.Span {
	if t := p.tok; t.kind != tNewline && t.kind != tEOF && (!t.first || len(p.open) == 0 || p.i == 0) {
		return t.span(p)
	}
	return p.span(p.prevEnd, p.prevEnd)
}

// got1 names the next token.
func (p *parser) got1() string {
	t := p.tok
	switch t.kind {
	case tEOF:
		if len(p.open) > 0 && p.open[0] < 0 {
			return `"}"` // the end of a field
		}
		return "the end of the file"
	case tNewline:
		return "the end of the line"
	case tString:
		return "a string"
	case tInt, tFloat:
		return "a number"
	case tName:
		return fmt.Sprintf("name %q", clip(p.text(t)))
	}
	return fmt.Sprintf("%q", clip(p.text(t)))
}

// unclosed reports that the bracket opened at token index opened is not closed
// by k where it should be. A bracket that nothing closes is the mistake itself;
// otherwise the mistake is what stands here.
func (p *parser) unclosed(opened int32, k kind, want string) {
	if p.tok.kind == tForeign || opened < 0 {
		p.unexpected(want)
		return
	}
	o := p.toks[opened]
	sign := map[kind]string{tRParen: `")"`, tRBrack: `"]"`, tRBrace: `"}"`}[k]
	if want != "" {
		want += " or "
	}
	d := diag.Diagnostic{Code: codeBracket}
	if o.match < 0 {
		d.Span, d.Message = o.span(p), fmt.Sprintf("%q is not closed", p.text(o))
		d.Notes = []diag.Note{{Span: p.here(), Text: fmt.Sprintf("want %s%s here, got %s", want, sign, p.got1())}}
	} else {
		d.Span, d.Message = p.here(), fmt.Sprintf("got %s, want %s%s", p.got1(), want, sign)
		d.Notes = []diag.Note{{Span: o.span(p), Text: fmt.Sprintf("%q is opened here", p.text(o))}}
	}
	if !p.broken && p.tok.kind != tBad {
		p.add(d)
	}
	p.breakLine()
}

// badExpr stands where an expression is missing; it consumes nothing.
func (p *parser) badExpr() Expr { return &BadExpr{p.from(p.prevEnd)} }

// nearWord proposes one of the words that could begin a line here.
func nearWord(word string, candidates ...string) string {
	if near := diag.Nearest(word, candidates); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// rewriteChain shows how a chain of comparisons is written, if it is short.
func rewriteChain(a Expr, op1 Op, b Expr, op2 Op, c Expr) string {
	x, y, z := a.Span().Text(), b.Span().Text(), c.Span().Text()
	text := fmt.Sprintf("%s %s %s and %s %s %s", x, op1, y, y, op2, z)
	if len(text) > 80 || strings.Contains(text, "\n") {
		return `join two comparisons with "and", or write them on two lines`
	}
	return fmt.Sprintf("write %q", text)
}
