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
}

// answered warns of functions that a rule calls and nobody answers for.
func (c *checker) answered(r *Rule) {
	c.prog.reach(r.Body, func(n syntax.Node) {
		e, ok := n.(*syntax.Call)
		if !ok || c.prog.Calls[e].Func == nil {
			return
		}
		switch f := c.prog.Calls[e].Func; {
		case f.Asks != "" && !slices.Contains(c.cfg.Detectors, f.Asks):
			c.warn("P0315", e.Fun.Span(), fmt.Sprintf("no detector is set up for %s, so calling it is unknown", quote(f.Name)), "")
		case f.Impl == nil && f.Kind != builtin.Pure:
			c.warn("P0315", e.Fun.Span(), fmt.Sprintf("this version has no implementation of %s, so calling it is unknown", quote(f.Name)), "")
		}
	})
}
