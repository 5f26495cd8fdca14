// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/backtest"
	"github.com/holdfast-dev/holdfast/internal/report"
)

// maxChanges is how many changes diff keeps to list them; all are counted.
const maxChanges = 100_000

// A diffReport is what diff has to print.
type diffReport struct {
	format string
	show   int
	cmd    *cobra.Command
	policy *holdfast.Policy // says what may be shown

	totals   backtest.Totals
	changes  []diffChange
	omitted  int
	failures []diffFailure
	took     time.Duration
}

// The objects of diff --format json, a promise as those of check are.
type (
	diffChange struct {
		Trace  string   `json:"trace"`
		Index  int      `json:"index"` // of the trace in its file
		Line   int      `json:"line"`  // on which it begins
		Event  int      `json:"event"`
		Calls  []string `json:"calls"`
		Old    string   `json:"old"`
		New    string   `json:"new"`
		Weaker bool     `json:"weaker"`
		Now    []string `json:"now"`
		NoMore []string `json:"no_more"`
		Reason string   `json:"reason"`
	}
	diffFailure struct {
		Trace   string `json:"trace"`
		Index   int    `json:"index"`
		Line    int    `json:"line"`
		Message string `json:"message"`
	}
	diffKind struct {
		Old    string `json:"old"`
		New    string `json:"new"`
		Weaker bool   `json:"weaker"`
		Steps  int    `json:"steps"`
		Calls  int    `json:"calls"`
		Traces int    `json:"traces"`
	}
	diffRule struct {
		ID     string `json:"id"`
		Now    int    `json:"now"`
		NoMore int    `json:"no_more"`
		Traces int    `json:"traces"`
	}
	diffObject struct {
		Traces   int           `json:"traces"`
		Changed  int           `json:"changed"`
		Steps    int           `json:"steps"`
		Calls    int           `json:"calls"`
		Weaker   int           `json:"weaker"`
		Stronger int           `json:"stronger"`
		Kinds    []diffKind    `json:"kinds"`
		Rules    []diffRule    `json:"rules"`
		Changes  []diffChange  `json:"changes"`
		Omitted  int           `json:"omitted"` // changes that are counted and not listed
		Failed   []diffFailure `json:"failed"`
		Unlisted int           `json:"failed_omitted"` // failures that are counted and not listed
	}
)

func (d *diffReport) changeOf(r backtest.Result, c backtest.Change) diffChange {
	calls := make([]string, len(c.Calls))
	for i, name := range c.Calls {
		calls[i] = d.policy.Masked(name).Text
	}
	return diffChange{
		Trace: r.Path, Index: r.Index, Line: r.Line, Event: c.Event, Calls: calls,
		Old: c.Old.String(), New: c.New.String(), Weaker: c.Weaker(),
		Now: append([]string{}, c.Now...), NoMore: append([]string{}, c.NoMore...), Reason: c.Reason,
	}
}

// diffOptions are what package report needs to know of a run.
func diffOptions(cmd *cobra.Command) *report.Options {
	out := cmd.OutOrStdout()
	o := &report.Options{Out: out, Err: cmd.ErrOrStderr(), Color: styleFor(out).on, Version: version(), Command: cmd.Name()}
	o.Dir, _ = os.Getwd() // without it paths stay as they are
	return o
}

// write prints all of it.
func (d *diffReport) write() error {
	d.totals.Sort()
	for i, f := range d.failures {
		if i == maxComplaints {
			fmt.Fprintf(d.cmd.ErrOrStderr(), "holdfast: and %s more that could not be compared\n", plural(d.totals.Failed-i, "trace"))
			break
		}
		fmt.Fprintf(d.cmd.ErrOrStderr(), "holdfast: %s: %s\n", escapeLine(placeIn(f.Trace, f.Line)), escapeText(f.Message))
	}
	switch d.format {
	case "json":
		return d.writeJSON(d.cmd.OutOrStdout())
	case "text":
		return d.writeText(d.cmd.OutOrStdout())
	}
	return report.WriteNotes(d.format, diffOptions(d.cmd), d.notes())
}

// placeIn is a line of a file.
func placeIn(path string, line int) string {
	if line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d", path, line)
}

func (d *diffReport) writeJSON(out io.Writer) error {
	o := diffObject{
		Traces: d.totals.Traces, Changed: d.totals.Changed, Steps: d.totals.Steps, Calls: d.totals.Calls,
		Weaker: d.totals.Weaker, Stronger: d.totals.Stronger, Kinds: []diffKind{}, Rules: []diffRule{},
		Changes: append([]diffChange{}, d.changes...), Omitted: d.omitted, Failed: append([]diffFailure{}, d.failures...),
		Unlisted: d.totals.Failed - len(d.failures),
	}
	for _, k := range d.totals.Kinds {
		o.Kinds = append(o.Kinds, diffKind{k.Old.String(), k.New.String(), k.Weaker(), k.Steps, k.Calls, k.Traces})
	}
	for _, r := range d.totals.Rules {
		o.Rules = append(o.Rules, diffRule{r.ID, r.Now, r.NoMore, r.Traces})
	}
	return report.WriteJSON(out, o)
}

