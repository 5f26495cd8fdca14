// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package compile

import (
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// An Env is what closures read while one assignment is looked at. It belongs
// to one evaluation at a time.
type Env struct {
	// Slots hold the variables. An Unknown value in a slot is the one element
	// of a domain that is not known; nil is an optional variable whose domain
	// is empty.
	Slots []*value.Value
	B     *builtin.Env
	Input map[string]*value.Value

	// Quant answers quantifiers over the trace.
	Quant Quantifier

	// Texts answers whether a literal of the policy occurs in a text; nil
	// while no shared scan is worth it.
	Texts *Scans

	// Causes asks for the causes of every unknown. Without it an unknown
	// quantifier says only that it is unknown, which is all that a search for
	// matches needs.
	Causes bool

	// Before bounds what quantifiers see: elements at this position and after
	// do not exist. It lets a match be explained after the trace went on.
	Before uint64

	// steps counts computed values; see step.
	steps    int
	MaxSteps int
}

// A Quantifier evaluates a nested block over the trace as it stands. The
// package that keeps the trace implements it.
type Quantifier interface {
	Quantify(s *Sub, e *Env) *value.Value
}

// A Code computes a value: an Unknown one where it cannot.
type Code func(*Env) *value.Value

// Vague is the unknown without causes that a search works with.
var Vague = value.UnknownOf(nil)

// step counts one unit of work and reports whether the budget allows it.
func (e *Env) step() bool {
	e.steps += 1 + e.B.Work
	e.B.Work = 0
	return e.MaxSteps == 0 || e.steps <= e.MaxSteps
}

// weigh counts what an operation on v looks at, and reports whether the budget
// allows it. Without it a rule that takes large values apart again and again
// could take any time within its budget.
func (e *Env) weigh(v *value.Value) bool {
	if v == nil {
		return true
	}
	e.steps += value.Weight(v)
	return e.MaxSteps == 0 || e.steps <= e.MaxSteps
}

// textPerStep is how many bytes of text are searched for one unit of work.
const textPerStep = 1 << 10

// search counts looking for n texts in v, and reports whether the budget allows
// it.
func (e *Env) search(n int, v *value.Value) bool {
	switch v.Kind() {
	case value.Str:
		e.steps += n * (len(v.Text()) / textPerStep)
	case value.Content:
		text, _ := value.Concat(v)
		e.steps += n * (len(text) / textPerStep)
	}
	return e.MaxSteps == 0 || e.steps <= e.MaxSteps
}

// ResetSteps starts a new budget, in which nothing is owed for what was
// computed before.
func (e *Env) ResetSteps() { e.steps, e.B.Work = 0, 0 }

// Spent returns how much was computed since the budget began.
func (e *Env) Spent() int { return e.steps + e.B.Work }

// marked runs f and drops what it marked as evidence unless the value is
// true: a condition that does not hold is no evidence.
func marked(e *Env, f Code) *value.Value {
	m := e.B.Marks
	if m == nil {
		return f(e)
	}
	n := m.Len()
	v := f(e)
	if value.Truth(v) != value.True {
		m.Truncate(n)
	}
	return v
}
