// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// maxShown is how many violations of a rule the report shows of one trace.
const maxShown = 10

// A textReport prints a report for people: for each violation the rule's
// line, its message, and the events with the text that counts marked.
type textReport struct {
	out    io.Writer
	stderr io.Writer
	policy *loadedPolicy
	style  style

	traces  int
	tallies map[string]int // by decision
}

func (r *textReport) load(err error) error { return reportLoad(r.stderr, err) }

func (r *textReport) failure(src source, err error) error {
	// The report and the error are read together on a terminal; the blank
	// line keeps them apart.
	var bad *trace.Error
	where := src.name()
	if errors.As(err, &bad) {
		where = fmt.Sprintf("%s:%d", src.path, bad.Line)
		if bad.Path != "" {
			where += ": at " + bad.Path
		}
		err = errors.New(bad.Msg)
	}
	_, werr := fmt.Fprintf(r.stderr, "holdfast: %s: %s\n", escapeLine(where), escapeText(err.Error()))
	return werr
}

func (r *textReport) verdict(src source, v holdfast.Verdict) error {
	r.count(v.Decision().String())
	p := &printer{w: r.out}
	p.printf("%s: %s\n", escapeLine(src.name()), r.style.verdict(v.Decision().String()))
	r.violations(p, src.trace, v)
	passed := map[int]bool{} // rules whose unknowns an on_unknown lets pass
	for _, u := range v.Degraded() {
		passed[u.Rule.Index] = true
	}
	for _, rule := range v.Asking() {
		passed[rule.Index] = false // a person is asked about them
	}
	for _, u := range v.Unknowns() {
		r.unknown(p, src.trace, u, passed[u.Rule.Index])
	}
	return p.err
}

func (r *textReport) count(decision string) {
	if r.tallies == nil {
		r.tallies = map[string]int{}
	}
	r.traces++
	r.tallies[decision]++
}

// finish sums several traces up.
func (r *textReport) finish() error {
	if r.traces < 2 {
		return nil
	}
	var parts []string
	for _, name := range []string{"deny", "unknown", "ask", "allow"} {
		if n := r.tallies[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, r.style.verdict(name)))
		}
	}
	_, err := fmt.Fprintf(r.out, "\n%s: %s\n", plural(r.traces, "trace"), strings.Join(parts, ", "))
	return err
}

// violations prints the first of each rule, and how many there are.
func (r *textReport) violations(p *printer, t *trace.Trace, v holdfast.Verdict) {
	counts := v.Counts()
	shown := map[int]int{}
	for _, x := range v.Violations() {
		if shown[x.Rule.Index]++; shown[x.Rule.Index] <= maxShown {
			r.violation(p, t, x)
		}
		if shown[x.Rule.Index] == maxShown {
			r.more(p, x.Rule, counts)
		}
	}
}

// more says how many violations of a rule are not shown.
func (r *textReport) more(p *printer, rule *holdfast.Rule, counts []holdfast.RuleCount) {
	i := slices.IndexFunc(counts, func(c holdfast.RuleCount) bool { return c.Rule.Index == rule.Index })
	if i < 0 || counts[i].N <= maxShown {
		return
	}
	most := ""
	if counts[i].AtLeast {
		most = "at least "
	}
	p.printf("\n  %s %s%s of rule %s are not shown\n",
		r.style.verdict(rule.Action), most, plural(counts[i].N-maxShown, "more violation"), escapeLine(rule.ID))
}

func (r *textReport) violation(p *printer, t *trace.Trace, v holdfast.Violation) {
	p.printf("\n  %s %s: %s\n", r.style.verdict(v.Rule.Action),
		r.style.paint(bold, fmt.Sprintf("%s:%d", escapeLine(v.Rule.Policy), v.Rule.Line)), escapeLine(v.Message))
	r.source(p, v.Rule.Policy, v.Rule.Line, "")
	r.bindings(p, t, v.Bindings, v.Ranges)
}

