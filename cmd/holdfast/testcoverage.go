// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/coverage"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/policytest"
)

// cover adds up what the cases see of their policies. A case whose policy or
// trace is refused, as it wants, sees nothing.
func (t *testRun) cover(ctx context.Context, suites []*testSuite) ([]*coverage.Part, error) {
	var c coverage.Collector
	for _, s := range suites {
		for _, test := range s.cases {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			policy, run, opts, err := test.Open(s.opts)
			if err != nil {
				continue
			}
			if err := c.Add(ctx, policy, whereIs(s, test), opts, run); err != nil {
				return nil, err
			}
		}
	}
	return c.Parts(), nil
}

// whereIs says where the policy of a case stands, and what it imports: in the
// folder of the case, or in its file.
func whereIs(s *testSuite, c *policytest.Case) coverage.Where {
	policy, _, line, err := c.Policy(s.opts)
	return func(name string) (string, int) {
		if err == nil && line > 0 && name == policy {
			return s.file, line - 1
		}
		if line := c.Beside(name); line > 0 {
			return s.file, line - 1
		}
		return filepath.Join(filepath.Dir(s.file), filepath.FromSlash(name)), 0
	}
}

// covered counts what was seen, and what there is to be seen.
type covered struct{ rules, ofRules, conditions, ofConditions int }

func sumCoverage(parts []*coverage.Part) covered {
	var n covered
	for _, p := range parts {
		if p.Rule {
			n.ofRules++
			if p.Seen() {
				n.rules++
			}
		}
		for _, c := range p.Conditions {
			n.ofConditions++
			if c.Seen() {
				n.conditions++
			}
		}
	}
	return n
}

// writeCoverage prints a line for each rule and predicate, below it the
// conditions that were not both true and false, and the sum.
func writeCoverage(b *strings.Builder, style report.Style, parts []*coverage.Part) {
	for _, p := range parts {
		fmt.Fprintf(b, "%s:%d: %s %s\n", escapeLine(report.PlainPath(p.Policy)), p.Line, escapeLine(p.Name), partText(style, p))
		for _, c := range p.Conditions {
			if !c.Seen() {
				fmt.Fprintf(b, "  %d:%d: %s: %s\n", c.Line, c.Column, escapeLine(cutAt(c.Text, 80)), style.Paint(report.Yellow, conditionText(c)))
			}
		}
	}
	n := sumCoverage(parts)
	fmt.Fprintf(b, "coverage: %d of %s violated, %d of %s true and false\n",
		n.rules, plural(n.ofRules, "rule"), n.conditions, plural(n.ofConditions, "condition"))
}

func partText(style report.Style, p *coverage.Part) string {
	seen := 0
	for _, c := range p.Conditions {
		if c.Seen() {
			seen++
		}
	}
	text := fmt.Sprintf("%d of %s", seen, plural(len(p.Conditions), "condition"))
	switch {
	case p.Rule && !p.Seen():
		text = style.Paint(report.Red, "never violated") + ", " + text
	case p.Rule && p.Unknown > 0:
		text = "violated and unknown, " + text
	case p.Rule:
		text = "violated, " + text
	}
	return text
}

// conditionText says what was not seen of a condition.
func conditionText(c *coverage.Condition) string {
	switch {
	case c.True+c.False+c.Unknown == 0:
		return "never looked at"
	case c.True+c.False == 0:
		return "only unknown"
	case c.True == 0:
		return "never true"
	}
	return "never false"
}

// cutAt shortens a text to n characters.
func cutAt(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

type (
	jsonCoverage struct {
		Rules        int        `json:"rules"`
		OfRules      int        `json:"of_rules"`
		Conditions   int        `json:"conditions"`
		OfConditions int        `json:"of_conditions"`
		Parts        []jsonPart `json:"parts"`
	}
	jsonPart struct {
		Policy     string          `json:"policy"`
		Line       int             `json:"line"`
		Name       string          `json:"name"`
		Kind       string          `json:"kind"`
		Violated   int             `json:"violated"`
		Unknown    int             `json:"unknown"`
		Conditions []jsonCondition `json:"conditions"`
	}
	jsonCondition struct {
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Text    string `json:"text"`
		True    int    `json:"true"`
		False   int    `json:"false"`
		Unknown int    `json:"unknown"`
	}
)

func coverageObject(parts []*coverage.Part) *jsonCoverage {
	n := sumCoverage(parts)
	out := &jsonCoverage{Rules: n.rules, OfRules: n.ofRules, Conditions: n.conditions, OfConditions: n.ofConditions, Parts: []jsonPart{}}
	for _, p := range parts {
		part := jsonPart{Policy: p.Policy, Line: p.Line, Name: p.Name, Kind: "predicate", Violated: p.Violated, Unknown: p.Unknown, Conditions: []jsonCondition{}}
		if p.Rule {
			part.Kind = "rule"
		}
		for _, c := range p.Conditions {
			part.Conditions = append(part.Conditions, jsonCondition(*c))
		}
		out.Parts = append(out.Parts, part)
	}
	return out
}

// coverageNotes are the rules that no case violates and the conditions of which
// one side was not seen, for formats that annotate policies.
func coverageNotes(parts []*coverage.Part) []report.Note {
	var out []report.Note
	for _, p := range parts {
		if !p.Seen() {
			out = append(out, report.Note{
				Level: "warning", ID: "never-violated", Title: "No test violates this rule.",
				Message: fmt.Sprintf("no test violates the rule %s", p.Name), Path: p.Policy, Line: p.Line,
			})
		}
		for _, c := range p.Conditions {
			if !c.Seen() {
				out = append(out, report.Note{
					Level: "note", ID: "not-covered", Title: "No test has seen both sides of this condition.",
					Message: fmt.Sprintf("in the tests %s is %s", cutAt(c.Text, 80), conditionText(c)), Path: p.Policy, Line: c.Line, Column: c.Column,
				})
			}
		}
	}
	return out
}
