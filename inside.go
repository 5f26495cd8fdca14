// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"cmp"
	"context"

	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// Inside returns what p is made of, and what an evaluation needs beside a
// trace, for the tools of this house that look into policies (vet, coverage,
// explain). The types are internal: it is no part of the public surface and may
// change. The program must not be changed. The environment is for one
// goroutine. The error is about the parameters, as that of Monitor is.
func (p *Policy) Inside(ctx context.Context, opts *MonitorOptions) (*check.Program, *builtin.Env, map[string]*value.Value, error) {
	opts = cmp.Or(opts, &MonitorOptions{})
	input, err := p.input(opts.Input)
	limits := opts.Limits.withDefaults()
	return p.program.Check, p.program.Env(ctx, builtin.Limits{Value: limits.Value}), input, err
}

// Compiled returns how the rule is evaluated, for the same tools.
func (r *Rule) Compiled() (plan string, checked *check.Rule) { return r.plan.String(), r.plan.Check }
