// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// A Method is a function that is called on a value, as in `s.lower()`.
type Method struct {
	Name   string
	Recv   *value.Type // StrType or DictType
	Params []Param
	Result *value.Type

	impl func(recv *value.Value, args []*value.Value, env *Env) *value.Value
}

// LookupMethod returns the method called name, nil if there is none.
func LookupMethod(name string) *Method { return methods[name] }

// MethodNames returns the names of all methods, sorted.
func MethodNames() []string { return slices.Sorted(maps.Keys(methods)) }

// Call calls m on recv, with one argument for each parameter. A method of None
// is None; one of a content works on its concatenation.
func (m *Method) Call(recv *value.Value, args []*value.Value, env *Env) *value.Value {
	k := recv.Kind()
	switch {
	case k == value.None:
		return recv
	case k != m.Recv.Kind && (k != value.Content || m.Recv != value.StrType):
		return wrongKind("."+m.Name+"() is a method of "+m.Recv.Name, recv)
	case k == value.Content:
		s, bad := text(recv, "the text")
		if bad != nil {
			return bad
		}
		recv = value.StrOf(s)
	}
	return m.impl(recv, args, env)
}

var methods = methodsByName(
	method("lower", value.StrType, value.StrType, lower),
	method("upper", value.StrType, value.StrType, upper),
	method("strip", value.StrType, value.StrType, strip, optional("chars", value.NoneV)),
	method("split", value.StrType, value.ListType, split, optional("sep", value.NoneV), optional("maxsplit", value.IntOf(-1))),
	method("splitlines", value.StrType, value.ListType, splitLines, optional("keepends", value.FalseV)),
	method("join", value.StrType, value.StrType, join, param("iterable")),
	method("format", value.StrType, value.StrType, formatMethod, rest("values")),
	method("startswith", value.StrType, value.BoolType, startsWith, param("prefix"), optional("start", value.NoneV), optional("end", value.NoneV)),
	method("endswith", value.StrType, value.BoolType, endsWith, param("suffix"), optional("start", value.NoneV), optional("end", value.NoneV)),
	method("replace", value.StrType, value.StrType, replace, param("old"), param("new"), optional("count", value.IntOf(-1))),

	method("keys", value.DictType, value.ListType, func(d *value.Value, _ []*value.Value, _ *Env) *value.Value {
		return value.ListOf(keysOf(d))
	}),
	method("values", value.DictType, value.ListType, func(d *value.Value, _ []*value.Value, _ *Env) *value.Value {
		return value.ListOf(d.Items())
	}),
	method("items", value.DictType, value.ListType, pairs),
	method("get", value.DictType, value.AnyType, get, param("key"), optional("default", value.NoneV)),
)

func method(name string, recv, result *value.Type, impl func(*value.Value, []*value.Value, *Env) *value.Value, params ...Param) *Method {
	return &Method{Name: name, Recv: recv, Params: params, Result: result, impl: impl}
}

func methodsByName(ms ...*Method) map[string]*Method {
	out := make(map[string]*Method, len(ms))
	for _, m := range ms {
		out[m.Name] = m
	}
	return out
}

func lower(s *value.Value, _ []*value.Value, env *Env) *value.Value {
	return env.textOf(strings.ToLower(s.Text()))
}

func upper(s *value.Value, _ []*value.Value, env *Env) *value.Value {
	return env.textOf(strings.ToUpper(s.Text()))
}

// isSpace is Python's str.isspace.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f
}

func trimSpace(s string) string { return strings.TrimFunc(s, isSpace) }

func strip(s *value.Value, args []*value.Value, _ *Env) *value.Value {
	if IsNone(args[0]) {
		return value.StrOf(trimSpace(s.Text()))
	}
	chars, bad := text(args[0], "what strip() takes away")
	if bad != nil {
		return bad
	}
	return value.StrOf(strings.Trim(s.Text(), chars))
}

func split(s *value.Value, args []*value.Value, env *Env) *value.Value {
	limit, bad := countOf(args[1], "maxsplit")
	if bad != nil {
		return bad
	}
	if IsNone(args[0]) {
		return env.strings(splitSpace(s.Text(), limit))
	}
	sep, bad := text(args[0], "a separator")
	switch {
	case bad != nil:
		return bad
	case sep == "":
		return value.Trouble(value.TypeError, args[0], "the separator is empty")
	case limit < 0 && strings.Count(s.Text(), sep) >= env.limits().items():
		return tooLarge()
	case limit < 0:
		return env.strings(strings.Split(s.Text(), sep))
	}
	return env.strings(strings.SplitN(s.Text(), sep, limit+1))
}

// countOf returns an optional count; a negative one means all.
func countOf(v *value.Value, what string) (int, *value.Value) {
	if v.Kind() != value.Int {
		return 0, wrongKind(what+" must be an int", v)
	}
	n, ok := v.Int()
	switch {
	case ok && n < 0, !ok && v.Big().Sign() < 0:
		return -1, nil
	case !ok || n > 1<<30:
		return 1 << 30, nil
	}
	return int(n), nil
}

