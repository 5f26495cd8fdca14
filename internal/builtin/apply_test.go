// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/holdfast-dev/holdfast/internal/value"
)

func TestApplyNotProvided(t *testing.T) {
	pii := LookupModule("holdfast.detectors").Funcs["pii"]
	got := call(t, pii, str("x"))
	check(t, "pii", got, unknown(value.NotProvided))
	if d := got.Causes()[0].Detail; !strings.Contains(d, "no detector is set up for the function pii") {
		t.Errorf("the detail is %q", d)
	}
	if got.Causes()[0].Src != nil {
		t.Error("the cause has a place in the policy already")
	}
}

func TestApplyNoResult(t *testing.T) {
	f := &Func{Name: "f", Impl: func(*Call) *value.Value { return nil }}
	check(t, "f", Apply(f, nil, &Env{Memo: NewMemo()}), unknown(value.Failed))
}

// TestEffectsAreAskedOnce: equal arguments give the answer of the first time,
// and arguments of other kinds are not equal.
func TestEffectsAreAskedOnce(t *testing.T) {
	calls := 0
	f := &Func{Name: "f", Kind: Effect, Params: []Param{param("x")}, Impl: func(*Call) *value.Value {
		calls++
		return value.IntOf(int64(calls))
	}}
	g := &Func{Name: "g", Kind: Effect, Params: f.Params, Impl: f.Impl}
	env := &Env{Memo: NewMemo()}
	big, _ := Arith(pyOps["**"], num(2), num(100)), 0
	args := []*value.Value{
		num(1), value.FloatOf(1), str("1"), value.TrueV, value.NoneV, list(num(1)), tuple(num(1)), list(list(num(1))), list(str("1")),
		str(""), list(), list(str("")), list(str(""), str("")), list(str("a"), str("b")), list(str("ab")), list(str("a,b")),
		value.DictOf([]string{"a"}, []*value.Value{num(1)}), value.DictOf([]string{"a"}, []*value.Value{str("1")}), big, value.FloatOf(0), num(0), value.FloatOf(-0.5),
	}
	answers := map[string]string{}
	for i, a := range args {
		first := show(Apply(f, []*value.Value{a}, env))
		if calls != i+1 {
			t.Fatalf("f(%s) was answered from memory", show(a))
		}
		answers[show(a)] = first
	}
	for _, a := range args {
		if again := show(Apply(f, []*value.Value{a}, env)); again != answers[show(a)] {
			t.Errorf("f(%s) = %s, then %s", show(a), answers[show(a)], again)
		}
	}
	Apply(g, []*value.Value{num(1)}, env)
	if calls != len(args)+1 {
		t.Errorf("%d calls, want %d: g is not f", calls, len(args)+1)
	}
	Apply(f, []*value.Value{num(1)}, &Env{Memo: NewMemo()})
	if calls != len(args)+2 {
		t.Error("two sessions share a memory")
	}
}

// TestDetectorMarksAreReplayed: what a detector remembers is marked at the
// place of the text it is asked about.
func TestDetectorMarksAreReplayed(t *testing.T) {
	at := placed(t, `[{"role": "user", "content": "a secret"}, {"role": "user", "content": "a secret"},
		{"role": "user", "content": [{"type": "text", "text": "x"}, {"type": "text", "text": "a secret"}]}]`)
	calls := 0
	f := &Func{Name: "f", Kind: Detector, Params: []Param{param("x")}, Impl: func(c *Call) *value.Value {
		calls++
		for _, p := range value.Texts(c.Args[0]) {
			if i := strings.Index(p.Text, "secret"); i >= 0 && p.At.Kind() == value.Str {
				c.Env.Marks.Mark(p.At, i, i+6)
			}
		}
		return value.TrueV
	}}
	env := &Env{Memo: NewMemo(), Marks: &Marks{}}
	Apply(f, []*value.Value{at("0.content")}, env)
	Apply(f, []*value.Value{at("1.content")}, env)
	Apply(f, []*value.Value{at("2")}, env)
	if got, want := evidence(env.Marks), "0.content:2-8 1.content:2-8 2.content.1.text:2-8"; got != want {
		t.Errorf("marked %q, want %q", got, want)
	}
	if calls != 2 {
		t.Errorf("%d calls, want 2", calls)
	}
	env.Marks.Flip()
	Apply(f, []*value.Value{at("0.content")}, env)
	if got := env.Marks.Len(); got != 3 {
		t.Errorf("%d marks after a negation, want 3", got)
	}
}

// TestParsedJSONIsKept: a text of the trace is parsed once, so its elements
// stay the same values.
func TestParsedJSONIsKept(t *testing.T) {
	at := placed(t, agentRun)
	env := &Env{Memo: NewMemo()}
	if first := env.parse(at("3.content")); env.parse(at("3.content")) != first {
		t.Error("the text was parsed twice")
	}
	computed := str(`{"a": 1}`)
	if first := env.parse(computed); env.parse(computed) == first {
		t.Error("a computed text fills the memory")
	}
	for i := range 2 * maxParsed {
		at := placed(t, fmt.Sprintf(`[{"role": "user", "content": "%d"}]`, i))
		env.parse(at("0.content"))
	}
	if n := len(env.Memo.parsed); n > maxParsed {
		t.Errorf("%d texts are kept, want at most %d", n, maxParsed)
	}
}

// TestPatterns: the cache is bounded and may be shared.
func TestPatterns(t *testing.T) {
	p := NewPatterns()
	a, err := p.Compile("a+")
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := p.Compile("a+"); a != b {
		t.Error("compiled twice")
	}
	if _, err := p.Compile("("); err == nil {
		t.Error("( is accepted")
	}
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			for i := range maxPatterns {
				re, err := p.Compile(fmt.Sprintf("x%d", i%(maxPatterns/2)+g))
				if err != nil || !re.MatchWhole(re.String()) {
					t.Error("bad pattern", err)
				}
			}
		})
	}
	wait.Wait()
	for i := range 2 * maxPatterns {
		if _, err := p.Compile(fmt.Sprintf("y%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.compiled); n > maxPatterns {
		t.Errorf("%d patterns are kept, want at most %d", n, maxPatterns)
	}
}
