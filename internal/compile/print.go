// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"fmt"
	"strings"
)

// String prints the plan on one line:
// `counted: out:ToolOutput[get_inbox] -> call:ToolCall[send_email], guards 2`.
func (r *Rule) String() string {
	var b strings.Builder
	b.WriteString(r.Plan.String())
	b.WriteString(":")
	r.Block.print(&b)
	if t := r.Threshold; t != nil {
		fmt.Fprintf(&b, ", until %d later", t.K)
	}
	return b.String()
}

func (b *Block) print(out *strings.Builder) {
	if len(b.Vars) == 0 {
		out.WriteString(" no variables")
	}
	for i, g := range b.Groups {
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString(" ")
		b.printGroup(out, g)
	}
	for _, i := range b.Runtime {
		fmt.Fprintf(out, " %s:%s drawn late", b.Vars[i].Check.Name, b.Vars[i].Check.Type)
	}
	b.printJoins(out)
	for _, cd := range b.Conds {
		if cd.Sub != nil {
			b.printSub(out, cd)
		}
	}
}

func (b *Block) printGroup(out *strings.Builder, g *Group) {
	fmt.Fprintf(out, "%s:%s", b.Vars[g.Base].Check.Name, g.Type)
	if g.Tools != nil {
		fmt.Fprintf(out, "[%s]", strings.Join(g.Tools, " "))
	}
	for _, i := range g.Drawn {
		fmt.Fprintf(out, "+%s:%s", b.Vars[i].Check.Name, b.Vars[i].Check.Type)
	}
	if n := len(g.Guards) + len(g.Later); n > 0 {
		fmt.Fprintf(out, "(%d)", n)
	}
}

func (b *Block) printJoins(out *strings.Builder) {
	for _, e := range b.Edges {
		op := "<"
		switch {
		case e.Direct:
			op = "~>"
		case e.Loose:
			op = "<="
		}
		fmt.Fprintf(out, ", %s %s %s", b.name(e.From), op, b.name(e.To))
	}
	for _, q := range b.Eqs {
		switch {
		case b.Partition != nil:
			fmt.Fprintf(out, ", one key")
		case q.B == nil:
			fmt.Fprintf(out, ", hash on %s", b.name(q.A.Group))
		default:
			fmt.Fprintf(out, ", hash %s = %s", b.name(q.A.Group), b.name(q.B.Group))
		}
	}
	for _, in := range b.Ins {
		fmt.Fprintf(out, ", text of %s in %s", b.name(in.Needle.Group), b.name(in.Hay.Group))
	}
	rest := 0
	for _, cd := range b.Joins {
		if !cd.Edge && cd.Sub == nil && !b.indexed(cd) {
			rest++
		}
	}
	if rest > 0 {
		fmt.Fprintf(out, ", residual %d", rest)
	}
}

func (b *Block) indexed(cd *Cond) bool {
	for _, q := range b.Eqs {
		if q.Cond == cd {
			return true
		}
	}
	for _, in := range b.Ins {
		if in.Cond == cd {
			return true
		}
	}
	return false
}

func (b *Block) name(group int) string {
	if group < 0 {
		return "outer"
	}
	return b.Vars[b.Groups[group].Base].Check.Name
}

func (b *Block) printSub(out *strings.Builder, cd *Cond) {
	state := "open"
	if cd.Settled {
		state = "settled"
	}
	kind := [...]string{"count", "forall", "exists"}[cd.Sub.Kind]
	fmt.Fprintf(out, "; %s %s {", state, kind)
	cd.Sub.Block.print(out)
	out.WriteString(" }")
}

// Residual reports whether some condition of the rule is looked at for each
// combination of elements, because no index answers it.
func (r *Rule) Residual() bool {
	for _, b := range r.all {
		for _, cd := range b.Joins {
			if !cd.Edge && cd.Sub == nil && !cd.Outer && !b.indexed(cd) {
				return true
			}
		}
	}
	return false
}
