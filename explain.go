// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast

import (
	"fmt"
	"strings"

	"github.com/holdfast-dev/holdfast/syntax"
)

// explanation is what `holdfast explain` prints of a rule.
func explanation(r *Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: rule %d %q (%s)\n", r.Policy, r.Line, r.Index, r.ID, r.Action)
	if r.Message != "" {
		fmt.Fprintf(&b, "  message: %s\n", r.Message)
	}
	fmt.Fprintf(&b, "  class:   %s\n", classText(r))
	fmt.Fprintf(&b, "  online:  %s\n", onlineText(r))
	for _, f := range flows(r) {
		fmt.Fprintf(&b, "  flow:    %s\n", f)
	}
	fmt.Fprintf(&b, "  plan:    %s\n", r.plan)
	return b.String()
}

func classText(r *Rule) string {
	text := map[string]string{
		"local":   "local: a match depends on its own elements and their order",
		"past":    "past: a match depends on its elements and on what came before them",
		"growing": "growing: a match may appear when later events come, and stays",
		"global":  "global: a match may go away again, so the rule is judged anew at each step",
	}[r.Class]
	if r.plan.Check.External {
		text += "; reads detectors or the embedder's functions"
	}
	return text
}

func onlineText(r *Rule) string {
	if r.Preventive {
		return "can be prevented: the last event of a match can be stopped before it happens"
	}
	return "can only report: the last event of a match has already happened"
}

// flows lists the flows that stand in the rule's text with their polarity.
func flows(r *Rule) []string {
	var out []string
	syntax.Walk(r.plan.Check.Node, func(n syntax.Node) bool {
		if f, ok := n.(*syntax.FlowChain); ok {
			out = append(out, fmt.Sprintf("%s (%s)", f.Span().Text(), r.polarity[f]))
		}
		return true
	})
	return out
}
