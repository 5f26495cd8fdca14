// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package explain says what a policy means and what it says of a trace, for
// people: `holdfast explain` and `holdfast eval` print it.
//
// Rules describes each rule by itself: its conditions as sentences, what it
// costs as a trace grows (read off its plan) and what can make it unknown (read
// off its expressions). Sentences are made of the checked tree alone, so the
// same policy gives the same text; an expression for which there are no words
// is quoted as it is written.
//
// Trace puts a policy beside a trace: why a rule is violated or unknown, else
// how near it came, and for a call that does not pass the smallest change of its
// arguments found that does. Value evaluates an expression over a trace.
package explain

import (
	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/syntax"
)

// A Rule is a rule in words.
type Rule struct {
	*holdfast.Rule

	Sentence string    // "Denies with "x" when there is a tool call `c` such that"
	Clauses  []*Clause // what has to hold, all of it
	Where    []*Clause // the predicates that these name

	Plan    string
	Looks   []string // at which elements: "calls of `send`"
	Growth  string   // of the cost of an event with the trace: "constant", "linear", "square", "cube", "power 4"
	Cost    string   // why, in words
	Unknown []*Doubt // what can make it unknown
}

// A Clause is a sentence of a rule, with what belongs below it.
type Clause struct {
	Text string    `json:"text"`
	Line int       `json:"line"` // of the policy file
	Subs []*Clause `json:"subs,omitempty"`
}

// A Doubt is something that can make a rule unknown.
type Doubt struct {
	Reason string `json:"reason"` // the stable word that a verdict would give
	Text   string `json:"text"`
	Line   int    `json:"line"`
}

// Rules explains the rules of a program, those of policy, which it belongs to.
func Rules(policy *holdfast.Policy, prog *check.Program) ([]*Rule, error) {
	plans, list := compile.Compile(prog)
	if err := list.Err(); err != nil {
		return nil, err
	}
	var out []*Rule
	for i, r := range policy.Rules() {
		plan := plans.Rules[i]
		w := &writer{prog: prog}
		x := &Rule{Rule: r, Plan: plan.String()}
		x.Sentence, x.Clauses = w.rule(plan.Check)
		x.Where = w.where()
		costs(x, plans, plan)
		x.Unknown = doubts(prog, plan)
		out = append(out, x)
	}
	return out, nil
}

// lineOf is the line that a node begins on.
func lineOf(n syntax.Node) int {
	line, _ := n.Span().File.Position(n.Span().Start)
	return line
}
