// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package inject

import (
	"slices"

	"github.com/holdfast-dev/holdfast/detect"
)

// A signal is one thing that a rule has seen. Alone it says little; several
// in one place say more.
type signal struct {
	rule       int
	start, end int
	weight     float64
}

// reach is how far apart two signals may be, in bytes, to speak of the same.
const reach = 320

// mostSignals is how many of them count together. A text of a thousand signals
// is no more of an injection than one of sixty-four.
const mostSignals = 64

// maxRules is more than there are.
const maxRules = 64

// mostFindings is how many findings are enough. The last case is whole.
const mostFindings = 4096

// judge turns signals into findings. Those that stand near one another make
// one case: each lessens the doubt that the others have left, so that the
// score of the case is 1 - (1-a)(1-b)... A rule counts once in a case. All
// findings of a case have its score.
func judge(rules []Rule, signals []signal, s *settings) []detect.Span {
	// A score never comes to 1, so a threshold of it says that a kind is not to
	// count, neither alone nor beside others.
	signals = slices.DeleteFunc(signals, func(g signal) bool { return s.of(rules[g.rule].Kind) >= 1 })
	slices.SortStableFunc(signals, func(a, b signal) int { return a.start - b.start })
	var out []detect.Span
	for from := 0; from < len(signals) && len(out) < mostFindings; {
		to, end := from+1, signals[from].end
		for to < len(signals) && to-from < mostSignals && signals[to].start <= end+reach {
			end = max(end, signals[to].end)
			to++
		}
		out = appendCase(out, rules, signals[from:to], s)
		from = to
	}
	return out
}

// appendCase adds the findings of a case, if its score is high enough.
func appendCase(out []detect.Span, rules []Rule, signals []signal, s *settings) []detect.Span {
	var best [maxRules]float64
	for _, g := range signals {
		best[g.rule] = max(best[g.rule], g.weight)
	}
	doubt := 1.0
	for _, w := range best { // in a fixed order: products of floats depend on it
		doubt *= 1 - w
	}
	score := 1 - doubt
	for _, g := range signals {
		if kind := rules[g.rule].Kind; score >= s.of(kind) {
			out = append(out, detect.Span{Kind: kind, Start: g.start, End: g.end, Score: score})
		}
	}
	return out
}
