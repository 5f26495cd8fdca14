// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"maps"
	"slices"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// classes are the value classes and the detector that each asks; "" where
// this version has none.
var classes = map[string]string{
	"CREDIT_CARD": "pii", "CRYPTO": "pii", "DATE_TIME": "pii", "EMAIL_ADDRESS": "pii", "IBAN_CODE": "pii", "IP_ADDRESS": "pii",
	"LOCATION": "pii", "MEDICAL_LICENSE": "pii", "PERSON": "pii", "PHONE_NUMBER": "pii", "UK_NHS": "pii", "URL": "pii",
	"US_BANK_NUMBER": "pii", "US_DRIVER_LICENSE": "pii", "US_ITIN": "pii", "US_PASSPORT": "pii", "US_SSN": "pii",
	"SECRET":      "secrets",
	"MODERATED":   "moderated",
	"DOMAIN_NAME": "", "DUMMY": "",
}

// ValueClasses returns the names of the value classes that a pattern may
// have, sorted.
func ValueClasses() []string { return slices.Sorted(maps.Keys(classes)) }

// ClassDetector returns the name of the detector that a value class asks, ""
// if there is none.
func ClassDetector(class string) string { return classes[class] }

func (c *argCompiler) class(e *syntax.ValueClass) *ArgPattern {
	names := ValueClasses()
	if slices.Contains(names, e.Name) {
		return &ArgPattern{kind: argClass, class: e.Name}
	}
	help := "the value classes are <EMAIL_ADDRESS>, <PHONE_NUMBER>, <PERSON>, <LOCATION>, <IP_ADDRESS>, <CREDIT_CARD> and others"
	if near := diag.Nearest(e.Name, names); near != "" {
		help = "did you mean <" + near + ">?"
	}
	return c.refuse(CodeValueClass, e, "no value class <"+e.Name+">", help)
}

// lookRaw makes the classes in a pattern look at texts as they stand.
func (a *ArgPattern) lookRaw() {
	if a == nil {
		return
	}
	a.raw = true
	for _, it := range a.items {
		it.lookRaw()
	}
}

// LookRaw makes the value classes of the pattern look at texts as they stand,
// not at their other views. It is for whoever compiles the pattern, before it
// is used.
func (m *ToolMatcher) LookRaw() { m.Args.lookRaw() }

// matchClass asks the detector of a class about a text, or about a number as
// it is written.
func (a *ArgPattern) matchClass(v *value.Value, env *Env) *value.Value {
	switch v.Kind() {
	case value.None, value.Bool:
		return value.FalseV
	case value.List, value.Dict:
		return wrongKind("a value class matches a text", v)
	case value.Int, value.Float:
		v = value.StrOf(string(value.AppendJSON(nil, v)))
	}
	asks := classes[a.class]
	if asks == "" {
		return value.Trouble(value.NotProvided, v, "the value class <"+a.class+"> has no implementation in this version")
	}
	f := modules["invariant.detectors"].Funcs[asks]
	found := Apply(f, a.classArguments(f, v), env)
	if k := found.Kind(); k == value.Unknown || k == value.Bool {
		return found
	}
	return value.BoolOf(len(found.Items()) > 0)
}

// classArguments are the arguments of the function that a class stands for.
func (a *ArgPattern) classArguments(f *Func, v *value.Value) []*value.Value {
	args := make([]*value.Value, len(f.Params))
	for i, p := range f.Params {
		switch {
		case i == 0:
			args[i] = v
		case p.Name == "entities":
			args[i] = value.ListOf([]*value.Value{value.StrOf(a.class)})
		case p.Name == ViewsParam && a.raw:
			args[i] = RawView
		default:
			args[i] = p.Default
		}
	}
	return args
}
