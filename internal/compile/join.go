// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// edges recognises a condition that says nothing but in which order base
// variables come.
func (c *compiler) edges(s *scope, b *Block, cd *Cond, x syntax.Expr) {
	x = syntax.Unparen(x)
	loose := false
	if u, ok := x.(*syntax.Unary); ok && u.Op == syntax.Not {
		x, loose = syntax.Unparen(u.X), true
	}
	f, ok := x.(*syntax.FlowChain)
	if !ok || (loose && (len(f.Ops) > 1 || f.Ops[0] != syntax.Flow)) {
		return
	}
	var found []Edge
	for i, op := range f.Ops {
		from, to := f.Xs[i], f.Xs[i+1]
		if loose {
			from, to = to, from
		}
		e, ok := c.edge(s, b, from, to)
		if !ok {
			return
		}
		e.Loose, e.Direct, e.Code = loose, op == syntax.DirectFlow, cd.Code
		if len(f.Ops) > 1 { // the chain may read what is not bound yet
			e.Code = flowPair(f, op, c.recordedCode(s, from), c.recordedCode(s, to))
		}
		found = append(found, e)
	}
	cd.Edge = true
	b.Edges = append(b.Edges, found...)
}

// recordedCode is the code of an operand that line has compiled already.
func (c *compiler) recordedCode(s *scope, x syntax.Expr) Code {
	return c.record(func() node { return c.expr(s, x) }).code
}

// edge relates two operands that are base variables, one of them possibly of
// an enclosing block.
func (c *compiler) edge(s *scope, b *Block, from, to syntax.Expr) (Edge, bool) {
	fs, ft := c.slotOf(s, from), c.slotOf(s, to)
	if fs < 0 || ft < 0 {
		return Edge{}, false
	}
	fg, fOut := b.end(fs)
	tg, tOut := b.end(ft)
	switch {
	case fg >= 0 && tg >= 0 && fg != tg:
		return Edge{From: fg, To: tg}, true
	case fg >= 0 && tOut:
		return Edge{From: fg, To: -1, Outer: ft, fixed: c.stands[ft]}, true
	case tg >= 0 && fOut:
		return Edge{From: -1, To: tg, Outer: fs}, true
	}
	return Edge{}, false
}

// end tells the group of which slot holds the base, or that slot belongs to
// an enclosing block.
func (b *Block) end(slot int) (group int, outer bool) {
	j := b.varOf(slot)
	if j < 0 {
		return -1, true
	}
	if g := b.Vars[j].Group; g >= 0 && b.Groups[g].Base == j && certain(b.Groups[g].Type) {
		return g, false
	}
	return -1, false
}

// certain reports whether elements of a type are never Unknown, so that they
// have a place for sure.
func certain(t *value.Type) bool {
	switch t.Kind {
	case value.Message, value.ToolCall, value.ToolOutput, value.Tool, value.TextChunk, value.Image:
		return true
	}
	return t == value.EventType
}

// slotOf returns the slot of an operand that is a plain variable, or -1.
func (c *compiler) slotOf(s *scope, x syntax.Expr) int {
	switch syntax.Unparen(x).(type) { //nolint:gochecksumtype // two forms name a variable
	case *syntax.Ident, *syntax.TypedVar:
		return c.record(func() node { return c.expr(s, x) }).slot - 1
	}
	return -1
}

// indexes recognises equalities and containments whose sides read one group
// each.
func (c *compiler) indexes(s *scope, b *Block, cd *Cond, x syntax.Expr) {
	bin, ok := syntax.Unparen(x).(*syntax.Binary)
	if !ok || (bin.Op != syntax.Eq && bin.Op != syntax.In) {
		return
	}
	if _, ok := syntax.Unparen(bin.X).(*syntax.TypedVar); ok {
		return
	}
	l := c.record(func() node { return c.expr(s, bin.X) })
	r := c.record(func() node { return c.expr(s, bin.Y) })
	lg, rg := b.side(l.read), b.side(r.read)
	if bin.Op == syntax.In {
		if lg >= 0 && rg >= 0 && lg != rg {
			b.Ins = append(b.Ins, &Contain{
				Needle: b.key(lg, bin.X, l.code, true, false),
				Hay:    b.key(rg, bin.Y, r.code, true, true),
				Cond:   cd,
			})
		}
		return
	}
	switch {
	case lg >= 0 && rg >= 0 && lg != rg:
		b.Eqs = append(b.Eqs, &Eq{A: b.key(lg, bin.X, keyCode(l.code), false, false), B: b.key(rg, bin.Y, keyCode(r.code), false, false), Cond: cd})
	case lg >= 0 && b.outside(r.read):
		b.Eqs = append(b.Eqs, &Eq{A: b.key(lg, bin.X, keyCode(l.code), false, false), Probe: keyCode(r.code), Cond: cd})
	case rg >= 0 && b.outside(l.read):
		b.Eqs = append(b.Eqs, &Eq{A: b.key(rg, bin.Y, keyCode(r.code), false, false), Probe: keyCode(l.code), Cond: cd})
	}
}

// keyCode is code for a key. A value that holds something unknown is equal to
// nobody knows what.
func keyCode(f Code) Code {
	return func(e *Env) *value.Value {
		if v := f(e); builtin.Comparable(v) {
			return v
		}
		return Vague
	}
}

// side returns the one group that r reads, or -1.
func (b *Block) side(r *reading) int {
	if r.trace || len(r.slots) == 0 {
		return -1
	}
	return b.homeOf(-1, r)
}

// outside reports whether r reads enclosing blocks only, at least one slot.
func (b *Block) outside(r *reading) bool {
	for slot := range r.slots {
		if b.varOf(slot) >= 0 {
			return false
		}
	}
	return len(r.slots) > 0 && !r.trace
}

func (b *Block) key(group int, src syntax.Expr, code Code, text, hay bool) *Key {
	k := &Key{Group: group, Index: len(b.Groups[group].Keys), Code: code, Text: text, Hay: hay, src: src}
	b.Groups[group].Keys = append(b.Groups[group].Keys, k)
	return k
}
