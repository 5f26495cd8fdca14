// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package report_test

import (
	"encoding/json"
	"encoding/xml"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schemas that outputs are held to.
var (
	checkSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema("../../docs/check.schema.json") })
	sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema("testdata/sarif.schema.json") })
)

func compileSchema(file string) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	return c.Compile(file)
}

// validate returns the schema's verdict on a JSON text.
func validate(t *testing.T, schema func() (*jsonschema.Schema, error), text string) error {
	t.Helper()
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	x, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(x)
}

// checkFormat holds an output to its format, and to printing nothing that a
// terminal acts on.
func checkFormat(t *testing.T, format, out string) {
	t.Helper()
	if format != "text" || !strings.Contains(out, "\x1b[0m") {
		checkSafe(t, format, out)
	}
	switch format {
	case "json", "jsonl":
		for line := range strings.Lines(out) {
			if err := validate(t, checkSchema, line); err != nil {
				t.Errorf("%v\n%s", err, line)
			}
		}
	case "sarif":
		checkSARIF(t, out)
	case "github":
		checkGitHub(t, out)
	case "junit":
		checkJUnit(t, out)
	}
}

// logCommand matches what CI systems act on wherever it stands in a line.
var logCommand = regexp.MustCompile(`.{0,20}##[a-zA-Z]*\[.{0,20}`)

// checkSafe looks for characters that may not come out raw.
func checkSafe(t *testing.T, format, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("%s: the output is not UTF-8", format)
	}
	for line := range strings.Lines(out) {
		// Lines for GitHub are commands already; diagnostics quote the policy, whose
		// author has a say in what happens.
		theirs := format == "github" || strings.HasPrefix(format, "stderr") && !strings.HasPrefix(line, "holdfast: ")
		if at := logCommand.FindString(line); at != "" && !theirs {
			t.Errorf("%s: got %q, which a CI system acts on", format, at)
		}
	}
	for i, r := range out {
		tab := r == '\t' && (format == "junit" || strings.HasPrefix(format, "stderr"))
		bad := unicode.IsControl(r) && r != '\n' && !tab || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError && !strings.HasPrefix(format, "stderr")
		if bad {
			t.Errorf("%s: got %q raw, in %q", format, r, out[max(0, i-20):min(len(out), i+20)])
			return
		}
	}
}

// A sarifDocument is what is looked at beyond the schema.
type sarifDocument struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct{ ID string }
			}
		}
		Results []struct {
			RuleID    string `json:"ruleId"`
			RuleIndex int    `json:"ruleIndex"`
			Message   struct{ Text string }
			Locations []struct {
				Physical struct {
					Artifact struct{ URI string } `json:"artifactLocation"`
					Region   struct{ StartLine int }
				} `json:"physicalLocation"`
			}
			Fingerprints map[string]string `json:"partialFingerprints"`
		}
	}
}

func checkSARIF(t *testing.T, out string) sarifDocument {
	t.Helper()
	if err := validate(t, sarifSchema, out); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	var doc sarifDocument
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	run := doc.Runs[0]
	for _, r := range run.Results {
		if r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("result %q has rule %d, which is another one", r.RuleID, r.RuleIndex)
		}
		uri := r.Locations[0].Physical.Artifact.URI
		if u, err := url.Parse(uri); err != nil || u.IsAbs() && u.Scheme != "file" || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("got uri %q", uri)
		}
	}
	return doc
}

// workflowCommand is what the runner of GitHub Actions takes for one.
var workflowCommand = regexp.MustCompile(`^::(error|warning|notice) ([a-zA-Z]+=[^:,]*)(,[a-zA-Z]+=[^:,]*)*::.+$`)

func checkGitHub(t *testing.T, out string) {
	t.Helper()
	counts := map[string]int{}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		m := workflowCommand.FindStringSubmatch(line)
		switch {
		case m == nil && !strings.HasPrefix(line, "holdfast: "):
			t.Errorf("got %q, want a workflow command", line)
		case m != nil:
			if counts[m[1]]++; counts[m[1]] > 10 {
				t.Errorf("got more than 10 commands %s", m[1])
			}
		}
	}
}

// A junitDocument is what readers of JUnit XML look at.
type junitDocument struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Cases    []struct {
			Name    string     `xml:"name,attr"`
			Class   string     `xml:"classname,attr"`
			Failure *junitFlaw `xml:"failure"`
			Error   *junitFlaw `xml:"error"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

type junitFlaw struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func checkJUnit(t *testing.T, out string) junitDocument {
	t.Helper()
	var doc junitDocument
	if err := xml.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names := map[string]bool{}
	for _, s := range doc.Suites {
		failures, errs := 0, 0
		for _, c := range s.Cases {
			if names[c.Class+"\n"+c.Name] {
				t.Errorf("two cases are called %q", c.Name)
			}
			names[c.Class+"\n"+c.Name] = true
			if c.Failure != nil {
				failures++
			}
			if c.Error != nil {
				errs++
			}
			for _, f := range []*junitFlaw{c.Failure, c.Error} {
				if f != nil && (f.Message == "" || f.Type == "") {
					t.Errorf("case %q fails without a reason", c.Name)
				}
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errs {
			t.Errorf("suite %q counts %d, %d, %d, want %d, %d, %d", s.Name, s.Tests, s.Failures, s.Errors, len(s.Cases), failures, errs)
		}
	}
	return doc
}
