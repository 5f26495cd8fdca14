// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A writer puts one rule into words.
type writer struct {
	prog  *check.Program
	named []*check.Predicate // in the order in which they are first named
	depth int                // of the expression being put into words
}

// verbs are what rules do.
var verbs = [...]string{syntax.Raise: "Denies", syntax.Ask: "Asks a person", syntax.Warn: "Warns"}

// rule is the sentence that begins a rule, and its conditions.
func (w *writer) rule(r *check.Rule) (string, []*Clause) {
	head := verbs[r.Node.Verb]
	if args := r.Message.Args; len(args) > 0 {
		head += " with " + w.noun(args[0])
	}
	clauses := w.conds(r.Node.Body)
	there := w.there(r.Body.Vars, "there is ", "there are ")
	switch {
	case there == "" && len(clauses) == 0:
		return head + " always", nil
	case there == "":
		return head + " when", clauses
	case len(clauses) == 0:
		return head + " when " + there, nil
	}
	return head + " when " + there + " such that", clauses
}

// where explains the predicates that were named, and those that these name.
func (w *writer) where() []*Clause {
	var out []*Clause
	for i := 0; i < len(w.named); i++ {
		p := w.named[i]
		var params []string
		for _, x := range p.Params {
			params = append(params, x.Name)
		}
		c := &Clause{Line: lineOf(p.Node), Subs: w.conds(p.Node.Body)}
		c.Text = fmt.Sprintf("`%s(%s)` holds when", p.Name, strings.Join(params, ", "))
		if there := w.there(p.Body.Vars, "there is ", "there are "); there != "" {
			c.Text += " " + there
			if len(c.Subs) > 0 {
				c.Text += " such that"
			}
		}
		out = append(out, c)
	}
	return out
}

// there lists variables: "there is a tool call `c`"; "" if there are none.
func (w *writer) there(vars []*check.Var, one, more string) string {
	var all []string
	for _, v := range vars {
		all = append(all, w.variable(v))
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return one + all[0]
	}
	return more + enumerate(all, "and")
}

func (w *writer) variable(v *check.Var) string {
	if v.Optional {
		return "possibly " + w.one(v)
	}
	return w.one(v)
}

func (w *writer) one(v *check.Var) string {
	s := aWord(typeWord(v.Type)) + " `" + v.Name + "`"
	if v.In != nil {
		s += " anywhere in " + w.noun(v.In)
	}
	return s
}

// enumerate returns "a", "a and b", "a, b and c".
func enumerate(all []string, word string) string {
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " " + word + " " + all[n-1]
	}
	return strings.Join(all, "")
}

var typeWords = map[string]string{
	"Event": "event", "Message": "message", "UserMessage": "user message", "AgentMessage": "agent message", "SystemMessage": "system message",
	"ToolCall": "tool call", "ToolOutput": "tool output", "Tool": "tool", "ToolParameter": "tool parameter", "TextChunk": "text part",
	"Image": "image", "Function": "function", "str": "text", "int": "whole number", "float": "number", "bool": "truth value",
	"list": "list", "dict": "object", "any": "value",
}

func typeWord(t *value.Type) string {
	if word := typeWords[t.Name]; word != "" {
		return word
	}
	return t.Name
}

// aWord puts the article before a word.
func aWord(word string) string {
	if strings.ContainsAny(word[:1], "aeiouAEIOU") && !strings.HasPrefix(word, "us") {
		return "an " + word
	}
	return "a " + word
}

// plurals of what typeWord gives.
func plural(word string) string {
	if word == "text" {
		return "texts"
	}
	return word + "s"
}

// conds are the clauses of a block.
func (w *writer) conds(conds []syntax.Cond) []*Clause {
	var out []*Clause
	for _, c := range conds {
		switch c := c.(type) {
		case *syntax.ExprCond:
			for _, x := range operands(c.X, syntax.And) {
				if !declares(x) {
					out = append(out, w.clause(x))
				}
			}
		case *syntax.QuantCond:
			out = append(out, w.quantifier(c))
		case *syntax.BindCond:
			out = append(out, &Clause{Line: lineOf(c), Text: "with `" + c.Name.Name + "` for " + w.noun(c.Value)})
		}
	}
	return out
}

