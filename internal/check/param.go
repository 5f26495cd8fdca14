// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// An Input is a parameter, read as input.x: one that a file declares, or one
// that a file without declarations reads.
type Input struct {
	Name     string
	Type     *value.Type  // AnyType if it is not declared
	Elem     *value.Type  // of a list's items; nil if they may be anything
	Default  *value.Value // nil if there is none
	Declared bool
	Doc      string // the comment above the declaration
	At       diag.Span

	Fixed bool // a count has it as a bound: it is known at load, and no monitor gives another value
	bound bool // an import gave the value, which is Default: no monitor gives another
	lent  bool // it is the importer's, which a monitor gives
}

// Required reports whether whoever uses the policy has to give a value.
func (in *Input) Required() bool { return in.Declared && in.Default == nil }

// TypeName is the type as it is declared, "any" if it is not.
func (in *Input) TypeName() string {
	switch {
	case !in.Declared:
		return "any"
	case in.Elem != nil:
		return in.Type.Name + "[" + in.Elem.Name + "]"
	}
	return in.Type.Name
}

// Bound returns the value that an import gave, nil if a monitor gives it.
func (in *Input) Bound() *value.Value {
	if in.bound {
		return in.Default
	}
	return nil
}

// Value returns what the parameter stands for under a monitor with the given
// values; nil if that is not known.
func (in *Input) Value(given map[string]*value.Value) *value.Value {
	v := given[in.Name]
	switch {
	case v == nil || in.bound:
		return in.Default
	case in.lent: // the importer accepted it, as an int, it may be
		v, _ = converted(v, in.Type)
	}
	return v
}

// Accept returns v as the parameter has it, a whole number as the double that
// was declared. If the type is another one it says what v is.
func (in *Input) Accept(v *value.Value) (accepted *value.Value, got string) {
	if !in.Declared {
		return v, ""
	}
	accepted, ok := converted(v, in.Type)
	switch {
	case !ok:
		return nil, kindName(v)
	case in.Elem == nil:
		return accepted, ""
	}
	items := slices.Clone(v.Items())
	for i := range items {
		if items[i], ok = converted(items[i], in.Elem); !ok {
			return nil, fmt.Sprintf("a list whose item %d is %s", i+1, kindName(v.Items()[i]))
		}
	}
	if in.Elem == value.FloatType {
		return value.ListOf(items), ""
	}
	return accepted, ""
}

// converted returns v as a value of type t, if it is one.
func converted(v *value.Value, t *value.Type) (*value.Value, bool) {
	if t == value.FloatType && v.Kind() == value.Int {
		if n, ok := v.Int(); ok {
			return value.FloatOf(float64(n)), true
		}
	}
	return v, v.Kind() == t.Kind
}

func kindName(v *value.Value) string {
	if v.Kind() == value.None {
		return "None"
	}
	return aType(&value.Type{Name: v.Kind().String()})
}

func (in *Input) sameType(other *Input) bool {
	return in.Type == other.Type && in.Elem == other.Elem
}

// takes reports whether every value of another parameter fits this one.
func (in *Input) takes(other *Input) bool {
	switch {
	case in.Type == value.FloatType && other.Type == value.IntType:
		return true
	case in.Type != other.Type:
		return false
	}
	return in.Elem == nil || in.Elem == other.Elem
}

// scalars are the types that a parameter, and an item of a list, may have.
var scalars = map[string]*value.Type{
	"str": value.StrType, "int": value.IntType, "float": value.FloatType, "bool": value.BoolType, "dict": value.DictType,
}

// foreignTypes are the names that such types have elsewhere.
var foreignTypes = map[string]string{
	"string": "str", "text": "str", "integer": "int", "number": "float", "double": "float", "boolean": "bool",
	"array": "list", "object": "dict", "map": "dict", "List": "list", "Dict": "dict", "strings": "list[str]",
}

// declareParam enters a parameter that a file declares.
func (c *checker) declareParam(u *unit, st *syntax.Input) {
	u.declares = true
	in := &Input{Name: st.Name.Name, Type: value.AnyType, Declared: true, Doc: prose(st.Doc), At: st.Name.Span()}
	if st.Type == nil {
		c.broken = true
	} else {
		c.paramType(in, st)
	}
	old := u.edition.params[in.Name]
	switch {
	case old == nil:
		u.edition.params[in.Name] = &param{in, u, st}
	case old.unit == u || old.Type != in.Type || old.Elem != in.Elem:
		c.report(diag.Diagnostic{
			Code: "P0235", Span: st.Name.Span(), Message: fmt.Sprintf("parameter %q is declared twice", in.Name),
			Help:  "a policy and the files whose names it imports share their parameters: one type for each",
			Notes: []diag.Note{{Span: old.At, Text: "the first declaration"}},
		})
	case u == u.edition.main:
		u.edition.params[in.Name] = &param{in, u, st} // the policy says it better than what it imports
	}
}

