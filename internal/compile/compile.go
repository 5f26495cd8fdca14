// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// maxNodes bounds the code made for one rule: predicates are compiled in
// place, so a few lines can ask for very much of it.
const maxNodes = 200_000

// maxSlots bounds the variables of one rule, those of its predicates'
// instances included.
const maxSlots = 4096

// compiler holds what is under way while one rule is compiled.
type compiler struct {
	prog   *check.Program
	out    *Program
	top    *scope
	now    *reading
	outer  *Block // the block around the one being built
	nodes  int
	slots  int
	stands map[int]bool // slots of variables whose elements stand in the trace
	tables *literalTable
}

// tooLarge is how the compiler gives up on a rule.
type tooLarge struct{ src syntax.Node }

// Compile makes the plans of a checked policy. The list is not empty only if
// a rule is too large to be compiled.
func Compile(p *check.Program) (*Program, diag.List) {
	out := &Program{Check: p, subs: map[*Block]*Sub{}}
	var list diag.List
	tables := newLiteralTable()
	for _, r := range p.Rules {
		c := &compiler{prog: p, out: out, now: newReading(), tables: tables, stands: map[int]bool{}}
		c.top = newScope(nil)
		rule, d := c.rule(r)
		if d != nil {
			list = append(list, *d)
			continue
		}
		out.Rules = append(out.Rules, rule)
		out.Slots = max(out.Slots, c.slots)
	}
	out.Literals = tables.build()
	if list.Err() != nil {
		return nil, list
	}
	return out, nil
}

// grow counts a piece of code and gives up on a rule that needs too much.
func (c *compiler) grow(src syntax.Node) {
	c.nodes++
	if c.nodes > maxNodes || c.slots > maxSlots {
		panic(tooLarge{src})
	}
}

func (c *compiler) newSlot() int {
	c.slots++
	return c.slots - 1
}

func (c *compiler) rule(r *check.Rule) (rule *Rule, d *diag.Diagnostic) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case tooLarge:
			d = &diag.Diagnostic{
				Code: "P0350", Span: r.Node.VerbAt,
				Message: fmt.Sprintf("rule needs more than %d steps when its predicates are put in place", maxNodes),
				Help:    "call predicates fewer times or split the rule",
			}
		default:
			panic(x)
		}
	}()
	s := newScope(c.top)
	first := len(c.out.Blocks)
	b := c.block(s, r.Body)
	rule = &Rule{Check: r, Block: b}
	c.outer = b // quantifiers in the raise expression are inside the rule
	for _, a := range r.Message.Args {
		rule.Args = append(rule.Args, c.raised(s, a))
	}
	for _, k := range r.Message.Kwargs {
		rule.Kwargs = append(rule.Kwargs, Kwarg{Name: k.Name.Name, Code: c.raised(s, k.Value)})
	}
	rule.all = c.out.Blocks[first:]
	rule.plan()
	return rule, nil
}

// raised compiles an argument of a raise expression.
func (c *compiler) raised(s *scope, x syntax.Expr) Code {
	codes := map[syntax.Expr]Code{}
	if f, ok := syntax.Unparen(x).(*syntax.FString); ok {
		for _, p := range f.Parts {
			if p.X != nil {
				codes[p.X] = c.expr(s, p.X).code
			}
		}
	} else {
		codes[x] = c.expr(s, x).code
	}
	return func(e *Env) *value.Value {
		return check.Raised(x, func(x syntax.Expr) *value.Value { return codes[x](e) }, e.B)
	}
}

// sub compiles a quantifier over a block.
func (c *compiler) sub(s *scope, src syntax.Node, body *check.Block, q *check.Quant) node {
	sub := &Sub{Src: src, Kind: q.Kind, Min: q.Min, Max: q.Max}
	inner := newScope(s)
	r := c.record(func() node {
		sub.Block = c.block(inner, body)
		c.out.subs[sub.Block] = sub
		if q.Kind == syntax.Forall {
			sub.Block.everyTool()
		}
		return node{}
	})
	for _, v := range sub.Block.Vars {
		delete(r.read.slots, v.Slot)
	}
	sub.Settled = sub.Block.settled(q.Kind)
	if len(body.Vars) > 0 {
		sub.uses = c.mentions(s, body)
		for _, i := range sub.uses {
			r.read.slots[i] = true
		}
	}
	r.read.unsettled = !sub.Settled
	r.read.trace = r.read.trace || len(sub.Block.Groups) > 0
	c.now.merge(r.read)
	return node{cost: costSub, sub: sub, code: func(e *Env) *value.Value { return e.Quant.Quantify(sub, e) }}
}

