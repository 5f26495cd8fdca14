// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package holdfast_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/trace"
)

func with(t testing.TB, src string, fs ...holdfast.Function) *holdfast.Policy {
	t.Helper()
	p, err := holdfast.Compile("policy.gr", []byte(src), &holdfast.Options{Functions: fs})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// constant is a function f(x) that gives always the same.
func constant(result any, err error) holdfast.Function {
	return holdfast.Function{
		Name: "f", Params: []holdfast.Param{{Name: "x"}},
		Call: func(context.Context, []any) (any, error) { return result, err },
	}
}

func TestFunctionSignatures(t *testing.T) {
	f := holdfast.Function{
		Name:   "near",
		Params: []holdfast.Param{{Name: "x", Type: "float"}, {Name: "y", Type: "float"}, {Name: "by", Type: "float", Optional: true, Default: 0.5}},
		Result: "bool",
		Call: func(_ context.Context, args []any) (any, error) {
			return math.Abs(args[0].(float64)-args[1].(float64)) <= args[2].(float64), nil
		},
	}
	for _, test := range []struct{ call, want string }{
		{"near(1.0, 1.4)", "deny"},
		{"near(1, 2)", "allow"},
		{"near(1, 2, 1)", "deny"},
		{"near(y=1, x=1, by=0)", "deny"},
		{`near(1, c.arguments.s)`, "unknown"},
		{"near(c.arguments.big, 1)", "unknown"},
		{"near(1)", "P0215"},
		{"near(1, 2, 3, 4)", "P0215"},
		{"near(1, 2, bye=3)", "P0216"},
		{"near(1, 2, x=3)", "P0216"},
		{"neer(1, 2)", "P0201"},
	} {
		p, err := holdfast.Compile("policy.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n    "+test.call+"\n"), &holdfast.Options{Functions: []holdfast.Function{f}})
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			huge := new(big.Int).Lsh(big.NewInt(1), 2000)
			got = appendTo(t, start(t, p, nil), trace.Call("1", "f", map[string]any{"s": "1", "big": huge})).Decision().String()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s, want %s", test.call, got, test.want)
		}
	}
}

func TestFunctionsThatAreRefused(t *testing.T) {
	ok := constant(true, nil)
	for name, fs := range map[string][]holdfast.Function{
		"no name":         {{Call: ok.Call}},
		"no Call":         {{Name: "f"}},
		"unwritable name": {{Name: "my-f", Call: ok.Call}},
		"keyword":         {{Name: "not", Call: ok.Call}},
		"two statements":  {{Name: "a := 1\nb", Call: ok.Call}},
		"twice":           {ok, ok},
		"result":          {{Name: "f", Result: "strng", Call: ok.Call}},
		"parameter type":  {{Name: "f", Params: []holdfast.Param{{Name: "x", Type: "strng"}}, Call: ok.Call}},
		"parameter name":  {{Name: "f", Params: []holdfast.Param{{}}, Call: ok.Call}},
		"parameter twice": {{Name: "f", Params: []holdfast.Param{{Name: "x"}, {Name: "x"}}, Call: ok.Call}},
		"after optional":  {{Name: "f", Params: []holdfast.Param{{Name: "x", Optional: true}, {Name: "y"}}, Call: ok.Call}},
		"default":         {{Name: "f", Params: []holdfast.Param{{Name: "x", Optional: true, Default: make(chan int)}}, Call: ok.Call}},
		"default's type":  {{Name: "f", Params: []holdfast.Param{{Name: "x", Type: "int", Optional: true, Default: "1"}}, Call: ok.Call}},
	} {
		p, err := holdfast.Compile("policy.gr", []byte("raise \"x\" if:\n    (c: ToolCall)\n"), &holdfast.Options{Functions: fs})
		if err == nil || p != nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What Call gets, for every kind of value.
func TestFunctionArguments(t *testing.T) {
	var got []any
	f := holdfast.Function{
		Name:   "f",
		Params: []holdfast.Param{{Name: "x"}, {Name: "y", Optional: true}},
		Call: func(_ context.Context, args []any) (any, error) {
			got = args
			return false, nil
		},
	}
	typed := f
	typed.Name, typed.Params = "s", []holdfast.Param{{Name: "x", Type: "str"}}
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	event := `{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":{
		"n":1,"x":1.5,"s":"é","b":true,"l":[1,["a"]],"d":{"k":null},"big":123456789012345678901234567890}}}]}`
	parts := `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`
	for _, test := range []struct {
		expr string
		want []any
	}{
		{"f(c.arguments.n)", []any{int64(1), nil}},
		{"f(c.arguments.x, 2)", []any{1.5, int64(2)}},
		{"f(c.arguments.s, y=None)", []any{"é", nil}},
		{"f(c.arguments.b)", []any{true, nil}},
		{"f(c.arguments.l)", []any{[]any{int64(1), []any{"a"}}, nil}},
		{"f(c.arguments.d)", []any{map[string]any{"k": nil}, nil}},
		{"f(c.arguments.big)", []any{huge, nil}},
		{"f((1, c.name))", []any{[]any{int64(1), "f"}, nil}},
		{"f(c)", []any{map[string]any{"id": "1", "function": map[string]any{"name": "f", "arguments": map[string]any{
			"n": int64(1), "x": 1.5, "s": "é", "b": true, "l": []any{int64(1), []any{"a"}}, "d": map[string]any{"k": nil}, "big": huge,
		}}}, nil}},
		{"f(m)", []any{map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "text", "text": "a"}, map[string]any{"type": "text", "text": "b"},
		}}, nil}},
		{"f(m.content)", []any{[]any{map[string]any{"type": "text", "text": "a"}, map[string]any{"type": "text", "text": "b"}}, nil}},
		{"s(m.content)", []any{"ab"}},
		{"s(None)", []any{nil}},
	} {
		got = nil
		p := with(t, "raise \"x\" if:\n    (c: ToolCall)\n    (m: UserMessage)\n    "+test.expr+"\n", f, typed)
		v := appendTo(t, start(t, p, nil), decode(t, "["+event+","+parts+"]")...)
		if v.Decision() != holdfast.Allow || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %#v, want %#v (%s)", test.expr, got, test.want, shown(v))
		}
	}
}

