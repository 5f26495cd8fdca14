// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	resyntax "regexp/syntax"
	"strconv"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/regex"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A reader makes formulas of conditions. Terms and atoms are interned: under
// names for variables that depend on their types and places alone, rules that
// ask the same have the same atoms.
type reader struct {
	prog    *check.Program
	terms   map[string]*term
	atoms   map[string]*atom
	preds   map[*check.Predicate]int
	inputs  map[*check.Input]int
	funcs   map[*builtin.Func]int
	raw     map[diag.Span]bool // value classes that look at texts as they stand
	regexps map[string]*regex.Regexp
	unlike  int
	methods map[*syntax.Member]bool // that are called

	weak []edge // of the formula being made
	size int    // its nodes so far
}

func newReader(prog *check.Program) *reader {
	r := &reader{prog: prog, terms: map[string]*term{}, atoms: map[string]*atom{}, preds: map[*check.Predicate]int{}, inputs: map[*check.Input]int{}, funcs: map[*builtin.Func]int{}, raw: map[diag.Span]bool{}, regexps: map[string]*regex.Regexp{}}
	r.methods = map[*syntax.Member]bool{}
	for c, call := range prog.Calls {
		if m, ok := c.Fun.(*syntax.Member); ok && call.Method != nil {
			r.methods[m] = true
		}
	}
	for _, d := range prog.Warnings {
		if d.Code == "P0314" {
			r.raw[d.Span] = true
		}
	}
	return r
}

// regexp compiles a pattern, once; nil if it is none.
func (r *reader) regexp(pattern string) *regex.Regexp {
	re, ok := r.regexps[pattern]
	if !ok {
		re, _ = regex.Compile(pattern) // the error is the load's to report
		r.regexps[pattern] = re
	}
	return re
}

// maxNodes bounds a formula; what goes beyond is an atom of its own.
const maxNodes = 2_000

// block makes a formula of the conditions of a block.
func (r *reader) block(conds []syntax.Cond, s *scope) *node {
	out := &node{op: opAnd}
	for _, c := range conds {
		out.subs = append(out.subs, r.cond(c, s))
	}
	return out
}

func (r *reader) cond(c syntax.Cond, s *scope) *node {
	switch c := c.(type) {
	case *syntax.ExprCond:
		return r.truth(c.X, s)
	case *syntax.QuantCond:
		n := leaf(r.opaque(r.quantKey(c, s)))
		if c.Not {
			return notOf(n)
		}
		return n
	case *syntax.BindCond:
	}
	return constant(isTrue)
}

// truth makes a formula of an expression that is to be true.
func (r *reader) truth(e syntax.Expr, s *scope) *node {
	e, s = r.resolve(e, s)
	if r.size++; r.size > maxNodes {
		return r.unread(e, s)
	}
	if c, ok := r.literal(e, s); ok {
		return constant(known(c.truth()))
	}
	switch n := syntax.Node(e).(type) {
	case *syntax.TypedVar:
		return r.declared(n, s)
	case *syntax.Unary:
		if n.Op == syntax.Not {
			return notOf(r.truth(n.X, s))
		}
	case *syntax.Binary:
		return r.binary(n, s)
	case *syntax.FlowChain:
		return r.flows(n, s)
	case *syntax.Call:
		return r.call(n, s)
	}
	return r.truthy(e, s)
}

// truth is Python's.
func (c literal) truth() bool {
	switch {
	case c.kind == isText:
		return c.text != ""
	case c.kind == isNumber:
		return c.number.Sign() != 0
	}
	return c.boolean
}

// declared is a typed variable where a truth is wanted: true, if what it
// stands for can be read.
func (r *reader) declared(n *syntax.TypedVar, s *scope) *node {
	el, ok := s.element(r.prog.Vars[n])
	if !ok {
		return r.unread(n, s)
	}
	return r.there(el)
}

func (r *reader) there(el element) *node {
	return leaf(r.atomOf("there "+el.name, func(a *atom) { a.may = isTrue | isUnknown }))
}

// unread is an atom of which nothing is known but its expression.
func (r *reader) unread(e syntax.Expr, s *scope) *node { return leaf(r.opaque(r.key(e, s))) }

func (r *reader) opaque(key string) *atom { return r.atomOf("truth of "+key, func(*atom) {}) }

