// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A scope says what names stand for while a rule is read: variables for
// elements, parameters for the arguments of the call at hand.
type scope struct {
	up     *scope
	vars   map[*check.Var]element
	params map[*check.ParamObj]argument
	locals map[*check.Local]string
}

// A argument is an expression and the scope that it stands in.
type argument struct {
	x syntax.Expr
	s *scope
}

func (s *scope) element(v *check.Var) (element, bool) {
	for ; s != nil; s = s.up {
		if e, ok := s.vars[v]; ok {
			return e, true
		}
	}
	return element{}, false
}

func (s *scope) param(p *check.ParamObj) (argument, bool) {
	for ; s != nil; s = s.up {
		if b, ok := s.params[p]; ok {
			return b, true
		}
	}
	return argument{}, false
}

func (s *scope) local(l *check.Local) string {
	for ; s != nil; s = s.up {
		if n, ok := s.locals[l]; ok {
			return n
		}
	}
	return ""
}

func (s *scope) depth() int {
	n := 0
	for ; s != nil; s = s.up {
		n++
	}
	return n
}

// resolve goes through parentheses, bindings and parameters to the expression
// that counts.
func (r *reader) resolve(e syntax.Expr, s *scope) (syntax.Expr, *scope) {
	for {
		e = syntax.Unparen(e)
		id, ok := e.(*syntax.Ident)
		if !ok {
			return e, s
		}
		switch obj := any(r.prog.Uses[id]).(type) {
		case *check.Binding:
			e = obj.Value
		case *check.ParamObj:
			b, ok := s.param(obj)
			if !ok {
				return e, s
			}
			e, s = b.x, b.s
		default:
			return e, s
		}
	}
}

// maxKey bounds the text of a key. A longer one is unlike all others.
const maxKey = 1 << 13

// key writes an expression so that two with one key have one value under every
// assignment: names are replaced by what they stand for.
func (r *reader) key(e syntax.Expr, s *scope) string {
	w := &keyWriter{reader: r}
	w.expr(e, s)
	if w.b.Len() > maxKey {
		r.unlike++
		return "?" + strconv.Itoa(r.unlike)
	}
	return w.b.String()
}

type keyWriter struct {
	*reader
	b strings.Builder
}

func (w *keyWriter) expr(e syntax.Expr, s *scope) {
	if w.b.Len() > maxKey {
		return
	}
	e, s = w.resolve(e, s)
	if c, ok := w.literal(e, s); ok {
		w.b.WriteString(c.key())
		return
	}
	switch n := syntax.Node(e).(type) {
	case *syntax.Ident:
		w.ident(n, s)
	case *syntax.TypedVar:
		w.variable(w.prog.Vars[n], s)
	case *syntax.Member:
		w.member(n, s)
	case *syntax.Index:
		if c, ok := w.constant(n.I, s); ok && c.kind == isText {
			w.expr(n.X, s)
			w.b.WriteString("." + strconv.Quote(c.text))
			return
		}
		w.list("index", s, n.X, n.I)
	case *syntax.Call:
		w.call(n, s)
	case *syntax.ListComp:
		w.comprehension(n, s)
	case *syntax.ToolPattern:
		w.b.WriteString(syntax.Sexpr(n) + w.rawnessOf(n))
	default:
		w.list(headOf(e), s, expressions(e)...)
	}
}

// headOf tells the forms of expressions apart.
func headOf(e syntax.Expr) string {
	switch e := syntax.Node(e).(type) {
	case *syntax.Unary:
		return e.Op.String()
	case *syntax.Binary:
		return e.Op.String()
	case *syntax.FlowChain:
		var b strings.Builder
		for _, op := range e.Ops {
			b.WriteString(op.String())
		}
		return b.String()
	case *syntax.DictLit:
		return "dict"
	case *syntax.FString:
		return "f" + e.Raw
	default:
		return fmt.Sprintf("%T", e)
	}
}

