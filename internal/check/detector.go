// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"slices"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/syntax"
)

// views settles which views of a text the calls of detectors look at, once all
// rules have been visited.
func (j *judgement) views(c *checker) {
	for e, side := range j.detectors {
		if side == Positive {
			continue
		}
		call := j.prog.Calls[e]
		call.Raw = true
		c.warn("P0314", e.Span(), fmt.Sprintf("%s looks at texts as they stand here, not at their other views", quote(call.Func.Name)),
			"what it finds can keep the rule from being violated; to look at other views all the same, name them: views=[...]")
	}
	for p, side := range j.patterns {
		if side == Positive || j.prog.Patterns[p] == nil {
			continue
		}
		j.prog.Patterns[p].LookRaw()
		for _, class := range valueClasses(p) {
			c.warn("P0314", class.Span(), fmt.Sprintf("<%s> looks at texts as they stand here, not at their other views", class.Name),
				"what it finds can keep the rule from being violated; to look at other views all the same, call the detector")
		}
	}
}

// answered warns of functions that a rule calls and nobody answers for.
func (c *checker) answered(r *Rule) {
	c.prog.reach(r.Body, func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.Call:
			c.answeredCall(n, c.prog.Calls[n])
		case *syntax.ToolPattern:
			for _, class := range valueClasses(n) {
				if asks := builtin.ClassDetector(class.Name); !slices.Contains(c.cfg.Detectors, asks) {
					c.warn("P0315", class.Span(), fmt.Sprintf("no detector is set up for <%s>, so matching it is unknown", class.Name), "")
				}
			}
		}
	})
}

// answeredCall warns of a call of a function.
func (c *checker) answeredCall(e *syntax.Call, call *Call) {
	if call.Func == nil {
		return
	}
	c.answeredFunc(e.Fun, call.Func)
	for _, f := range call.Func.Given() {
		c.answeredFunc(e, f)
	}
	if i := call.Func.Names; i > 0 && call.Args[i] != nil {
		name, ok := syntax.Unparen(call.Args[i]).(*syntax.StringLit)
		if ok && !slices.Contains(c.cfg.Detectors, name.Value) {
			c.warn("P0315", name.Span(), fmt.Sprintf("no detector %s is set up, so asking it is unknown", quote(name.Value)), didYouMean(name.Value, c.cfg.Detectors))
		}
	}
}

func (c *checker) answeredFunc(e syntax.Expr, f *builtin.Func) {
	switch {
	case f.Asks != "" && !slices.Contains(c.cfg.Detectors, f.Asks):
		c.warn("P0315", e.Span(), fmt.Sprintf("no detector is set up for %s, so calling it is unknown", quote(f.Name)), "")
	case f.Needs == builtin.Workspace && !c.cfg.Workspace:
		c.warn("P0315", e.Span(), fmt.Sprintf("no workspace is set up for %s, so calling it is unknown", quote(f.Name)), "")
	case f.Impl == nil && f.Kind != builtin.Pure:
		c.warn("P0315", e.Span(), fmt.Sprintf("this version has no implementation of %s, so calling it is unknown", quote(f.Name)), "")
	}
}

// valueClasses returns the value classes in a tool pattern.
func valueClasses(p *syntax.ToolPattern) []*syntax.ValueClass {
	var found []*syntax.ValueClass
	syntax.Walk(p, func(n syntax.Node) bool {
		if v, ok := n.(*syntax.ValueClass); ok {
			found = append(found, v)
		}
		return true
	})
	return found
}
