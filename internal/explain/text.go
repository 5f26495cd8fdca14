// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package explain

import (
	"fmt"
	"strings"
)

// classWords say what the classes of docs/spec.md mean.
var classWords = map[string]string{
	"local":   "local: a match depends on its own elements and their order",
	"past":    "past: a match depends on its elements and on what came before them",
	"growing": "growing: a match may appear when later events come, and stays",
	"global":  "global: a match may go away again, so the rule is judged anew at each step",
}

// String is the rule as explain prints it.
func (r *Rule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: %s\n", r.Policy, r.Line, r.ID)
	if r.Title != "" {
		fmt.Fprintf(&b, "  %s\n", r.Title)
	}
	fmt.Fprintf(&b, "  %s\n", ended(r.Sentence, r.Clauses))
	writeClauses(&b, r.Clauses, "    ")
	for _, c := range r.Where {
		fmt.Fprintf(&b, "  %s\n", ended(c.Text, c.Subs))
		writeClauses(&b, c.Subs, "    ")
	}
	fmt.Fprintf(&b, "  class:   %s\n", classWords[r.Class])
	if r.Preventive {
		b.WriteString("  online:  can be prevented: the last event of a match can be stopped before it happens\n")
	} else {
		b.WriteString("  online:  can only report: the last event of a match has already happened\n")
	}
	if len(r.Looks) > 0 {
		fmt.Fprintf(&b, "  looks:   at %s\n", enumerate(r.Looks, "and"))
	} else {
		b.WriteString("  looks:   at no element of the trace\n")
	}
	fmt.Fprintf(&b, "  cost:    %s: %s\n", growthText(r.Growth), r.Cost)
	fmt.Fprintf(&b, "  plan:    %s\n", r.Plan)
	if len(r.Unknown) == 0 {
		b.WriteString("  unknown: never, but for what cannot be read and budgets\n")
	}
	for i, d := range r.Unknown {
		head := "unknown: if"
		if i > 0 {
			head = "         or if"
		}
		fmt.Fprintf(&b, "  %s %s (%s, line %d)\n", head, d.Text, d.Reason, d.Line)
	}
	return b.String()
}

// ended is a sentence with a colon if there is something below it.
func ended(text string, subs []*Clause) string {
	if len(subs) > 0 {
		return text + ":"
	}
	return text
}

func writeClauses(b *strings.Builder, clauses []*Clause, indent string) {
	for _, c := range clauses {
		fmt.Fprintf(b, "%s- %s\n", indent, ended(c.Text, c.Subs))
		writeClauses(b, c.Subs, indent+"  ")
	}
}

// growthText says how the cost of an event grows with the trace.
func growthText(growth string) string {
	if growth == "constant" {
		return "does not grow with the trace"
	}
	if growth == "linear" {
		growth = "length"
	}
	return "grows at most with the " + growth + " of the trace"
}
