// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"math"
	"unicode/utf8"

	"github.com/holdfast-dev/holdfast/internal/value"
)

// Member is `x.name` where the type of x is not known at load. A member of
// None is None; a text answers by its JSON; what is not there is unknown.
func Member(x *value.Value, name string, env *Env) *value.Value {
	k := x.Kind()
	switch {
	case k == value.None:
		return x
	case k == value.Dict:
		if v := x.Get(name); v != nil {
			return v
		}
		return value.Trouble(value.Missing, x, "no key \""+name+"\"")
	case k == value.Str || k == value.Content:
		return jsonMember(x, name, env)
	}
	t := x.Type()
	if t == nil {
		t = elementType(k)
	}
	if t == nil {
		return wrongKind("no member \""+name+"\": only a dict or an element has members", x)
	}
	i := t.Field(name)
	if i < 0 {
		return value.Trouble(value.Missing, x, t.Name+" has no member \""+name+"\"")
	}
	return FieldOf(x, i, env)
}

// jsonMember reads a text as JSON first.
func jsonMember(x *value.Value, name string, env *Env) *value.Value {
	parsed := env.parse(x)
	k := parsed.Kind()
	switch {
	case k == value.Unknown || k == value.None:
		return parsed
	case k == value.Dict:
		return Member(parsed, name, env)
	}
	return value.Trouble(value.TypeError, x, "no member \""+name+"\": the text is JSON, but no object")
}

// elementType returns the type whose fields the elements of a kind have, nil
// for other kinds.
func elementType(k value.Kind) *value.Type {
	switch {
	case k == value.Message:
		return value.MessageType
	case k == value.ToolCall:
		return value.ToolCallType
	case k == value.ToolOutput:
		return value.ToolOutputType
	case k == value.Tool:
		return value.ToolType
	case k == value.ToolParameter:
		return value.ToolParameterType
	case k == value.Function:
		return value.FunctionType
	case k == value.TextChunk:
		return value.TextChunkType
	case k == value.Image:
		return value.ImageType
	}
	return nil
}

// FieldOf is `x.name` where name is field i of the type that x is known to
// have. It must not be used for a value that merely may be of that type:
// fields are numbered per type.
func FieldOf(x *value.Value, i int, env *Env) *value.Value {
	k := x.Kind()
	switch {
	case k == value.None:
		return x
	case k == value.ToolOutput && i == value.OutputTool:
		return linked(x)
	case k == value.ToolOutput && i == value.OutputServer:
		return outputServer(x)
	}
	if v := x.Field(i); v != nil {
		return v
	}
	return noField(x, i)
}

// noField is a member that the input does not give: None, whose members are
// None in turn. What an element may lack is known from its type; an argument
// that is not there is another matter.
func noField(x *value.Value, i int) *value.Value {
	t := x.Type()
	if t == nil {
		t = elementType(x.Kind())
	}
	if t == nil || i >= len(t.Fields) {
		return wrongKind("no such member", x)
	}
	return value.NoneV
}

// IndexOf is `x[i]`: an item of a list or tuple, a character of a text, the
// value of a key. A text answers a str by its JSON.
func IndexOf(x, i *value.Value, env *Env) *value.Value {
	k := x.Kind()
	switch {
	case k == value.None:
		return x
	case k == value.List || k == value.Tuple:
		return itemAt(x, i)
	case k == value.Str || k == value.Content:
		if key, ok := value.Concat(i); ok {
			return jsonMember2(x, key, env)
		}
		return charAt(x, i)
	}
	key, ok := value.Concat(i)
	switch {
	case ok && k == value.Dict:
		if v := x.Get(key); v != nil {
			return v
		}
		return value.Trouble(value.Missing, x, "no such key")
	case k == value.Dict:
		return value.Trouble(value.Missing, x, "no such key: the keys of a dict are str")
	case ok && (elementType(k) != nil || k == value.Record):
		return noKeyText(Member(x, key, env), x)
	}
	return wrongKind("only a list, tuple, dict or str has items", x)
}

// jsonMember2 is jsonMember for a key that may be trace text, which the
// detail of a cause must not quote.
func jsonMember2(x *value.Value, key string, env *Env) *value.Value {
	return noKeyText(jsonMember(x, key, env), x)
}

// noKeyText replaces a trouble that quotes a key by one that does not.
func noKeyText(v, x *value.Value) *value.Value {
	causes := v.Causes()
	if len(causes) != 1 || causes[0].At == nil {
		return v
	}
	switch causes[0].Reason { //nolint:exhaustive // the reasons whose detail quotes the key
	case value.Missing:
		return value.Trouble(value.Missing, x, "no such key")
	case value.TypeError:
		return value.Trouble(value.TypeError, x, "the text is JSON, but no object")
	}
	return v
}

func itemAt(x, i *value.Value) *value.Value {
	n, bad := position(i, len(x.Items()))
	if bad != nil {
		return bad
	}
	return x.Items()[n]
}

// position turns an index into an offset; a negative one counts from the end.
func position(i *value.Value, size int) (int, *value.Value) {
	if i.Kind() != value.Int {
		return 0, wrongKind("an index must be an int", i)
	}
	n, ok := i.Int()
	if n < 0 {
		n += int64(size)
	}
	if !ok || n < 0 || n >= int64(size) {
		return 0, value.Trouble(value.Missing, nil, "the index is out of range")
	}
	return int(n), nil
}

func charAt(x, i *value.Value) *value.Value {
	s, bad := text(x, "the text")
	if bad != nil {
		return bad
	}
	n, bad := position(i, utf8.RuneCountInString(s))
	if bad != nil {
		return bad
	}
	s = s[byteOffset(s, n):]
	_, w := utf8.DecodeRuneInString(s)
	return value.StrOf(s[:w])
}

// byteOffset returns the offset in bytes of code point n of s.
func byteOffset(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// SliceOf is `x[lo:hi]`; a bound that is nil or None is left out.
func SliceOf(x, lo, hi *value.Value) *value.Value {
	k := x.Kind()
	switch {
	case k == value.None:
		return x
	case k == value.List || k == value.Tuple:
		from, to, bad := bounds(lo, hi, len(x.Items()))
		if bad != nil {
			return bad
		}
		return likeList(x, x.Items()[from:to:to])
	case !isText(x):
		return wrongKind("only a list, tuple or str has slices", x)
	}
	s, bad := text(x, "the text")
	if bad != nil {
		return bad
	}
	from, to, bad := bounds(lo, hi, utf8.RuneCountInString(s))
	if bad != nil {
		return bad
	}
	start := byteOffset(s, from)
	return value.StrOf(s[start : start+byteOffset(s[start:], to-from)])
}

// bounds turns the bounds of a slice into offsets, cut to the size.
func bounds(lo, hi *value.Value, size int) (from, to int, bad *value.Value) {
	if from, bad = bound(lo, 0, size); bad != nil {
		return 0, 0, bad
	}
	if to, bad = bound(hi, size, size); bad != nil {
		return 0, 0, bad
	}
	return from, max(from, to), nil
}

func bound(v *value.Value, def, size int) (int, *value.Value) {
	if v == nil || v.Kind() == value.None {
		return def, nil
	}
	if v.Kind() != value.Int {
		return 0, wrongKind("the bounds of a slice must be int", v)
	}
	n, ok := v.Int()
	if !ok {
		n = int64(v.Big().Sign()) * math.MaxInt32
	}
	if n < 0 {
		n += int64(size)
	}
	return int(min(max(n, 0), int64(size))), nil
}
