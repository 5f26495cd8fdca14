// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// call resolves a call: of a function, of a predicate, or, for `x.name(…)`,
// always of a method.
func (c *checker) call(e *syntax.Call, s *scope) *value.Type {
	switch fun := bare(e.Fun).(type) {
	case *syntax.Ident:
		return c.callName(e, fun, s)
	case *syntax.Member:
		if path, ok := c.moduleOf(fun.X, s); ok {
			return c.callModule(e, fun, path, s)
		}
		return c.callMethod(e, fun, s)
	case *syntax.BadExpr:
		c.broken = true
	default:
		c.expr(e.Fun, s)
		c.fail("P0214", e.Fun.Span(), "only functions, predicates and methods can be called", "")
	}
	c.args(e, s)
	return value.AnyType
}

// args checks the arguments of a call that could not be resolved.
func (c *checker) args(e *syntax.Call, s *scope) {
	for _, a := range e.Args {
		if id, ok := bare(a.Value).(*syntax.Ident); ok {
			if _, ok := s.lookup(id.Name).(*typeObj); ok {
				continue // isinstance(x, T): one mistake
			}
		}
		c.expr(a.Value, s)
	}
}

func (c *checker) callName(e *syntax.Call, id *syntax.Ident, s *scope) *value.Type {
	obj := s.lookup(id.Name)
	if obj != nil {
		c.use(id, obj)
	}
	switch obj := obj.(type) {
	case *FuncObj:
		return c.callFunc(e, obj.Func, id.Span(), s)
	case *Predicate:
		return c.callPredicate(e, obj, id, s)
	case nil:
		c.unboundName(id, s, isCallable)
	case *badObj:
	default:
		c.fail("P0214", id.Span(), fmt.Sprintf("%q is %s and cannot be called", id.Name, describe(obj)), c.callHelp(id.Name, obj))
	}
	c.args(e, s)
	return value.AnyType
}

func (c *checker) callHelp(name string, obj meaning) string {
	switch obj := obj.(type) {
	case *typeObj, *quantObj, *violationObj, *ModuleObj:
		return valueHelp(name, obj)
	case *Binding:
		if outer := c.shadowed(obj); outer != nil && isCallable(outer) {
			return fmt.Sprintf("the binding hides the function %q; give it another name", name)
		}
	}
	if _, ok := c.top.names[name].(*FuncObj); ok {
		return fmt.Sprintf("it hides the function %q; give it another name", name)
	}
	return ""
}

func (c *checker) callModule(e *syntax.Call, fun *syntax.Member, path string, s *scope) *value.Type {
	switch obj := c.moduleName(path, fun.Name.Name).(type) {
	case *FuncObj:
		return c.callFunc(e, obj.Func, fun.Span(), s)
	case nil:
		c.unknownImport(path, fun.Name)
	default:
		c.fail("P0214", fun.Span(), fmt.Sprintf("%q is %s and cannot be called", path+"."+fun.Name.Name, describe(obj)), "")
	}
	c.args(e, s)
	return value.AnyType
}

// callFunc checks a call of f, which is named at `at`.
func (c *checker) callFunc(e *syntax.Call, f *builtin.Func, at diag.Span, s *scope) *value.Type {
	call := &Call{Func: f}
	c.prog.Calls[e] = call
	c.bind(e, call, f.Name, f.Params, at, s)
	c.patternArgs(call)
	return resultType(f.Result)
}

func resultType(t *value.Type) *value.Type {
	if t == nil {
		return value.AnyType
	}
	return t
}

// callPredicate checks a call of p and, before it, p itself.
func (c *checker) callPredicate(e *syntax.Call, p *Predicate, id *syntax.Ident, s *scope) *value.Type {
	c.body(p, id)
	call := &Call{Pred: p}
	c.prog.Calls[e] = call
	params := make([]builtin.Param, len(p.Params))
	for i, o := range p.Params {
		params[i] = builtin.Param{Name: o.Name, Type: o.Type}
	}
	c.bind(e, call, p.Name, params, id.Span(), s)
	for i, a := range call.Args {
		if a != nil && i < len(p.Params) {
			c.passes = append(c.passes, pass{p.Params[i], a})
		}
	}
	return value.BoolType
}

