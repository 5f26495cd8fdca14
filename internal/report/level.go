// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import "github.com/holdfast-dev/holdfast"

// A level is how much weight an annotation has for the tools that show them.
type level uint8

const (
	levelError   level = iota // it blocks
	levelWarning              // a person has to decide
	levelNotice               // it is only reported
	levels
)

// levelOf returns the level of a rule's violation.
func levelOf(action string) level {
	switch action {
	case "ask":
		return levelWarning
	case "warn":
		return levelNotice
	}
	return levelError
}

// passes says what an on_unknown lets pass: it returns for each rule with an
// unknown entry that comes to less than its verb the level of what is left.
func passes(v holdfast.Verdict) map[int]level {
	out := map[int]level{}
	for _, u := range v.Degraded() {
		out[u.Rule.Index] = levelNotice
	}
	for _, rule := range v.Asking() {
		if _, ok := out[rule.Index]; ok {
			out[rule.Index] = levelWarning
		}
	}
	return out
}
