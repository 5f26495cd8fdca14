// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import "github.com/holdfast-dev/holdfast/internal/value"

// Universe returns the functions that are there without an import, by name.
// The caller must not change the map.
func Universe() map[string]*Func { return universe }

var universe = byName(
	// Truth and collections.
	fn("len", value.IntType, length, param("x")),
	fn("any", value.BoolType, anyOf, param("iterable")),
	fn("all", value.BoolType, allOf, param("iterable")),
	fn("empty", value.BoolType, isEmpty, param("iterable")),
	fn("min", value.AnyType, minimum, rest("values")),
	fn("max", value.AnyType, maximum, rest("values")),
	fn("sum", value.AnyType, sum, param("iterable"), optional("start", value.IntOf(0))),
	fn("print", value.BoolType, printed, rest("values")),

	// Text.
	fn("match", value.BoolType, match, pattern("pattern"), param("s")),
	fn("find", value.ListType, find, pattern("pattern"), param("s")),
	fn("text", value.ListType, texts, rest("values")),
	fn("image", value.ListType, images, rest("values")),
	fn("json_loads", value.AnyType, jsonLoads, param("s")),

	// Elements of a trace.
	fn("tool_call", value.ToolCallType, toolCall, param("tool_output")),
	fn("server", value.AnyType, serverOf, param("x")),
	fn("may_precede", value.BoolType, mayPrecede, param("a"), param("b")),

	// Conversions.
	fn("str", value.StrType, toStr, optional("x", value.EmptyStr)),
	fn("int", value.IntType, toInt, optional("x", value.IntOf(0))),
	fn("float", value.FloatType, toFloat, optional("x", value.IntOf(0))),
	fn("bool", value.BoolType, toBool, optional("x", value.FalseV)),
	fn("list", value.ListType, toList, optional("x", value.EmptyList)),
	fn("tuple", value.AnyType, toTuple, optional("x", value.EmptyList)),
	fn("dict", value.DictType, toDict, optional("x", value.EmptyDict)),

	// The detectors' yes or no.
	by("pii", viewing("is_pii", value.BoolType, whether, param("data"), optional("entities", value.NoneV))),
	by("secrets", viewing("is_secret", value.BoolType, whether, param("data"))),
	by("semgrep", asking("is_unsafe_code", value.BoolType, unsafe, param("data"), optional("lang", value.NoneV))),
	by("moderated", judging(viewing("is_moderated", value.BoolType, whether, param("data"), optional("threshold", value.NoneV)))),
	by("topic", judging(asking("is_topic", value.BoolType, whether, param("data"), as(param("topic"), "topics"), optional("threshold", value.NoneV)))),
)

// The building blocks of signatures.

func fn(name string, result *value.Type, impl func(*Call) *value.Value, params ...Param) *Func {
	return &Func{Name: name, Params: params, Result: result, Impl: impl}
}

// asking is a function that asks the detector of its name.
func asking(name string, result *value.Type, impl func(*Call) *value.Value, params ...Param) *Func {
	return &Func{Name: name, Params: params, Result: result, Kind: Detector, Asks: name, Impl: impl}
}

// viewing is a function that asks the detector of its name about texts and
// their views.
func viewing(name string, result *value.Type, impl func(*Call) *value.Value, params ...Param) *Func {
	return asking(name, result, impl, append(params, optional(ViewsParam, value.NoneV))...)
}

// by makes a function ask another detector.
func by(detector string, f *Func) *Func {
	f.Asks = detector
	return f
}

// judging is a function whose answer is a model's.
func judging(f *Func) *Func {
	f.Model = true
	return f
}

func effect(name string, result *value.Type, impl func(*Call) *value.Value, params ...Param) *Func {
	return &Func{Name: name, Params: params, Result: result, Kind: Effect, Impl: impl}
}

func param(name string) Param { return Param{Name: name, Type: value.AnyType} }

// pattern is a parameter whose literal argument is checked at load.
func pattern(name string) Param { return Param{Name: name, Type: value.StrType, Pattern: true} }

// function is a parameter that names functions.
func function(name string) Param {
	return Param{Name: name, Type: value.AnyType, Default: value.NoneV, Function: true}
}

func optional(name string, def *value.Value) Param {
	return Param{Name: name, Type: value.AnyType, Default: def}
}

// own is a parameter that the function reads and its detector does not get.
func own(p Param) Param {
	p.Own = true
	return p
}

// as is a parameter that the detector gets as a list, by another name.
func as(p Param, name string) Param {
	p.As = name
	return p
}

// listOf is a parameter that takes a list or a single one, and that the
// detector gets as a list.
func listOf(name string) Param { return as(param(name), name) }

func rest(name string) Param { return Param{Name: name, Type: value.AnyType, Rest: true} }

func byName(fs ...*Func) map[string]*Func {
	m := make(map[string]*Func, len(fs))
	for _, f := range fs {
		m[f.Name] = f
	}
	return m
}
