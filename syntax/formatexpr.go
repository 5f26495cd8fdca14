// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

import "strings"

// Expressions are laid out by their tree and written by their tokens: every
// function takes the tokens of its node, in order, so that none is added, lost
// or changed.

// take returns the next token, after the comments that stand before it.
func (f *formatter) take() *doc {
	t := &doc{kind: docText, text: f.text(f.i)}
	f.i++
	if c := f.commentsBefore(f.i - 1); c != nil {
		return concat(c, t)
	}
	return t
}

// text returns a token as it is printed.
func (f *formatter) text(i int) string {
	t := f.toks[i]
	return strings.ReplaceAll(string(f.file.Src[t.start:t.end]), "\r\n", "\n")
}

// next is the kind of the next token.
func (f *formatter) next() kind { return f.toks[f.i].kind }

// commentsBefore returns the comments before token i that were not taken yet;
// nil if there are none.
func (f *formatter) commentsBefore(i int) *doc {
	d := &doc{kind: docComments}
	for ; f.c < len(f.comments) && f.comments[f.c].span.Start < int(f.toks[i].start); f.c++ {
		if c := f.comments[f.c]; c.Own {
			d.own = append(d.own, commentText(c))
		} else {
			d.text = commentText(c)
		}
	}
	if d.text == "" && d.own == nil {
		return nil
	}
	return d
}

// group makes a group of what was taken since token start. A comment between
// its tokens breaks it.
func (f *formatter) group(start int, subs ...*doc) *doc {
	return &doc{kind: docGroup, subs: subs, hard: f.commented(start, f.i-1)}
}

// commented reports whether a comment stands between tokens i and j.
func (f *formatter) commented(i, j int) bool { return f.passed[j] > f.passed[i] }

// free returns d where a line may end, else a space if d is one.
func (f *formatter) free(d *doc) *doc {
	switch {
	case !f.oneLine:
		return d
	case d.kind == docLine:
		return spaceDoc
	default:
		return concat()
	}
}

// bracketLine is where a line may end within brackets only.
func (f *formatter) bracketLine() *doc {
	if f.brackets == 0 {
		return spaceDoc
	}
	return lineDoc
}

// expr lays out an expression.
func (f *formatter) expr(x Expr) *doc {
	switch x := x.(type) {
	case *Ident, *IntLit, *FloatLit, *ConstLit, *Wildcard:
		return f.take()
	case *ValueClass:
		return concat(f.take(), f.take(), f.take())
	case *StringLit, *FString:
		return f.strings(x.Span().End)
	case *TypedVar:
		return concat(f.take(), f.take(), f.take(), spaceDoc, f.take(), f.take())
	case *Paren:
		return f.bracket(1, bracketed(x.X), func(int) *doc { return f.operand(x.X, false) })
	case *ListLit:
		return f.bracket(len(x.Items), false, func(i int) *doc { return f.expr(x.Items[i]) })
	case *TupleLit:
		return f.bracket(len(x.Items), false, func(i int) *doc { return f.expr(x.Items[i]) })
	case *DictLit:
		return f.bracket(len(x.Keys), false, func(i int) *doc { return f.entry(x, i) })
	case *ListComp:
		return f.bracket(1, false, func(int) *doc { return f.comprehension(x) })
	case *Call:
		return concat(f.expr(x.Fun), f.args(x.Args))
	case *Member:
		return f.member(x)
	case *Index:
		return concat(f.expr(x.X), f.bracket(1, true, func(int) *doc { return f.expr(x.I) }))
	case *Slice:
		return concat(f.expr(x.X), f.bracket(1, true, func(int) *doc { return f.slice(x) }))
	case *ToolPattern:
		return f.tool(x)
	case *Unary:
		op := f.take()
		if x.Op == Not {
			return concat(op, spaceDoc, f.expr(x.X))
		}
		return concat(op, f.expr(x.X))
	case *Binary, *FlowChain, *IfElse:
		return f.operand(x, true)
	case *BadExpr: // a tree with mistakes is not formatted
	}
	return concat()
}

// operand lays out an expression. If it has operators of two operands, deeper
// says whether its lines after the first are indented.
func (f *formatter) operand(x Expr, deeper bool) *doc {
	switch y := Node(x).(type) {
	case *Binary:
		return f.binary(y, deeper)
	case *FlowChain:
		return f.flow(y, deeper)
	case *IfElse:
		return f.ifElse(y, deeper)
	}
	return f.expr(x)
}

