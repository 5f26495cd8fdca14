// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package policytest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/diag"
)

// A detail says what lines state beyond the least.
type detail struct{ ids, spans, counts, warnings bool }

// flags pairs the words of a show line with their fields.
func (d *detail) flags() []struct {
	word string
	on   *bool
} {
	return []struct {
		word string
		on   *bool
	}{{"ids", &d.ids}, {"spans", &d.spans}, {"counts", &d.counts}, {"warnings", &d.warnings}}
}

// splitShow takes a show line off a want.
func splitShow(want string) (detail, string, error) {
	var d detail
	first, rest, _ := strings.Cut(want, "\n")
	words := strings.Fields(first)
	if len(words) == 0 || words[0] != "show" {
		return d, want, nil
	}
	for _, word := range words[1:] {
		known := false
		for _, f := range d.flags() {
			if f.word == word {
				*f.on, known = true, true
			}
		}
		if !known {
			return d, "", fmt.Errorf("reading want: got show %s, want ids, spans, counts or warnings", word)
		}
	}
	return d, rest, nil
}

// line is the show line that asks for d, "" for the least.
func (d *detail) line() string {
	words := []string{"show"}
	for _, f := range d.flags() {
		if *f.on {
			words = append(words, f.word)
		}
	}
	if len(words) == 1 {
		return ""
	}
	return strings.Join(words, " ") + "\n"
}

// An answer is what one verdict, or several that add up, come to.
type answer struct {
	decision   holdfast.Decision
	violations []line
	unknowns   []line
	counts     []holdfast.RuleCount
}

// A line is one line of a want, and the rule it speaks of.
type line struct {
	rule *holdfast.Rule
	text string
	n    int // assignments, of an unknown
}

// answerOf renders a verdict.
func answerOf(v holdfast.Verdict, show detail) *answer {
	a := &answer{decision: v.Decision(), counts: v.Counts()}
	for _, x := range v.Violations() {
		a.violations = append(a.violations, line{x.Rule, violationText(x, show), 1})
	}
	passed := map[int]bool{} // the rules whose unknowns an option lets pass
	for _, u := range v.Degraded() {
		passed[u.Rule.Index] = true
	}
	for _, r := range v.Asking() {
		if r.Action == "deny" { // its unknowns are not let pass, they are asked for
			passed[r.Index] = false
		}
	}
	for _, u := range v.Unknowns() {
		text := unknownText(u, show)
		if passed[u.Rule.Index] {
			text = "passed " + text
		}
		a.unknowns = append(a.unknowns, line{u.Rule, text, u.Count})
	}
	return a
}

// text is the whole want, for a policy of that name.
func (a *answer) text(show detail, warnings diag.List, policy string) string {
	var b strings.Builder
	if show.warnings {
		for _, d := range warnings {
			b.WriteString("warning" + diagnosticText(d, policy))
		}
	}
	if a.decision != a.implied() || len(a.violations)+len(a.unknowns) == 0 {
		b.WriteString(a.decision.String() + "\n")
	}
	for _, l := range a.violations {
		b.WriteString(l.text + "\n")
	}
	for _, l := range a.unknowns {
		b.WriteString(l.text + "\n")
	}
	if show.counts {
		for _, c := range a.counts {
			fmt.Fprintf(&b, "count %s %s%d\n", c.Rule.ID, atLeast(c.AtLeast), c.N)
		}
	}
	return b.String()
}

func atLeast(yes bool) string {
	if yes {
		return "at least "
	}
	return ""
}

// implied is the decision that the lines lead to when nothing else is said.
func (a *answer) implied() holdfast.Decision {
	worst := holdfast.Allow
	for _, l := range a.violations {
		worst = min(worst, decisionOf(l.rule.Action, holdfast.Deny))
	}
	for _, l := range a.unknowns {
		worst = min(worst, decisionOf(l.rule.Action, holdfast.Unknown))
	}
	return worst
}

// decisionOf is the decision of a rule's action; deny is what it means for a
// rule that denies.
func decisionOf(action string, deny holdfast.Decision) holdfast.Decision {
	switch action {
	case "ask":
		return holdfast.Ask
	case "warn":
		return holdfast.Allow
	}
	return deny
}

func violationText(v holdfast.Violation, show detail) string {
	text := v.Rule.Action + ruleID(v.Rule, show) + at(v.Events) + ": " + oneLine(v.Message) + bindingsText(v.Bindings)
	if show.spans {
		text += " [" + strings.Join(v.Ranges, " ") + "]"
	}
	return text
}

func unknownText(u holdfast.UnknownEntry, show detail) string {
	text := "unknown " + u.Rule.Action + ruleID(u.Rule, show) + at(u.Events) + ": " + u.Reason + bindingsText(u.Bindings)
	if show.spans {
		text += " [" + strings.TrimSpace(u.Address+" policy:"+u.Span) + "]"
	}
	if show.counts {
		text += fmt.Sprintf(" x%s%d", atLeast(u.AtLeast), u.Count)
	}
	return text
}

func ruleID(r *holdfast.Rule, show detail) string {
	if show.ids {
		return " " + r.ID
	}
	return ""
}

// at names the last of the events.
func at(events []int) string {
	if len(events) == 0 {
		return ""
	}
	return fmt.Sprintf(" at %d", slices.Max(events))
}

// oneLine keeps a message on its line.
func oneLine(s string) string {
	return strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(s)
}

// bindingsText is ` (out=2 call=4)`, "" without variables.
func bindingsText(bindings map[string]holdfast.Binding) string {
	names := slices.SortedFunc(maps.Keys(bindings), func(x, y string) int {
		return cmp.Or(compareAddresses(bindings[x].At, bindings[y].At), cmp.Compare(x, y))
	})
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + "=" + bindingText(bindings[name])
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, " ") + ")"
}

func bindingText(b holdfast.Binding) string {
	switch {
	case b.At != "":
		return strings.TrimSuffix(b.At, ".tool_calls.0")
	case b.Value == nil:
		return "none"
	}
	text, err := json.Marshal(b.Value)
	if err != nil {
		return fmt.Sprint(b.Value)
	}
	return string(text)
}

// compareAddresses orders elements as they stand in the trace; what has no
// address comes last.
func compareAddresses(a, b string) int {
	if (a == "") != (b == "") {
		return cmp.Compare(b, a)
	}
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), compareSteps)
}

func compareSteps(a, b string) int {
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	if errA == nil && errB == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

func indent(s string) string {
	if s == "" {
		return "\t(nothing)\n"
	}
	return "\t" + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n\t") + "\n"
}
