// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/trace"
)

// The rows of the language's own cases and of the public analyzer's test
// suite lie outside of the repository; their answers are compared with ours
// where they are there.
const shared = "../../shared"

// A languageCase is a row of the language's cases.
type languageCase struct {
	Name   string
	Policy string
	Trace  json.RawMessage
	Params map[string]any
	Expect struct {
		LoadError  bool `json:"load_error"`
		Unknown    bool
		Violations []languageViolation
	}
}

type languageViolation struct {
	Rule    int
	Events  []int
	Message *string
}

func TestLanguageCases(t *testing.T) {
	for _, row := range readRows[languageCase](t, "conformance/cases.jsonl") {
		t.Run(row.Name, func(t *testing.T) { row.check(t) })
	}
}

func (row *languageCase) check(t *testing.T) {
	policy, err := holdfast.Compile("policy", []byte(row.Policy), &holdfast.Options{Detectors: local.Detectors()})
	if (err != nil) != row.Expect.LoadError {
		t.Fatalf("got load error %v, want one: %v", err, row.Expect.LoadError)
	}
	if err != nil {
		return
	}
	v := analyze(t, policy, row.Trace, row.Params)
	if (v.Decision() == holdfast.Unknown) != row.Expect.Unknown {
		t.Fatalf("got %v (%v), want unknown: %v", v.Decision(), reasons(v), row.Expect.Unknown)
	}
	got := v.Violations()
	if len(got) != len(row.Expect.Violations) {
		t.Fatalf("got %d violations, want %d\n%s", len(got), len(row.Expect.Violations), describe(got))
	}
	for i, want := range row.Expect.Violations {
		same := got[i].Rule.Index == want.Rule && slices.Equal(got[i].Events, want.Events)
		if want.Message != nil {
			same = same && got[i].Message == *want.Message
		}
		if !same {
			t.Errorf("violation %d: got rule %d events %v %q, want %+v", i, got[i].Rule.Index, got[i].Events, got[i].Message, want)
		}
	}
}

// An analyzerRow is what the public analyzer answered in its own tests.
type analyzerRow struct {
	Test      string
	Kind      string // analyze, analyze_pending, parse_error
	Policy    string
	Input     json.RawMessage
	Pending   json.RawMessage
	Params    map[string]any
	Errors    []analyzerError
	Exception string
	Text      string `json:"exception_text"`
}

type analyzerError struct {
	Args   []string
	Ranges []struct {
		Path string `json:"json_path"`
	}
}

func TestAnalyzerRows(t *testing.T) {
	differences := readDifferences(t)
	seen := map[string]int{}
	for _, row := range readRows[analyzerRow](t, "data/invariant/analyzer_conformance_public.jsonl") {
		_, test, _ := strings.Cut(row.Test, "tests/")
		seen[test]++
		name := fmt.Sprintf("%s#%d", test, seen[test])
		reason, listed := differences[name]
		delete(differences, name)
		t.Run(name, func(t *testing.T) {
			err := row.differs(t)
			switch {
			case err != nil && !listed:
				t.Errorf("%v\npolicy:\n%s", err, row.Policy)
			case err == nil && listed:
				t.Errorf("answers as the public analyzer does, but testdata/differences.md lists it: %s", reason)
			}
		})
	}
	for name := range differences {
		t.Errorf("testdata/differences.md lists %s, which is no row", name)
	}
}

// differs says how our answer differs from the row's.
func (row *analyzerRow) differs(t *testing.T) error {
	policy, err := holdfast.Compile("policy", []byte(row.Policy), &holdfast.Options{Detectors: local.Detectors()})
	if row.Kind == "parse_error" {
		if err == nil {
			return fmt.Errorf("it loads")
		}
		return nil
	}
	refused := row.Exception != "" && row.Exception != "UnhandledError"
	switch {
	case refused && err == nil:
		return row.refuses(t, policy)
	case !refused && err != nil:
		return fmt.Errorf("it does not load: %w", err)
	case refused:
		return nil
	}
	v := row.verdict(t, policy)
	if len(v.Unknowns()) > 0 {
		return fmt.Errorf("it is unknown: %s", reasons(v))
	}
	return row.compare(v)
}

// refuses expects that what the public analyzer refuses while it runs is a
// load error here, or unknown.
func (row *analyzerRow) refuses(t *testing.T, policy *holdfast.Policy) error {
	if v := row.verdict(t, policy); v.Decision() != holdfast.Unknown {
		return fmt.Errorf("got %v, want a load error or unknown, as for %s", v.Decision(), row.Exception)
	}
	return nil
}

