// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
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
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/trace"
)

// maxShown is how many violations of a rule the report shows of one trace.
const maxShown = 10

// A textReport prints a report for people: for each violation the rule's
// line, its message, and the events with the text that counts marked.
type textReport struct {
	*Options
	style Style

	traces  int
	tallies map[string]int // by decision
}

func openText(o *Options) (Report, error) {
	return &textReport{Options: o, style: Style{o.Color}, tallies: map[string]int{}}, renderWarnings(o)
}

// renderWarnings writes for people what the compiler warned of.
func renderWarnings(o *Options) error {
	if o.Policy == nil || len(o.Policy.Warnings()) == 0 {
		return nil
	}
	return diag.Render(o.Err, o.Policy.Warnings())
}

// loadText says why a policy does not load.
func loadText(o *Options, err error) error {
	var list diag.List
	if errors.As(err, &list) {
		return diag.Render(o.Err, list)
	}
	_, werr := fmt.Fprintf(o.Err, "holdfast: %s\n", errorText(err.Error()))
	return werr
}

func (r *textReport) Render(res Result) Piece {
	if res.Err != nil {
		return Piece{Err: failureText(r.safe(res))}
	}
	var out bytes.Buffer
	r.verdict(&printer{w: &out}, res)
	return Piece{Out: out.Bytes(), sum: sum{decision: res.Verdict.Decision().String()}}
}

func (r *textReport) Write(p Piece) error {
	if p.sum.decision != "" {
		r.traces++
		r.tallies[p.sum.decision]++
	}
	return writeBoth(r.Options, p)
}

// writeBoth writes a piece as it is.
func writeBoth(o *Options, p Piece) error {
	if p.err != nil {
		return p.err
	}
	return errors.Join(write(o.Out, p.Out), write(o.Err, p.Err))
}

// write writes text, if there is any.
func write(w io.Writer, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := w.Write(text)
	return err
}

// failureText is the line that says why a trace could not be read or checked.
func failureText(res Result) []byte {
	where, why := nameOf(res.Path, res.Index), res.Err.Error()
	var bad *trace.Error
	if errors.As(res.Err, &bad) {
		where = fmt.Sprintf("%s:%d", res.Path, bad.Line)
		if bad.Path != "" {
			where += ": at " + bad.Path
		}
		why = bad.Msg
	}
	return fmt.Appendf(nil, "holdfast: %s: %s\n", EscapeLine(where), errorText(why))
}

// errorText makes an error safe to print behind a prefix. Its further lines do
// not begin like an error of their own, or like a command of a CI system.
func errorText(s string) string {
	return strings.ReplaceAll(EscapeText(strings.TrimSpace(s)), "\n", "\n  | ")
}

// verdict prints all that is to be said of a trace that was checked.
func (r *textReport) verdict(p *printer, res Result) {
	v := res.Verdict
	p.printf("%s: %s\n", EscapeLine(nameOf(res.Path, res.Index)), r.style.Verdict(v.Decision().String()))
	if res.Online != nil {
		p.printf("\n  %s: %s\n", r.style.Paint(Bold, "online"), EscapeLine(res.Online.sentence()))
	}
	r.violations(p, res.Trace, v)
	passed, counts := passes(v), v.Counts()
	for _, u := range v.Unknowns() {
		weaker := ""
		if left, ok := passed[u.Rule.Index]; ok {
			weaker = weakened(left, countOf(counts, u.Rule) >= 0)
		}
		r.unknown(p, res.Trace, u, weaker)
	}
}

// weakened says what an on_unknown leaves of an unknown. What it does is
// hidden where the rule is violated as well, whose verb then counts.
func weakened(left level, violated bool) string {
	switch {
	case violated:
		return ", which on_unknown weakens"
	case left == levelWarning:
		return ", about which on_unknown asks"
	}
	return ", which on_unknown lets pass"
}

// countOf returns the index of a rule's count, -1 if it is not violated.
func countOf(counts []holdfast.RuleCount, rule *holdfast.Rule) int {
	return slices.IndexFunc(counts, func(c holdfast.RuleCount) bool { return c.Rule.Index == rule.Index })
}

// sentence says what a deployment would have done.
func (s *Stop) sentence() string {
	what, prevented := "event "+s.Address, "before it happened"
	if s.Address != strconv.Itoa(s.Event) {
		what, prevented = "the call "+s.Address, "before it was made"
	}
	if s.Prevented {
		return fmt.Sprintf("a deployment would have stopped the run at %s, %s", what, prevented)
	}
	return fmt.Sprintf("a deployment would have stopped the run after %s, which had happened when it was seen", what)
}

