// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/syntax"
)

// within mutates what an expression is made of.
func (b *breeder) within(x syntax.Expr) {
	if x == nil {
		return
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Binary:
			b.binary(n)
		case *syntax.FlowChain:
			b.flow(n)
		case *syntax.IntLit:
			b.bound(n)
		case *syntax.ToolPattern:
			b.tool(n)
		case *syntax.Call:
			b.call(n)
		}
		return true
	})
}

// neighbours are what a comparison becomes.
var neighbours = map[syntax.Op]string{
	syntax.Eq: "!=", syntax.Ne: "==",
	syntax.Lt: "<=", syntax.Le: "<", syntax.Gt: ">=", syntax.Ge: ">",
	syntax.In: "not in", syntax.NotIn: "in", syntax.Is: "is not", syntax.IsNot: "is",
}

func (b *breeder) binary(x *syntax.Binary) {
	switch x.Op {
	case syntax.And, syntax.Or:
		b.operand(x, x.X, x.Y)
		b.operand(x, x.Y, x.X)
	default:
		if after := neighbours[x.Op]; after != "" && len(declarations(x.X)) == 0 {
			b.addShown(Equal, x.OpAt, after, strings.TrimSpace(after))
			b.whole(x, x.OpAt, after)
		}
	}
}

// whole makes the last mutant show the comparison, not its sign alone.
func (b *breeder) whole(x syntax.Expr, at diag.Span, after string) {
	m := &b.out[len(b.out)-1]
	all := x.Span()
	m.Before = oneLine(all.Text())
	m.After = oneLine(string(b.text[all.Start:at.Start]) + after + string(b.text[at.End:all.End]))
}

// operand leaves out one operand of `and` or `or`, keeping the other, and
// negates it.
func (b *breeder) operand(x *syntax.Binary, out, kept syntax.Expr) {
	b.add(Drop, x.Span(), kept.Span().Text())
	inner := syntax.Unparen(out)
	if c, ok := inner.(*syntax.Binary); ok && c.Op == x.Op {
		return // its own operands are negated
	}
	b.negate(inner, out.Span())
}

// flow swaps neighbours of a flow, and takes one kind of flow for the other.
func (b *breeder) flow(x *syntax.FlowChain) {
	for i, op := range x.Ops {
		left, right := x.Xs[i].Span(), x.Xs[i+1].Span()
		at := diag.Span{File: left.File, Start: left.Start, End: right.End}
		b.add(Swap, at, right.Text()+string(b.text[left.End:right.Start])+left.Text())
		after := "~>"
		if op == syntax.DirectFlow {
			after = "->"
		}
		b.add(Equal, x.OpAt[i], after)
		b.whole(x, x.OpAt[i], after)
	}
}

func (b *breeder) bound(x *syntax.IntLit) {
	for _, by := range []int64{1, -1} {
		n := new(big.Int).Add(x.Value, big.NewInt(by))
		if n.Sign() >= 0 {
			b.add(Bound, x.Span(), n.String())
		}
	}
}

// tool asks less of a tool's arguments: none of them, and each but one.
func (b *breeder) tool(x *syntax.ToolPattern) {
	if x.Args == nil || len(x.Args.Keys) == 0 {
		return
	}
	whole := x.Span()
	args := diag.Span{File: whole.File, Start: x.NameAt.End, End: whole.End}
	b.add(Tool, args, "")
	b.whole(x, args, "")
	if len(x.Args.Keys) > 1 {
		for i := range x.Args.Keys {
			b.lessKey(x, i)
		}
	}
	for _, v := range x.Args.Values {
		if s, ok := v.(*syntax.StringLit); ok {
			b.pattern(s, true)
		}
	}
}