// verdict asks as the row's test did: the whole trace, or the pending events
// after the facts.
func (row *analyzerRow) verdict(t *testing.T, policy *holdfast.Policy) holdfast.Verdict {
	t.Helper()
	if row.Kind != "analyze_pending" {
		return analyze(t, policy, row.Input, row.Params)
	}
	m, err := policy.Monitor(&holdfast.MonitorOptions{Input: row.Params})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Append(context.Background(), decode(t, row.Input).Events...); err != nil {
		t.Fatal(err)
	}
	v, err := m.Check(context.Background(), decode(t, row.Pending).Events...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// unhandled is how the public analyzer says how many violations it found.
var unhandled = regexp.MustCompile(`resulted in ([0-9]+) unhandled`)

func (row *analyzerRow) compare(v holdfast.Verdict) error {
	got := v.Violations()
	if m := unhandled.FindStringSubmatch(row.Text); m != nil {
		if n, _ := strconv.Atoi(m[1]); n != len(got) {
			return fmt.Errorf("got %d violations, want %d", len(got), n)
		}
		return nil
	}
	if len(got) != len(row.Errors) {
		return fmt.Errorf("got %d violations, want %d\n%s", len(got), len(row.Errors), describe(got))
	}
	var ours, theirs []string
	for i := range got {
		ours = append(ours, fmt.Sprintf("%v", eventsOf(got[i].Ranges)))
		theirs = append(theirs, fmt.Sprintf("%v", row.Errors[i].events()))
		if m := got[i].Rule.Message; len(row.Errors[i].Args) > 0 && m != "" && m != row.Errors[i].Args[0] {
			return fmt.Errorf("violation %d: got message %q, want %q", i, m, row.Errors[i].Args[0])
		}
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	if !slices.Equal(ours, theirs) {
		return fmt.Errorf("got violations in the events %v, want %v", ours, theirs)
	}
	return nil
}

func (e *analyzerError) events() []int {
	var addresses []string
	for _, r := range e.Ranges {
		addresses = append(addresses, r.Path)
	}
	return eventsOf(addresses)
}

// eventsOf returns the set of events that addresses lie in.
func eventsOf(addresses []string) []int {
	var events []int
	for _, a := range addresses {
		if i, err := strconv.Atoi(strings.FieldsFunc(a, func(r rune) bool { return r == '.' || r == ':' })[0]); err == nil {
			events = append(events, i)
		}
	}
	slices.Sort(events)
	return slices.Compact(events)
}

// TestPlaygroundExamples loads the public examples and checks each against its
// trace: what needs a detector may be unknown, and nothing may fail.
func TestPlaygroundExamples(t *testing.T) {
	var examples []struct{ Name, Policy, Input string }
	if err := json.Unmarshal(readShared(t, "data/invariant/playground-examples.json"), &examples); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range examples {
		if e.Policy == "" {
			continue // a heading
		}
		n++
		t.Run(e.Name, func(t *testing.T) {
			policy, err := holdfast.Compile("policy", []byte(e.Policy), &holdfast.Options{Detectors: local.Detectors()})
			if err != nil {
				t.Fatalf("loading: %v\n%s", err, e.Policy)
			}
			v := analyze(t, policy, []byte(e.Input), nil)
			t.Logf("%v: %d violations, %s", v.Decision(), len(v.Violations()), reasons(v))
		})
	}
	if n < 16 {
		t.Errorf("got %d examples, want 16 at least", n)
	}
}

func analyze(t *testing.T, policy *holdfast.Policy, src []byte, params map[string]any) holdfast.Verdict {
	t.Helper()
	v, err := policy.Analyze(context.Background(), decode(t, src), &holdfast.MonitorOptions{Input: params})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func decode(t *testing.T, src []byte) *trace.Trace {
	t.Helper()
	tr, err := trace.Decode(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func describe(vs []holdfast.Violation) string {
	var b strings.Builder
	for _, v := range vs {
		fmt.Fprintf(&b, "rule %d %q events %v ranges %v\n", v.Rule.Index, v.Message, v.Events, v.Ranges)
	}
	return b.String()
}

func reasons(v holdfast.Verdict) string {
	var parts []string
	for _, u := range v.Unknowns() {
		parts = append(parts, fmt.Sprintf("%s at %s (%s)", u.Reason, u.Address, u.Detail))
	}
	return strings.Join(parts, ", ")
}

func readShared(t *testing.T, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(shared, name))
	if os.IsNotExist(err) {
		t.Skipf("the shared test data is not there: no file %s beside the repository", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func readRows[Row any](t *testing.T, name string) []Row {
	t.Helper()
	var rows []Row
	for line := range bytes.Lines(readShared(t, name)) {
		var row Row
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// difference matches a row of the table in testdata/differences.md.
var difference = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.+) \\|$")

func readDifferences(t *testing.T) map[string]string {
	t.Helper()
	src, err := os.ReadFile("../testdata/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range difference.FindAllStringSubmatch(string(src), -1) {
		out[m[1]] = m[2]
	}
	return out
}
