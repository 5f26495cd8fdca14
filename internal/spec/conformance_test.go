// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
)

// conformanceCase is one line of the shared language cases.
type conformanceCase struct {
	Name, Policy string
	Trace        json.RawMessage
	Params       map[string]json.RawMessage
	Expect       struct {
		LoadError  bool `json:"load_error"`
		Unknown    bool
		Violations []conformanceViolation
	}
	Difference string
}

type conformanceViolation struct {
	Rule    int
	Events  []int
	Message *string
}

// TestConformance runs the cases that record what the public analyzer says and
// where this language differs from it.
func TestConformance(t *testing.T) {
	path := filepath.FromSlash("../../../shared/conformance/cases.jsonl")
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("the shared language cases are not here: %v", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	n := 0
	for ; lines.Scan(); n++ {
		var c conformanceCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.Name, c.run)
	}
	if n == 0 {
		t.Fatal("no case was read")
	}
}

func (c *conformanceCase) run(t *testing.T) {
	prog, errs := load(c.Policy)
	if c.Expect.LoadError {
		if prog != nil {
			t.Fatal("the policy loads, want an error")
		}
		return
	}
	if prog == nil {
		t.Fatal(errs)
	}
	input := map[string]*value.Value{}
	for name, text := range c.Params {
		input[name] = parseValue(t, string(text))
	}
	res := spec.Evaluate(prog, place(t, string(c.Trace)), &spec.Options{Input: input})
	got := c.compared(res)
	if c.Expect.Unknown {
		if len(got) > 0 || !slices.ContainsFunc(res.Rules, func(r spec.RuleResult) bool { return len(r.Unknown) > 0 }) {
			t.Errorf("got %q, want an unknown verdict", got)
		}
		return
	}
	var want []string
	for _, v := range c.Expect.Violations {
		want = append(want, c.line(v.Rule, v.Events, v.Message))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s\n%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"), c.Policy)
	}
	for _, r := range res.Rules {
		if len(r.Unknown) > 0 {
			t.Errorf("rule %d is unknown: %v", r.Rule.Index, r.Unknown[0].Causes)
		}
	}
}

// compared is what of a result the cases compare.
func (c *conformanceCase) compared(res *spec.Result) (lines []string) {
	for _, r := range res.Rules {
		for _, m := range r.True {
			text := message(m)
			lines = append(lines, c.line(r.Rule.Index, events(r.Rule, m.Assignment), &text))
		}
	}
	return lines
}

func (c *conformanceCase) line(rule int, events []int, message *string) string {
	text := strconv.Itoa(rule)
	for _, e := range events {
		text += " " + strconv.Itoa(e)
	}
	if message != nil && c.Difference == "" {
		text += ": " + *message
	}
	return text
}
