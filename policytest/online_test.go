// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"context"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// start makes a runner for a policy of one rule and a trace of two messages.
func start(t *testing.T, policy string) (*runner, *holdfast.Rule) {
	t.Helper()
	p, err := holdfast.Compile("policy", []byte(policy), nil)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Decode([]byte(`[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]`), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &runner{ctx: context.Background(), policy: p, trace: tr}, p.Rules()[0]
}

// said makes an answer of one rule.
func said(rule *holdfast.Rule, unknowns int, violations ...string) *answer {
	a := &answer{}
	for _, text := range violations {
		a.violations = append(a.violations, line{rule, text, 1})
	}
	if n := len(violations); n > 0 {
		a.counts = []holdfast.RuleCount{{Rule: rule, N: uint64(n)}}
	}
	if unknowns > 0 {
		a.unknowns = []line{{rule, "unknown deny: missing", unknowns}}
	}
	return a
}

const (
	staying    = "raise \"x\" if:\n    (m: Message)\n"
	retracting = "raise \"x\" if:\n    forall:\n        (m: Message)\n        m.role == \"user\"\n"
)

// TestAddUp gives the comparison answers that an engine at fault would give:
// each must be noticed, whatever the engine at hand does.
func TestAddUp(t *testing.T) {
	tests := []struct {
		name, policy string
		answers      func(r *holdfast.Rule) (whole *answer, online []*answer)
		want         string
	}{
		{"all of it", staying, func(r *holdfast.Rule) (*answer, []*answer) {
			return said(r, 2, "a", "b"), []*answer{said(r, 1, "b"), said(r, 1, "a")}
		}, ""},
		{"lost", staying, func(r *holdfast.Rule) (*answer, []*answer) {
			return said(r, 0, "a", "b"), []*answer{said(r, 0, "a"), said(r, 0)}
		}, "violations are"},
		{"twice", staying, func(r *holdfast.Rule) (*answer, []*answer) {
			return said(r, 0, "a"), []*answer{said(r, 0, "a"), said(r, 0, "a")}
		}, "violations are"},
		{"another one", staying, func(r *holdfast.Rule) (*answer, []*answer) {
			return said(r, 0, "a"), []*answer{said(r, 0, "b")}
		}, "violations are"},
		{"unknown lost", staying, func(r *holdfast.Rule) (*answer, []*answer) {
			return said(r, 2), []*answer{said(r, 1), said(r, 0)}
		}, "got 1 assignments that are not decided, want 2"},
		{"unknown twice", staying, func(r *holdfast.Rule) (*answer, []*answer) {
			return said(r, 1), []*answer{said(r, 1), said(r, 1)}
		}, "got 2 assignments that are not decided, want 1"},
		{"retracted", retracting, func(r *holdfast.Rule) (*answer, []*answer) {
			return said(r, 0), []*answer{said(r, 0, "x"), said(r, 0)}
		}, ""},
		{"not retracted", retracting, func(r *holdfast.Rule) (*answer, []*answer) {
			return said(r, 0), []*answer{said(r, 0), said(r, 0, "x")}
		}, "violations are"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run, rule := start(t, tt.policy)
			whole, online := tt.answers(rule)
			err := run.addUp(whole, online)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got %v, want no error", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestOnlineRunsEveryWay counts what is reported when the whole is not what
// the engine says online.
func TestOnlineRunsEveryWay(t *testing.T) {
	run, rule := start(t, staying)
	ways := 0
	for _, err := range run.online(said(rule, 0, "never")) {
		if err != nil {
			ways++
		}
	}
	if want := 1 + 3; ways != want { // event by event, and splits at 0, 1 and 2
		t.Errorf("got %d ways with an error, want %d", ways, want)
	}
}