func (r *textReport) unknown(p *printer, t *trace.Trace, u holdfast.UnknownEntry, passed bool) {
	outcome := ""
	if passed {
		outcome = ", which on_unknown lets pass"
	}
	p.printf("\n  %s %s: rule %s is not decided: %s (%s)%s\n", r.style.verdict("unknown"),
		r.style.paint(bold, fmt.Sprintf("%s:%d", escapeLine(u.Policy), u.Line)),
		escapeLine(u.Rule.ID), escapeLine(u.Detail), u.Reason, outcome)
	r.source(p, u.Policy, u.Line, u.Span)
	r.bindings(p, t, u.Bindings, nil)
	if u.Count > 1 {
		p.printf("      %s\n", r.style.paint(dim, fmt.Sprintf("and %s", plural(u.Count-1, "more assignment"))))
	}
}

// columnsOf takes "7:20-29" apart.
var columnsOf = regexp.MustCompile(`^[0-9]+:([0-9]+)-([0-9]+)$`)

// source prints a line of the policy, underlined where span says.
func (r *textReport) source(p *printer, file string, line int, span string) {
	text := strings.ReplaceAll(r.policy.line(file, line), "\t", "    ")
	if strings.TrimSpace(text) == "" {
		return
	}
	p.printf("%s\n", r.style.paint(dim, fmt.Sprintf("%5d | %s", line, escapeLine(text))))
	cols := columnsOf.FindStringSubmatch(span)
	if cols == nil {
		return
	}
	from, _ := strconv.Atoi(cols[1])
	to, _ := strconv.Atoi(cols[2])
	// The tabs that became four columns shift what follows them.
	lead := min(max(from-1, 0), len([]rune(r.policy.line(file, line))))
	before := strings.ReplaceAll(string([]rune(r.policy.line(file, line))[:lead]), "\t", "    ")
	p.printf("%5s | %s%s\n", "", strings.Repeat(" ", width(escapeLine(before))),
		r.style.paint(yellow, strings.Repeat("^", max(to-from, 1))))
}

// bindings prints a line for each variable and, below it, the marked text.
func (r *textReport) bindings(p *printer, t *trace.Trace, bindings map[string]holdfast.Binding, ranges []string) {
	marks := marksOf(ranges)
	names := slices.SortedFunc(maps.Keys(bindings), func(a, b string) int {
		return cmp.Or(compareAddresses(bindings[a].At, bindings[b].At), cmp.Compare(a, b))
	})
	for _, name := range names {
		r.binding(p, t, name, bindings[name], marks)
	}
	for _, m := range marks {
		if !m.printed {
			r.excerpt(p, t, m)
		}
	}
}

func (r *textReport) binding(p *printer, t *trace.Trace, name string, b holdfast.Binding, marks []*mark) {
	mine := marksBelow(marks, b.At)
	at := ""
	if b.At != "" {
		at = " " + r.style.paint(dim, "("+escapeLine(b.At)+")")
	}
	p.printf("      %s%s: %s\n", r.style.paint(cyan, escapeLine(name)), at, summary(t, b, len(mine) > 0))
	for _, m := range mine {
		m.printed = true
		r.excerpt(p, t, m)
	}
}

// excerpt prints the lines of a text that have marks, with carets below.
func (r *textReport) excerpt(p *printer, t *trace.Trace, m *mark) {
	text, ok := textAt(t, m.at)
	if !ok {
		p.printf("        %s %s\n", escapeLine(m.at), m.spansText())
		return
	}
	lines, more := m.lines(text)
	for _, l := range lines {
		lead := fmt.Sprintf("        %s: ", escapeLine(m.at))
		p.printf("%s%s\n", r.style.paint(dim, lead), l.text)
		p.printf("%s%s\n", strings.Repeat(" ", width(lead)), r.style.paint(red, l.carets))
	}
	if more > 0 {
		p.printf("        and %s\n", plural(more, "more line"))
	}
}

// A printer keeps the first error of writing.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