// deeperIf indents lines if yes says so.
func deeperIf(yes bool, subs ...*doc) *doc {
	if yes {
		return indented(subs...)
	}
	return concat(subs...)
}

// binary lays out operators of two operands: those of one level as one chain.
func (f *formatter) binary(x *Binary, deeper bool) *doc {
	level := levels[x.Op]
	if x.Op == Pow || level == compareLevel {
		return f.comparison(x, deeper)
	}
	start := f.i
	chain := []*Binary{}
	var left Expr = x
	for b, ok := x, true; ok && levels[b.Op] == level; b, ok = left.(*Binary) {
		chain, left = append(chain, b), b.X
	}
	first := f.expr(left)
	var rest []*doc
	for i := len(chain) - 1; i >= 0; i-- {
		if level <= andLevel {
			rest = append(rest, f.free(lineDoc), f.take(), spaceDoc, f.expr(chain[i].Y))
		} else {
			rest = append(rest, spaceDoc, f.take(), f.free(lineDoc), f.expr(chain[i].Y))
		}
	}
	return f.group(start, first, deeperIf(deeper, rest...))
}

// comparison lays out a comparison or a power. Its line ends after the
// operator only where no bracket offers a better place.
func (f *formatter) comparison(x *Binary, deeper bool) *doc {
	start := f.i
	first := f.expr(x.X)
	before := f.i - 1
	op := f.operator(x.Op)
	after := f.i
	second := f.expr(x.Y)
	if f.opens(start, f.i) && !f.commented(before, after) {
		return concat(first, spaceDoc, op, spaceDoc, second)
	}
	return f.group(start, first, deeperIf(deeper, spaceDoc, op, f.free(lineDoc), second))
}

// operator takes the one or two words of an operator.
func (f *formatter) operator(op Op) *doc {
	if op == NotIn || op == IsNot {
		return concat(f.take(), spaceDoc, f.take())
	}
	return f.take()
}

// opens reports whether a bracket opens among the tokens [i, j).
func (f *formatter) opens(i, j int) bool {
	for ; i < j; i++ {
		if f.toks[i].kind.isOpen() {
			return true
		}
	}
	return false
}

// flow lays out a chain of flows.
func (f *formatter) flow(x *FlowChain, deeper bool) *doc {
	start := f.i
	first := f.expr(x.Xs[0])
	var rest []*doc
	for _, y := range x.Xs[1:] {
		rest = append(rest, spaceDoc, f.take(), f.free(lineDoc), f.expr(y))
	}
	return f.group(start, first, deeperIf(deeper, rest...))
}

// ifElse lays out a choice.
func (f *formatter) ifElse(x *IfElse, deeper bool) *doc {
	start := f.i
	then := f.expr(x.Then)
	rest := []*doc{f.bracketLine(), f.take(), spaceDoc, f.expr(x.If)}
	rest = append(rest, f.bracketLine(), f.take(), spaceDoc, f.expr(x.Else))
	return f.group(start, then, deeperIf(deeper, rest...))
}

// strings takes adjacent literals up to an offset.
func (f *formatter) strings(end int) *doc {
	start := f.i
	subs := []*doc{f.take()}
	for int(f.toks[f.i].end) <= end && f.next() == tString {
		subs = append(subs, f.bracketLine(), f.take())
	}
	return f.group(start, subs...)
}

// member lays out a member. After a number or the bare name of a tool a space
// keeps the dot from being read as part of it.
func (f *formatter) member(x *Member) *doc {
	of := f.expr(x.X)
	last := f.toks[f.i-1].kind
	if last == tInt || last == tFloat || f.bareTool(x.X) {
		return concat(of, spaceDoc, f.take(), f.take())
	}
	return concat(of, f.take(), f.take())
}

// bareTool reports whether x, which was just taken, ends in a tool's name
// without quotes.
func (f *formatter) bareTool(x Expr) bool {
	if !f.toks[f.i-1].kind.isWord() {
		return false
	}
	for {
		switch y := Node(x).(type) {
		case *ToolPattern:
			return true
		case *Unary:
			x = y.X
		case *Binary:
			x = y.Y
		case *FlowChain:
			x = y.Xs[len(y.Xs)-1]
		case *IfElse:
			x = y.Else
		default:
			return false
		}
	}
}

