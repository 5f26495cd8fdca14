// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/internal/scan"
	"github.com/holdfast-dev/holdfast/internal/source"
)

// A progress shows people how far a scan is, on a terminal. Elsewhere it only
// passes on what is written to it.
type progress struct {
	io.Writer // for lines about the scan; they stand above the bar

	bars *mpb.Progress // nil: there is nothing to show
	bar  *mpb.Bar

	traces, blocked, failed atomic.Int64
}

// progress shows a bar if standard error is a terminal that nothing else is
// written to.
func (s *scanRun) progress() *progress {
	stderr := s.cmd.ErrOrStderr()
	p := &progress{Writer: stderr}
	streams := !s.text() && s.output == ""
	if !isTerminal(stderr) || (streams && isTerminal(s.cmd.OutOrStdout())) {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(stderr), mpb.WithWidth(24), mpb.WithRefreshRate(150*time.Millisecond))
	p.Writer = p.bars
	size, _ := source.Size(s.paths)
	p.bar = p.draw(size)
	return p
}

// draw adds the bar. Without a size, as of standard input, there is nothing to
// be a part of.
func (p *progress) draw(size int64) *mpb.Bar {
	counts := decor.Any(func(decor.Statistics) string { return "  " + p.counts() })
	speed := decor.AverageSpeed(decor.SizeB1000(0), "% .1f")
	if size == 0 {
		return p.bars.New(0, mpb.NopStyle(), mpb.PrependDecorators(decor.CurrentKiloByte("% .1f, "), speed, counts))
	}
	return p.bars.New(size, mpb.BarStyle(),
		mpb.PrependDecorators(decor.CountersKiloByte("% .1f / % .1f ")),
		mpb.AppendDecorators(speed, decor.Name(", "), decor.AverageETA(decor.ET_STYLE_GO), decor.Name(" left"), counts))
}

// isTerminal reports whether w is a terminal that a bar can be drawn on.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

func (p *progress) counts() string {
	text := plural(int(p.traces.Load()), "trace")
	if n := p.blocked.Load(); n > 0 {
		text += fmt.Sprintf(", %d not allowed", n)
	}
	if n := p.failed.Load(); n > 0 {
		text += fmt.Sprintf(", %d failed", n)
	}
	return text
}

// read is told of bytes that were read.
func (p *progress) read(n int) {
	if p.bar != nil {
		p.bar.IncrBy(n)
	}
}

// seen is told of outcomes.
func (p *progress) seen(o scan.Outcome) {
	p.traces.Add(1)
	switch {
	case o.Err != nil:
		p.failed.Add(1)
	case o.Decision != holdfast.Allow:
		p.blocked.Add(1)
	}
}

// end takes the bar away.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Abort(true)
		p.bars.Wait()
	}
}
