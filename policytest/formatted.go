// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"fmt"

	"github.com/holdfast-dev/holdfast"
)

// formatted returns an error if the policy in its canonical form has other
// rules or comes to something else. Lines and columns differ, so what names
// them is not compared.
func (c *Case) formatted(opts *Options, run *runner) error {
	policy, err := c.policy(opts, run.stubs, true)
	if err != nil {
		return err
	}
	if err := sameRules(run.policy.Rules(), policy.Rules()); err != nil {
		return err
	}
	written, formatted := *run, *run
	formatted.policy = policy
	show := detail{ids: true, counts: true}
	written.show, formatted.show = show, show
	want, err := written.whole()
	if err != nil {
		return err
	}
	got, err := formatted.whole()
	if err != nil {
		return err
	}
	return same("the policy in its canonical form", want, got, show)
}

// sameRules returns an error if rules differ in more than where they stand.
func sameRules(want, got []*holdfast.Rule) error {
	if len(got) != len(want) {
		return fmt.Errorf("got %d rules, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i]; g.ID != w.ID || g.Action != w.Action || g.Class != w.Class {
			return fmt.Errorf("got rule %s (%s, %s), want %s (%s, %s)", g.ID, g.Action, g.Class, w.ID, w.Action, w.Class)
		}
	}
	return nil
}
