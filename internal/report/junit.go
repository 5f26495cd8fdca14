// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
)

// maxSuite is how many bytes of test cases are held to count them before
// their suite is written. A file with more has several suites.
const maxSuite = 1 << 20

// A junitReport writes JUnit XML: a suite a file, a case a trace. What is not
// allowed is a failure, what could not be read or checked is an error.
type junitReport struct {
	*Options
	text  textReport // of what goes into a case, without colours
	begun bool
	suite suite
}

// A suite is the cases of one file, as far as they are not written yet.
type suite struct {
	path             string
	first, tests     int // first counts the cases of the file before these
	failures, errors int
	cases            bytes.Buffer
}

func openJUnit(o *Options) (Report, error) {
	return &junitReport{Options: o, text: textReport{Options: o}}, renderWarnings(o)
}

func (r *junitReport) Render(res Result) Piece {
	p := Piece{path: res.Path}
	var b bytes.Buffer
	fmt.Fprintf(&b, `    <testcase name="%s" classname="%s" file="%s"`, attribute(nameOf(res.Path, res.Index)), attribute(res.Path), attribute(r.pathOf(res.Path)))
	if res.Record.Line > 0 {
		fmt.Fprintf(&b, ` line="%d"`, res.Record.Line)
	}
	switch v := res.Verdict; {
	case res.Err != nil:
		res, p.sum.failed = r.safe(res), true
		p.Err = failureText(res)
		r.failure(&b, res, string(p.Err))
	case r.fails(v):
		p.sum.decision = "fail"
		fmt.Fprintf(&b, ">\n      <failure type=\"%s\" message=\"%s\">%s</failure>\n    </testcase>\n", typeOf(v), attribute(reasonOf(v)), r.body(res))
	case len(v.Counts()) > 0 || len(v.Unknowns()) > 0:
		fmt.Fprintf(&b, ">\n      <system-out>%s</system-out>\n    </testcase>\n", r.body(res))
	default:
		b.WriteString("/>\n")
	}
	p.Out = b.Bytes()
	return p
}

func (r *junitReport) failure(b *bytes.Buffer, res Result, text string) {
	kind := "check"
	if res.Unread {
		kind = "trace"
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "holdfast: "), "\n")
	fmt.Fprintf(b, ">\n      <error type=\"%s\" message=\"%s\">%s</error>\n    </testcase>\n", kind, attribute(shortenTo(text, maxMessage)), content(text))
}

// body is the trace's part of the report for people.
func (r *junitReport) body(res Result) string {
	var text bytes.Buffer
	r.text.verdict(&printer{w: &text}, res)
	return content(text.String())
}

// typeOf names the kind of a failure: an allowed trace fails by its warnings.
func typeOf(v holdfast.Verdict) string {
	if v.Allowed() {
		return "warn"
	}
	return v.Decision().String()
}

// reasonOf says in a line why a trace fails.
func reasonOf(v holdfast.Verdict) string {
	reason := v.Reason()
	if reason == "" && len(v.Violations()) > 0 {
		reason = v.Violations()[0].Message
	}
	return shortenTo(reason, maxMessage)
}

func (r *junitReport) Write(p Piece) error {
	if p.err != nil {
		return p.err
	}
	s := &r.suite
	if s.tests > 0 && p.path != s.path || s.cases.Len() > maxSuite {
		if err := r.flush(); err != nil {
			return err
		}
	}
	if p.path != s.path {
		s.path, s.first = p.path, 0
	}
	s.tests++
	if p.sum.failed {
		s.errors++
	} else if p.sum.decision != "" {
		s.failures++
	}
	s.cases.Write(p.Out)
	return write(r.Err, p.Err)
}

// flush writes the cases that are held as a suite.
func (r *junitReport) flush() error {
	s := &r.suite
	if err := r.begin(); err != nil {
		return err
	}
	if s.tests == 0 {
		return nil
	}
	name := s.path
	if s.first > 0 {
		name = fmt.Sprintf("%s, from trace %d", s.path, s.first+1)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\">\n", attribute(name), s.tests, s.failures, s.errors)
	b.Write(s.cases.Bytes())
	b.WriteString("  </testsuite>\n")
	s.cases.Reset()
	s.first += s.tests
	s.tests, s.failures, s.errors = 0, 0, 0
	return write(r.Out, b.Bytes())
}

func (r *junitReport) begin() error {
	if r.begun {
		return nil
	}
	r.begun = true
	return write(r.Out, []byte(xml.Header+"<testsuites name=\"holdfast\">\n"))
}

// Finish writes the last suite and the end.
func (r *junitReport) Finish() error {
	if err := r.flush(); err != nil {
		return err
	}
	return write(r.Out, []byte("</testsuites>\n"))
}

// loadJUnit reports a policy that does not load as a case with an error.
func loadJUnit(o *Options, err error) error {
	var text bytes.Buffer
	loud := *o
	loud.Err = &text
	if err := errors.Join(loadText(&loud, err), write(o.Err, text.Bytes())); err != nil {
		return err
	}
	message := shortenTo(err.Error(), maxMessage)
	name := "loading the policy"
	var list diag.List
	if errors.As(err, &list) && len(list) > 0 {
		message, _, _ = strings.Cut(text.String(), "\n")
		if f := list[0].Span.File; f != nil {
			name = f.Name
		}
	}
	r := &junitReport{Options: o}
	p := Piece{path: "policy", sum: sum{failed: true}}
	p.Out = fmt.Appendf(nil, "    <testcase name=\"%s\" classname=\"policy\">\n      <error type=\"policy\" message=\"%s\">%s</error>\n    </testcase>\n",
		attribute(name), attribute(message), content(text.String()))
	return errors.Join(r.Write(p), r.Finish())
}

// attribute makes s safe for the value of an attribute.
func attribute(s string) string { return markup(EscapeLine(s)) }

// content makes s safe for the text of an element, keeping its lines.
func content(s string) string { return markup(EscapeText(s)) }

// markup escapes what XML gives a meaning, and what it cannot hold.
func markup(s string) string {
	return markupEscapes.Replace(s)
}

var markupEscapes = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
	"\ufffe", `\ufffe`, "\uffff", `\uffff`,
)
