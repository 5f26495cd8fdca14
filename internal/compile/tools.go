// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"strings"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// Most conditions hold for one tool, or a few. Knowing which lets an arriving
// call or output go only to the rules that may care for it.

// A path says how a value is reached from a variable: `.function.name`.
type path struct {
	slot int // 1 + the slot; 0: not known
	dots string
}

func (p path) to(name string) path {
	if p.slot == 0 {
		return path{}
	}
	return path{p.slot, p.dots + "." + name}
}

// tools names the only tools that something holds for, of the call or output
// in a slot. A nil list says nothing.
type tools struct {
	of   int // 1 + the slot
	list []string
	sure bool // and it does hold for each of them
}

// and joins what two conditions that both have to hold say.
func (t tools) and(u tools) tools {
	if t.list == nil {
		t = u
	}
	t.sure = false
	return t
}

// or joins what two conditions of which one has to hold say.
func (t tools) or(u tools) tools {
	if t.list == nil || u.list == nil || t.of != u.of {
		return tools{}
	}
	return tools{t.of, append(append([]string(nil), t.list...), u.list...), t.sure && u.sure}
}

// namesMatched is what `x is tool:name` says. A name with a slash may also
// mean a tool of a server.
func namesMatched(x node, name string, arguments bool) tools {
	if x.from.slot == 0 || (x.from.dots != "" && x.from.dots != ".tool") {
		return tools{}
	}
	if _, tool, ok := strings.Cut(name, "/"); ok {
		return tools{x.from.slot, []string{name, tool}, false}
	}
	return tools{x.from.slot, []string{name}, !arguments}
}

// isName tells whether a value is the name of the variable's tool.
func (p path) isName() bool {
	switch p.dots {
	case ".name", ".function.name", ".tool.name", ".tool.function.name":
		return p.slot != 0
	}
	return false
}

func namesEqual(a, b node) tools {
	if b.from.isName() {
		a, b = b, a
	}
	if a.from.isName() && b.konst != nil && b.konst.Kind() == value.Str {
		return tools{a.from.slot, []string{b.konst.Text()}, true}
	}
	return tools{}
}

func namesIn(a, b node) tools {
	if !a.from.isName() || b.konst == nil || (b.konst.Kind() != value.List && b.konst.Kind() != value.Tuple) {
		return tools{}
	}
	list := []string{}
	for _, it := range b.konst.Items() {
		if it.Kind() != value.Str {
			return tools{}
		}
		list = append(list, it.Text())
	}
	return tools{a.from.slot, list, true}
}
