// Copyright 2026 The Holdfast Authors
// SPDX-License-Identifier: Apache-2.0

package script_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/holdfast-dev/holdfast"
	"github.com/holdfast-dev/holdfast/script"
)

// load returns the one public function of src.
func load(t *testing.T, src string) holdfast.Function {
	t.Helper()
	fns, err := script.Load("test.star", []byte(src))
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	if len(fns) != 1 {
		t.Fatalf("got %d functions, want 1", len(fns))
	}
	return fns[0]
}

// identity is used to send values through Starlark and back.
const identity = "def f(x): return x"

func TestLoadTakesPublicDefinitionsInOrder(t *testing.T) {
	fns, err := script.Load("p.star", []byte(`
LIMIT = 3

def zebra(x, y = 2, z = ["a"]):
    return _half(x) > y

def _half(x):
    return x // 2

def ant():
    return True
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range fns {
		got = append(got, fmt.Sprint(f.Name, f.Params, f.Result, f.Effect))
	}
	want := []string{
		"zebra[{x any false <nil>} {y any true 2} {z any true [a]}]anyfalse",
		"ant[]anyfalse",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestLoadRefuses(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"syntax", "def f(x)\n    return x", "p.star:2:1: got newline, want ':'"},
		{"unknown name", "def f(x): return y", "p.star:1:18: undefined: y"},
		{"load", `load("a.star", "b")`, "p.star:1:1: a script cannot load another one"},
		{"failing top level", "x = 1 // 0", "running script p.star"},
		{"endless top level", "def f():\n    while True: pass\nf()", "more than 1000000 steps"},
		{"varargs", "def f(*xs): return xs", "want named parameters only"},
		{"keyword only", "def f(x, *, y): return x", "want named parameters only"},
		{"default", "def f(x = len): return x", "default of parameter x of f: got a builtin_function_or_method"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fns, err := script.Load("p.star", []byte(tt.src))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, %v; want an error with %q", fns, err, tt.want)
			}
		})
	}
}

func TestValuesSurviveTheRoundTrip(t *testing.T) {
	big1, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	values := []any{
		nil, true, false, int64(0), int64(-1 << 63), big1, new(big.Int).Neg(big1),
		0.5, math.Copysign(0, -1), 1e300, "", "naïve 👋", "\x00",
		[]any{},
		map[string]any{},
		[]any{int64(1), 1.0, "1", true, nil},
		map[string]any{"b": []any{map[string]any{"": int64(9007199254740993)}}, "a": nil},
	}
	f := load(t, identity)
	for _, v := range values {
		got, err := f.Call(context.Background(), []any{v})
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("got %#v, %v; want %#v", got, err, v)
		}
	}
}

func TestWholeFloatsStayFloats(t *testing.T) {
	f := load(t, "def f(x): return [x, type(x), x == 1]")
	got, err := f.Call(context.Background(), []any{1.0})
	if want := []any{1.0, "float", true}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v; want %#v", got, err, want)
	}
}

func TestTuplesComeBackAsLists(t *testing.T) {
	f := load(t, "def f(x): return (x, (x,))")
	got, err := f.Call(context.Background(), []any{"a"})
	if want := []any{"a", []any{"a"}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v; want %#v", got, err, want)
	}
}

func TestDictionariesAreSorted(t *testing.T) {
	f := load(t, "def f(x): return x.keys()")
	arg := map[string]any{}
	var want []any
	for c := 'a'; c <= 'z'; c++ {
		arg[string(c)] = nil
		want = append(want, string(c))
	}
	for range 20 {
		got, err := f.Call(context.Background(), []any{arg})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, %v; want %v", got, err, want)
		}
	}
}

// nest returns x inside n lists.
func nest(x any, n int) any {
	for range n {
		x = []any{x}
	}
	return x
}

func TestLimitsOfArguments(t *testing.T) {
	f := load(t, "def f(x, y = None): return True")
	tests := []struct {
		name string
		args []any
		want string
	}{
		{"depth within", []any{nest("x", 64)}, ""},
		{"depth", []any{nest("x", 65)}, "argument 1: value is nested more than 64 deep"},
		{"bytes within", []any{strings.Repeat("x", 1<<20)}, ""},
		{"bytes", []any{strings.Repeat("x", 1<<20+1)}, "more than 1048576 bytes"},
		{"bytes of both", []any{strings.Repeat("x", 1<<19), strings.Repeat("y", 1<<19+1)}, "argument 2: value has more than"},
		{"bytes of keys", []any{map[string]any{strings.Repeat("k", 1<<20+1): nil}}, "more than 1048576 bytes"},
		{"elements", []any{make([]any, 100_000)}, "more than 100000 elements"},
		{"Go type", []any{struct{}{}}, "Go type struct {}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { wantError(t, f, tt.args, tt.want) })
	}
}

// wantError calls f and looks for want in its error; "" wants none.
func wantError(t *testing.T, f holdfast.Function, args []any, want string) {
	t.Helper()
	got, err := f.Call(context.Background(), args)
	switch {
	case want == "" && err != nil:
		t.Errorf("got error %v, want none", err)
	case want != "" && err == nil:
		t.Errorf("got %.40v, want an error with %q", got, want)
	case want != "" && !strings.Contains(err.Error(), want):
		t.Errorf("got error %q, want one with %q", err, want)
	case want != "" && got != nil:
		t.Errorf("got a result beside the error: %.40v", got)
	}
}

func TestCallsThatFail(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"endless loop", "def f():\n    while True:\n        pass", "more than 1000000 steps"},
		{"long loop", "def f():\n    for i in range(1 << 60):\n        pass", "more than 1000000 steps"},
		{"recursion", "def f():\n    return _g()\ndef _g():\n    return _g()", "called recursively"},
		{"huge string", `def f(): return "x" * (1 << 20) + "x"`, "result of f: value has more than 1048576 bytes"},
		{"huger string", `def f(): return "x" * (1 << 40)`, "repeat count 1099511627776 too large"},
		{"huge list", `def f(): return list(range(100000))`, "result of f: value has more than 100000 elements"},
		{"doubling list", "def f():\n    x = [1]\n    for i in range(60):\n        x = [x, x]\n    return x", "value has more than 100000 elements"},
		{"list in itself", "def f():\n    x = []\n    x.append(x)\n    return x", "nested more than 64 deep"},
		{"huge number", "def f():\n    x = 1 << 500\n    return x * x * x * x * x * x * x * x * x", "more than 4096 bits"},
		{"function", "def f(): return len", "got a builtin_function_or_method, want None"},
		{"set", "def f(): return set([1])", "got a set"},
		{"bytes", `def f(): return b"x"`, "got a bytes"},
		{"cut string", `def f(): return "é"[:1]`, "not valid UTF-8"},
		{"infinity", `def f(): return float("inf")`, "want a finite number"},
		{"not a number", `def f(): return [float("nan")]`, "want a finite number"},
		{"integer keys", "def f(): return {1: 2}", "a key of type int, want string keys"},
		{"its own failure", `def f(): fail("no such account")`, "test.star:1:14: fail: no such account"},
		{"frozen globals", "SEEN = []\ndef f(): SEEN.append(1)", "cannot append to frozen list"},
		{"no such method", "def f(): return None.x", "NoneType has no .x field or method"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { wantError(t, load(t, tt.src), nil, tt.want) })
	}
}

func TestCallStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("the run is over"))
	f := load(t, "def f(): return 1")
	if _, err := f.Call(ctx, nil); err == nil || !strings.Contains(err.Error(), "the run is over") {
		t.Errorf("got %v, want the cause of the cancellation", err)
	}
}

func TestPrintIsSilentAndMutationStaysInside(t *testing.T) {
	arg := []any{map[string]any{"k": "v"}}
	f := load(t, "def f(x):\n    print(x)\n    x[0]['k'] = 'w'\n    x.append(1)\n    return len(x)")
	got, err := f.Call(context.Background(), []any{arg})
	if err != nil || got != int64(2) {
		t.Errorf("got %v, %v; want 2", got, err)
	}
	if want := []any{map[string]any{"k": "v"}}; !reflect.DeepEqual(arg, want) {
		t.Errorf("the argument became %v", arg)
	}
}

func TestCallsRunSideBySide(t *testing.T) {
	f := load(t, "WORDS = {'a': 1}\ndef f(x): return [w for w in x.split(' ') if w in WORDS]")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			got, err := f.Call(context.Background(), []any{"a b a"})
			if want := []any{"a", "a"}; err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, %v; want %v", got, err, want)
			}
		})
	}
	wait.Wait()
}
