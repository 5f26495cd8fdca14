// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"errors"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// patternArgs compiles the patterns that are known at load.
func (c *checker) patternArgs(call *Call) {
	for i, p := range call.Func.Params {
		if !p.Pattern || call.Args[i] == nil {
			continue
		}
		pattern := c.constText(call.Args[i])
		if !pattern.ok {
			continue
		}
		if _, err := builtin.CompileRegexp(pattern.text); err != nil {
			c.badPattern(pattern.at, err)
		}
	}
}

// badPattern reports a pattern that cannot be used.
func (c *checker) badPattern(at diag.Span, err error) {
	help := ""
	if e, ok := errors.AsType[*builtin.RegexpError](err); ok {
		help = e.Hint
	}
	c.fail(builtin.CodePattern, at, err.Error(), help)
}

// A constText is the text that an expression is for sure, and where it is
// written.
type constText struct {
	at   diag.Span
	text string
	ok   bool
}

// constText reads a literal, also through constants, bindings, what parameters
// are without a monitor's word, and `+`. It is
// for expressions that have been checked.
func (c *checker) constText(e syntax.Expr) constText {
	switch e := bare(e).(type) {
	case *syntax.StringLit:
		return constText{e.Span(), e.Value, true}
	case *syntax.Ident:
		if b, ok := c.prog.Uses[e].(*Binding); ok && c.checked(b) {
			return c.boundText(b)
		}
	case *syntax.Member:
		// A monitor may give another text; this one has to be right, too.
		if m := c.prog.Members[e]; m != nil && m.Input != nil && m.Input.Default != nil && m.Input.Default.Kind() == value.Str {
			return constText{e.Span(), m.Input.Default.Text(), true}
		}
	case *syntax.Binary:
		if e.Op == syntax.Add {
			return c.constSum(e)
		}
	}
	return constText{}
}

func (c *checker) boundText(b *Binding) constText {
	t, known := c.texts[b]
	if !known {
		t = c.constText(b.Value)
		c.texts[b] = t
	}
	return t
}

// maxConstText bounds the patterns that are put together at load; longer ones
// are left to run time, which has its own bound.
const maxConstText = 1 << 16

func (c *checker) constSum(e *syntax.Binary) constText {
	x := c.constText(e.X)
	if !x.ok {
		return constText{}
	}
	y := c.constText(e.Y)
	if !y.ok || len(x.text)+len(y.text) > maxConstText {
		return constText{}
	}
	return constText{e.Span(), x.text + y.text, true}
}