// splitSpace splits at runs of white space, at most limit times if limit is
// not negative; the rest of the text then keeps its own.
func splitSpace(s string, limit int) []string {
	var out []string
	for {
		if s = strings.TrimLeftFunc(s, isSpace); s == "" {
			return out
		}
		if limit == 0 {
			return append(out, s)
		}
		limit--
		end := strings.IndexFunc(s, isSpace)
		if end < 0 {
			return append(out, s)
		}
		out = append(out, s[:end])
		s = s[end:]
	}
}

// strings returns texts as a list.
func (e *Env) strings(texts []string) *value.Value {
	if len(texts) > e.limits().items() {
		return tooLarge()
	}
	items := make([]*value.Value, len(texts))
	for i, t := range texts {
		items[i] = value.StrOf(t)
	}
	return value.ListOf(items)
}

func splitLines(s *value.Value, args []*value.Value, env *Env) *value.Value {
	keep := value.Truth(args[0]) == value.True
	rest := s.Text()
	var out []string
	for rest != "" && len(out) <= env.limits().items() {
		end := strings.IndexFunc(rest, isLineEnd)
		if end < 0 {
			return env.strings(append(out, rest))
		}
		next := end + lineEnd(rest[end:])
		if keep {
			out = append(out, rest[:next])
		} else {
			out = append(out, rest[:end])
		}
		rest = rest[next:]
	}
	return env.strings(out)
}

// isLineEnd reports whether Python's splitlines ends a line at r.
func isLineEnd(r rune) bool {
	return '\n' <= r && r <= '\r' || 0x1c <= r && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

// lineEnd returns the length of the line end that s begins with.
func lineEnd(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	_, w := utf8.DecodeRuneInString(s)
	return w
}

func join(s *value.Value, args []*value.Value, env *Env) *value.Value {
	items, bad := Iterate(args[0])
	if bad != nil {
		return bad
	}
	texts := make([]string, len(items))
	size := len(s.Text()) * max(len(items)-1, 0)
	for i, it := range items {
		if it.Kind() == value.Unknown {
			return it
		}
		if texts[i], bad = text(it, "what join() joins"); bad != nil {
			return bad
		}
		if size += len(texts[i]); size > env.limits().value() {
			return tooLarge()
		}
	}
	return env.textOf(strings.Join(texts, s.Text()))
}

func startsWith(s *value.Value, args []*value.Value, _ *Env) *value.Value {
	return affix(s, args, strings.HasPrefix)
}

func endsWith(s *value.Value, args []*value.Value, _ *Env) *value.Value {
	return affix(s, args, strings.HasSuffix)
}

// affix asks whether a text, cut to start and end, has one of the affixes.
func affix(s *value.Value, args []*value.Value, has func(s, affix string) bool) *value.Value {
	cut := s.Text()
	if !IsNone(args[1]) || !IsNone(args[2]) {
		size := utf8.RuneCountInString(cut)
		from, to, bad := bounds(args[1], args[2], size)
		if bad != nil {
			return bad
		}
		if past(args[1], size) {
			return value.FalseV // not even the empty text is there, as in Python
		}
		if n, bad := bound(args[2], size, size); bad == nil && n < from {
			return value.FalseV
		}
		cut = SliceOf(s, value.IntOf(int64(from)), value.IntOf(int64(to))).Text()
	}
	affixes := []*value.Value{args[0]}
	if args[0].Kind() == value.Tuple {
		affixes = args[0].Items()
	}
	for _, a := range affixes {
		if a.Kind() == value.Unknown {
			return a
		}
		t, bad := text(a, "an affix")
		if bad != nil {
			return bad
		}
		if has(cut, t) {
			return value.TrueV
		}
	}
	return value.FalseV
}

// past reports whether a start lies behind the end of a text.
func past(start *value.Value, size int) bool {
	if start.Kind() != value.Int {
		return false
	}
	n, ok := start.Int()
	return n > int64(size) || !ok && start.Big().Sign() > 0
}

func replace(s *value.Value, args []*value.Value, env *Env) *value.Value {
	old, bad := text(args[0], "what replace() looks for")
	if bad != nil {
		return bad
	}
	repl, bad := text(args[1], "what replace() puts in")
	if bad != nil {
		return bad
	}
	limit, bad := countOf(args[2], "count")
	if bad != nil {
		return bad
	}
	n := strings.Count(s.Text(), old)
	if limit >= 0 {
		n = min(n, limit)
	}
	if len(s.Text())+n*(len(repl)-len(old)) > env.limits().value() {
		return tooLarge()
	}
	return value.StrOf(strings.Replace(s.Text(), old, repl, n))
}

func pairs(d *value.Value, _ []*value.Value, _ *Env) *value.Value {
	items := make([]*value.Value, len(d.Items()))
	for i, key := range d.Keys() {
		items[i] = value.TupleOf([]*value.Value{value.StrOf(key), d.Items()[i]})
	}
	return value.ListOf(items)
}

func get(d *value.Value, args []*value.Value, _ *Env) *value.Value {
	if v := lookup(d, args[0]); v != nil {
		return v
	}
	return args[1]
}
