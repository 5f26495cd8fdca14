// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package syntax reads the policy language: it turns the source of a policy
// into a tree. The checker, the formatter and the language server use it.
//
// Parse always returns a tree, with BadStmt and BadExpr where something could
// not be read, and reports every mistake it finds with its place. The grammar
// stands in grammar.txt; each parse function carries its production. Nodes
// know their place and nothing else: what a name means is the checker's to say.
package syntax

// The parser is recursive descent over a slice of tokens, with precedence
// climbing for operators. Layout is decided here: see layout.go. A mistake is
// either soft, when it is clear what was meant (`=` for `==`) and parsing goes
// on as if that stood there, or it breaks the line: then nothing more is
// reported until the parser has found the next line that is indented no deeper
// than the one it broke in. Parse functions return a node in any case and
// consume at least one token for each node of a list, so they end on any input.

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/diag"
)

// Bounds on what a policy may be. They keep the parser and everything that
// walks its tree from running out of stack or time.
const (
	maxSource = 1 << 20 // bytes of a file
	maxNest   = 200     // blocks and expressions within one another
	maxHeight = 1000    // nodes from an expression to its deepest part
	maxDiags  = 100     // after which a file is given up
)

// parser holds the state of one parse.
type parser struct {
	file    *diag.File
	toks    []token
	i       int   // index of the next token in toks
	tok     token // the next token, or tNewline before it
	prevEnd int   // end of the last token that was consumed

	open   []int32 // indexes of the brackets around the next token
	depth  int     // blocks and expressions around it
	broken bool    // this line holds a mistake that was reported
	line   int     // index of the token that begins this line
	outer  int32   // index of the outermost bracket it broke in, -1 if none
	diags  diag.List

	verbLine bool // in a rule's raise expression, where `if` may be the rule's

	aliases map[string]Quant // names that imports gave to quantifiers, with 1 added
}

// Parse reads a policy file. The tree is never nil; it has all that could be
// read. The list holds the mistakes, in order, and is nil if there are none.
func Parse(file *diag.File) (*File, diag.List) {
	tree := &File{Source: file}
	p := &parser{file: file}
	if len(file.Src) > maxSource {
		p.soft(p.span(0, 0), codeSize, "split it into files and import their predicates", "policy has %d bytes, want at most %d", len(file.Src), maxSource)
		return tree, p.diags
	}
	p.checkUTF8()
	start := 0
	if bytes.HasPrefix(file.Src, []byte("\uFEFF")) {
		start = len("\uFEFF")
	}
	s := scan(file, start, len(file.Src), p.add)
	p.toks, tree.Comments = s.toks, s.comments
	p.tok, p.prevEnd = p.toks[0], start
	tree.Stmts = p.stmts()
	docs(tree)
	if p.diags == nil {
		return tree, nil
	}
	return tree, p.diags.Sorted()
}

// Span returns the place of the whole file.
func (f *File) Span() diag.Span {
	return diag.Span{File: f.Source, Start: 0, End: len(f.Source.Src)}
}

// checkUTF8 reports the first byte of a file that is no UTF-8.
func (p *parser) checkUTF8() {
	src := p.file.Src
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			p.soft(p.span(i, i+1), codeUTF8, "save the file as UTF-8", "byte 0x%02X is not UTF-8", src[i])
			return
		}
		i += n
	}
}

// docs gives each rule and parameter the block of comments that stands directly
// above it.
func docs(tree *File) {
	byLine := map[int]*Comment{}
	for _, c := range tree.Comments {
		if c.Own {
			line, _ := c.span.Position()
			byLine[line] = c
		}
	}
	for _, s := range tree.Stmts {
		doc := docOf(s)
		if doc == nil {
			continue
		}
		line, _ := s.Span().Position()
		for line--; byLine[line] != nil; line-- {
			*doc = append(*doc, byLine[line])
		}
		slices.Reverse(*doc)
	}
}

