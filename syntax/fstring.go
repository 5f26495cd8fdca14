// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import (
	"bytes"
	"strings"
)

// stringLit parses one or more adjacent string literals; one f-string among
// them makes the whole an f-string.
//
//	string = ( STRING | f_string ) { STRING | f_string } .
func (p *parser) stringLit() Expr {
	start := p.tok
	var lit literal
	formatted := false
	for p.tok.kind == tString {
		seg := p.stringSegment(p.tok)
		p.advance()
		if seg.fstr {
			formatted = true
			p.fstring(seg, &lit)
		} else {
			lit.text.WriteString(p.unescape(seg, seg.span.Start, seg.span.End))
		}
	}
	if !formatted {
		ext := p.from(int(start.start))
		return &StringLit{extent: ext, Value: lit.text.String(), Raw: ext.span.Text()}
	}
	lit.flush()
	ext := p.join(int(start.start), lit.fields()...)
	return p.bounded(&FString{extent: ext, Parts: lit.parts, Raw: ext.span.Text()})
}

// literal collects the parts of a string.
type literal struct {
	parts []FPart
	text  strings.Builder // after the last field
}

// flush ends a stretch of text.
func (l *literal) flush() {
	if l.text.Len() > 0 {
		l.parts = append(l.parts, FPart{Text: l.text.String()})
		l.text.Reset()
	}
}

// fields returns the expressions of a string.
func (l *literal) fields() []Expr {
	var xs []Expr
	for _, part := range l.parts {
		if part.X != nil {
			xs = append(xs, part.X)
		}
	}
	return xs
}

// fstring splits an f-string into text and replacement fields.
//
//	f_string = F_OPEN { F_TEXT | field } F_CLOSE .
func (p *parser) fstring(seg segment, lit *literal) {
	src := p.file.Src
	text := seg.span.Start
	for i := seg.span.Start; i < seg.span.End; {
		c := src[i]
		double := i+1 < seg.span.End && src[i+1] == c
		switch {
		case c == '\\' && !seg.raw:
			i += escapeLen(src[i:seg.span.End])
		case (c == '{' || c == '}') && double:
			lit.text.WriteString(p.unescape(seg, text, i+1))
			i += 2
			text = i
		case c == '}':
			p.soft(p.span(i, i+1), codeFString, `write "}}" for the character`, `"}" closes nothing in the f-string`)
			i++
		case c == '{':
			lit.text.WriteString(p.unescape(seg, text, i))
			lit.flush()
			var part FPart
			part, i = p.field(seg, i)
			lit.parts = append(lit.parts, part)
			text = i
		default:
			i++
		}
	}
	lit.text.WriteString(p.unescape(seg, text, seg.span.End))
}

// maxCharName bounds the names of characters, of which the longest has 88
// letters.
const maxCharName = 100

// escapeLen is the length of the escape that src begins with, as far as
// splitting goes: one by name holds braces that open no field.
func escapeLen(src []byte) int {
	if len(src) > 2 && src[1] == 'N' && src[2] == '{' {
		if n := bytes.IndexByte(src[:min(len(src), maxCharName)], '}'); n > 0 {
			return n + 1
		}
	}
	return min(2, len(src))
}

// field parses the replacement field whose brace stands at open, and returns
// where the text goes on.
//
//	field = "{" expr [ ":" SPEC ] "}" .
func (p *parser) field(seg segment, open int) (FPart, int) {
	f := splitField(p.file.Src[:seg.span.End], open+1)
	bad := &BadExpr{extent: extent{span: p.span(open+1, f.exprEnd), height: 1}}
	part := FPart{X: bad}
	switch {
	case f.problem != "":
		p.soft(p.span(f.at, f.at+1), codeFString, f.help, "%s", f.problem)
	case strings.TrimSpace(string(p.file.Src[open+1:f.exprEnd])) == "":
		p.soft(p.span(open, f.end), codeFString, `write "{{" for the character`, "field without an expression in the f-string")
	default:
		part.X = p.subExpr(open+1, f.exprEnd)
		part.Format = p.unescape(seg, f.specStart, f.specEnd)
	}
	return part, f.end
}

// fieldRange says where the parts of a field stand.
type fieldRange struct {
	exprEnd            int
	specStart, specEnd int
	end                int // after the closing brace
	at                 int // of the problem
	problem, help      string
}

// splitField finds the ends of the field whose expression begins at start.
func splitField(src []byte, start int) fieldRange {
	depth := 0
	var quote byte
	for i := start; i < len(src); i++ {
		c := src[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '\\' || c == '#':
			return badField(src, i, "\""+string(c)+"\" in a field of an f-string", "bind the expression to a name on a line of its own")
		case c == '}' && depth == 0:
			return fieldRange{exprEnd: i, specStart: i, specEnd: i, end: i + 1}
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == '!' && depth == 0 && (i+1 == len(src) || src[i+1] != '='):
			return badField(src, i, "conversions such as !r are not part of the language", "")
		case c == ':' && depth == 0 && !afterTool(src[start:i]):
			return splitSpec(src, i)
		}
	}
	return fieldRange{
		exprEnd: len(src), end: len(src), at: start - 1,
		problem: `"{" is not closed in the f-string`, help: `write "{{" for the character`,
	}
}

// afterTool reports whether the colon that follows expr is that of a tool
// pattern.
func afterTool(expr []byte) bool {
	text := strings.TrimSpace(string(expr))
	return strings.HasSuffix(text, "is tool") || strings.HasSuffix(text, "is not tool")
}

// splitSpec finds the end of the field whose format spec follows the colon.
func splitSpec(src []byte, colon int) fieldRange {
	f := fieldRange{exprEnd: colon, specStart: colon + 1}
	for i := colon + 1; i < len(src); i++ {
		switch src[i] {
		case '{':
			return badField(src, i, "field inside a format spec", "")
		case '}':
			f.specEnd, f.end = i, i+1
			return f
		}
	}
	return badField(src, colon, `"{" is not closed in the f-string`, "")
}

// badField is a field with a problem at i; it goes up to its closing brace.
func badField(src []byte, i int, problem, help string) fieldRange {
	f := fieldRange{exprEnd: i, end: len(src), at: i, problem: problem, help: help}
	depth := 1
	for ; i < len(src); i++ {
		switch src[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				f.end = i + 1
				return f
			}
		}
	}
	return f
}

// subExpr parses the expression that stands at [start, end) inside a literal.
func (p *parser) subExpr(start, end int) Expr {
	s := scan(p.file, start, end, p.add)
	if !p.enter(p.span(start, end)) {
		return &BadExpr{extent: extent{span: p.span(start, end), height: 1}}
	}
	defer p.leave()
	// Inside a field newlines are free, as in brackets.
	sub := &parser{file: p.file, toks: s.toks, diags: p.diags, depth: p.depth, broken: p.broken, open: []int32{-1}, prevEnd: start}
	sub.tok = sub.toks[0]
	x := sub.expr()
	if sub.tok.kind != tEOF {
		sub.unexpected(`"}"`)
	}
	if p.diags = sub.diags; sub.broken {
		p.breakLine()
	}
	return x
}
