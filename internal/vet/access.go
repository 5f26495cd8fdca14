// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/syntax"
)

// access reports arguments that are read of calls of any tool. A call that
// does not have the argument makes the rule unknown, and an unknown rule
// blocks. Every condition that is false of such calls guards the access:
// one on the tool, or on the argument being there.
func (v *vetting) access() {
	r, s := v.reader, v.solver
	for _, b := range v.bodies() {
		v.accessIn(r, s, b)
	}
}

// bodies returns the blocks of all rules, predicates and quantifiers, in order.
func (v *vetting) bodies() []*check.Block {
	var out []*check.Block
	for _, rule := range v.prog.Rules {
		out = append(out, rule.Body)
	}
	for _, f := range v.prog.Files {
		syntax.Walk(f, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Predicate:
				if p := v.predicates[n]; p != nil {
					out = append(out, p.Body)
				}
			case *syntax.QuantCond:
				if q := v.prog.Quants[n]; q != nil {
					out = append(out, q.Body)
				}
			}
			return true
		})
	}
	return out
}

func (v *vetting) accessIn(r *reader, s *solver, b *check.Block) {
	names, own := map[*check.Var]element{}, map[element]bool{}
	for i, el := range namesOf(b.Vars) {
		names[b.Vars[i]], own[el] = el, true
	}
	sc := &scope{vars: names}
	r.weak, r.size = nil, 0
	body := r.block(b.Conds, sc)
	for _, a := range r.argumentsRead(b.Conds, sc) {
		if !own[a.root] {
			continue // a parameter: what it stands for is known where the predicate is called
		}
		if !slices.ContainsFunc(body.subs, func(n *node) bool { return r.guards(s, n, a) }) {
			v.report("P0510", a.at.Span(), fmt.Sprintf("the argument %q is read of calls of any tool", a.key()),
				"a call without it makes the rule unknown, which blocks: ask for the tool as well, as in "+a.of+" is tool:name, or for the argument: \""+a.key()+"\" in "+a.of+".arguments")
		}
	}
}

// A reading of an argument: where it stands, the path of the call, the
// argument's.
type argumentRead struct {
	at   *syntax.Member
	of   string // the call, as written
	root element
	call []string
	path []string
}

func (a argumentRead) key() string { return a.path[len(a.call)+1] }

// argumentsRead returns the arguments that conditions read by `.name`, where
// nothing but the condition itself is asked first. Blocks inside are looked at
// by themselves.
func (r *reader) argumentsRead(conds []syntax.Cond, s *scope) []argumentRead {
	var out []argumentRead
	for _, c := range conds {
		x, ok := c.(*syntax.ExprCond)
		if !ok {
			continue
		}
		syntax.Walk(x.X, func(n syntax.Node) bool {
			m, ok := n.(*syntax.Member)
			if !ok {
				return true
			}
			if a, ok := r.argumentRead(m, s); ok {
				out = append(out, a)
			}
			return true
		})
	}
	return out
}

func (r *reader) argumentRead(m *syntax.Member, s *scope) (argumentRead, bool) {
	root, path, ok := r.place(m, s)
	if !ok || len(path) < 2 {
		return argumentRead{}, false
	}
	call := path[:0:0]
	if root.typ == "ToolOutput" && path[0] == "tool" {
		call = path[:1]
	}
	if !callAt(root, call) || len(path) != len(call)+2 || path[len(call)] != "arguments" || r.isMethod(m) {
		return argumentRead{}, false
	}
	of := strings.TrimSuffix(m.X.Span().Text(), ".arguments")
	return argumentRead{m, strings.TrimSuffix(of, ".function"), root, call, path}, true
}

// isMethod reports whether a member is called.
func (r *reader) isMethod(m *syntax.Member) bool {
	return r.methods[m]
}

// guards reports whether a condition is, or may be, false of a call that does
// not have the argument: one whose tool nobody names.
func (r *reader) guards(s *solver, n *node, a argumentRead) bool {
	name := r.termAt(a.root, under(a.call, "name"))
	arguments := r.termAt(a.root, under(a.call, "arguments")).key + "."
	goals := []goal{{n, isTrue | isUnknown}, {r.stranger(name), isTrue}}
	opaque := false
	n.atoms(func(at *atom) {
		switch {
		case at.term != nil && strings.HasPrefix(at.term.key, arguments) && at.term.root.name != "":
			goals = append(goals, goal{r.absent(at.term), isTrue})
		case at.term != nil && at.term.root.name != "", at.before != "", strings.HasPrefix(at.key, "there "):
		case strings.Count(at.key, a.root.name) > strings.Count(at.key, arguments):
			opaque = true // it asks something else of the call
		}
	})
	return opaque || s.possible(nil, goals...).answer != automata.Yes
}

// stranger is true of names that look like no tool's.
func (r *reader) stranger(t *term) *node {
	return r.about(t, "a stranger", func(a *atom) {
		a.set(isText, theory)
		a.text = setOf(`\x{2e9}[\x{2e5}-\x{2e8}]{3}\z`, automata.Options{})
	})
}

// absent is true of what is not there.
func (r *reader) absent(t *term) *node {
	return r.about(t, "absent", func(a *atom) {
		a.set(anyKind, isFalse)
		a.set(isMissing, isTrue)
	})
}
