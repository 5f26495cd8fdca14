// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/syntax"
)

// unused reports names that nothing uses: imports, bindings, parameters and,
// in a file that has rules of its own, predicates and constants. A file
// without rules is there to be imported from.
func (v *vetting) unused() {
	u := usesOf(v.prog)
	for _, f := range v.files() {
		used := namesIn(f)
		rules := slices.ContainsFunc(f.Stmts, func(st syntax.Stmt) bool { _, ok := st.(*syntax.Rule); return ok })
		for _, st := range f.Stmts {
			switch st := syntax.Node(st).(type) {
			case *syntax.Import:
				v.unusedModule(f, st, used)
			case *syntax.FromImport:
				v.unusedNames(f, st, used)
			case *syntax.Const:
				if rules && !u.values[st.Value] && !spared(st.Name.Name) {
					v.report("P0507", st.Name.Span(), fmt.Sprintf("nothing uses the constant %q", st.Name.Name), "remove it, or begin its name with _ to keep it for later")
				}
			case *syntax.Predicate:
				if rules && v.predicates[st] == nil && !spared(st.Name.Name) {
					v.report("P0506", st.Name.Span(), fmt.Sprintf("nothing calls the predicate %q", st.Name.Name), "remove it, or begin its name with _ to keep it for later")
				}
				v.unusedParams(st, u)
			case *syntax.Input:
				if rules && !u.inputs[st.Name.Name] && !spared(st.Name.Name) {
					v.report("P0507", st.Name.Span(), fmt.Sprintf("nothing reads the parameter %q", st.Name.Name), "remove it: whoever sets it believes that it does something")
				}
			}
		}
		v.unusedBindings(f, u)
	}
}

// spared reports whether a name says that it may be unused.
func spared(name string) bool { return strings.HasPrefix(name, "_") }

// uses is what the names of a program stand for.
type uses struct {
	values map[syntax.Expr]bool // of bindings and constants
	params map[*syntax.Param]bool
	inputs map[string]bool
}

func usesOf(prog *check.Program) uses {
	u := uses{values: map[syntax.Expr]bool{}, params: map[*syntax.Param]bool{}, inputs: map[string]bool{}}
	for _, m := range prog.Members {
		if m.Input != nil {
			u.inputs[m.Input.Name] = true
		}
	}
	for _, obj := range prog.Uses {
		switch obj := any(obj).(type) {
		case *check.Binding:
			u.values[obj.Value] = true
		case *check.ParamObj:
			if obj.Index < len(obj.Pred.Node.Params) {
				u.params[obj.Pred.Node.Params[obj.Index]] = true
			}
		}
	}
	return u
}

// namesIn returns the names that a file mentions outside of its imports.
func namesIn(f *syntax.File) map[string]bool {
	used := map[string]bool{}
	var visit func(syntax.Node) bool
	visit = func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Import, *syntax.FromImport:
			return false
		case *syntax.Ident:
			used[n.Name] = true
		case *syntax.Member:
			syntax.Walk(n.X, visit)
			return false
		case *syntax.Arg:
			syntax.Walk(n.Value, visit)
			return false
		case *syntax.QuantCond:
			used[[...]string{syntax.Count: "count", syntax.Forall: "forall", syntax.Exists: "exists"}[n.Quant]] = true
		}
		return true
	}
	syntax.Walk(f, visit)
	return used
}

func (v *vetting) unusedModule(f *syntax.File, st *syntax.Import, used map[string]bool) {
	name, _, _ := strings.Cut(st.Module, ".")
	if st.As != nil {
		name = st.As.Name
	}
	if used[name] {
		return
	}
	v.addFix(diag.Diagnostic{Code: "P0508", Span: st.At, Message: fmt.Sprintf("nothing uses the import %q", name)}, removal(f, st, "remove the import of "+st.Module))
}

func (v *vetting) unusedNames(f *syntax.File, st *syntax.FromImport, used map[string]bool) {
	var idle []*syntax.ImportName
	for _, n := range st.Names {
		if !used[n.As.Name] {
			idle = append(idle, n)
		}
	}
	for _, n := range idle {
		fix := removal(f, st, "remove the import of "+n.As.Name)
		if len(idle) < len(st.Names) {
			fix = &Fix{What: "remove the import of " + n.As.Name, Edits: []Edit{{Span: itemSpan(f, st, n)}}, Keeps: true}
		}
		v.addFix(diag.Diagnostic{Code: "P0508", Span: n.Span(), Message: fmt.Sprintf("nothing uses the import %q", n.As.Name)}, fix)
	}
}

// removal takes a statement away, with the rest of its lines.
func removal(f *syntax.File, st syntax.Node, what string) *Fix {
	src := f.Source.Src
	span := st.Span()
	for span.End < len(src) && src[span.End-1] != '\n' {
		if c := src[span.End]; c == '#' || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			break // a comment stays
		}
		span.End++
	}
	return &Fix{What: what, Edits: []Edit{{Span: span}}, Keeps: true}
}

// itemSpan is a name of an import and a comma beside it.
func itemSpan(f *syntax.File, st *syntax.FromImport, n *syntax.ImportName) diag.Span {
	i := slices.Index(st.Names, n)
	span := n.Span()
	if i+1 < len(st.Names) {
		span.End = st.Names[i+1].Span().Start
		return span
	}
	span.Start = st.Names[i-1].Span().End
	_ = f
	return span
}

func (v *vetting) unusedParams(st *syntax.Predicate, u uses) {
	for _, p := range st.Params {
		if !u.params[p] && v.predicates[st] != nil && !spared(p.Name.Name) {
			v.report("P0509", p.Name.Span(), fmt.Sprintf("the predicate does not use its parameter %q", p.Name.Name), "remove it, or begin its name with _")
		}
	}
}

func (v *vetting) unusedBindings(f *syntax.File, u uses) {
	syntax.Walk(f, func(n syntax.Node) bool {
		if b, ok := n.(*syntax.BindCond); ok && !u.values[b.Value] && !spared(b.Name.Name) {
			v.report("P0505", b.Name.Span(), fmt.Sprintf("nothing uses the binding %q", b.Name.Name), "a binding is always true; a condition is meant if it should be asked, as in name == value")
		}
		return true
	})
}
