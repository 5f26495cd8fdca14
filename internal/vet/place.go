// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package vet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/holdfast-dev/holdfast/internal/automata"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// place follows members from an expression down to a variable.
func (r *reader) place(e syntax.Expr, s *scope) (root element, path []string, ok bool) {
	e, s = r.resolve(e, s)
	switch n := syntax.Node(e).(type) {
	case *syntax.Ident:
		switch obj := any(r.prog.Uses[n]).(type) {
		case *check.Var:
			root, ok = s.element(obj)
		case *check.ParamObj: // of a predicate that is looked at by itself
			root, ok = element{"parameter " + obj.Name, obj.Type.Name}, obj.Type != value.AnyType
		}
		return root, nil, ok
	case *syntax.TypedVar:
		root, ok = s.element(r.prog.Vars[n])
		return root, nil, ok
	case *syntax.Member:
		root, path, ok = r.place(n.X, s)
		return root, join(root, path, n.Name.Name), ok
	case *syntax.Index:
		c, isKey := r.constant(n.I, s)
		if !isKey || c.kind != isText {
			return element{}, nil, false
		}
		root, path, ok = r.place(n.X, s)
		return root, append(slices.Clone(path), c.text), ok
	}
	return element{}, nil, false
}

// join adds a member to a path. `call.function` is the call as far as its name
// and arguments go.
func join(root element, path []string, name string) []string {
	if len(path) > 0 && path[len(path)-1] == "function" && callAt(root, path[:len(path)-1]) {
		path = path[:len(path)-1]
	}
	return append(slices.Clone(path), name)
}

// callAt reports whether a call stands at a path.
func callAt(root element, path []string) bool {
	return len(path) == 0 && root.typ == "ToolCall" || len(path) == 1 && root.typ == "ToolOutput" && path[0] == "tool"
}

// dictAt reports whether only a dict, None or something unreadable can stand
// at a path.
func dictAt(root element, path []string) bool {
	if len(path) == 0 {
		return root.typ == "dict" || root.typ == "File"
	}
	last := path[len(path)-1]
	return last == "arguments" && callAt(root, path[:len(path)-1]) || last == "arguments" && root.typ == "Function" && len(path) == 1
}

// termOf returns the term that an expression stands for.
func (r *reader) termOf(e syntax.Expr, s *scope) *term {
	if root, path, ok := r.place(e, s); ok {
		return r.termAt(root, path)
	}
	e, s = r.resolve(e, s)
	key := r.key(e, s)
	return r.intern(key, func() *term { return r.computed(e, key) })
}

func (r *reader) termAt(root element, path []string) *term {
	key := root.name
	for _, p := range path {
		key += "." + strconv.Quote(p)
	}
	return r.intern(key, func() *term {
		t := &term{key: key, root: root, path: path, kinds: kindsAt(root, path)}
		if len(path) == 1 && path[0] == "role" {
			t.within = roles(root.typ)
		}
		t.whole = root.typ == "int" && len(path) == 0
		if len(path) > 0 && dictAt(root, path[:len(path)-1]) {
			t.dict = r.termAt(root, path[:len(path)-1])
		}
		return t
	})
}

func (r *reader) intern(key string, make func() *term) *term {
	if t := r.terms[key]; t != nil {
		return t
	}
	t := make()
	r.terms[key] = t
	return t
}

// kindsAt is what can stand at a path from an element.
func kindsAt(root element, path []string) kinds {
	if len(path) == 0 {
		return kindsOf(root.typ)
	}
	first, rest := path[0], path[1:]
	switch {
	case root.typ == "ToolOutput" && first == "tool" && len(rest) > 0:
		return isMissing | isUnread | isNone | kindsAt(element{typ: "ToolCall"}, rest)
	case (root.typ == "ToolCall" || root.typ == "Function") && first == "name" && len(rest) == 0:
		return isMissing | isUnread | isNone | isText
	case (root.typ == "ToolCall" || root.typ == "Function") && first == "arguments" && len(rest) == 0:
		return isMissing | isUnread | isNone | isDict
	case (root.typ == "ToolCall" || root.typ == "Function") && first == "arguments":
		return jsonKinds
	case isMessage(root.typ) && first == "role" && len(rest) == 0:
		return isUnread | isText
	case (isMessage(root.typ) || root.typ == "ToolOutput") && first == "content" && len(rest) == 0:
		return isUnread | isNone | isText | isParts
	}
	return anyKind
}

// kindsOf is what an element of a type can be.
func kindsOf(typ string) kinds {
	switch typ {
	case "str":
		return isText | isUnread
	case "int", "float":
		return isNumber | isUnread
	case "bool":
		return isBool | isUnread
	case "list":
		return isList | isUnread
	case "dict", "File":
		return isDict | isUnread
	}
	return isOther | isUnread | isParts
}

func isMessage(typ string) bool {
	return typ == "Message" || strings.HasSuffix(typ, "Message")
}

// roles returns the roles that messages of a type have; nil: not known.
func roles(typ string) *automata.Set {
	pattern := map[string]string{
		"Message": "system|developer|user|assistant", "UserMessage": "user", "AgentMessage": "assistant", "SystemMessage": "system|developer",
	}[typ]
	if pattern == "" {
		return nil
	}
	return setOf(`(?:`+pattern+`)\z`, automata.Options{})
}

// computed describes what an expression that is no place can be.
func (r *reader) computed(e syntax.Expr, key string) *term {
	t := &term{key: key, kinds: anyKind}
	call, ok := syntax.Node(e).(*syntax.Call)
	if !ok || r.prog.Calls[call] == nil {
		return t
	}
	c := r.prog.Calls[call]
	switch {
	case c.Func != nil && c.Func == builtin.Universe()["len"]:
		t.kinds, t.whole = isNumber|isUnread|isMissing, true
	case c.Method != nil && c.Method.Name == "lower":
		t.kinds, t.within = isText|isNone|isUnread|isMissing, unchanged("lower")
	case c.Method != nil && c.Method.Name == "upper":
		t.kinds, t.within = isText|isNone|isUnread|isMissing, unchanged("upper")
	case r.prog.Types[e] == value.StrType && c.Method != nil:
		t.kinds = isText | isNone | isUnread | isMissing
	}
	return t
}

// caseRunes are the runes that a mapping changes, as a class of a pattern.
var caseRunes = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for name, to := range map[string]func(rune) rune{"lower": unicode.ToLower, "upper": unicode.ToUpper} {
		var b strings.Builder
		for _, cr := range unicode.CaseRanges {
			for c := rune(cr.Lo); c <= rune(cr.Hi); c++ {
				if to(c) != c {
					fmt.Fprintf(&b, `\x{%x}`, c)
				}
			}
		}
		out[name] = b.String()
	}
	return out
})

// unchanged returns the texts of which a case mapping leaves every rune as it
// is, among which all its results are: what a mapping gives it does not change.
func unchanged(name string) *automata.Set {
	return setOf(`[^`+caseRunes()[name]+`]*\z`, automata.Options{})
}

// setOf compiles a pattern that is known to be right.
func setOf(pattern string, o automata.Options) *automata.Set {
	s, err := automata.Compile(pattern, o)
	if err != nil {
		panic("vet: " + err.Error())
	}
	return s
}
