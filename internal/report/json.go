// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/trace"
)

// The objects of --format json. Their names and types are a promise; fields
// may be added.
type (
	jsonVerdict struct {
		Trace      string            `json:"trace"`
		Index      int               `json:"index,omitempty"` // of the trace in a file of several
		Line       int               `json:"line,omitempty"`  // on which it begins, if it is not the first
		Verdict    string            `json:"verdict"`
		Online     *json.RawMessage  `json:"online,omitempty"` // a jsonStop or null
		Ask        []string          `json:"ask,omitempty"`    // under the verdict ask: the rules to approve
		Violations []jsonViolation   `json:"violations"`
		Counts     map[string]uint64 `json:"counts"`
		AtLeast    []string          `json:"at_least,omitempty"` // rules whose count is a lower bound
		Unknown    []jsonUnknown     `json:"unknown"`
		Degraded   []jsonUnknown     `json:"degraded,omitempty"` // what on_unknown let pass
		Warnings   []jsonDiagnostic  `json:"warnings"`
	}
	jsonViolation struct {
		Rule     int                    `json:"rule"`
		ID       string                 `json:"id"`
		Policy   string                 `json:"policy"`
		Line     int                    `json:"line"`
		Title    string                 `json:"title,omitempty"`
		Severity string                 `json:"severity,omitempty"`
		Tags     []string               `json:"tags,omitempty"`
		Action   string                 `json:"action"`
		Message  string                 `json:"message"`
		Args     []string               `json:"args"`
		Kwargs   map[string]any         `json:"kwargs"`
		Events   []int                  `json:"events"`
		Bindings map[string]jsonBinding `json:"bindings"`
		Ranges   []string               `json:"ranges"`
	}
	jsonUnknown struct {
		Rule     int                    `json:"rule"`
		ID       string                 `json:"id"`
		Policy   string                 `json:"policy"`
		Line     int                    `json:"line"`
		Title    string                 `json:"title,omitempty"`
		Severity string                 `json:"severity,omitempty"`
		Tags     []string               `json:"tags,omitempty"`
		Span     string                 `json:"span"`
		Events   []int                  `json:"events"`
		Bindings map[string]jsonBinding `json:"bindings"`
		Address  *string                `json:"address"` // null if it is nowhere in the trace
		Reason   string                 `json:"reason"`
		Detail   string                 `json:"detail"`
		Count    int                    `json:"count"`
		AtLeast  bool                   `json:"at_least,omitempty"`
	}
	jsonBinding struct {
		At    *string `json:"at"` // null for what a computation made
		Index int     `json:"index"`
		Value any     `json:"value"`
	}
	jsonDiagnostic struct {
		Code      string     `json:"code"`
		Severity  string     `json:"severity"`
		File      string     `json:"file"`
		Line      int        `json:"line"`
		Column    int        `json:"column"`
		EndLine   int        `json:"end_line"`
		EndColumn int        `json:"end_column"`
		Message   string     `json:"message"`
		Help      string     `json:"help,omitempty"`
		Notes     []jsonNote `json:"notes,omitempty"`
	}
	jsonNote struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Message string `json:"message"`
	}
	jsonStop struct {
		Event     int    `json:"event"`
		Address   string `json:"address"`
		Prevented bool   `json:"prevented"`
	}
	jsonPolicyError struct {
		Error       string           `json:"error"` // "policy"
		Message     string           `json:"message,omitempty"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
	}
	jsonTraceError struct {
		Trace   string `json:"trace"`
		Index   int    `json:"index,omitempty"`
		Error   string `json:"error"` // "trace": it cannot be read; "check": it cannot be checked
		Message string `json:"message"`
		Line    int    `json:"line"`
		Path    string `json:"path"`
	}
)

// A jsonReport prints one object a line.
type jsonReport struct {
	*Options
	warnings []jsonDiagnostic
}

func openJSON(o *Options) (Report, error) {
	r := &jsonReport{Options: o, warnings: []jsonDiagnostic{}}
	if o.Policy != nil {
		r.warnings = diagnosticsOf(o.Policy.Warnings())
	}
	return r, nil
}

func loadJSON(o *Options, err error) error {
	object := jsonPolicyError{Error: "policy", Diagnostics: []jsonDiagnostic{}}
	var list diag.List
	if errors.As(err, &list) {
		object.Diagnostics = diagnosticsOf(list)
	} else {
		object.Message = err.Error()
	}
	line, err := appendJSON(nil, object)
	if err != nil {
		return err
	}
	return write(o.Out, line)
}

func (r *jsonReport) Render(res Result) Piece {
	var p Piece
	if res.Err != nil {
		p.Out, p.err = appendJSON(nil, failureOf(r.safe(res)))
	} else {
		p.Out, p.err = appendJSON(nil, r.verdictOf(res))
	}
	return p
}

func (r *jsonReport) Write(p Piece) error { return writeBoth(r.Options, p) }

func (r *jsonReport) Finish() error { return nil }

func failureOf(res Result) jsonTraceError {
	out := jsonTraceError{Trace: res.Path, Index: res.Index, Error: "check", Message: res.Err.Error(), Line: res.Record.Line}
	if res.Unread {
		out.Error = "trace"
	}
	var bad *trace.Error
	if errors.As(res.Err, &bad) {
		out.Message, out.Line, out.Path = bad.Msg, bad.Line, bad.Path
	}
	return out
}

func (r *jsonReport) verdictOf(res Result) jsonVerdict {
	v := res.Verdict
	out := jsonVerdict{
		Trace:      res.Path,
		Index:      res.Index,
		Verdict:    v.Decision().String(),
		Violations: []jsonViolation{},
		Counts:     map[string]uint64{},
		Unknown:    r.unknownsOf(v.Unknowns()),
		Degraded:   r.unknownsOf(v.Degraded()),
		Warnings:   r.warnings,
	}
	if res.Index > 0 {
		out.Line = res.Record.Line
	}
	if r.Online {
		out.Online = stopOf(res.Online)
	}
	if v.Decision() == holdfast.Ask {
		for _, rule := range v.Asking() {
			out.Ask = append(out.Ask, rule.ID)
		}
	}
	for _, x := range v.Violations() {
		out.Violations = append(out.Violations, r.violationOf(x))
	}
	for _, c := range v.Counts() {
		out.Counts[c.Rule.ID] = c.N
		if c.AtLeast {
			out.AtLeast = append(out.AtLeast, c.Rule.ID)
		}
	}
	return out
}

// stopOf is the value of "online": null if nothing would have been stopped.
func stopOf(s *Stop) *json.RawMessage {
	text := json.RawMessage("null")
	if s != nil {
		// Numbers, strings and booleans always encode.
		text, _ = json.Marshal(jsonStop{s.Event, s.Address, s.Prevented})
	}
	return &text
}

func (o *Options) violationOf(v holdfast.Violation) jsonViolation {
	return jsonViolation{
		Rule:     v.Rule.Index,
		ID:       v.Rule.ID,
		Policy:   v.Rule.Policy,
		Line:     v.Rule.Line,
		Title:    v.Rule.Title,
		Severity: v.Rule.Severity,
		Tags:     v.Rule.Tags,
		Action:   v.Rule.Action,
		Message:  v.Message,
		Args:     orEmpty(v.Args),
		Kwargs:   orEmptyMap(v.Kwargs),
		Events:   orEmpty(v.Events),
		Bindings: o.bindingsOf(v.Bindings),
		Ranges:   o.addresses(v.Ranges),
	}
}

func (o *Options) unknownsOf(entries []holdfast.UnknownEntry) []jsonUnknown {
	out := make([]jsonUnknown, 0, len(entries))
	for _, u := range entries {
		out = append(out, jsonUnknown{
			Rule:     u.Rule.Index,
			ID:       u.Rule.ID,
			Policy:   u.Policy,
			Line:     u.Line,
			Title:    u.Rule.Title,
			Severity: u.Rule.Severity,
			Tags:     u.Rule.Tags,
			Span:     u.Span,
			Events:   orEmpty(u.Events),
			Bindings: o.bindingsOf(u.Bindings),
			Address:  orNull(o.address(u.Address)),
			Reason:   u.Reason,
			Detail:   u.Detail,
			Count:    u.Count,
			AtLeast:  u.AtLeast,
		})
	}
	return out
}

func diagnosticsOf(list diag.List) []jsonDiagnostic {
	out := make([]jsonDiagnostic, 0, len(list))
	for _, d := range list {
		out = append(out, diagnosticOf(d))
	}
	return out
}

func diagnosticOf(d diag.Diagnostic) jsonDiagnostic {
	out := jsonDiagnostic{Code: d.Code, Severity: severity(d.Severity), Message: d.Message, Help: d.Help}
	if f := d.Span.File; f != nil {
		out.File = f.Name
		out.Line, out.Column = f.Position(d.Span.Start)
		out.EndLine, out.EndColumn = f.Position(d.Span.End)
	}
	for _, n := range d.Notes {
		note := jsonNote{Message: n.Text}
		if f := n.Span.File; f != nil {
			note.File = f.Name
			note.Line, note.Column = f.Position(n.Span.Start)
		}
		out.Notes = append(out.Notes, note)
	}
	return out
}

func severity(s diag.Severity) string {
	if s == diag.Warning {
		return "warning"
	}
	return "error"
}

// WriteJSON writes x as one line that is safe to print.
func WriteJSON(w io.Writer, x any) error {
	line, err := appendJSON(nil, x)
	if err != nil {
		return err
	}
	return write(w, line)
}

// appendJSON appends x as one line. What a terminal could act on is escaped:
// inside JSON it can only stand in strings, where the escape means the same.
func appendJSON(to []byte, x any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		return nil, fmt.Errorf("encoding a result: %w", err)
	}
	return append(to, escapeJSON(line.Bytes())...), nil
}

func (o *Options) bindingsOf(bindings map[string]holdfast.Binding) map[string]jsonBinding {
	out := make(map[string]jsonBinding, len(bindings))
	for name, b := range bindings {
		out[name] = jsonBinding{At: orNull(o.address(b.At)), Index: b.Index, Value: b.Value}
	}
	return out
}

// orNull makes "" print as null.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// orEmpty makes a nil slice print as [].
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// orEmptyMap makes a nil map print as {}.
func orEmptyMap[T any](m map[string]T) map[string]T {
	if m == nil {
		return map[string]T{}
	}
	return m
}