func TestFunctionResults(t *testing.T) {
	huge := new(big.Int).Lsh(big.NewInt(1), 100)
	for _, test := range []struct {
		result any
		expr   string
	}{
		{nil, "f(1) == None"},
		{true, "f(1)"},
		{7, "f(1) == 7"},
		{int64(7), "f(1) == 7"},
		{huge, "f(1) == 1267650600228229401496703205376"},
		{1.5, "f(1) == 1.5"},
		{"é", `f(1) == "é"`},
		{[]string{"a"}, `f(1) == ["a"]`},
		{[]any{1, "a"}, `f(1) == [1, "a"]`},
		{map[string]any{"k": []any{nil}}, `f(1) == {"k": [None]}`},
		{(*big.Int)(nil), "f(1) == None"},
	} {
		p := with(t, "raise \"x\" if:\n    "+test.expr+"\n", constant(test.result, nil))
		if v := appendTo(t, start(t, p, nil)); v.Decision() != holdfast.Deny {
			t.Errorf("%v: %s", test.result, shown(v))
		}
	}
}

func TestFunctionsThatGoWrong(t *testing.T) {
	deep := any("x")
	for range 100 {
		deep = []any{deep}
	}
	typed := func(result holdfast.Type, x any) holdfast.Function {
		f := constant(x, nil)
		f.Result = result
		return f
	}
	timeout := constant(nil, fmt.Errorf("asking: %w", context.DeadlineExceeded))
	panics := constant(nil, nil)
	panics.Call = func(context.Context, []any) (any, error) { panic("secret of the trace") }
	for name, test := range map[string]struct {
		f      holdfast.Function
		reason string
	}{
		"error":              {constant(true, errors.New("secret of the trace")), "failed"},
		"timeout":            {timeout, "timeout"},
		"panic":              {panics, "failed"},
		"channel":            {constant(make(chan int), nil), "failed"},
		"struct":             {constant(struct{ X int }{1}, nil), "failed"},
		"channel inside":     {constant(map[string]any{"k": []any{make(chan int)}}, nil), "failed"},
		"not a number":       {constant(math.NaN(), nil), "failed"},
		"infinite":           {constant(math.Inf(1), nil), "failed"},
		"large int":          {constant(new(big.Int).Lsh(big.NewInt(1), 5000), nil), "failed"},
		"deep":               {constant(deep, nil), "failed"},
		"large text":         {constant(strings.Repeat("x", 2<<20), nil), "failed"},
		"large text inside":  {constant([]any{strings.Repeat("x", 2<<20)}, nil), "failed"},
		"many values":        {constant(make([]any, 2<<20), nil), "failed"},
		"no UTF-8":           {constant("\xff", nil), "failed"},
		"no UTF-8 as a key":  {constant(map[string]any{"\xff": 1}, nil), "failed"},
		"bool that is a str": {typed("bool", "true"), "failed"},
		"str that is an int": {typed("str", 1), "failed"},
		"int that is a bool": {typed("int", true), "failed"},
		"no event":           {typed("Message", map[string]any{"role": "user"}), "failed"},
	} {
		for _, effect := range []bool{false, true} {
			test.f.Effect = effect
			p := with(t, "raise \"x\" if:\n    (c: ToolCall)\n    f(1) == f(1)\n", test.f)
			v := appendTo(t, start(t, p, nil), trace.Call("1", "a", nil))
			if v.Decision() != holdfast.Unknown {
				t.Errorf("%s: got %s", name, shown(v))
				continue
			}
			u := v.Unknowns()[0]
			if u.Reason != test.reason || !strings.Contains(u.Detail, "function f ") || strings.Contains(u.Detail, "secret") || u.Span != "3:5-9" {
				t.Errorf("%s: got %q, %q at %s", name, u.Reason, u.Detail, u.Span)
			}
		}
	}
}