func (c *checker) paramType(in *Input, st *syntax.Input) {
	name := st.Type.Name
	switch {
	case name == "list":
		in.Type = value.ListType
	case scalars[name] != nil:
		in.Type = scalars[name]
	default:
		c.unknownParamType(st.Type)
		return
	}
	if st.Elem == nil {
		return
	}
	if in.Elem = scalars[st.Elem.Name]; in.Elem == nil {
		c.unknownParamType(st.Elem)
	}
	if in.Type != value.ListType {
		c.fail("P0236", st.Elem.Span(), fmt.Sprintf("only a list says what its items are, not %s", name), "write "+name)
		in.Elem = nil
	}
}

func (c *checker) unknownParamType(id *syntax.Ident) {
	help := foreignTypes[id.Name]
	if help == "" {
		help = diag.Nearest(id.Name, append(slices.Sorted(maps.Keys(scalars)), "list"))
	}
	if help != "" {
		help = "did you mean " + quote(help) + "?"
	} else {
		help = "str, int, float, bool, list and dict are; list[str] says what the items are"
	}
	c.fail("P0236", id.Span(), quote(id.Name)+" is no type of a parameter", help)
}

// defaults computes the defaults that an edition's files declare.
func (c *checker) defaults(ed *edition) {
	for _, p := range ed.sorted() {
		if p.decl.Default == nil {
			continue
		}
		c.stmt = p.decl
		if v, ok := c.constantValue(p.decl.Default, p.unit.scope, "a default"); ok {
			p.Default = c.accepted(p.Input, v, p.decl.Default.Span(), nil)
		}
		if p.Default == nil {
			p.Default = value.NoneV // refused; whoever relies on it need not be
		}
	}
	if ed.up != nil {
		return
	}
	for _, p := range ed.params {
		if v := c.cfg.Input[p.Name]; v != nil {
			if v, got := p.Accept(v); got == "" {
				p.Default = v
			}
		}
	}
}

// accepted checks the type of a value that is known at load.
func (c *checker) accepted(in *Input, v *value.Value, at diag.Span, notes []diag.Note) *value.Value {
	out, got := in.Accept(v)
	if got == "" {
		return out
	}
	help := ""
	if in.Type == value.ListType && v.Kind() == in.elem().Kind {
		help = "write a list of one: [" + at.Text() + "]"
	}
	c.report(diag.Diagnostic{
		Code: "P0233", Span: at, Help: help, Notes: notes,
		Message: fmt.Sprintf("parameter %q is %s, got %s", in.Name, aType(&value.Type{Name: in.TypeName()}), got),
	})
	return nil
}

func (in *Input) elem() *value.Type {
	if in.Elem == nil {
		return value.StrType
	}
	return in.Elem
}

// inputs enters the parameters that the policy declares among those that a
// monitor gives.
func (c *checker) inputs(policy *edition) {
	for _, p := range policy.params {
		c.prog.Inputs = append(c.prog.Inputs, p.Input)
	}
	slices.SortFunc(c.prog.Inputs, byName)
}

func byName(a, b *Input) int { return strings.Compare(a.Name, b.Name) }

// constantValue checks an expression and computes it. What it is for is said
// if it is none whose value is known at load.
func (c *checker) constantValue(e syntax.Expr, s *scope, what string) (*value.Value, bool) {
	errs := len(c.diags)
	c.noVariables(e, what)
	c.expr(e, s)
	if c.broken || c.diags[errs:].HasErrors() {
		return nil, false
	}
	f := folder{prog: c.prog, left: maxFolded}
	v := f.expr(e)
	if v == nil {
		c.fail("P0234", f.at.Span(), what+" has to be known when the policy loads",
			"write it with literals, constants and operators; a function is called in the rule")
		return nil, false
	}
	return v, true
}

// maxFolded bounds the nodes that are looked at for one constant: names can
// double what they stand for.
const maxFolded = 100_000