// callMethod checks `x.name(…)`.
func (c *checker) callMethod(e *syntax.Call, fun *syntax.Member, s *scope) *value.Type {
	t := c.expr(fun.X, s)
	m := builtin.LookupMethod(fun.Name.Name)
	if m == nil && c.isBad(fun.X) {
		c.args(e, s)
		return value.AnyType
	}
	if m == nil {
		c.fail("P0217", fun.Name.Span(), fmt.Sprintf("there is no method %q", fun.Name.Name), c.methodHelp(fun.Name.Name, s))
		c.args(e, s)
		return value.AnyType
	}
	if !methodFits(m, t) {
		c.fail("P0218", fun.Name.Span(), fmt.Sprintf("%s has no method %q", aType(t), m.Name), methodsOf(t))
		c.args(e, s)
		return value.AnyType
	}
	call := &Call{Method: m, Recv: fun.X}
	c.prog.Calls[e] = call
	c.bind(e, call, m.Name, m.Params, fun.Name.Span(), s)
	if t == value.NoneType {
		return value.NoneType
	}
	return resultType(m.Result)
}

// isBad reports whether e is a name that could not be imported, or a part of
// what it would have been.
func (c *checker) isBad(e syntax.Expr) bool {
	switch e := bare(e).(type) {
	case *syntax.Ident:
		return c.bad[e]
	case *syntax.Member:
		return c.isBad(e.X)
	}
	return false
}

func (c *checker) methodHelp(name string, s *scope) string {
	if obj := s.lookup(name); obj != nil && isCallable(obj) {
		return name + " is a function: write " + name + "(…) with the value as an argument"
	}
	if help := adviceOnMethod(name); help != "" {
		return help
	}
	if help := didYouMean(name, builtin.MethodNames()); help != "" {
		return help
	}
	return "the methods are " + strings.Join(builtin.MethodNames(), ", ")
}

// methodFits reports whether a value of type t may have the method. Methods
// of None are None.
func methodFits(m *builtin.Method, t *value.Type) bool {
	return t == value.NoneType || fit(t, m.Recv) != never
}

