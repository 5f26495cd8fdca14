// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A Census counts what the cases of a run were made of. A generator that has
// gone astray finds nothing wrong, so the run fails unless enough of
// everything was in it.
type Census struct {
	Cases, Loaded, TooLarge, Violated, Unknown int

	nodes map[reflect.Type]int
	words map[string]int // types of variables, operators, quantifiers, plans
}

// NewCensus returns an empty census.
func NewCensus() *Census {
	return &Census{nodes: map[reflect.Type]int{}, words: map[string]int{}}
}

// Add counts a case.
func (c *Census) Add(o *Outcome) {
	c.Cases++
	if o.File == nil {
		return
	}
	c.Loaded++
	c.TooLarge += one(o.TooLarge)
	c.Violated += one(o.Violated)
	c.Unknown += one(o.Unknown)
	for _, p := range o.Plans {
		c.words["plan "+p.String()]++
	}
	c.nodes[reflect.TypeFor[*syntax.Comment]()] += len(o.File.Comments)
	syntax.Walk(o.File, func(n syntax.Node) bool {
		c.nodes[reflect.TypeOf(n)]++
		c.word(n)
		return true
	})
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *Census) word(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.TypedVar:
		c.words["type "+n.Type.Name]++
	case *syntax.Binary:
		c.words["operator "+n.Op.String()]++
	case *syntax.Unary:
		c.words["operator unary "+n.Op.String()]++
	case *syntax.FlowChain:
		for _, op := range n.Ops {
			c.words["operator "+op.String()]++
		}
	case *syntax.QuantCond:
		c.words[fmt.Sprintf("quantifier %d, not %t", n.Quant, n.Not)]++
	case *syntax.Rule:
		c.words[fmt.Sprintf("verb %d", n.Verb)]++
	}
}

// Merge adds the counts of another census.
func (c *Census) Merge(o *Census) {
	c.Cases += o.Cases
	c.Loaded += o.Loaded
	c.TooLarge += o.TooLarge
	c.Violated += o.Violated
	c.Unknown += o.Unknown
	for k, n := range o.nodes {
		c.nodes[k] += n
	}
	for k, n := range o.words {
		c.words[k] += n
	}
}

// Short names what there was too little of.
func (c *Census) Short() []string {
	var out []string
	atLeast := func(what string, got, want int) {
		if got < want {
			out = append(out, fmt.Sprintf("%s: %d, want at least %d", what, got, want))
		}
	}
	atLeast("policies that load", c.Loaded, c.Cases*95/100)
	atLeast("cases compared", c.Loaded-c.TooLarge, c.Cases*94/100)
	atLeast("cases with a violation", c.Violated, c.Cases*30/100)
	atLeast("cases with something unknown", c.Unknown, c.Cases*10/100)
	each := c.Cases / 100 // 1,000 of 100,000
	for _, t := range nodeTypes {
		atLeast(t.Elem().Name(), c.nodes[t], each)
	}
	for _, w := range wanted() {
		atLeast(w, c.words[w], each)
	}
	return out
}

// String lists the counts, the rarest last.
func (c *Census) String() string {
	type count struct {
		what string
		n    int
	}
	var all []count
	for t, n := range c.nodes {
		all = append(all, count{t.Elem().Name(), n})
	}
	for w, n := range c.words {
		all = append(all, count{w, n})
	}
	slices.SortFunc(all, func(a, b count) int { return b.n - a.n })
	var out strings.Builder
	fmt.Fprintf(&out, "%d cases: %d load, %d too large, %d violated, %d unknown\n", c.Cases, c.Loaded, c.TooLarge, c.Violated, c.Unknown)
	for _, x := range all {
		fmt.Fprintf(&out, "%9d %s\n", x.n, x.what)
	}
	return out.String()
}

// nodeTypes are the nodes of the tree that a policy without mistakes has.
var nodeTypes = []reflect.Type{
	reflect.TypeFor[*syntax.File](), reflect.TypeFor[*syntax.Comment](),
	reflect.TypeFor[*syntax.Import](), reflect.TypeFor[*syntax.FromImport](), reflect.TypeFor[*syntax.ImportName](),
	reflect.TypeFor[*syntax.RuleImport](), reflect.TypeFor[*syntax.Input](),
	reflect.TypeFor[*syntax.Const](), reflect.TypeFor[*syntax.Predicate](), reflect.TypeFor[*syntax.Param](), reflect.TypeFor[*syntax.Rule](),
	reflect.TypeFor[*syntax.ExprCond](), reflect.TypeFor[*syntax.BindCond](), reflect.TypeFor[*syntax.QuantCond](), reflect.TypeFor[*syntax.Arg](),
	reflect.TypeFor[*syntax.Ident](), reflect.TypeFor[*syntax.TypedVar](), reflect.TypeFor[*syntax.IntLit](), reflect.TypeFor[*syntax.FloatLit](),
	reflect.TypeFor[*syntax.StringLit](), reflect.TypeFor[*syntax.FString](), reflect.TypeFor[*syntax.ConstLit](), reflect.TypeFor[*syntax.ListLit](),
	reflect.TypeFor[*syntax.TupleLit](), reflect.TypeFor[*syntax.DictLit](), reflect.TypeFor[*syntax.ListComp](), reflect.TypeFor[*syntax.Paren](),
	reflect.TypeFor[*syntax.Unary](), reflect.TypeFor[*syntax.Binary](), reflect.TypeFor[*syntax.FlowChain](), reflect.TypeFor[*syntax.IfElse](),
	reflect.TypeFor[*syntax.Call](), reflect.TypeFor[*syntax.Member](), reflect.TypeFor[*syntax.Index](), reflect.TypeFor[*syntax.Slice](),
	reflect.TypeFor[*syntax.ToolPattern](), reflect.TypeFor[*syntax.Wildcard](), reflect.TypeFor[*syntax.ValueClass](),
}

// wanted are the words there have to be enough of.
func wanted() []string {
	var out []string
	for _, t := range value.NamedTypes() {
		out = append(out, "type "+t.Name)
	}
	for op := syntax.Or; op <= syntax.DirectFlow; op++ {
		switch op {
		case syntax.Not, syntax.Neg, syntax.Pos:
			out = append(out, "operator unary "+op.String())
		default:
			out = append(out, "operator "+op.String())
		}
	}
	for p := compile.Counted; p <= compile.Whole; p++ {
		out = append(out, "plan "+p.String())
	}
	for q := syntax.Count; q <= syntax.Exists; q++ {
		out = append(out, fmt.Sprintf("quantifier %d, not true", q), fmt.Sprintf("quantifier %d, not false", q))
	}
	for v := syntax.Raise; v <= syntax.Warn; v++ {
		out = append(out, fmt.Sprintf("verb %d", v))
	}
	return out
}
