// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/policytest"
)

// report prints the results in the format that is asked for.
func (t *testRun) report(results []*testResult, more *further) error {
	out := t.cmd.OutOrStdout()
	switch t.format {
	case "json":
		return writeTestJSON(out, results, more)
	case "junit":
		return writeTestJUnit(out, results)
	case "text":
		return errors.Join(t.writeText(out, results), t.writeFurther(out, more))
	}
	notes := testNotes(results)
	notes = append(notes, coverageNotes(more.coverage)...)
	if more.mutation != nil {
		notes = append(notes, more.mutation.notes()...)
	}
	return report.WriteNotes(t.format, diffOptions(t.cmd), notes)
}

// writeFurther prints what there is beyond the cases.
func (t *testRun) writeFurther(out io.Writer, more *further) error {
	var b strings.Builder
	style := report.Style{On: styleFor(out).on}
	if t.coverage {
		writeCoverage(&b, style, more.coverage)
	}
	if more.mutation != nil {
		if err := more.mutation.writeText(&b, style); err != nil {
			return err
		}
	}
	writeBenchmarks(&b, style, more.bench)
	if b.Len() == 0 {
		return nil
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// testNotes are the failures, for formats that annotate files.
func testNotes(results []*testResult) []report.Note {
	var out []report.Note
	for _, r := range results {
		for _, f := range r.failures {
			out = append(out, report.Note{
				Level: "error", ID: "test-" + r.status, Title: "A test of a policy does not give what it wants.",
				Message: r.title() + "\n" + failureBody(f), Path: r.file, Line: f.Line,
			})
		}
	}
	return out
}

// tally returns how many results have a status.
func tally(results []*testResult, status string) int {
	n := 0
	for _, r := range results {
		if r.status == status {
			n++
		}
	}
	return n
}

// writeText prints what failed and, with -v, what passed.
func (t *testRun) writeText(out io.Writer, results []*testResult) error {
	w := bufio.NewWriter(out)
	paint := report.Style{On: styleFor(out).on}
	files := map[string]bool{}
	for _, r := range results {
		files[r.file] = true
		took := ""
		if t.verbose {
			took = " " + inSeconds(r.took) + "s"
		}
		switch {
		case r.updated:
			fmt.Fprintf(w, "%s %s%s\n", paint.Paint(report.Yellow, "updated"), escapeLine(r.title()), took)
		case t.verbose && r.status == testPassed:
			fmt.Fprintf(w, "%s %s%s\n", paint.Paint(report.Green, "pass"), escapeLine(r.title()), took)
		}
		for _, f := range r.failures {
			writeFailure(w, paint, r, f, took)
		}
	}
	failed := len(results) - tally(results, testPassed)
	sum := fmt.Sprintf("pass: %s in %s", plural(len(results), "case"), plural(len(files), "file"))
	if failed > 0 {
		sum = fmt.Sprintf("FAIL: %d of %s in %s", failed, plural(len(results), "case"), plural(len(files), "file"))
	}
	fmt.Fprintln(w, sum)
	return w.Flush()
}

// title is `mail_test.txtar: a stranger`.
func (r *testResult) title() string {
	if label := r.label(); label != "" {
		return r.file + ": " + label
	}
	return r.file
}

// writeFailure prints a failure: a line that begins with its place, as
// compilers write it, and what there is to say below it.
func writeFailure(w io.Writer, paint report.Style, r *testResult, f policytest.Failure, took string) {
	place := report.PlainPath(r.file)
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	label := r.label()
	if label != "" {
		label = ": " + label
	}
	fmt.Fprintf(w, "%s: %s%s%s\n", escapeLine(place), paint.Paint(report.Red, "FAIL"), escapeLine(label), took)
	for line := range strings.Lines(failureBody(f)) {
		line = strings.TrimSuffix(line, "\n")
		switch line[:min(1, len(line))] {
		case "-":
			line = paint.Paint(report.Red, line)
		case "+":
			line = paint.Paint(report.Green, line)
		}
		fmt.Fprintf(w, "    %s\n", line)
	}
}

// failureBody is what there is to say of a failure, safe to print: a diff, or
// what else is wrong.
func failureBody(f policytest.Failure) string {
	text := f.Problem + "\n"
	if f.Problem == "" {
		text = diffLines(f.Want, f.Got)
	}
	if f.Note != "" {
		text += "note: " + strings.ReplaceAll(f.Note, "\n", "\nnote: ") + "\n"
	}
	return escapeText(text)
}

// inSeconds is a time to the millisecond.
func inSeconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// jsonTests is the document of --format json; docs/test.schema.json describes it.
type jsonTests struct {
	Cases  []jsonTest `json:"cases"`
	Passed int        `json:"passed"`
	Failed int        `json:"failed"`
	Errors int        `json:"errors"`

	Coverage *jsonCoverage `json:"coverage,omitempty"`
	Mutation *jsonMutation `json:"mutation,omitempty"`
	Bench    []benchmark   `json:"bench,omitempty"`
}

type jsonTest struct {
	File     string            `json:"file"`
	Name     string            `json:"name,omitempty"`
	Comment  string            `json:"comment,omitempty"`
	Line     int               `json:"line,omitempty"`
	Status   string            `json:"status"`
	Updated  bool              `json:"updated,omitempty"`
	Seconds  float64           `json:"seconds"`
	Failures []jsonTestFailure `json:"failures,omitempty"`
}

type jsonTestFailure struct {
	Line    int     `json:"line,omitempty"`
	Problem string  `json:"problem,omitempty"`
	Want    *string `json:"want,omitempty"`
	Got     *string `json:"got,omitempty"`
	Note    string  `json:"note,omitempty"`
}

func writeTestJSON(out io.Writer, results []*testResult, more *further) error {
	doc := jsonTests{Passed: tally(results, testPassed), Failed: tally(results, testFailed), Errors: tally(results, testError)}
	for _, r := range results {
		c := jsonTest{
			File: r.file, Name: r.name, Comment: r.comment, Line: r.line, Status: r.status,
			Updated: r.updated, Seconds: r.took.Round(time.Microsecond).Seconds(),
		}
		for _, f := range r.failures {
			failure := jsonTestFailure{Line: f.Line, Problem: f.Problem, Note: f.Note}
			if f.Problem == "" {
				failure.Want, failure.Got = &f.Want, &f.Got
			}
			c.Failures = append(c.Failures, failure)
		}
		doc.Cases = append(doc.Cases, c)
	}
	doc.Bench = more.bench
	if more.coverage != nil {
		doc.Coverage = coverageObject(more.coverage)
	}
	if more.mutation != nil {
		doc.Mutation = more.mutation.object()
	}
	text := &strings.Builder{}
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(out, escapeJSONText(text.String()))
	return err
}

// escapeJSONText makes JSON safe to print. What must be escaped stands in
// strings, and the escapes of text are those of JSON, but for code points that
// do not fit into four digits.
func escapeJSONText(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r > 0xffff && escapeLine(string(r)) != string(r) {
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
			continue
		}
		b.WriteRune(r)
	}
	return escapeText(b.String())
}

// The elements of --format junit.
type (
	junitTests struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string       `xml:"name,attr"`
		Class   string       `xml:"classname,attr"`
		File    string       `xml:"file,attr"`
		Line    int          `xml:"line,attr,omitempty"`
		Time    string       `xml:"time,attr"`
		Failure []junitCause `xml:"failure"`
		Error   []junitCause `xml:"error"`
	}
	junitCause struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
)

