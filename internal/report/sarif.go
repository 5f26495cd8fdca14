// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/trace"
)

// maxNotices is how many traces that could not be read a SARIF document names.
// They stand at its end, so they are held until then.
const maxNotices = 1000

// A sarifReport writes a SARIF 2.1.0 document as it goes: its beginning before
// the first result, its end in Finish.
type sarifReport struct {
	*Options
	begun   bool
	results int
	failed  int
	notices []sarifNotice
}

func openSARIF(o *Options) (Report, error) { return &sarifReport{Options: o}, nil }

func (r *sarifReport) Render(res Result) Piece {
	if res.Err != nil {
		res = r.safe(res)
		notice := r.failureNotice(res)
		return Piece{Err: failureText(res), sum: sum{failed: true, notice: &notice}}
	}
	alerts := r.alertsOf(res)
	if len(alerts) == 0 {
		return Piece{}
	}
	digest := digestOf(res)
	objects := make([]sarifResult, len(alerts))
	for i, a := range alerts {
		objects[i] = r.resultOf(res, a)
		objects[i].Fingerprints = fingerprints(a.rule.ID, a.verb, a.message, r.pathOf(res.Path), digest, bindingAddresses(a.bindings))
	}
	out, err := appendList(nil, objects)
	return Piece{Out: out, err: err}
}

func (r *sarifReport) Write(p Piece) error {
	if p.err != nil {
		return p.err
	}
	if p.sum.failed {
		r.fail(p.sum.notice)
	}
	if err := r.begin(); err != nil {
		return err
	}
	if len(p.Out) > 0 {
		if r.results > 0 {
			p.Out = append([]byte(",\n"), p.Out...)
		}
		r.results++
	}
	return writeBoth(r.Options, p)
}

func (r *sarifReport) fail(n *sarifNotice) {
	r.failed++
	if n != nil && len(r.notices) < maxNotices {
		r.notices = append(r.notices, *n)
	}
}

// begin writes the document up to the results, once.
func (r *sarifReport) begin() error {
	if r.begun {
		return nil
	}
	r.begun = true
	var rules []sarifRule
	if r.Policy != nil {
		for _, rule := range r.Policy.Rules() {
			rules = append(rules, r.ruleOf(rule))
		}
	}
	return writeSARIFHead(r.Options, rules)
}

// Finish writes the end. Without it the document is no JSON.
func (r *sarifReport) Finish() error {
	if err := r.begin(); err != nil {
		return err
	}
	end := sarifInvocation{
		CommandLine: r.commandLine(),
		Successful:  r.failed == 0,
		Execution:   r.notices,
	}
	if more := r.failed - len(r.notices); more > 0 {
		end.Execution = append(end.Execution, sarifNotice{
			Level:   "error",
			Message: sarifMessage{fmt.Sprintf("%s could not be checked and %s not listed", plural(more, "more trace"), isOrAre(more))},
		})
	}
	if r.Policy != nil {
		for _, d := range r.Policy.Warnings() {
			end.Configuration = append(end.Configuration, r.diagnosticNotice(d))
		}
	}
	return writeSARIFEnd(r.Options, end)
}

// commandLine is the command without its arguments, which may be secret.
func (o *Options) commandLine() string { return EscapeLine(strings.TrimSpace("holdfast " + o.Command)) }

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// writeSARIFHead writes a document up to its results.
func writeSARIFHead(o *Options, rules []sarifRule) error {
	driver := sarifDriver{Name: "holdfast", Version: o.Version, URI: home, Rules: orEmpty(rules)}
	head := fmt.Appendf(nil, `{"$schema":%q,"version":"2.1.0","runs":[{"tool":{"driver":`, sarifSchema)
	head, err := appendObject(head, driver)
	if err != nil {
		return err
	}
	return write(o.Out, append(head, "},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n"...))
}

// writeSARIFEnd writes what follows the results.
func writeSARIFEnd(o *Options, i sarifInvocation) error {
	end, err := appendObject([]byte("\n],\"invocations\":["), i)
	if err != nil {
		return err
	}
	return write(o.Out, append(end, "]}]}\n"...))
}

