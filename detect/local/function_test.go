// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package local_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/detect/local"
	"github.com/holdfast-dev/holdfast/trace"
)

// A function is a function of the language that asks a detector, with a datum
// that it finds.
type function struct {
	name, datum, kind string
}

func functions() []function {
	return []function{
		{"pii", "eve.adams@example.org", "EMAIL_ADDRESS"},
		{"secrets", token, "github-pat"},
	}
}

// judged gives the verdict of a policy on a trace, both as text.
func judged(t *testing.T, policy, events string, detectors map[string]detect.Detector) holdfast.Verdict {
	t.Helper()
	p, err := holdfast.Compile("p.gr", []byte(policy), &holdfast.Options{Detectors: detectors})
	if err != nil {
		t.Fatalf("%v\n%s", err, policy)
	}
	events = strings.ReplaceAll(events, "'", `"`)
	tr, err := trace.Decode([]byte(events), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, events)
	}
	v, err := p.Analyze(t.Context(), tr, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// callWith is a trace of one call with the arguments.
func callWith(arguments string) string {
	return `[{'role': 'assistant', 'content': null, 'tool_calls': [{'id': '1', 'type': 'function', 'function': {'name': 'send', 'arguments': ` + arguments + `}}]}]`
}

// functionCases: %s in a condition is the function; in a trace DATUM is what
// it finds, and HALF and REST are that in two pieces.
var functionCases = []struct {
	name, condition, events string
	want                    holdfast.Decision
	ranges                  []string // LEN and CUT are the lengths of DATUM and HALF
	reason                  string   // of an unknown
}{
	{
		"text", "(m: Message)\n    any(%s(m.content))", `[{'role': 'user', 'content': 'é: DATUM.'}]`,
		holdfast.Deny,
		[]string{"0", "0.content:3-{3+LEN}"},
		"",
	},
	{
		"message", "(m: Message)\n    any(%s(m))", `[{'role': 'user', 'content': 'DATUM'}]`,
		holdfast.Deny,
		[]string{"0", "0.content:0-{LEN}"},
		"",
	},
	{"nothing in it", "(m: Message)\n    any(%s(m))", `[{'role': 'user', 'content': 'hello'}]`, holdfast.Allow, nil, ""},
	{"empty text", "(m: Message)\n    any(%s(m))", `[{'role': 'user', 'content': ''}]`, holdfast.Allow, nil, ""},
	{"no content", "(m: Message)\n    any(%s(m))", `[{'role': 'assistant', 'content': null}]`, holdfast.Allow, nil, ""},
	{"None", "(m: Message)\n    any(%s(None))", `[{'role': 'user', 'content': 'x'}]`, holdfast.Allow, nil, ""},
	{"no texts in a list", "(m: Message)\n    any(%s([None, 1, True]))", `[{'role': 'user', 'content': 'x'}]`, holdfast.Allow, nil, ""},
	{"argument None", "(c: ToolCall)\n    any(%s(c.arguments.to))", callWith(`{'to': null}`), holdfast.Allow, nil, ""},
	{"absent argument", "(c: ToolCall)\n    any(%s(c.arguments.to))", callWith(`{'text': 'DATUM'}`), holdfast.Unknown, nil, "missing"},
	{"number", "(c: ToolCall)\n    any(%s(c.arguments.n))", callWith(`{'n': 5}`), holdfast.Unknown, nil, "type"},
	{
		"parts", "(m: Message)\n    any(%s(m.content))",
		`[{'role': 'user', 'content': [{'type': 'text', 'text': 'one'}, {'type': 'text', 'text': 'to DATUM'}]}]`,
		holdfast.Deny,
		[]string{"0", "0.content.1.text:3-{3+LEN}"},
		"",
	},
	{
		"split over two parts", "(m: Message)\n    any(%s(m.content))",
		`[{'role': 'user', 'content': [{'type': 'text', 'text': 'é HALF'}, {'type': 'text', 'text': 'REST'}]}]`,
		holdfast.Deny,
		[]string{"0", "0.content.0.text:2-{2+CUT}", "0.content.1.text:0-{LEN-CUT}"},
		"",
	},
	{
		"call", "(c: ToolCall)\n    any(%s(c))", callWith(`{'n': 1, 'a': {'b': ['x', 'DATUM']}}`),
		holdfast.Deny,
		[]string{"0.tool_calls.0", "0.tool_calls.0.function.arguments.a.b.1:0-{LEN}"},
		"",
	},
	{
		"arguments in a string", "(c: ToolCall)\n    any(%s(c.arguments.text))", callWith(`'{\'text\': \'DATUM\'}'`),
		holdfast.Deny, nil, "",
	},
	{
		"list of texts", "(c: ToolCall)\n    any(%s([c.arguments.b, c.arguments.a]))", callWith(`{'a': 'DATUM', 'b': 'x'}`),
		holdfast.Deny,
		[]string{"0.tool_calls.0", "0.tool_calls.0.function.arguments.a:0-{LEN}"},
		"",
	},
	{
		"kinds", "(m: Message)\n    \"KIND\" in %s(m)", `[{'role': 'user', 'content': 'DATUM and DATUM'}]`,
		holdfast.Deny,
		[]string{"0", "0.content:0-{LEN}", "0.content:{LEN+5}-{LEN+5+LEN}"},
		"",
	},
	{"another kind", "(m: Message)\n    \"NO_SUCH\" in %s(m)", `[{'role': 'user', 'content': 'DATUM'}]`, holdfast.Allow, nil, ""},
	{"count", "(m: Message)\n    len(%s(m)) >= 3", `[{'role': 'user', 'content': 'DATUM, DATUM and DATUM'}]`, holdfast.Deny, nil, ""},
	{
		"disguise", "(m: Message)\n    any(%s(m))", `[{'role': 'user', 'content': 'see BASE64'}]`,
		holdfast.Deny,
		[]string{"0", "0.content:4-{4+B64}"},
		"",
	},
	{"disguise, raw text asked for", "(m: Message)\n    any(%s(m, views=[\"raw\"]))", `[{'role': 'user', 'content': 'see BASE64'}]`, holdfast.Allow, nil, ""},
	{"datum under not", "(m: Message)\n    not any(%s(m))", `[{'role': 'user', 'content': 'DATUM'}]`, holdfast.Allow, nil, ""},
	{"disguise under not", "(m: Message)\n    not any(%s(m))", `[{'role': 'user', 'content': 'see BASE64'}]`, holdfast.Deny, []string{"0"}, ""},
	{
		"disguise under not, all views asked for", "(m: Message)\n    not any(%s(m, views=[\"raw\", \"decoded\"]))",
		`[{'role': 'user', 'content': 'see BASE64'}]`, holdfast.Allow, nil, "",
	},
	{"no such view", "(m: Message)\n    any(%s(m, views=[\"sideways\"]))", `[{'role': 'user', 'content': 'DATUM'}]`, holdfast.Unknown, nil, "failed"},
}

// TestFunctions asks pii and secrets about everything that they may be asked
// about, from a policy.
func TestFunctions(t *testing.T) {
	for _, f := range functions() {
		for _, test := range functionCases {
			t.Run(f.name+"/"+test.name, func(t *testing.T) {
				condition := strings.ReplaceAll(fmt.Sprintf(test.condition, f.name), "KIND", f.kind)
				v := judged(t, "from holdfast.detectors import "+f.name+"\nraise \"found\" if:\n    "+condition+"\n", f.fill(test.events), local.Detectors())
				if v.Decision() != test.want {
					t.Fatalf("got %v, unknown %v; want %v", v.Decision(), v.Unknowns(), test.want)
				}
				if test.ranges != nil {
					if got, want := v.Violations()[0].Ranges, f.ranges(test.ranges); !slices.Equal(got, want) {
						t.Errorf("evidence %q, want %q", got, want)
					}
				}
				if test.reason != "" && v.Unknowns()[0].Reason != test.reason {
					t.Errorf("unknown %+v, want the reason %s", v.Unknowns()[0], test.reason)
				}
			})
		}
	}
}

func (f function) encoded() string { return base64.StdEncoding.EncodeToString([]byte(f.datum)) }

// fill puts the datum into a trace.
func (f function) fill(events string) string {
	half := len(f.datum) / 2
	return strings.NewReplacer("DATUM", f.datum, "HALF", f.datum[:half], "REST", f.datum[half:], "BASE64", f.encoded(), `\'`, `\"`).Replace(events)
}

// ranges puts lengths into places: {3+LEN} is a sum.
func (f function) ranges(in []string) []string {
	lengths := map[string]int{"LEN": len(f.datum), "CUT": len(f.datum) / 2, "B64": len(f.encoded())}
	out := make([]string, len(in))
	for i, s := range in {
		for strings.Contains(s, "{") {
			before, rest, _ := strings.Cut(s, "{")
			sum, after, _ := strings.Cut(rest, "}")
			s = before + fmt.Sprint(added(sum, lengths)) + after
		}
		out[i] = s
	}
	return out
}

func added(sum string, lengths map[string]int) int {
	total := 0
	for term := range strings.SplitSeq(strings.ReplaceAll(sum, "-", "+-"), "+") {
		word, minus := strings.CutPrefix(term, "-")
		n, ok := lengths[word]
		if !ok {
			_, _ = fmt.Sscan(word, &n) // the table has numbers there
		}
		if minus {
			n = -n
		}
		total += n
	}
	return total
}

// A failing detector says what it was shown, as those of others may.
type failing struct{ err error }

func (failing) Version() string { return "1" }

func (f failing) Detect(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
	if f.err == nil {
		panic("looking at " + requests[0].Text)
	}
	out := make([]detect.Result, len(requests))
	for i, r := range requests {
		out[i].Err = fmt.Errorf("looking at %s: %w", r.Text, f.err)
	}
	return out, nil
}

// TestFunctionsThatFail: an error, a timeout and a panic are unknown, and what
// they say of the text stays out.
func TestFunctionsThatFail(t *testing.T) {
	for _, f := range functions() {
		for want, err := range map[string]error{"failed": errors.New("out of order"), "timeout": context.DeadlineExceeded, "failed ": nil} {
			policy := "from holdfast.detectors import " + f.name + "\nraise \"found\" if:\n    (m: Message)\n    any(" + f.name + "(m))\n"
			v := judged(t, policy, f.fill(`[{'role': 'user', 'content': 'DATUM'}]`), map[string]detect.Detector{f.name: failing{err}})
			if v.Decision() != holdfast.Unknown || v.Unknowns()[0].Reason != strings.TrimSpace(want) {
				t.Errorf("%s, %v: got %v %v, want %s", f.name, err, v.Decision(), v.Unknowns(), want)
				continue
			}
			if said := v.Reason() + v.Unknowns()[0].Detail; strings.Contains(said, f.datum) {
				t.Errorf("%s, %v: it tells what the text is: %s", f.name, err, said)
			}
		}
	}
}

// TestErrorsDoNotQuote: what a detector of this set says of a text that it
// cannot tell about has nothing of the text in it.
func TestErrorsDoNotQuote(t *testing.T) {
	for _, f := range functions() {
		nested := f.datum
		for range 5 {
			nested = base64.StdEncoding.EncodeToString([]byte(nested))
		}
		r := ask(t, f.name, detect.Request{Text: f.datum + " " + nested})
		if r.Err == nil {
			t.Errorf("%s looks through five encodings: %v", f.name, r.Findings)
			continue
		}
		for _, piece := range []string{f.datum, f.datum[:8], nested[:8]} {
			if strings.Contains(r.Err.Error(), piece) {
				t.Errorf("%s: %v", f.name, r.Err)
			}
		}
	}
}

// TestWarnings: where only the raw text counts, loading a policy says so.
func TestWarnings(t *testing.T) {
	for condition, want := range map[string]int{
		"any(%s(m))":                              0,
		"not any(%s(m))":                          1,
		"not not any(%s(m))":                      0,
		"not any(%s(m, views=[\"raw\"]))":         0,
		"len(%s(m)) == 0":                         1,
		"not (m.role == \"user\" and any(%s(m)))": 1,
	} {
		for _, f := range functions() {
			policy := "from holdfast.detectors import " + f.name + "\nraise \"found\" if:\n    (m: Message)\n    " + fmt.Sprintf(condition, f.name) + "\n"
			p, err := holdfast.Compile("p.gr", []byte(policy), &holdfast.Options{Detectors: local.Detectors()})
			if err != nil {
				t.Fatal(err)
			}
			if got := len(p.Warnings()); got != want {
				t.Errorf("%s: %d warnings, want %d: %v", fmt.Sprintf(condition, f.name), got, want, p.Warnings())
			}
		}
	}
}
