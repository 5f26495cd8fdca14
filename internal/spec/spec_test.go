// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package spec_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// load parses and checks a policy; nil with the errors if it has any.
func load(src string) (*check.Program, error) {
	file, list := syntax.Parse(diag.NewFile("policy.gr", []byte(src)))
	if err := list.Err(); err != nil {
		return nil, err
	}
	prog, more := check.Check(file, &check.Config{})
	if err := more.Err(); err != nil {
		return nil, err
	}
	return prog, nil
}

func mustLoad(t *testing.T, src string) *check.Program {
	t.Helper()
	prog, err := load(src)
	if err != nil {
		t.Fatalf("loading the policy: %v\n%s", err, src)
	}
	return prog
}

// place decodes a trace and places its events.
func place(t *testing.T, src string) []*trace.Event {
	t.Helper()
	tr, err := trace.Decode([]byte(src), nil)
	if err != nil {
		t.Fatalf("reading the trace: %v\n%s", err, src)
	}
	log := &trace.Log{}
	var events []*trace.Event
	for _, e := range tr.Events {
		events = append(events, log.Append(e))
	}
	return events
}

func parseValue(t *testing.T, src string) *value.Value {
	t.Helper()
	v, err := value.ParseJSON(src, value.JSONLimits{})
	if err != nil {
		t.Fatalf("reading %s: %v", src, err)
	}
	return v
}

// events are the input indexes of an assignment's messages, calls, outputs and
// tools, in the order of the variables' names.
func events(r *check.Rule, a spec.Assignment) (out []int) {
	vars := slices.Clone(r.Body.Vars)
	slices.SortFunc(vars, func(x, y *check.Var) int { return strings.Compare(x.Name, y.Name) })
	for _, v := range vars {
		if x := a.Vars[v.Index]; x != nil && value.IsSlot(x) {
			address, _ := value.Address(x)
			event, _, _ := strings.Cut(address, ".")
			n, _ := strconv.Atoi(event)
			out = append(out, n)
		}
	}
	return out
}

// show renders a result, a line for each violation and each unknown entry:
// `text (m=0 n=#1)` and `? reason xCOUNT @address`. With spans, the evidence
// follows in brackets.
func show(res *spec.Result, spans bool) string {
	var b strings.Builder
	for _, r := range res.Rules {
		for _, m := range r.True {
			b.WriteString(message(m) + bindings(r.Rule, m.Assignment))
			if spans {
				b.WriteString(" [" + strings.Join(m.Ranges, " ") + "]")
			}
			b.WriteString("\n")
		}
		for _, n := range r.Entries() {
			b.WriteString("? " + string(n.Cause.Reason) + " x" + strconv.Itoa(n.Count) + bindings(r.Rule, n.First))
			if n.Cause.At != nil && value.Placed(n.Cause.At) {
				address, _ := value.Address(n.Cause.At)
				b.WriteString(" @" + address)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func bindings(r *check.Rule, a spec.Assignment) string {
	var parts []string
	for i, x := range a.Vars {
		text := "-"
		if x != nil {
			var ok bool
			if text, ok = value.Address(x); !ok {
				text = "#" + strconv.Itoa(a.Draw[i])
			}
			if x.Kind() == value.Unknown {
				text += "?"
			}
		}
		parts = append(parts, r.Body.Vars[i].Name+"="+text)
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, " ") + ")"
}

func evaluate(t *testing.T, policy, tr string) *spec.Result {
	t.Helper()
	return spec.Evaluate(mustLoad(t, policy), place(t, tr), nil)
}

// dedent takes the indent of the first line away from all.
func dedent(s string) string {
	lines := splitLines(s)
	margin := ""
	if len(lines) > 0 {
		margin = lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], "\t"))]
	}
	out := ""
	for _, line := range lines {
		out += strings.TrimPrefix(line, margin) + "\n"
	}
	return out
}

// splitLines returns the lines of s that are not blank.
func splitLines(s string) []string {
	return slices.DeleteFunc(strings.Split(s, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
}

// message is the text of a violation: its first argument.
func message(m spec.Match) string {
	if len(m.Args) == 0 {
		return ""
	}
	return value.Display(m.Args[0])
}
