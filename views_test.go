// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/detect"
	"github.com/holdfast-dev/holdfast/trace"
)

// A viewer is a detector that finds kinds A and B by the hash of a text, and
// more of them where it may look at all views of it, unless it is blind to
// these.
type viewer struct {
	seed  int
	blind bool
	fails bool // at some texts, whatever the views; what it finds by then is half of it
}

func (viewer) Version() string { return "1" }

func (v viewer) Detect(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
	out := make([]detect.Result, len(requests))
	for i, r := range requests {
		h := fnv.New64a()
		fmt.Fprint(h, v.seed, r.Text)
		bits := h.Sum64() >> 20
		for j, kind := range []string{"A", "A", "B", "B"} {
			raw, decoded := bits>>(3*j)&7 == 0, bits>>(3*j)&7 <= 2
			if raw || decoded && !v.blind && r.Views == nil {
				out[i].Findings = append(out[i].Findings, detect.Finding{Kind: kind, End: len([]rune(r.Text)) / 2, Score: 1})
			}
		}
		if v.fails && bits>>20&3 == 0 {
			out[i].Err = errors.New("more than can be looked at")
			out[i].Findings = out[i].Findings[:len(out[i].Findings)/2]
		}
	}
	return out, nil
}

// A ruleMaker writes random rules that ask detectors everywhere.
type ruleMaker struct {
	*rand.Rand
	names int
	texts []string // names of variables in scope that hold texts
	lists []string // names of bindings to lists
	bools []string // names of bindings to truths
}

func (m *ruleMaker) pick(from ...string) string { return from[m.IntN(len(from))] }

func (m *ruleMaker) name(p string) string {
	m.names++
	return fmt.Sprint(p, m.names)
}

func (m *ruleMaker) list(depth int) string {
	if len(m.lists) > 0 && m.IntN(4) == 0 {
		return m.pick(m.lists...)
	}
	if depth <= 0 || m.IntN(3) > 0 {
		return m.pick("pii", "secrets") + "(" + m.pick(m.texts...) + ")"
	}
	switch m.IntN(8) {
	case 0:
		return "list(" + m.list(depth-1) + ")"
	case 1:
		return "(" + m.list(depth-1) + " if " + m.truth(depth-1) + " else " + m.list(depth-1) + ")"
	case 2:
		return "(" + m.list(depth-1) + " + " + m.list(depth-1) + ")"
	case 3:
		return "[" + m.truth(depth-1) + "]"
	case 4:
		return "([\"A\", \"B\"] " + m.pick("in ", "not in ") + m.list(depth-1) + ")"
	case 5:
		return "[v for v in " + m.list(depth-1) + " if " + m.truth(depth-1) + "]"
	default:
		return "[" + m.list(depth-1) + "]"
	}
}

func (m *ruleMaker) truth(depth int) string {
	if len(m.bools) > 0 && m.IntN(6) == 0 {
		return m.pick(m.bools...)
	}
	if depth <= 0 {
		return m.pick("is_pii(", "is_secret(", "held(", "lacks(") + m.pick(m.texts...) + ")"
	}
	d := depth - 1
	switch m.IntN(17) {
	case 0:
		return "(not " + m.truth(d) + ")"
	case 1:
		return "(" + m.truth(d) + m.pick(" and ", " or ") + m.truth(d) + ")"
	case 2:
		return m.pick("any", "all", "empty", "bool") + "(" + m.list(d) + ")"
	case 3, 4:
		return "(" + m.pick(`"A"`, `"B"`, "False", "True") + m.pick(" in ", " not in ") + m.list(d) + ")"
	case 5, 6:
		return fmt.Sprintf("(len(%s) %s %d)", m.list(d), m.pick("<", "<=", ">", ">=", "==", "!="), m.IntN(4))
	case 7:
		return fmt.Sprintf("(len(%s) %s len(%s))", m.list(d), m.pick("<", "<=", ">", ">="), m.list(d))
	case 8:
		return "(" + m.truth(d) + " if " + m.truth(d) + " else " + m.truth(d) + ")"
	case 9:
		return "(" + m.truth(d) + m.pick(" == ", " != ") + m.pick("True", "False") + ")"
	case 10:
		return m.pick("c", "e") + m.pick(" is ", " is not ") + "tool:" + m.pick("send", "read") + "({to: " + m.pick("<SECRET>", "<PERSON>", "[<SECRET>]") + "})"
	case 11:
		return "(" + m.pick(m.texts...) + m.pick(" == ", " in ") + `["A", "B"])`
	case 12:
		return "(" + m.pick(m.texts...) + m.pick(" == ", " != ") + m.pick(`"A"`, `"B"`) + ")"
	case 13:
		return m.pick("any", "all") + "([\"A\", \"B\"] " + m.pick("in ", "not in ") + m.list(d) + ")"
	case 14:
		return "(bool(" + m.list(d) + ") is " + m.pick("True", "False") + ")"
	default:
		return m.pick("held", "lacks", "is_pii", "is_secret") + "(" + m.pick(m.texts...) + ")"
	}
}