// block compiles a block of conditions whose names are looked up in s.
func (c *compiler) block(s *scope, body *check.Block) *Block {
	b := &Block{ID: len(c.out.Blocks), Check: body, Outer: c.outer}
	c.out.Blocks = append(c.out.Blocks, b)
	if c.outer != nil {
		b.Depth = c.outer.Depth + 1
	}
	c.out.Depth = max(c.out.Depth, b.Depth)
	c.outer = b
	defer func() { c.outer = b.Outer }()

	for _, v := range body.Vars {
		slot := c.newSlot()
		s.slots[v] = slot
		c.stands[slot] = v.Stands()
		b.Vars = append(b.Vars, Var{Check: v, Slot: slot, Group: -1})
	}
	c.group(s, b)
	for _, cd := range body.Conds {
		b.Conds = append(b.Conds, c.line(s, b, cd))
	}
	b.sort()
	b.leaves()
	b.orders()
	return b
}

// group puts each variable into the group it is drawn from.
func (c *compiler) group(s *scope, b *Block) {
	for i := range b.Vars {
		v := &b.Vars[i]
		if v.Check.In == nil && v.Check.Optional {
			b.Runtime = append(b.Runtime, i) // whether it has an element at all is the question
			continue
		}
		if v.Check.In == nil {
			v.Group = len(b.Groups)
			b.Groups = append(b.Groups, &Group{Index: v.Group, Base: i, Type: v.Check.Type})
			continue
		}
		r := c.observe(func() node { return c.expr(s, v.Check.In) })
		v.Draw, v.Needs = r.code, c.optional(s, v.Check.In)
		v.Group = b.homeOf(i, r.read)
		if v.Group < 0 {
			b.Runtime = append(b.Runtime, i)
			continue
		}
		g := b.Groups[v.Group]
		g.Drawn = append(g.Drawn, i)
	}
	b.Contiguous = b.contiguous()
}

// homeOf returns the one group that a drawn variable reads, or -1. What reads
// nothing at all has no home: it is drawn when an assignment is made.
func (b *Block) homeOf(i int, read *reading) int {
	if read.unsettled {
		return -1
	}
	home := -1
	for slot := range read.slots {
		j := b.varOf(slot)
		if j < 0 || b.Vars[j].Group < 0 || (home >= 0 && b.Vars[j].Group != home) {
			return -1
		}
		home = b.Vars[j].Group
	}
	return home
}

// varOf returns the variable of the block that lives in slot, or -1.
func (b *Block) varOf(slot int) int {
	for j := range b.Vars {
		if b.Vars[j].Slot == slot {
			return j
		}
	}
	return -1
}

func (b *Block) contiguous() bool {
	last := -1
	for _, v := range b.Vars {
		if v.Group < last || v.Group < 0 {
			return false
		}
		last = v.Group
	}
	return true
}

// line compiles one condition and notes what it reads.
func (c *compiler) line(s *scope, b *Block, src syntax.Cond) *Cond {
	r := c.observe(func() node { return c.condition(s, src) })
	cd := &Cond{
		Src: src, Code: r.code, Cost: r.cost, Settled: !r.read.unsettled,
		Trace: r.read.trace, Sub: r.sub, named: r.names,
	}
	b.depends(cd, r.read)
	if x, ok := src.(*syntax.ExprCond); ok {
		cd.declares = c.declares(x.X)
		c.edges(s, b, cd, x.X)
		c.indexes(s, b, cd, x.X)
	}
	return cd
}

// declares reports whether a condition only declares a variable that has an
// element in every assignment.
func (c *compiler) declares(x syntax.Expr) bool {
	x = syntax.Unparen(x)
	if in, ok := x.(*syntax.Binary); ok && in.Op == syntax.In {
		x = syntax.Unparen(in.X)
	}
	tv, ok := x.(*syntax.TypedVar)
	return ok && !c.prog.Vars[tv].Optional
}

func (b *Block) depends(cd *Cond, r *reading) {
	for slot := range r.slots {
		j := b.varOf(slot)
		switch {
		case j < 0:
			cd.Outer = true
		case b.Vars[j].Group < 0:
			cd.Runtime = true
		default:
			g := b.Vars[j].Group
			cd.Groups |= 1 << g
			cd.drawn = cd.drawn || b.Groups[g].Base != j
		}
	}
}
