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

// advice is the help for common mistakes that only the token tells.
func (p *parser) advice(want string) string {
	switch t := p.tok; {
	case want == anExpr && t.kind == tNot:
		return `put "not …" in parentheses`
	case want == anExpr && t.kind == tSlashSlash:
		return `comments begin with "#"`
	case want == anExpr && p.leadingOperator() && t.first:
		return `a line goes on if it ends in an operator, or if the next one begins with "and" or "or"`
	case want == lineEnd && t.kind == tColon:
		return "only rules, predicates and quantifiers open a block, each on a line of its own"
	case want == lineEnd && t.kind == tIf:
		return `a choice is written "a if c else b"`
	}
	return ""
}

// Phrases for what is wanted.
const (
	anExpr  = "an expression"
	lineEnd = "the end of the line"
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

// foreignWords are words that begin lines in other languages.
var foreignWords = map[string]string{
	"def":    "a predicate is written: name(x: T) := condition",
	"else":   "a rule has no other branch; write a second rule",
	"elif":   "a rule has no other branch; write a second rule",
	"if":     "write the condition alone; all lines of a block must hold",
	"unless": `write "not" before the condition`,
	"while":  "the language has no loops; typed variables range over the trace",
	"for":    "the language has no loops; typed variables range over the trace",
	"return": "a predicate is its conditions; write them alone",
	"let":    "a binding is written: name := expression",
	"var":    "a binding is written: name := expression",
	"const":  "a constant is written: NAME := expression",
	"class":  "types are built in",
	"assert": "write the condition alone",
	"lambda": "a predicate is written: name(x: T) := condition",
	"pass":   "a block needs a condition",
	"deny":   `rules begin with "raise", "ask" or "warn"`,
	"block":  `rules begin with "raise", "ask" or "warn"`,
	"allow":  `what no rule forbids is allowed; rules begin with "raise", "ask" or "warn"`,
}

// foreignLine reports a line that begins with a word of another language. The
// word must not be used as a name: it is followed by something a name is not
// followed by.
func (p *parser) foreignLine() bool {
	if !p.tok.kind.isWord() {
		return false
	}
	help, ok := foreignWords[p.text(p.tok)]
	if !ok || p.tok.kind == tName && !p.wordAlone() {
		return false
	}
	p.fail(p.here(), codeStmt, help, "%q begins no line of the language", p.text(p.tok))
	return true
}

// wordAlone reports whether the next token, a name, is followed by what cannot
// follow a name in an expression.
func (p *parser) wordAlone() bool {
	switch k := p.ahead(1); k {
	case tName, tString, tColon, tInt, tFloat, tTrue, tFalse, tNone:
		return true
	case tNewline:
		return p.text(p.tok) == "pass"
	default:
		return false
	}
}

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