// atomOf returns the atom with a key, made with fill if it is new.
func (r *reader) atomOf(key string, fill func(*atom)) *atom {
	if a := r.atoms[key]; a != nil {
		return a
	}
	a := &atom{id: len(r.atoms), key: key, may: anyTruth}
	fill(a)
	r.atoms[key] = a
	return a
}

// about returns an atom about a term; fill gives the outcomes that are not
// unknown.
func (r *reader) about(t *term, test string, fill func(*atom)) *node {
	return leaf(r.atomOf(test+" of "+t.key, func(a *atom) {
		a.term = t
		for i := range a.out {
			a.out[i] = isUnknown
		}
		fill(a)
	}))
}

func (a *atom) set(k kinds, t truths) {
	for i := range a.out {
		if k&(1<<i) != 0 {
			a.out[i] = t
		}
	}
}

func (r *reader) binary(n *syntax.Binary, s *scope) *node {
	switch n.Op {
	case syntax.And:
		return allOf(r.truth(n.X, s), r.truth(n.Y, s))
	case syntax.Or:
		return oneOf(r.truth(n.X, s), r.truth(n.Y, s))
	case syntax.Eq:
		return r.equal(n, s)
	case syntax.Ne:
		return notOf(r.equal(n, s))
	case syntax.Lt, syntax.Le, syntax.Gt, syntax.Ge:
		return r.order(n, s)
	case syntax.In:
		return r.in(n, s)
	case syntax.NotIn:
		return notOf(r.in(n, s))
	case syntax.Is:
		return r.is(n, s)
	case syntax.IsNot:
		return notOf(r.is(n, s))
	}
	return r.truthy(n, s)
}

func (r *reader) is(n *syntax.Binary, s *scope) *node {
	if p, ok := syntax.Unparen(n.Y).(*syntax.ToolPattern); ok {
		return r.tool(n.X, p, s)
	}
	return r.equal(n, s)
}

// flows makes an atom of each pair of a chain.
func (r *reader) flows(n *syntax.FlowChain, s *scope) *node {
	out := &node{op: opAnd}
	for i, op := range n.Ops {
		a, b := r.spot(n.Xs[i], s), r.spot(n.Xs[i+1], s)
		out.subs = append(out.subs, leaf(r.atomOf(op.String()+" "+a+" "+b, func(at *atom) {
			at.before, at.after, at.direct = a, b, op == syntax.DirectFlow
		})))
	}
	return out
}

// spot names an operand of a flow, and notes where it stands: not before what
// it is a part of; a call before its output.
func (r *reader) spot(e syntax.Expr, s *scope) string {
	key := r.key(e, s)
	root, path, ok := r.place(e, s)
	if !ok || len(path) == 0 {
		return key
	}
	if root.typ == "ToolOutput" && path[0] == "tool" {
		if len(path) == 1 {
			r.weak = append(r.weak, edge{key, root.name, true})
		}
		return key
	}
	r.weak = append(r.weak, edge{root.name, key, false})
	return key
}

func (r *reader) call(n *syntax.Call, s *scope) *node {
	c := r.prog.Calls[n]
	if c == nil {
		return r.unread(n, s)
	}
	switch {
	case c.Pred != nil:
		return r.predicate(n, c, s)
	case c.Method != nil:
		return r.method(n, c, s)
	}
	switch c.Func {
	case builtin.Universe()["print"]:
		return constant(isTrue)
	case builtin.Universe()["match"]:
		return r.matches(n, c, s, false)
	case builtin.Universe()["find"]:
		return r.matches(n, c, s, true)
	case builtin.Universe()["any"]:
		return r.items(n, c, s, opOr)
	case builtin.Universe()["all"]:
		return r.items(n, c, s, opAnd)
	case builtin.Universe()["empty"]:
		if inner, call, in := r.findIn(c, s); inner != nil {
			return notOf(r.matches(inner, call, in, true))
		}
	}
	return r.truthy(n, s)
}

// items is any or all of a list that is written out.
func (r *reader) items(n *syntax.Call, c *check.Call, s *scope, op nodeOp) *node {
	if len(c.Args) == 1 && c.Args[0] != nil {
		e := syntax.Unparen(c.Args[0]) // a name would make it strict
		if list, ok := e.(*syntax.ListLit); ok {
			out := &node{op: op}
			for _, it := range list.Items {
				out.subs = append(out.subs, r.truth(it, s))
			}
			return out
		}
	}
	if f, ok := r.finds(c, s); ok && op == opOr {
		return f
	}
	return r.truthy(n, s)
}

