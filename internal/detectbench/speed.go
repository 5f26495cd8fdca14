// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package detectbench

import (
	"fmt"
	"strconv"
	"time"

	"github.com/holdfast-dev/holdfast/detect"
)

const (
	maxTimed  = 16_000_000 // bytes of a corpus
	timedRuns = 3
	leastTime = 300 * time.Millisecond // of a run
)

// speed measures a detector on one core: of the raw text, and of all views.
func (b *bench) speed(detector string) (*Table, error) {
	t := &Table{
		Title: "Speed of " + detector,
		Note: fmt.Sprintf("Megabytes (a million bytes) a second of one core's time, one text after another, the best of %d runs; of a large corpus the first %d MB.%s",
			timedRuns, maxTimed/1000/1000, b.where()),
		Head: []string{"corpus", "MB", "raw text", "all views"},
	}
	for _, c := range []corpus{prose, dojoMessages, tauJSON, goSource} {
		texts, err := b.read(c)
		if err != nil {
			return nil, err
		}
		texts = firstBytes(texts, maxTimed)
		row := []string{string(c), fmt.Sprintf("%.1f", float64(size(texts))/1e6)}
		for _, views := range [][]string{{detect.Raw}, nil} {
			rate, err := b.rate(detector, texts, views)
			if err != nil {
				return nil, err
			}
			row = append(row, strconv.Itoa(int(rate)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func firstBytes(texts []sample, most int) []sample {
	n := 0
	for i, s := range texts {
		if n += len(s.text); n > most {
			return texts[:i+1]
		}
	}
	return texts
}

// rate returns megabytes a second. What is compiled on the first candidate is
// compiled before the clock starts.
func (b *bench) rate(detector string, texts []sample, views []string) (float64, error) {
	best := 0.0
	for run := range timedRuns + 1 {
		began, passes := b.Clock(), 0
		for passes == 0 || run > 0 && b.Clock()-began < leastTime {
			if err := b.pass(detector, texts, views); err != nil {
				return 0, err
			}
			passes++
		}
		if took := (b.Clock() - began).Seconds(); run > 0 {
			best = max(best, float64(passes*size(texts))/1e6/took)
		}
	}
	return best, nil
}

// pass asks about every text once.
func (b *bench) pass(detector string, texts []sample, views []string) error {
	for _, s := range texts {
		// A text that it cannot tell about has taken its time too.
		_, _ = b.ask(detector, detect.Request{Text: s.text, Views: views})
		if err := b.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