func writeTestJUnit(out io.Writer, results []*testResult) error {
	doc := junitTests{
		Name: "holdfast test", Tests: len(results),
		Failures: tally(results, testFailed), Errors: tally(results, testError),
	}
	for len(results) > 0 {
		n := 1
		for n < len(results) && results[n].file == results[0].file {
			n++
		}
		doc.Suites = append(doc.Suites, suiteOf(results[:n]))
		results = results[n:]
	}
	text, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s%s\n", xml.Header, text)
	return err
}

// suiteOf is a file with its cases.
func suiteOf(results []*testResult) junitSuite {
	file := escapeLine(results[0].file)
	s := junitSuite{
		Name: file, Tests: len(results),
		Failures: tally(results, testFailed), Errors: tally(results, testError),
	}
	var took time.Duration
	for _, r := range results {
		took += r.took
		name := r.name
		if name == "" {
			name = r.file
		}
		c := junitCase{Name: escapeLine(name), Class: file, File: file, Line: r.line, Time: inSeconds(r.took)}
		for _, f := range r.failures {
			cause := junitCause{Message: "want is not what came out", Text: failureBody(f)}
			if f.Problem != "" {
				first, _, _ := strings.Cut(f.Problem, "\n")
				cause.Message = escapeLine(first)
			}
			if r.status == testError {
				c.Error = append(c.Error, cause)
			} else {
				c.Failure = append(c.Failure, cause)
			}
		}
		s.Cases = append(s.Cases, c)
	}
	s.Time = inSeconds(took)
	return s
}