// finds is any(find(pattern, x)), for a pattern that matches no empty text:
// then there is a match if one of them is true.
func (r *reader) finds(c *check.Call, s *scope) (*node, bool) {
	inner, call, in := r.findIn(c, s)
	if inner == nil {
		return nil, false
	}
	p, ok := r.constant(call.Args[0], in)
	if !ok || p.kind != isText || r.regexp(p.text) == nil {
		return nil, false
	}
	re := r.regexp(p.text)
	src := re.Source(false)
	tree, err := resyntax.Parse(src.Body, resyntax.Perl)
	if err != nil || len(src.Nots) > 0 || leastLength(tree) == 0 {
		return nil, false
	}
	return r.matches(inner, call, in, true), true
}

// findIn returns the call of find that is the only argument of a call.
func (r *reader) findIn(c *check.Call, s *scope) (*syntax.Call, *check.Call, *scope) {
	if len(c.Args) != 1 || c.Args[0] == nil {
		return nil, nil, nil
	}
	x, in := r.resolve(c.Args[0], s)
	inner, ok := x.(*syntax.Call)
	if !ok {
		return nil, nil, nil
	}
	call := r.prog.Calls[inner]
	if call == nil || call.Func != builtin.Universe()["find"] || len(call.Args) < 2 || call.Args[0] == nil {
		return nil, nil, nil
	}
	return inner, call, in
}

// leastLength is a bound from below for the length of a match.
func leastLength(re *resyntax.Regexp) int {
	switch re.Op {
	case resyntax.OpLiteral:
		return len(re.Rune)
	case resyntax.OpCharClass, resyntax.OpAnyChar, resyntax.OpAnyCharNotNL:
		return 1
	case resyntax.OpCapture, resyntax.OpPlus:
		return leastLength(re.Sub[0])
	case resyntax.OpRepeat:
		return min(re.Min, 1) * leastLength(re.Sub[0])
	case resyntax.OpConcat:
		sum := 0
		for _, sub := range re.Sub {
			sum += leastLength(sub)
		}
		return sum
	case resyntax.OpAlternate:
		least := leastLength(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			least = min(least, leastLength(sub))
		}
		return least
	}
	return 0
}

// predicate puts the body of a predicate in the place of its call, if it has
// no variables of its own.
func (r *reader) predicate(n *syntax.Call, c *check.Call, s *scope) *node {
	if len(c.Pred.Body.Vars) > 0 {
		return r.unread(n, s)
	}
	in := &scope{params: map[*check.ParamObj]argument{}}
	for i, p := range c.Pred.Params {
		if i < len(c.Args) && c.Args[i] != nil {
			in.params[p] = argument{c.Args[i], s}
		}
	}
	return r.block(c.Pred.Body.Conds, in)
}

// quantKey writes a quantifier as key writes an expression.
func (r *reader) quantKey(c *syntax.QuantCond, s *scope) string {
	q := r.prog.Quants[c]
	if q == nil {
		r.unlike++
		return "?" + strconv.Itoa(r.unlike)
	}
	in := &scope{up: s, vars: map[*check.Var]element{}}
	key := "quant " + strconv.Itoa(int(q.Kind)) + " " + strconv.Itoa(q.Min) + " " + strconv.Itoa(q.Max)
	depth := strconv.Itoa(s.depth())
	for i, v := range q.Body.Vars {
		in.vars[v] = element{name: "q" + depth + "." + strconv.Itoa(i), typ: v.Type.Name}
	}
	for _, v := range q.Body.Vars {
		key += " var " + v.Type.Name + strconv.FormatBool(v.Optional)
		if v.In != nil {
			key += " in " + r.key(v.In, in)
		}
	}
	for _, b := range q.Body.Conds {
		switch b := b.(type) {
		case *syntax.ExprCond:
			key += "; " + r.key(b.X, in)
		case *syntax.QuantCond:
			key += "; " + strconv.FormatBool(b.Not) + r.quantKey(b, in)
		case *syntax.BindCond:
		}
	}
	if len(key) > maxKey {
		r.unlike++
		return "?" + strconv.Itoa(r.unlike)
	}
	return key
}
