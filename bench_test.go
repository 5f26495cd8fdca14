// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/workload"
	"github.com/holdfast-dev/holdfast/trace"
)

func compiled(b testing.TB, src string) *holdfast.Policy {
	b.Helper()
	p, err := holdfast.Compile("bench.gr", []byte(src), nil)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func started(b testing.TB, p *holdfast.Policy) *holdfast.Monitor {
	b.Helper()
	m, err := p.Monitor(nil)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// quantiles reports mean, median and 99th percentile of single operations.
func quantiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	var sum time.Duration
	for _, d := range took {
		sum += d
	}
	b.ReportMetric(float64(sum)/float64(len(took)), "ns/op")
	b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
	b.ReportMetric(float64(took[len(took)*99/100]), "p99-ns")
}

// BenchmarkAppend measures one append at the end of a trace of 10,000 events.
func BenchmarkAppend(b *testing.B) {
	for _, rules := range []int{1, 100, 1000} {
		b.Run(fmt.Sprintf("rules=%d", rules), func(b *testing.B) {
			p := compiled(b, workload.Policy(rules))
			benchmarkTail(b, p, workload.NewSource(1, 200), 10_000)
		})
	}
	b.Run("trace=100k/rules=100", func(b *testing.B) {
		benchmarkTail(b, compiled(b, workload.Policy(100)), workload.NewSource(1, 200), 100_000)
	})
}

// tails are the appends that were measured, by benchmark.
var tails = map[string][]time.Duration{}

// benchmarkTail measures 10,000 appends behind a trace of n events. That is all
// it measures, however often it is asked: a longer trace would be another
// benchmark.
func benchmarkTail(b *testing.B, p *holdfast.Policy, src *workload.Source, n int) {
	if tails[b.Name()] == nil {
		tails[b.Name()] = tail(b, p, src, n)
	}
	quantiles(b, tails[b.Name()])
}

func tail(b *testing.B, p *holdfast.Policy, src *workload.Source, n int) []time.Duration {
	ctx := context.Background()
	m := started(b, p)
	if _, err := m.Append(ctx, src.Events(n)...); err != nil {
		b.Fatal(err)
	}
	next := src.Events(10_000)
	took := make([]time.Duration, 0, len(next))
	runtime.GC()
	for _, e := range next {
		t := time.Now()
		if _, err := m.Append(ctx, e); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(t))
	}
	return took
}

// BenchmarkTextPatterns measures one append of a 1-KB output against 100 rules
// with a pattern each.
func BenchmarkTextPatterns(b *testing.B) {
	benchmarkTail(b, compiled(b, workload.TextPolicy(100)), workload.NewSource(2, 1024), 1000)
}

// BenchmarkPatternWithoutLiteral measures what a pattern costs that needs no
// literal and so has to be run on every text: the cost per pattern and KB.
func BenchmarkPatternWithoutLiteral(b *testing.B) {
	p := compiled(b, `raise "x" if:
    (o: ToolOutput)
    match("(?s).*[0-9]{5}-[a-f]{4}", o.content)
`)
	benchmarkTail(b, p, workload.NewSource(3, 1024), 100)
}

// BenchmarkContainment measures the check of one call against the contents of
// 5,000 outputs of 1 KB: `a.content in b.args.x` and the other way round.
func BenchmarkContainment(b *testing.B) {
	for name, cond := range map[string]string{
		"argument-in-output": "c.arguments.body in o.content",
		"output-in-argument": "o.content in c.arguments.body",
	} {
		b.Run(name, func(b *testing.B) {
			p := compiled(b, "raise \"copied\" if:\n    (o: ToolOutput) -> (c: ToolCall)\n    "+cond+"\n")
			m := started(b, p)
			ctx := context.Background()
			src := workload.NewSource(4, 1024)
			if _, err := m.Append(ctx, src.Events(10_000)...); err != nil {
				b.Fatal(err)
			}
			var calls []*trace.Event // not in the trace yet
			for len(calls) < 500 {
				if e := src.Next(); len(e.Calls()) > 0 {
					calls = append(calls, e)
				}
			}
			var took []time.Duration
			b.ResetTimer()
			for i := range b.N {
				t := time.Now()
				if _, err := m.Check(ctx, calls[i%len(calls)]); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(t))
			}
			quantiles(b, took)
		})
	}
}

// BenchmarkGrowth reports, for each kind of rule, what an append costs at
// 10,000 events relative to 1,000.
func BenchmarkGrowth(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			p := compiled(b, k.policy)
			var at [2]time.Duration
			for range b.N {
				at[0] += tailCost(b, p, 1000)
				at[1] += tailCost(b, p, 10_000)
			}
			b.ReportMetric(float64(at[0])/float64(b.N), "ns@1k")
			b.ReportMetric(float64(at[1])/float64(b.N), "ns@10k")
			b.ReportMetric(float64(at[1])/float64(at[0]), "ratio")
		})
	}
}

// tailCost returns the median cost of an append after n events.
func tailCost(b *testing.B, p *holdfast.Policy, n int) time.Duration {
	ctx := context.Background()
	m := started(b, p)
	src := workload.NewSource(5, 200)
	if _, err := m.Append(ctx, src.Events(n)...); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for _, e := range src.Events(1000) {
		t := time.Now()
		if _, err := m.Append(ctx, e); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(t))
	}
	var sum time.Duration
	slices.Sort(took)
	took = took[:len(took)*99/100]
	for _, d := range took {
		sum += d
	}
	return sum / time.Duration(len(took))
}

// BenchmarkScan measures decoding and analysing recorded traces, one a line.
func BenchmarkScan(b *testing.B) {
	p := compiled(b, workload.Policy(100))
	var log bytes.Buffer
	src := workload.NewSource(6, 1500)
	for range 50 {
		log.WriteByte('[')
		for i, e := range src.Events(40) {
			if i > 0 {
				log.WriteByte(',')
			}
			text, err := e.MarshalJSON()
			if err != nil {
				b.Fatal(err)
			}
			log.Write(text)
		}
		log.WriteString("]\n")
	}
	ctx := context.Background()
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		for t, err := range trace.DecodeAll(bytes.NewReader(log.Bytes()), nil) {
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.Analyze(ctx, t, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkCompile measures reading a policy.
func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{1, 100, 1000} {
		src := []byte(workload.Policy(n))
		b.Run(fmt.Sprintf("rules=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := holdfast.Compile("bench.gr", src, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStart measures the start of the binary up to its exit.
func BenchmarkStart(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "holdfast")
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/holdfast").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	b.ResetTimer()
	for range b.N {
		if err := exec.Command(bin, "version").Run(); err != nil {
			b.Fatal(err)
		}
	}
}
