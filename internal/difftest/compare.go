// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package difftest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/holdfast-dev/holdfast/internal/check"
	"github.com/holdfast-dev/holdfast/internal/eval"
	"github.com/holdfast-dev/holdfast/internal/spec"
	"github.com/holdfast-dev/holdfast/internal/value"
	"github.com/holdfast-dev/holdfast/syntax"
)

// maxExplained bounds the violations of one answer whose evidence is compared.
const maxExplained = 8

// compare holds the answer to one step against the naive evaluator's.
func (r *runner) compare(step string, want *spec.Result, got *eval.Result) error {
	answers := make([]*eval.RuleResult, len(want.Rules))
	for _, rr := range got.Rules {
		answers[rr.Rule.Check.Index] = rr
	}
	for i, w := range want.Rules {
		a := answers[i]
		if a == nil {
			a = &eval.RuleResult{}
		}
		if err := r.compareRule(w, a); err != nil {
			return fmt.Errorf("%s: rule %d: %w", step, i, err)
		}
	}
	return nil
}

func (r *runner) compareRule(w spec.RuleResult, a *eval.RuleResult) error {
	if uint64(len(w.True)) != a.Count || a.AtLeast {
		return differ("violations", fmt.Sprint(len(w.True)), fmt.Sprintf("%d (more: %t)", a.Count, a.AtLeast))
	}
	if len(w.True) > 0 {
		if err := r.compareMatches(w, a); err != nil {
			return err
		}
	}
	return differ("unknowns", specEntries(w), evalEntries(w.Rule.Body, a))
}

func differ(what, want, got string) error {
	if want == got {
		return nil
	}
	return fmt.Errorf("%s: got\n\t%s\nwant\n\t%s", what, strings.ReplaceAll(got, "\n", "\n\t"), strings.ReplaceAll(want, "\n", "\n\t"))
}

func (r *runner) compareMatches(w spec.RuleResult, a *eval.RuleResult) error {
	shown := len(w.True)
	if n := cmp.Or(r.opts.Shown, eval.Shown); shown > n {
		shown = n
	}
	first := a.First()
	if len(first) != shown {
		return differ("violations shown", fmt.Sprint(shown), fmt.Sprint(len(first)))
	}
	b := w.Rule.Body
	for i, m := range first {
		if err := differ(fmt.Sprintf("violation %d", i), assignment(b, w.True[i].Vars, w.True[i].Draw), evalAssignment(b, m)); err != nil {
			return err
		}
		if i < maxExplained {
			if err := differ(fmt.Sprintf("evidence of violation %d", i), specEvidence(w.True[i]), evalEvidence(a.Explain(m))); err != nil {
				return err
			}
		}
	}
	i := 0
	for m := range a.All() {
		if i >= len(w.True) {
			return fmt.Errorf("more violations than %d", i)
		}
		if err := differ(fmt.Sprintf("violation %d of all", i), assignment(b, w.True[i].Vars, w.True[i].Draw), evalAssignment(b, m)); err != nil {
			return err
		}
		i++
	}
	if i < shown {
		return differ("violations of all", fmt.Sprint(shown), fmt.Sprint(i))
	}
	return nil
}

func evalAssignment(b *check.Block, m *eval.Match) string {
	draws := make([]int, len(b.Vars))
	for i, d := range m.Draws() {
		draws[i] = int(d)
	}
	return assignment(b, m.Values(), draws)
}

// assignment says which element each variable has: by its address or, if it
// was computed, by its value and its place in what it was drawn from.
func assignment(b *check.Block, vars []*value.Value, draws []int) string {
	var out []byte
	for i, v := range b.Vars {
		out = append(append(out, v.Name...), '=')
		x := vars[i]
		out = appendValue(out, x)
		if x != nil && x.Kind() != value.Unknown && v.In != nil {
			out = fmt.Appendf(out, "#%d", draws[i])
		}
		out = append(out, ' ')
	}
	return string(out)
}

// appendValue writes an element's address, or a computed value with its kind.
func appendValue(dst []byte, v *value.Value) []byte {
	if v == nil {
		return append(dst, "absent"...)
	}
	if at, ok := value.Address(v); ok {
		dst = append(append(dst, '@'), at...)
		if v.Kind() != value.Unknown {
			return dst
		}
	}
	if v.Kind() == value.Unknown {
		dst = append(dst, '?')
		for _, c := range v.Causes() {
			dst = append(append(dst, ' '), c.Reason...)
		}
		return dst
	}
	return append(append(append(dst, v.Kind().String()...), ' '), value.Display(v)...)
}

func specEvidence(m spec.Match) string { return evidence(m.Ranges, m.Args, m.Kwargs) }

func evalEvidence(e eval.Evidence) string { return evidence(e.Ranges, e.Args, e.Kwargs) }

func evidence(ranges []string, args, kwargs []*value.Value) string {
	out := []byte(strings.Join(ranges, " "))
	for _, v := range args {
		out = appendValue(append(out, "\narg "...), v)
	}
	for _, v := range kwargs {
		out = appendValue(append(out, "\nkwarg "...), v)
	}
	return string(out)
}

// cause writes why something is unknown, where in the policy and the trace.
func cause(c value.Cause) string {
	at := ""
	if c.At != nil {
		at, _ = value.Address(c.At)
	}
	src := "nowhere"
	if n, ok := c.Src.(syntax.Node); ok {
		line, col := n.Span().Position()
		src = fmt.Sprintf("%s:%d:%d %q", n.Span().File.Name, line, col, firstLine(n.Span().Text()))
	}
	return fmt.Sprintf("%s: %s at %q in %s", c.Reason, c.Detail, at, src)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func specEntries(w spec.RuleResult) string {
	if len(w.Unknown) == 0 {
		return ""
	}
	var out []string
	for _, e := range w.Entries() {
		out = append(out, fmt.Sprintf("%dx %s, first %s", e.Count, cause(e.Cause), assignment(w.Rule.Body, e.First.Vars, e.First.Draw)))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func evalEntries(b *check.Block, a *eval.RuleResult) string {
	var out []string
	for _, e := range a.Entries {
		more := ""
		if e.AtLeast {
			more = "at least "
		}
		first := "nothing"
		if e.Match != nil {
			first = evalAssignment(b, e.Match)
		}
		out = append(out, fmt.Sprintf("%s%dx %s, first %s", more, e.Count, cause(e.Cause), first))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