// lessKey takes a key away from an argument pattern, with the comma beside it.
func (b *breeder) lessKey(x *syntax.ToolPattern, i int) {
	keys, values := x.Args.Keys, x.Args.Values
	at := diag.Span{File: x.Span().File, Start: keys[i].Span().Start, End: values[i].Span().End}
	if i+1 < len(keys) {
		at.End = keys[i+1].Span().Start
	} else {
		at.Start = values[i-1].Span().End
	}
	b.add(Tool, at, "")
	b.whole(x, at, "")
}

// call mutates the pattern of match and find.
func (b *breeder) call(x *syntax.Call) {
	name, ok := x.Fun.(*syntax.Ident)
	if !ok || name.Name != "match" && name.Name != "find" || len(x.Args) == 0 {
		return
	}
	switch s := syntax.Unparen(x.Args[0].Value).(type) { //nolint:gochecksumtype // the others are no literals
	case *syntax.StringLit:
		b.pattern(s, name.Name == "match")
	case *syntax.Ident:
		if text := b.texts[s.Name]; text != nil {
			b.pattern(text, name.Name == "match")
			delete(b.texts, s.Name) // once is enough
		}
	}
}

// pattern makes a literal pattern match more: texts that begin with something
// else (if it is anchored there), that go on behind its `$`, and that have any
// character where it has a dot.
func (b *breeder) pattern(s *syntax.StringLit, anchored bool) {
	raw := s.Span().Text()
	quote := strings.IndexAny(raw, `"'`)
	if quote < 0 || !hasPattern(s.Value) {
		return
	}
	inner := quote + 1
	if strings.HasPrefix(raw[quote:], `"""`) || strings.HasPrefix(raw[quote:], "'''") {
		inner = quote + 3
	}
	inner += len(flags.FindString(raw[inner:]))
	first := inner
	if strings.HasPrefix(raw[inner:], "^") {
		first++
	}
	if anchored && !strings.HasPrefix(raw[first:], ".*") || first > inner {
		b.replace(s, inner, first, ".*")
	}
	if end := len(strings.TrimRight(raw, raw[quote:quote+1])); end > inner && raw[end-1] == '$' && raw[end-2] != '\\' {
		b.replace(s, end-1, end, "")
	}
	for _, at := range dots(raw, quote, inner) {
		b.replace(s, at[0], at[1], ".")
	}
}

// flags are those that a pattern begins with; they stand nowhere else.
var flags = regexp.MustCompile(`^\(\?[a-zA-Z]+\)`)

// dots finds the escaped dots in a literal from a place on, but for those in
// brackets, where a dot is one with a backslash and without.
func dots(raw string, quote, from int) (out [][2]int) {
	escape := `\\`
	if strings.ContainsAny(raw[:quote], "rR") {
		escape = `\`
	}
	bracket := false
	for i := from; i < len(raw); i++ {
		switch {
		case strings.HasPrefix(raw[i:], escape):
			n := len(escape)
			if strings.HasPrefix(raw[i+n:], escape) {
				n += len(escape) - 1 // a backslash
			} else if strings.HasPrefix(raw[i+n:], ".") && !bracket {
				out = append(out, [2]int{i, i + n + 1})
			}
			i += n
		case raw[i] == '\\': // of the literal, as \n; it stays in front of what means nothing there
			if strings.HasPrefix(raw[i+1:], ".") && !bracket {
				out = append(out, [2]int{i, i + 2})
			}
			i++
		case raw[i] == '[':
			bracket = true
		case raw[i] == ']':
			bracket = false
		}
	}
	return out
}

// hasPattern reports whether a text has signs of a pattern: a plain word is
// none that could be anchored.
func hasPattern(s string) bool { return strings.ContainsAny(s, `^$.*+?[](){}|\`) }

// replace puts a text in the place of a piece of a literal.
func (b *breeder) replace(s *syntax.StringLit, from, to int, after string) {
	at := s.Span()
	at.Start, at.End = at.Start+from, at.Start+to
	b.add(Anchor, at, after)
	b.whole(s, at, after)
}
