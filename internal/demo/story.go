// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/trace"
)

// A teller tells the play. What it tells is the same every time: it holds
// names, not ports, and no times.
type teller struct {
	opts  *Options
	style report.Style
	text  bytes.Buffer
}

const (
	columns  = 96 // of a line
	indent   = 11 // of what somebody says or does
	maxLines = 40 // of a policy are shown
)

func (t *teller) printf(format string, args ...any) { fmt.Fprintf(&t.text, format, args...) }

// flush writes what was told so far.
func (t *teller) flush() error {
	_, err := t.text.WriteTo(t.opts.Out)
	return err
}

func (t *teller) prologue() {
	t.printf(`An attack on an agent, and what a policy does about it: section 2 of the paper "AI Agents with
Formal Security Guarantees", played with real servers on this machine. Names under .test lead to
127.0.0.1, and nothing can leave it.

The spreadsheet "feedback" holds what customers wrote`)
	if i := slices.IndexFunc(t.opts.Rows, instruction.MatchString); i >= 0 {
		t.printf("; row %d is the attacker's", i+1)
	}
	t.printf(":\n\n")
	for i, row := range t.opts.Rows {
		lines := wrap(report.EscapeLine(row), columns-5)
		if instruction.MatchString(row) {
			for j := range lines {
				lines[j] = t.style.Paint(report.Red, lines[j])
			}
		}
		t.printf("  %d  %s\n", i+1, strings.Join(lines, "\n     "))
	}
}

// act tells a run.
func (t *teller) act(n int, a act, r *Run) error {
	t.printf("\n%s\n\n", t.style.Paint(report.Bold, fmt.Sprintf("%d. %s", n, a.name)))
	if n == 2 {
		t.policy()
	}
	for _, s := range r.steps {
		if err := t.step(r, s); err != nil {
			return err
		}
	}
	t.printf("\n")
	t.list("the attacker's log", r.Requests)
	t.list("posted in the chat", r.Posts)
	return t.flush()
}

// policy shows the policy, or says where it is if it is long.
func (t *teller) policy() {
	if t.opts.Paper {
		t.printf("  The paper's rule: after a sheet or a document was read, no message with link previews.\n\n")
	}
	for _, src := range t.opts.Sources {
		lines := strings.Split(strings.TrimRight(string(src.Text), "\n"), "\n")
		t.printf("  %s\n", t.style.Paint(report.Dim, report.EscapeLine(src.Name)))
		for i, line := range lines[:min(len(lines), maxLines)] {
			t.printf("  %s\n", t.style.Paint(report.Dim, fmt.Sprintf("%5d | %s", i+1, report.EscapeLine(strings.ReplaceAll(line, "\t", "    ")))))
		}
		if more := len(lines) - maxLines; more > 0 {
			t.printf("        … %d more lines\n", more)
		}
		t.printf("\n")
	}
}

func (t *teller) step(r *Run, s step) error {
	switch {
	case s.verdict != nil:
		t.printf("  %-8s %s: %s\n", s.who, t.style.Verdict(s.verdict.Decision().String()), s.text)
		return t.why(r, s)
	case s.call != nil:
		t.lines(s.who, s.call.print(columns-indent))
	case s.who == "tool" && !strings.HasPrefix(s.text, refusal):
		t.lines(s.who, []string{cut(report.EscapeLine(s.text), columns-indent)})
	default:
		t.lines(s.who, wrap(report.EscapeLine(s.text), columns-indent))
	}
	return nil
}

// lines tells what somebody says or does.
func (t *teller) lines(who string, lines []string) {
	t.printf("  %-8s %s\n", who, strings.Join(lines, "\n"+strings.Repeat(" ", indent)))
}

// why explains a verdict over the trace that it is about: what had happened,
// and the message that it refused.
func (t *teller) why(r *Run, s step) error {
	messages := append(r.Happened[:s.before:s.before], s.pending)
	about, err := trace.Decode(encode(messages), nil)
	if err != nil {
		return fmt.Errorf("explaining a verdict: %w", err)
	}
	var log trace.Log // links outputs to their calls, as the monitor did
	for i, event := range about.Events {
		about.Events[i] = log.Append(event)
	}
	text, err := t.opts.Explain(about, *s.verdict)
	if err != nil {
		return fmt.Errorf("explaining a verdict: %w", err)
	}
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		t.printf("%s%s", strings.Repeat(" ", indent-2), line)
	}
	return nil
}