func TestWrongArgumentIsUnknown(t *testing.T) {
	f := constant(true, nil)
	f.Params[0].Type = "str"
	f.Call = func(_ context.Context, args []any) (any, error) { return args[0].(string) != "", nil }
	p := with(t, "raise \"x\" if:\n    (c: ToolCall)\n    f(c.arguments.n)\n", f)
	u := appendTo(t, start(t, p, nil), trace.Call("1", "a", map[string]any{"n": 1})).Unknowns()[0]
	if u.Reason != "type" || !strings.Contains(u.Detail, "function f") || u.Address != "0.function.arguments.n" {
		t.Errorf("got %+v", u)
	}
}

func TestFunctionSeesTheDeadline(t *testing.T) {
	f := constant(nil, nil)
	f.Call = func(ctx context.Context, _ []any) (any, error) {
		<-ctx.Done()
		return true, ctx.Err()
	}
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	m := start(t, with(t, "raise \"x\" if:\n    (c: ToolCall)\n    f(1)\n", f), nil)
	v, err := m.Append(ctx, trace.Call("1", "a", nil))
	if err != nil || v.Decision() != holdfast.Unknown || v.Unknowns()[0].Reason != "timeout" {
		t.Errorf("got %s, %v", shown(v), err)
	}
}

// An effectful function is asked once for equal arguments, also when it fails
// and when a verdict is looked at again, and anew by each monitor.
func TestEffectsAreRemembered(t *testing.T) {
	asked := map[string]int{}
	f := holdfast.Function{
		Name: "f", Params: []holdfast.Param{{Name: "x"}}, Effect: true,
		Call: func(_ context.Context, args []any) (any, error) {
			asked[fmt.Sprintf("%T %v", args[0], args[0])]++
			if args[0] == "fails" {
				return nil, errors.New("no")
			}
			return true, nil
		},
	}
	p := with(t, `raise "x" if:
    (a: ToolCall)
    (b: ToolCall)
    f(a.arguments.x)
    f(b.arguments.x)
    f([1, {"k": a.arguments.x}])
`, f)
	for round := 1; round <= 2; round++ {
		m := start(t, p, nil)
		step := []*trace.Event{trace.Call("1", "a", map[string]any{"x": 1}), trace.Call("2", "a", map[string]any{"x": 1.5}), trace.Call("3", "a", map[string]any{"x": "fails"})}
		for range 3 {
			checkWith(t, m, step...)
		}
		var more []*trace.Event
		for i := range 12 {
			more = append(more, trace.Call(fmt.Sprint(i), "b", map[string]any{"x": 1}))
		}
		v := appendTo(t, m, append(step, more...)...)
		if n := len(every(v)); n != 14*14 || v.Counts()[0].N != uint64(n) {
			t.Fatalf("got %d violations, listed %d", v.Counts()[0].N, n)
		}
		for arg, n := range asked {
			if n != round {
				t.Errorf("round %d: asked %d times for %s", round, n, arg)
			}
		}
		if len(asked) != 6 {
			t.Errorf("asked for %v", asked)
		}
	}
}

// A pure function may be called any number of times, and is as good as a
// builtin everywhere: in predicates, constants, drawn variables and messages.
func TestFunctionsEverywhere(t *testing.T) {
	split := holdfast.Function{Name: "words", Params: []holdfast.Param{{Name: "s", Type: "str"}}, Result: "list", Call: func(_ context.Context, args []any) (any, error) {
		return strings.Fields(args[0].(string)), nil
	}}
	p := with(t, `LIMIT := len(words("a b c"))
long(s) := len(words(s)) >= LIMIT
raise words(w)[0] if:
    (m: Message)
    long(m.content)
    (w: str) in words(m.content)
    w != "x"
`, split)
	v := appendTo(t, start(t, p, nil), trace.UserText("x y z"), trace.UserText("x y"))
	if got := len(v.Violations()); got != 2 || v.Violations()[0].Message != "y" || v.Violations()[1].Message != "z" {
		t.Errorf("got %s", shown(v))
	}
}
