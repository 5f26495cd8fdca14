// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import "fmt"

// Bounds of the tree. CPython has its own; programs come near neither.
const (
	maxRecursion = 1000
	maxDepth     = 2000
)

// A parser makes a tree of tokens by recursive descent. What is expected and
// not there is noted, and the parser goes on as if it had been.
type parser struct {
	text  string
	toks  []token
	i     int
	last  int // end of the last token that is code
	errs  errors
	level int     // of recursion
	deep  []*Node // what was too deep to have a place in the tree
	nodes []Node  // to make nodes from, many at a time
	kids  []*Node
}

func (p *parser) kind() kind        { return p.toks[p.i].kind }
func (p *parser) at(k kind) bool    { return p.toks[p.i].kind == k }
func (p *parser) start() int        { return int(p.toks[p.i].start) }
func (p *parser) word(i int) string { return p.text[p.toks[i].start:p.toks[i].end] }

// peek returns the kind of the n-th token from here.
func (p *parser) peek(n int) kind {
	return p.toks[min(p.i+n, len(p.toks)-1)].kind
}

// next passes a token and returns its text.
func (p *parser) next() string {
	t := p.toks[p.i]
	switch t.kind {
	case kEOF:
		return ""
	case kNewline, kIndent, kDedent:
	default:
		p.last = int(t.end)
	}
	p.i++
	return p.text[t.start:t.end]
}

func (p *parser) accept(k kind) bool {
	if p.kind() != k {
		return false
	}
	p.next()
	return true
}

// expect passes a token that must stand here.
func (p *parser) expect(k kind, message string) bool {
	if p.accept(k) {
		return true
	}
	p.fail(message)
	return false
}

// close passes the bracket behind a last element. Another expression there
// lacks a comma.
func (p *parser) close(k kind, last *Node) {
	if p.accept(k) {
		return
	}
	if last != nil && p.lacksComma(last) {
		p.failf(last.Start, forgotten)
		return
	}
	p.unexpected()
}

func (p *parser) lacksComma(last *Node) bool {
	switch last.Kind {
	case Missing, Star, DoubleStar, Keyword, NamedExpr, Bad:
		return false
	case Name:
		if p.at(kString) || last.Name == "match" || last.Name == "case" || last.Name == "type" || last.Name == "_" {
			return false
		}
	}
	switch k := p.kind(); k {
	case kStar, kDoubleStar, kYield, kTick:
		return false
	default:
		return startsExpression(k)
	}
}

func (p *parser) unexpected() { p.fail(invalid) }

// fail notes an error at the token at hand.
func (p *parser) fail(message string) { p.errs.add(p.start(), message) }

func (p *parser) failf(at int, format string, args ...any) {
	if !p.errs.full() {
		p.errs.put(Error{Offset: at, Message: fmt.Sprintf(format, args...), seen: max(at, p.start())})
	}
}

// name passes a name and returns it as CPython knows it; "" if there is none.
func (p *parser) name() string {
	if !p.at(kName) {
		p.unexpected()
		return ""
	}
	return fold(p.next())
}

// nameNode passes a name.
func (p *parser) nameNode() *Node {
	if !p.at(kName) {
		p.unexpected()
		return p.missing()
	}
	start := p.start()
	n := p.leaf(Name, start)
	n.Name = fold(p.next())
	n.End = p.last
	return n
}

// bound passes a name that is bound to something.
func (p *parser) bound() *Node {
	n := p.nameNode()
	if n.Kind == Name {
		n.Kind = Bound
	}
	return n
}

func (p *parser) alloc() *Node {
	if len(p.nodes) == 0 {
		p.nodes = make([]Node, 128)
	}
	n := &p.nodes[0]
	p.nodes = p.nodes[1:]
	return n
}

// list copies nodes into a slice of their own.
func (p *parser) list(nodes []*Node) []*Node {
	if len(nodes) == 0 {
		return nil
	}
	if len(nodes) > len(p.kids) {
		p.kids = make([]*Node, max(256, len(nodes)))
	}
	out := p.kids[:len(nodes):len(nodes)]
	p.kids = p.kids[len(nodes):]
	copy(out, nodes)
	return out
}

// leaf makes a node without children that ends at the last token.
func (p *parser) leaf(k Kind, start int) *Node {
	n := p.alloc()
	n.Kind, n.Start, n.End = k, start, max(start, p.last)
	return n
}

// missing stands for an operand that is not there.
func (p *parser) missing() *Node {
	n := p.alloc()
	n.Kind, n.Start, n.End = Missing, p.start(), p.start()
	return n
}

// node makes a node that ends at the last token. Of a tree that would be too
// deep the children are put aside, so that nothing of them is lost.
func (p *parser) node(k Kind, start int, kids ...*Node) *Node {
	n := p.leaf(k, start)
	var depth uint16
	for _, kid := range kids {
		depth = max(depth, kid.depth)
	}
	if depth >= maxDepth && k >= Missing {
		p.failf(start, "too many nested expressions")
		p.deep = append(p.deep, kids...)
		n.Flags |= Unnested
		n.Kind = Bad
		return n
	}
	n.depth = depth + 1
	n.Kids = p.list(kids)
	if c := len(kids); c > 0 {
		n.Start = min(n.Start, kids[0].Start)
		n.End = max(n.End, kids[c-1].End)
	}
	return n
}

