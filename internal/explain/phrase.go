// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"strings"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// maxQuoted is how many code points of a text or of an expression are quoted.
const maxQuoted = 80

// noun is what an expression stands for.
func (w *writer) noun(x syntax.Expr) string {
	if w.depth++; w.depth > maxDepth {
		w.depth--
		return w.source(x)
	}
	defer func() { w.depth-- }()
	switch x := syntax.Unparen(x).(type) { //nolint:gochecksumtype // the others are quoted
	case *syntax.TypedVar:
		return "`" + x.Name.Name + "`"
	case *syntax.StringLit:
		return quote(x.Value)
	case *syntax.IntLit, *syntax.FloatLit, *syntax.ConstLit:
		return x.Span().Text()
	case *syntax.Ident:
		return w.name(x)
	case *syntax.Member:
		return w.member(x)
	case *syntax.Index:
		if lit, ok := syntax.Unparen(x.I).(*syntax.StringLit); ok {
			return "`" + lit.Value + "` of " + w.noun(x.X)
		}
	case *syntax.Call:
		return w.result(x)
	case *syntax.IfElse:
		return w.noun(x.Then) + " if " + w.claim(x.If, true) + ", else " + w.noun(x.Else)
	case *syntax.ListComp:
		return "the list of " + w.noun(x.Elt) + " for " + w.turn(x)
	case *syntax.Binary:
		if x.Op == syntax.In && declares(x) {
			return w.noun(x.X)
		}
	}
	return w.source(x)
}

// name is a name: that of a constant is its value.
func (w *writer) name(x *syntax.Ident) string {
	b, ok := w.prog.Uses[x].(*check.Binding)
	if !ok || !b.Const {
		return "`" + x.Name + "`"
	}
	switch v := syntax.Unparen(b.Value).(type) { //nolint:gochecksumtype // long values are named
	case *syntax.StringLit, *syntax.IntLit, *syntax.FloatLit, *syntax.ConstLit:
		return w.noun(v)
	case *syntax.Member, *syntax.Call, *syntax.Index:
		if len(b.Value.Span().Text()) <= maxQuoted {
			return w.noun(v)
		}
	}
	return w.source(b.Value)
}

// member is `x.name`.
func (w *writer) member(x *syntax.Member) string {
	m := w.prog.Members[x]
	if m != nil && m.Input != nil {
		return "the parameter `" + m.Input.Name + "`"
	}
	of := syntax.Unparen(x.X)
	if inner, ok := of.(*syntax.Member); ok {
		t := w.prog.Types[syntax.Unparen(inner.X)]
		switch {
		case inner.Name.Name == "function" && t == value.ToolCallType && x.Name.Name == "name":
			return "the tool name of " + w.noun(inner.X)
		case inner.Name.Name == "function" && t == value.ToolCallType && x.Name.Name == "arguments":
			return "the arguments of " + w.noun(inner.X)
		case inner.Name.Name == "arguments" && t == value.ToolCallType:
			return "the argument `" + x.Name.Name + "` of " + w.noun(inner.X)
		case inner.Name.Name == "arguments" && t == value.FunctionType:
			if f, ok := syntax.Unparen(inner.X).(*syntax.Member); ok && f.Name.Name == "function" {
				return "the argument `" + x.Name.Name + "` of " + w.noun(f.X)
			}
		}
	}
	t := w.prog.Types[of]
	switch {
	case t == value.ToolCallType && x.Name.Name == "name":
		return "the tool name of " + w.noun(of)
	case t == value.ToolOutputType && x.Name.Name == "tool":
		return "the call that " + w.noun(of) + " answers"
	case m != nil && m.Field >= 0:
		return "the " + strings.ReplaceAll(x.Name.Name, "_", " ") + " of " + w.noun(of)
	}
	return "`" + x.Name.Name + "` of " + w.noun(of)
}

// result is what a call gives.
func (w *writer) result(x *syntax.Call) string {
	c := w.prog.Calls[x]
	switch {
	case c == nil:
		return w.source(x)
	case c.Pred != nil:
		w.remember(c.Pred)
		var args []string
		for _, a := range c.Args {
			args = append(args, strings.Trim(w.source(a), "`"))
		}
		return "`" + c.Pred.Name + "(" + strings.Join(args, ", ") + ")`"
	case c.Method != nil:
		switch c.Method.Name {
		case "lower":
			return w.noun(c.Recv) + " in lower case"
		case "upper":
			return w.noun(c.Recv) + " in upper case"
		case "strip":
			if len(c.Args) == 0 || c.Args[0] == nil {
				return w.noun(c.Recv) + " without the space around it"
			}
		}
	case c.Func.Name == "len" && len(c.Args) == 1 && c.Args[0] != nil:
		return "the length of " + w.noun(c.Args[0])
	case c.Func.Name == "find" && len(c.Args) >= 2 && c.Args[0] != nil && c.Args[1] != nil:
		return "what " + w.noun(c.Args[0]) + " matches in " + w.noun(c.Args[1])
	}
	return w.source(x)
}

// remember notes a predicate that was named.
func (w *writer) remember(p *check.Predicate) {
	for _, q := range w.named {
		if p == q {
			return
		}
	}
	w.named = append(w.named, p)
}

// source quotes an expression as it is written, on one line. The predicates in
// it are explained too.
func (w *writer) source(x syntax.Node) string {
	syntax.Walk(x, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Call); ok && w.prog.Calls[c] != nil && w.prog.Calls[c].Pred != nil {
			w.remember(w.prog.Calls[c].Pred)
		}
		return true
	})
	return "`" + cut(strings.Join(strings.Fields(x.Span().Text()), " ")) + "`"
}

// quote is a text of the policy.
func quote(s string) string {
	s = cut(s)
	return `"` + strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + `"`
}

func cut(s string) string {
	if utf8.RuneCountInString(s) <= maxQuoted {
		return s
	}
	return string([]rune(s)[:maxQuoted-1]) + "…"
}