// Finish sums several traces up.
func (r *textReport) Finish() error {
	if r.traces < 2 {
		return nil
	}
	var parts []string
	for _, name := range []string{"deny", "unknown", "ask", "allow"} {
		if n := r.tallies[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, r.style.Verdict(name)))
		}
	}
	_, err := fmt.Fprintf(r.Out, "\n%s: %s\n", plural(r.traces, "trace"), strings.Join(parts, ", "))
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
	i := countOf(counts, rule)
	if i < 0 || counts[i].N <= maxShown {
		return
	}
	most := ""
	if counts[i].AtLeast {
		most = "at least "
	}
	p.printf("\n  %s %s%s of rule %s are not shown\n",
		r.style.Verdict(rule.Action), most, plural(counts[i].N-maxShown, "more violation"), EscapeLine(rule.ID))
}

func (r *textReport) violation(p *printer, t *trace.Trace, v holdfast.Violation) {
	p.printf("\n  %s %s: %s %s\n", r.style.Verdict(v.Rule.Action),
		r.style.Paint(Bold, fmt.Sprintf("%s:%d", EscapeLine(v.Rule.Policy), v.Rule.Line)), EscapeLine(v.Message),
		r.style.Paint(Dim, "["+EscapeLine(v.Rule.ID)+"]"))
	r.source(p, v.Rule.Policy, v.Rule.Line, "")
	r.bindings(p, t, v.Bindings, v.Ranges)
}

func (r *textReport) unknown(p *printer, t *trace.Trace, u holdfast.UnknownEntry, weaker string) {
	p.printf("\n  %s %s: rule %s is not decided: %s (%s)%s\n", r.style.Verdict("unknown"),
		r.style.Paint(Bold, fmt.Sprintf("%s:%d", EscapeLine(u.Policy), u.Line)),
		EscapeLine(u.Rule.ID), EscapeLine(u.Detail), u.Reason, weaker)
	r.source(p, u.Policy, u.Line, u.Span)
	r.bindings(p, t, u.Bindings, nil)
	if u.Count > 1 {
		p.printf("      %s\n", r.style.Paint(Dim, fmt.Sprintf("and %s", plural(u.Count-1, "more assignment"))))
	}
}

// columnsOf takes "7:20-29" apart.
var columnsOf = regexp.MustCompile(`^[0-9]+:([0-9]+)-([0-9]+)$`)

// source prints a line of the policy, underlined where span says.
func (r *textReport) source(p *printer, file string, line int, span string) {
	text := strings.ReplaceAll(r.line(file, line), "\t", "    ")
	if strings.TrimSpace(text) == "" {
		return
	}
	p.printf("%s\n", r.style.Paint(Dim, fmt.Sprintf("%5d | %s", line, EscapeLine(text))))
	cols := columnsOf.FindStringSubmatch(span)
	if cols == nil {
		return
	}
	from, _ := strconv.Atoi(cols[1])
	to, _ := strconv.Atoi(cols[2])
	// The tabs that became four columns shift what follows them.
	lead := min(max(from-1, 0), len([]rune(r.line(file, line))))
	before := strings.ReplaceAll(string([]rune(r.line(file, line))[:lead]), "\t", "    ")
	p.printf("%5s | %s%s\n", "", strings.Repeat(" ", Width(EscapeLine(before))),
		r.style.Paint(Yellow, strings.Repeat("^", max(to-from, 1))))
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
		at = " " + r.style.Paint(Dim, "("+EscapeLine(r.address(b.At))+")")
	}
	p.printf("      %s%s: %s\n", r.style.Paint(Cyan, EscapeLine(name)), at, r.summary(t, b, len(mine) > 0))
	for _, m := range mine {
		m.printed = true
		r.excerpt(p, t, m)
	}
}

// excerpt prints the lines of a text that have marks, with carets below.
func (r *textReport) excerpt(p *printer, t *trace.Trace, m *mark) {
	text, ok := textAt(t, m.at)
	if !ok {
		p.printf("        %s %s\n", EscapeLine(r.address(m.at)), m.spansText())
		return
	}
	hidden := r.masked(text, eventsAt(t, m.at)...)
	lines, more := m.over(hidden).lines(hidden.Text)
	for _, l := range lines {
		lead := fmt.Sprintf("        %s: ", EscapeLine(r.address(m.at)))
		p.printf("%s%s\n", r.style.Paint(Dim, lead), l.text)
		p.printf("%s%s\n", strings.Repeat(" ", Width(lead)), r.style.Paint(Red, l.carets))
	}
	if more > 0 {
		p.printf("        and %s\n", plural(more, "more line"))
	}
}

// plural returns "1 trace", "2 traces".
func plural[N int | uint64](n N, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A printer writes to a buffer, which does not fail.
type printer struct{ w *bytes.Buffer }

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }
