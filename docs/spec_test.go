// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package docs_test runs the examples of spec.md and holds its grammar against
// the parser's.
package docs_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast/diag"
	"github.com/holdfast-dev/holdfast/internal/builtin"
	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
	"github.com/holdfast-dev/holdfast/trace"
)

// A block is a fenced block of the document.
type block struct {
	line       int // of its first line of text
	kind, rest string
	text       string
}

func readBlocks(t *testing.T) []block {
	t.Helper()
	src, err := os.ReadFile("spec.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	var open *block
	for i, line := range strings.Split(string(src), "\n") {
		fence, ok := strings.CutPrefix(line, "```")
		switch {
		case ok && open == nil:
			kind, rest, _ := strings.Cut(fence, " ")
			open = &block{line: i + 2, kind: kind, rest: rest}
		case ok:
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Fatalf("spec.md:%d: the block is not closed", open.line)
	}
	return blocks
}

// TestExamples runs every example: a policy loads, or is refused with the code
// it names; with a trace it gives the verdict, the evidence and the steps
// online that stand behind them.
func TestExamples(t *testing.T) {
	var ex example
	ran := map[string]int{}
	for _, b := range readBlocks(t) {
		ran[b.kind]++
		t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) { ex.run(t, b) })
	}
	for _, kind := range []string{"policy", "policy-file", "policy-error", "trace", "verdict", "evidence", "online"} {
		if ran[kind] == 0 {
			t.Errorf("spec.md has no example of kind %q", kind)
		}
	}
}

// An example is what the blocks read so far say.
type example struct {
	files  map[string]string // what later policies import
	prog   *check.Program
	events []*trace.Event
	result *spec.Result
}

func (ex *example) run(t *testing.T, b block) {
	t.Helper()
	switch b.kind {
	case "policy":
		*ex = example{files: ex.files}
		prog, list := ex.load(b.text)
		if prog == nil {
			t.Fatalf("the policy does not load: %v", list.Err())
		}
		ex.prog = prog
	case "policy-error":
		*ex = example{files: ex.files}
		ex.refused(t, b)
	case "policy-file":
		if ex.files == nil {
			ex.files = map[string]string{}
		}
		ex.files["./"+b.rest] = b.text
	case "trace":
		ex.place(t, b.text)
	case "verdict":
		expect(t, b.text, ex.verdict(ex.result))
	case "evidence":
		expect(t, b.text, ex.evidence())
	case "online":
		expect(t, b.text, ex.online())
	case "grammar":
	default:
		t.Errorf("a block of an unknown kind: %q", b.kind)
	}
}

func (ex *example) load(src string) (*check.Program, diag.List) {
	file, list := syntax.Parse(diag.NewFile("policy.gr", []byte(src)))
	if list.Err() != nil {
		return nil, list
	}
	prog, more := check.Check(file, &check.Config{Import: ex.importFile})
	return prog, append(list, more...)
}

func (ex *example) importFile(_ *syntax.File, path string) (*syntax.File, map[string]*builtin.Func, error) {
	text, ok := ex.files[path+".gr"]
	if !ok {
		return nil, nil, errors.New("the document has no such file")
	}
	file, list := syntax.Parse(diag.NewFile(path+".gr", []byte(text)))
	return file, nil, list.Err()
}

func (ex *example) refused(t *testing.T, b block) {
	t.Helper()
	prog, list := ex.load(b.text)
	if prog != nil {
		t.Fatalf("the policy loads, want %s", b.rest)
	}
	codes := map[string]bool{}
	for _, d := range list {
		if d.Severity == diag.Error {
			codes[d.Code] = true
		}
	}
	if len(codes) != 1 || !codes[b.rest] {
		t.Errorf("got errors %v, want %s", list.Err(), b.rest)
	}
}

