// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"

	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

func (c *checker) rule(n *syntax.Rule, u *unit) *Rule {
	c.stmt, c.depth, c.vars = n, 0, 0
	s := c.open(n.Body, u.scope)
	r := &Rule{Node: n, Body: s.block, Message: c.message(n.Message, s)}
	c.close(s, n.Body, n.VerbAt, "this rule")
	c.unused(s.block)
	return r
}

// message checks the raise expression, which sees the rule's variables and
// bindings.
func (c *checker) message(e syntax.Expr, s *scope) *Message {
	if e == nil {
		return &Message{}
	}
	c.noVariables(e, "the raise expression")
	if call, ok := syntax.Unparen(e).(*syntax.Call); ok {
		if id, ok := syntax.Unparen(call.Fun).(*syntax.Ident); ok {
			switch s.lookup(id.Name).(type) {
			case *violationObj:
				return c.violation(call, s)
			case nil:
				c.unboundName(id, s, isRaisable)
				return c.violation(call, s)
			}
		}
	}
	t := c.expr(e, s)
	if t != value.AnyType && t != value.StrType {
		c.fail("P0225", e.Span(), fmt.Sprintf("a rule needs a text to raise, got %s", aType(t)),
			"raise \"message\" if:, or raise PolicyViolation(\"message\", key=value) if:")
	}
	return &Message{Args: []syntax.Expr{e}}
}

// violation checks `PolicyViolation("text", x, key=value)`.
func (c *checker) violation(call *syntax.Call, s *scope) *Message {
	m := &Message{}
	names := map[string]bool{}
	for _, a := range call.Args {
		c.expr(a.Value, s)
		if a.Name == nil {
			m.Args = append(m.Args, a.Value)
			continue
		}
		if names[a.Name.Name] {
			c.fail("P0216", a.Name.Span(), fmt.Sprintf("argument %q is given twice", a.Name.Name), "")
		}
		names[a.Name.Name] = true
		m.Kwargs = append(m.Kwargs, a)
	}
	return m
}
