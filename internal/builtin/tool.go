// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A ToolMatcher is a compiled tool pattern. It is immutable.
type ToolMatcher struct {
	Name   string // as written: "send_email", "mail/send"
	Server string // of `tool:"server/tool"`, else ""
	Tool   string // the name without the server
	Args   *ArgPattern
}

// CompileTool compiles a pattern and checks what stands in it: regular
// expressions, value classes, kinds of values.
func CompileTool(p *syntax.ToolPattern) (*ToolMatcher, []diag.Diagnostic) {
	m := &ToolMatcher{Name: p.Name, Tool: p.Name}
	if server, tool, ok := strings.Cut(p.Name, "/"); ok && server != "" && tool != "" {
		m.Server, m.Tool = server, tool
	}
	if p.Args == nil {
		return m, nil
	}
	c := &argCompiler{}
	m.Args = c.dict(p.Args)
	return m, c.diags
}

// Names returns the names of the calls that can match: for a pattern with a
// server, the tool's name there too.
func (m *ToolMatcher) Names() []string {
	if m.Server == "" {
		return []string{m.Name}
	}
	return []string{m.Name, m.Tool}
}

// Match is `x is tool:…` for a call, or for an output by way of the call it
// answers. None is no call.
func (m *ToolMatcher) Match(x *value.Value, env *Env) *value.Value {
	k := x.Kind()
	switch {
	case k == value.ToolOutput:
		if x = linked(x); x.Kind() == value.Unknown {
			return x
		}
	case k == value.None:
		return value.FalseV
	case k != value.ToolCall:
		return wrongKind("is tool: asks of a call or an output", x)
	}
	named := m.matchName(x)
	if m.Args == nil || value.Truth(named) == value.False {
		return named
	}
	return both(named, m.Args.match(callArguments(x), env))
}

// both is Kleene's and.
func both(a, b *value.Value) *value.Value {
	if value.Truth(b) < value.Truth(a) {
		return b
	}
	return a
}

// matchName asks for the exact name. Whether the tool of that name is the one
// of a server can only be said where the trace names the server.
func (m *ToolMatcher) matchName(call *value.Value) *value.Value {
	name := call.Field(value.CallName)
	switch {
	case name == nil:
		return value.Trouble(value.Missing, call, "the call has no name")
	case name.Kind() == value.Unknown:
		return name
	case name.Text() == m.Name:
		return value.TrueV
	case m.Server == "" || name.Text() != m.Tool:
		return value.FalseV
	}
	server := call.Field(value.CallServer)
	if server == nil || server.Kind() == value.None {
		return value.Trouble(value.NoServer, call, "the server of the call is not known")
	}
	if server.Kind() == value.Unknown {
		return server
	}
	return value.BoolOf(server.Text() == m.Server)
}

func callArguments(call *value.Value) *value.Value {
	if args := call.Field(value.CallArguments); args != nil {
		return args
	}
	return value.Trouble(value.BadArguments, call, "the call has no arguments that can be read")
}

// argKind is what a piece of an argument pattern matches.
type argKind uint8

const (
	argAny   argKind = iota // *
	argEqual                // a number, a boolean, None: by value
	argText                 // a string: equal, or the whole matches as a pattern
	argClass                // <EMAIL_ADDRESS>
	argList                 // same length, item by item
	argDict                 // the named keys, others are free
)

// An ArgPattern is an argument pattern or a piece of one.
type ArgPattern struct {
	kind  argKind
	value *value.Value
	text  string
	re    *Regexp
	class string
	raw   bool // a class looks at texts as they stand
	keys  []string
	items []*ArgPattern
}

// Each calls f with every dotted key under which the pattern needs a text
// that it knows: the pattern, nil for a text that is compared only. It is for
// those who look for candidates; Match alone says what matches.
func (a *ArgPattern) Each(f func(key, text string, re *Regexp)) {
	if a == nil || a.kind != argDict {
		return
	}
	for i, item := range a.items {
		switch item.kind {
		case argText:
			f(a.keys[i], item.text, item.re)
		case argDict:
			item.Each(func(key, text string, re *Regexp) { f(a.keys[i]+"."+key, text, re) })
		case argAny, argEqual, argClass, argList:
		}
	}
}

// match matches one value.
func (a *ArgPattern) match(v *value.Value, env *Env) *value.Value {
	k := v.Kind()
	switch {
	case a.kind == argAny:
		return value.TrueV
	case k == value.Unknown:
		return v
	}
	switch a.kind {
	case argEqual:
		return value.BoolOf(value.Equal(a.value, v))
	case argText:
		return a.matchText(v, env)
	case argClass:
		return a.matchClass(v, env)
	case argList:
		return a.matchList(v, env)
	case argDict:
		return a.matchDict(v, env)
	case argAny:
	}
	return value.TrueV
}

func (a *ArgPattern) matchText(v *value.Value, env *Env) *value.Value {
	k := v.Kind()
	switch {
	case k == value.Str:
	case k == value.List || k == value.Dict:
		return wrongKind("a text pattern matches a text", v)
	default:
		return value.FalseV
	}
	s := v.Text()
	if s == a.text {
		return value.TrueV
	}
	if a.re.Cost(s) > env.limits().regexp() {
		if !a.re.MayMatch(s) {
			return value.FalseV
		}
		return outOfSteps()
	}
	return value.BoolOf(a.re.MatchWhole(s))
}

func (a *ArgPattern) matchList(v *value.Value, env *Env) *value.Value {
	if v.Kind() != value.List || len(v.Items()) != len(a.items) {
		return value.FalseV
	}
	result := value.TrueV
	for i, item := range a.items {
		if result = both(result, item.match(v.Items()[i], env)); result == value.FalseV {
			break
		}
	}
	return result
}

func (a *ArgPattern) matchDict(v *value.Value, env *Env) *value.Value {
	if v.Kind() != value.Dict {
		return value.FalseV
	}
	result := value.TrueV
	for i, item := range a.items {
		found := v.Get(a.keys[i])
		if found == nil {
			return value.FalseV
		}
		if result = both(result, item.match(found, env)); result == value.FalseV {
			break
		}
	}
	return result
}