func (w *keyWriter) list(head string, s *scope, es ...syntax.Expr) {
	w.b.WriteString("(" + head)
	for _, e := range es {
		w.b.WriteByte(' ')
		if e == nil {
			w.b.WriteByte('_')
			continue
		}
		w.expr(e, s)
	}
	w.b.WriteByte(')')
}

func (w *keyWriter) ident(n *syntax.Ident, s *scope) {
	switch obj := any(w.prog.Uses[n]).(type) {
	case *check.Var:
		w.variable(obj, s)
	case *check.Local:
		w.b.WriteString(s.local(obj))
	case *check.FuncObj:
		w.b.WriteString("func " + w.function(obj.Func))
	default:
		w.b.WriteString("name " + n.Name)
	}
}

func (w *keyWriter) variable(v *check.Var, s *scope) {
	if el, ok := s.element(v); ok {
		w.b.WriteString(el.name)
		return
	}
	w.unlike++
	w.b.WriteString("?" + strconv.Itoa(w.unlike))
}

// member writes `call.function.name` as `call.name`, which it is.
func (w *keyWriter) member(n *syntax.Member, s *scope) {
	if m := w.prog.Members[n]; m != nil && m.Input != nil {
		w.b.WriteString("input" + strconv.Itoa(w.parameter(m.Input)) + "." + strconv.Quote(n.Name.Name))
		return
	}
	x, xs := w.resolve(n.X, s)
	if f, ok := syntax.Node(x).(*syntax.Member); ok && f.Name.Name == "function" && w.isCall(f.X, xs) {
		x = f.X
	}
	w.expr(x, xs)
	w.b.WriteString("." + strconv.Quote(n.Name.Name))
}

// isCall reports whether an expression is a call, or None, for sure.
func (r *reader) isCall(e syntax.Expr, s *scope) bool {
	x, _ := r.resolve(e, s)
	return r.typeOf(x) == value.ToolCallType
}

func (r *reader) typeOf(x syntax.Expr) *value.Type {
	if t := r.prog.Types[x]; t != nil {
		return t
	}
	switch n := syntax.Node(x).(type) {
	case *syntax.Ident:
		if v, ok := r.prog.Uses[n].(*check.Var); ok {
			return v.Type
		}
	case *syntax.TypedVar:
		if v := r.prog.Vars[n]; v != nil {
			return v.Type
		}
	}
	return value.AnyType
}

func (w *keyWriter) call(n *syntax.Call, s *scope) {
	call := w.prog.Calls[n]
	if call == nil {
		w.list("call", s, expressions(n)...)
		return
	}
	head := ""
	args := call.Args
	switch {
	case call.Func != nil:
		head = "call " + w.function(call.Func)
	case call.Pred != nil:
		head = "pred " + strconv.Itoa(w.numberOf(call.Pred))
	case call.Method != nil:
		head = "method " + call.Method.Name
		args = append([]syntax.Expr{call.Recv}, args...)
	}
	if call.Raw {
		head += " raw"
	}
	w.list(head, s, append(append([]syntax.Expr{}, args...), call.Rest...)...)
}

// function tells functions apart: scripts may have some of one name.
func (r *reader) function(f *builtin.Func) string {
	if _, ok := r.funcs[f]; !ok {
		r.funcs[f] = len(r.funcs)
	}
	return f.Name + strconv.Itoa(r.funcs[f])
}

// numberOf tells predicates apart.
func (r *reader) numberOf(p *check.Predicate) int {
	if _, ok := r.preds[p]; !ok {
		r.preds[p] = len(r.preds)
	}
	return r.preds[p]
}

// parameter tells parameters of policies apart: imported rules have their own.
func (r *reader) parameter(in *check.Input) int {
	if _, ok := r.inputs[in]; !ok {
		r.inputs[in] = len(r.inputs)
	}
	return r.inputs[in]
}

