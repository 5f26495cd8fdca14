// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

// Package workload makes policies and traces of any size for benchmarks. The
// same arguments always make the same text, so that figures can be compared.
package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/holdfast-dev/holdfast/trace"
)

// Tools is the number of tools that traces call: tool0, tool1, ….
const Tools = 40

// Policy returns a policy of n rules in the mix that policies for agents have:
// 40 of 100 look at one event, 45 at one event after another, 10 at three in a
// row and 5 join two by a value.
func Policy(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "# id: r%d\n", i)
		b.WriteString(rule(i))
		b.WriteString("\n")
	}
	return b.String()
}

func rule(i int) string {
	a, c, d := i%Tools, (i*7+3)%Tools, (i*11+5)%Tools
	switch k := i % 20; {
	case k < 8:
		return fmt.Sprintf(`raise "single %d" if:
    (c: ToolCall)
    c is tool:tool%d
    c.arguments.n > %d
    not c.arguments.to.endswith("@corp.com")
`, i, a, 90+i%10)
	case k < 17:
		return fmt.Sprintf(`raise "chain %d" if:
    (o: ToolOutput) -> (c: ToolCall)
    o is tool:tool%d
    c is tool:tool%d({to: "mallory@.*"})
`, i, a, c)
	case k < 19:
		return fmt.Sprintf(`raise "three %d" if:
    (a: ToolCall) -> (b: ToolCall) -> (c: ToolCall)
    a is tool:tool%d
    b is tool:tool%d
    c is tool:tool%d
    c.arguments.n > 95
`, i, a, c, d)
	}
	return fmt.Sprintf(`raise "join %d" if:
    (a: ToolCall) -> (b: ToolCall)
    a is tool:tool%d
    b is tool:tool%d
    a.arguments.path == b.arguments.path
`, i, a, c)
}

// TextPolicy returns a policy of n rules that each look for their own pattern
// in every output.
func TextPolicy(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `raise "text %d" if:
    (o: ToolOutput)
    match("(?s).*token%d[0-9]+ *= *[a-f0-9]{8}", o.content)

`, i, i)
	}
	return b.String()
}

// A Source makes events.
type Source struct {
	r    *rand.Rand
	n    int
	text int
}

// NewSource returns a source of events; outputs have about text bytes.
func NewSource(seed uint64, text int) *Source {
	return &Source{r: rand.New(rand.NewPCG(seed, 1)), text: text}
}

// Next returns the next event: calls and their outputs in turn, a message of
// the user now and then.
func (s *Source) Next() *trace.Event {
	s.n++
	switch {
	case s.n%20 == 1:
		return trace.UserText(s.words(60))
	case s.n%2 == 0:
		return trace.Call(fmt.Sprintf("c%d", s.n), fmt.Sprintf("tool%d", s.r.IntN(Tools)), s.arguments())
	}
	return trace.Output(fmt.Sprintf("c%d", s.n-1), s.words(s.text))
}

// Events returns the next n events.
func (s *Source) Events(n int) []*trace.Event {
	out := make([]*trace.Event, n)
	for i := range out {
		out[i] = s.Next()
	}
	return out
}

func (s *Source) arguments() map[string]any {
	to := []string{"bob@corp.com", "alice@corp.com", "carol@corp.com"}[s.r.IntN(3)]
	if s.r.IntN(200) == 0 {
		to = "mallory@evil.example"
	}
	return map[string]any{
		"to":   to,
		"n":    s.r.IntN(90),
		"path": fmt.Sprintf("/srv/data/%d/%d", s.r.IntN(1000), s.r.IntN(1000)),
		"body": s.words(80),
	}
}

// words returns about n bytes of words.
func (s *Source) words(n int) string {
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%s%d ", vocabulary[s.r.IntN(len(vocabulary))], s.r.IntN(1000))
	}
	return b.String()
}

var vocabulary = strings.Fields(`account agenda amount answer archive article budget calendar channel client comment
	contract customer dashboard deadline delivery discount document draft employee estimate feedback folder forecast
	header invoice issue ledger letter manager market meeting message minutes monitor notice number office option
	order outline package payment people planning policy price product profile project proposal quarter question
	record region report request review revenue sample schedule section service shipment statement status summary
	supplier survey target ticket topic transfer update vendor version website week`)