// declares reports whether a line only says what a variable ranges over.
func declares(x syntax.Expr) bool {
	x = syntax.Unparen(x)
	if b, ok := x.(*syntax.Binary); ok && b.Op == syntax.In {
		x = syntax.Unparen(b.X)
	}
	_, ok := x.(*syntax.TypedVar)
	return ok
}

// operands are those of a chain of one operator.
func operands(x syntax.Expr, op syntax.Op) []syntax.Expr {
	x = syntax.Unparen(x)
	if b, ok := x.(*syntax.Binary); ok && b.Op == op {
		return slices.Concat(operands(b.X, op), operands(b.Y, op))
	}
	return []syntax.Expr{x}
}

// maxLine is how long alternatives may be to stand on one line.
const maxLine = 100

func (w *writer) clause(x syntax.Expr) *Clause {
	c := &Clause{Line: lineOf(x)}
	if b, ok := syntax.Unparen(x).(*syntax.Binary); ok && b.Op == syntax.Or {
		all := operands(x, syntax.Or)
		if c.Text = w.claim(x, true); len(c.Text) <= maxLine {
			return c
		}
		c.Text = "at least one of these holds"
		for _, o := range all {
			c.Subs = append(c.Subs, w.clause(o))
		}
		return c
	}
	c.Text = w.claim(x, true)
	return c
}

func (w *writer) quantifier(n *syntax.QuantCond) *Clause {
	q := w.prog.Quants[n]
	c := &Clause{Line: lineOf(n), Subs: w.conds(n.Body)}
	vars := q.Body.Vars
	switch {
	case len(vars) == 0:
		c.Text = map[bool]string{false: "all of this holds", true: "not all of this holds"}[n.Not]
		if n.Quant == syntax.Count {
			c.Text = w.bounds(q, n.Not) + " times (once at most) this holds"
		}
		return c
	case n.Quant == syntax.Exists:
		c.Text = w.there(vars, map[bool]string{false: "there is ", true: "there is no such "}[n.Not], map[bool]string{false: "there are ", true: "there are no such "}[n.Not])
	case n.Quant == syntax.Forall:
		var all []string
		for _, v := range vars {
			all = append(all, strings.TrimPrefix(strings.TrimPrefix(w.variable(v), "an "), "a "))
		}
		c.Text = map[bool]string{false: "for every ", true: "not for every "}[n.Not] + enumerate(all, "and every")
		if len(c.Subs) > 0 {
			c.Text += " this holds"
		}
		return c
	default:
		c.Text = w.bounds(q, n.Not) + " " + w.choices(vars)
	}
	if n.Not && n.Quant == syntax.Exists {
		c.Text = strings.NewReplacer("no such an ", "no ", "no such a ", "no ").Replace(c.Text)
	}
	if len(c.Subs) > 0 {
		c.Text += " such that"
	}
	return c
}

// choices is what count counts.
func (w *writer) choices(vars []*check.Var) string {
	if len(vars) == 1 {
		v := vars[0]
		s := plural(typeWord(v.Type)) + " `" + v.Name + "`"
		if v.In != nil {
			s += " anywhere in " + w.noun(v.In)
		}
		return s
	}
	return "choices of " + w.there(vars, "", "")
}

func (w *writer) bounds(q *check.Quant, not bool) string {
	s := ""
	switch {
	case q.Min == q.Max:
		s = fmt.Sprintf("there are exactly %d", q.Min)
	case q.Max < 0:
		s = fmt.Sprintf("there are at least %d", q.Min)
	case q.Min < 0:
		s = fmt.Sprintf("there are at most %d", q.Max)
	default:
		s = fmt.Sprintf("there are between %d and %d", q.Min, q.Max)
	}
	if not {
		return "it is not so that " + s
	}
	return s
}