func (ex *example) place(t *testing.T, src string) {
	t.Helper()
	if ex.prog == nil {
		t.Fatal("a trace without a policy above it")
	}
	tr, err := trace.Decode([]byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	log := &trace.Log{}
	for _, e := range tr.Events {
		ex.events = append(ex.events, log.Append(e))
	}
	ex.result = spec.Evaluate(ex.prog, ex.events, nil)
}

func expect(t *testing.T, want, got string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// verdict renders a result as the cases of package policytest are written.
func (ex *example) verdict(res *spec.Result) string {
	var violations, unknowns, passed []string
	worst, implied := "allow", "allow"
	for _, r := range res.Rules {
		verb := [...]string{"deny", "ask", "warn"}[r.Rule.Node.Verb]
		for _, m := range r.True {
			violations = append(violations, verb+at(r.Rule, m.Assignment)+": "+message(m)+bindings(r.Rule, m.Assignment))
			worst, implied = worse(worst, verb), worse(implied, verb)
		}
		for _, n := range r.Entries() {
			text := "unknown " + verb + at(r.Rule, n.First) + ": " + string(n.Cause.Reason) + bindings(r.Rule, n.First)
			implied = worse(implied, undecided(verb))
			if cmp.Or(r.Rule.OnUnknown, verb) == verb {
				unknowns, worst = append(unknowns, text), worse(worst, undecided(verb))
			} else {
				passed, worst = append(passed, "passed "+text), worse(worst, undecided(r.Rule.OnUnknown))
			}
		}
	}
	lines := slices.Concat(violations, unknowns, passed)
	if worst != implied || len(lines) == 0 {
		lines = append([]string{worst}, lines...)
	}
	return strings.Join(lines, "\n") + "\n"
}

// undecided is what an unknown rule that would come to verb makes of a verdict.
func undecided(verb string) string {
	if verb == "deny" {
		return "unknown"
	}
	return verb
}

func worse(a, b string) string {
	order := []string{"deny", "unknown", "ask", "allow"}
	if b == "warn" {
		b = "allow"
	}
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// at is the last event of those that messages, calls, outputs and tools stand
// for.
func at(r *check.Rule, a spec.Assignment) string {
	last := -1
	for _, v := range a.Vars {
		if v != nil && value.IsSlot(v) {
			address, _ := value.Address(v)
			first, _, _ := strings.Cut(address, ".")
			n, _ := strconv.Atoi(first)
			last = max(last, n)
		}
	}
	if last < 0 {
		return ""
	}
	return fmt.Sprintf(" at %d", last)
}

// A binding is a variable, as a verdict's line shows it.
type binding struct{ name, address, text string }

func bindings(r *check.Rule, a spec.Assignment) string {
	var all []binding
	for i, v := range a.Vars {
		b := binding{name: r.Body.Vars[i].Name, text: "none"}
		if v != nil {
			var ok bool
			if b.address, ok = value.Address(v); ok {
				b.text = strings.TrimSuffix(b.address, ".tool_calls.0")
			} else if v.Kind() != value.Unknown {
				b.text = string(value.AppendJSON(nil, v))
			}
		}
		all = append(all, b)
	}
	slices.SortFunc(all, func(x, y binding) int {
		return cmp.Or(compareAddresses(x.address, y.address), cmp.Compare(x.name, y.name))
	})
	var parts []string
	for _, b := range all {
		parts = append(parts, b.name+"="+b.text)
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, " ") + ")"
}

// compareAddresses orders by the trace; what has no address comes last.
func compareAddresses(a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(b, a)
	}
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		m, errX := strconv.Atoi(x)
		n, errY := strconv.Atoi(y)
		if errX == nil && errY == nil {
			return cmp.Compare(m, n)
		}
		return cmp.Compare(x, y)
	})
}

// evidence has a line for each violation.
func (ex *example) evidence() string {
	text := ""
	for _, r := range ex.result.Rules {
		for _, m := range r.True {
			text += strings.Join(m.Ranges, " ") + "\n"
		}
	}
	return text
}

// online appends event by event and says, behind the number of each event, what
// is new.
func (ex *example) online() string {
	text := ""
	var before *spec.Result
	for i := range ex.events {
		after := spec.Evaluate(ex.prog, ex.events[:i+1], nil)
		if lines := ex.verdict(spec.New(before, after, true)); lines != "allow\n" {
			for _, line := range strings.Split(strings.TrimSuffix(lines, "\n"), "\n") {
				text += fmt.Sprintf("%d %s\n", i, line)
			}
		}
		before = after
	}
	return text
}

// TestGrammar holds the boxes of the document, one after the other, against the
// grammar of the parser.
func TestGrammar(t *testing.T) {
	path := filepath.Join("..", "syntax", "grammar.txt")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range readBlocks(t) {
		if b.kind == "grammar" {
			got = append(got, productions(b.text)...)
		}
	}
	want := productions(string(src))
	if len(want) == 0 {
		t.Fatalf("%s has no productions", path)
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("the boxes of spec.md are\n%s\n\nwant %s:\n%s", g, path, w)
	}
}

func productions(text string) (out []string) {
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "#") && strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// message is the text of a violation: its first argument.
func message(m spec.Match) string {
	if len(m.Args) == 0 {
		return ""
	}
	return value.Display(m.Args[0])
}
