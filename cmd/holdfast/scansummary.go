// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/internal/scan"
)

// maxRuleRows is how many rules a summary shows.
const maxRuleRows = 30

// A summary prints what a scan came to.
type summary struct {
	totals  *scan.Totals
	style   report.Style
	partial bool // the scan ended before its time
}

// write prints one line of counts and the tables for which there is a reason.
func (s *summary) write(w io.Writer) error {
	var b strings.Builder
	b.WriteString(s.headline() + "\n")
	if rules := s.rules(); len(rules.rows) > 0 {
		rules.write(&b, s.style)
	}
	if s.totals.FileCount > 1 {
		if files := s.files(); len(files.rows) > 0 {
			files.write(&b, s.style)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// headline counts traces by verdict, the worst first.
func (s *summary) headline() string {
	t := s.totals
	text := countOf(t.Traces, "trace")
	if s.partial {
		text = "stopped after " + text
	}
	if t.FileCount != 1 {
		text += " of " + countOf(t.FileCount, "file")
	}
	sep := ": "
	for decision := holdfast.Deny; decision <= holdfast.Allow; decision++ {
		if n := t.Decisions[decision]; n > 0 {
			text += sep + count(n) + " " + s.style.Verdict(decision.String())
			sep = ", "
		}
	}
	if t.Warned > 0 {
		text += fmt.Sprintf("; %s with a warning", count(t.Warned))
	}
	if t.Failed > 0 {
		text += "; " + s.style.Paint(report.Bold+";"+report.Red, count(t.Failed)+" could not be checked")
	}
	if t.Stopped > 0 {
		text += fmt.Sprintf("; a deployment would have stopped %s", count(t.Stopped))
	}
	return text
}

// rules is the table of the rules that say something, those of most traces
// first.
func (s *summary) rules() *table {
	rules := slices.Clone(s.totals.Rules)
	rules = slices.DeleteFunc(rules, func(r scan.RuleTotal) bool { return r.Traces == 0 && r.Unknown == 0 })
	slices.SortStableFunc(rules, func(a, b scan.RuleTotal) int {
		return cmp.Or(cmp.Compare(b.Traces, a.Traces), cmp.Compare(b.Unknown, a.Unknown))
	})
	t := &table{head: []string{"rule", "action", "traces", "violations", "unknown"}, left: 2}
	for _, r := range rules[:min(len(rules), maxRuleRows)] {
		violations := count(r.Violations)
		if r.AtLeast {
			violations = "≥ " + violations
		}
		t.rows = append(t.rows, []string{escapeLine(r.Rule.ID), r.Rule.Action, count(r.Traces), violations, count(r.Unknown)})
	}
	if more := len(rules) - len(t.rows); more > 0 {
		t.note = fmt.Sprintf("and %s more", countOf(more, "rule"))
	}
	if quiet := len(s.totals.Rules) - len(rules); quiet > 0 && len(rules) > 0 {
		t.note = joinNotes(t.note, fmt.Sprintf("%s that nothing violates", countOf(quiet, "rule")))
	}
	return t
}

// files is the table of the worst files.
func (s *summary) files() *table {
	t := &table{head: []string{"file", "traces", "deny", "unknown", "ask", "allow", "failed"}, left: 1}
	for _, f := range s.totals.Files {
		if f.Failed == 0 && f.Traces == f.Decisions[holdfast.Allow] {
			continue
		}
		row := []string{escapeLine(report.PlainPath(f.Path)), count(f.Traces)}
		for _, n := range f.Decisions {
			row = append(row, count(n))
		}
		t.rows = append(t.rows, append(row, count(f.Failed)))
	}
	if more := s.totals.BadFiles - len(t.rows); more > 0 {
		t.note = fmt.Sprintf("and more in %s", countOf(more, "file"))
	}
	if clean := s.totals.FileCount - s.totals.BadFiles; clean > 0 {
		t.note = joinNotes(t.note, fmt.Sprintf("all is allowed in %s", countOf(clean, "file")))
	}
	return t
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// countOf writes a number with what it counts.
func countOf(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// count writes a number with commas between thousands; 0 is a dot, so that the
// eye finds the others.
func count[N int | int64 | uint64](n N) string {
	if n == 0 {
		return "·"
	}
	digits := strconv.FormatUint(uint64(n), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// A table is columns under a head; the first left ones stand to the left.
type table struct {
	head []string
	rows [][]string
	left int
	note string // below it
}

func (t *table) write(b *strings.Builder, s report.Style) {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	b.WriteString("\n" + s.Paint(report.Bold, t.line(t.head, widths)) + "\n")
	for _, row := range t.rows {
		b.WriteString(t.line(row, widths) + "\n")
	}
	if t.note != "" {
		b.WriteString(s.Paint(report.Dim, t.note) + "\n")
	}
}

func (t *table) line(row []string, widths []int) string {
	var b strings.Builder
	for i, cell := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		pad := strings.Repeat(" ", widths[i]-width(cell))
		if i < t.left {
			b.WriteString(cell + pad)
		} else {
			b.WriteString(pad + cell)
		}
	}
	return strings.TrimRight(b.String(), " ")
}
