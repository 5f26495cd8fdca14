// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

// flowSizes are the lengths of trace at which engines stand side by side.
var flowSizes = []int{20, 200}

// wholeSizes are those of the public analyzer's figures: one check takes it
// 112 ms at 100 events, 492 ms at 200 and 2.0 s at 400, and a policy of three
// lines 191 ms to parse.
var wholeSizes = []int{100, 200, 400}

// BenchmarkCall asks the first question of each engine, apart for calls that
// are allowed and calls that are denied: Holdfast answers a denial with its
// evidence, the others with a word. The inputs rotate, so that no engine is
// asked the same thing twice in a row.
func BenchmarkCall(b *testing.B) {
	for _, denied := range []bool{false, true} {
		calls := slices.DeleteFunc(Calls(1024), func(c Call) bool { return c.Denied() != denied })
		for _, p := range callPeers(b, calls) {
			b.Run(fmt.Sprintf("denied=%t/%s", denied, p.name), func(b *testing.B) { ask(b, p) })
		}
	}
}

// BenchmarkFlow asks the second question over runs in which a page was
// fetched and runs in which none was.
func BenchmarkFlow(b *testing.B) {
	for _, n := range flowSizes {
		for _, fetched := range []bool{true, false} {
			for _, p := range flowPeers(b, Flow(n, fetched)) {
				b.Run(fmt.Sprintf("events=%d/fetched=%t/%s", n, fetched, p.name), func(b *testing.B) { ask(b, p) })
			}
		}
	}
}

func ask(b *testing.B, p peer) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if p.before != nil {
			b.StopTimer()
			p.before()
			b.StartTimer()
		}
		if _, err := p.questions[i%len(p.questions)](); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPublicCheck is one check of the public analyzer's workload: the
// trace read from JSON, and every pair of a flow rule with two variables
// looked at.
func BenchmarkPublicCheck(b *testing.B) {
	ctx := context.Background()
	policy := must(holdfast.Compile("flow.gr", []byte(FlowPolicy), nil))(b)
	for _, n := range wholeSizes {
		src := Flow(n, true).Whole()
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t := must(trace.Decode(src, nil))(b)
				if v := must(policy.Analyze(ctx, t, nil))(b); v.Decision() != holdfast.Deny {
					b.Fatalf("got %s, want deny", v.Decision())
				}
			}
		})
	}
}

// BenchmarkPublicParse is the parsing of a policy of three lines, with all
// that makes it ready to be asked.
func BenchmarkPublicParse(b *testing.B) {
	const policy = "raise \"mail\" if:\n    (call: ToolCall)\n    call is tool:send_email\n"
	b.ReportAllocs()
	for b.Loop() {
		if _, err := holdfast.Compile("three.gr", []byte(policy), nil); err != nil {
			b.Fatal(err)
		}
	}
}
