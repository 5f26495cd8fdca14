// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"slices"

	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// whole are the types of which elements stand outside of arguments.
var whole = []*value.Type{
	value.EventType, value.MessageType, value.UserMessageType, value.AgentMessageType, value.SystemMessageType,
	value.ToolCallType, value.ToolOutputType, value.ToolType, value.ToolParameterType,
}

// outside are the members that show nothing of arguments.
var outside = map[*value.Type][]string{
	value.ToolCallType:      {"name", "id", "type", "server"},
	value.FunctionType:      {"name"},
	value.ToolOutputType:    {"role", "content", "tool_call_id", "server", "tool"},
	value.MessageType:       {"role", "content"},
	value.UserMessageType:   {"role", "content"},
	value.AgentMessageType:  {"role", "content"},
	value.SystemMessageType: {"role", "content"},
}

// readsArguments reports whether what a rule says may depend on the arguments of
// a call. False is certain: the rule asks of calls their tool and order alone.
func readsArguments(prog *check.Program, r *check.Rule) bool {
	reads, fine := false, map[syntax.Node]bool{}
	ok := func(x syntax.Expr) {
		for {
			fine[x] = true
			p, paren := x.(*syntax.Paren)
			if !paren {
				return
			}
			x = p.X
		}
	}
	reach(prog, r.Body.Conds, func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.ExprCond:
			ok(n.X)
		case *syntax.FlowChain:
			for _, x := range n.Xs {
				ok(x)
			}
		case *syntax.Unary:
			ok(n.X)
		case *syntax.Binary:
			if n.Op == syntax.And || n.Op == syntax.Or {
				ok(n.X)
				ok(n.Y)
			}
			if _, pattern := syntax.Unparen(n.Y).(*syntax.ToolPattern); pattern {
				ok(n.X)
			}
			if _, drawn := syntax.Unparen(n.X).(*syntax.TypedVar); drawn && n.Op == syntax.In {
				reads = true // from what, is not looked into
			}
		case *syntax.Call:
			c := prog.Calls[n]
			for _, a := range n.Args {
				if c.Pred != nil || c.Func != nil && c.Func.Name == "may_precede" {
					ok(a.Value)
				}
			}
		case *syntax.Member:
			reads = reads || !outsideOf(prog, n, fine)
			ok(n.X)
		case *syntax.ToolPattern:
			reads = reads || n.Args != nil
		case *syntax.TypedVar:
			reads = reads || !fine[n] || !slices.Contains(whole, prog.Vars[n].Type)
		case *syntax.Ident:
			reads = reads || !fine[n] && wholeName(prog, n)
		}
	})
	return reads
}

// wholeName reports whether a name may stand for an element with arguments.
func wholeName(prog *check.Program, n *syntax.Ident) bool {
	switch prog.Uses[n].(type) { //nolint:gochecksumtype // the others are no elements
	case *check.Var, *check.ParamObj, *check.Local:
		return true
	}
	return false
}

// outsideOf reports whether a member shows nothing of arguments. What is read of
// a call's function counts by itself.
func outsideOf(prog *check.Program, n *syntax.Member, fine map[syntax.Node]bool) bool {
	if m := prog.Members[n]; m != nil && m.Input != nil {
		return true
	}
	t := prog.Types[syntax.Unparen(n.X)]
	switch {
	case t == value.ToolCallType && n.Name.Name == "function", t == value.ToolOutputType && n.Name.Name == "tool":
		return fine[n] // under a member, or asked for its tool
	case t != nil && slices.Contains(outside[t], n.Name.Name):
		return true
	}
	return t == value.StrType
}
