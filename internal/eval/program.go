// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"io/fs"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/compile"
)

// Env returns what operations need beside values.
func (p *Program) Env(ctx context.Context, limits builtin.Limits) *builtin.Env {
	return &builtin.Env{
		Context: ctx, Memo: &builtin.Memo{Patterns: p.patterns}, Limits: limits, Detectors: p.detectors, Workspace: p.workspace,
	}
}

// NewProgram prepares a compiled policy for any number of states, which ask
// the detectors given and read the files of the workspace; nil: there are none.
func NewProgram(p *compile.Program, detectors *builtin.Detectors, workspace fs.FS) *Program {
	out := &Program{
		Program: p,
		levels:  dispatches(p, nil),
		moves:   map[*compile.Block][]move{},
		subs:    p.Subs(),
		within:  make([][]int, len(p.Rules)),

		patterns:  builtin.NewPatterns(),
		detectors: detectors,
		workspace: workspace,
	}
	for i, r := range p.Rules {
		if r.Plan == compile.Counted {
			out.moves[r.Block] = moves(r.Block)
		}
		out.within[i] = r.Blocks()
	}
	return out
}
