// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package mutate changes a policy in small ways that its tests should notice: a
// condition less, a bound that is off by one, a rule that only warns. A change
// that no test notices is a case that is missing, or says that the policy holds
// something it does not need. `holdfast test --mutate` uses it.
package mutate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// The operators, by which survivors are named and equivalent mutants marked.
const (
	Drop   = "drop"   // a condition, or an operand of `and` or `or`, is left out
	Negate = "negate" // a condition, or an operand, is negated
	Swap   = "swap"   // the sides of a flow change places
	Equal  = "equal"  // a comparison becomes its neighbour: == and !=, < and <=, in and not in
	Bound  = "bound"  // a number is one more or less
	Tool   = "tool"   // a tool pattern asks less of the arguments
	Anchor = "anchor" // a pattern matches more: in the middle of a text, any character for a dot
	Verb   = "verb"   // a rule only warns
)

// Operators are all there are.
func Operators() []string { return []string{Drop, Negate, Swap, Equal, Bound, Tool, Anchor, Verb} }

// A Mutant is a policy with one change. It need not load.
type Mutant struct {
	Operator string
	Line     int    // of the change, from 1
	Column   int    // in characters, from 1
	Before   string // what stood there, in one line
	After    string
	Text     []byte // of the whole policy

	// Equivalent is why no test can notice the change, as a comment says, see
	// Marker; "" if nothing is said.
	Equivalent string
	mark       *mark // that says so
}

// String names a mutant: "drop: `x > 1` becomes nothing".
func (m *Mutant) String() string {
	if m.After == "" {
		return fmt.Sprintf("%s: without `%s`", m.Operator, m.Before)
	}
	return fmt.Sprintf("%s: `%s` becomes `%s`", m.Operator, m.Before, m.After)
}

// Mutants returns every mutant of a policy, in the order of its text. The list
// says why the policy, or a mark in it, cannot be read; then there are none.
func Mutants(file *diag.File) ([]Mutant, error) {
	tree, list := syntax.Parse(file)
	if err := list.Err(); err != nil {
		return nil, err
	}
	marks, err := marksOf(tree)
	if err != nil {
		return nil, err
	}
	b := &breeder{text: file.Src, file: file, texts: map[string]*syntax.StringLit{}}
	for _, s := range tree.Stmts {
		if s, ok := s.(*syntax.Const); ok {
			b.constant(s)
		}
	}
	for _, s := range tree.Stmts {
		switch s := s.(type) { //nolint:gochecksumtype // the others have no conditions
		case *syntax.Rule:
			b.verb(s)
			b.block(s.Body)
		case *syntax.Predicate:
			b.block(s.Body)
		}
	}
	slices.SortStableFunc(b.out, func(a, c Mutant) int {
		return cmp.Or(cmp.Compare(a.Line, c.Line), cmp.Compare(a.Column, c.Column))
	})
	b.out = slices.DeleteFunc(b.out, func(m Mutant) bool { return bytes.Equal(m.Text, file.Src) }) // as `a -> a`
	for i := range b.out {
		if m := &b.out[i]; marks.of(m) != nil {
			m.mark = marks.of(m)
			m.Equivalent = m.mark.reason
		}
	}
	if err := marks.unused(); err != nil {
		return nil, err
	}
	return b.out, nil
}

// A breeder collects mutants.
type breeder struct {
	file *diag.File
	text []byte
	out  []Mutant

	texts map[string]*syntax.StringLit // constants that are texts, by name
}

// add puts another text in the place of a span.
func (b *breeder) add(operator string, at diag.Span, after string) {
	b.addShown(operator, at, after, after)
}

// addShown is add where what is shown of the change is not all of it.
func (b *breeder) addShown(operator string, at diag.Span, after, shown string) {
	line, column := b.file.Position(at.Start)
	b.out = append(b.out, Mutant{
		Operator: operator, Line: line, Column: column, Before: oneLine(at.Text()), After: oneLine(shown),
		Text: bytes.Join([][]byte{b.text[:at.Start], b.text[at.End:]}, []byte(after)),
	})
}

