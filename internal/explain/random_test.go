// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/difftest"
	"github.com/holdfast-dev/holdfast/internal/explain"
	"github.com/holdfast-dev/holdfast/trace"
)

// TestRandom explains random policies and traces: nothing panics, and whatever
// is shown as a change passes.
func TestRandom(t *testing.T) {
	n, loaded, changes := uint64(40), 0, 0
	if testing.Short() {
		n = 60
	}
	for i := range n {
		ok, k := random(t, 7, i)
		if ok {
			loaded++
		}
		changes += k
	}
	if loaded < int(n)/4 || changes < int(n)/40 {
		t.Errorf("%d of %d policies loaded and %d changes were found: too few to say anything", loaded, n, changes)
	}
	t.Logf("%d of %d policies, %d changes", loaded, n, changes)
}

func FuzzExplain(f *testing.F) {
	f.Add(uint64(1), uint64(1))
	f.Fuzz(func(t *testing.T, seed, number uint64) { random(t, seed, number) })
}

// random explains one case, and reports whether it loads and how many changes
// were shown.
func random(t *testing.T, seed, number uint64) (bool, int) {
	t.Helper()
	c := difftest.Generate(seed, number)
	policy, err := holdfast.Compile("case.gr", []byte(c.Policy), nil)
	if err != nil {
		return false, 0
	}
	prog, _, _, err := policy.Inside(context.Background(), nil)
	if err != nil {
		return false, 0
	}
	rules, err := explain.Rules(policy, prog)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if text := r.String(); text == "" || strings.Contains(text, "%!") {
			t.Errorf("%d/%d: got %q\n%s", seed, number, text, c.Policy)
		}
	}
	run, err := trace.Decode([]byte(c.Trace()), nil)
	if err != nil {
		return false, 0
	}
	report, err := explain.Trace(context.Background(), policy, nil, run)
	if err != nil {
		t.Fatalf("%d/%d: %v", seed, number, err)
	}
	if text := report.String(); strings.Contains(text, "%!") {
		t.Errorf("%d/%d: got %q", seed, number, text)
	}
	certain(t, policy, run, report, rand.New(rand.NewPCG(seed, number)))
	n := passing(t, policy, nil, run, report)
	if t.Failed() {
		t.Fatalf("%d/%d:\n%s\n%s", seed, number, c.Policy, c.Trace())
	}
	return true, n
}

// certain tries other arguments where a report says that none help.
func certain(t *testing.T, policy *holdfast.Policy, run *trace.Trace, report *explain.Report, r *rand.Rand) {
	t.Helper()
	for _, b := range report.Blocked {
		if b.Certain == "" {
			continue
		}
		src, err := run.Events[b.Event].MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			changed, ok := otherArguments(src, r)
			if !ok {
				break
			}
			m, _ := policy.Monitor(nil)
			if b.Event > 0 { // having been asked about nothing is another thing
				if _, err := m.Append(context.Background(), run.Events[:b.Event]...); err != nil {
					t.Fatal(err)
				}
			}
			e, err := trace.DecodeEvent(changed, nil)
			if err != nil {
				continue
			}
			if v, err := m.Check(context.Background(), e); err == nil && v.Allowed() {
				t.Errorf("no arguments should help against %s, but these do: %s", b.Certain, changed)
			}
		}
	}
}

// otherArguments puts random arguments into the calls of an event.
func otherArguments(src []byte, r *rand.Rand) ([]byte, bool) {
	var event map[string]any
	if json.Unmarshal(src, &event) != nil {
		return nil, false
	}
	found := false
	set := func(call any) {
		if c, ok := call.(map[string]any); ok {
			if f, ok := c["function"].(map[string]any); ok && f["arguments"] != nil {
				found = true
				f["arguments"] = randomArguments(r)
			}
		}
	}
	set(event)
	if calls, ok := event["tool_calls"].([]any); ok {
		for _, c := range calls {
			set(c)
		}
	}
	out, err := json.Marshal(event)
	return out, found && err == nil
}

func randomArguments(r *rand.Rand) map[string]any {
	values := []any{"", "a", "x", "b@corp.com", 0, 1, 2.5, true, nil, []any{"a", 1}, map[string]any{"to": "a"}}
	out := map[string]any{}
	for range r.IntN(5) {
		key := []string{"to", "a", "b", "x", "n", "path", "body", "text"}[r.IntN(8)]
		out[key] = values[r.IntN(len(values))]
	}
	return out
}

// TestRandomChanges attacks the search where it finds most: rules over one call
// with random conditions on its arguments.
func TestRandomChanges(t *testing.T) {
	n, changes, blocked := 60, 0, 0
	if testing.Short() {
		n = 60
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		policy := randomRules(r)
		p, err := holdfast.Compile("case.gr", []byte(policy), nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, policy)
		}
		src := fmt.Sprintf(`[{"role": "user", "content": "go"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "send", "arguments": {"to": %q, "n": %d, "b": %t, "l": ["x", "y"], "o": {"k": %q}}}}]}]`,
			randomText(r), r.IntN(200), r.IntN(2) == 0, randomText(r))
		run, err := trace.Decode([]byte(src), nil)
		if err != nil {
			t.Fatal(err)
		}
		report, err := explain.Trace(context.Background(), p, nil, run)
		if err != nil {
			t.Fatal(err)
		}
		blocked += len(report.Blocked)
		changes += passing(t, p, nil, run, report)
		if t.Failed() {
			t.Fatalf("case %d:\n%s\n%s", i, policy, src)
		}
	}
	t.Logf("%d calls did not pass, and for %d there was a change", blocked, changes)
	if changes*10 < blocked*7 { // for many there is none
		t.Errorf("%d calls did not pass, and only for %d there was a change", blocked, changes)
	}
}

func randomText(r *rand.Rand) string {
	return []string{"eve", "bob@corp.com", "rm -rf /", "", "a.b.c", "HELLO world", "https://x.example/a?b=c", "0123456789"}[r.IntN(8)]
}

// randomRules makes one to three rules of random conditions.
func randomRules(r *rand.Rand) string {
	conditions := []string{
		`c.arguments.to == "eve"`, `c.arguments.to != "ann"`, `"rm" in c.arguments.to`, `not c.arguments.to.endswith("corp.com")`, `c.arguments.to.startswith("h")`,
		`not match("^[a-c.@]+$", c.arguments.to)`, `len(c.arguments.to) > 4`, `any(find("\\d\\d", c.arguments.to))`, `"hello" in c.arguments.to.lower()`,
		`c.arguments.n > 100`, `c.arguments.n <= 150`, `c.arguments.n % 2 == 0`, `c.arguments.n != 7`, `c.arguments.b`, `not c.arguments.b`, `len(c.arguments.l) > 1`,
		`"x" in c.arguments.l`, `c.arguments.o.k not in ["p", "q"]`, `c is tool:send({o: {k: ".*l.*"}})`, `"to" in c.arguments`, `c.arguments.get("z") is None`, `c.arguments.extra == 1`,
	}
	var b strings.Builder
	for i := range 1 + r.IntN(3) {
		fmt.Fprintf(&b, "raise \"r%d\" if:\n    (c: ToolCall)\n    c is tool:send\n", i)
		for range 1 + r.IntN(2) {
			x := conditions[r.IntN(len(conditions))]
			if r.IntN(3) == 0 {
				x += " or " + conditions[r.IntN(len(conditions))]
			}
			b.WriteString("    " + x + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}