// enter counts recursion; false if this is too much of it. The caller says
// leave in either case.
func (p *parser) enter() bool {
	p.level++
	if p.level <= maxRecursion {
		return true
	}
	p.fail("too many nested expressions")
	return false
}

func (p *parser) leave() { p.level-- }

// module reads all of the text.
func (p *parser) module() *Node {
	kids := p.statements(false)
	n := p.node(Module, 0, kids...)
	n.Start, n.End = 0, len(p.text)
	return n
}

// statements reads statements up to the end of the block or the text.
// Indentation that nothing asked for is passed, and what it holds belongs to
// the block around it.
func (p *parser) statements(block bool) []*Node {
	var out []*Node
	for nested := 0; ; {
		switch p.kind() {
		case kEOF:
			return out
		case kDedent:
			p.next()
			if nested == 0 && block {
				return out
			}
			nested = max(0, nested-1)
			continue
		case kIndent:
			p.fail("unexpected indent")
			nested++
			p.next()
			continue
		case kNewline:
			// A line of nothing, as after a magic line or at the end of the text.
			p.next()
			continue
		}
		before := p.i
		out = append(out, p.statement()...)
		if p.i == before {
			p.next()
		}
		if len(p.deep) > 0 {
			out = p.unnest(out)
		}
	}
}

// unnest gives what was too deep places before the statement it came from:
// statements of their own, the deepest first.
func (p *parser) unnest(out []*Node) []*Node {
	deep := p.deep
	p.deep = nil
	bad := p.alloc()
	bad.Kind, bad.Flags, bad.depth = Bad, Unnested, 1
	bad.Start, bad.End = deep[0].Start, deep[0].End
	for _, n := range deep {
		bad.Start, bad.End = min(bad.Start, n.Start), max(bad.End, n.End)
	}
	bad.Kids = deep
	return append(out, bad)
}

// block reads what follows a header: a colon, and an indented block or
// statements on the same line.
func (p *parser) block(after string, head int) *Node {
	start := p.start()
	var junk []*Node
	if !p.accept(kColon) {
		p.noColon(after)
		junk = p.junk(junk)
		p.accept(kColon)
	}
	if !p.at(kNewline) {
		kids := append(junk, p.inline()...)
		return p.node(Block, start, kids...)
	}
	if p.peek(1) != kIndent {
		if !p.errs.full() {
			at := int(p.toks[min(p.i+1, len(p.toks)-1)].start)
			p.failf(at, "expected an indented block after %s on line %d", after, lineOf(p.text, head))
		}
		p.next()
		return p.node(Block, start, junk...)
	}
	p.next()
	p.next()
	return p.node(Block, start, append(junk, p.statements(true)...)...)
}

// noColon says that a colon is missing, where CPython would say so.
func (p *parser) noColon(after string) {
	switch {
	case p.at(kNewline), after == "function definition", after == "'try' statement", after == "'else' statement", after == "'finally' statement":
		p.fail("expected ':'")
	default:
		p.unexpected()
	}
}

// inline reads the statements of a line.
func (p *parser) inline() []*Node {
	if startsCompound(p.kind()) {
		p.unexpected()
		return p.statement()
	}
	return p.simpleLine()
}

// simpleLine reads simple statements up to the end of the line.
func (p *parser) simpleLine() []*Node {
	var out []*Node
	for {
		n := p.simple()
		if !p.at(kSemi) && !p.at(kNewline) {
			p.unexpected()
			n = p.node(Bad, n.Start, p.junk([]*Node{n})...)
		}
		out = append(out, n)
		semi := p.accept(kSemi)
		if p.accept(kNewline) || !semi || p.at(kEOF) || p.at(kDedent) || p.at(kIndent) {
			return out
		}
	}
}

// junk reads what should not be there, up to the end of the statement: each
// expression in it.
func (p *parser) junk(out []*Node) []*Node {
	for {
		switch k := p.kind(); {
		case k == kNewline || k == kSemi || k == kEOF || k == kIndent || k == kDedent:
			return out
		case k == kColon && p.peek(1) == kNewline:
			return out
		case startsExpression(k):
			before := p.i
			out = append(out, p.anyExpressions())
			if p.i == before {
				p.next()
			}
		default:
			p.next()
		}
	}
}

func startsCompound(k kind) bool {
	switch k {
	case kIf, kWhile, kFor, kTry, kWith, kDef, kClass, kAsync, kAt:
		return true
	}
	return false
}

// startsExpression reports whether an expression can begin with a token.
func startsExpression(k kind) bool {
	switch k {
	case kName, kNumber, kString, kFStart, kLPar, kLSqb, kLBrace, kMinus, kPlus, kTilde, kNot, kLambda, kAwait,
		kNone, kTrue, kFalse, kEllipsis, kTick, kStar, kDoubleStar, kYield:
		return true
	}
	return false
}