func methodsOf(t *value.Type) string {
	var names []string
	for _, name := range builtin.MethodNames() {
		if methodFits(builtin.LookupMethod(name), t) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "it has " + strings.Join(names, ", ")
}

// bind gives each parameter its argument. Every argument is checked, also
// those that belong nowhere.
func (c *checker) bind(e *syntax.Call, call *Call, name string, params []builtin.Param, at diag.Span, s *scope) {
	call.Args = make([]syntax.Expr, len(params))
	next, ok := 0, true
	for _, a := range e.Args {
		var i int
		if a.Name == nil {
			i, next, ok = c.bindPositional(a, call, name, params, next, ok)
		} else {
			i = c.bindKeyword(a, call, name, params)
			ok = ok && i >= 0
		}
		if i >= 0 && params[i].Function {
			call.Func = call.Func.With(c.functions(a.Value, s))
			continue
		}
		if t := c.expr(a.Value, s); i >= 0 {
			c.argument(a, name, params[i], t)
		}
	}
	if !ok {
		return
	}
	for i, p := range params {
		if call.Args[i] == nil && (p.Default == nil || p.Function) && !p.Rest {
			c.fail("P0215", at, fmt.Sprintf("%s needs an argument for %q", name, p.Name), signature(name, params))
			return
		}
	}
	for i, p := range params {
		if p.Function {
			call.Args[i] = nil
		}
	}
}

// functions checks an argument that names a function, or a list of such names,
// and returns the functions.
func (c *checker) functions(e syntax.Expr, s *scope) []*builtin.Func {
	switch e := bare(e).(type) {
	case *syntax.ListLit:
		var all []*builtin.Func
		for _, x := range e.Items {
			all = append(all, c.functions(x, s)...)
		}
		return all
	case *syntax.Ident:
		obj := s.lookup(e.Name)
		if obj == nil {
			c.unboundName(e, s, isCallable)
			return nil
		}
		c.use(e, obj)
		switch obj := obj.(type) {
		case *FuncObj:
			return c.named(e, obj.Func)
		case *badObj:
			return nil
		}
	case *syntax.Member:
		if path, ok := c.moduleOf(e.X, s); ok {
			if obj, ok := c.moduleName(path, e.Name.Name).(*FuncObj); ok {
				return c.named(e, obj.Func)
			}
			c.unknownImport(path, e.Name)
			return nil
		}
	}
	c.fail("P0213", e.Span(), "want the name of a function here, as in [pii]", "")
	return nil
}

// named checks that a function that is named as an argument can be called with
// one argument.
func (c *checker) named(e syntax.Expr, f *builtin.Func) []*builtin.Func {
	for i, p := range f.Params {
		if i > 0 && p.Default == nil && !p.Rest || p.Function {
			c.fail("P0213", e.Span(), fmt.Sprintf("%s needs more than one argument, so it cannot be named here", quote(f.Name)), "")
			return nil
		}
	}
	if len(f.Params) == 0 {
		c.fail("P0213", e.Span(), fmt.Sprintf("%s takes no argument, so it cannot be named here", quote(f.Name)), "")
		return nil
	}
	return []*builtin.Func{f}
}

// bindPositional returns the parameter that a takes, -1 if none is left, and
// the one that the next argument takes.
func (c *checker) bindPositional(a *syntax.Arg, call *Call, name string, params []builtin.Param, next int, ok bool) (int, int, bool) {
	if next < len(params) && params[next].Rest {
		call.Rest = append(call.Rest, a.Value)
		return next, next, ok
	}
	if next == len(params) {
		if ok {
			c.fail("P0215", a.Span(), fmt.Sprintf("%s takes %s", name, plural(len(params), "argument")), signature(name, params))
		}
		return -1, next, false
	}
	call.Args[next] = a.Value
	return next, next + 1, ok
}

// bindKeyword returns the parameter that a names, -1 if that is a mistake.
func (c *checker) bindKeyword(a *syntax.Arg, call *Call, name string, params []builtin.Param) int {
	i := slices.IndexFunc(params, func(p builtin.Param) bool { return p.Name == a.Name.Name && !p.Rest })
	if i < 0 {
		var names []string
		for _, p := range params {
			names = append(names, p.Name)
		}
		help := didYouMean(a.Name.Name, names)
		if help == "" {
			help = signature(name, params)
		}
		c.fail("P0216", a.Name.Span(), fmt.Sprintf("%s has no argument %q", name, a.Name.Name), help)
		return -1
	}
	if call.Args[i] != nil {
		c.fail("P0216", a.Name.Span(), fmt.Sprintf("argument %q of %s is given twice", a.Name.Name, name), "")
		return -1
	}
	call.Args[i] = a.Value
	return i
}

// argument warns of an argument that cannot be what the parameter takes.
func (c *checker) argument(a *syntax.Arg, name string, p builtin.Param, t *value.Type) {
	if p.Type == nil || t == value.NoneType || fit(t, p.Type) != never || isNumber(t) && isNumber(p.Type) {
		return
	}
	c.warn("P0227", a.Value.Span(), fmt.Sprintf("%s wants %s for %q, got %s", name, aType(p.Type), p.Name, aType(t)), "")
}

// signature is the help that shows how a function is called.
func signature(name string, params []builtin.Param) string {
	var parts []string
	for _, p := range params {
		switch {
		case p.Rest:
			parts = append(parts, p.Name+"…")
		case p.Default != nil && !p.Function:
			parts = append(parts, p.Name+"="+literal(p.Default))
		default:
			parts = append(parts, p.Name)
		}
	}
	return "it is called as " + name + "(" + strings.Join(parts, ", ") + ")"
}

// literal writes a default as a policy would.
func literal(v *value.Value) string {
	if v.Kind() == value.Str {
		return quote(v.Text())
	}
	return value.Display(v)
}

func joinParams(params []*ParamObj) string {
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

func plural(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
