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

// sarifLevelOf returns the level of a rule's result in SARIF: what its comment
// says of its severity, else what it does. What on_unknown weakens is no more
// than is left of it.
func sarifLevelOf(rule *holdfast.Rule, left level) level {
	said, ok := map[string]level{"critical": levelError, "high": levelError, "medium": levelWarning, "low": levelNotice}[rule.Severity]
	if !ok || left > levelOf(rule.Action) {
		return max(left, said)
	}
	return said
}

// securitySeverities are the numbers by which GitHub ranks alerts, in the
// middle of what it calls by these names.
var securitySeverities = map[string]string{"critical": "9.5", "high": "8.0", "medium": "5.5", "low": "2.0"}

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
