// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"

	"github.com/cedar-policy/cedar-go"
)

// Cedar has no length of a string; the caller gives it, untimed.
const cedarPolicies = `
permit (principal, action, resource);

forbid (principal, action == Action::"send_email", resource)
when { !(context.to like "*@corp.com") && context.body_length > 10 };
`

// A Cedar is a parsed policy set.
type Cedar struct {
	policies *cedar.PolicySet
}

// NewCedar parses the first question.
func NewCedar() (*Cedar, error) {
	policies, err := cedar.NewPolicySetFromBytes("bench.cedar", []byte(cedarPolicies))
	if err != nil {
		return nil, fmt.Errorf("parsing: %w", err)
	}
	return &Cedar{policies}, nil
}

// CedarInput returns a call in Cedar's form.
func CedarInput(c Call) cedar.Request {
	return cedar.Request{
		Principal: cedar.NewEntityUID("Agent", "a"),
		Action:    cedar.NewEntityUID("Action", cedar.String(c.Name)),
		Resource:  cedar.NewEntityUID("Mailbox", "m"),
		Context: cedar.NewRecord(cedar.RecordMap{
			"to":          cedar.String(c.To),
			"body":        cedar.String(c.Body),
			"body_length": cedar.Long(len(c.Body)),
		}),
	}
}

// Denied asks the question.
func (c *Cedar) Denied(input cedar.Request) (bool, error) {
	decision, diagnostic := cedar.Authorize(c.policies, nil, input)
	if len(diagnostic.Errors) > 0 {
		return false, fmt.Errorf("authorising: %v", diagnostic.Errors)
	}
	return decision == cedar.Deny, nil
}
