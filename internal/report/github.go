// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/trace"
)

// maxAnnotations is how many annotations of each kind GitHub shows of a step.
const maxAnnotations = 10

// commands are the workflow commands that annotate, by level.
var commands = [levels]string{levelError: "error", levelWarning: "warning", levelNotice: "notice"}

// A githubReport writes workflow commands, from which GitHub Actions makes
// annotations: one a line, as many as it shows, and how many more there are.
type githubReport struct {
	*Options
	begun  bool
	shown  [levels]uint64
	hidden [levels]uint64
}

func openGitHub(o *Options) (Report, error) { return &githubReport{Options: o}, nil }

// An annotation is a workflow command. Its properties need not be safe.
type annotation struct {
	level              level
	file               string
	line, column       int
	endLine, endColumn int
	title              string
	message            []string // safe lines
	standsFor          uint64   // how many things, if more than one
}

func (r *githubReport) Render(res Result) Piece {
	if res.Err != nil {
		return annotate(r.failure(r.safe(res)))
	}
	var notes []annotation
	for _, a := range r.alertsOf(res) {
		notes = append(notes, r.annotationOf(res, a))
	}
	return annotate(notes...)
}

// annotate renders the first annotations of each level and counts the others.
func annotate(notes ...annotation) Piece {
	var p Piece
	var shown [levels]int
	for _, n := range notes {
		if shown[n.level]++; shown[n.level] > maxAnnotations {
			p.sum.more[n.level]++
		} else {
			p.Out = n.append(p.Out)
		}
		p.sum.more[n.level] += n.standsFor
	}
	return p
}

func (r *githubReport) annotationOf(res Result, a alert) annotation {
	n := annotation{
		level: a.level, title: a.verb + ": " + cmp.Or(a.rule.Title, a.rule.ID), standsFor: a.more,
		file: r.pathOf(res.Path), line: a.traceLine, column: a.traceColumn,
	}
	where := nameOf(res.Path, res.Index)
	if res.Path == stdin {
		n.file, n.line = r.pathOf(a.policy), a.line
		where = fmt.Sprintf("trace %d of standard input", res.Index+1)
	}
	n.message = []string{a.sentence(), a.source()}
	if line := strings.TrimSpace(r.line(a.policy, a.line)); line != "" {
		n.message = append(n.message, shorten(line))
	}
	if a.at != "" {
		n.message = append(n.message, EscapeLine("at "+r.address(a.at)+" of "+where)+r.elementText(res, a))
	}
	if res.Online != nil {
		n.message = append(n.message, EscapeLine(res.Online.sentence()))
	}
	return n
}

// elementText describes the element at which an alert is.
func (r *githubReport) elementText(res Result, a alert) string {
	for _, b := range a.bindings {
		if b.At == a.at && res.Trace != nil {
			return ": " + r.summary(res.Trace, b, false)
		}
	}
	return ""
}

// failure is the annotation of a trace that could not be read or checked.
func (r *githubReport) failure(res Result) annotation {
	n := annotation{level: levelError, file: r.pathOf(res.Path), line: res.Record.Line, title: "trace not checked"}
	if res.Unread {
		n.title = "trace not read"
	}
	var bad *trace.Error
	if errors.As(res.Err, &bad) {
		n.line = bad.Line
	}
	if res.Path == stdin {
		n.file, n.line = "", 0
	}
	text := strings.TrimSuffix(strings.TrimPrefix(string(failureText(res)), "holdfast: "), "\n")
	n.message = []string{shortenTo(text, maxMessage)}
	return n
}

// Write writes what GitHub will still show.
func (r *githubReport) Write(p Piece) error {
	if p.err != nil {
		return p.err
	}
	if err := r.begin(); err != nil {
		return err
	}
	return r.emit(p)
}

// begin annotates the policy with what the compiler warned of, once.
func (r *githubReport) begin() error {
	if r.begun || r.Policy == nil {
		return nil
	}
	r.begun = true
	return r.emit(annotate(r.diagnosticNotes(r.Policy.Warnings())...))
}

func (r *githubReport) emit(p Piece) error {
	var out []byte
	for line := range bytes.Lines(p.Out) {
		level := levelOfLine(line)
		if r.shown[level]++; r.shown[level] > maxAnnotations {
			r.hidden[level]++
			continue
		}
		out = append(out, line...)
	}
	for level, n := range p.sum.more {
		r.hidden[level] += n
	}
	return errors.Join(write(r.Out, out), write(r.Err, p.Err))
}

// levelOfLine returns the level of a rendered annotation.
func levelOfLine(line []byte) level {
	for i, name := range commands {
		if bytes.HasPrefix(line, []byte("::"+name+" ")) {
			return level(i)
		}
	}
	return levelError
}

// Finish says how much GitHub does not show.
func (r *githubReport) Finish() error {
	if err := r.begin(); err != nil {
		return err
	}
	var parts []string
	for level, n := range r.hidden {
		if n > 0 {
			parts = append(parts, plural(n, "more "+commands[level]))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(r.Out, "holdfast: not shown: %s (GitHub shows %d of each kind a step)\n", strings.Join(parts, ", "), maxAnnotations)
	return err
}

// loadGitHub annotates the policy with why it does not load.
func loadGitHub(o *Options, err error) error {
	r := &githubReport{Options: o, begun: true}
	var list diag.List
	notes := []annotation{{level: levelError, title: "policy not loaded", message: []string{shortenTo(err.Error(), maxMessage)}}}
	if errors.As(err, &list) {
		notes = r.diagnosticNotes(list)
	}
	if err := r.emit(annotate(notes...)); err != nil {
		return err
	}
	return r.Finish()
}

func (o *Options) diagnosticNotes(list diag.List) []annotation {
	var notes []annotation
	for _, d := range list {
		n := annotation{title: d.Code, message: []string{shortenTo(d.Message, maxMessage)}}
		if d.Severity == diag.Warning {
			n.level = levelWarning
		}
		if d.Help != "" {
			n.message = append(n.message, "help: "+shortenTo(d.Help, maxMessage))
		}
		if f := d.Span.File; f != nil {
			n.file = o.pathOf(f.Name)
			n.line, n.column = f.Position(d.Span.Start)
			n.endLine, n.endColumn = f.Position(d.Span.End)
		}
		notes = append(notes, n)
	}
	return notes
}

// append writes the annotation as one line.
func (n *annotation) append(to []byte) []byte {
	to = append(to, "::"+commands[n.level]+" "...)
	if n.file != "" {
		to = append(to, "file="+property(n.file)+","...)
	}
	for _, p := range []struct {
		name  string
		value int
	}{{"line", n.line}, {"endLine", n.endLine}, {"col", n.column}, {"endColumn", n.endColumn}} {
		if p.value > 0 {
			to = append(to, p.name+"="+strconv.Itoa(p.value)+","...)
		}
	}
	to = append(to, "title="+property("holdfast "+n.title)+"::"...)
	return append(to, messageEscapes.Replace(strings.Join(n.message, "\n"))+"\n"...)
}

// The escapes of workflow commands, for messages and for properties.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func property(s string) string { return propertyEscapes.Replace(EscapeLine(s)) }
