// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/report"
	"github.com/holdfast-dev/holdfast/trace"
)

// A benchmark is how long one check of a case's whole trace takes.
type benchmark struct {
	Case   string        `json:"case"`
	Events int           `json:"events"`
	Runs   int           `json:"runs"`
	Check  time.Duration `json:"check_ns"` // the median
}

// A case is checked for this long, and at least so often.
const (
	benchTime = 100 * time.Millisecond
	benchRuns = 5
)

// benchmarks measures the cases one after the other, so that none disturbs
// another. What detectors say is remembered after the first run, as it is in a
// monitor.
func (t *testRun) benchmarks(ctx context.Context, suites []*testSuite) ([]benchmark, error) {
	var out []benchmark
	for _, s := range suites {
		for _, c := range s.cases {
			policy, run, opts, err := c.Open(s.opts)
			if err != nil {
				continue // it wants to be refused
			}
			b, err := measure(ctx, policy, run, opts)
			if err != nil {
				return nil, err
			}
			b.Case = c.Name
			out = append(out, b)
		}
	}
	return out, nil
}

func measure(ctx context.Context, policy *holdfast.Policy, run *trace.Trace, opts *holdfast.MonitorOptions) (benchmark, error) {
	var took []time.Duration
	for began := time.Now(); time.Since(began) < benchTime || len(took) < benchRuns; {
		start := time.Now()
		if _, err := policy.Analyze(ctx, run, opts); err != nil {
			return benchmark{}, err
		}
		if ctx.Err() != nil {
			return benchmark{}, ctx.Err()
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	return benchmark{Events: len(run.Events), Runs: len(took), Check: took[len(took)/2]}, nil
}

// writeBenchmarks prints a table of them.
func writeBenchmarks(b *strings.Builder, style report.Style, all []benchmark) {
	if len(all) == 0 {
		return
	}
	t := &table{head: []string{"case", "events", "check", "per event"}, left: 1}
	for _, x := range all {
		t.rows = append(t.rows, []string{
			escapeLine(x.Case), fmt.Sprint(x.Events), roundTime(x.Check), roundTime(x.Check / time.Duration(max(x.Events, 1))),
		})
	}
	t.write(b, style)
}

// roundTime keeps three digits.
func roundTime(d time.Duration) string {
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit).String()
		}
	}
}