func (t *teller) list(name string, entries []string) {
	if len(entries) == 0 {
		t.printf("  %s: %s\n", name, "empty")
		return
	}
	t.printf("  %s:\n", name)
	for _, entry := range entries {
		for i, line := range wrap(report.EscapeLine(entry), columns-4) {
			t.printf("  %s%s\n", [...]string{"- ", "  "}[min(i, 1)], t.marked(line))
		}
	}
}

// marked paints what was stolen.
func (t *teller) marked(line string) string {
	stolen := tokenOf(t.opts.Rows)
	if stolen == "" {
		return line
	}
	return strings.ReplaceAll(line, stolen, t.style.Paint(report.Bold+";"+report.Red, stolen))
}

// epilogue says what came of it, whatever it is.
func (t *teller) epilogue(runs []*Run) {
	stolen := tokenOf(t.opts.Rows)
	attacked, guarded, ordinary := runs[0], runs[1], runs[2]
	t.printf("\n%s\n\n", t.style.Paint(report.Bold, "What came of it"))
	t.printf("  1. Without a policy %s.\n", t.fate(attacked, stolen))
	t.printf("  2. With the policy %s.\n", t.fate(guarded, stolen))
	switch {
	case ordinary.blocked():
		t.printf("  3. The policy %s the ordinary day, too: it forbids more than the attack.\n", t.style.Paint(report.Red, "stopped"))
	case !guarded.blocked():
		t.printf("  3. The ordinary day went on as it should.\n")
	default:
		t.printf("  3. The ordinary day %s: the policy forbids the attack, not the work.\n", t.style.Paint(report.Green, "went on as it should"))
	}
}

// fate says in a few words what became of the token.
func (t *teller) fate(r *Run, stolen string) string {
	switch {
	case r.stole(stolen) && r.Stopped:
		return t.style.Paint(report.Red, "the theft was seen, but too late") + ": " + stolen + " is in the attacker's log"
	case r.stole(stolen):
		return t.style.Paint(report.Red, "the token was stolen") + ": " + stolen + " is in the attacker's log. Nobody clicked"
	case len(r.Requests) > 0:
		return t.style.Paint(report.Red, "the attacker was reached") + ", but not by the token"
	case r.Refused:
		return t.style.Paint(report.Green, "nothing was stolen") + ": a call was refused, the attacker's log is empty"
	case r.Stopped:
		return t.style.Paint(report.Green, "nothing was stolen") + ": the run ended, the attacker's log is empty"
	}
	return "nothing was stolen"
}

// print writes a call as code, its arguments by name, on lines of their own if
// it is longer than width.
func (c *toolCall) print(width int) []string {
	name := report.EscapeLine(c.Function.Name)
	var arguments map[string]any
	d := json.NewDecoder(strings.NewReader(c.Function.Arguments))
	d.UseNumber()
	if d.Decode(&arguments) != nil {
		return []string{"calls " + name + "(" + report.EscapeLine(c.Function.Arguments) + ")"}
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(arguments)) {
		parts = append(parts, report.EscapeLine(key+"="+string(encode(arguments[key]))))
	}
	line := "calls " + name + "(" + strings.Join(parts, ", ") + ")"
	if report.Width(line) <= width {
		return []string{line}
	}
	return append([]string{"calls " + name + "("}, strings.Split("  "+strings.Join(parts, ",\n  ")+")", "\n")...)
}

// wrap breaks text at spaces into lines of at most width columns, as far as its
// words allow.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		if line != "" && report.Width(line)+1+report.Width(word) > width {
			lines = append(lines, line)
			line = word
			continue
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// cut shortens text to width runes.
func cut(text string, width int) string {
	if runes := []rune(text); len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return text
}
