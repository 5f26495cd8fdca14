// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package difftest holds the incremental evaluation against the written
// semantics, on random policies and traces.
//
// Generate makes a policy as source text and a trace as JSON, so that all of
// the way from the source to the answer is tested. Run loads both and asks the
// naive evaluator of package spec about every prefix of the trace; what
// package eval answers, event by event, in batches, about pending events that
// are taken back, and in one look, must be the same: verdicts, assignments and
// their order, counts, evidence, messages and the causes of what is unknown.
// Shrink makes a failing case small and Archive writes it for the corpus.
package difftest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/compile"
	"github.com/holdfast-dev/holdfast/internal/eval"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// A Case is a policy, the parameters it is given and a trace.
type Case struct {
	Seed, Number uint64
	Policy       string
	steps        uint64 // decides how the trace is cut into steps
	input        *node
	files        map[string]string // beside the policy; nil: the one that random policies import
	events       []*node
}

// Generate makes a case, always the same for the same numbers.
func Generate(seed, number uint64) *Case {
	g := newGen(seed, number)
	c := &Case{Seed: seed, Number: number, steps: number, Policy: g.policy(), input: g.input()}
	c.events = g.events(longest(g.weight))
	return c
}

// longest is how many events a trace has at most, so that a policy whose
// rules have about weight assignments is not too much for the naive evaluator.
func longest(weight int) int {
	switch {
	case weight > 2000:
		return 5
	case weight > 400:
		return 8
	}
	return 12
}

// clone returns a copy that can be made smaller.
func (c *Case) clone() *Case {
	out := *c
	out.input = c.input.clone()
	out.events = list(c.events...).clone().items
	return &out
}

// Trace is the trace as JSON, one event a line.
func (c *Case) Trace() string {
	out := "["
	for i, e := range c.events {
		if i > 0 {
			out += ","
		}
		out += "\n  " + e.String()
	}
	return out + "\n]\n"
}

// loaded is a case ready to be run.
type loaded struct {
	file  *syntax.File
	prog  *check.Program
	plans *eval.Program
	input map[string]*value.Value
}

// errTrace is a trace or an input that cannot be read: a mistake of the
// generator.
var errTrace = errors.New("reading the case")

// load reads the policy and the parameters. The error is a diag.List when the
// policy does not load.
func (c *Case) load() (*loaded, error) {
	l := &loaded{input: map[string]*value.Value{}}
	file, diags := syntax.Parse(diag.NewFile("policy", []byte(c.Policy)))
	if err := diags.Err(); err != nil {
		return nil, err
	}
	l.file = file
	if l.prog, diags = check.Check(file, &check.Config{Import: c.importFile}); diags.Err() != nil {
		return nil, diags
	}
	plans, diags := compile.Compile(l.prog)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	l.plans = eval.NewProgram(plans, nil, nil)
	v, err := value.ParseJSON(c.input.String(), value.JSONLimits{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTrace, err)
	}
	for _, k := range v.Keys() {
		l.input[k] = v.Get(k)
	}
	return l, nil
}

// importFile reads a file that the policy imports: of a random case there is
// one.
func (c *Case) importFile(from *syntax.File, name string) (*syntax.File, map[string]*builtin.Func, error) {
	full := path.Join(path.Dir(from.Source.Name), name) + ".gr"
	text, ok := c.files[full]
	if c.files == nil {
		text, ok = libSource, true
	}
	if !ok {
		return nil, nil, fs.ErrNotExist
	}
	file, list := syntax.Parse(diag.NewFile(full, []byte(text)))
	return file, nil, list.Err()
}

// decode reads the trace, anew each time, because a log owns its events.
func (c *Case) decode() ([]*trace.Event, error) {
	src := list(c.events...).append(nil)
	t, err := trace.Decode(src, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTrace, err)
	}
	return t.Events, nil
}