// slice lays out the bounds of a slice. The colon stands apart where it could
// be read as part of a tool pattern.
func (f *formatter) slice(x *Slice) *doc {
	gap := concat()
	var subs []*doc
	if x.Lo != nil {
		subs = append(subs, f.expr(x.Lo))
		if f.text(f.i-1) == "tool" || f.bareTool(x.Lo) {
			gap = spaceDoc
		}
	}
	subs = append(subs, gap, f.take())
	if x.Hi != nil {
		subs = append(subs, gap, f.expr(x.Hi))
	}
	return concat(subs...)
}

// entry lays out one entry of a dict.
func (f *formatter) entry(x *DictLit, i int) *doc {
	key := f.expr(x.Keys[i])
	gap := concat()
	if f.bareTool(x.Keys[i]) {
		gap = spaceDoc
	}
	return concat(key, gap, f.take(), spaceDoc, f.expr(x.Values[i]))
}

// comprehension lays out what stands between the brackets of one.
func (f *formatter) comprehension(x *ListComp) *doc {
	start := f.i
	subs := []*doc{f.expr(x.Elt), lineDoc, f.take(), spaceDoc}
	for f.next() != tIn {
		t := f.next()
		subs = append(subs, f.take())
		if t == tComma && f.next() != tRParen && f.next() != tIn {
			subs = append(subs, spaceDoc)
		}
	}
	subs = append(subs, spaceDoc, f.take(), spaceDoc, f.expr(x.In))
	for _, c := range x.Ifs {
		subs = append(subs, lineDoc, f.take(), spaceDoc, f.expr(c))
	}
	return f.group(start, subs...)
}

// args lays out the arguments of a call.
func (f *formatter) args(args []*Arg) *doc {
	alone := len(args) == 1 && args[0].Name == nil && bracketed(args[0].Value)
	return f.bracket(len(args), alone, func(i int) *doc {
		if args[i].Name == nil {
			return f.expr(args[i].Value)
		}
		return concat(f.take(), f.take(), f.expr(args[i].Value))
	})
}

// bracketed reports whether x has brackets of its own, so that brackets around
// it alone need no lines.
func bracketed(x Expr) bool {
	switch Node(x).(type) {
	case *ListLit, *DictLit, *ListComp, *TupleLit:
		return true
	}
	return false
}

// tool lays out a tool pattern.
func (f *formatter) tool(x *ToolPattern) *doc {
	subs := []*doc{f.take(), f.take(), f.strings(x.NameAt.End)}
	if x.Args != nil {
		subs = append(subs, f.bracket(1, true, func(int) *doc { return f.expr(x.Args) }))
	}
	return concat(subs...)
}

// bracket lays out a bracket with n items between commas. A comma after the
// last one opens it: every item gets a line. Without lines of its own it hugs
// the one item it has.
func (f *formatter) bracket(n int, hug bool, item func(i int) *doc) *doc {
	start, line := f.i, f.oneLine
	open := f.take()
	f.oneLine = false
	f.brackets++
	before := f.i
	inner, comma := f.items(n, item)
	hug = hug && !comma && !f.commented(start, before) && !f.commented(f.i-1, f.i)
	if c := f.commentsBefore(f.i); c != nil {
		inner = append(inner, c)
	}
	shut := f.take()
	f.brackets--
	f.oneLine = line
	if hug || len(inner) == 0 {
		return concat(append(append([]*doc{open}, inner...), shut)...)
	}
	g := f.group(start, open, indented(append([]*doc{softDoc}, inner...)...), softDoc, shut)
	g.hard = g.hard || comma
	return g
}

// items lays out items and the commas between them. It reports whether a comma
// follows the last that is there for layout alone, as it is not in (a,).
func (f *formatter) items(n int, item func(i int) *doc) (subs []*doc, comma bool) {
	tuple := n == 1 && f.toks[f.i-1].kind == tLParen
	for i := range n {
		if i > 0 {
			subs = append(subs, lineDoc)
		}
		subs = append(subs, item(i))
		if f.next() == tComma {
			subs = append(subs, f.take())
			comma = i == n-1 && !tuple
		}
	}
	return subs, comma
}
