// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"bytes"
	"context"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

const opaCallModule = `package bench

deny if {
	input.name == "send_email"
	not endswith(input.to, "@corp.com")
	count(input.body) > 10
}
`

// The ids are collected once, so that the rule is linear in the trace; the
// pending message is the last one.
const opaFlowModule = `package bench

fetched contains call.id if {
	some message in input
	some call in message.tool_calls
	call.function.name == "fetch"
}

deny if {
	some call in input[count(input) - 1].tool_calls
	call.function.name == "send_email"
	some message in input
	message.role == "tool"
	message.tool_call_id in fetched
}
`

// An OPA is a prepared query. It is asked with input in OPA's own form.
type OPA struct {
	query rego.PreparedEvalQuery
}

// NewOPA prepares the query for the first question.
func NewOPA(ctx context.Context) (*OPA, error) { return prepareOPA(ctx, opaCallModule) }

// NewFlowOPA prepares the query for the second question.
func NewFlowOPA(ctx context.Context) (*OPA, error) { return prepareOPA(ctx, opaFlowModule) }

func prepareOPA(ctx context.Context, module string) (*OPA, error) {
	query, err := rego.New(rego.Query("data.bench.deny"), rego.Module("bench.rego", module)).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("preparing the query: %w", err)
	}
	return &OPA{query}, nil
}

// OPAInput returns a call in OPA's form.
func OPAInput(c Call) (ast.Value, error) {
	return ast.InterfaceToValue(map[string]any{"name": c.Name, "to": c.To, "body": c.Body})
}

// OPATrace returns a run in OPA's form.
func OPATrace(r Run) (ast.Value, error) { return ast.ValueFromReader(bytes.NewReader(r.Whole())) }

// Denied asks the question.
func (o *OPA) Denied(ctx context.Context, input ast.Value) (bool, error) {
	results, err := o.query.Eval(ctx, rego.EvalParsedInput(input))
	return results.Allowed(), err // the rule says deny; Allowed only means that it is true
}