// A folder computes constant expressions.
type folder struct {
	prog *Program
	left int
	at   syntax.Expr // what is not constant
}

// expr returns the value of e, nil if it has none at load.
func (f *folder) expr(e syntax.Expr) *value.Value {
	if f.left--; f.left < 0 {
		f.at = e
		return nil
	}
	switch n := bare(e).(type) {
	case *syntax.StringLit:
		return value.StrOf(n.Value)
	case *syntax.IntLit:
		return f.known(value.BigOf(n.Value), e)
	case *syntax.FloatLit:
		return f.known(value.FloatOf(n.Value), e)
	case *syntax.ConstLit:
		return [...]*value.Value{syntax.NoneConst: value.NoneV, syntax.TrueConst: value.TrueV, syntax.FalseConst: value.FalseV}[n.Kind]
	case *syntax.ListLit:
		return f.sequence(n.Items, value.ListOf)
	case *syntax.TupleLit:
		return f.sequence(n.Items, value.TupleOf)
	case *syntax.DictLit:
		return f.dict(n)
	case *syntax.Ident:
		if b, ok := f.prog.Uses[n].(*Binding); ok && b.Const {
			return f.expr(b.Value)
		}
	case *syntax.Unary:
		return f.unary(n)
	case *syntax.Binary:
		return f.binary(n)
	}
	f.at = e
	return nil
}

func (f *folder) known(v *value.Value, e syntax.Expr) *value.Value {
	if v.Kind() == value.Unknown {
		f.at = e
		return nil
	}
	return v
}

func (f *folder) all(xs []syntax.Expr) []*value.Value {
	out := make([]*value.Value, len(xs))
	for i, x := range xs {
		if out[i] = f.expr(x); out[i] == nil {
			return nil
		}
	}
	return out
}

func (f *folder) sequence(xs []syntax.Expr, of func([]*value.Value) *value.Value) *value.Value {
	items := f.all(xs)
	if items == nil {
		return nil
	}
	return of(items)
}

func (f *folder) dict(e *syntax.DictLit) *value.Value {
	keys, items := f.all(e.Keys), f.all(e.Values)
	if keys == nil || items == nil {
		return nil
	}
	names := make([]string, 0, len(keys))
	for i, k := range keys {
		if k.Kind() != value.Str || slices.Contains(names, k.Text()) {
			f.at = e.Keys[i]
			return nil
		}
		names = append(names, k.Text())
	}
	return value.DictOf(names, items)
}

func (f *folder) unary(e *syntax.Unary) *value.Value {
	x := f.expr(e.X)
	if x == nil {
		return nil
	}
	switch e.Op {
	case syntax.Neg:
		return f.known(builtin.Negate(x), e)
	case syntax.Pos:
		return f.known(builtin.Plus(x), e)
	}
	f.at = e
	return nil
}

func (f *folder) binary(e *syntax.Binary) *value.Value {
	switch e.Op {
	case syntax.Add, syntax.Sub, syntax.Mul, syntax.Div, syntax.FloorDiv, syntax.Mod, syntax.Pow:
	default:
		f.at = e
		return nil
	}
	x, y := f.expr(e.X), f.expr(e.Y)
	if x == nil || y == nil {
		return nil
	}
	return f.known(builtin.Arith(e.Op, x, y), e)
}

// input resolves `input.x`, read in s.
func (c *checker) input(e *syntax.Member, s *scope) *value.Type {
	name, u := e.Name.Name, s.file()
	in := u.edition.find(name, u.declares)
	if in == nil && u.declares {
		c.fail("P0232", e.Name.Span(), fmt.Sprintf("parameter %q is not declared", name), cmp.Or(
			didYouMean(name, u.edition.names()), "a policy that declares parameters declares all of them: input "+name+": str"))
		in = &Input{Name: name, Type: value.AnyType}
	}
	if in == nil {
		in = c.undeclared(name)
	}
	c.prog.Members[e] = &Member{Field: -1, Input: in}
	return in.Type
}

// undeclared returns the parameter that files without declarations read.
func (c *checker) undeclared(name string) *Input {
	i, ok := slices.BinarySearchFunc(c.prog.Inputs, name, func(in *Input, name string) int { return strings.Compare(in.Name, name) })
	if !ok {
		c.prog.Inputs = slices.Insert(c.prog.Inputs, i, &Input{Name: name, Type: value.AnyType})
	}
	return c.prog.Inputs[i]
}
