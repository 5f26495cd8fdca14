// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/explain"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/source"
	"github.com/holdfast-dev/holdfast/trace"
)

// An explaining prints what explain says, trace by trace.
type explaining struct {
	*explainFlags
	policy  *loadedPolicy
	monitor *holdfast.MonitorOptions

	out    explainDocument
	traces int
	failed int
	stands bool // a verdict is not allow
}

// The document of explain --format json, see docs/explain.schema.json.
type (
	explainDocument struct {
		Rules  []explainedRule  `json:"rules"`
		Traces []explainedTrace `json:"traces"`
	}
	explainedRule struct {
		ID         string            `json:"id"`
		Policy     string            `json:"policy"`
		Line       int               `json:"line"`
		Action     string            `json:"action"`
		Sentence   string            `json:"sentence"`
		Clauses    []*explain.Clause `json:"clauses"`
		Where      []*explain.Clause `json:"where"`
		Class      string            `json:"class"`
		Preventive bool              `json:"preventive"`
		Looks      []string          `json:"looks"`
		Growth     string            `json:"growth"`
		Cost       string            `json:"cost"`
		Plan       string            `json:"plan"`
		Unknown    []*explain.Doubt  `json:"unknown"`
	}
	explainedTrace struct {
		Trace   string             `json:"trace"`
		Index   int                `json:"index,omitempty"`
		Error   string             `json:"error,omitempty"`
		Verdict string             `json:"verdict,omitempty"`
		Rules   []explainedState   `json:"rules,omitempty"`
		Blocked []explainedBlocked `json:"blocked,omitempty"`
		More    int                `json:"more,omitempty"`
	}
	explainedState struct {
		ID      string           `json:"id"`
		State   string           `json:"state"`
		Count   uint64           `json:"count,omitempty"`
		AtLeast bool             `json:"at_least,omitempty"`
		Matches []*explain.Match `json:"matches,omitempty"`
		Unknown []*explain.Cause `json:"unknown,omitempty"`
		Near    *explain.Near    `json:"near,omitempty"`
	}
	explainedBlocked struct {
		At         string            `json:"at"`
		Calls      []string          `json:"calls"`
		Verdict    string            `json:"verdict"`
		Rules      []string          `json:"rules"`
		Change     []*explain.Edit   `json:"change"` // null: none was found
		Tried      int               `json:"tried"`
		Impossible string            `json:"impossible,omitempty"` // the rule that reads no arguments
		Past       []explain.Element `json:"past,omitempty"`
	}
)

func explainedRuleOf(r *explain.Rule) explainedRule {
	return explainedRule{
		ID: r.ID, Policy: r.Policy, Line: r.Line, Action: r.Action,
		Sentence: r.Sentence, Clauses: filled(r.Clauses), Where: filled(r.Where),
		Class: r.Class, Preventive: r.Preventive,
		Looks: filled(r.Looks), Growth: r.Growth, Cost: r.Cost, Plan: r.Plan, Unknown: filled(r.Unknown),
	}
}

// filled returns a list that is not null.
func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func explainedTraceOf(name string, index int, r *explain.Report) explainedTrace {
	out := explainedTrace{Trace: name, Index: index, Verdict: r.Decision.String(), More: r.More}
	for _, s := range r.Rules {
		out.Rules = append(out.Rules, explainedState{
			ID: s.Rule.ID, State: s.State, Count: s.Count, AtLeast: s.AtLeast, Matches: s.Matches, Unknown: s.Causes, Near: s.Near,
		})
	}
	for _, b := range r.Blocked {
		out.Blocked = append(out.Blocked, explainedBlocked{
			At: b.At, Calls: b.Calls, Verdict: b.Decision.String(), Rules: b.Rules,
			Change: b.Edits, Tried: b.Tried, Impossible: b.Certain, Past: b.Past,
		})
	}
	return out
}

// trace explains what the policy says of one trace.
func (e *explaining) trace(r source.Record, input *source.Options) error {
	e.traces++
	name := report.PlainPath(r.Path)
	if r.Index > 0 {
		name = fmt.Sprintf("%s (trace %d)", name, r.Index+1)
	}
	run, err := input.Decode(r)
	var said *explain.Report
	if err == nil {
		said, err = explain.Trace(e.cmd.Context(), e.policy.Policy, e.monitor, run)
	}
	switch {
	case e.cmd.Context().Err() != nil:
		return &exitError{code: exitFailure, err: fmt.Errorf("interrupted, after %s of the input", plural(e.traces-1, "trace"))}
	case err != nil:
		e.failed++
		why := report.Reason(e.policy.Policy, err)
		if e.format == "json" {
			e.out.Traces = append(e.out.Traces, explainedTrace{Trace: r.Path, Index: r.Index, Error: why})
			return nil
		}
		fmt.Fprintf(e.cmd.ErrOrStderr(), "holdfast: %s: %s\n", escapeLine(name), escapeLine(why))
		return nil
	}
	e.stands = e.stands || said.Decision != holdfast.Allow || len(said.Blocked) > 0
	if e.format == "json" {
		e.out.Traces = append(e.out.Traces, explainedTraceOf(r.Path, r.Index, said))
		return nil
	}
	head := ""
	if e.traces > 1 {
		head = "\n"
	}
	_, err = fmt.Fprintf(e.cmd.OutOrStdout(), "%s%s: %s\n%s", head, escapeLine(name), said.Decision, escapeText(said.String()))
	return writeError(err)
}

// end writes the JSON, and gives the exit code.
func (e *explaining) end() error {
	if e.format == "json" {
		e.out.Rules, e.out.Traces = filled(e.out.Rules), filled(e.out.Traces)
		if err := report.WriteJSON(e.cmd.OutOrStdout(), e.out); err != nil {
			return writeError(err)
		}
	}
	switch {
	case e.failed > 0:
		return &exitError{code: exitFailure, err: fmt.Errorf("%s could not be read or checked", plural(e.failed, "trace"))}
	case e.stands:
		return &exitError{code: exitDenied}
	}
	return nil
}

// oneTrace reads the only trace of a path.
func oneTrace(f *explainFlags, path string, input *source.Options) (*trace.Trace, error) {
	var run *trace.Trace
	for r := range source.Records(f.cmd.Context(), []string{path}, input) {
		if run != nil {
			return nil, errors.New("there are several traces, want one")
		}
		var err error
		if run, err = input.Decode(r); err != nil {
			return nil, err
		}
	}
	if run == nil {
		return nil, errors.New("there is no trace")
	}
	return run, nil
}