// block writes conditions; what they declare is in scope in them only.
func (m *ruleMaker) block(b *strings.Builder, indent string, depth int) {
	texts, lists, bools := len(m.texts), len(m.lists), len(m.bools)
	for range 1 + m.IntN(3) {
		m.condition(b, indent, depth)
	}
	m.texts, m.lists, m.bools = m.texts[:texts], m.lists[:lists], m.bools[:bools]
}

func (m *ruleMaker) condition(b *strings.Builder, indent string, depth int) {
	switch n := m.IntN(12); {
	case n < 3 && depth > 0:
		b.WriteString(indent + m.pick("", "not ") + m.pick("forall", "exists", "count(min=1)", "count(min=2)", "count(max=1)", "count(max=0)", "count(min=1, max=1)") + ":\n")
		m.block(b, indent+"    ", depth-1)
	case n < 6:
		name, typ := m.name("k"), m.pick("str", "str", "str", "list", "bool")
		membership := "(" + name + ": " + typ + ") in " + m.list(2)
		switch m.IntN(5) {
		case 0, 1:
			membership += " or " + m.truth(1)
		case 2:
			truth := m.name("y")
			membership = truth + " := " + membership
			m.bools = append(m.bools, truth)
		}
		b.WriteString(indent + membership + "\n")
		if typ == "str" {
			m.texts = append(m.texts, name)
		}
	case n == 6:
		name := m.name("y")
		b.WriteString(indent + name + " := " + m.list(2) + "\n")
		m.lists = append(m.lists, name)
	case n == 7:
		name := m.name("y")
		b.WriteString(indent + name + " := " + m.truth(2) + "\n")
		m.bools = append(m.bools, name)
	default:
		b.WriteString(indent + m.truth(3) + "\n")
	}
}

func (m *ruleMaker) policy() string {
	var b strings.Builder
	b.WriteString("from invariant.detectors import pii, secrets\nheld(x) :=\n    (k: str) in pii(x)\n    k == \"A\"\nlacks(x) := not is_secret(x)\n")
	b.WriteString("raise \"x\" if:\n    (c: ToolCall)\n    (e: ToolCall)\n    (o: ToolOutput)\n")
	m.texts = []string{"c", "o", "o.content"}
	m.block(&b, "    ", 2)
	return b.String()
}

// No rule is violated less for what the views of a text add to it as it
// stands: neither is a violation lost, nor are there fewer of them.
func TestViewsHideNothing(t *testing.T) {
	compile := func(source string, seed int, blind bool) *holdfast.Policy {
		p, err := holdfast.Compile("p.gr", []byte(source), &holdfast.Options{Detectors: map[string]detect.Detector{
			"pii": viewer{2 * seed, blind, false}, "secrets": viewer{2*seed + 1, blind, false},
		}})
		if err != nil {
			return nil
		}
		return p
	}
	events := func(w *rand.Rand) *trace.Trace {
		word := func() string { return []string{"alpha", "beta", "gamma", "delta", "A"}[w.IntN(5)] }
		return &trace.Trace{Events: []*trace.Event{
			trace.Call("1", "read", map[string]any{"to": word()}), trace.Output("1", word()+word()),
			trace.Call("2", "send", map[string]any{"to": word()}),
		}}
	}
	loaded, more := 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		source := (&ruleMaker{Rand: r}).policy()
		whole, raw := compile(source, seed, false), compile(source, seed, true)
		if whole == nil {
			continue
		}
		loaded++
		for range 2 {
			tr := events(r)
			got, err := whole.Analyze(t.Context(), tr, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := raw.Analyze(t.Context(), tr, nil)
			if err != nil {
				t.Fatal(err)
			}
			g, w := countOf(got), countOf(want)
			if g > w {
				more++
			}
			if g < w && (g == 0 || len(got.Unknowns()) == 0) || want.Decision() != holdfast.Allow && got.Decision() == holdfast.Allow {
				t.Errorf("seed %d: %d violations (%v), %d of the texts as they stand (%v):\n%s", seed, g, got.Decision(), w, want.Decision(), source)
				break
			}
		}
	}
	t.Logf("%d of %d rules loaded, %d verdicts have more violations for the views", loaded, rounds, more)
	if loaded < rounds/3 || more < rounds/20 {
		t.Errorf("only %d of %d rules loaded, only %d verdicts have more violations for the views", loaded, rounds, more)
	}
}