func (d *diffReport) writeText(out io.Writer) error {
	style := report.Style{On: styleFor(out).on}
	var b strings.Builder
	b.WriteString(d.headline(style) + "\n")
	if len(d.totals.Kinds) > 0 {
		d.kinds(style).write(&b, style)
		if t := d.rules(); len(t.rows) > 0 {
			t.write(&b, style)
		}
		d.list(&b, style)
	}
	_, err := io.WriteString(out, b.String())
	if err == nil && d.took > 0 {
		fmt.Fprintf(d.cmd.ErrOrStderr(), "holdfast: compared %.0f steps a second\n", float64(d.totals.Steps)/d.took.Seconds())
	}
	return err
}

func (d *diffReport) headline(style report.Style) string {
	t := &d.totals
	text := fmt.Sprintf("%s with %s: ", countOf(t.Traces, "trace"), countOf(t.Steps, "step"))
	switch {
	case t.Weaker+t.Stronger == 0:
		text += "no verdict changes"
	default:
		text += fmt.Sprintf("%s in %s", countOf(t.Weaker+t.Stronger, "change"), countOf(t.Changed, "trace"))
	}
	if t.Weaker > 0 {
		text += ", " + style.Paint(report.Bold+";"+report.Red, count(t.Weaker)+" weaker")
	}
	if t.Failed > 0 {
		text += "; " + style.Paint(report.Bold+";"+report.Red, count(t.Failed)+" could not be compared")
	}
	return text
}

func (d *diffReport) kinds(style report.Style) *table {
	t := &table{head: []string{"change", "", "steps", "calls", "traces"}, left: 2}
	for _, k := range d.totals.Kinds {
		word := ""
		if k.Weaker() {
			word = "weaker"
		}
		t.rows = append(t.rows, []string{style.Verdict(k.Old.String()) + " → " + style.Verdict(k.New.String()), word, count(k.Steps), count(k.Calls), count(k.Traces)})
	}
	return t
}

func (d *diffReport) rules() *table {
	t := &table{head: []string{"rule", "now", "no more", "traces"}, left: 1}
	for i, r := range d.totals.Rules {
		if i == maxRuleRows {
			t.note = fmt.Sprintf("and %s more", countOf(len(d.totals.Rules)-i, "rule"))
			break
		}
		t.rows = append(t.rows, []string{escapeLine(r.ID), count(r.Now), count(r.NoMore), count(r.Traces)})
	}
	return t
}

// list prints the first changes, those that let more through before the others.
func (d *diffReport) list(b *strings.Builder, style report.Style) {
	left := d.show
	b.WriteString("\n")
	for _, weaker := range []bool{true, false} {
		for i := range d.changes {
			if c := &d.changes[i]; c.Weaker == weaker && left > 0 {
				fmt.Fprintf(b, "%s\n", c.line(style))
				left--
			}
		}
	}
	if more := d.totals.Weaker + d.totals.Stronger - min(d.show, len(d.changes)); more > 0 {
		fmt.Fprintf(b, "and %s\n", countOf(more, "more change"))
	}
}

func (c *diffChange) line(style report.Style) string {
	return fmt.Sprintf("%s: %s: %s → %s: %s", escapeLine(c.place()), escapeLine(c.step()),
		style.Verdict(c.Old), style.Verdict(c.New), escapeLine(c.why()))
}

// place is where the trace stands.
func (c *diffChange) place() string {
	if c.Index > 0 {
		return placeIn(c.Trace, c.Line)
	}
	return report.PlainPath(c.Trace)
}

// step is the event and what it calls.
func (c *diffChange) step() string {
	if len(c.Calls) == 0 {
		return fmt.Sprintf("event %d", c.Event)
	}
	return fmt.Sprintf("event %d, %s", c.Event, strings.Join(c.Calls, ", "))
}

// why names the rules that make the difference, and what the stricter side
// says.
func (c *diffChange) why() string {
	var parts []string
	if len(c.Now) > 0 {
		parts = append(parts, "now "+strings.Join(c.Now, ", "))
	}
	if len(c.NoMore) > 0 {
		parts = append(parts, "no more "+strings.Join(c.NoMore, ", "))
	}
	if len(parts) == 0 {
		return c.Reason
	}
	return c.Reason + " (" + strings.Join(parts, "; ") + ")"
}

// notes are the changes for formats that annotate the traces.
func (d *diffReport) notes() []report.Note {
	var notes []report.Note
	for i := range d.changes {
		c := &d.changes[i]
		n := report.Note{
			Level: "note", ID: "stronger", Title: "The new policy is stricter about this step.",
			Message: fmt.Sprintf("%s: %s, now %s: %s", c.step(), c.Old, c.New, c.why()), Path: c.Trace, Line: c.Line,
		}
		if c.Weaker {
			n.Level, n.ID, n.Title = "warning", "weaker", "The new policy lets this step through, or asks where the old one stopped it."
		}
		notes = append(notes, n)
	}
	return notes
}
