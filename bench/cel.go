// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"

	"cel.dev/cel-go/cel"
)

const celExpr = `name == "send_email" && !to.endsWith("@corp.com") && size(body) > 10`

// A CEL is a compiled, type-checked and optimised program.
type CEL struct {
	program cel.Program
}

// NewCEL compiles the first question.
func NewCEL() (*CEL, error) {
	env, err := cel.NewEnv(
		cel.Variable("name", cel.StringType),
		cel.Variable("to", cel.StringType),
		cel.Variable("body", cel.StringType),
	)
	if err != nil {
		return nil, fmt.Errorf("making the environment: %w", err)
	}
	tree, issues := env.Compile(celExpr)
	if issues.Err() != nil {
		return nil, fmt.Errorf("compiling: %w", issues.Err())
	}
	program, err := env.Program(tree, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, fmt.Errorf("planning: %w", err)
	}
	return &CEL{program}, nil
}

// CELInput returns a call in CEL's form.
func CELInput(c Call) (cel.Activation, error) {
	return cel.NewActivation(map[string]any{"name": c.Name, "to": c.To, "body": c.Body})
}

// Denied asks the question.
func (c *CEL) Denied(input cel.Activation) (bool, error) {
	out, _, err := c.program.Eval(input)
	if err != nil {
		return false, err
	}
	denied, ok := out.Value().(bool)
	if !ok {
		return false, fmt.Errorf("got a %T, want a bool", out.Value())
	}
	return denied, nil
}