// oneLine shortens a text to what fits into a sentence.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 80 {
		s = string(r[:79]) + "…"
	}
	return s
}

// constant changes what a constant computes. One that is a text is a pattern if a
// condition takes it for one.
func (b *breeder) constant(s *syntax.Const) {
	if text, ok := syntax.Unparen(s.Value).(*syntax.StringLit); ok {
		b.texts[s.Name.Name] = text
	}
	b.within(s.Value)
}

// verb makes a rule warn.
func (b *breeder) verb(r *syntax.Rule) {
	if r.Verb != syntax.Warn {
		b.add(Verb, r.VerbAt, "warn")
	}
}

func (b *breeder) block(conds []syntax.Cond) {
	for _, c := range conds {
		switch c := c.(type) {
		case *syntax.ExprCond:
			b.line(c)
		case *syntax.BindCond:
			b.within(c.Value)
		case *syntax.QuantCond:
			b.quantifier(c)
		}
	}
}

// line mutates a condition.
func (b *breeder) line(c *syntax.ExprCond) {
	x := syntax.Unparen(c.X)
	if _, ok := x.(*syntax.TypedVar); ok {
		return // without it nothing loads
	}
	b.dropLine(c, x)
	b.negate(x, c.Span())
	b.within(c.X)
}

// dropLine leaves a condition out, but for the variables that it declares.
func (b *breeder) dropLine(c *syntax.ExprCond, x syntax.Expr) {
	declared := declarations(x)
	if len(declared) == 0 {
		if known, ok := x.(*syntax.ConstLit); !ok || known.Kind != syntax.TrueConst {
			b.addShown(Drop, c.Span(), "True", "")
		}
		return
	}
	between := "\n" + b.indent(c.Span())
	if strings.TrimSpace(between) != "" {
		between = " and " // a predicate in one line
	}
	b.addShown(Drop, c.Span(), strings.Join(declared, between), strings.Join(declared, ", "))
}

// declarations are the typed variables in an expression, as they are written.
func declarations(x syntax.Expr) []string {
	var out []string
	syntax.Walk(x, func(n syntax.Node) bool {
		if v, ok := n.(*syntax.TypedVar); ok {
			out = append(out, v.Span().Text())
		}
		return true
	})
	return out
}

// indent is what stands before a span in its line.
func (b *breeder) indent(at diag.Span) string {
	start := bytes.LastIndexByte(b.text[:at.Start], '\n') + 1
	return string(b.text[start:at.Start])
}

// negate puts a `not` before a condition or operand, or takes one away. What
// declares a variable cannot be negated.
func (b *breeder) negate(x syntax.Expr, at diag.Span) {
	if len(declarations(x)) > 0 {
		return
	}
	if u, ok := x.(*syntax.Unary); ok && u.Op == syntax.Not {
		b.add(Negate, at, "("+u.X.Span().Text()+")")
		return
	}
	b.add(Negate, at, "not ("+at.Text()+")")
}

// quantifier mutates a quantifier and what is in it.
func (b *breeder) quantifier(c *syntax.QuantCond) {
	head := c.Span()
	head.End = head.Start + bytes.IndexByte(b.text[head.Start:head.End], '\n')
	if head.End < head.Start {
		head.End = c.Span().End
	}
	b.addQuant(Drop, c.Span(), head, "True", "")
	if c.Not {
		rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(head.Text()), "not"))
		b.add(Negate, head, rest)
	} else {
		b.add(Negate, head, "not "+head.Text())
	}
	for _, a := range c.Args {
		b.within(a.Value)
	}
	b.block(c.Body)
}

// addQuant replaces a whole block and shows its first line.
func (b *breeder) addQuant(operator string, all, head diag.Span, after, shown string) {
	b.addShown(operator, all, after, shown)
	text, _, _ := strings.Cut(head.Text(), "#") // no text stands there
	b.out[len(b.out)-1].Before = oneLine(text)
}
