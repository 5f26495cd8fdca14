// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// not gives the negation of any value's truth, which is as in Python. A truth is
// TrueV, FalseV or an Unknown value, which carries its causes.
func not(v val) val {
	switch value.Truth(v) {
	case value.True:
		return value.FalseV
	case value.False:
		return value.TrueV
	}
	return v
}

// and is Kleene's: a false operand decides, wherever it stands; otherwise an
// unknown one makes it unknown, for the causes of all unknown ones.
func and(vs ...val) val { return decide(value.FalseV, vs) }

// or is Kleene's too: a true operand decides.
func or(vs ...val) val { return decide(value.TrueV, vs) }

func decide(by val, vs []val) val {
	var causes []value.Cause
	for _, v := range vs {
		if not(not(v)) == by {
			return by
		}
		causes = value.MergeCauses(causes, v.Causes())
	}
	if causes != nil {
		return value.UnknownOf(causes)
	}
	return not(by)
}

// block is the truth of a conjunction under one assignment of its variables,
// those of s. A variable whose elements are not known leaves it unknown at best.
// If it is true, the elements are evidence, and what the conditions mark.
func (e *evaluator) block(s *scope, b *check.Block) val {
	return e.marked(func() val {
		var vs []val
		for _, c := range b.Conds {
			vs = append(vs, e.condition(s, c))
		}
		for _, v := range b.Vars {
			if x := s.find(v).val; x != nil {
				e.env.Marks.Mark(x, -1, -1)
			}
		}
		return and(append(vs, e.bottoms(s, b)...)...)
	})
}

// bottoms are the variables of b whose elements are not known.
func (e *evaluator) bottoms(s *scope, b *check.Block) (vs []val) {
	for _, v := range b.Vars {
		if x := e.element(s, v); x != nil && x.Kind() == value.Unknown {
			vs = append(vs, x)
		}
	}
	return vs
}

// condition is the truth of a line, or of an operand of `and` or `or`.
func (e *evaluator) condition(s *scope, n syntax.Node) val {
	if e.absent(s, n) {
		return value.FalseV
	}
	return e.marked(func() val {
		switch n := n.(type) {
		case *syntax.ExprCond:
			return e.truth(s, n.X)
		case *syntax.QuantCond:
			if n.Not {
				return e.negation(func() val { return e.quantifier(s, n, e.prog.Quants[n]) })
			}
			return e.quantifier(s, n, e.prog.Quants[n])
		}
		return e.truth(s, n.(syntax.Expr))
	})
}

// truth is the truth of an expression. That of a typed variable is whether it
// has an element.
func (e *evaluator) truth(s *scope, x syntax.Expr) val {
	v, ok := syntax.Unparen(x).(*syntax.TypedVar)
	if !ok {
		return not(not(e.value(s, x)))
	}
	switch x := e.element(s, e.prog.Vars[v]); {
	case x == nil:
		return value.FalseV
	case x.Kind() == value.Unknown:
		return x
	}
	return value.TrueV
}

// negation negates what f gives; of a list of answers, each. Nothing in it is
// evidence.
func (e *evaluator) negation(f func() val) val {
	e.env.Marks.Flip()
	defer e.env.Marks.Flip()
	v := f()
	if v.Kind() != value.List {
		return not(v)
	}
	list := slices.Clone(v.Items())
	for i, v := range list {
		list[i] = not(v)
	}
	return value.ListOf(list)
}

// conditions are the truths of the operands of a chain of `and` or `or`.
func (e *evaluator) conditions(s *scope, x *syntax.Binary) (vs []val) {
	for _, o := range []syntax.Expr{x.X, x.Y} {
		if b, ok := syntax.Unparen(o).(*syntax.Binary); ok && b.Op == x.Op {
			vs = append(vs, e.conditions(s, b)...)
		} else {
			vs = append(vs, e.condition(s, o))
		}
	}
	return vs
}

// predicate is the truth of a predicate's call. Its parameters stand for the
// arguments; its own variables are existential.
func (e *evaluator) predicate(s *scope, x *syntax.Call, c *check.Call) val {
	var in *scope
	for i, p := range c.Pred.Params {
		in = &scope{up: in, name: p, arg: c.Args[i], in: s}
	}
	return e.quantifier(in, x, &check.Quant{Kind: syntax.Exists, Min: 1, Max: -1, Body: c.Pred.Body})
}

// quantifier counts the assignments of a body that are true and those that are
// unknown, which are any number if elements are not known; forall counts those
// that are false, and an assignment to elements that may not exist is not.
func (e *evaluator) quantifier(s *scope, src syntax.Node, q *check.Quant) val {
	least, most, counted := max(q.Min, 0), q.Max, value.True
	if q.Kind == syntax.Forall {
		least, most, counted = 0, 0, value.False
	}
	yes, maybe, open, causes, marks := 0, 0, false, []value.Cause(nil), e.env.Marks
	e.assignments(s, q.Body, Assignment{}, func(s *scope, _ Assignment) {
		if counted == value.False || q.Min < 0 || yes >= maxWitnesses {
			e.env.Marks = nil
		}
		holds, bottoms := e.block(s, q.Body), e.bottoms(s, q.Body)
		e.env.Marks = marks
		if counted == value.False {
			holds = or(append(bottoms, holds)...)
		}
		switch value.Truth(holds) {
		case counted:
			yes++
		case value.Unsure:
			maybe, open, causes = maybe+1, open || bottoms != nil, value.MergeCauses(causes, holds.Causes())
		}
	})
	if e.cut {
		open, causes = true, value.MergeCauses(causes, spent(src).Causes())
	}
	switch {
	case most >= 0 && yes > most, yes+maybe < least && !open:
		return value.FalseV
	case yes >= least && (most < 0 || yes+maybe <= most && !open):
		return value.TrueV
	}
	return value.UnknownOf(causes)
}

func spent(src syntax.Node) val {
	return value.Trouble(value.Budget, nil, "evaluation budget used up").WithSrc(src)
}

// maxWitnesses is how many true assignments of a quantifier are evidence.
const maxWitnesses = 16

// marked drops what f marks unless it is true: what does not hold is no
// evidence.
func (e *evaluator) marked(f func() val) val {
	n := e.env.Marks.Len()
	v := f()
	if value.Truth(v) != value.True {
		e.env.Marks.Truncate(n)
	}
	return v
}

// ranges are elements and spans as text, each once, in the order of the trace.
func ranges(spans []builtin.Span) (out []string) {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b builtin.Span) int {
		pa, _ := value.Position(a.At)
		pb, _ := value.Position(b.At)
		sa, _ := value.Address(a.At)
		sb, _ := value.Address(b.At)
		return cmp.Or(cmp.Compare(pa, pb), cmp.Compare(sa, sb), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	for _, m := range spans {
		text, _ := value.Address(m.At)
		if m.Start >= 0 {
			text = fmt.Sprintf("%s:%d-%d", text, m.Start, m.End)
		}
		out = append(out, text)
	}
	return slices.Compact(out)
}
