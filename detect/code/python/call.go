// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/python"
)

// A call is one that rules look at.
type call struct {
	*look
	node  *python.Node
	name  string // what is called, as far as it is known
	place place
}

// arg returns the argument that is given by place, or by name; nil if it is
// not given. A dictionary that is unpacked counts.
func (c *call) arg(i int, name string) *python.Node {
	kids := c.node.Kids[1:]
	for at, a := range kids {
		switch {
		case a.Kind == python.Keyword:
			if a.Name == name {
				return a.Kids[0]
			}
		case a.Kind == python.DoubleStar:
			if v := c.unpacked(a, name); v != nil {
				return v
			}
		case at == i && a.Kind != python.Star:
			return a
		}
	}
	return nil
}

// named returns the argument that is given by name.
func (c *call) named(name string) *python.Node { return c.arg(-1, name) }

func (c *call) unpacked(star *python.Node, name string) *python.Node {
	if len(star.Kids) == 0 || star.Kids[0].Kind != python.Dict {
		return nil
	}
	for _, p := range star.Kids[0].Kids {
		if p.Kind == python.Pair && len(p.Kids) == 2 && p.Kids[0].Kind == python.String && p.Kids[0].Name == name {
			return p.Kids[1]
		}
	}
	return nil
}

// text returns the constant text of an argument, "" if it is none.
func (c *call) text(i int, name string) string {
	if a := c.arg(i, name); a != nil {
		if text, ok := c.constant(a); ok {
			return text
		}
	}
	return ""
}

// names reports whether an argument may be something whose full name has an
// ending.
func (c *call) names(a *python.Node, ending string) bool {
	for _, full := range append(c.meanings(a, maxDots), a.Dotted()) {
		if strings.HasSuffix(full, ending) {
			return true
		}
	}
	return false
}

// surely reports whether all that an argument may be has one of some endings.
func (c *call) surely(a *python.Node, endings ...string) bool {
	may := c.meanings(a, maxDots)
	for _, full := range may {
		if !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(full, e) }) {
			return false
		}
	}
	return len(may) > 0
}

// fixed reports whether an argument is constant.
func (c *call) fixed(a *python.Node) bool {
	if a == nil {
		return false
	}
	return c.literal(a) || a.Kind == python.Number || a.Kind == python.Constant
}

// isTrue reports whether an expression is true, or may be by what is written
// there.
func isTrue(n *python.Node) bool {
	if n == nil {
		return false
	}
	switch n.Kind {
	case python.Constant:
		return n.Name == "True"
	case python.Number:
		return number(n) != 0
	case python.String:
		return n.Name != ""
	case python.IfExp, python.BoolOp:
		for _, kid := range n.Kids {
			if (kid.Kind == python.Constant || kid.Kind == python.Number) && isTrue(kid) {
				return true
			}
		}
	case python.Compare:
		return true
	case python.UnaryOp:
		return n.Op == python.Not && !isTrue(n.Kids[0])
	}
	return false
}

// isFalse reports whether an expression is a constant that is not true.
func isFalse(n *python.Node) bool {
	return n != nil && (n.Kind == python.Constant && (n.Name == "False" || n.Name == "None") || n.Kind == python.Number && number(n) == 0 && n.Name[0] == '0')
}

// number reads a number of any base, also one of Python 2; -1 if it is none.
func number(n *python.Node) int64 {
	if n == nil || n.Kind != python.Number {
		return -1
	}
	text := strings.TrimRight(n.Name, "lL")
	v, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return -1
	}
	return v
}