func (w *keyWriter) comprehension(n *syntax.ListComp, s *scope) {
	in := &scope{up: s, locals: map[*check.Local]string{}}
	for i, target := range n.Targets {
		for _, l := range w.localsOf(n, target) {
			in.locals[l] = fmt.Sprintf("l%d.%d", s.depth(), i)
		}
	}
	fmt.Fprintf(&w.b, "(for%d ", len(n.Targets))
	w.expr(n.In, s)
	w.b.WriteByte(' ')
	w.list("", in, append([]syntax.Expr{n.Elt}, n.Ifs...)...)
	w.b.WriteByte(')')
}

// localsOf returns the objects of a target of a comprehension: the tables know
// them by their uses.
func (r *reader) localsOf(n *syntax.ListComp, target *syntax.Ident) []*check.Local {
	var out []*check.Local
	syntax.Walk(n, func(x syntax.Node) bool {
		if id, ok := x.(*syntax.Ident); ok && id.Name == target.Name {
			if l, ok := r.prog.Uses[id].(*check.Local); ok && l.Comp == n {
				out = append(out, l)
			}
		}
		return true
	})
	return out
}

// A literal is a value that is written out.
type literal struct {
	kind    kinds
	text    string
	number  *big.Rat
	boolean bool
}

func (c literal) key() string {
	switch {
	case c.kind == isText:
		return strconv.Quote(c.text)
	case c.kind == isNumber:
		return c.number.RatString()
	case c.kind == isBool:
		return strconv.FormatBool(c.boolean)
	default:
		return "None"
	}
}

// constant reads an expression that is a literal once names are resolved.
func (r *reader) constant(e syntax.Expr, s *scope) (literal, bool) {
	if e == nil {
		return literal{}, false
	}
	e, s = r.resolve(e, s)
	return r.literal(e, s)
}

func (r *reader) literal(e syntax.Expr, s *scope) (literal, bool) {
	switch n := syntax.Node(e).(type) {
	case *syntax.StringLit:
		return literal{kind: isText, text: n.Value}, true
	case *syntax.IntLit:
		return literal{kind: isNumber, number: new(big.Rat).SetInt(n.Value)}, n.Value.BitLen() < 200
	case *syntax.FloatLit:
		x := new(big.Rat).SetFloat64(n.Value)
		return literal{kind: isNumber, number: x}, x != nil
	case *syntax.ConstLit:
		switch n.Kind {
		case syntax.NoneConst:
			return literal{kind: isNone}, true
		case syntax.TrueConst, syntax.FalseConst:
			return literal{kind: isBool, boolean: n.Kind == syntax.TrueConst}, true
		}
	case *syntax.Unary:
		c, ok := r.constant(n.X, s)
		if !ok || c.kind != isNumber || n.Op == syntax.Not {
			return literal{}, false
		}
		if n.Op == syntax.Neg {
			c.number = new(big.Rat).Neg(c.number)
		}
		return c, true
	}
	return literal{}, false
}

// literals reads a list or tuple that is written out.
func (r *reader) literals(e syntax.Expr, s *scope) ([]literal, bool) {
	e, s = r.resolve(e, s)
	items, ok := itemsOf(e)
	if !ok {
		return nil, false
	}
	var out []literal
	for _, it := range items {
		c, ok := r.constant(it, s)
		if !ok {
			return nil, false
		}
		out = append(out, c)
	}
	return out, true
}

func itemsOf(e syntax.Expr) ([]syntax.Expr, bool) {
	switch n := syntax.Node(e).(type) {
	case *syntax.ListLit:
		return n.Items, true
	case *syntax.TupleLit:
		return n.Items, true
	}
	return nil, false
}

// expressions returns the expressions directly below e.
func expressions(e syntax.Expr) []syntax.Expr {
	var out []syntax.Expr
	top := true
	syntax.Walk(e, func(n syntax.Node) bool {
		if top {
			top = false
			return true
		}
		if x, ok := n.(syntax.Expr); ok {
			out = append(out, x)
			return false
		}
		return true
	})
	return out
}