// appendList appends objects with commas between them.
func appendList[T any](to []byte, objects []T) (_ []byte, err error) {
	for i, x := range objects {
		if i > 0 {
			to = append(to, ",\n"...)
		}
		if to, err = appendObject(to, x); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// appendObject is appendJSON without the line's end.
func appendObject(to []byte, x any) ([]byte, error) {
	to, err := appendJSON(to, x)
	return bytes.TrimSuffix(to, []byte("\n")), err
}

// libraryPrefix begins the names of the library's policies, which are no files.
const libraryPrefix = "holdfast.policies."

func (o *Options) ruleOf(rule *holdfast.Rule) sarifRule {
	short := cmp.Or(rule.Title, rule.Message, "rule "+rule.ID)
	full := short
	if line := strings.TrimSpace(o.line(rule.Policy, rule.Line)); line != "" {
		full = line
	}
	place := EscapeLine(fmt.Sprintf("%s:%d", rule.Policy, rule.Line))
	out := sarifRule{
		ID:    EscapeLine(rule.ID),
		Short: sarifMessage{shortenTo(short, maxMessage)},
		Full:  sarifMessage{shortenTo(full, maxMessage)},
		Help:  sarifMessage{fmt.Sprintf("The rule stands at %s and comes to %s.", place, rule.Action)},
		Properties: sarifRuleProperties{
			Class: rule.Class, Preventive: &rule.Preventive, Severity: severities[sarifLevelOf(rule, levelOf(rule.Action))],
			Security: securitySeverities[rule.Severity],
		},
	}
	if !strings.HasPrefix(rule.Policy, libraryPrefix) {
		out.Help.Text += fmt.Sprintf(" `holdfast explain %s` shows how it is evaluated.", EscapeLine(rule.Policy))
	}
	if rule.Title != "" {
		out.Name = EscapeLine(rule.Title)
	}
	if rule.Description != "" {
		out.Full.Text = shortenTo(rule.Description, maxMessage)
	}
	if len(rule.Refs) > 0 {
		out.Help.Text += " See " + EscapeLine(strings.Join(rule.Refs, ", ")) + "."
		if i := slices.IndexFunc(rule.Refs, isWeb); i >= 0 {
			out.HelpURI = rule.Refs[i]
		}
	}
	if rule.Severity != "" {
		out.Properties.Tags = []string{"security"} // GitHub ranks by severity what has it
	}
	for _, tag := range rule.Tags {
		out.Properties.Tags = append(out.Properties.Tags, EscapeLine(tag))
	}
	out.Default.Level = sarifLevels[sarifLevelOf(rule, levelOf(rule.Action))]
	return out
}

// isWeb reports whether a reference is an address that can be followed.
func isWeb(ref string) bool {
	u, err := url.Parse(ref)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// resultOf is the result of one alert. Its place is the trace's; where the
// trace has none, it is the rule's.
func (r *sarifReport) resultOf(res Result, a alert) sarifResult {
	out := sarifResult{
		RuleID:    EscapeLine(a.rule.ID),
		RuleIndex: a.rule.Index,
		Level:     sarifLevels[sarifLevelOf(a.rule, a.level)],
		Message:   sarifMessage{plainMessage(a.sentence() + " (" + a.source() + r.whereabouts(res, a) + ")")},
		Properties: sarifResultProperties{
			Verdict: res.Verdict.Decision().String(), Verb: a.verb, Trace: EscapeLine(res.Path), Index: res.Index, Address: EscapeLine(r.address(a.at)),
		},
	}
	rule := sarifLocation{Physical: r.physical(a.policy, a.line, 0)}
	if res.Path == stdin {
		out.Locations = []sarifLocation{rule}
		return out
	}
	place := sarifLocation{Physical: r.physical(res.Path, a.traceLine, a.traceColumn)}
	if a.at != "" {
		place.Logical = []sarifLogical{{Name: EscapeLine(r.address(a.at))}}
	}
	rule.ID = 1
	rule.Message = &sarifMessage{"the rule"}
	out.Locations, out.Related = []sarifLocation{place}, []sarifLocation{rule}
	return out
}

// whereabouts names the element, and the trace where the file has several or
// is none.
func (r *sarifReport) whereabouts(res Result, a alert) string {
	var b strings.Builder
	if a.at != "" {
		b.WriteString(", at " + EscapeLine(r.address(a.at)))
	}
	switch {
	case res.Path == stdin:
		fmt.Fprintf(&b, ", trace %d of standard input", res.Index+1)
	case res.Index > 0:
		fmt.Fprintf(&b, ", trace %d", res.Index+1)
	}
	if res.Online != nil {
		b.WriteString("; " + EscapeLine(res.Online.sentence()))
	}
	return b.String()
}

// plainMessage keeps viewers from taking brackets of a message for a link,
// which SARIF allows in plain text.
func plainMessage(s string) string {
	if !strings.Contains(s, "](") {
		return s
	}
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)
}

// physical is a place in a file; without a line it is the file.
func (o *Options) physical(path string, line, column int) *sarifPhysical {
	p := &sarifPhysical{}
	p.Artifact.URI = o.uriOf(path)
	if line > 0 {
		p.Region = &sarifRegion{StartLine: line, StartColumn: column}
	}
	return p
}

// failureNotice tells of a trace that could not be read or checked.
func (r *sarifReport) failureNotice(res Result) sarifNotice {
	text := strings.TrimSuffix(strings.TrimPrefix(string(failureText(res)), "holdfast: "), "\n")
	n := sarifNotice{Level: "error", Message: sarifMessage{plainMessage(shortenTo(text, maxMessage))}}
	if res.Path == stdin {
		return n
	}
	line := res.Record.Line
	var bad *trace.Error
	if errors.As(res.Err, &bad) {
		line = bad.Line
	}
	n.Locations = []sarifLocation{{Physical: r.physical(res.Path, line, 0)}}
	return n
}

func (o *Options) diagnosticNotice(d diag.Diagnostic) sarifNotice {
	n := sarifNotice{
		Level:      severity(d.Severity),
		Message:    sarifMessage{plainMessage(diagnosticText(d))},
		Descriptor: &sarifReference{ID: d.Code},
	}
	if d.Span.File != nil {
		n.Locations = []sarifLocation{o.spanLocation(d.Span)}
	}
	return n
}

// diagnosticText is a diagnostic in one safe line.
func diagnosticText(d diag.Diagnostic) string {
	text := d.Message
	if d.Help != "" {
		text += "; " + d.Help
	}
	return shortenTo(text, maxMessage)
}

func (o *Options) spanLocation(s diag.Span) sarifLocation {
	line, column := s.File.Position(s.Start)
	p := o.physical(s.File.Name, line, column)
	p.Region.EndLine, p.Region.EndColumn = s.File.Position(s.End)
	return sarifLocation{Physical: p}
}

// loadSARIF reports a policy that does not load: each diagnostic is a result
// of the rule that its code stands for.
func loadSARIF(o *Options, err error) error {
	end := sarifInvocation{CommandLine: o.commandLine(), Successful: false}
	var list diag.List
	if !errors.As(err, &list) {
		end.Configuration = []sarifNotice{{Level: "error", Message: sarifMessage{plainMessage(shortenTo(err.Error(), maxMessage))}}}
	}
	rules, index := codeRules(list)
	if err := errors.Join(loadText(o, err), writeSARIFHead(o, rules)); err != nil {
		return err
	}
	objects := make([]sarifResult, len(list))
	for i, d := range list {
		objects[i] = o.diagnosticResult(d, index[d.Code])
	}
	results, err := appendList(nil, objects)
	if err := errors.Join(err, write(o.Out, results)); err != nil {
		return err
	}
	return writeSARIFEnd(o, end)
}

// codeRules describes the codes of a list, and tells where each stands.
func codeRules(list diag.List) (rules []sarifRule, index map[string]int) {
	index = map[string]int{}
	for _, d := range list {
		if _, ok := index[d.Code]; ok {
			continue
		}
		index[d.Code] = len(rules)
		doc, _ := diag.Lookup(d.Code)
		rule := sarifRule{ID: d.Code, Short: sarifMessage{doc.Title}, Full: sarifMessage{doc.Title}, Help: sarifMessage{doc.Explanation}}
		rule.Default.Level = severity(d.Severity)
		rule.Properties.Severity = severity(d.Severity)
		rules = append(rules, rule)
	}
	return rules, index
}

func (o *Options) diagnosticResult(d diag.Diagnostic, rule int) sarifResult {
	out := sarifResult{
		RuleID: d.Code, RuleIndex: rule, Level: severity(d.Severity),
		Message: sarifMessage{plainMessage(diagnosticText(d))},
	}
	file, text := "", ""
	if d.Span.File != nil {
		file, text = d.Span.File.Name, d.Span.Text()
		out.Locations = []sarifLocation{o.spanLocation(d.Span)}
	}
	for i, n := range d.Notes {
		if n.Span.File != nil {
			at := o.spanLocation(n.Span)
			at.ID, at.Message = i+1, &sarifMessage{plainMessage(shortenTo(n.Text, maxMessage))}
			out.Related = append(out.Related, at)
		}
	}
	out.Fingerprints = fingerprints(d.Code, o.pathOf(file), d.Message, text)
	return out
}

// fingerprints tell results apart, and know one again when the traces of a
// file change their order: nothing in them is a line or an index of a trace.
func fingerprints(parts ...string) map[string]string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	sum := hex.EncodeToString(h.Sum(nil)[:16])
	// GitHub reads this one alone.
	return map[string]string{"holdfastMatch/v1": sum, "primaryLocationLineHash": sum + ":1"}
}

// digestOf stands for a trace's text.
func digestOf(res Result) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(res.Record.Text)))
	return string(sum[:])
}
