// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/internal/source"
)

// How the garbage collector is set for a scan: it runs when the heap has grown
// fivefold, since most of a small heap is garbage, but often enough to stay
// below the soft limit. What is held at once is far below it, unless larger
// traces are asked for.
const (
	scanGCPercent   = 400
	scanMemory      = 160 << 20
	scanTraceFactor = 20 // a trace of the largest size may take this many times its text
)

// boundMemory sets the collector for traces of at most maxTrace bytes, and
// returns what sets it back. Whoever sets GOGC or GOMEMLIMIT knows better.
func boundMemory(maxTrace int64) func() {
	percent, limit := -2, int64(-1)
	if os.Getenv("GOGC") == "" {
		percent = debug.SetGCPercent(scanGCPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		limit = debug.SetMemoryLimit(max(scanMemory, scanTraceFactor*maxTrace))
	}
	return func() {
		if percent != -2 {
			debug.SetGCPercent(percent)
		}
		if limit >= 0 {
			debug.SetMemoryLimit(limit)
		}
	}
}

// A usage is what a process has used so far.
type usage struct {
	cpu time.Duration // of all its threads
	gc  time.Duration // of cpu, by the garbage collector outside of goroutines
}

// usageNow returns what this process has used.
func usageNow() usage {
	return usage{cpu: cpuTime(), gc: gcTime()}
}

// gcTime is an estimate of the runtime. Assistance by goroutines is part of
// their own time, and what idle cores do takes nothing from anybody.
func gcTime() time.Duration {
	samples := []metrics.Sample{
		{Name: "/cpu/classes/gc/mark/dedicated:cpu-seconds"},
		{Name: "/cpu/classes/gc/pause:cpu-seconds"},
	}
	metrics.Read(samples)
	var seconds float64
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindFloat64 {
			seconds += s.Value.Float64()
		}
	}
	return time.Duration(seconds * float64(time.Second))
}

// printStats says what a scan took.
func (s *scanRun) printStats(t *scan.Totals) {
	now := usageNow()
	gc := now.gc - s.usage.gc
	work := t.Clock.Decode + t.Clock.Check
	raw, _ := source.Size(s.paths)
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-18s%s\n", name, fmt.Sprintf(format, args...))
	}
	b.WriteString("\n")
	row("traces", "%s, %s events", count(t.Traces+t.Failed), count(t.Events))
	row("input", "%s in files, %s of traces", megabytes(raw), megabytes(t.Bytes))
	row("wall", "%s", seconds(t.Clock.Wall))
	row("CPU", "%s, of which %s collecting garbage", seconds(now.cpu-s.usage.cpu), seconds(gc))
	row("read", "%s passed, decompressing and splitting", seconds(t.Clock.Read))
	row("decode", "%s, %s a core", seconds(t.Clock.Decode), rate(t.Bytes, t.Clock.Decode))
	row("evaluate", "%s, %s a core", seconds(t.Clock.Check), rate(t.Bytes, t.Clock.Check))
	if t.Clock.Render > 0 {
		row("render", "%s, %s a core", seconds(t.Clock.Render), rate(t.Bytes, t.Clock.Render))
	}
	row("decode+evaluate", "%s, %s a core, the garbage collector included", seconds(work+gc), rate(t.Bytes, work+gc))
	row("peak memory", "%s", megabytes(peakMemory()))
	_, _ = s.cmd.ErrOrStderr().Write([]byte(b.String()))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func rate(n int64, d time.Duration) string {
	if d <= 0 {
		return "- MB/s"
	}
	return fmt.Sprintf("%.0f MB/s", float64(n)/1e6/d.Seconds())
}