// No rule that is violated, or undecided, is passed because a detector fails,
// with all that it has found by then or half of it.
func TestDetectorsThatFailHideNothing(t *testing.T) {
	compile := func(source string, seed int, fails bool) *holdfast.Policy {
		p, err := holdfast.Compile("p.gr", []byte(source), &holdfast.Options{Detectors: map[string]detect.Detector{
			"pii": viewer{2 * seed, false, fails}, "secrets": viewer{2*seed + 1, false, fails},
		}})
		if err != nil {
			return nil
		}
		return p
	}
	blocked, unknown := 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		source := (&ruleMaker{Rand: r}).policy()
		sound, failing := compile(source, seed, false), compile(source, seed, true)
		if sound == nil {
			continue
		}
		word := func() string { return []string{"alpha", "beta", "gamma", "delta", "A"}[r.IntN(5)] }
		tr := &trace.Trace{Events: []*trace.Event{
			trace.Call("1", "read", map[string]any{"to": word()}), trace.Output("1", word()+word()),
			trace.Call("2", "send", map[string]any{"to": word()}),
		}}
		want, err := sound.Analyze(t.Context(), tr, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := failing.Analyze(t.Context(), tr, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Unknowns()) > 0 {
			unknown++
		}
		if want.Decision() == holdfast.Allow {
			continue
		}
		blocked++
		if got.Decision() == holdfast.Allow {
			t.Errorf("seed %d: allowed for a detector that fails, %v without:\n%s", seed, want.Decision(), source)
		}
	}
	if blocked < rounds/20 || unknown < rounds/20 {
		t.Errorf("only %d verdicts that block, %d that are undecided", blocked, unknown)
	}
}

const rounds = 1000

func countOf(v holdfast.Verdict) int {
	n := 0
	for _, c := range v.Counts() {
		n += int(c.N)
	}
	return n
}

// Places where more findings do not make more true, though they seem to.
func TestViewsWhereMoreIsLess(t *testing.T) {
	for _, body := range []string{
		"False in ([\"A\"] in pii(o))",
		"y := [\"A\"] in pii(o)\n    False in y",
		"(b: bool) in ([\"A\"] in pii(o))\n    not b",
		"(l: list) in pii(o)\n    len(l) < 1",
		"not forall:\n        (k: str) in pii(o) or o.content == \"z\"",
		"forall:\n        y := (k: str) in pii(o)\n        o.content == \"z\"",
	} {
		p, err := holdfast.Compile("p.gr", []byte("from invariant.detectors import pii\nraise \"x\" if:\n    (o: ToolOutput)\n    "+body+"\n"),
			&holdfast.Options{Detectors: map[string]detect.Detector{"pii": adder{}}})
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Analyze(t.Context(), &trace.Trace{Events: []*trace.Event{trace.Call("1", "read", nil), trace.Output("1", "text")}}, nil)
		if err != nil || v.Decision() != holdfast.Deny {
			t.Errorf("%s: got %v %v", body, v.Decision(), err)
		}
	}
}

// An adder finds A in what views add to a text, nothing in the text itself.
type adder struct{}

func (adder) Version() string { return "1" }

func (adder) Detect(_ context.Context, requests []detect.Request) ([]detect.Result, error) {
	out := make([]detect.Result, len(requests))
	for i, r := range requests {
		if r.Views == nil {
			out[i].Findings = []detect.Finding{{Kind: "A", End: 1, Score: 1, View: "decoded"}}
		}
	}
	return out, nil
}