// docOf returns where a statement keeps the comments above it; nil if it is
// none of those that do.
func docOf(s Stmt) *[]*Comment {
	switch s := Node(s).(type) {
	case *Rule:
		return &s.Doc
	case *Input:
		return &s.Doc
	}
	return nil
}

// advance consumes the next token.
func (p *parser) advance() {
	switch {
	case p.tok.kind == tEOF:
		return
	case p.tok.kind == tNewline:
		p.tok = p.toks[p.i]
		return
	}
	p.prevEnd = int(p.tok.end)
	p.i++
	if len(p.open) == 0 && p.breaks(p.i) {
		p.tok = token{kind: tNewline, start: int32(p.prevEnd), end: int32(p.prevEnd), match: -1}
		return
	}
	p.tok = p.toks[p.i]
}

// peek returns the token n after the next one, whatever line it stands on.
func (p *parser) peek(n int) token { return p.toks[min(p.i+n, len(p.toks)-1)] }

// ahead returns the kind of the token n after the next one, or tNewline if it
// begins a line.
func (p *parser) ahead(n int) kind {
	if t := p.peek(n); !t.first || len(p.open) > 0 {
		return t.kind
	}
	return tNewline
}

// got consumes the next token if it is of kind k.
func (p *parser) got(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

// openBracket consumes an opening bracket, within which newlines are free.
func (p *parser) openBracket() {
	p.open = append(p.open, int32(p.i))
	p.advance()
}

// closeBracket consumes the bracket that closes the innermost open one, or
// reports that it is missing. want says what else could stand there.
func (p *parser) closeBracket(want string) {
	opened := p.open[len(p.open)-1]
	k := closer[p.toks[opened].kind]
	if p.tok.kind != k {
		p.unclosed(opened, k, want)
		p.open = p.open[:len(p.open)-1]
		return
	}
	p.open = p.open[:len(p.open)-1]
	p.advance()
}

// enter goes one level down; false, with a report, if that is too deep.
// Whoever entered leaves.
func (p *parser) enter(at diag.Span) bool {
	if p.depth >= maxNest {
		p.fail(at, codeDepth, "move the inner part into a predicate or a constant", "policy nests deeper than %d levels", maxNest)
		return false
	}
	p.depth++
	return true
}

// leave goes one level up.
func (p *parser) leave() { p.depth-- }

// text returns the source of a token.
func (p *parser) text(t token) string { return string(p.file.Src[t.start:t.end]) }

// is reports whether the next token is the name word.
func (p *parser) is(word string) bool { return p.tok.kind == tName && p.text(p.tok) == word }

// span makes a span of the file.
func (p *parser) span(start, end int) diag.Span {
	return diag.Span{File: p.file, Start: start, End: end}
}

// span returns the place of a token.
func (t token) span(p *parser) diag.Span { return p.span(int(t.start), int(t.end)) }

// leaf is the extent of a node that is one token.
func (p *parser) leaf(t token) extent { return extent{span: t.span(p), height: 1} }

// from is the extent of a node that began at start and ends here.
func (p *parser) from(start int) extent {
	return extent{span: p.span(start, max(start, p.prevEnd)), height: 1}
}

// join is the extent of an expression that began at start, ends here and has
// the given parts, of which some may be nil.
func (p *parser) join(start int, parts ...Expr) extent {
	ext := p.from(start)
	for _, x := range parts {
		if x != nil {
			ext.height = max(ext.height, x.tall()+1)
		}
	}
	return ext
}

// bounded returns x, or a BadExpr in its place if it is too high: whoever
// walks a tree by recursion can rely on the bound, in a tree with errors too.
func (p *parser) bounded(x Expr) Expr {
	if x.tall() <= maxHeight {
		return x
	}
	p.fail(x.Span(), codeDepth, "split it with predicates, or write a list", "expression has more than %d operations in a row", maxHeight)
	return &BadExpr{extent{span: x.Span(), height: 1}}
}
