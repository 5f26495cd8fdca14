// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "math"

// Layout. A logical line ends before a token that is the first of its physical
// line, unless a bracket is open, the last token is a binary operator, or the
// token is `and` or `or`. Depth matters within blocks only: a block is the
// lines after its header that are indented deeper than it. At the top level a
// statement may stand at any depth, so a common indent of the whole file means
// nothing, and a file may be indented in part.

// breaks reports whether a logical line ends before token i.
func (p *parser) breaks(i int) bool {
	t := &p.toks[i]
	switch {
	case t.kind == tEOF:
		return true
	case !t.first:
		return false
	case t.kind == tRaise || t.kind == tImport || t.kind == tFrom:
		return true
	case i == 0:
		return false
	}
	last := p.toks[i-1].kind
	if t.kind == tAnd || t.kind == tOr {
		return last == tColon || last == tDefine
	}
	return !p.goesOn(i - 1)
}

// goesOn reports whether token i, the last of its line, is a binary operator.
func (p *parser) goesOn(i int) bool {
	switch k := p.toks[i].kind; k {
	case tNot:
		return i > 0 && p.toks[i-1].kind == tIs
	case tForeign:
		return foreigners[p.text(p.toks[i])].op != Not
	default:
		return binaryOps[k] != NoOp
	}
}

// endLine ends a logical line: what is left of it is reported. The line began
// at the indent at.
func (p *parser) endLine(at indent) {
	if p.tok.kind != tNewline && p.tok.kind != tEOF {
		p.unexpected("the end of the line")
	}
	if p.broken {
		p.sync(at)
	}
	p.got(tNewline)
}

// sync leaves a broken line: it goes to the next line that is indented no
// deeper than at. If the line broke inside a bracket that is closed later, it
// goes on from there.
func (p *parser) sync(at indent) {
	if p.broken && p.outer >= 0 {
		p.i = max(p.i, int(p.toks[p.outer].match))
	}
	if p.i == p.line && p.toks[p.i].kind != tEOF {
		p.i++ // nothing of the line could be read
	}
	p.open, p.broken, p.verbLine = nil, false, false
	for p.toks[p.i].kind != tEOF && !p.resumes(p.toks[p.i], at) {
		p.i++
	}
	if p.i > 0 {
		p.prevEnd = max(p.prevEnd, int(p.toks[p.i-1].end))
	}
	p.tok = p.toks[p.i]
}

// skipLine leaves a broken line for the next one, whatever its indent.
func (p *parser) skipLine() { p.sync(indent{math.MaxInt32, math.MaxInt32}) }

// resumes reports whether a line that begins with t can be read after a broken
// one. One that begins with a closing bracket belongs to what was broken.
func (p *parser) resumes(t token, at indent) bool {
	if t.kind == tRaise && t.first {
		return true
	}
	return t.first && !t.indent.deeper(at) && !t.kind.isClose() && t.kind != tAnd && t.kind != tOr
}

// matched returns the index after the bracket that closes the one at i, or -1.
func (p *parser) matched(i int) int {
	if i >= len(p.toks) || p.toks[i].match < 0 {
		return -1
	}
	return int(p.toks[i].match) + 1
}

// deeperBlock reports whether the next token begins a line that is indented
// deeper than at.
func (p *parser) deeperBlock(at indent) bool {
	t := p.peek(0)
	return t.kind != tEOF && t.first && t.indent.deeper(at)
}
