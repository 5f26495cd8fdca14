// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// toolCall returns the call that an output answers; of a call it is the call
// itself.
func toolCall(c *Call) *value.Value {
	v := c.Args[0]
	k := v.Kind()
	switch {
	case k == value.ToolCall || k == value.None:
		return v
	case k == value.ToolOutput:
		return linked(v)
	}
	return wrongKind("tool_call() takes a tool output", v)
}

// linked returns the call that an output answers.
func linked(out *value.Value) *value.Value {
	if call := out.Link(); call != nil {
		return call
	}
	return value.Trouble(value.NoLink, out, "which call the output answers is not known")
}

// serverOf returns the name of the server that a tool belongs to, None if the
// trace does not name it.
func serverOf(c *Call) *value.Value {
	v := c.Args[0]
	k := v.Kind()
	switch {
	case k == value.ToolCall:
		return fieldOrNone(v, value.CallServer)
	case k == value.ToolOutput:
		return outputServer(v)
	case k == value.Tool:
		return fieldOrNone(v, value.ToolServer)
	case k == value.None:
		return v
	}
	return wrongKind("server() takes a tool, a call or an output", v)
}

// outputServer is the server that an output names, or else that of its call.
func outputServer(out *value.Value) *value.Value {
	if s := out.Field(value.OutputServer); s != nil && s.Kind() != value.None {
		return s
	}
	call := linked(out)
	if call.Kind() == value.Unknown {
		return call
	}
	return fieldOrNone(call, value.CallServer)
}

func fieldOrNone(v *value.Value, i int) *value.Value {
	if f := v.Field(i); f != nil {
		return f
	}
	return value.NoneV
}

// mayPrecede is the flow that does not trust the order of the calls of one
// message.
func mayPrecede(c *Call) *value.Value {
	a, b := c.Args[0], c.Args[1]
	flows := Flows(syntax.Flow, a, b)
	if flows == value.FalseV {
		return value.BoolOf(value.SameMessage(a, b))
	}
	return flows
}

// Flows is `a -> b` (Op Flow: a comes before b) and `a ~> b` (DirectFlow: a
// is the element of the trace right before b). Values that stand in no trace
// have no order: unknown. An element that cannot be read has its place; any
// other operand that is unknown is the result.
func Flows(op syntax.Op, a, b *value.Value) *value.Value {
	for _, v := range [...]*value.Value{a, b} {
		if v.Kind() == value.Unknown && !value.Placed(v) {
			return v
		}
	}
	pa, ok := value.Position(a)
	if !ok {
		return wrongKind("a flow orders elements of the trace", a)
	}
	pb, ok := value.Position(b)
	if !ok {
		return wrongKind("a flow orders elements of the trace", b)
	}
	if op == syntax.DirectFlow {
		return value.BoolOf(directly(a, pa, pb))
	}
	return value.BoolOf(pa < pb)
}

// directly reports whether a is a slot and the last one before position pb.
func directly(a *value.Value, pa, pb uint64) bool {
	if !value.IsSlot(a) || pa >= pb {
		return false
	}
	slotA, slotB, sub := pa>>32, pb>>32, pb&(1<<32-1)
	return slotA == slotB || slotA+1 == slotB && sub == 0
}

// shouldAllowRBAC is the public access_control function: some role of the user
// grants the scope.
func shouldAllowRBAC(c *Call) *value.Value {
	scope, user, roles, grants := c.Args[1], c.Args[2], c.Args[3], c.Args[4]
	if roles.Kind() != value.Dict || grants.Kind() != value.Dict {
		return value.Trouble(value.TypeError, nil, "user_roles and role_grants must be dicts")
	}
	mine := lookup(roles, user)
	if mine == nil {
		return value.FalseV
	}
	items, bad := Iterate(mine)
	if bad != nil {
		return bad
	}
	var causes []value.Cause
	for _, role := range items {
		switch granted := grantOf(grants, role, scope); value.Truth(granted) {
		case value.True:
			return value.TrueV
		case value.Unsure:
			causes = value.MergeCauses(causes, granted.Causes())
		case value.False:
		}
	}
	if causes != nil {
		return value.UnknownOf(causes)
	}
	return value.FalseV
}

// grantOf returns what a role says of a scope; nothing counts as no.
func grantOf(grants, role, scope *value.Value) *value.Value {
	if role.Kind() == value.Unknown {
		return role
	}
	scopes := lookup(grants, role)
	switch {
	case scopes == nil:
		return value.FalseV
	case scopes.Kind() == value.Unknown:
		return scopes
	case scopes.Kind() != value.Dict:
		return wrongKind("the grants of a role must be a dict", scopes)
	}
	if granted := lookup(scopes, scope); granted != nil {
		return granted
	}
	return value.FalseV
}

// lookup returns the value of a key, nil if it is not there.
func lookup(d, key *value.Value) *value.Value {
	if s, ok := value.Concat(key); ok {
		return d.Get(s)
	}
	return nil
}
